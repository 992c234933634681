"""Which hits still stand where the index says: their files are looked at before the answer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from indexer.files import FileStat, Unsteady, read
from indexer.recipe import content_key
from indexer.store.reader import Workspace
from indexer.store.search import LibraryMatch, Match


class Standing(Enum):
    """How a file stands to what the index says of it."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    DELETED = "deleted"


class Filtered(NamedTuple):
    """What is left of the matches."""

    shown: list[Match | LibraryMatch]
    changed: list[Match]
    """Left out: the file holds other bytes now, or cannot be read."""
    deleted: int
    """Number left out because the file is gone."""


class Freshness:
    """Checks that the files behind matches still hold what the index says; each file once."""

    def __init__(self, folders: Mapping[int, Workspace]) -> None:
        self._folders = folders
        self._known: dict[tuple[int, str], Standing] = {}

    def filter(self, matches: Sequence[Match | LibraryMatch], limit: int) -> Filtered:
        """Return the first `limit` matches in unchanged files, and what was left out.

        Libraries do not change: another content is another library.
        """
        shown, changed, deleted = list[Match | LibraryMatch](), list[Match](), 0
        for match in matches:
            if limit and len(shown) == limit:
                break
            if isinstance(match, LibraryMatch):
                shown.append(match)
                continue
            standing = self._standing(match)
            if standing is Standing.UNCHANGED:
                shown.append(match)
            elif standing is Standing.CHANGED:
                changed.append(match)
            else:
                deleted += 1
        return Filtered(shown, changed, deleted)

    def _standing(self, match: Match) -> Standing:
        place = (match.workspace_id, match.path)
        if place not in self._known:
            self._known[place] = self._look(match)
        return self._known[place]

    def _look(self, match: Match) -> Standing:
        full = os.path.join(self._folders[match.workspace_id].root, match.path)
        try:
            if FileStat.of(os.stat(full)) == match.stat:
                return Standing.UNCHANGED
            same = content_key(read(full).data).digest == match.digest
        except (FileNotFoundError, NotADirectoryError):
            return Standing.DELETED
        except (OSError, Unsteady):
            return Standing.CHANGED
        return Standing.UNCHANGED if same else Standing.CHANGED
