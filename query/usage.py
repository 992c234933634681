"""What was probably meant by a call that cannot be understood. Imported only then."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence

import click

from query.kinds import kinds_of
from query.render import printable

_OTHER_NAMES = {
    "build": "index",
    "check": "doctor",
    "lookup": "find",
    "query": "find",
    "rebuild": "index",
    "refresh": "index",
    "reindex": "index",
    "search": "find",
    "serve": "mcp",
    "structure": "outline",
    "symbol": "find",
    "symbols": "outline",
    "update": "index",
}
"""What other tools call what is done here."""

_UNEXPECTED = "Got unexpected extra argument"
"""How click begins that message, in English; without that it goes unexplained."""


def unknown_command(arguments: Sequence[str], commands: Sequence[str]) -> str:
    """Return the message for arguments of which the first is no command."""
    name, *rest = arguments
    meant = _meant(name, commands)
    words = [meant, *rest] if meant in _near(name, commands) else [meant, *arguments]
    return f"there is no command {printable(name)!r}; did you mean: {_call(words)}"


def too_early(option: str, arguments: Sequence[str], commands: Sequence[str]) -> str:
    """Return the message for an option that stands before the command."""
    cause = f"{option} stands before the command, options go behind it"
    for place, word in enumerate(arguments):
        if word in commands:
            words = [word, *arguments[:place], *arguments[place + 1 :]]
            return f"{cause}: {_call(words)}"
    return f"{cause}, as in: javadex find QUERY {option}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `did you mean type?` with the nearest of `known`, "" when none is near."""
    near = _closest(word, known)
    return f"did you mean {near}? " if near else ""


def helped(error: click.UsageError, arguments: Sequence[str]) -> click.UsageError:
    """Return `error`, or one with a remedy where it is a common mistake."""
    if error.ctx is None or not error.message.startswith(_UNEXPECTED):
        return error
    if error.ctx.info_name == "find":
        remedy = f"find takes one QUERY: {_one_query(arguments)}"
    elif error.ctx.info_name == "outline":
        remedy = "outline takes one FILE; more of them go into --batch, one a line"
    elif any(parameter.name == "roots" for parameter in error.ctx.command.params):
        remedy = "a workspace folder is named with --root"
    else:
        return error
    return click.UsageError(f"{error.format_message().rstrip('.')}; {remedy}", error.ctx)


def _one_query(arguments: Sequence[str]) -> str:
    words = [word for word in arguments[1:] if not word.startswith("-")]
    if len(words) == 2 and _is_kind(words[0]):
        return f"did you mean: {_call(['find', words[1], '--kind', words[0].lower()])}"
    return "quote one that has blanks; several go into --batch, one a line"


def _is_kind(word: str) -> bool:
    try:
        return kinds_of([word]) is not None
    except ValueError:
        return False


def _meant(name: str, commands: Sequence[str]) -> str:
    """The command that was meant; `find` or `outline` when it was forgotten."""
    near = _near(name, commands)
    if near:
        return near[0]
    return "outline" if name.endswith(".java") or os.path.isfile(name) else "find"


def _near(name: str, commands: Sequence[str]) -> list[str]:
    """The command that `name` stands for, [] for none: a type's name has a capital or a dot."""
    if name != name.lower() or "." in name or "/" in name:
        return []
    near = _closest(name, [*commands, *_OTHER_NAMES])
    near = _OTHER_NAMES.get(near, near)
    return [near] if near in commands else []


def _closest(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word.lower(), list(known), 1)), "")


def _call(words: Iterable[str]) -> str:
    return printable(shlex.join(["javadex", *words]))
