"""Files of a project: looked at without trusting links, and replaced in one step."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from dataclasses import dataclass

from indexer.errors import JavadexError, UsageError


@dataclass(frozen=True, slots=True)
class Found:
    """A file of the project, or the place of one that is not there."""

    path: str
    """Below the project, links followed, with slashes."""
    full: str
    data: bytes | None
    """None: there is no file."""
    missing: tuple[str, ...]
    """Folders that would have to be made, below the project, the outermost first."""


def look(root: str, path: str) -> Found:
    """Return the file at `path` below `root`, a canonical path; links inside it are followed.

    Raises `UsageError` for a link that leads out of the project, and for what is no readable file.
    """
    full = leads_to(root, path)
    if os.path.commonpath([root, full]) != root:
        raise UsageError(
            f"{path} leads out of the project by a link, to {full}; replace the link with a file"
        )
    below = os.path.relpath(full, root).replace(os.sep, "/")
    try:
        found = os.stat(full)
    except FileNotFoundError:
        return Found(below, full, None, _missing(root, below))
    except OSError as exc:
        raise _unreadable(path, exc) from exc
    if not stat.S_ISREG(found.st_mode):
        raise UsageError(f"{path} is no regular file; move it away")
    try:
        with open(full, "rb") as file:
            return Found(below, full, file.read(), ())
    except OSError as exc:
        raise _unreadable(path, exc) from exc


def leads_to(root: str, path: str) -> str:
    """Return the canonical path of the file at `path` below `root`, be it there or not."""
    return os.path.realpath(os.path.join(root, path))


def _unreadable(path: str, error: OSError) -> UsageError:
    return UsageError(f"{path} cannot be read: {error.strerror}; mend that, then call again")


def _missing(root: str, below: str) -> tuple[str, ...]:
    parts = below.split("/")[:-1]
    folders = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return tuple(folder for folder in folders if not os.path.lexists(os.path.join(root, folder)))


def check_writable(root: str, found: Found) -> None:
    """Raise `UsageError` when the file, or the folder that would get it, may not be written.

    A file without any write permission counts as protected for root, too.
    """
    if found.data is not None:
        mode = os.stat(found.full).st_mode
        if not mode & 0o222 or not os.access(found.full, os.W_OK):
            raise UsageError(f"{found.path} is read-only; make it writable, then call again")
    folder = os.path.dirname(os.path.join(root, (*found.missing, found.path)[0]))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"the folder {folder} may not be written; change its permissions")


def replace(full: str, data: bytes, former: bytes | None = None) -> None:
    """Put `data` at the path `full` in one step, with the mode and owner of what was there.

    `former` is what must still be there. Raises `JavadexError`.
    """
    try:
        os.makedirs(os.path.dirname(full), exist_ok=True)
        _replace(full, data, former)
    except OSError as exc:
        cause = f"{full} was not written: {exc.strerror}"
        raise JavadexError(f"{cause}; mend that, then call again: nothing was lost") from exc


def _replace(full: str, data: bytes, former: bytes | None) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=".javadex-", dir=os.path.dirname(full))
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            _like(file.fileno(), full)
            os.fsync(file.fileno())
        if former != _content(full):
            raise JavadexError(f"{full} was changed by somebody else meanwhile; call again")
        os.replace(temporary, full)
    except BaseException:
        os.unlink(temporary)
        raise


def _content(full: str) -> bytes | None:
    try:
        with open(full, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _like(descriptor: int, full: str) -> None:
    """Give a file the mode and owner of the one at `full`; of a new file where there is none."""
    try:
        former = os.stat(full)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        os.fchmod(descriptor, 0o666 & ~mask)
        return
    os.fchmod(descriptor, stat.S_IMODE(former.st_mode))
    made = os.fstat(descriptor)
    if (made.st_uid, made.st_gid) != (former.st_uid, former.st_gid):
        with contextlib.suppress(OSError):  # others than root may not; the mode is what counts
            os.fchown(descriptor, former.st_uid, former.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(former.st_mode))


def remove(root: str, found: Found, folders: tuple[str, ...]) -> None:
    """Delete a file, if there is one, then those of `folders` that are empty.

    Raises `JavadexError`.
    """
    try:
        if found.data is not None:
            os.unlink(found.full)
    except OSError as exc:
        cause = f"{found.path} was not deleted: {exc.strerror}"
        raise JavadexError(f"{cause}; delete it by hand") from exc
    for folder in reversed(folders):
        with contextlib.suppress(OSError):  # not empty: somebody uses it
            os.rmdir(os.path.join(root, folder))
