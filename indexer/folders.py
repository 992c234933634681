"""Which folders must be watched so that no Java file comes or goes unseen. Knows no SQL, no server.

A file that is made, removed or renamed changes the times of its folder. So the times of all folders
that hold Java files, or may get some, tell whether the list of files still holds.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from indexer.files import RACY_NS, is_unicode

_RULES = ".gitignore"


class FolderStat(NamedTuple):
    """A folder below a workspace folder, or a file of git's rules in one, and its time."""

    path: str
    """With `/`; "" is the workspace folder itself."""
    mtime_ns: int
    """As `folder_time` has it; -1 when it is too young to tell."""


class Lookout(NamedTuple):
    """How the files of a workspace folder are looked for."""

    use_git: bool
    max_file_size: int
    """Bytes; 0 means no limit."""


def with_ancestors(folders: Iterable[str]) -> set[str]:
    """Return `folders` and all folders around them, up to the workspace folder itself."""
    every = {""}
    for folder in folders:
        while folder not in every:
            every.add(folder)
            folder = folder.rpartition("/")[0]
    return every


def folder_stats(root: str, folders: Iterable[str], since_ns: int) -> list[FolderStat]:
    """Return the times of `folders` below `root`, by path; those that are gone are left out.

    So are those whose names are not UTF-8: no file below has a place in the index.

    `since_ns` is a time before the files were listed. A folder that changed at about that time or
    later may hold files that the list lacks, so its time is not trusted.
    """
    return _stats(root, filter(is_unicode, folders), since_ns - RACY_NS)


def is_rules(path: str) -> bool:
    """True for a file that says what git ignores in its folder and below."""
    return path == _RULES or path.endswith(f"/{_RULES}")


def rule_stats(root: str, folders: Iterable[str], since_ns: int) -> list[FolderStat]:
    """Return the times of the files in `folders` that say what git ignores, by path.

    The time of one that changed after `since_ns`, when the files were about to be listed, is not
    trusted. The list of files may be another one as soon as any of them changes.
    """
    paths = (f"{folder}/{_RULES}" if folder else _RULES for folder in filter(is_unicode, folders))
    return _stats(root, paths, since_ns)


def _stats(root: str, paths: Iterable[str], trusted_ns: int) -> list[FolderStat]:
    stats = []
    for path in sorted(paths):
        try:
            changed = folder_time(os.path.join(root, path))
        except OSError:
            continue
        stats.append(FolderStat(path, changed if changed < trusted_ns else -1))
    return stats


def folder_time(path: str) -> int:
    """When it last changed, in nanoseconds: of two times, since one of them can be set back.

    Raises `OSError` when it is gone.
    """
    status = os.stat(path)
    return max(status.st_mtime_ns, status.st_ctime_ns)
