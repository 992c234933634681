"""What `find` costs in one process, by class of query and size of the index.

    python -m benchmarks.find_speed DB [DB ...] [--queries 300] [--plot FILE] [--json FILE]

Each DB is an index of another size (`benchmarks.synthetic_store`, or a real one). The queries of a
class are made from types drawn at random, each with the same chance. One `Service` answers them
all; other queries of the same class go before, uncounted. "First" is the first query of a class
in a new `Service`, opening the index included; the system's file cache is warm even then.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import statistics
import string
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks import machine, tables
from benchmarks.plot import Line, Panel, log_log
from benchmarks.samples import humps, outlines_in, roots_in, types_in
from indexer.model import MEMBER_KINDS, TYPE_KINDS, Outline, Symbol
from indexer.types import declared_package, simple_name
from query.contract import ToolError
from query.service import Scope, Service

LIMIT = 20
SMALL = 20_000
"""Types up to which the sharper targets hold."""

_WARM_UP = 100
_STEP = re.compile("[a-z][A-Z]")
_TARGETS = {"p50": (1.0, 5.0), "p99": (10.0, 50.0)}
"""Milliseconds: up to `SMALL` types, and up to a million."""


class Target(NamedTuple):
    """A type to ask for."""

    name: str
    qualifier: str
    """Package and enclosing types."""
    package: str
    members: tuple[str, ...] = ()
    """Names of methods and fields."""


class Cost(NamedTuple):
    """Of one query."""

    wall_ms: float
    cpu_ms: float
    total: int
    """Matches, shown or not."""


class Summary(NamedTuple):
    """Of the queries of one class on one index; times in milliseconds."""

    queries: int
    first: float
    p50: float
    p99: float
    max: float
    cpu_p50: float
    cpu_p99: float
    median_total: float
    largest_total: int


Maker = Callable[[Target, random.Random], str | None]
"""Makes a query that finds the type; None where it has none of the class."""


def targets_in(outlines: Sequence[Outline]) -> list[Target]:
    """Return the types of the outlines that have a name of ASCII letters and digits."""
    return [
        target
        for outline in outlines
        for node in outline.symbols
        if node.kind in TYPE_KINDS
        for target in _targets(node, declared_package(outline), declared_package(outline))
        if target.name.isascii() and target.name.isalnum()
    ]


def _targets(node: Symbol, package: str, qualifier: str) -> Iterator[Target]:
    name = simple_name(node.name)
    members = [child.name for child in node.children if child.kind not in TYPE_KINDS]
    names = (member.partition("(")[0] for member in members)
    yield Target(name, qualifier, package, tuple(name for name in names if name.isidentifier()))
    for child in node.children:
        if child.kind in TYPE_KINDS:
            yield from _targets(child, package, f"{qualifier}.{name}".lstrip("."))


def prefix_of(name: str) -> str:
    """Return the first 60 % of `name`, rounded up, in lower case."""
    return name[: math.ceil(0.6 * len(name))].lower()


def abbreviation_of(name: str) -> str | None:
    """Return the capitals of `name` (`OSI` for `OrderServiceImpl`); None for less than two humps.

    All capitals, since the matcher lets none be skipped: `HTTPS` for `HTTPServer`, not `HS`.
    """
    capitals = "".join(filter(str.isupper, name))
    usable = name[:1].isupper() and len(humps(name)) > 1 and len(capitals) > 1
    return capitals if usable else None


def mixed_case_of(name: str, rng: random.Random) -> str | None:
    """Return the beginnings of the humps, a piece across a hump's border, or the whole name.

    Each has a small letter before a capital, so that it becomes an unanchored glob
    (docs/matching.md 2.5); None where `name` has none.
    """
    parts = humps(name)
    start = rng.randrange(len(parts))
    end = rng.randint(start + 1, len(parts))
    last = parts[end - 1]
    piece = "".join((*parts[start : end - 1], last[: rng.randint(1, len(last))]))
    forms = ("".join(map(_beginning, parts)), piece, name)
    usable = [form for form in forms if _STEP.search(form)]
    return rng.choice(usable) if usable else None


def _beginning(hump: str) -> str:
    """Two letters of a hump; all of one that cannot be cut after a small letter: `HTTP`, `V2`."""
    return hump[:2] if hump[1:2].islower() else hump


def tail_of(name: str, rng: random.Random) -> str | None:
    """Return `*ServiceImpl`: a star and the name from one of its humps on, but for the first."""
    parts = humps(name)
    if len(parts) < 2:
        return None
    return "*" + "".join(parts[rng.randrange(1, len(parts)) :])


def qualified_name_of(target: Target, rng: random.Random) -> str | None:
    """Return the full name, or the end of it from any of its dots on."""
    if not target.qualifier:
        return None
    parts = target.qualifier.split(".")
    return ".".join((*parts[rng.choice((0, rng.randrange(len(parts)))) :], target.name))


def member_of(target: Target, rng: random.Random) -> str | None:
    """Return `Owner#member` or the member's name alone."""
    if not target.members:
        return None
    member = rng.choice(target.members)
    return rng.choice((f"{target.name}#{member}", member))


