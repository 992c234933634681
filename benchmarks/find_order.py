"""How often the wanted type comes first, and in the first five, in the order of `find`.

    python -m benchmarks.find_order DB [DB ...] [--tree NAME=GLOB ...] [--sample N] [--json FILE]

A tree is a workspace folder of an index; or, with `--tree`, the types whose files match GLOB
(`spring='*/src/spring-*'`), ranked as if the index held no others. Every type of a tree is wanted
once by its simple name, by the capitals of its name (two humps or more), and by the first 60 % of
it in lower case. Each query is asked once without a limit; the same matches in alphabetical order
of (name, container) stand for plain jdt.ls, whose own order is that of a hash table.

"Type" counts the very type, by its qualified name; "name" any type of its simple name. Several
types may be wanted by one query: "best possible" is what an order reaches that knows all the
wanted ones, and no order can be better (with `--sample`, it knows those of the sample only). With
`--by-imports` a type counts as often as files of the tree import it: much used types weigh more.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

from benchmarks import machine, tables
from benchmarks.find_speed import abbreviation_of, prefix_of
from benchmarks.samples import humps, roots_in
from query.contract import Hit, ToolError
from query.service import Scope, Service

TOP = 5

_IMPORT = re.compile(r"^import\s+([\w.]+)\s*;", re.MULTILINE)

_FORMS: dict[str, Callable[[str], str | None]] = {
    "simple name": lambda name: name,
    "capitals": abbreviation_of,
    "60 % prefix": prefix_of,
}
_ORDERS = ("javadex", "alphabetical")


class Places(NamedTuple):
    """Where in an order of matches the wanted type stands, from 0."""

    type: int
    """The very type."""
    name: int
    """The first type of its simple name."""


class Case(NamedTuple):
    """One type wanted by one query."""

    query: str
    wanted: Hit
    matches: int
    places: tuple[Places, Places]
    """In the orders of `_ORDERS`."""
    ahead: tuple[Hit, ...]
    """What javadex shows before it."""


class Shares(NamedTuple):
    """Percent of the wanted types, each by its weight."""

    type_first: float
    type_top: float
    name_first: float
    name_top: float


Weight = Callable[[Hit], int]


def qualified(hit: Hit) -> str:
    """Return the full name that is shown for a hit."""
    return f"{hit.container}.{hit.name}" if hit.container else hit.name


def alphabetical(hits: Iterable[Hit]) -> list[Hit]:
    """Return the hits by name and container, ignoring case where that tells them apart."""
    return sorted(hits, key=lambda hit: (hit.name.casefold(), hit.name, hit.container))


def places_in(order: Sequence[Hit], wanted: Hit) -> Places | None:
    """Return where `wanted` stands; None when it is not there."""
    names = [hit.name for hit in order]
    types = [qualified(hit) for hit in order]
    if qualified(wanted) not in types:
        return None
    return Places(types.index(qualified(wanted)), names.index(wanted.name))


def wanted_by(form: Callable[[str], str | None], types: Iterable[Hit]) -> dict[str, list[Hit]]:
    """Return the types that are wanted by each query of a form."""
    wanted = defaultdict(list)
    for hit in types:
        query = form(hit.name)
        if query:
            wanted[query].append(hit)
    return dict(wanted)


def cases_of(query: str, wanted: Iterable[Hit], shown: Sequence[Hit]) -> Iterator[Case]:
    """Yield the cases of one query from its whole answer."""
    by_name = alphabetical(shown)
    for hit in wanted:
        ours, theirs = places_in(shown, hit), places_in(by_name, hit)
        if ours is None or theirs is None:
            raise SystemExit(f"{query!r} does not find {qualified(hit)}")
        yield Case(query, hit, len(shown), (ours, theirs), tuple(shown[: ours.type]))


def shares(cases: Sequence[Case], order: int, weight: Weight) -> Shares:
    """Return how often the wanted type is first, and among the first `TOP`, in one order."""
    whole = sum(weight(case.wanted) for case in cases) or 1

    def percent(holds: Callable[[Places], bool]) -> float:
        return 100 * sum(weight(case.wanted) for case in cases if holds(case.places[order])) / whole

    return Shares(
        type_first=percent(lambda places: places.type == 0),
        type_top=percent(lambda places: places.type < TOP),
        name_first=percent(lambda places: places.name == 0),
        name_top=percent(lambda places: places.name < TOP),
    )


def best_possible(cases: Sequence[Case], weight: Weight) -> tuple[float, float]:
    """Return the shares of types first and among the first `TOP` that no order can exceed."""
    by_query: dict[str, Counter[str]] = defaultdict(Counter)
    for case in cases:
        by_query[case.query][qualified(case.wanted)] += weight(case.wanted)
    whole = sum(counts.total() for counts in by_query.values()) or 1

    def percent(most: int) -> float:
        reached = (count for counts in by_query.values() for _, count in counts.most_common(most))
        return 100 * sum(reached) / whole

    return percent(1), percent(TOP)


def relation(query: str, ahead: str, wanted: str) -> str:
    """Say what a hit that is shown before the wanted one has, by their names."""
    if ahead == wanted:
        return "the same name"
    if ahead.lower().startswith(query.lower()) and not wanted.lower().startswith(query.lower()):
        return "the query as its beginning, in small letters"
    difference = len(humps(ahead)) - len(humps(wanted))
    if difference:
        return "more humps" if difference > 0 else "fewer humps"
    return "as many humps, " + ("longer" if len(ahead) > len(wanted) else "no longer")


class Asker:
    """Asks `find` for whole answers, of one tree only."""

    def __init__(self, service: Service, pattern: str) -> None:
        self._service = service
        self._pattern = pattern

    def __call__(self, query: str) -> list[Hit]:
        """Return all hits in the tree, in the order that they are shown."""
        answer = self._service.find(query, limit=0)
        if isinstance(answer, ToolError):
            raise SystemExit(f"{query!r}: {answer.error}")
        return [hit for hit in answer.hits if fnmatch(hit.file, self._pattern)]


def measure(ask: Asker, types: Sequence[Hit]) -> dict[str, list[Case]]:
    """Return the cases of each form of query."""
    results = {}
    for name, form in _FORMS.items():
        print(name, file=sys.stderr)
        results[name] = [
            case
            for query, wanted in wanted_by(form, types).items()
            for case in cases_of(query, wanted, ask(query))
        ]
    return results


def import_weight(files: Iterable[str]) -> Weight:
    """Return how many of the files import a type; those that none imports count nothing."""
    counts: Counter[str] = Counter()
    for file in files:
        counts.update(set(_IMPORT.findall(Path(file).read_text("utf-8", "replace"))))
    return lambda hit: counts[qualified(hit)]


def table(results: Mapping[str, Sequence[Case]], weight: Weight) -> str:
    """Return the table of one tree."""
    header = ("query", "order", "types", "type first %", f"in {TOP} %", "name first %", f"in {TOP}")
    rows: list[tuple[object, ...]] = []
    for form, cases in results.items():
        for place, order in enumerate(_ORDERS):
            rows.append((form, order, len(cases), *shares(cases, place, weight)))
        rows.append((form, "best possible", len(cases), *best_possible(cases, weight), "", ""))
    return tables.table(header, rows)


def reasons_table(results: Mapping[str, Sequence[Case]]) -> str:
    """Return what the hits have that stand before types beyond place `TOP`."""
    rows = []
    for form, cases in results.items():
        late = [case for case in cases if case.places[0].type >= TOP]
        counts = Counter(
            relation(case.query, hit.name, case.wanted.name) for case in late for hit in case.ahead
        )
        rows += [
            (form, reason, count, 100 * count / counts.total())
            for reason, count in counts.most_common()
        ]
    return tables.table(("query", f"shown before types beyond place {TOP}", "hits", "%"), rows)


def examples_table(results: Mapping[str, Sequence[Case]], count: int, seed: int) -> str:
    """Return some of the types beyond place `TOP`, drawn at random."""
    rows = []
    for form, cases in results.items():
        late = [case for case in cases if case.places[0].type >= TOP]
        for case in random.Random(seed).sample(late, min(count, len(late))):
            first = ", ".join(f"`{qualified(hit)}`" for hit in case.ahead[:3])
            place = f"{case.places[0].type + 1} of {case.matches}"
            rows.append((form, f"`{case.query}`", f"`{qualified(case.wanted)}`", place, first))
    return tables.table(("query", "asked", "wanted", "place", "first three"), rows)


def figures_of(results: Mapping[str, Sequence[Case]], weight: Weight) -> dict[str, object]:
    """Return the figures of `table` for machines."""
    return {
        form: {
            "types": len(cases),
            **{
                order: shares(cases, place, weight)._asdict() for place, order in enumerate(_ORDERS)
            },
            "bestPossible": best_possible(cases, weight),
        }
        for form, cases in results.items()
    }


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("db", nargs="+", help="an index that is up to date")
    parser.add_argument("--tree", action="append", metavar="NAME=GLOB", help="of absolute paths")
    parser.add_argument("--sample", type=int, help="types of each tree; without it, all")
    parser.add_argument("--by-imports", action="store_true", help="weigh types by their imports")
    parser.add_argument("--examples", type=int, default=0, help="show so many of each form")
    parser.add_argument("--seed", type=int, default=1, help="of sample and examples")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    arguments = parser.parse_args()
    facts = machine.describe()
    print(machine.as_line(facts))
    figures = {}
    for db in arguments.db:
        roots = roots_in(db)
        with Service(Scope(roots, db)) as service:
            for name, pattern in _trees(arguments.tree, [(it.name, it.path) for it in roots]):
                print(f"{db}: {name}", file=sys.stderr)
                figures[name] = _report(name, Asker(service, pattern), arguments)
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": facts, "trees": figures}, indent=2))


def _trees(named: Sequence[str] | None, roots: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Names and patterns of the trees."""
    if named is None:
        return [(name, f"{path}/*") for name, path in roots]
    return [(name, pattern) for name, _, pattern in (one.partition("=") for one in named)]


def _report(name: str, ask: Asker, arguments: argparse.Namespace) -> dict[str, object]:
    """Measure and print one tree; return its figures."""
    types = ask("*")
    files = sorted({hit.file for hit in types})
    wanted = types
    if arguments.sample is not None and arguments.sample < len(types):
        wanted = random.Random(arguments.seed).sample(types, arguments.sample)
    results = measure(ask, wanted)
    weight = import_weight(files) if arguments.by_imports else lambda _hit: 1
    print(f"\n{name}, {len(types):,} types:\n\n{table(results, weight)}")
    if arguments.examples:
        print(f"\n{reasons_table(results)}")
        print(f"\n{examples_table(results, arguments.examples, arguments.seed)}")
    return figures_of(results, weight)


if __name__ == "__main__":
    main()
