"""Compare the index of a tree with what a plain live jdt.ls says of a sample of its files.

    python -m benchmarks.compare_plain TREE [--sample 500] [--seed 1] [--db FILE]

TREE holds one folder per artifact, as `fetch_tree` lays it out; each becomes a source folder of an
Eclipse project with the sampled files only. Outlines: every field of every node, as documentSymbol
of the real path gives it, against the stored outline. Types: the answer of workspace/symbol to `*`
against that of `javadex find '*' --strict --limit 0`. Prints counts and every difference; exit code
1 when there is any.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import machine, processes, tables
from indexer.discovery import discover
from indexer.files import Root, read, resolve_root
from indexer.javachars import is_valid_package_segment, is_valid_unit_name
from indexer.javatext import stem_of
from indexer.jdtls.rpc import Rejected
from indexer.model import Range, Symbol
from indexer.recipe import content_key
from indexer.store.reader import Reader, open_reader
from indexer.uris import path_of
from query.contract import FindAnswer
from query.service import Scope, Service
from tests.support.plain import PlainServer

_READY_SECONDS = 120.0
_KNOWN_KEYS = frozenset(
    {"name", "detail", "kind", "tags", "deprecated", "range", "selectionRange", "children"}
)
_DEPRECATED = 1  # LSP 3.17, SymbolTag.Deprecated


class Node(NamedTuple):
    """A symbol with its depth: a list of them in preorder is an outline."""

    depth: int
    name: str
    kind: int
    detail: str
    deprecated: bool
    range: tuple[int, int, int, int]
    selection_range: tuple[int, int, int, int]
    unknown: str = ""
    """Fields of the live answer that LSP does not know."""


class Type(NamedTuple):
    """A type as workspace/symbol gives it."""

    path: str
    line: int
    name: str
    kind: int
    container: str


@dataclass(slots=True)
class Comparison:
    """What came of comparing."""

    outlines: int = 0
    nodes: int = 0
    types: int = 0
    not_seen: list[str] = field(default_factory=list)
    """Files whose name or folder is no Java name: the live server gives nothing for them."""
    outline_differences: list[str] = field(default_factory=list)
    type_differences: list[str] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        """True when anything does."""
        return bool(self.outline_differences or self.type_differences)


def indexed_nodes(reader: Reader, root: Root, path: str) -> list[Node] | str:
    """Return the stored outline of a file, or a word on why there is none."""
    recipes = [workspace.recipe for workspace in reader.workspaces() if workspace.root == root.path]
    if not recipes:
        return f"{root.path} is not in the index"
    content = read(os.path.join(root.path, path)).data
    stored = reader.outline(content_key(content), stem_of(path), recipes[0])
    if stored is None:
        return "not in the index"
    return stored.failure or list(_of_symbols(stored.outline.symbols, 0))


def _of_symbols(symbols: Sequence[Symbol], depth: int) -> Iterator[Node]:
    for symbol in symbols:
        yield Node(
            depth,
            symbol.name,
            int(symbol.kind),
            symbol.detail,
            symbol.deprecated,
            _numbers(symbol.range),
            _numbers(symbol.selection_range),
        )
        yield from _of_symbols(symbol.children, depth + 1)


def _numbers(value: Range) -> tuple[int, int, int, int]:
    return (*value.start, *value.end)


def live_nodes(answer: Sequence[Any], depth: int = 0) -> Iterator[Node]:
    """Yield the nodes of a documentSymbol answer; javadex' own converter has no part in it."""
    for node in answer:
        yield Node(
            depth,
            node["name"],
            node["kind"],
            node.get("detail") or "",
            _DEPRECATED in (node.get("tags") or ()) or bool(node.get("deprecated")),
            _live_numbers(node["range"]),
            _live_numbers(node["selectionRange"]),
            ", ".join(sorted(set(node) - _KNOWN_KEYS)),
        )
        yield from live_nodes(node.get("children") or (), depth + 1)


def _live_numbers(value: Any) -> tuple[int, int, int, int]:
    start, end = value["start"], value["end"]
    return start["line"], start["character"], end["line"], end["character"]


def indexed_types(root: Root, db: str, paths: frozenset[str]) -> set[Type]:
    """Return the types that javadex finds in the files `paths`."""
    with Service(Scope((root,), db)) as service:
        answer = service.find("*", limit=0, strict=True)
    if not isinstance(answer, FindAnswer):
        raise TypeError(f"find answered {answer}")
    found = (
        Type(
            os.path.relpath(hit.file, root.path),
            hit.selection_range.start.line,
            hit.name,
            int(hit.kind),
            hit.container,
        )
        for hit in answer.hits
    )
    return {hit for hit in found if hit.path in paths}


def live_types(answer: Sequence[Any], project: Path) -> set[Type]:
    """Return the types of a workspace/symbol answer, with paths below `project`."""
    return {
        Type(
            os.path.relpath(path_of(hit["location"]["uri"]) or "", project),
            hit["location"]["range"]["start"]["line"],
            hit["name"],
            hit["kind"],
            hit.get("containerName") or "",
        )
        for hit in answer
    }


async def ask_live(
    sample: Path, scratch: Path, paths: Sequence[str], known: Sequence[str]
) -> tuple[dict[str, Any], set[Type]]:
    """Return the live outlines by path, an error's text in the place of a list, and the types.

    `known` are files that have symbols: asking begins when each of them has an answer.
    """
    folders = sorted({path.partition("/")[0] for path in paths})
    async with PlainServer(sample, scratch, folders) as server:
        await _until_imported(server, known)
        answers = {path: await _outline(server, path) for path in paths}
        types = live_types(await server.workspace_symbols("*"), server.project)
    return answers, types