def miss_of(target: Target, rng: random.Random) -> str:
    """Return the name with one letter changed, or random letters; may match all the same."""
    if rng.random() < 0.5:
        return "".join(rng.choices(string.ascii_lowercase, k=10))
    place = rng.randrange(len(target.name))
    letter = rng.choice(string.ascii_lowercase)
    return target.name[:place] + letter + target.name[place + 1 :]


_MAKERS: dict[str, Maker] = {
    "exact": lambda target, _: target.name,
    "prefix": lambda target, _: prefix_of(target.name),
    "hump": lambda target, _: abbreviation_of(target.name),
    "mixed-case": lambda target, rng: mixed_case_of(target.name, rng),
    "leading star": lambda target, rng: tail_of(target.name, rng),
    "qualified": qualified_name_of,
    "package": lambda target, _: target.package or None,
    "member": member_of,
    "miss": miss_of,
}


def queries_of(
    name: str, targets: Sequence[Target], count: int, seed: int, accept: Callable[[str], bool]
) -> list[str]:
    """Return `count` queries of a class that `accept` lets pass; fewer if they cannot be found."""
    rng, maker, queries = random.Random(f"{seed} {name}"), _MAKERS[name], list[str]()
    for _ in range(100 * count):
        query = maker(rng.choice(targets), rng)
        if query and accept(query):
            queries.append(query)
            if len(queries) == count:
                break
    return queries


class Subject:
    """An index that questions are asked of."""

    def __init__(self, db: str) -> None:
        self._scope = Scope(roots_in(db), db)

    def service(self) -> Service:
        """Return a new service."""
        return Service(self._scope)

    def ask(self, service: Service, name: str, query: str) -> Cost:
        """Ask one query of the class `name`."""
        kinds = MEMBER_KINDS if name == "member" else None
        cpu, wall = time.process_time(), time.perf_counter()
        answer = service.find(query, limit=LIMIT, kinds=kinds)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if isinstance(answer, ToolError):
            raise SystemExit(f"{query!r}: {answer.error}")
        return Cost(1000 * wall, 1000 * cpu, answer.total)


def measure(db: str, count: int, seed: int) -> dict[str, Summary]:
    """Return what each class of query costs on one index."""
    subject = Subject(db)
    # Ten times as many types as queries: those of a file come together.
    targets = targets_in(list(outlines_in(db, 10 * count, seed)))
    if not targets:
        raise SystemExit(f"{db} holds no type")
    summaries = {}
    for name in _MAKERS:
        print(f"{db}: {name}", file=sys.stderr)
        summary = _measure_class(subject, name, targets, count, seed)
        if summary:
            summaries[name] = summary
    return summaries


def _measure_class(
    subject: Subject, name: str, targets: Sequence[Target], count: int, seed: int
) -> Summary | None:
    with subject.service() as service:

        def accept(query: str) -> bool:
            return name != "miss" or not subject.ask(service, name, query).total

        warm_up = min(count, _WARM_UP)
        queries = queries_of(name, targets, count + warm_up, seed, accept)
    if len(queries) <= warm_up:
        return None
    with subject.service() as service:
        first, *_ = [subject.ask(service, name, query) for query in queries[:warm_up]]
        costs = [subject.ask(service, name, query) for query in queries[warm_up:]]
    _check(name, costs, queries[warm_up:])
    return summarise(first, costs)


def _check(name: str, costs: Sequence[Cost], queries: Sequence[str]) -> None:
    """Make sure that queries find what they were made from: quick wrong answers count for nothing.

    Of the members a few may be of types that are asked for by another name; they are not checked.
    """
    for cost, query in zip(costs, queries, strict=True):
        if name not in ("miss", "member") and not cost.total:
            raise SystemExit(f"{name}: {query!r} found nothing")


