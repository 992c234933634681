"""The folders of a VS Code `.code-workspace` file (JSON with comments and trailing commas)."""

from __future__ import annotations

import json
import os
import re

from indexer.errors import UsageError

_TOKEN = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


def folders(file: str) -> list[tuple[str, str | None]]:
    """Return (path, display name) of each folder; paths are taken from the file's own folder.

    Raises `UsageError` when the file cannot be read or names no folders.
    """
    try:
        with open(file, encoding="utf-8-sig") as stream:
            document = json.loads(_without_comments(stream.read()))
        entries = [(entry["path"], entry.get("name")) for entry in document["folders"]]
    except OSError as exc:
        raise UsageError(f"{file} cannot be read: {exc.strerror}") from exc
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        raise UsageError(f"{file} is no .code-workspace file with folders: {exc!r}") from exc
    base = os.path.dirname(os.path.abspath(file))
    return [(os.path.join(base, path), name) for path, name in entries]


def _without_comments(text: str) -> str:
    once = _TOKEN.sub(lambda match: match[1] or " ", text)
    return _TOKEN.sub(lambda match: match[1] or " ", once)  # commas that stood before a comment
