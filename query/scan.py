"""Whether a workspace folder still is as the index says, found without reading unchanged files.

Files that came or went show in the time of their folder, changed ones in their own time or size.
What looks changed is read and hashed, folders are listed, before the index counts as outdated: a
file that was touched, or was too young to be trusted at the last run, costs no server.

What a file system's clock cannot tell (a change within the same tick, a time that was set back) is
left to the look at the hits themselves and to the hash that `outline` takes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from indexer.files import SUFFIX, Root, Unsteady, read
from indexer.folders import folder_time, is_rules
from indexer.recipe import content_key
from indexer.store.reader import Reader, Workspace

_LOOKS = 256
"""Files that are looked at between two looks at the clock."""

_MOST_READ = 100
"""Files that look changed and are read to be sure; more of them are a branch switch."""


FileTuple = tuple[str, int, int, int, int]
"""Path, size, mtime, ctime, inode, as `Reader.stats` gives them."""


class Scan(NamedTuple):
    """What a look at a workspace folder found."""

    changed: bool
    """True when the index is outdated."""
    complete: bool = True
    """False when time was up before all was looked at."""


def scan(reader: Reader, folder: Workspace, budget: float) -> Scan:
    """Look at all that the index knows below `folder`, for `budget` seconds.

    A run that was cut off at its very end may have stored all files but not how jdt.ls sees them.
    """
    if not folder.is_placed:
        return Scan(changed=True)
    deadline = time.monotonic() + budget
    stats = reader.stats(folder.id)
    unknown = _unknown(reader, folder, stats, deadline)
    try:
        if unknown.rules or (
            unknown.files and _has_files(reader, folder, stats, unknown, deadline)
        ):
            return Scan(changed=True)
    except _TimeIsUp:
        return Scan(changed=False, complete=False)
    suspects, complete = _suspects(folder.root, stats, deadline)
    if len(suspects) > _MOST_READ or _fit_now(reader, folder):
        return Scan(changed=True)
    for path in suspects:
        if time.monotonic() > deadline:
            return Scan(changed=False, complete=False)
        if _is_changed(reader, folder, path):
            return Scan(changed=True)
    return Scan(changed=False, complete=complete and unknown.complete)


def _suspects(root: str, stats: Sequence[FileTuple], deadline: float) -> tuple[list[str], bool]:
    """Files with another size or time, or gone; and whether all were looked at.

    Files that the last run did not even open have no stat and are left to `_fit_now`.
    """
    prefix, suspects, look = root.rstrip("/") + "/", list[str](), os.stat
    for start in range(0, len(stats), _LOOKS):
        if time.monotonic() > deadline:
            return suspects, False
        for path, size, mtime, ctime, inode in stats[start : start + _LOOKS]:
            try:
                now = look(prefix + path)
            except OSError:
                if inode:
                    suspects.append(path)
                continue
            changed = (
                now.st_mtime_ns != mtime
                or now.st_size != size
                or now.st_ctime_ns != ctime
                or now.st_ino != inode
            )
            if changed and inode:
                suspects.append(path)
    return suspects, True


def _fit_now(reader: Reader, folder: Workspace) -> bool:
    """True when a file that the last run did not open may be opened now, is gone, or the like."""
    unopened = reader.unopened(folder.id)
    if not unopened:
        return False
    from indexer.discovery import NO_NAME, examine

    most = reader.lookout(folder.id).max_file_size
    return any(
        # What has no name here cannot be examined by it; but another file may have come by it.
        os.path.lexists(os.path.join(folder.root, path))
        if reason == NO_NAME
        else [problem.reason for problem in examine(folder.root, path, most).skipped] != [reason]
        for path, reason in unopened
    )


def _is_changed(reader: Reader, folder: Workspace, path: str) -> bool:
    stored = reader.digest(folder.id, path)
    try:
        return (
            content_key(read(os.path.join(folder.root, path), root=folder.root).data).digest
            != stored
        )
    except (OSError, Unsteady):
        return stored is not None


class _Unknown(NamedTuple):
    """What lies in folders that changed, and is not in the index."""

    files: list[str]
    """Java files, and folders with a slash at the end."""
    complete: bool
    rules: bool = False
    """True when what git ignores may be something else now: any file may have come or gone."""


def _unknown(
    reader: Reader, folder: Workspace, stats: Sequence[FileTuple], deadline: float
) -> _Unknown:
    known = reader.folders(folder.id)
    prefix, found = folder.root.rstrip("/") + "/", list[str]()
    changed = [path for path, mtime in known if _time(prefix + path) != mtime]
    if not changed:
        return _Unknown(found, complete=True)
    folders = {path for path, _ in known}
    entries = folders | {row[0] for row in stats}
    for path in changed:
        if time.monotonic() > deadline:
            return _Unknown(found, complete=False)
        if not is_rules(path):
            found += _unknown_entries(prefix, path, entries, folders)
    rules = any(map(is_rules, chain(changed, found))) and reader.lookout(folder.id).use_git
    return _Unknown([path for path in found if not is_rules(path)], complete=True, rules=rules)


def _time(path: str) -> int:
    try:
        return folder_time(path)
    except OSError:  # gone, and so are its files
        return -2


def _unknown_entries(prefix: str, path: str, known: set[str], folders: set[str]) -> list[str]:
    found = []
    try:
        with os.scandir(prefix + path) as entries:
            for entry in entries:
                below = f"{path}/{entry.name}" if path else entry.name
                if (is_rules(below) or below.endswith(SUFFIX)) and below not in known:
                    found.append(below)
                elif entry.is_dir(follow_symlinks=False) and below not in folders:
                    found.append(f"{below}/")
    except OSError:
        return []
    return found


def _has_files(
    reader: Reader,
    folder: Workspace,
    stats: Sequence[FileTuple],
    unknown: _Unknown,
    deadline: float,
) -> bool:
    """True when a run would find Java files in what is unknown: it may be ignored, or left out.

    Raises `_TimeIsUp`.
    """
    from indexer.discovery import discover, not_left_out
    from indexer.git import Git, GitTooSlow

    lookout, git = reader.lookout(folder.id), Git(deadline)
    root, use_git = Root(folder.root, folder.name), lookout.use_git
    try:
        if not not_left_out(folder.root, unknown.files, use_git=use_git, git=git):
            return False
        found = discover(root, use_git=use_git, max_bytes=lookout.max_file_size, git=git)
    except GitTooSlow as exc:
        raise _TimeIsUp from exc
    paths = {file.path for file in found.files} | {problem.path for problem in found.skipped}
    return not paths <= {row[0] for row in stats}


class _TimeIsUp(Exception):
    """The look took longer than it may."""
