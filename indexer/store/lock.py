"""One writer at a time: an operating system's lock beside the index, released by any death."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from indexer.errors import IndexBusy, IndexNotWritable


@contextmanager
def writer_lock(path: str, timeout: float, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock of the index at `path`; wait up to `timeout` seconds for another holder.

    Makes the index' folder where there is none, private to the user. `on_wait` is called once when
    there is another holder. Raises `IndexBusy` when the wait was too short, `IndexNotWritable` when
    the folder cannot be made or written.
    """
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    except OSError as exc:
        raise IndexNotWritable(
            f"the folder of the index {path} cannot be made: {exc.strerror}; "
            "name another place with --db"
        ) from exc
    try:
        lock = FileLock(f"{path}.lock", mode=0o600)
        _acquire(lock, timeout, on_wait)
    except Timeout:
        raise IndexBusy(
            f"another javadex has been indexing into {path} for more than {timeout:g} s; "
            "wait for it, raise --lock-timeout, or name another index with --db"
        ) from None
    except OSError as exc:
        raise IndexNotWritable(
            f"the index {path} cannot be locked: {exc.strerror}; name another place with --db"
        ) from exc
    try:
        yield
    finally:
        lock.release()


def _acquire(lock: FileLock, timeout: float, on_wait: Callable[[], None]) -> None:
    try:
        lock.acquire(timeout=0)
    except Timeout:
        # It takes a folder in which no file can be made for a lock that somebody holds.
        os.close(os.open(lock.lock_file, os.O_RDWR | os.O_CREAT, 0o600))
        on_wait()
        lock.acquire(timeout=timeout)
