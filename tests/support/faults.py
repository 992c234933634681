"""What the fault tests share: a seed, a length, and a question process that stays open."""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import subprocess
import time
from collections.abc import Iterator
from typing import Any

from tests.support.cli import Javadex

ANSWER = 60.0
"""Seconds for one answer of a process that stays open; the longest takes two."""


def number_from(variable: str, otherwise: int) -> int:
    """A whole number from the environment: how to ask for the long form of a test."""
    return int(os.environ.get(variable) or otherwise)


def luck() -> random.Random:
    """Chance with a printed seed; `JAVADEX_TEST_SEED` repeats the choices, not the timing."""
    seed = number_from("JAVADEX_TEST_SEED", random.SystemRandom().randrange(1 << 31))
    print(f"JAVADEX_TEST_SEED={seed}")
    return random.Random(seed)


class Questions:
    """A `--batch -` process: one question after the other, an answer for each."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._rest = b""

    def ask(self, text: str) -> Any:
        """The answer, or None when the process ended instead of answering."""
        assert self.process.stdin
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(f"{text}\n".encode())
            self.process.stdin.flush()
        line = self._line()
        return json.loads(line) if line else None

    def end(self) -> tuple[int, str]:
        """Close the questions; exit code and stderr."""
        _, stderr = self.process.communicate(timeout=ANSWER)
        return self.process.returncode, stderr.decode()

    def _line(self) -> bytes:
        assert self.process.stdout
        deadline = time.monotonic() + ANSWER
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.process.stdout], [], [], max(left, 0))
            assert ready, "no answer in time"
            chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            if not chunk:
                return b""
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        return line


@contextlib.contextmanager
def questions(javadex: Javadex, *command: object) -> Iterator[Questions]:
    """Start a `--batch -` process; it is gone at the end."""
    with javadex.start(*command, "--batch", "-") as process:
        yield Questions(process)
