"""Where the warm server of this user is met: a private folder with a socket, a lock and a log.

Unix only: elsewhere there is no warm server, and every live answer starts one for itself.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
import sys
from typing import NamedTuple

from indexer.errors import ServerStartFailed

_LONGEST = 100
"""Bytes of a socket's path that every Unix takes (`sun_path` holds 104 to 108 with the end)."""


class Place(NamedTuple):
    """Paths of the warm server's files."""

    folder: str

    @property
    def socket(self) -> str:
        """The socket that it listens on."""
        return os.path.join(self.folder, "server.sock")

    @property
    def lock(self) -> str:
        """Held by the server as long as it lives, so that there is one at most."""
        return os.path.join(self.folder, "server.lock")

    @property
    def log(self) -> str:
        """What the last server had to say."""
        return os.path.join(self.folder, "server.log")


def is_supported() -> bool:
    """True where processes of a user can meet at a socket in a folder."""
    return hasattr(socket, "AF_UNIX") and hasattr(os, "fork")


def planned_place() -> Place:
    """Return where the place of this user is or would be; nothing is made, or looked at.

    `XDG_RUNTIME_DIR` where that is the user's own, else a folder in the temporary one. Raises
    `ServerStartFailed` when there is not even that.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime) and _is_mine(runtime):
        return Place(os.path.join(runtime, "javadex"))
    return Place(_temporary())


def place() -> Place:
    """Return the place of this user, made private or found so.

    Raises `ServerStartFailed` when it is not the user's alone: somebody else could listen there.
    """
    found = planned_place()
    if len(os.fsencode(found.socket)) > _LONGEST:
        raise ServerStartFailed(
            f"the path {found.socket} is too long for a socket; "
            "set XDG_RUNTIME_DIR to a shorter folder of yours"
        )
    try:
        os.makedirs(found.folder, mode=0o700, exist_ok=True)
    except OSError as exc:
        raise ServerStartFailed(
            f"the warm server's folder {found.folder} cannot be made: {exc.strerror}"
        ) from exc
    if not _is_mine(found.folder, alone=True):
        raise ServerStartFailed(
            f"{found.folder} is not a folder of yours alone, so no warm server is used; "
            f"remove it, or make it private (chmod 700)"
        )
    return found


def _temporary() -> str:
    from indexer.temporary import temporary_folder

    try:
        return os.path.join(temporary_folder(), f"javadex-{os.getuid()}")
    except OSError as exc:
        raise ServerStartFailed(f"there is no place for a warm server: {exc.strerror}") from exc


def _is_mine(folder: str, *, alone: bool = False) -> bool:
    """True for a folder of this user, with `alone` for one that nobody else may enter."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return mine and not (alone and found.st_mode & 0o077)


class Peer(NamedTuple):
    """The process at the other end of a connection."""

    pid: int
    uid: int


def peer(connection: socket.socket) -> Peer | None:
    """Return who is at the other end (unix(7), `SO_PEERCRED`); None where nobody can tell."""
    on_linux: bool = sys.platform == "linux"
    if not on_linux:
        return None
    size = struct.calcsize("3i")
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    return Peer(*struct.unpack("3i", credentials)[:2])


def is_same_user(connection: socket.socket) -> bool:
    """True when the process at the other end is this user's, or nobody can tell.

    The folder is private, so this is the second lock on the door.
    """
    found = peer(connection)
    return found is None or found.uid == os.getuid()
