"""One entry of an object in JSON, set or taken out; every other byte stays. Pure.

Takes JSON as editors do: with comments and trailing commas (https://code.visualstudio.com/docs/
languages/json#_json-with-comments). An edit is a splice, and is believed only if the result reads
as the former document with just that entry changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn

from query.setup.texts import SPACE, CannotEdit, newline_of

_STRING = r'"(?:[^"\\\r\n]|\\.)*"'
_COMMENT = re.compile(rf"{_STRING}|//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING = re.compile(rf"{_STRING}|,(?=[ \t\r\n]*[}}\]])", re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n]*")


class _Member(NamedTuple):
    """A member of an object; offsets into the text."""

    name: str
    start: int
    value: int
    """Where the value begins."""
    end: int


class _Object(NamedTuple):
    """An object; `start` is its opening brace, `end` is behind the closing one."""

    start: int
    end: int
    members: list[_Member]


class _Text(NamedTuple):
    """A text and two versions of the same length."""

    raw: str
    spaced: str
    """Comments are spaces."""
    strict: str
    """So are trailing commas: JSON."""


def value_of(text: str, container: str, name: str) -> Any:
    """Return the value of `name` in the object `container` of the root, None when it is not there.

    Raises `CannotEdit` for a text that is no JSON object, or whose container is none.
    """
    if not text.strip(SPACE):
        return None
    held = _load(_versions(text)).get(container, {})
    if not isinstance(held, dict):
        raise CannotEdit(f"its {container!r} is no object")
    return held.get(name)


def put(text: str, container: str, name: str, value: Any) -> str:
    """Return `text` with that entry, at the end of `container` if it is new.

    Raises `CannotEdit`.
    """
    if not text.strip(SPACE):
        return text + json.dumps({container: {name: value}}, indent=2, ensure_ascii=False) + "\n"
    if value_of(text, container, name) == value:
        return text
    versions = _versions(text)
    wanted = _load(versions)
    wanted.setdefault(container, {})[name] = value
    root = _object(versions, _skip(versions.strict, 0))
    found = _member(root, container)
    if found is None:
        edited = _inserted(versions, root, container, {name: value})
    else:
        holder = _object(versions, found.value)
        former = _member(holder, name)
        if former is None:
            edited = _inserted(versions, holder, name, value)
        else:
            written = _written(value, text, _indent(text, former.start))
            edited = text[: former.value] + written + text[former.end :]
    return _first_right([edited], wanted)


def drop(text: str, container: str, name: str) -> str:
    """Return `text` without that entry; the same text when it has none. Raises `CannotEdit`."""
    if value_of(text, container, name) is None:
        return text
    versions = _versions(text)
    wanted = _load(versions)
    del wanted[container][name]
    holder_at = _member(_object(versions, _skip(versions.strict, 0)), container)
    assert holder_at is not None
    holder = _object(versions, holder_at.value)
    former = _member(holder, name)
    assert former is not None
    # With the white space before it, unless a comment to the end of the line would take the rest.
    return _first_right(
        [_without(versions, holder, former, bare=bare) for bare in (False, True)], wanted
    )


def _without(versions: _Text, holder: _Object, former: _Member, *, bare: bool) -> str:
    raw, spaced = versions.raw, versions.spaced
    start = former.start if bare else len(raw[: former.start].rstrip(SPACE))
    after = _skip(spaced, former.end)
    if spaced[after] == ",":
        comma = after
    elif former is not holder.members[0]:
        comma = spaced.rindex(",", 0, former.start)
    else:
        comma = -1
    cuts = sorted([(start, former.end), *([(comma, comma + 1)] if comma >= 0 else [])])
    pieces, at = [], 0
    for begin, end in cuts:
        pieces.append(raw[at : max(at, begin)])
        at = max(at, end)
    return "".join([*pieces, raw[at:]])


def _inserted(versions: _Text, holder: _Object, name: str, value: Any) -> str:
    """The text with a new last member of `holder`, in the style of what is there."""
    raw = versions.raw
    closing = holder.end - 1
    tail = len(raw[:closing].rstrip(SPACE))  # behind the last comment, too
    last = holder.members[-1] if holder.members else None
    trailing = last is not None and "," in versions.spaced[last.end : closing]
    lines = last is None or _in_lines(raw, holder)
    base = _indent(raw, holder.start)
    inner = _inner_indent(raw, holder, base)
    key = json.dumps(name, ensure_ascii=False)
    if lines:
        newline = newline_of(raw)
        added = f"{newline}{inner}{key}: {_written(value, raw, inner)}"
        end = "" if "\n" in raw[tail:closing] else newline + base
    else:
        added, end = f" {key}: {json.dumps(value, ensure_ascii=False)}", ""
    if trailing:
        added += ","
    elif last is not None:
        return raw[: last.end] + "," + raw[last.end : tail] + added + end + raw[tail:]
    return raw[:tail] + added + end + raw[tail:]


def _in_lines(raw: str, holder: _Object) -> bool:
    first, last = holder.members[0], holder.members[-1]
    return "\n" in raw[holder.start : first.start] or "\n" in raw[last.end : holder.end]


def _inner_indent(raw: str, holder: _Object, base: str) -> str:
    """The white space before a member: that of the first one, else one step more than `base`."""
    if holder.members:
        first = holder.members[0].start
        line = raw.rfind("\n", 0, first) + 1
        if line > holder.start and not raw[line:first].strip(" \t"):
            return raw[line:first]
    return base + _step(raw)


def _step(raw: str) -> str:
    """One step of indentation: that of the first indented line that begins with a string."""
    found = re.search(r'^([ \t]+)"', raw, re.MULTILINE)
    return found[1] if found else "  "


def _indent(raw: str, at: int) -> str:
    """The white space that begins the line of `at`."""
    line = raw[raw.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _written(value: Any, raw: str, indent: str) -> str:
    lines = json.dumps(value, indent=_step(raw), ensure_ascii=False).split("\n")
    return (newline_of(raw) + indent).join(lines)


def _first_right(candidates: list[str], wanted: dict[str, Any]) -> str:
    """The first text that reads as `wanted`, in order, too."""
    for edited in candidates:
        try:
            if json.dumps(_load(_versions(edited))) == json.dumps(wanted):
                return edited
        except CannotEdit:
            continue
    raise CannotEdit("it is laid out in a way that cannot be edited safely")


def _versions(text: str) -> _Text:
    spaced = _COMMENT.sub(_spaces_for_comment, text)
    strict = _TRAILING.sub(lambda match: " " if match[0] == "," else match[0], spaced)
    return _Text(text, spaced, strict)


def _spaces_for_comment(match: re.Match[str]) -> str:
    found = match[0]
    return found if found.startswith('"') else re.sub(r"[^\r\n]", " ", found)


def _load(versions: _Text) -> dict[str, Any]:
    try:
        document = json.loads(versions.strict, parse_constant=_no_constant)
    except RecursionError:
        raise CannotEdit("it is nested too deeply") from None
    except ValueError as exc:
        raise CannotEdit(f"it does not parse as JSON: {exc}") from None
    if not isinstance(document, dict):
        raise CannotEdit("it holds no JSON object")
    return document


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _object(versions: _Text, start: int) -> _Object:
    members = list(_members(versions.strict, start + 1))
    end = _skip(versions.strict, members[-1].end if members else start + 1)
    return _Object(start, end + 1, members)


def _members(strict: str, at: int) -> Iterator[_Member]:
    """Members of an object of a text that is known to be JSON, from behind its brace."""
    decoder = json.JSONDecoder()
    at = _skip(strict, at)
    while strict[at] != "}":
        if strict[at] == ",":
            at = _skip(strict, at + 1)
        name, end = decoder.raw_decode(strict, at)
        value = _skip(strict, _skip(strict, end) + 1)  # over the colon
        _, behind = decoder.raw_decode(strict, value)
        yield _Member(name, at, value, behind)
        at = _skip(strict, behind)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _member(holder: _Object, name: str) -> _Member | None:
    found = [member for member in holder.members if member.name == name]
    if len(found) > 1:
        raise CannotEdit(f"it has {name!r} twice")
    return found[0] if found else None
