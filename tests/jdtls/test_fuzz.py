"""Broken texts: the engine's fast route must give what a plain server gives on a real path.

What it cannot prove goes by the plain route; a difference here means that a proof was wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from indexer.javachars import is_valid_unit_name
from indexer.javatext import MODULE_INFO, decode
from indexer.jdtls.convert import outline_from
from indexer.jdtls.pool import PoolOptions, outlines
from indexer.jdtls.runtime import locate
from indexer.jdtls.source import Outcome, Source
from tests.jdtls.mutate import Mutant, mutants
from tests.jdtls.samples import CORPUS, SAMPLES, java_files
from tests.support.plain import PlainServer, run_plain

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(300)]

SEED = 7
COUNT = 400
LARGEST = 20_000
"""Bytes; what is larger makes the run longer and says nothing new."""

EMPTY_IS_SUSPECT = "no symbols for a text that declares some"
"""The engine's word on a text that jdt.ls has no symbols for although it seems to declare some:
the text is listed as failed, its empty outline is not believed (`indexer.javatext`)."""

COMPACT = "/** Greets. */\nvoid main() {\n}\n\nrecord Pair(int a, int b) {\n}\n\nint count;\n"

HEAD = "package p;\n\nint loose;\n\nvoid open() {\n\nclass Between {\n    int n;\n}\n\n"

SPECIAL = (
    Mutant("package-info", b"/** Notes. */\n@Deprecated\npackage extra;\n", "package-info"),
    Mutant("package-info", b"package extra;\nclass InPackageInfo {\n}\n", "package-info, a class"),
    Mutant("package-info", b"/** Only a comment. */\n", "package-info, no package"),
    Mutant("package-info", b"@Deprecated package extra", "package-info, no semicolon"),
    Mutant("Compact", COMPACT.encode(), "compact source file"),
    Mutant("Mixed", b"package extra;\n" + COMPACT.encode(), "compact, with a package"),
    Mutant("Late", b"class First {\n}\n" + COMPACT.encode(), "compact, a type first"),
    Mutant("Main", b"void main() { int i = 0; }", "compact, one line"),
    Mutant("Open", f"{HEAD}static {{\n}}".encode(), "open brace, static initialiser at the end"),
    Mutant("Open", f"{HEAD}{{\n}}\n".encode(), "open brace, initialiser at the end"),
    Mutant("Open", f"{HEAD}void last() {{\n}}\n".encode(), "open brace, method at the end"),
    Mutant("Open", f"{HEAD}class Last {{\n}}\n".encode(), "open brace, class at the end"),
    Mutant("Open", f"{HEAD};;\n".encode(), "open brace, semicolons at the end"),
)

STATIC_BLOCK_AT_END = Mutant("Open", f"{HEAD}static {{\n}}\n".encode(), "a newline after it, too")

NO_JAVA_NAMES = ("my-file", "1st", "class", "with space")


@pytest.fixture(scope="module")
def texts() -> list[Mutant]:
    originals = [
        (path, (tree / path).read_bytes())
        for tree in (SAMPLES, CORPUS)
        for path in java_files(tree)
        if is_valid_unit_name(Path(path).stem) and Path(path).stem != MODULE_INFO
    ]
    small = [(path, content) for path, content in originals if len(content) <= LARGEST]
    return [*mutants(small, COUNT, SEED), *SPECIAL, STATIC_BLOCK_AT_END]


@pytest.fixture(scope="module")
def plain(texts: list[Mutant], tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """A plain server's answers, each text on disk under its own name."""
    return ask_plain(texts, tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="module")
def engine(texts: list[Mutant]) -> list[Outcome]:
    ordinary = [(text.stem, decode(text.content)) for text in texts]
    return ask_engine([*ordinary, *((stem, COMPACT) for stem in NO_JAVA_NAMES)])


def ask_plain(texts: Sequence[Mutant], scratch: Path) -> list[Any]:
    paths = [f"src/t{number}/{text.stem}.java" for number, text in enumerate(texts)]
    for path, text in zip(paths, texts, strict=True):
        (scratch / "tree" / path).parent.mkdir(parents=True)
        (scratch / "tree" / path).write_bytes(text.content)

    async def ask(server: PlainServer) -> list[Any]:
        return list((await server.document_symbols(paths)).values())

    answers: list[Any] = run_plain(scratch / "tree", scratch, ["src"], ask)
    return answers


def ask_engine(texts: Sequence[tuple[str, str]]) -> list[Outcome]:
    sources = [Source(number, stem, text) for number, (stem, text) in enumerate(texts)]

    async def ask() -> dict[Any, Outcome]:
        stream = outlines(locate(), sources, PoolOptions(servers=2))
        return {o.source.key: o async for outcomes in stream for o in outcomes}

    found = asyncio.run(ask())
    return [found[number] for number in range(len(texts))]


def test_engine_equals_plain_server(
    texts: list[Mutant], plain: list[Any], engine: list[Outcome]
) -> None:
    different = [
        f"t{number} {text.stem}: {text.how}: {outcome.reason or outcome.outline} != {answer}"
        for number, (text, answer, outcome) in enumerate(zip(texts, plain, engine, strict=False))
        if not agrees(answer, outcome)
    ]
    assert different == []


def agrees(answer: Any, outcome: Outcome) -> bool:
    if isinstance(answer, Exception):  # the parser itself fails on this text
        return outcome.outline is None and outcome.reason == str(answer)
    if outcome.outline is None:
        return answer == [] and EMPTY_IS_SUSPECT in outcome.reason
    return outcome.outline == outline_from(answer)


def test_both_routes_were_taken(engine: list[Outcome]) -> None:
    """Otherwise the comparison shows less than it seems to."""
    by_plain_route = sum(outcome.by_name for outcome in engine if outcome.outline is not None)
    assert len(engine) * 0.2 < by_plain_route < len(engine) * 0.8


def test_few_broken_texts_are_refused(engine: list[Outcome]) -> None:
    assert sum(outcome.outline is None for outcome in engine) < len(engine) * 0.01


def test_implicit_class_is_named_after_a_file_with_no_java_name(engine: list[Outcome]) -> None:
    """jdt.ls answers [] for such a file; ours is as under a Java name, but for the class's name."""
    (twin,) = (o for o in engine if o.source.stem == "Compact")
    assert twin.outline
    (expected,) = twin.outline.symbols
    for outcome, stem in zip(engine[-len(NO_JAVA_NAMES) :], NO_JAVA_NAMES, strict=True):
        assert outcome.outline
        assert outcome.by_name
        (symbol,) = outcome.outline.symbols
        assert (symbol.name, symbol.kind, symbol.range) == (stem, expected.kind, expected.range)
        assert symbol.children == expected.children
