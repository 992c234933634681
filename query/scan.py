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
from typing import NamedTuple

from indexer.files import SUFFIX, Root, Unsteady, read
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
    """Look at all that the index knows below `folder`, for `budget` seconds."""
    deadline = time.monotonic() + budget
    stats = reader.stats(folder.id)
    if _has_other_files(reader, folder, stats):
        return Scan(changed=True)
    suspects, complete = _suspects(folder.root, stats, deadline)
    if len(suspects) > _MOST_READ:
        return Scan(changed=True)
    changed = any(_is_changed(reader, folder, path) for path in suspects)
    return Scan(changed, complete)


def _suspects(root: str, stats: Sequence[FileTuple], deadline: float) -> tuple[list[str], bool]:
    """Files with another size or time, or gone; and whether all were looked at.

    Files that the last run did not even open (too large, links that lead outside) have no stat and
    are left to the next run.
    """
    prefix, suspects, look = root.rstrip("/") + "/", list[str](), os.stat
    for start in range(0, len(stats), _LOOKS):
        if time.monotonic() > deadline:
            return suspects, False
        for path, size, mtime, ctime, inode in stats[start : start + _LOOKS]:
            try:
                now = look(prefix + path)
            except OSError:
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


def _is_changed(reader: Reader, folder: Workspace, path: str) -> bool:
    stored = reader.digest(folder.id, path)
    try:
        return content_key(read(os.path.join(folder.root, path)).data).digest != stored
    except (OSError, Unsteady):
        return stored is not None


def _has_other_files(reader: Reader, folder: Workspace, stats: Sequence[FileTuple]) -> bool:
    """True when a Java file came that the index does not know; those that went are suspects."""
    known = reader.folders(folder.id)
    prefix = folder.root.rstrip("/") + "/"
    for path, mtime in known:
        try:
            if os.stat(prefix + path).st_mtime_ns == mtime:
                continue
            files, folders = {row[0] for row in stats}, {other for other, _ in known}
            unknown = _has_unknown_entries(prefix, path, files, folders)
        except OSError:
            continue
        if unknown:
            return _lists_others(reader, folder, files)
    return False


def _has_unknown_entries(prefix: str, path: str, files: set[str], folders: set[str]) -> bool:
    with os.scandir(prefix + path) as scan:
        for entry in scan:
            below = f"{path}/{entry.name}" if path else entry.name
            if entry.name.endswith(SUFFIX) and below not in files:
                return True
            if entry.is_dir(follow_symlinks=False) and below not in folders:
                return True
    return False


def _lists_others(reader: Reader, folder: Workspace, files: set[str]) -> bool:
    """Ask as a run would: what is new may be ignored, or lie where nobody looks."""
    from indexer.discovery import discover

    lookout = reader.lookout(folder.id)
    found = discover(
        Root(folder.root, folder.name), use_git=lookout.use_git, max_bytes=lookout.max_file_size
    )
    paths = {file.path for file in found.files} | {problem.path for problem in found.skipped}
    return not paths <= files
