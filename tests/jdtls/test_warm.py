"""The warm server with the real jdt.ls: the same outlines, and no process left."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from indexer.javatext import decode
from indexer.jdtls.pool import PoolOptions, stream
from indexer.jdtls.runtime import locate
from indexer.jdtls.server import ServerOptions
from indexer.jdtls.session import open_session
from indexer.jdtls.source import BATCH, Outcome, Source
from indexer.model import Outline
from query.live import ask, live_outline
from tests.jdtls.samples import CORPUS, SAMPLES
from tests.support.warm import WarmPlace, until

pytestmark = [pytest.mark.jdtls, pytest.mark.slow]

LIMIT = 60.0


@pytest.fixture
def real_warm(monkeypatch: pytest.MonkeyPatch) -> Iterator[WarmPlace]:
    here = WarmPlace()
    for name, value in here.env.items():
        monkeypatch.setenv(name, value)
    try:
        yield here
    finally:
        here.close()


def sources(folder: Path = SAMPLES) -> list[Source]:
    files = sorted(folder.rglob("*.java"))
    assert len(files) > 20
    return [Source(str(path), path.stem, decode(path.read_bytes())) for path in files]


def by_key(found: list[list[Outcome]]) -> dict[object, Outline | None]:
    return {outcome.source.key: outcome.outline for batch in found for outcome in batch}


def test_the_outlines_are_those_of_a_server_for_the_call(real_warm: WarmPlace) -> None:
    every = sources()
    with closing(ask(locate(), every, LIMIT)) as shared:
        through = by_key(list(shared))
    assert real_warm.status()
    with closing(stream(locate(), every, PoolOptions(servers=1), LIMIT)) as own:
        assert through == by_key(list(own))


def test_a_text_asked_alone_is_outlined_as_among_others() -> None:
    """The closed route: of a file that is written and never opened."""
    every = [*sources(), *sources(CORPUS)]

    async def both() -> tuple[list[Outcome], list[Outcome | None]]:
        session = await open_session(locate(), ServerOptions(), LIMIT)
        try:
            together: list[Outcome] = []
            for first in range(0, len(every), BATCH):
                await session.outlines(every[first : first + BATCH], together)
            return together, [await session._closed(source) for source in every]
        finally:
            await session.close()

    together, alone = asyncio.run(both())
    expected = {outcome.source.key: outcome.outline for outcome in together}
    taken = [outcome for outcome in alone if outcome]
    assert [each.source.key for each in taken if each.outline != expected[each.source.key]] == []
    assert len(taken) > len(every) / 2


def test_edits_one_after_the_other_are_outlined_as_they_are(real_warm: WarmPlace) -> None:
    seconds = []
    for number in range(12):
        content = "\n" * number + f"class Edit{number} {{\n  int a{number};\n}}\n"
        started = time.monotonic()
        found = live_outline(locate(), content.encode(), "Edit", LIMIT)
        seconds.append(time.monotonic() - started)
        assert found.outline
        (edit,) = found.outline.symbols
        assert (edit.name, edit.range.lines) == (f"Edit{number}", (number + 1, number + 3))
    state = real_warm.status()
    assert state
    assert (state["outlines"], len(state["servers"])) == (12, 1)
    # Not a benchmark: the second answer must not have started anything.
    assert sorted(seconds)[len(seconds) // 2] < seconds[0] / 2


def test_its_jvm_dies_with_it_whatever_happens(real_warm: WarmPlace) -> None:
    live_outline(locate(), b"class A { }", "A", LIMIT)
    state = real_warm.status()
    assert state
    server, *others = real_warm.processes()
    assert others, "the JVM is a child of the warm server"
    server.kill()
    until(lambda: not real_warm.processes(), "the JVM is killed with its owner")
