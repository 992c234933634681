"""What outline servers are told, in one place: part of every outline's recipe. Imports nothing."""

from __future__ import annotations

JAVA: dict[str, object] = {
    "autobuild": {"enabled": False},
    "import": {"maven": {"enabled": False}, "gradle": {"enabled": False}},
}
"""The `java` settings of an outline server: it has nothing to build or to import."""

COMPILER: dict[str, str] = {
    "org.eclipse.jdt.core.compiler.compliance": "25",
    "org.eclipse.jdt.core.compiler.source": "25",
    "org.eclipse.jdt.core.compiler.codegen.targetPlatform": "25",
    "org.eclipse.jdt.core.compiler.problem.enablePreviewFeatures": "disabled",
}
"""Options of the slots' project: the newest Java that the parser knows, whatever the text is."""
