"""What `javadex doctor` finds: plain data. Knows no check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from indexer.errors import JavadexError


class Level(Enum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    """Answers are right, but something is slower, or not there."""
    ERROR = "error"
    """Something that was asked of javadex cannot work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found."""

    check: str
    level: Level
    found: str
    remedy: str = ""
    """What to do about it; "" only when it is ok."""


def ok(check: str, found: str) -> Finding:
    """Return a finding that asks for nothing."""
    return Finding(check, Level.OK, found)


def warning(check: str, found: str, remedy: str) -> Finding:
    """Return a finding of something that is not there, or slower for it."""
    return Finding(check, Level.WARNING, found, remedy)


def error(check: str, found: str, remedy: str) -> Finding:
    """Return a finding of something that cannot work."""
    return Finding(check, Level.ERROR, found, remedy)


def parted(exc: JavadexError) -> tuple[str, str]:
    """Return cause and remedy of a message, which has the remedy behind its last `;`."""
    cause, _, remedy = str(exc).rpartition("; ")
    return (cause, remedy) if cause else (remedy, "do what it says and run `javadex doctor` again")
