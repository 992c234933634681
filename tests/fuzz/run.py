"""The loop around the fuzzers."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.fuzz import answers, rpc
from tests.fuzz.contract import Tools

Fuzzer = Callable[[random.Random, Counter[str]], None]


NAMES = ("streams", "waiters", "answers", "find", "outline")
"""The fuzzers: JSON-RPC as it is read, those who wait for it, outlines in it, and the two tools."""


def fuzz(
    folder: Path, seed: int, seconds: float, names: Sequence[str] = NAMES
) -> Iterator[tuple[str, int, Counter[str]]]:
    """Run fuzzers for `seconds` each; yields name, number of inputs, and what came of them."""
    tools = Tools(folder)
    fuzzers: dict[str, Fuzzer] = {
        "streams": rpc.one_stream,
        "waiters": rpc.one_connection,
        "answers": answers.one_answer,
        "find": tools.one_find,
        "outline": tools.one_outline,
    }
    try:
        for name in names:
            yield name, *_run(name, fuzzers[name], seed, seconds)
    finally:
        tools.service.close()


def _run(name: str, fuzzer: Fuzzer, seed: int, seconds: float) -> tuple[int, Counter[str]]:
    counts: Counter[str] = Counter()
    deadline = time.monotonic() + seconds
    number = 0
    while time.monotonic() < deadline:
        try:
            fuzzer(random.Random(f"{seed} {number}"), counts)
        except Exception as exc:
            raise AssertionError(f"{name}: seed {seed}, input {number}: {exc!r}") from exc
        number += 1
    return number, counts
