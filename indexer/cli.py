"""The commands `index` and `status`: parse, call one function, render."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from indexer.build import BuildOptions, BuildReport, FileState, build
from indexer.cli_options import (
    asked,
    common_options,
    complete_folders,
    index_path,
    named_roots,
    print_json,
    write,
)
from indexer.engine import expected_recipe
from indexer.errors import IndexIncomplete, UsageError
from indexer.files import resolve_root
from indexer.jdtls.runtime import java_here
from indexer.library_build import LibraryReport
from indexer.limits import MAX_FILE_SIZE
from indexer.standing import Standing
from indexer.status import Status, WorkspaceStatus, problem_json, status, status_json

_SHARE = re.compile(r"(\d+)(%?)")


@click.command("index")
@click.argument("folders", nargs=-1, metavar="[ROOT]...", shell_complete=complete_folders)
@common_options
@click.option("--servers", type=click.IntRange(1, 64), help="Language servers. [cores + 1]")
@click.option("--heap", default="1g", show_default=True, help="Java heap of each, as for -Xmx.")
@click.option(
    "--file-timeout",
    type=click.FloatRange(min=0.1),
    default=60.0,
    show_default=True,
    help="Seconds without an outline after which a server counts as hung.",
)
@click.option(
    "--max-file-size",
    type=click.IntRange(min=0),
    default=MAX_FILE_SIZE,
    show_default=True,
    help="Bytes; larger files are skipped. 0: no limit.",
)
@click.option(
    "--max-failed",
    default="10%",
    show_default=True,
    metavar="N|N%",
    help="Exit with 5 when more files failed, as a number or a share.",
)
@click.option(
    "--retry-failed",
    is_flag=True,
    help="Ask again for files, and with --libraries for imports, that failed before.",
)
@click.option("--allow-empty", is_flag=True, help="Let an empty folder empty its index.")
@click.option("--no-git", is_flag=True, help="Walk the folder; take what git ignores, too.")
@click.option(
    "--libraries",
    is_flag=True,
    help="Types of the JDK and of dependencies, too: imports the build when it may have changed.",
)
@click.option(
    "--lock-timeout",
    type=click.FloatRange(min=0),
    default=600.0,
    show_default=True,
    help="Seconds to wait for another indexer.",
)
@click.option(
    "--progress",
    type=click.Choice(["auto", "none", "json"]),
    default="auto",
    show_default=True,
    help="A bar on a terminal, nothing, or JSON lines on stderr.",
)
def index_command(**arguments: Any) -> int:
    """Bring the index up to date with workspace folders.

    Asks the Eclipse JDT language server for the outline of every file whose content the index does
    not know yet. Without such files no server is started.
    """
    roots = named_roots((*arguments["folders"], *arguments["roots"])) or [resolve_root(os.curdir)]
    db = index_path(arguments["db"], roots)
    limit = _max_failed(arguments["max_failed"])
    progress = progress_of(arguments["progress"], arguments["quiet"])
    try:
        report = build(roots, db, _build_options(arguments), progress)
    except KeyboardInterrupt:
        progress.close()
        click.echo(
            f"javadex: interrupted after {progress.done} of {progress.total} files; what was "
            "finished is kept, run `javadex index` again to go on",
            err=True,
        )
        raise
    finally:
        progress.close()
    if arguments["as_json"]:
        print_json(_report_json(report))
    elif not arguments["quiet"]:
        write(_report_text(report))
    return _check_failures(report, limit)


def _build_options(arguments: dict[str, Any]) -> BuildOptions:
    return BuildOptions(
        java=arguments["java"],
        jdtls=arguments["jdtls"],
        servers=arguments["servers"],
        heap=arguments["heap"],
        answer_timeout=arguments["file_timeout"],
        use_git=not arguments["no_git"],
        max_file_size=arguments["max_file_size"],
        lock_timeout=arguments["lock_timeout"],
        allow_empty=arguments["allow_empty"],
        retry_failed=arguments["retry_failed"],
        libraries=arguments["libraries"],
    )


def _max_failed(text: str) -> Callable[[int], float]:
    """Return the function from a number of files to the number that may fail."""
    found = _SHARE.fullmatch(text.strip())
    if not found:
        raise UsageError(f"--max-failed is {text!r}; it takes a number (5) or a share (10%)")
    number = int(found[1])
    return (lambda files: files * number / 100) if found[2] else (lambda _: float(number))


def _check_failures(report: BuildReport, limit: Callable[[int], float]) -> int:
    failed = report.count(FileState.FAILED)
    if failed > limit(report.files):
        error = IndexIncomplete(f"{failed} of {report.files} files failed")
        click.echo(f"javadex: {error}; see `javadex status`", err=True)
        return error.exit_code
    return 0


def _report_json(report: BuildReport) -> dict[str, Any]:
    return {
        "db": report.db,
        "workspaces": [
            {
                "name": workspace.root.name,
                "root": workspace.root.path,
                "files": workspace.files,
                "reused": workspace.counts[FileState.REUSED],
                "outlined": workspace.counts[FileState.OUTLINED],
                "removed": workspace.removed,
                "skipped": workspace.counts[FileState.SKIPPED],
                "failed": workspace.counts[FileState.FAILED],
                "symbols": workspace.symbols,
                "types": workspace.types,
                **_libraries_json(workspace.libraries),
            }
            for workspace in report.workspaces
        ],
        "seconds": round(report.seconds, 3),
        "filesPerSecond": round(report.files / report.seconds, 1),
        "engine": report.engine,
        "problems": [
            problem_json(workspace.root.path, problem)
            for workspace in report.workspaces
            for problem in workspace.problems
        ],
    }


def _libraries_json(report: LibraryReport | None) -> dict[str, Any]:
    if report is None:
        return {}
    return {
        "libraries": report.libraries,
        "libraryTypes": report.types,
        "librariesCaptured": report.captured,
    }


def _report_text(report: BuildReport) -> str:
    lines = []
    for workspace in report.workspaces:
        counts = ", ".join(f"{count} {state.value}" for state, count in workspace.counts.items())
        lines.append(
            f"{workspace.root.name}: {workspace.files} files ({counts}, {workspace.removed} "
            f"removed), {workspace.symbols} symbols, {workspace.types} types"
        )
        if workspace.libraries:
            found = workspace.libraries
            how = "captured now" if found.captured else "as captured before"
            lines.append(f"  {found.libraries} libraries with {found.types} types, {how}")
        lines += [
            f"  {problem.state}: {problem.file}: {problem.reason}" for problem in workspace.problems
        ]
    lines.append(f"{report.seconds:.1f} s with {report.engine}, index {report.db}")
    return "\n".join(lines) + "\n"


@click.command("status")
@common_options
@click.option(
    "--no-git",
    is_flag=True,
    help="Walk the folder; take what git ignores, too. [default: as the last run did]",
)
@click.option("--max-file-size", type=click.IntRange(min=0), hidden=True)
def status_command(**arguments: Any) -> int:
    """Show how well the index fits what is on disk now."""
    roots, db, named = asked(arguments["roots"], arguments["db"])
    state = status(
        roots,
        db,
        expected_recipe(arguments["jdtls"]),
        explicit=named,
        use_git=False if arguments["no_git"] else None,
        max_file_size=arguments["max_file_size"],
        java=partial(java_here, arguments["java"]),
    )
    if arguments["as_json"]:
        print_json(status_json(state))
    else:
        write(_status_text(state))
    return 0


def _status_text(state: Status) -> str:
    lines = [f"index {state.db} (schema {state.schema})"]
    for workspace in state.workspaces:
        counts = ", ".join(f"{count} {name}" for name, count in workspace.summary.items())
        lines.append(
            f"{workspace.root.name}: {workspace.files} files ({counts}{_details(workspace)}), "
            f"{workspace.symbols} "
            f"symbols, {workspace.types} types, indexed {workspace.indexed_at or 'never'}"
        )
        lines += [
            f"  {problem.state}: {problem.file}: {problem.reason}" for problem in workspace.problems
        ]
    return "\n".join(lines) + "\n"


def _details(workspace: WorkspaceStatus) -> str:
    """What the five numbers do not tell, as far as there is any."""
    told = [
        f"{workspace.counts[standing]} {text}"
        for standing, text in _DETAILS.items()
        if workspace.counts[standing]
    ]
    return f"; {', '.join(told)}" if told else ""


_DETAILS = {
    Standing.CHANGED: "changed",
    Standing.OTHER_RECIPE: "of another engine",
    Standing.DAMAGED: "damaged",
    Standing.DELETED: "deleted",
    Standing.LIBRARY_UNKNOWN: "libraries not known here",
}


class _Silent:
    """Counts, and shows notices unless asked not to."""

    def __init__(self, quiet: bool = False) -> None:
        self.total = 0
        self.done = 0
        self._quiet = quiet

    def start(self, total: int) -> None:
        self.total = total
        self.done = 0

    def advance(self, count: int) -> None:
        self.done += count

    def notice(self, message: str) -> None:
        if not self._quiet:
            click.echo(f"javadex: {message}", err=True)

    def close(self) -> None:
        pass


class _Bar(_Silent):
    """A tqdm bar."""

    _bar: Any = None

    def start(self, total: int) -> None:
        from tqdm import tqdm

        self.close()  # a damaged index makes a run start over
        super().start(total)
        self._bar = tqdm(total=total, unit="file", file=sys.stderr, smoothing=0.1)

    def advance(self, count: int) -> None:
        super().advance(count)
        self._bar.update(count)

    def notice(self, message: str) -> None:
        if not self._quiet:
            from tqdm import tqdm

            tqdm.write(f"javadex: {message}", file=sys.stderr)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class _Lines(_Silent):
    """JSON lines on stderr for machines, at most ten a second.

    They come with `--quiet`, too: who asks for them by name wants to read them all.
    """

    _last = 0.0

    def advance(self, count: int) -> None:
        super().advance(count)
        now = time.monotonic()
        if now - self._last >= 0.1 or self.done == self.total:
            self._last = now
            click.echo(json.dumps({"done": self.done, "total": self.total}), err=True)

    def notice(self, message: str) -> None:
        click.echo(json.dumps({"notice": message}), err=True)


def progress_of(mode: str, quiet: bool) -> _Silent:
    """Return what shows how a run gets on; `mode` is that of `--progress`."""
    if mode == "json":
        return _Lines(quiet)
    shows_bar = mode == "auto" and not quiet and sys.stderr.isatty()
    return _Bar(quiet) if shows_bar else _Silent(quiet)
