"""Golden text: what an answer looks like, kept as a file, reviewed as a diff.

With JAVADEX_UPDATE_GOLDENS=1 in the environment the files are written anew instead of compared.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "golden"
UPDATE = "JAVADEX_UPDATE_GOLDENS"


def check_golden(name: str, text: str) -> None:
    """Fail with a diff unless the golden file `name` holds exactly `text`."""
    path = GOLDEN / name
    if os.environ.get(UPDATE) == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
        return
    # Read as bytes: a universal newline would hide the carriage return that a test is about.
    golden = path.read_bytes().decode("utf-8") if path.exists() else ""
    if golden != text:
        lines = difflib.unified_diff(
            golden.splitlines(), text.splitlines(), f"golden/{name}", "now", lineterm="", n=2
        )
        shown = "\n".join(list(lines)[:200])
        raise AssertionError(f"{shown}\n(set {UPDATE}=1 to take this as the golden text)")
