"""What the editors of texts share. Pure."""

from __future__ import annotations

SPACE = " \t\r\n"
"""White space of JSON and TOML; that of `str.strip` is more."""


class CannotEdit(ValueError):
    """A text that cannot be edited without touching what is not ours; `str()` is the cause."""


def newline_of(text: str) -> str:
    r"""Return the line end of the first line, `\n` where there is none."""
    head, newline, _ = text.partition("\n")
    return "\r\n" if newline and head.endswith("\r") else "\n"


def appended(text: str, lines: str) -> str:
    """Return `text` with lines at its end that one line end sets off, so `without` is the reverse.

    It makes a blank line, or ends the last line where nothing did.
    """
    return text + newline_of(text) + lines if text else lines


def without(text: str, first: int, end: int) -> str:
    """Return `text` without the lines from number `first` up to `end`, and what set them off."""
    lines = lines_of(text)
    before, behind = lines[:first], lines[end:]
    if not behind:
        return "".join(before).removesuffix(newline_of(text))
    if before and not before[-1].strip() and not behind[0].strip():
        before.pop()
    return "".join(before + behind)


def lines_of(text: str) -> list[str]:
    r"""Return the lines with their ends; `str.splitlines` also breaks at form feeds and U+2028."""
    *lines, last = text.split("\n")
    return [line + "\n" for line in lines] + ([last] if last else [])
