"""What a question costs: a whole `javadex` process, and a question among many in one process.

    python -m benchmarks.query_process TREE [--repeat 31] [--queries 1000] [--db FILE]

The start-up of `find` and `outline` on fresh entries is compared with that of a process that only
imports click and sqlite3: same interpreter, run in turn, so that a busy moment meets all of them.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import machine, processes, tables
from indexer.files import resolve_root

_BASELINE = "import click, sqlite3"
_HUMP = re.compile(r"[A-Z][a-z0-9]*")
_SEED = 1


@dataclass(frozen=True, slots=True)
class Type:
    """A type in the index."""

    name: str
    qualified: str
    path: str


_FORMS: dict[str, Callable[[Type], str]] = {
    "exact name": lambda hit: hit.name,
    "qualified name": lambda hit: hit.qualified,
    "prefix in lower case": lambda hit: hit.name[: max(3, len(hit.name) // 2)].lower(),
    "humps": lambda hit: "".join(hump[:2] for hump in _HUMP.findall(hit.name)) or hit.name,
    "leading star": lambda hit: "*" + (_HUMP.findall(hit.name) or [hit.name])[-1],
}


def types_in(db: str) -> list[Type]:
    """Return the types of the index that are no package's, by path and line."""
    rows = _rows(db, "SELECT name, qualified_name, path FROM types ORDER BY path, line")
    return [Type(*row) for row in rows]


def _rows(db: str, sql: str) -> list[Any]:
    connection = sqlite3.connect(f"file:{db}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def typical(db: str, types: Sequence[Type]) -> Type:
    """Return the first type of the file whose outline has the median number of symbols."""
    first = {hit.path: hit for hit in reversed(types)}
    rows = _rows(db, "SELECT path FROM files WHERE state = 'outlined' ORDER BY symbols, path")
    paths = [path for (path,) in rows if path in first]
    if not paths:
        raise SystemExit(f"{db} holds no type")
    return first[paths[len(paths) // 2]]


def check(find: Sequence[str], outline: Sequence[str], env: Mapping[str, str]) -> None:
    """Make sure that both answers come from the index; also the first, slow start of each."""
    found = json.loads(processes.run([*find, "--json"], env).stdout)
    if not found["results"]:
        raise SystemExit(f"{' '.join(find)} found nothing")
    shown = json.loads(processes.run([*outline, "--json", "--explain"], env).stdout)
    if shown["_meta"]["source"] != "index" or not shown["symbols"]:
        raise SystemExit(f"{' '.join(outline)} was not answered from the index")


def start_up(
    commands: Mapping[str, Sequence[str]], repeat: int, env: Mapping[str, str]
) -> dict[str, tuple[float, float]]:
    """Return the median wall and CPU seconds of each command, run in turn `repeat` times."""
    runs: dict[str, list[processes.Run]] = {name: [] for name in commands}
    for command in commands.values():
        processes.run(command, env)
    for _ in range(repeat):
        for name, command in commands.items():
            runs[name].append(processes.run(command, env))
    return {
        name: (
            statistics.median(run.wall_seconds for run in of_one),
            statistics.median(run.cpu_seconds for run in of_one),
        )
        for name, of_one in runs.items()
    }


_TARGETS = {"javadex find": "<= 2.5", "javadex outline": "<= 2"}
"""Times the baseline; `find` with its look at all files."""


def start_up_table(medians: Mapping[str, tuple[float, float]], baseline: str) -> str:
    """Return the table of start-up costs, with ratios to `baseline`."""
    base_wall, base_cpu = medians[baseline]
    rows = [
        (
            f"`{name}`",
            1000 * wall,
            1000 * cpu,
            wall / base_wall,
            cpu / base_cpu,
            next((target for start, target in _TARGETS.items() if name.startswith(start)), ""),
        )
        for name, (wall, cpu) in medians.items()
    ]
    return tables.table(("process", "wall ms", "CPU ms", "x wall", "x CPU", "target"), rows)


def batch_seconds(
    command: Sequence[str], lines: Sequence[str], scratch: Path, env: Mapping[str, str]
) -> float:
    """Return the wall seconds of a whole process that answers `lines`; checks the count."""
    questions = scratch / "questions.txt"
    questions.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    run = processes.run([*command, "--batch", str(questions)], env)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    missed = sum(not (answer.get("results") or answer.get("symbols")) for answer in answers)
    if len(answers) != len(lines) or missed:
        raise SystemExit(f"{len(lines)} questions, {len(answers)} answers, {missed} of them empty")
    return run.wall_seconds


def throughput_table(
    options: Sequence[str], types: Sequence[Type], count: int, scratch: Path, env: Mapping[str, str]
) -> str:
    """Return the table of questions per second, `count` questions of each form."""
    sample = random.Random(_SEED).choices(types, k=count)
    find = [processes.javadex(), "find", *options]
    outline = [processes.javadex(), "outline", *options]
    forms = list(_FORMS.values())
    mixed = [forms[number % len(forms)](hit) for number, hit in enumerate(sample)]
    rows: list[tuple[str, int, float, float]] = []

    def add(label: str, command: Sequence[str], lines: Sequence[str]) -> None:
        seconds = batch_seconds(command, lines, scratch, env)
        rows.append((label, len(lines), seconds, len(lines) / seconds))

    add("`find`, all forms mixed", find, mixed)
    for name, form in _FORMS.items():
        add(f"`find`, {name}", find, [form(hit) for hit in sample])
    add("`outline`", outline, [hit.path for hit in sample])
    return tables.table(("one process", "questions", "wall s", "questions per s"), rows)


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("--repeat", type=int, default=31, help="starts of each command")
    parser.add_argument("--queries", type=int, default=1000, help="questions per batch")
    parser.add_argument("--db", help="an index of the tree that is up to date; else one is made")
    arguments = parser.parse_args()
    root = resolve_root(arguments.tree)
    print(machine.as_line(machine.describe()))
    with tempfile.TemporaryDirectory(prefix="javadex-bench-") as folder:
        scratch = Path(folder)
        env = processes.environment(scratch)
        db = arguments.db or str(scratch / "index.db")
        if not arguments.db:
            print("indexing the tree", file=sys.stderr)
            processes.run([processes.javadex(), "index", "--db", db, root.path], env)
        _measure(["--db", db, "--root", root.path], db, arguments, scratch, env)


def _measure(
    options: list[str],
    db: str,
    arguments: argparse.Namespace,
    scratch: Path,
    env: Mapping[str, str],
) -> None:
    types = types_in(db)
    hit = typical(db, types)
    find = [processes.javadex(), "find", hit.name, *options]
    outline = [processes.javadex(), "outline", hit.path, *options]
    check(find, outline, env)
    baseline = f"python -c '{_BASELINE}'"
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        baseline: [sys.executable, "-c", _BASELINE],
        f"javadex find {hit.name}": find,
        f"javadex outline {Path(hit.path).name}": outline,
    }
    print("measuring start-up", file=sys.stderr)
    print(f"\n{start_up_table(start_up(commands, arguments.repeat, env), baseline)}")
    print("measuring batches", file=sys.stderr)
    print(f"\n{throughput_table(options, types, arguments.queries, scratch, env)}")


if __name__ == "__main__":
    main()
