"""Paths that a caller may have meant by one that does not exist. Pure; for errors only."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

MOST = 5
"""Paths that are offered."""


def nearest(path: str, known: Sequence[str]) -> list[str]:
    """Return up to `MOST` of `known`, best first: same file name, then similar file names.

    A dotted name (`app.Start`) counts as the path that it would be.
    """
    wanted = path if path.endswith(".java") else path.replace(".", "/") + ".java"
    name = wanted.rpartition("/")[2].lower()
    by_name: dict[str, list[str]] = {}
    for other in known:
        by_name.setdefault(other.rpartition("/")[2].lower(), []).append(other)
    names = [name] if name in by_name else get_close_matches(name, by_name, MOST, 0.7)
    found = [other for similar in names for other in sorted(by_name[similar])]
    found.sort(key=lambda other: -_common_end(wanted, other))
    return found[:MOST]


def _common_end(one: str, two: str) -> int:
    """Number of path segments that both end with."""
    count = 0
    for left, right in zip(reversed(one.split("/")), reversed(two.split("/")), strict=False):
        if left != right:
            break
        count += 1
    return count
