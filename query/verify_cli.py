"""The command `verify`: parse, call one function, render."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from indexer.cli import progress_of
from indexer.cli_options import asked, common_options, print_json, write
from indexer.jdtls.server import ServerOptions
from indexer.jdtls.standard import StandardOptions
from indexer.limits import MAX_FILE_SIZE
from query.parity import Class, Difference, Kind, counts
from query.service import Scope
from query.verify import VerifyOptions, VerifyReport, WorkspaceReport, verify


@click.command("verify")
@common_options
@click.option(
    "--sample",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Files to compare in each folder; 0: all.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the samples.")
@click.option(
    "--queries",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    metavar="N",
    help="Queries to compare in each folder.",
)
@click.option("--no-import", is_flag=True, help="Do not run the build; generate a project.")
@click.option("--offline", is_flag=True, help="Import the build without a network.")
@click.option(
    "--maven-settings",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True),
    help="A settings.xml for the import, in place of the user's.",
)
@click.option("--heap", default="2g", show_default=True, help="Java heap, as for -Xmx.")
@click.option("--no-git", is_flag=True, help="Walk the folder; take what git ignores, too.")
@click.option("--max-file-size", type=click.IntRange(min=0), default=MAX_FILE_SIZE, hidden=True)
def verify_command(**arguments: Any) -> int:
    """Compare the index with what a live jdt.ls answers, and judge every difference.

    stale: run `javadex index`. skipped: jdt.ls does not look at the file. exception: a documented
    difference. real: one side is wrong; only these make the exit code 1.
    """
    roots, db, named = asked(arguments["roots"], arguments["db"])
    scope = Scope(tuple(roots), db, arguments["java"], arguments["jdtls"], explicit=named)
    progress = progress_of("auto", arguments["quiet"])
    try:
        report = verify(scope, _options(arguments), progress)
    finally:
        progress.close()
    if arguments["as_json"]:
        print_json(_report_json(report))
    else:
        write(_report_text(report))
    return 0 if report.holds else 1


def _options(arguments: dict[str, Any]) -> VerifyOptions:
    return VerifyOptions(
        sample=arguments["sample"],
        seed=arguments["seed"],
        queries=arguments["queries"],
        use_git=not arguments["no_git"],
        max_file_size=arguments["max_file_size"],
        server=StandardOptions(
            server=ServerOptions(heap=arguments["heap"]),
            import_build=not arguments["no_import"],
            offline=arguments["offline"],
            maven_settings=arguments["maven_settings"] or "",
        ),
    )


def _report_json(report: VerifyReport) -> dict[str, Any]:
    return {
        "workspaces": [_workspace_json(workspace) for workspace in report.workspaces],
        "seconds": round(report.seconds, 3),
    }


def _workspace_json(workspace: WorkspaceReport) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": workspace.root.name,
        "root": workspace.root.path,
        "project": workspace.project,
    }
    if workspace.import_problem:
        document["importProblem"] = workspace.import_problem
    return document | {
        "files": workspace.files,
        "nodes": workspace.nodes,
        "types": workspace.types,
        "queries": workspace.queries,
        "counts": {key.value: number for key, number in counts(workspace.differences).items()},
        "differences": [_difference_json(difference) for difference in workspace.differences],
    }


def _difference_json(difference: Difference) -> dict[str, str]:
    subject = "query" if difference.kind is Kind.QUERY else "file"
    return {
        "class": difference.verdict.value,
        "kind": difference.kind.value,
        subject: difference.subject,
        "detail": difference.detail,
    }


def _report_text(report: VerifyReport) -> str:
    lines = [line for workspace in report.workspaces for line in _workspace_text(workspace)]
    verdict = "no real difference" if report.holds else "the index differs from jdt.ls"
    lines.append(f"{verdict}, {report.seconds:.1f} s")
    return "\n".join(lines) + "\n"


def _workspace_text(workspace: WorkspaceReport) -> Iterator[str]:
    found = counts(workspace.differences)
    numbers = ", ".join(f"{number} {key.value}" for key, number in found.items())
    yield (
        f"{workspace.root.name} ({workspace.project}): {workspace.files} files, "
        f"{workspace.nodes} nodes, {workspace.types} types, {workspace.queries} queries compared; "
        f"differences: {numbers}"
    )
    if workspace.import_problem:
        yield f"  import: {workspace.import_problem}"
    for verdict in reversed(Class):
        for difference in workspace.differences:
            if difference.verdict is verdict:
                name = f"{verdict.value} {difference.kind.value}"
                yield f"  {name}: {difference.subject}: {difference.detail}"
