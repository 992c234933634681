"""Index a tree into a fresh database, then once more unchanged; measure both runs.

    python -m benchmarks.index_tree TREE [--servers N] [--repeat N]

Prints one JSON document, then its medians as the rows of a Markdown table. How CPU time and memory
are measured: `benchmarks/processes.py`.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import machine, processes, tables

Figures = dict[str, float]

_SERVER = "java"

_ROWS = (
    ("files", "Java files in the tree", ""),
    ("unaccounted", "files neither outlined nor listed with a reason", "0"),
    ("outlined", "files that jdt.ls was asked about", ""),
    ("reused", "files with the content of another one", ""),
    ("failed", "failed, with a reason", ""),
    ("skipped", "skipped, with a reason", ""),
    ("nodes", "outline nodes", ""),
    ("types", "types", ""),
    ("wallSeconds", "wall seconds, start and database included", ""),
    ("filesPerSecond", "files per second", ">= 400"),
    ("cpuSeconds", "CPU seconds, all processes", ""),
    ("cpuMsPerFile", "CPU ms per file", "<= 3.5"),
    ("indexerCpuSeconds", "of these, the indexer", ""),
    ("serverCpuSeconds", "of these, the servers", ""),
    ("servers", "servers started", ""),
    ("serverPeakMb", "peak memory of the largest server, MB", "<= 400"),
    ("indexerPeakMb", "peak memory of the indexer, MB", "<= 200"),
    ("databaseMb", "database, MB", ""),
    ("bytesPerNode", "database bytes per stored node", "<= 300"),
    ("againWallSeconds", "second run: wall seconds", "< 1"),
    ("againCpuSeconds", "second run: CPU seconds", ""),
    ("againOutlined", "second run: outlined", "0"),
    ("againServers", "second run: Java processes", "0"),
)


def measure(tree: Path, db: Path, env: dict[str, str], options: list[str]) -> dict[str, Any]:
    """Index `tree` into `db`, which must not exist, twice; return the figures of both runs."""
    command = [processes.javadex(), "index", "--json", "--progress", "none"]
    command += ["--db", str(db), *options, str(tree)]
    first = processes.run(command, env, watch=True)
    figures = _first_run(first, json.loads(first.stdout), tree, db)
    again = processes.run(command, env, watch=True)
    return {**figures, **_second_run(again, json.loads(again.stdout))}


def _first_run(run: processes.Run, report: dict[str, Any], tree: Path, db: Path) -> dict[str, Any]:
    (workspace,) = report["workspaces"]
    files = workspace["files"]
    servers = run.named(_SERVER)
    indexer = run.processes[0]
    size, stored = _database(db)
    return {
        **{name: workspace[name] for name in ("files", "outlined", "reused", "failed", "skipped")},
        "unaccounted": _java_files(tree) - files + _unlisted(workspace, report["problems"]),
        "nodes": workspace["symbols"],
        "storedNodes": stored,
        "types": workspace["types"],
        "wallSeconds": run.wall_seconds,
        "filesPerSecond": files / run.wall_seconds,
        "cpuSeconds": run.cpu_seconds,
        "cpuMsPerFile": 1000 * run.cpu_seconds / max(files, 1),
        "sampledCpuSeconds": sum(seen.cpu_seconds for seen in run.processes),
        "indexerCpuSeconds": indexer.cpu_seconds,
        "serverCpuSeconds": sum(seen.cpu_seconds for seen in servers),
        "watcherCpuSeconds": run.watcher_seconds,
        "servers": len(servers),
        "serverPeakMb": max((seen.peak_bytes for seen in servers), default=0) / 1e6,
        "serverPeaksMb": [round(seen.peak_bytes / 1e6, 1) for seen in servers],
        "indexerPeakMb": indexer.peak_bytes / 1e6,
        "databaseMb": size / 1e6,
        "databaseBytes": size,
        "bytesPerNode": size / max(stored, 1),
        "engine": report["engine"],
        "problems": report["problems"],
    }


def _second_run(run: processes.Run, report: dict[str, Any]) -> dict[str, Any]:
    (workspace,) = report["workspaces"]
    return {
        "againWallSeconds": run.wall_seconds,
        "againCpuSeconds": run.cpu_seconds,
        "againOutlined": workspace["outlined"],
        # A server lives for seconds and costs seconds of CPU; the samples cannot miss one.
        "againServers": len(run.named(_SERVER)),
    }


def _java_files(tree: Path) -> int:
    """Java files in `tree`, counted without javadex."""
    return sum(
        name.endswith(".java") and os.path.isfile(os.path.join(folder, name))
        for folder, _, names in os.walk(tree)
        for name in names
    )


def _unlisted(workspace: dict[str, Any], problems: list[dict[str, str]]) -> int:
    """Files that count as failed or skipped, but are not listed with a reason."""
    listed = sum(bool(problem["reason"]) for problem in problems if problem["state"] != "notice")
    without: int = workspace["failed"] + workspace["skipped"]
    return without - listed


def _database(db: Path) -> tuple[int, int]:
    """Bytes on disk, with a log that was left behind, and stored nodes.

    A node counts once however many files share it: bytes for each are then no smaller than true.
    """
    parts = [db, db.with_name(f"{db.name}-wal"), db.with_name(f"{db.name}-shm")]
    size = sum(part.stat().st_size for part in parts if part.exists())
    connection = sqlite3.connect(f"file:{db}?mode=ro", uri=True)
    try:
        (nodes,) = connection.execute("SELECT count(*) FROM symbol").fetchone()
    finally:
        connection.close()
    return size, nodes


def medians(runs: list[dict[str, Any]]) -> Figures:
    """Return the median of every figure."""
    return {
        name: statistics.median(run[name] for run in runs)
        for name, value in runs[0].items()
        if isinstance(value, int | float)
    }


def warm_up(scratch: Path, env: dict[str, str]) -> None:
    """Index one file, so that byte code and jdt.ls' jars are there as on any later day."""
    tree = scratch / "warm-up"
    tree.mkdir()
    (tree / "Warm.java").write_text("class Warm { int up; }\n", encoding="utf-8")
    command = [processes.javadex(), "index", "--db", str(scratch / "warm-up.db"), str(tree)]
    processes.run(command, env)


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--servers", type=int, help="as for `javadex index`")
    parser.add_argument("--repeat", type=int, default=1, help="runs to take the median of")
    arguments = parser.parse_args()
    options = ["--servers", str(arguments.servers)] if arguments.servers else []
    document: dict[str, Any] = {"machine": machine.describe(), "tree": str(arguments.tree)}
    with tempfile.TemporaryDirectory(prefix="javadex-bench-") as folder:
        scratch = Path(folder)
        env = processes.environment(scratch)
        warm_up(scratch, env)
        runs = []
        for number in range(arguments.repeat):
            print(f"run {number + 1} of {arguments.repeat}", file=sys.stderr)
            runs.append(measure(arguments.tree, scratch / f"{number}.db", env, options))
    document |= {"options": options, "median": medians(runs), "runs": runs}
    print(json.dumps(document, indent=2))
    print()
    print(machine.as_line(document["machine"]))
    print()
    rows = [(label, document["median"][name], target) for name, label, target in _ROWS]
    print(tables.table(("", "figure", "target"), rows))


if __name__ == "__main__":
    main()
