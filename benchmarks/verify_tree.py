"""Hold the index of a tree against a plain live jdt.ls, and print the figures.

    python -m benchmarks.verify_tree TREE [--sample 500] [--seed 1] [--db FILE]

Runs `javadex verify` and prints its figures as a table, every difference before it. Without `--db`
the tree is indexed first. `--sample 0` takes all files. The exit code is that of `verify`: 1 when a
difference is real.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import machine, processes, tables


def verified(tree: str, db: str, sample: int, seed: int, scratch: Path) -> tuple[int, Any]:
    """Return exit code and document of `javadex verify`; it ends the script when there is none."""
    command = [processes.javadex(), "verify", "--root", tree, "--db", db, "--json"]
    options = ["--sample", str(sample), "--seed", str(seed)]
    run = subprocess.run(
        [*command, *options],
        env=processes.environment(scratch),
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    document = json.loads(run.stdout)
    if "error" in document:
        raise SystemExit(document["error"])
    return run.returncode, document


def rows(document: Any, seed: int) -> Iterator[tuple[str, object, str]]:
    """Yield name, figure and target for every workspace folder."""
    for workspace in document["workspaces"]:
        yield (
            f"files compared (seed {seed}, {workspace['project']} project)",
            workspace["files"],
            "",
        )
        yield "their outline nodes", workspace["nodes"], ""
        yield "their types", workspace["types"], ""
        yield "queries", workspace["queries"], ""
        yield "files that jdt.ls does not look at", workspace["counts"]["skipped"], ""
        yield "documented exceptions", workspace["counts"]["exception"], ""
        yield "files that changed since they were indexed", workspace["counts"]["stale"], "0"
        yield "real differences", workspace["counts"]["real"], "0"
    yield "seconds", document["seconds"], ""


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", help="an index of the tree that is up to date; else one is made")
    arguments = parser.parse_args()
    print(machine.as_line(machine.describe()))
    with tempfile.TemporaryDirectory(prefix="verify-tree-") as folder:
        scratch = Path(folder)
        db = arguments.db or str(scratch / "index.db")
        if not arguments.db:
            command = [processes.javadex(), "index", "--db", db, arguments.tree]
            processes.run(command, processes.environment(scratch))
        code, document = verified(arguments.tree, db, arguments.sample, arguments.seed, scratch)
    for workspace in document["workspaces"]:
        for difference in workspace["differences"]:
            print(json.dumps(difference, ensure_ascii=False))
    print()
    print(tables.table(("", "figure", "target"), rows(document, arguments.seed)))
    return code


if __name__ == "__main__":
    sys.exit(main())
