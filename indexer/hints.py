"""What the store is asked for: necessary conditions on names, as plain data. Knows no SQL.

A hint is made from a query (`query/patterns.py`) and read by the store (`indexer/store/reader.py`).
It may admit too much, never too little; whoever asks filters what comes back.
"""

from __future__ import annotations

from typing import NamedTuple


class QualHint(NamedTuple):
    """What a folded qualification must look like to have a chance; empty fields ask nothing."""

    prefix: str = ""
    """It starts with this (folded text)."""
    fragments: tuple[str, ...] = ()
    """After the prefix it contains these folded texts, in this order, not overlapping."""
    exact: bool = False
    """It equals `prefix`."""


class NameHint(NamedTuple):
    """What a name must look like to have a chance; empty fields ask nothing.

    `prefix`, `fragments` and `exact` speak of the folded name, as in `QualHint`.
    """

    prefix: str = ""
    fragments: tuple[str, ...] = ()
    exact: bool = False
    caps: str = ""
    """`capitals(name)` starts with this (case sensitive)."""
    first: str = ""
    """The name itself, not folded, starts with this one unit (case sensitive)."""
