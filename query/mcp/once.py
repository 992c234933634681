"""Telling nothing twice: a server is asked the same a thousand times. No SDK."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

MOST_REMEMBERED = 100
"""Texts; what was told before the last so many may be told again."""


class Once:
    """Passes on each text once; from any thread."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._told: deque[str] = deque(maxlen=MOST_REMEMBERED)
        self._lock = threading.Lock()

    def tell(self, text: str) -> None:
        """Tell it, unless it was told."""
        if self.is_new(text):
            self._tell(text)

    def is_new(self, text: str) -> bool:
        """True the first time; then it counts as told."""
        with self._lock:
            if text in self._told:
                return False
            self._told.append(text)
            return True
