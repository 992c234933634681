"""The fixture `world`; a test module that starts fake servers says `world = worlds.world`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.world import World


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world of its own; what is left of it at the end fails the test."""
    made = World(tmp_path, monkeypatch)
    yield made
    made.settle()
