"""The command `doctor`: parse, have all looked at, render."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from indexer.cli_options import (
    asked,
    color_option,
    common_options,
    print_json,
    wants_colours,
    write,
)
from query.doctor import examine
from query.findings import Finding, Level
from query.render import printable
from query.service import Scope

_COLOURS = {Level.OK: "green", Level.WARNING: "yellow", Level.ERROR: "red"}


@click.command("doctor")
@common_options
@color_option
@click.option("--deep", is_flag=True, help="Start a language server, too, and ask it something.")
def doctor_command(**arguments: Any) -> int:
    """Look whether all that javadex needs is there, and say what to do where it is not.

    Java, jdt.ls, SQLite, the index and how fresh it is, the warm server, disks, git, clients. Exit
    code 1 when something is an error. Writes nothing.
    """
    roots, db, named = asked(arguments["roots"], arguments["db"])
    scope = Scope(tuple(roots), db, arguments["java"], arguments["jdtls"], named)
    findings = examine(scope, deep=arguments["deep"])
    if arguments["as_json"]:
        print_json(findings_json(findings))
    else:
        write(_text(findings, wants_colours(arguments["color"]), arguments["quiet"]))
    return 0 if _is_ok(findings) else 1


def findings_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """Return the JSON of what was found; `remedy` is there when something is not ok."""
    return {
        "findings": [
            {"check": each.check, "level": each.level.value, "found": each.found}
            | ({"remedy": each.remedy} if each.remedy else {})
            for each in findings
        ],
        "ok": _is_ok(findings),
    }


def _is_ok(findings: Sequence[Finding]) -> bool:
    return all(each.level is not Level.ERROR for each in findings)


def _text(findings: Sequence[Finding], colours: bool, quiet: bool) -> str:
    """A line for each finding, and one below it for its remedy; `quiet` leaves out what is ok."""
    shown = [each for each in findings if not (quiet and each.level is Level.OK)]
    width = max((len(each.check) for each in findings), default=0)
    lines = []
    for each in shown:
        level = f"{each.level.value:<7}"
        if colours:
            level = click.style(level, _COLOURS[each.level])
        lines.append(f"{level}  {each.check:<{width}}  {printable(each.found)}")
        if each.remedy:
            lines.append(f"{'':<7}  {'':<{width}}  -> {printable(each.remedy)}")
    return "".join(f"{line}\n" for line in lines)
