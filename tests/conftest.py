"""Fixtures for all tests: worlds of their own, so that nothing reaches the user's cache folder."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.fakes.runtime import fake_runtime
from tests.support.cli import Console, Javadex
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree
from tests.support.warm import WarmPlace

# In the background of a shell Ctrl-C is ignored, also by all that is started from here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A machine that others use, too, makes a deadline per example a matter of luck.
settings.register_profile("javadex", deadline=None)
settings.load_profile("javadex")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the user's indexes, and settings of the user's shell, out of all tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        ours = ("JAVADEX_ROOT", "JAVADEX_DB", "JAVADEX_SOURCE_METHODS")
        for name in (*ours, "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", *_GIT_VARIABLES):
            patch.delenv(name, raising=False)
        patch.setenv("JAVADEX_SERVER_IDLE", "0")  # no warm server outlives a test
        yield


# Set while git runs a hook: the tests' own repositories must not be taken for that one.
_GIT_VARIABLES = [name for name in os.environ if name.startswith("GIT_")]


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """An empty folder to put files into."""
    return Tree(tmp_path / "tree")


@pytest.fixture
def javadex(tmp_path: Path) -> Javadex:
    """The installed command with a fake runtime."""
    return Javadex(tmp_path / "world")


@pytest.fixture
def console(monkeypatch: pytest.MonkeyPatch) -> Console:
    """The command, called in the test's process."""
    return Console(monkeypatch)


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """An index that is not there yet."""
    return Index(tmp_path / "index.db")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> InstantServer:
    """An instant server in place of the pool, and a runtime that need not run."""
    instant = InstantServer()
    for name, value in fake_runtime(tmp_path / "runtime").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("indexer.jdtls.pool.outlines", instant.outlines)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return instant


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[WarmPlace]:
    """A place for a warm server, with a fake runtime; `env` is set in this process, too."""
    here = WarmPlace()
    for name, value in (here.env | fake_runtime(tmp_path / "runtime")).items():
        monkeypatch.setenv(name, value)
    try:
        yield here
    finally:
        here.close()
