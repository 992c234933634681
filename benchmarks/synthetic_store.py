"""Make an index of any size whose names are put together from those of a real tree.

    python -m benchmarks.synthetic_store FOLDER --from DB [--types 1000000] [--seed 1] [--json FILE]

FOLDER must not exist; it gets `index.db` and `tree/`, the workspace folder. From the index of a
real tree come the humps of type names by their place in the name and with their frequencies (top
level and nested types apart: `Builder` is a name of nested ones), how many humps a name has, how
deep a type is nested, segments and lengths of packages, types per package, and labels and kinds of
members. What is drawn from them is put together at random: names are as selective as real ones,
but a hump says nothing of the next, and the vocabulary does not grow with the size.

Every file exists and is unchanged, since `find` looks at it; it holds a line only, since nothing
reads it. To save files, up to `--types-per-file` types share one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from benchmarks import machine, tables
from benchmarks.samples import humps, outlines_in
from indexer.engine import recipe_of
from indexer.errors import RuntimeNotFound
from indexer.files import FileStat, Root
from indexer.jdtls.runtime import locate_jdtls
from indexer.model import TYPE_KINDS, Outline, Position, Range, Symbol, SymbolKind
from indexer.recipe import Recipe, content_key
from indexer.store.writer import NewOutline, StoredFile, Writer, open_writer
from indexer.types import declared_package, simple_name

DATABASE = "index.db"
TREE = "tree"

_BATCH = 500
"""Files per transaction."""

_REPORTED = 20 * _BATCH
"""Files between two lines on how far it is."""

_TRIES = 1000
"""Draws of a name that is not taken yet, before a vocabulary counts as too small."""

T = TypeVar("T")
Draw = Callable[[], str]


class Weighted(Generic[T]):
    """Values to draw from, each as often as it was counted."""

    def __init__(self, counts: Counter[T]) -> None:
        # Sorted, so that the draws do not depend on the order of counting.
        items = sorted(counts.items(), key=lambda item: repr(item[0]))
        self._values = [value for value, _ in items]
        self._sums = list(accumulate(count for _, count in items))

    def draw(self, rng: random.Random) -> T:
        """Return one of the values."""
        return self._values[bisect_right(self._sums, rng.random() * self._sums[-1])]

    def __len__(self) -> int:
        return len(self._values)


class Member(NamedTuple):
    """A method, constructor, field or constant."""

    label: str
    kind: SymbolKind
    detail: str


@dataclass(frozen=True, slots=True)
class NameModel:
    """How names of types are made up."""

    lengths: Weighted[int]
    """Numbers of humps."""
    whole: Weighted[str]
    """Names of one hump."""
    first: Weighted[str]
    inner: Weighted[str]
    last: Weighted[str]

    def draw(self, rng: random.Random) -> str:
        """Return a name."""
        length = self.lengths.draw(rng)
        if length == 1:
            return self.whole.draw(rng)
        inner = (self.inner.draw(rng) for _ in range(length - 2))
        return "".join((self.first.draw(rng), *inner, self.last.draw(rng)))


@dataclass(frozen=True, slots=True)
class Model:
    """What was learned from a real tree."""

    top_level: NameModel
    nested: NameModel
    depths: Weighted[int]
    """Of a type: 0 at the top level."""
    kinds: Weighted[SymbolKind]
    first_segments: Weighted[str]
    segments: Weighted[str]
    """Those of packages after the first one."""
    package_lengths: Weighted[int]
    package_sizes: Weighted[int]
    """Numbers of types."""
    members: Weighted[Member]
    member_counts: Weighted[int]
    mean_members: float


class Shape(NamedTuple):
    """What is to be made."""

    types: int = 1_000_000
    types_per_file: int = 10
    members_per_type: float = 3
    seed: int = 1


class SyntheticFile(NamedTuple):
    """A file to be, and what the server would have said of it."""

    path: str
    """Below the root."""
    content: bytes
    outline: Outline
    types: int


class Totals(NamedTuple):
    """What was made."""

    types: int
    files: int
    symbols: int


class _Seen(NamedTuple):
    """A real type."""

    symbol: Symbol
    depth: int
    package: str


def learn(outlines: Iterable[Outline]) -> Model:
    """Count the names in the outlines of a real tree."""
    seen = [found for outline in outlines for found in _types_of(outline)]
    packages = Counter(found.package for found in seen if found.package)
    if not packages:
        raise SystemExit("the index has no type in a package to learn from; index a larger tree")
    members = [list(_members_of(found.symbol)) for found in seen]
    segments = [package.split(".") for package in packages]
    return Model(
        top_level=_name_model(found for found in seen if not found.depth),
        nested=_name_model(found for found in seen if found.depth),
        depths=Weighted(Counter(found.depth for found in seen)),
        kinds=Weighted(Counter(found.symbol.kind for found in seen)),
        first_segments=Weighted(Counter(parts[0] for parts in segments)),
        segments=Weighted(Counter(chain.from_iterable(parts[1:] for parts in segments))),
        package_lengths=Weighted(Counter(map(len, segments))),
        package_sizes=Weighted(Counter(packages.values())),
        members=Weighted(Counter(chain.from_iterable(members))),
        member_counts=Weighted(Counter(map(len, members))),
        mean_members=sum(map(len, members)) / len(members),
    )


def _types_of(outline: Outline) -> Iterator[_Seen]:
    package = declared_package(outline)
    pending = [(node, 0) for node in outline.symbols if node.kind in TYPE_KINDS]
    while pending:
        node, depth = pending.pop()
        yield _Seen(node, depth, package)
        pending += [(child, depth + 1) for child in node.children if child.kind in TYPE_KINDS]


def _members_of(node: Symbol) -> Iterator[Member]:
    for child in node.children:
        if child.kind not in TYPE_KINDS:
            yield Member(child.name, child.kind, child.detail)


def _name_model(seen: Iterable[_Seen]) -> NameModel:
    names = [humps(simple_name(found.symbol.name)) for found in seen]
    several = [parts for parts in names if len(parts) > 1]
    return NameModel(
        lengths=Weighted(Counter(map(len, names))),
        whole=Weighted(Counter(parts[0] for parts in names if len(parts) == 1)),
        first=Weighted(Counter(parts[0] for parts in several)),
        inner=Weighted(Counter(chain.from_iterable(parts[1:-1] for parts in several))),
        last=Weighted(Counter(parts[-1] for parts in several)),
    )


def synthetic_files(model: Model, shape: Shape) -> Iterator[SyntheticFile]:
    """Yield files with `shape.types` types in all, package by package; the same for equal input."""
    rng = random.Random(shape.seed)
    packages = set[str]()
    left = shape.types
    while left:
        package = _unused(partial(_package, model, rng), packages)
        in_package = min(left, model.package_sizes.draw(rng))
        left -= in_package
        taken = set[str]()
        while in_package:
            count = min(in_package, shape.types_per_file)
            in_package -= count
            yield _file(model, shape, rng, package, count, taken)


def _package(model: Model, rng: random.Random) -> str:
    length = model.package_lengths.draw(rng)
    rest = (model.segments.draw(rng) for _ in range(length - 1))
    return ".".join((model.first_segments.draw(rng), *rest))


def _unused(draw: Draw, taken: set[str], prefix: str = "") -> str:
    """Draw until what comes is new, ignoring case as some file systems do; note it in `taken`."""
    for _ in range(_TRIES):
        name = draw()
        key = f"{prefix}{name}".lower()
        if key not in taken:
            taken.add(key)
            return name
    raise SystemExit("the vocabulary is too small for so many types; index a larger tree")


class _Planned(NamedTuple):
    """A type of a file that is being made up."""

    name: str
    depth: int
    line: int
    members: list[Member]


def _file(
    model: Model, shape: Shape, rng: random.Random, package: str, count: int, taken: set[str]
) -> SyntheticFile:
    planned, enclosing, line = list[_Planned](), list[str](), 2
    for _ in range(count):
        depth = min(model.depths.draw(rng), len(enclosing))
        del enclosing[depth:]
        names = model.nested if depth else model.top_level
        prefix = "".join(f"{outer}." for outer in enclosing)
        name = _unused(partial(names.draw, rng), taken, prefix)
        members = _members(model, shape, rng, name)
        planned.append(_Planned(name, depth, line, members))
        enclosing.append(name)
        line += len(members) + 1
    header = Symbol(package, SymbolKind.Package, _range(0, 0, 9 + len(package)), _at(0, 8, package))
    outline = Outline((header, *_nested(planned, model, rng)))
    path = f"{package.replace('.', '/')}/{planned[0].name}.java"
    content = f"package {package}; class {planned[0].name} {{}}\n".encode()
    return SyntheticFile(path, content, outline, count)


def _members(model: Model, shape: Shape, rng: random.Random, owner: str) -> list[Member]:
    wanted = model.member_counts.draw(rng) * shape.members_per_type / (model.mean_members or 1)
    count = int(wanted + rng.random())
    drawn = (model.members.draw(rng) for _ in range(count))
    return [
        member._replace(label=f"{owner}({member.label.partition('(')[2]}")
        if member.kind is SymbolKind.Constructor
        else member
        for member in drawn
    ]


def _nested(planned: Sequence[_Planned], model: Model, rng: random.Random) -> list[Symbol]:
    """Return the top-level types, with members and the types below them as children."""
    waiting: dict[int, list[Symbol]] = {}
    for found in reversed(planned):  # what a type holds stands after it, so it is ready before
        members = [
            Symbol(
                member.label,
                member.kind,
                _range(line, 2, 8 + len(member.label)),
                _at(line, 6, member.label.partition("(")[0]),
                member.detail,
            )
            for line, member in enumerate(found.members, found.line + 1)
        ]
        children = (*members, *reversed(waiting.pop(found.depth + 1, ())))
        last = children[-1].range.end.line if children else found.line
        place = Range(Position(found.line, 0), Position(last, 99))
        name = _at(found.line, 6, found.name)
        node = Symbol(found.name, model.kinds.draw(rng), place, name, children=children)
        waiting.setdefault(found.depth, []).append(node)
    return waiting[0][::-1]


def _range(line: int, start: int, end: int) -> Range:
    return Range(Position(line, start), Position(line, end))


def _at(line: int, column: int, name: str) -> Range:
    return _range(line, column, column + len(name))


def build(folder: Path, model: Model, shape: Shape) -> Totals:
    """Make `folder` with index and tree in it; says on stderr how far it is."""
    root = folder / TREE
    root.mkdir(parents=True)
    writer = open_writer(str(folder / DATABASE))
    try:
        recipe_id = writer.recipe(_recipe())
        workspace_id = writer.start_run(Root(os.path.realpath(root), TREE), recipe_id)
        totals = Totals(0, 0, 0)
        files = synthetic_files(model, shape)
        while batch := list(islice(files, _BATCH)):
            _save(writer, workspace_id, recipe_id, root, batch)
            totals = _plus(totals, batch)
            if totals.files % _REPORTED < _BATCH:
                print(f"{totals.types:,} types", file=sys.stderr)
        writer.finish_run(workspace_id, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    finally:
        writer.close()
    return totals


def _save(
    writer: Writer, workspace_id: int, recipe_id: int, root: Path, batch: Sequence[SyntheticFile]
) -> None:
    stats = [_written(root / file.path, file.content) for file in batch]
    outlines = [NewOutline(content_key(file.content), "", file.outline) for file in batch]
    refs = writer.save_outlines(recipe_id, outlines)
    # The time stamps are young, but nothing changes these files: they need not settle.
    stored = [
        StoredFile(file.path, stat, ref) for file, stat, ref in zip(batch, stats, refs, strict=True)
    ]
    writer.save_files(workspace_id, recipe_id, stored)


def _written(path: Path, content: bytes) -> FileStat:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return FileStat.of(path.stat())


def _plus(totals: Totals, batch: Sequence[SyntheticFile]) -> Totals:
    return Totals(
        totals.types + sum(file.types for file in batch),
        totals.files + len(batch),
        totals.symbols + sum(file.outline.node_count for file in batch),
    )


def _recipe() -> Recipe:
    """The recipe of the engine here, else `find` would not serve the index; any without one."""
    try:
        return recipe_of(locate_jdtls(None, os.environ))
    except RuntimeNotFound:
        return Recipe("synthetic", "synthetic")


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where to make index and tree")
    parser.add_argument("--from", dest="source", required=True, metavar="DB", help="a real index")
    shape = Shape()
    parser.add_argument("--types", type=int, default=shape.types)
    parser.add_argument("--types-per-file", type=int, default=shape.types_per_file, help="at most")
    parser.add_argument(
        "--members-per-type", type=float, default=shape.members_per_type, help="on average"
    )
    parser.add_argument("--seed", type=int, default=shape.seed)
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to write the figures")
    arguments = parser.parse_args()
    if arguments.folder.exists():
        parser.error(f"{arguments.folder} exists already; name a new folder")
    shape = Shape(
        arguments.types, arguments.types_per_file, arguments.members_per_type, arguments.seed
    )
    facts = machine.describe()
    started = time.perf_counter()
    totals = build(arguments.folder, learn(outlines_in(arguments.source)), shape)
    figures: dict[str, float] = {
        **totals._asdict(),
        "seconds": time.perf_counter() - started,
        "databaseMb": (arguments.folder / DATABASE).stat().st_size / 1e6,
    }
    print(machine.as_line(facts))
    print(f"\n{tables.table(('made', 'figure'), figures.items())}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": facts, **figures}, indent=2))


if __name__ == "__main__":
    main()
