"""What a client passes, checked: the arguments of a call as data, or the error that they are. Pure.

A number out of range is clamped, as the contract has it; anything of another type, and a parameter
that no tool has, is an error that says what to pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from indexer.model import SymbolKind
from query.contract import ErrorCode, ToolError
from query.kinds import KINDS, kinds_of
from query.limits import DEFAULT_LIMIT
from query.mcp.tools import LEAST_CHARS, LONGEST_WAIT, MOST_HITS, MOST_NODES, TOOLS

_Input = TypeVar("_Input")


class FindInput(NamedTuple):
    """A call of findSymbol."""

    query: str
    limit: int
    kinds: frozenset[SymbolKind] | None
    declarations: bool
    path: str
    max_chars: int | None


class OutlineInput(NamedTuple):
    """A call of getFileStructure."""

    uri: str
    limit: int
    max_chars: int | None


class RefreshInput(NamedTuple):
    """A call of the refresh tool."""

    wait: int
    """Seconds."""
    retry_failed: bool


class _WrongError(Exception):
    """An argument that cannot be taken."""

    def __init__(self, name: str, value: object, wanted: str) -> None:
        super().__init__(name, value, wanted)
        self.error = ToolError(
            ErrorCode.INVALID_PARAMETER, f"the parameter `{name}` is {value!r:.200}", wanted
        )


def find_input(arguments: Mapping[str, Any]) -> FindInput | ToolError:
    """Return the arguments of findSymbol, or what is wrong with them."""
    return _checked(
        lambda: FindInput(
            _text(arguments, "query", None),
            _number(arguments, "limit", DEFAULT_LIMIT, 1, MOST_HITS),
            _kinds(arguments),
            _flag(arguments, "declarations"),
            _text(arguments, "path", ""),
            _max_chars(arguments),
        ),
    )


def outline_input(arguments: Mapping[str, Any]) -> OutlineInput | ToolError:
    """Return the arguments of getFileStructure, or what is wrong with them."""
    return _checked(
        lambda: OutlineInput(
            _text(arguments, "uri", None),
            _number(arguments, "limit", DEFAULT_LIMIT, 1, MOST_NODES),
            _max_chars(arguments),
        ),
    )


def refresh_input(arguments: Mapping[str, Any]) -> RefreshInput | ToolError:
    """Return the arguments of the refresh tool, or what is wrong with them."""
    return _checked(
        lambda: RefreshInput(
            _number(arguments, "wait", 30, 0, LONGEST_WAIT), _flag(arguments, "retryFailed")
        ),
    )


def unknown_parameter(tool: str, arguments: Mapping[str, Any]) -> ToolError | None:
    """Return the error that the first parameter is which `tool` does not have, if there is one."""
    known = TOOLS[tool].inputs
    for name in arguments:
        if name not in known:
            takes = f"{tool} takes {', '.join(known)}" if known else f"{tool} takes no parameter"
            return ToolError(
                ErrorCode.INVALID_PARAMETER, f"there is no parameter `{name[:200]}`", takes
            )
    return None


def _checked(read: Callable[[], _Input]) -> _Input | ToolError:
    try:
        return read()
    except _WrongError as exc:
        return exc.error


def _text(arguments: Mapping[str, Any], name: str, default: str | None) -> str:
    value = arguments.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise _WrongError(name, value, "pass a text")
    return value


def _flag(arguments: Mapping[str, Any], name: str) -> bool:
    value = arguments.get(name)
    if value is not None and not isinstance(value, bool):
        raise _WrongError(name, value, "pass true or false")
    return bool(value)


def _number(arguments: Mapping[str, Any], name: str, default: int, least: int, most: int) -> int:
    value = arguments.get(name)
    if value is None:
        return default
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if isinstance(value, bool) or not whole:
        raise _WrongError(name, value, f"pass a whole number from {least} to {most}")
    return min(max(int(value), least), most)


def _max_chars(arguments: Mapping[str, Any]) -> int | None:
    if arguments.get("maxChars") is None:
        return None
    return _number(arguments, "maxChars", 0, LEAST_CHARS, 1 << 31)


def _kinds(arguments: Mapping[str, Any]) -> frozenset[SymbolKind] | None:
    value = arguments.get("kinds")
    wanted = f"pass a list of {', '.join(KINDS)}"
    if value is None:
        return None
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _WrongError("kinds", value, wanted)
    try:
        return kinds_of(names)
    except ValueError as exc:
        raise _WrongError("kinds", str(exc), wanted) from None
