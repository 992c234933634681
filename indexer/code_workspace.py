"""The folders of a VS Code `.code-workspace` file (JSON with comments and trailing commas)."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from indexer.errors import UsageError

_TOKEN = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)


def folders(file: str) -> list[tuple[str, str | None]]:
    """Return (path, display name) of each folder; paths are taken from the file's own folder.

    Raises `UsageError` when the file cannot be read or names no folders.
    """
    try:
        with open(file, encoding="utf-8-sig") as stream:
            document = json.loads(_without_comments(stream.read()))
        entries = [_folder(entry) for entry in document["folders"]]
        if not entries:
            raise ValueError("folders is empty")
    except OSError as exc:
        raise UsageError(f"{file} cannot be read: {exc.strerror}") from exc
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as exc:
        raise UsageError(f"{file} is no .code-workspace file with folders: {exc!r}") from exc
    base = os.path.dirname(os.path.abspath(file))
    return [(os.path.join(base, path), name) for path, name in entries]


def _folder(entry: dict[str, Any]) -> tuple[str, str | None]:
    path, name = entry["path"], entry.get("name")
    if not isinstance(path, str) or not isinstance(name, str | None):
        raise TypeError(f"{entry} has a path or name that is no text")
    return path, name


def _without_comments(text: str) -> str:
    once = _TOKEN.sub(lambda match: match[1] or " ", text)
    return _TOKEN.sub(lambda match: match[1] or " ", once)  # commas that stood before a comment
