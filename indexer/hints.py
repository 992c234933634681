"""What the store is asked for: conditions on names, as plain data. Knows no SQL.

A hint is made from a query (`query/patterns.py`) and read by the store (`indexer/store/search.py`).
Its texts may admit too much, never too little; then `check` holds the whole rule, and the store
asks it of what the texts admit. Without a `check` the texts are the whole rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Check = Callable[[str], bool]


class QualHint(NamedTuple):
    """What a qualification must be; empty fields ask nothing. Texts are folded."""

    prefix: str = ""
    """It starts with this."""
    fragments: tuple[str, ...] = ()
    """After the prefix it contains these, in this order, not overlapping."""
    suffix: str = ""
    """After all these it ends with this."""
    exact: bool = False
    """It equals `prefix`."""
    check: Check | None = None
    """Asked of the qualification as it is."""


class NameHint(NamedTuple):
    """What a name must be; empty fields ask nothing.

    `prefix`, `fragments`, `suffix` and `exact` speak of the folded name, as in `QualHint`.
    """

    prefix: str = ""
    fragments: tuple[str, ...] = ()
    suffix: str = ""
    exact: bool = False
    initials: str = ""
    """`javachars.initials(name)` starts with this (case sensitive)."""
    check: Check | None = None


class Criteria(NamedTuple):
    """Selects what (one of `names` and `qualifier`) or `qualification` admits."""

    names: tuple[NameHint, ...]
    qualifier: QualHint = QualHint()
    qualification: QualHint | None = None
    owner: str = ""
    """Of members: folded simple name of the type that has them; empty: any."""


class Nearness(NamedTuple):
    """What brings a match forward (`query/rank.py`), as far as the store needs it for a cut."""

    name: str = ""
    """The name that is asked for; empty: all names are equally near."""
    folded: str = ""
    dotted: str = ""
    """Folded end of the full name that means this very type; empty without a dot."""
    initials: bool = False
    """`name` is capitals only: names begin with it in the same case only, and those whose initials
    do have the humps."""
    humps: Check | None = None
    """True for names whose humps are those asked for; they share their first unit with `name`."""
