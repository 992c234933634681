"""The pool: every source gets its one outcome, whatever servers do; nothing false is taken."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator
from typing import Any, TypeVar

import pytest

from indexer.errors import ServerDied, ServerError, ServerStartFailed, ServerTimeout
from indexer.jdtls.convert import outline_from
from indexer.jdtls.pool import MAX_DEATHS, PoolOptions, default_servers, outlines
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.server import ServerOptions
from indexer.jdtls.source import BATCH, Outcome, Source
from indexer.model import Outline, Position, Range, SymbolKind
from tests.fakes.server import outline as toy_outline
from tests.fakes.world import SOON, World, until_async
from tests.support import worlds

T = TypeVar("T")


world = worlds.world


def run(test: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(test, 4 * SOON))


def options(servers: int, answer_timeout: float = SOON) -> PoolOptions:
    return PoolOptions(servers, answer_timeout, ServerOptions(start_timeout=SOON))


@contextlib.asynccontextmanager
async def stream(
    runtime: Runtime, sources: Iterable[Source], servers: int = 1, answer_timeout: float = SOON
) -> AsyncIterator[AsyncIterator[list[Outcome]]]:
    generator = outlines(runtime, sources, options(servers, answer_timeout))
    async with contextlib.aclosing(generator) as lists:
        yield lists


def outcomes(
    runtime: Runtime, sources: Iterable[Source], servers: int = 1, answer_timeout: float = SOON
) -> dict[Any, Outcome]:
    """Outcomes by key; fails when a source got two or none."""
    sources = list(sources)

    async def collect() -> list[Outcome]:
        async with stream(runtime, sources, servers, answer_timeout) as lists:
            return [outcome async for some in lists for outcome in some]

    found = run(collect())
    assert sorted(str(outcome.source.key) for outcome in found) == sorted(
        str(source.key) for source in sources
    )
    for outcome in found:
        assert (outcome.outline is None) == bool(outcome.reason)
    return {outcome.source.key: outcome for outcome in found}


def good(key: Any) -> Source:
    return Source(key, f"A{key}", f"package a;\nclass A{key} {{\n  int x;\n}}\n")


def right(outcome: Outcome) -> bool:
    """True for the outline that the text has."""
    return outcome.outline == outline_from(toy_outline(outcome.source.text))


def started(world: World) -> int:
    """How many servers were started: each outlines the probe first."""
    return (world.folder / "asked").read_text().split().count("Probe")


def logged(world: World, **faults: Any) -> Runtime:
    return world.runtime(asked=str(world.folder / "asked"), **faults)


# --- the ordinary run -----------------------------------------------------------------------------


def test_every_source_gets_one_outcome(world: World) -> None:
    found = outcomes(world.runtime(), map(good, range(5 * BATCH + 7)), servers=3)
    assert all(right(outcome) and not outcome.by_name for outcome in found.values())


def test_no_more_servers_than_work(world: World) -> None:
    outcomes(logged(world), map(good, range(BATCH)), servers=3)
    assert started(world) == 1


def test_without_sources_no_server_is_started(world: World) -> None:
    world.java.unlink()
    assert outcomes(Runtime(**_parts(world)), [], servers=3) == {}


def _parts(world: World) -> dict[str, Any]:
    world.java.write_text("")
    runtime = world.runtime()
    world.java.unlink()
    return {"java": runtime.java, "jdtls": runtime.jdtls}


def test_equal_texts_with_different_keys(world: World) -> None:
    text, unproven = good(0).text, good(0).text + "// end"
    sources = [Source(n, "A", unproven if n % 2 else text) for n in range(8)]
    assert all(map(right, outcomes(world.runtime(), sources, servers=2).values()))


def test_texts_of_all_sorts(world: World) -> None:
    texts = [
        "class A { }",
        "class A {\r\n  int x;\r}\r",
        "class A { } // no line end",
        "/* 𝐀é */ class É { int 名; }",
        "\x00class A { }\x1a",
        "class A { int x;",
        "}}} class A { }",
        "class A { } }",
        "// " + "x" * 300_000 + "\nclass A { int x; }",
        "\ufffd\ufeff class A { }",
    ]
    found = outcomes(world.runtime(), [Source(n, "A", text) for n, text in enumerate(texts)])
    assert [key for key, outcome in found.items() if not right(outcome)] == []


def test_sources_are_read_as_they_are_needed(world: World) -> None:
    """The stream has no end; a reader that dawdles holds it up."""
    runtime, servers, read = world.runtime(), 2, 0

    def endless() -> Iterator[Source]:
        nonlocal read
        for read in itertools.count(1):
            yield good(read)

    async def test() -> None:
        taken = 0
        async with stream(runtime, endless(), servers) as lists:
            for _ in range(3):
                taken += len(await anext(lists))
                await _still(lambda: read)
                assert read - taken <= 3 * BATCH * servers

    run(test())


async def _still(count: Any) -> None:
    """Return once `count()` has not changed for half a second."""
    last, since = count(), 0
    while since < 10:
        await asyncio.sleep(0.05)
        since = since + 1 if count() == last else 0
        last = count()


def test_default_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert default_servers() == 4


# --- names of files -------------------------------------------------------------------------------


def test_what_depends_on_the_name_is_marked(world: World) -> None:
    sources = [
        Source("plain", "A", "class A { }"),
        Source("package", "package-info", "/** words */ package a.b;"),
        Source("module", "module-info", "module m { }"),
        Source("compact", "Unit", "// COMPACT\nint x;"),
    ]
    found = outcomes(world.runtime(on={"COMPACT": "compact"}), sources)
    assert {key: outcome.by_name for key, outcome in found.items()} == {
        "plain": False,
        "package": True,
        "module": True,
        "compact": True,
    }
    assert right(found["plain"])
    assert right(found["package"])
    assert found["module"].outline == Outline()
    assert names(found["compact"]) == ["Unit", "x"]


def test_a_module_never_gets_a_sentinel(world: World) -> None:
    outcomes(logged(world), [Source("module", "module-info", "module m { }")])
    assert (world.folder / "asked").read_text().split()[-1] == "-"


def names(outcome: Outcome) -> list[str]:
    """Names of all symbols, in preorder."""
    assert outcome.outline, outcome.reason

    def walk(symbols: Any) -> Iterator[str]:
        for symbol in symbols:
            yield symbol.name
            yield from walk(symbol.children)

    return list(walk(outcome.outline.symbols))


@pytest.mark.parametrize(
    "stem", ["my-file", "1st", "class", "With Space", "a#b%20", "é", "x" * 240]
)
def test_files_whose_name_is_no_java_name(world: World, stem: str) -> None:
    sources = [
        Source("changed", stem, "class A { }"),
        Source("plain", stem, "class A { } // plain route"),
        Source("compact", stem, "// COMPACT\nint x;"),
    ]
    found = outcomes(world.runtime(on={"COMPACT": "compact"}), sources)
    assert right(found["changed"])
    assert right(found["plain"])
    assert names(found["compact"]) == [stem, "x"]


# --- answers that are not to be believed ----------------------------------------------------------


def test_early_empty_answers_are_never_taken(world: World) -> None:
    found = outcomes(world.runtime(early_empties=5), map(good, range(5)), servers=2)
    assert all(map(right, found.values()))


@pytest.mark.parametrize("late", [1, 2])
def test_an_empty_answer_is_asked_for_again(world: World, late: int) -> None:
    sources = [good(0), Source(1, "A", "class LATE { }"), good(2)]
    found = outcomes(world.runtime(on={"LATE": "late"}, late=late), sources)
    assert all(map(right, found.values()))


@pytest.mark.parametrize("text", ["class EMPTY { }", "package EMPTY;", "enum EMPTY { } // end"])
def test_an_empty_answer_for_a_declaration_is_a_failure(world: World, text: str) -> None:
    found = outcomes(world.runtime(on={"EMPTY": "empty"}), [Source(0, "A", text), good(1)])
    assert found[0].reason == "the language server gives no symbols for a text that declares some"
    assert right(found[1])


def test_nothing_but_the_sentinel_is_no_outline(world: World) -> None:
    found = outcomes(world.runtime(on={"ODD": "only_last"}), [Source(0, "A", "class ODD { }")])
    assert right(found[0])
    assert found[0].by_name


def test_an_empty_answer_for_nothing_is_the_outline(world: World) -> None:
    texts = ["", " \r\n", "// class A { }", "/* class A { } */", "import a.b;", ";"]
    found = outcomes(world.runtime(), [Source(n, "A", text) for n, text in enumerate(texts)])
    assert [outcome.outline for outcome in found.values()] == [Outline()] * len(texts)


def test_an_outline_of_the_older_text_is_never_taken(world: World) -> None:
    """Every text after the first batch is answered from the one before it in its slot."""
    before = [good(n) for n in range(BATCH)]
    after = [Source(n, "A", f"class STALE{n} {{ }}\n") for n in range(BATCH, 2 * BATCH)]
    found = outcomes(world.runtime(on={"STALE": "stale"}), before + after)
    assert all(map(right, found.values()))
    assert all(found[n].by_name for n in range(BATCH, 2 * BATCH))  # they went the plain route


def test_names_in_wrong_places_that_change(world: World) -> None:
    sources = [Source(0, "A", "class WANDER { }\n"), good(1)]
    found = outcomes(world.runtime(on={"WANDER": "wander"}), sources)
    assert found[0].reason.startswith("the language server places 'WANDER' on line")
    assert found[0].reason.endswith("where it is not")
    assert right(found[1])


def test_names_in_wrong_places_that_stay(world: World) -> None:
    """Never taken from the document that is changed, where it may be the outline of older text.

    Asked twice about a document that never had another text, the server's word is final: so it is
    with names that the parser reads otherwise than the check does.
    """
    found = outcomes(
        world.runtime(on={"MISPLACED": "misplaced"}), [Source(0, "A", "class MISPLACED { }\n")]
    )
    assert found[0].by_name
    assert found[0].outline == outline_from(toy_outline("\n" + found[0].source.text))


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("reject", "rejected textDocument/documentSymbol: Internal error. (code -32603)"),
        ("notalist", "documentSymbol answered {'surprise': True}, not a list"),
        ("flat", "documentSymbol answered a flat list, without full ranges"),
        ("ill_typed", "a document symbol lacks or breaks"),
    ],
)
def test_an_answer_that_is_none_is_a_failure(world: World, fault: str, reason: str) -> None:
    sources = [good(0), Source(1, "ODD", "class ODD { }\n"), good(2)]
    found = outcomes(logged(world, on={"ODD": fault}), sources)
    assert reason in found[1].reason
    assert right(found[0])
    assert right(found[2])
    assert started(world) == 1  # no reason to end a server


def test_degenerate_symbols_cost_themselves(world: World) -> None:
    text = "class ODD {\n  int x;\n}\n"
    found = outcomes(world.runtime(on={"ODD": "degenerate"}), [Source(0, "ODD", text)])
    assert names(found[0]) == ["ODD", "x", "astray"]
    outline = found[0].outline
    assert outline
    assert outline.dropped == 2
    assert found[0].by_name  # its name is not where it should be, so it was asked for again
    start = Position(0, 0)
    assert outline.symbols[0].children[1].selection_range == Range(start, start)


def test_a_huge_answer(world: World) -> None:
    found = outcomes(world.runtime(on={"BIG": "huge"}), [Source(0, "A", "class BIG { }"), good(1)])
    assert found[0].outline
    assert found[0].outline.node_count == 40_001
    assert found[0].outline.symbols[0].kind is SymbolKind.Class
    assert right(found[1])


# --- servers that are lost ------------------------------------------------------------------------

LOST = {
    "die": "ended with exit code 13 during serving; its last lines: the fake dies now",
    "oom": "ran out of memory with a heap of 1g; raise it with --heap",
    "hang": "gave no outline for 1 s",
    "broken_json": "broke the protocol",
    "broken_header": "broke the protocol",
    "close": "closed its output",
}


@pytest.mark.parametrize("fault", LOST)
def test_a_text_that_ends_the_server_costs_only_itself(world: World, fault: str) -> None:
    sources = [good(0), good(1), Source("bad", "ODD", "class ODD { }\n"), good(2)]
    silence = 1 if fault == "hang" else SOON
    found = outcomes(logged(world, on={"ODD": fault}), sources, answer_timeout=silence)
    bad = found.pop("bad")
    assert LOST[fault] in bad.reason
    assert all(map(right, found.values()))
    assert started(world) <= 3  # for the batch, for the text alone, for what came after it


def test_a_text_that_ends_the_reading_costs_only_itself(world: World) -> None:
    """The others cannot even be sent; and that is not told of them."""
    more = "// x\n" * 40_000
    sources = [Source(name, name, f"class {name} {{ }}\n{more}") for name in ("A", "ODD", "B", "C")]
    found = outcomes(logged(world, deaf="ODD"), sources, answer_timeout=2)
    bad = found.pop("ODD")
    assert LOST["hang"].replace("1 s", "2 s") in bad.reason
    assert bad.lost
    assert all(map(right, found.values()))
    assert started(world) <= 3


def test_many_such_texts_between_good_ones(world: World) -> None:
    """More than would end the run if they came in a row."""
    faults = itertools.cycle(["die", "oom", "broken_json"])
    bad = {f"BAD{n}x": next(faults) for n in range(MAX_DEATHS + 2)}
    sources = []
    for n, marker in enumerate(bad):
        sources += [good(n), Source(marker, "Bad", f"class {marker} {{ }}"), good(100 + n)]
    found = outcomes(world.runtime(on=bad), sources, servers=2)
    for key, outcome in found.items():
        assert LOST[bad[key]] in outcome.reason if key in bad else right(outcome)


@pytest.mark.parametrize(("fault", "error"), [("die", ServerDied), ("hang", ServerTimeout)])
def test_servers_that_are_all_lost_end_the_run(
    world: World, fault: str, error: type[ServerError]
) -> None:
    """What was found out by then is told, even to a slow reader: a next run goes on behind it."""
    runtime = logged(world, on={"BAD": fault})
    sources = [Source(n, "A", f"class BAD{n} {{ }}") for n in range(20)]
    told: list[Outcome] = []

    def all_lost() -> bool:
        return started(world) == MAX_DEATHS and not world.leftovers

    async def test() -> None:
        async with stream(runtime, sources, servers=3, answer_timeout=1) as lists:
            async for some in lists:
                told.extend(some)
                assert await until_async(all_lost)

    with pytest.raises(error, match=f"given up after {MAX_DEATHS} servers in a row"):
        run(test())
    assert [outcome.source.key for outcome in told] == list(range(MAX_DEATHS - 1))
    assert all(outcome.reason for outcome in told)
    assert started(world) == MAX_DEATHS


def test_refusals_between_losses_are_no_outlines(world: World) -> None:
    """Servers that only ever refuse or end will not get better either."""
    runtime = logged(world, on={"EMPTY": "empty", "BAD": "die"})
    sources = [Source(n, "A", f"class {'BAD' if n % 2 else 'EMPTY'}{n} {{ }}") for n in range(24)]
    with pytest.raises(ServerDied, match=f"given up after {MAX_DEATHS} servers in a row"):
        outcomes(runtime, sources)
    assert started(world) == MAX_DEATHS


def test_a_server_that_does_not_come_up_ends_the_run(world: World) -> None:
    runtime = world.runtime(exit_at_start={"code": 5, "stderr": "no such flag"})
    with pytest.raises(ServerStartFailed, match=r"exit code 5 during initialize.*no such flag"):
        outcomes(runtime, map(good, range(200)), servers=3)


def test_a_server_that_does_not_come_up_again(world: World) -> None:
    """What was told before stays valid, and what was reached by then is told."""
    runtime = world.runtime(on={"DIE": "die"})
    sources = [good(n) for n in range(BATCH)]
    sources += [good("last"), Source("bad", "A", "class DIE { }"), good("lost")]
    told: list[Outcome] = []

    async def test() -> None:
        async with stream(runtime, sources) as lists:
            async for some in lists:
                world.runtime(exit_at_start={"code": 5})
                told.extend(some)

    with pytest.raises(ServerStartFailed, match="exit code 5"):
        run(test())
    assert {outcome.source.key for outcome in told} == {*range(BATCH), "last"}
    assert all(map(right, told))


# --- the end --------------------------------------------------------------------------------------


def test_a_reader_that_leaves_early_leaves_nothing(world: World) -> None:
    runtime = world.runtime(outlives_stdin=True)

    async def test() -> None:
        async with stream(runtime, map(good, range(10 * BATCH)), servers=2) as lists:
            await anext(lists)
            assert world.servers
        world.check()

    run(test())


def test_a_reader_that_leaves_without_a_word_leaves_nothing(world: World) -> None:
    runtime = world.runtime(outlives_stdin=True)

    async def test() -> None:
        async for _ in outlines(runtime, map(good, range(10 * BATCH)), options(2)):
            break

    run(test())


@pytest.mark.parametrize("fault", [{"on": {"HANG": "hang"}}, {"silent_at_start": True}])
def test_a_cancelled_run_leaves_nothing(world: World, fault: dict[str, Any]) -> None:
    runtime = world.runtime(**fault, outlives_stdin=True)
    sources = [Source(n, "A", "class HANG { }") for n in range(3 * BATCH)]

    async def drain() -> None:
        async with stream(runtime, sources, servers=2) as lists:
            async for _ in lists:
                raise AssertionError("a hung server answered")

    async def test() -> None:
        before = asyncio.all_tasks()
        task = asyncio.ensure_future(drain())
        assert await until_async(lambda: len(world.servers) == 2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        world.check()
        assert asyncio.all_tasks() == before

    run(test())


def test_sources_that_fail_end_the_run(world: World) -> None:
    def failing() -> Iterator[Source]:
        yield from map(good, range(BATCH))
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        outcomes(world.runtime(), _lazy(failing()), servers=1)


def _lazy(sources: Iterator[Source]) -> Any:
    return sources
