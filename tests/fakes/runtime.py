"""A runtime whose `java` is the fake server: for code that would start jdt.ls."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from indexer.jdtls.runtime import Runtime, locate

_REPOSITORY = Path(__file__).parents[2]


def fake_runtime(folder: Path, *, version: str = "9.9.0.fake", **faults: Any) -> dict[str, str]:
    """Lay out a fake Java and jdt.ls in `folder`; returns the environment that selects them."""
    java = folder / "java-home" / "bin" / "java"
    java.parent.mkdir(parents=True, exist_ok=True)
    java.write_text(
        f"#!{sys.executable} -S\nimport sys\nsys.path.insert(0, {str(_REPOSITORY)!r})\n"
        "from tests.fakes.server import main\nmain()\n",
        encoding="utf-8",
    )
    java.chmod(0o755)
    (folder / "java-home" / "release").write_text('JAVA_VERSION="25.0.1"\n', encoding="utf-8")
    set_faults(folder, **faults)
    plugins = folder / "jdtls" / "plugins"
    plugins.mkdir(parents=True, exist_ok=True)
    for bundle in ("org.eclipse.jdt.ls.core", "org.eclipse.jdt.core"):
        (plugins / f"{bundle}_{version}.jar").write_text("fake", encoding="utf-8")
    (plugins / "org.eclipse.equinox.launcher_1.0.0.jar").write_text("fake", encoding="utf-8")
    configuration = folder / "jdtls" / "configuration"
    configuration.mkdir(exist_ok=True)
    (configuration / "config.ini").write_text("osgi.bundles=a.jar@4\n", encoding="utf-8")
    return {"JAVADEX_JAVA": str(java.parent.parent), "JAVADEX_JDTLS": str(folder / "jdtls")}


def set_faults(folder: Path, **faults: Any) -> None:
    """Change what the fake in `folder` does wrong; holds for servers started from now on."""
    (folder / "java-home" / "bin" / "faults.json").write_text(json.dumps(faults), encoding="utf-8")


def located(environment: dict[str, str]) -> Runtime:
    """The runtime that `environment` selects."""
    return locate(env=environment)
