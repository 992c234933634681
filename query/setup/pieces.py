"""What is ours in a file, whatever its form: is it there, putting it in, taking it out. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from query.setup import edit_block, edit_json, edit_toml
from query.setup.texts import SPACE

NAME = "javadex"
"""Of the server, the skill, and every entry that is written."""


@dataclass(frozen=True, slots=True)
class Piece:
    """What is ours in a file. `found`, `put` and `drop` raise `CannotEdit`."""

    what: str
    """What it is, for messages."""
    wanted: str
    """What `found` returns of a text that is as we want it."""
    found: Callable[[str], str | None]
    """What stands in our place in a text, whoever wrote it; None: nothing."""
    put: Callable[[str], str]
    """A text with the piece."""
    drop: Callable[[str], str]
    """A text without it."""
    looks_ours: Callable[[str], bool]
    """True for what only a set-up of javadex leaves there, of whatever version and command."""
    serves: Callable[[str], bool]
    """True for what does for the client what ours does, whoever wrote it."""
    tell: Callable[[str], str] = lambda found: ""  # noqa: ARG005 - too long to be told
    """What was found, for messages; empty where that says nothing."""
    rest: str = ""
    """What is left of a file that we created, without white space."""
    marked: bool = False
    """True when the text says that what is found there gets replaced."""

    def is_rest(self, text: str) -> bool:
        """True when nothing in `text` was written by others."""
        return "".join(text.split()) in ("", self.rest)


def json_entry(container: str, value: dict[str, Any]) -> Piece:
    """Return the piece for a server in a JSON file."""

    def found(text: str) -> str | None:
        there = edit_json.value_of(text, container, NAME)
        return None if there is None else _canonical(there)

    return Piece(
        what=f"the entry {container}.{NAME}",
        wanted=_canonical(value),
        found=found,
        put=lambda text: edit_json.put(text, container, NAME, value),
        drop=lambda text: edit_json.drop(text, container, NAME),
        looks_ours=lambda there: _as_written(there, value),
        serves=_starts_javadex,
        tell=_without_secrets,
        rest=f'{{"{container}":{{}}}}',
    )


def toml_table(container: str, value: dict[str, Any]) -> Piece:
    """Return the piece for a server in a TOML file."""

    def found(text: str) -> str | None:
        there = edit_toml.value_of(text, container, NAME)
        return None if there is None else _canonical(there)

    return Piece(
        what=f"the table {container}.{NAME}",
        wanted=_canonical(value),
        found=found,
        put=lambda text: edit_toml.put(text, container, NAME, value),
        drop=lambda text: edit_toml.drop(text, container, NAME),
        looks_ours=lambda there: _as_written(there, value),
        serves=_starts_javadex,
        tell=_without_secrets,
    )


def block(text: str) -> Piece:
    """Return the piece for lines between markers, which tell whose they are."""
    return Piece(
        what="the block of javadex",
        wanted=text,
        found=edit_block.block_of,
        put=lambda former: edit_block.put(former, text),
        drop=edit_block.drop,
        looks_ours=lambda _: True,
        serves=lambda _: True,
        marked=True,
    )


def whole(text: str) -> Piece:
    """Return the piece for a file that is all ours; git may have changed its line ends."""

    def found(there: str) -> str | None:
        return there.replace("\r\n", "\n") if there.strip(SPACE) else None

    return Piece(
        what="the text",
        wanted=text,
        found=found,
        put=lambda _: text,
        drop=lambda _: "",
        looks_ours=lambda _: False,
        serves=lambda _: False,
    )


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _starts_javadex(found: str) -> bool:
    """True for a server that ends in `mcp --root FOLDER`, however javadex itself is started."""
    value = json.loads(found)
    arguments = value.get("args") if isinstance(value, dict) else None
    return isinstance(arguments, list) and arguments[-3:-1] == ["mcp", "--root"]


def _as_written(found: str, ours: dict[str, Any]) -> bool:
    """True for a server that starts javadex, and has no field that `ours` has not just so."""
    if not _starts_javadex(found):
        return False
    rest = {key: item for key, item in json.loads(found).items() if key not in ("command", "args")}
    return rest.items() <= ours.items()


def _without_secrets(found: str) -> str:
    """A server as it may be shown: values that may be secret are left out."""
    value = json.loads(found)
    if not isinstance(value, dict):
        return found
    shown = ("type", "command", "args", "tools", "cwd", "url")
    return _canonical({key: item if key in shown else "…" for key, item in value.items()})
