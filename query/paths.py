"""From what a caller names to a file in a workspace folder, or to the error that says why not.

Nothing outside the workspace folders is ever opened: not by `..`, not by a link, not by a URI.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from indexer.files import Root
from indexer.uris import path_of
from query.contract import ErrorCode, ToolError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")  # two letters at least: `C:` is a drive


class WorkspaceFile(NamedTuple):
    """A path inside a workspace folder; whether a file is there shows when it is read."""

    root: Root
    path: str
    """Below the root, with `/`."""

    @property
    def full(self) -> str:
        """Absolute path."""
        return os.path.join(self.root.path, self.path)


def shown(text: str) -> str:
    """Return `text` as a message shows what a caller passed: both ends, when it is long."""
    if len(text) <= _MOST_SHOWN:
        return text
    half = _MOST_SHOWN // 2
    return f"{text[:half]}…{text[-half:]}"


_MOST_SHOWN = 400


def resolve(text: str, roots: Sequence[Root]) -> WorkspaceFile | ToolError:
    """Return the file that `text` names: a URI, an absolute path, or one below a workspace folder.

    A relative path may start with the display name of a folder; else it is below the first one.
    """
    text = text.strip()
    if not roots:
        return ToolError(
            ErrorCode.NO_WORKSPACE_FOLDER,
            "there is no workspace folder",
            "name one with --root or JAVADEX_ROOT",
        )
    if not text or not _could_be_a_path(text):
        return ToolError(
            ErrorCode.FILE_NOT_FOUND,
            f"{shown(text)!r} names no file",
            "pass the documentUri of a result of findSymbol, or a path",
        )
    scheme = _SCHEME.match(text)
    if scheme:
        return _by_uri(text, scheme[1].lower(), roots)
    return _absolute(text, roots) if os.path.isabs(text) else _relative(text, roots)


def _by_uri(text: str, scheme: str, roots: Sequence[Root]) -> WorkspaceFile | ToolError:
    path = path_of(text) if scheme == "file" else None
    if not path or not _could_be_a_path(path):
        return ToolError(
            ErrorCode.UNSUPPORTED_URI_SCHEME,
            f"{text[:200]!r} is no document on this machine's disk",
            "only file: documents of the workspace have an outline here; read others with a tool "
            "that supports their scheme",
        )
    return _absolute(path, roots)


def _could_be_a_path(text: str) -> bool:
    """False for what the operating system cannot even be asked about."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _relative(text: str, roots: Sequence[Root]) -> WorkspaceFile | ToolError:
    name, _, rest = text.replace("\\", "/").partition("/")
    named = [root for root in roots if root.name == name] if rest else []
    if len(named) > 1:
        folders = ", ".join(root.path for root in named)
        return ToolError(
            ErrorCode.AMBIGUOUS_WORKSPACE_PATH,
            f"{len(named)} workspace folders are called {name!r}: {folders}",
            "pass an absolute path or a documentUri",
        )
    first = _inside(roots[0], os.path.join(roots[0].path, text))
    if not named:
        return first
    chosen = _inside(named[0], os.path.join(named[0].path, rest))
    # A folder may hold a folder of its own name; the one that has the file is meant.
    if isinstance(first, WorkspaceFile) and os.path.exists(first.full):
        exists = isinstance(chosen, WorkspaceFile) and os.path.exists(chosen.full)
        return chosen if exists else first
    return chosen


def _absolute(path: str, roots: Sequence[Root]) -> WorkspaceFile | ToolError:
    answers = [_inside(root, path) for root in roots]
    inside = [answer for answer in answers if isinstance(answer, WorkspaceFile)]
    # Of nested workspace folders the nearest one is meant.
    return max(inside, key=lambda file: len(file.root.path)) if inside else answers[0]


def _inside(root: Root, path: str) -> WorkspaceFile | ToolError:
    """`path` below `root`, both as written and with all links followed."""
    wanted = os.path.normpath(path)
    real = os.path.realpath(wanted)
    below = _below(root.path, wanted)
    if below is None:
        below = _below(root.path, _real_folder(wanted))
    if below is None or _below(root.path, real) is None:
        return ToolError(
            ErrorCode.OUTSIDE_WORKSPACE,
            f"{shown(path)} lies outside the workspace folder {root.path}"
            + (f" (it leads to {shown(real)})" if below is not None else ""),
            "only files inside the workspace folders have an outline here",
        )
    return WorkspaceFile(root, below)


def _real_folder(path: str) -> str:
    """`path` with the links in its folder followed, those of the file itself kept."""
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name)


def _below(root: str, path: str) -> str | None:
    prefix = root.rstrip("/") + "/"
    return path[len(prefix) :] if f"{path}/".startswith(prefix) else None
