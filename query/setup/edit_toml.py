"""One table of TOML, set or taken out; every other byte stays. Pure.

A table can always be appended, so no writer of TOML is needed: the standard library's reader
(https://docs.python.org/3/library/tomllib.html) confirms that the result reads as the former
document with just that table changed.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from query.setup.texts import CannotEdit, appended, lines_of, newline_of, without

_HEADER = re.compile(r"^[ \t]*\[")
_IDLE = re.compile(r"^[ \t]*(#.*)?\r?\n?$")


def value_of(text: str, container: str, name: str) -> Any:
    """Return the table `container.name`, None when it is not there.

    Raises `CannotEdit` for a text that is no TOML, or whose container is no table.
    """
    held = _load(text).get(container, {})
    if not isinstance(held, dict):
        raise CannotEdit(f"its {container!r} is no table")
    return held.get(name)


def put(text: str, container: str, name: str, value: dict[str, Any]) -> str:
    """Return `text` with that table, at its end. Raises `CannotEdit`."""
    if value_of(text, container, name) == value:
        return text
    text = drop(text, container, name)
    wanted = _load(text)
    wanted.setdefault(container, {})[name] = value
    newline = newline_of(text)
    lines = [f"[{container}.{name}]", *(f"{key} = {_written(value[key])}" for key in value)]
    edited = appended(text, "".join(line + newline for line in lines))
    try:
        return _right(edited, wanted)
    except CannotEdit:
        raise CannotEdit(
            f"its {container!r} is an inline table, which takes no more entries; give each entry "
            f"a table of its own, [{container}.NAME]"
        ) from None


def drop(text: str, container: str, name: str) -> str:
    """Return `text` without that table; the same text when it has none. Raises `CannotEdit`."""
    if value_of(text, container, name) is None:
        return text
    wanted = _load(text)
    del wanted[container][name]
    for candidate in _cuts(text, container, name):
        try:
            return _right(candidate, wanted)
        except CannotEdit:
            continue
    raise CannotEdit(f"its table {container}.{name} is not written as one table with a header")


def _cuts(text: str, container: str, name: str) -> Iterator[str]:
    """Texts without the lines from a header of that table to the next one of another table."""
    lines = lines_of(text)
    part = r"""[ \t]*(?:%s|"%s"|'%s')[ \t]*"""
    outer, inner = (part % ((re.escape(word),) * 3) for word in (container, name))
    ours = re.compile(rf"^[ \t]*\[{outer}\.{inner}[.\]]")
    for first, line in enumerate(lines):
        if not ours.match(line):
            continue
        end = first + 1
        while end < len(lines) and (not _HEADER.match(lines[end]) or ours.match(lines[end])):
            end += 1
        while _IDLE.match(lines[end - 1]):  # comments behind it belong to what follows
            end -= 1
        yield without(text, first, end)


def _written(value: str | list[str]) -> str:
    """A string or list of strings; JSON's form is TOML's, but for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _right(edited: str, wanted: dict[str, Any]) -> str:
    found = _load(edited)
    # `repr` also compares the order, and finds a NaN equal to itself.
    if repr(_bare(found)) != repr(_bare(wanted)):
        raise CannotEdit("it is laid out in a way that cannot be edited safely")
    return edited


def _bare(document: dict[str, Any]) -> dict[str, Any]:
    """The document without empty tables of its root, which may be there by implication only."""
    return {key: value for key, value in copy.deepcopy(document).items() if value != {}}


def _load(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise CannotEdit("it is nested too deeply") from None
    except ValueError as exc:
        raise CannotEdit(f"it does not parse as TOML: {exc}") from None
