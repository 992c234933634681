"""Holding the place: the lock that makes a server the only one, and the socket that it opens then.

Light, so that clients can knock while the rest is still being loaded.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterator

from filelock import FileLock, Timeout

from indexer.warm.place import Place

_TAKE_OVER = 10.0
"""Seconds to wait for a server that is just ending."""

_STEP = 0.02
"""Seconds between two tries."""


@contextlib.contextmanager
def opened(place: Place) -> Iterator[socket.socket | None]:
    """Yield the listening socket of this user's only server; None when there is one already."""
    lock = FileLock(place.lock, mode=0o600)
    if not _acquired(lock, place):
        yield None
        return
    try:
        with _listening(place) as listening:
            yield listening
    finally:
        lock.release()


def _acquired(lock: FileLock, place: Place) -> bool:
    """Hold the lock; False when another server has it, and can be reached or will soon be."""
    deadline = time.monotonic() + _TAKE_OVER
    while time.monotonic() < deadline:
        with contextlib.suppress(Timeout):
            lock.acquire(timeout=0)
            return True
        if _is_reachable(place):
            return False
        time.sleep(_STEP)
    return False


def _listening(place: Place) -> socket.socket:
    """Bind the socket, in the place of one that a killed server left: the lock says it is dead."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place.socket)
        listening.bind(place.socket)
        listening.listen(128)
    except BaseException:
        listening.close()
        raise
    finally:
        os.umask(before)
    listening.setblocking(False)
    return listening


def _is_reachable(place: Place) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(1.0)
        try:
            connection.connect(place.socket)
        except (BlockingIOError, TimeoutError):
            return True  # somebody listens, and is busy
        except OSError:
            return False
        return True


def is_held(place: Place) -> bool:
    """True while a server lives."""
    lock = FileLock(place.lock, mode=0o600)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False
