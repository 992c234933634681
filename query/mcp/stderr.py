"""A stderr that never holds up whoever writes to it, and never fails. No SDK.

Clients may leave the stderr of a server unread, until the pipe is full, or close it.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import logging
import os
import sys
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

MOST_WAITING = 256
"""Texts that wait to be written; what comes on top of them is dropped."""

LONGEST = 1 << 16
"""Bytes of one text; the rest is dropped."""

_STDERR = 2
_FAREWELL = 0.5
"""Seconds for what waits at the end."""


class Spill(io.RawIOBase):
    """Passes on what is written to it in a thread of its own, as far as that is taken."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: SimpleQueue[bytes | threading.Event] = SimpleQueue()
        threading.Thread(target=self._pass_on, name="javadex-stderr", daemon=True).start()

    def writable(self) -> bool:
        """Whatever comes of it."""
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        """Take `data`, or drop it."""
        text = bytes(data)
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put(text[:LONGEST])
        return len(text)

    def drain(self, seconds: float = _FAREWELL) -> None:
        """Wait at most so long until all is passed on that was written by now."""
        passed = threading.Event()
        self._waiting.put(passed)
        passed.wait(seconds)

    def _pass_on(self) -> None:
        while True:
            text = self._waiting.get()
            if isinstance(text, threading.Event):
                text.set()
                continue
            with contextlib.suppress(OSError):  # closed, or full and not to be waited for
                while text:
                    text = text[os.write(self._descriptor, text) :]


def install() -> Spill:
    """Put one in the place of `sys.stderr` for good; it is drained when the process ends."""
    if sys.stderr is None:  # else the next file that is opened would be stderr
        os.open(os.devnull, os.O_WRONLY)
    spill = Spill(_STDERR)
    before = sys.stderr
    sys.stderr = io.TextIOWrapper(spill, "utf-8", "backslashreplace", write_through=True)
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler) and handler.stream is before:
            handler.setStream(sys.stderr)
    atexit.register(spill.drain)
    return spill
