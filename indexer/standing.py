"""How what the index says stands to what is there now: one type for all of staleness. Pure."""

from __future__ import annotations

from enum import Enum


class Standing(Enum):
    """Why an entry of the index may be used, or may not; the values are those of the JSON."""

    FRESH = "fresh"
    """The index says what is true of these bytes."""
    CHANGED = "changed"
    """The file holds other bytes than the index says of its path."""
    UNKNOWN = "unknown"
    """A file, or a content, that the index has never seen."""
    DELETED = "deleted"
    """In the index, and no longer on disk."""
    OTHER_RECIPE = "otherRecipe"
    """Outlined by another engine, or by one that was told something else (`indexer.recipe`)."""
    FAILED = "failed"
    """The language server gave no outline for these bytes."""
    DAMAGED = "damaged"
    """The index cannot give what it says it has."""
    LIBRARY_UNKNOWN = "libraryUnknown"
    """A library that is not on this machine, or whose types are missing from the index."""
    SKIPPED = "skipped"
    """Nothing that an index takes: too large, unreadable, no Java file."""


STALE = frozenset({Standing.CHANGED, Standing.OTHER_RECIPE, Standing.DAMAGED})
"""Of these the index has something, but nothing that may be served."""

NOT_ON_DISK = frozenset({Standing.DELETED, Standing.LIBRARY_UNKNOWN})
"""These are no Java files of the workspace folder."""
