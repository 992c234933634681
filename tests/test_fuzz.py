"""A short run of every fuzzer: `make fuzz` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.run import fuzz
from tests.support.indexing import InstantServer


@pytest.mark.parametrize("seed", [1, 2])
def test_all_fuzzers_for_a_moment(tmp_path: Path, server: InstantServer, seed: int) -> None:
    found = dict(fuzz(tmp_path, seed, 0.7))
    assert set(found) == {
        *("JSON-RPC streams", "JSON-RPC waiters", "outlines in answers"),
        *("findSymbol", "getFileStructure"),
    }
    for name, counts in found.items():
        assert sum(counts.values()) > 20, name
        assert len(counts) > 1, (name, counts)