async def _outline(server: PlainServer, path: str) -> Any:
    answer = (await server.document_symbols([path]))[path]
    return str(answer) if isinstance(answer, Rejected) else answer


async def _until_imported(server: PlainServer, known: Sequence[str]) -> None:
    """Wait until the server has symbols for `known`: it says ready before it has any."""
    deadline = time.monotonic() + _READY_SECONDS
    for path in known:
        while not await _outline(server, path):
            if time.monotonic() > deadline:
                raise SystemExit(f"plain jdt.ls has no symbols for {path} after {_READY_SECONDS} s")
            await asyncio.sleep(0.2)


def compare_outlines(
    indexed: Mapping[str, list[Node] | str], live: Mapping[str, Any], into: Comparison
) -> None:
    """Compare outline by outline."""
    for path, ours in indexed.items():
        answer = live[path]
        theirs = answer if isinstance(answer, str) else list(live_nodes(answer or ()))
        into.outlines += 1
        into.nodes += len(ours) if isinstance(ours, list) else 0
        if ours == theirs:
            continue
        if not theirs and not _is_seen(path):
            into.not_seen.append(path)
            continue
        into.outline_differences.extend(_differences(path, ours, theirs))


def _is_seen(path: str) -> bool:
    """False when the file's name or a folder's below the source folder is no Java name."""
    _, *folders, _ = path.split("/")
    return is_valid_unit_name(stem_of(path)) and all(map(is_valid_package_segment, folders))


def _differences(path: str, ours: list[Node] | str, theirs: list[Node] | str) -> Iterator[str]:
    if isinstance(ours, str) or isinstance(theirs, str):
        yield f"{path}: index {_short(ours)}, live {_short(theirs)}"
        return
    for number, (one, other) in enumerate(zip_longest(ours, theirs)):
        if one == other:
            continue
        if one is None or other is None:
            yield f"{path}: node {number}: index {one}, live {other}"
            continue
        for name, mine, live in zip(Node._fields, one, other, strict=True):
            if mine != live:
                yield f"{path}: node {number} {one.name!r}: {name}: index {mine!r}, live {live!r}"


def _short(outline: list[Node] | str) -> str:
    return outline if isinstance(outline, str) else f"{len(outline)} nodes"


def compare_types(ours: set[Type], theirs: set[Type], into: Comparison) -> None:
    """Compare two sets of types."""
    into.types = len(ours)
    into.type_differences += [f"only in the index: {hit}" for hit in sorted(ours - theirs)]
    into.type_differences += [f"only live: {hit}" for hit in sorted(theirs - ours)]


def compare(root: Root, db: str, paths: Sequence[str], scratch: Path) -> Comparison:
    """Compare the index at `db` with a live server over the files `paths` of `root`."""
    reader = open_reader(db)
    try:
        indexed = {path: indexed_nodes(reader, root, path) for path in paths}
    finally:
        reader.close()
    for path in paths:
        target = scratch / "sample" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(os.path.join(root.path, path), target)
    print(f"asking a plain jdt.ls for {len(paths)} files", file=sys.stderr)
    known = _one_per_folder(path for path, nodes in indexed.items() if isinstance(nodes, list))
    live, types = asyncio.run(
        ask_live(scratch / "sample", scratch / "live", paths, [p for p in known if indexed[p]])
    )
    result = Comparison()
    compare_outlines(indexed, live, result)
    both_see = frozenset(path for path in paths if _is_seen(path))
    compare_types(indexed_types(root, db, both_see), types, result)
    return result


def _one_per_folder(paths: Iterator[str]) -> list[str]:
    """A file of each source folder, of those that the live server looks at."""
    return list({path.partition("/")[0]: path for path in paths if _is_seen(path)}.values())


def sample_of(root: Root, size: int, seed: int) -> list[str]:
    """Return a sample of the tree's files, the same for the same tree, size and seed."""
    paths = [file.path for file in discover(root).files]
    stray = [path for path in paths if "/" not in path]
    if stray:
        raise SystemExit(f"{stray[0]} lies in no artifact's folder; name the folder of these")
    return sorted(random.Random(seed).sample(paths, min(size, len(paths))))


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", help="an index of the tree that is up to date; else one is made")
    arguments = parser.parse_args()
    root = resolve_root(arguments.tree)
    paths = sample_of(root, arguments.sample, arguments.seed)
    print(machine.as_line(machine.describe()))
    with tempfile.TemporaryDirectory(prefix="javadex-compare-") as folder:
        scratch = Path(folder)
        db = arguments.db or str(scratch / "index.db")
        if not arguments.db:
            command = [processes.javadex(), "index", "--db", db, root.path]
            processes.run(command, processes.environment(scratch))
        result = compare(root, db, paths, scratch)
    _report(result, arguments.seed)
    return int(result.differs)


def _report(result: Comparison, seed: int) -> None:
    for difference in result.outline_differences + result.type_differences:
        print(difference)
    rows = (
        (f"files in the sample (seed {seed})", result.outlines, ">= 500"),
        ("their outline nodes", result.nodes, ""),
        ("differences in outlines", len(result.outline_differences), "0"),
        ("files that plain jdt.ls does not look at", len(result.not_seen), ""),
        ("their types", result.types, ""),
        ("differences in types", len(result.type_differences), "0"),
    )
    print()
    print(tables.table(("", "figure", "target"), rows))


if __name__ == "__main__":
    sys.exit(main())
