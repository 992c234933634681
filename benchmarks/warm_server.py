"""What a stale file costs: through the warm server, cold, and in jdt.ls itself.

    python -m benchmarks.warm_server TREE [--files 60] [--repeat 31] [--cold 5] [--renewals 15]

Each round gives a file of TREE a content that nobody has seen (a copy in a temporary folder, with
a line of comment before the first) and asks for its outline, in turn: by the command, by a service
that lives on, and by a jdt.ls session in this process, which is "plain jdt.ls". The last rows are
`find` in a copy of the whole tree after one file changed; then, what the warm server's JVM takes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import machine, processes, tables
from indexer.files import resolve_root
from indexer.javatext import decode
from indexer.jdtls import proof
from indexer.jdtls.runtime import locate
from indexer.jdtls.server import ServerOptions
from indexer.jdtls.session import Session, open_session
from indexer.jdtls.source import Source
from indexer.warm.client import connect
from query.contract import OutlineAnswer
from query.service import Scope, Service

_SEED = 1
_IDLE = 600
_OPEN = "plain jdt.ls, open document"
_TARGETS = {
    "stale file, command": "<= 150",
    "stale file, service": "<= 150",
    "stale file, service, over plain jdt.ls": "<= 60",
    "stale file, command, over plain jdt.ls": "<= 60",
    "cold, command": "<= 6000",
}


class Bench:
    """A folder of copies, an index, and the three ways to ask."""

    def __init__(self, files: Sequence[Path], scratch: Path) -> None:
        self._chance = random.Random(_SEED)
        self.root = scratch / "tree"
        self.root.mkdir()
        self._files = files
        self.env = {**processes.environment(scratch), "JAVADEX_SERVER_IDLE": str(_IDLE)}
        self.db = str(scratch / "index.db")

    def edited(self, number: int) -> Path:
        """A file whose content is new."""
        source = self._files[number % len(self._files)]
        path = self.root / source.name
        path.write_bytes(f"// {self._chance.random()}\n".encode() + source.read_bytes())
        return path

    def command(self, path: Path) -> float:
        """Seconds of a whole process."""
        found = processes.run(
            [
                *(processes.javadex(), "outline", str(path), "--json", "--explain"),
                *("--root", str(self.root), "--db", self.db),
            ],
            self.env,
        )
        if '"source": "live"' not in found.stdout:
            raise SystemExit(f"{path} was not answered live:\n{found.stdout[:500]}")
        return found.wall_seconds

    def service(self, service: Service, path: Path) -> float:
        """Seconds of a call in this process, storing included."""
        started = time.perf_counter()
        answer = service.outline(str(path))
        seconds = time.perf_counter() - started
        if not isinstance(answer, OutlineAnswer) or answer.provenance.source != "live":
            raise SystemExit(f"{path} was not answered live: {answer!r:.300}")
        return seconds


async def _plain(session: Session, path: Path) -> float:
    source = Source(0, path.stem, decode(path.read_bytes()))
    started = time.perf_counter()
    await session.outlines([source], [])
    return time.perf_counter() - started


async def _open_document(session: Session, path: Path) -> float:
    """By the route of many texts, which a single one took before there was the closed route."""
    source = Source(0, path.stem, decode(path.read_bytes()))
    started = time.perf_counter()
    unproven = await session._by_change([source], [])
    if unproven and proof.takes_sentinel(source.text):
        print(f"not proven: {path.name}", file=sys.stderr)
    return time.perf_counter() - started


def stale(bench: Bench, repeat: int) -> dict[str, list[float]]:
    """Seconds of `repeat` stale files by each way, in turn."""
    figures: dict[str, list[float]] = {}
    scope = Scope((resolve_root(str(bench.root)),), bench.db)
    with asyncio.Runner() as runner, Service(scope) as service:
        session = runner.run(open_session(locate(), ServerOptions(), 60.0))
        try:
            for number in range(-3, repeat):
                ways: dict[str, Callable[[Path], float]] = {
                    "command": bench.command,
                    "service": lambda path: bench.service(service, path),
                    "plain jdt.ls": lambda path: runner.run(_plain(session, path)),
                    _OPEN: lambda path: runner.run(_open_document(session, path)),
                }
                for name, way in ways.items():
                    seconds = way(bench.edited(number + repeat))
                    if number >= 0:
                        figures.setdefault(name, []).append(seconds)
        finally:
            runner.run(session.close())
    return figures


def cold(bench: Bench, repeat: int) -> list[float]:
    """Seconds of a stale file by the command, with no warm server there: it starts one."""
    seconds = []
    for number in range(repeat):
        _stop(bench)
        seconds.append(bench.command(bench.edited(number)))
    return seconds


def _stop(bench: Bench) -> None:
    processes.run([processes.javadex(), "server", "stop", "--json"], bench.env)


def renewals(tree: Path, scratch: Path, bench: Bench, repeat: int) -> dict[str, list[float]]:
    """Seconds of `find` in a copy of the whole tree, fresh and after an edit."""
    copy = scratch / "whole"
    shutil.copytree(tree, copy)
    db = str(scratch / "whole.db")
    print("indexing the tree", file=sys.stderr)
    processes.run([processes.javadex(), "index", str(copy), "--db", db, "-q"], bench.env)
    named = [path for path in sorted(copy.rglob("*.java")) if "-" not in path.name]
    files = random.Random(_SEED).sample(named, repeat)
    find = [processes.javadex(), "find", files[0].stem, "--root", str(copy), "--db", db, "-q"]
    figures: dict[str, list[float]] = {"find, fresh": [], "find, one file changed": []}
    for path in files:
        path.write_bytes(b"// changed\n" + path.read_bytes())
        figures["find, one file changed"].append(processes.run(find, bench.env).wall_seconds)
        figures["find, fresh"].append(processes.run(find, bench.env).wall_seconds)
    return figures


def report(figures: dict[str, list[float]]) -> str:
    """Return the table of medians, in milliseconds."""
    rows = [
        (
            name,
            len(seconds),
            1000 * statistics.median(seconds),
            1000 * sorted(seconds)[int(0.9 * (len(seconds) - 1))],
            _TARGETS.get(name, ""),
        )
        for name, seconds in figures.items()
    ]
    return tables.table(("ms", "n", "p50", "p90", "target for p50"), rows)


def over(figures: dict[str, list[float]], name: str) -> list[float]:
    """What a way takes beyond plain jdt.ls, round by round."""
    pairs = zip(figures[name], figures["plain jdt.ls"], strict=True)
    return [way - plain for way, plain in pairs]


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("--files", type=int, default=60, help="different files to take")
    parser.add_argument("--repeat", type=int, default=31, help="stale files by each way")
    parser.add_argument("--cold", type=int, default=5, help="cold starts")
    parser.add_argument("--renewals", type=int, default=15, help="edits in the whole tree")
    arguments = parser.parse_args()
    tree = Path(resolve_root(arguments.tree).path)
    every = sorted(tree.rglob("*.java"))
    files = random.Random(_SEED).sample(every, min(arguments.files, len(every)))
    print(machine.as_line(machine.describe()), f"tree: {len(every)} files\n")
    with tempfile.TemporaryDirectory(prefix="jdx-bench-") as folder:
        _measure(Bench(files, Path(folder)), Path(folder), tree, arguments)


def _measure(bench: Bench, scratch: Path, tree: Path, arguments: argparse.Namespace) -> None:
    runtime_dir = scratch / "run"
    runtime_dir.mkdir(mode=0o700)
    bench.env["XDG_RUNTIME_DIR"] = str(runtime_dir)
    os.environ.update(
        {name: bench.env[name] for name in ("XDG_RUNTIME_DIR", "JAVADEX_SERVER_IDLE")}
    )
    try:
        first = {"cold, command": cold(bench, arguments.cold)}
        found = stale(bench, arguments.repeat)
        figures = first | {f"stale file, {name}": seconds for name, seconds in found.items()}
        for name in ("command", "service"):
            figures[f"stale file, {name}, over plain jdt.ls"] = over(found, name)
        if arguments.renewals:
            figures |= renewals(tree, scratch, bench, arguments.renewals)
        print(report(figures))
        client = connect()
        if client:
            with client:
                for server in client.do("status")["servers"]:
                    print(f"\nthe warm server's JVM: {server['memory']} MB resident")
    finally:
        _stop(bench)


if __name__ == "__main__":
    main()
