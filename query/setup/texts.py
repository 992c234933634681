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


def ended(text: str) -> str:
    """Return `text` with its last line ended."""
    return text if not text or text.endswith("\n") else text + newline_of(text)


def lines_of(text: str) -> list[str]:
    r"""Return the lines with their ends; `str.splitlines` also breaks at form feeds and U+2028."""
    *lines, last = text.split("\n")
    return [line + "\n" for line in lines] + ([last] if last else [])