def summarise(first: Cost, costs: Sequence[Cost]) -> Summary:
    """Return the figures of a class."""
    wall, cpu = [cost.wall_ms for cost in costs], [cost.cpu_ms for cost in costs]
    totals = [cost.total for cost in costs]
    return Summary(
        queries=len(costs),
        first=first.wall_ms,
        p50=percentile(wall, 50),
        p99=percentile(wall, 99),
        max=max(wall),
        cpu_p50=percentile(cpu, 50),
        cpu_p99=percentile(cpu, 99),
        median_total=statistics.median(totals),
        largest_total=max(totals),
    )


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that `percent` of all do not exceed (nearest rank)."""
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]


def target_ms(figure: str, types: int) -> float:
    """Return what `p50` or `p99` should not exceed on an index of so many types."""
    return _TARGETS[figure][types > SMALL]


def one_table(summaries: Mapping[str, Summary], types: int) -> str:
    """Return the table of one index."""
    header = (
        *("class", "queries", "matches, median", "largest", "first ms", "p50 ms", "p99 ms"),
        *("max ms", "CPU p50 ms", "CPU p99 ms", "target p50 / p99"),
    )
    target = " / ".join(f"{target_ms(figure, types):g}" for figure in _TARGETS)
    rows = [
        (
            *(name, one.queries, one.median_total, one.largest_total, one.first, one.p50, one.p99),
            *(one.max, one.cpu_p50, one.cpu_p99, f"<= {target}{_missed(one, types)}"),
        )
        for name, one in summaries.items()
    ]
    return tables.table(header, rows)


def _missed(summary: Summary, types: int) -> str:
    over = [figure for figure in _TARGETS if getattr(summary, figure) > target_ms(figure, types)]
    return f", missed: {', '.join(over)}" if over else ""


def sizes_table(by_size: Mapping[int, Mapping[str, Summary]]) -> str:
    """Return the table of all indexes: p50 / p99 of each class."""
    header = ("p50 / p99 ms", *(f"{types:,} types" for types in by_size))
    names = dict.fromkeys(name for summaries in by_size.values() for name in summaries)
    rows = [
        (name, *(_pair(summaries.get(name)) for summaries in by_size.values())) for name in names
    ]
    targets = (
        " / ".join(f"{target_ms(figure, types):g}" for figure in _TARGETS) for types in by_size
    )
    return tables.table(header, [*rows, ("target", *targets)])


def _pair(summary: Summary | None) -> str:
    return f"{tables.number(summary.p50)} / {tables.number(summary.p99)}" if summary else ""


def plot_of(by_size: Mapping[int, Mapping[str, Summary]]) -> str:
    """Return the plot of p50 and p99 against the number of types."""
    names = dict.fromkeys(name for summaries in by_size.values() for name in summaries)
    panels = []
    for figure in _TARGETS:
        lines = [
            Line(
                name,
                [
                    (types, max(getattr(summaries[name], figure), 1e-3))
                    for types, summaries in by_size.items()
                    if name in summaries
                ],
            )
            for name in names
        ]
        limit = [(types, target_ms(figure, types)) for types in by_size]
        panels.append(Panel(f"{figure} of `find`", [*lines, Line("target", limit, is_limit=True)]))
    return log_log(panels, "types in the index", "milliseconds")


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("db", nargs="+", help="an index that is up to date")
    parser.add_argument("--queries", type=int, default=300, help="per class")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="where to write an SVG")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    arguments = parser.parse_args()
    facts = machine.describe()
    sizes = {types_in(db): db for db in arguments.db}
    if len(sizes) < len(arguments.db):
        parser.error("two of the indexes hold equally many types; leave one out")
    by_size = {
        types: measure(db, arguments.queries, arguments.seed) for types, db in sorted(sizes.items())
    }
    print(machine.as_line(facts))
    for types, summaries in by_size.items():
        print(f"\n{types:,} types, limit {LIMIT}:\n\n{one_table(summaries, types)}")
    if len(by_size) > 1:
        print(f"\n{sizes_table(by_size)}")
    if arguments.plot:
        arguments.plot.write_text(plot_of(by_size), encoding="utf-8")
    if arguments.json:
        figures = {
            types: {name: one._asdict() for name, one in summaries.items()}
            for types, summaries in by_size.items()
        }
        arguments.json.write_text(json.dumps({"machine": facts, "types": figures}, indent=2))


if __name__ == "__main__":
    main()
