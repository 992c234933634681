"""What the real-jdtls tests share: one index of all samples, one plain server's word on them.

Both are made once in a session; a server start costs seconds.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.jdtls.cli import Cli
from tests.jdtls.samples import (
    CORPUS,
    PROJECTS,
    SAMPLES,
    SOURCE_FOLDERS,
    UNSEEN,
    java_files,
    lay_out_for_jdtls,
    path_for_jdtls,
    sample_path,
)
from tests.support.plain import PlainServer, run_plain

SYMBOL_QUERIES = ("*", "Start", "shop.orders", "HTTPS", "app.util.List", "O*S*", "Entry", "a*")


@dataclass(frozen=True)
class Indexed:
    """Copies of the samples and of the matching corpus, and an index of them."""

    samples: Path
    corpus: Path
    db: Path
    cli: Cli

    @property
    def sample_roots(self) -> list[str]:
        """Options that select the five sample projects."""
        return [part for name in PROJECTS for part in ("--root", str(self.samples / name))]


@dataclass(frozen=True)
class Live:
    """What a plain jdt.ls says about the samples."""

    outlines: dict[str, Any]
    """documentSymbol answers by sample path."""
    twins: dict[str, Any]
    """Answers for the bytes of the files in `UNSEEN` under Java names, by their sample path."""
    symbols: dict[str, list[dict[str, Any]]]
    """workspace/symbol answers by query, with `path` in place of the URI, without the twins."""


@pytest.fixture(scope="session")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    """Everything indexed: first as one folder, so that one pool of servers outlines all of it."""
    home = tmp_path_factory.mktemp("indexed")
    tree = home / "tree"
    shutil.copytree(SAMPLES, tree / "samples")
    shutil.copytree(CORPUS, tree / "corpus")
    index = Indexed(tree / "samples", tree / "corpus", home / "index.db", Cli(home))
    whole = index.cli.json("index", tree, "--db", index.db, "--no-git")
    assert whole["workspaces"][0]["failed"] == whole["workspaces"][0]["skipped"] == 0
    folders = [index.corpus, *(index.samples / name for name in PROJECTS)]
    parts = index.cli.json("index", *folders, "--db", index.db, "--no-git")
    assert [part["outlined"] for part in parts["workspaces"]] == [0] * len(folders)
    return index


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Live:
    """The plain server's word on the samples, asked in one go."""
    scratch = tmp_path_factory.mktemp("live")
    tree = scratch / "tree"
    lay_out_for_jdtls(SAMPLES, tree)
    twins = {path: f"twins/t{number}/Twin.java" for number, path in enumerate(UNSEEN)}
    for path, twin in twins.items():
        (tree / twin).parent.mkdir(parents=True)
        shutil.copyfile(SAMPLES / path, tree / twin)
    paths = {path: path_for_jdtls(path) for path in java_files(SAMPLES)}

    async def ask(server: PlainServer) -> Live:
        answers = await server.document_symbols([*paths.values(), *twins.values()])
        return Live(
            {path: answers[there] for path, there in paths.items()},
            {path: answers[twin] for path, twin in twins.items()},
            {query: await _symbols(server, query) for query in SYMBOL_QUERIES},
        )

    answer: Live = run_plain(tree, scratch, [*SOURCE_FOLDERS, "twins"], ask)
    return answer


async def _symbols(server: PlainServer, query: str) -> list[dict[str, Any]]:
    found = []
    for symbol in await server.workspace_symbols(query):
        path = sample_path(server.path_of(symbol["location"]["uri"]))
        if not path.startswith("twins/"):
            found.append({**symbol, "path": path})
    return found
