"""The loop around the fuzzers."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.fuzz import rpc
from tests.fuzz.contract import Tools

Fuzzer = Callable[[random.Random, Counter[str]], None]


def fuzz(folder: Path, seed: int, seconds: float) -> Iterator[tuple[str, Counter[str]]]:
    """Run each fuzzer for `seconds`; yields its name and what came of its inputs."""
    tools = Tools(folder)
    fuzzers: dict[str, Fuzzer] = {
        "JSON-RPC streams": rpc.one_stream,
        "JSON-RPC waiters": rpc.one_connection,
        "outlines in answers": rpc.one_answer,
        "findSymbol": tools.one_find,
        "getFileStructure": tools.one_outline,
    }
    try:
        for name, fuzzer in fuzzers.items():
            yield name, _run(name, fuzzer, seed, seconds)
    finally:
        tools.service.close()


def _run(name: str, fuzzer: Fuzzer, seed: int, seconds: float) -> Counter[str]:
    counts: Counter[str] = Counter()
    deadline = time.monotonic() + seconds
    number = 0
    while time.monotonic() < deadline:
        try:
            fuzzer(random.Random(f"{seed} {number}"), counts)
        except Exception as exc:
            raise AssertionError(f"{name}: seed {seed}, input {number}: {exc!r}") from exc
        number += 1
    return counts
