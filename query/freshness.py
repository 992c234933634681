"""Which hits still stand where the index says: their files are looked at before the answer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from indexer.files import FileStat, Unsteady, read
from indexer.recipe import content_key
from indexer.store.reader import Reader, TypeRow, Workspace


class Candidate(NamedTuple):
    """A matching type and the symbol whose place is given for it."""

    row: TypeRow
    ordinal: int


class Standing(Enum):
    """How a file stands to what the index says of it."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    DELETED = "deleted"


class Filtered(NamedTuple):
    """What is left of the candidates."""

    shown: list[Candidate]
    changed: list[TypeRow]
    """Left out: the file holds other bytes now, or cannot be read."""
    deleted: int
    """Number left out because the file is gone."""


class Freshness:
    """Checks that the files behind hits still hold what the index says; each file once."""

    def __init__(self, reader: Reader, folders: Mapping[int, Workspace]) -> None:
        self._reader = reader
        self._folders = folders
        self._known: dict[tuple[int, str], Standing] = {}

    def filter(self, candidates: Sequence[Candidate], limit: int) -> Filtered:
        """Return the first `limit` candidates in unchanged files, and what was left out."""
        shown, changed, deleted = list[Candidate](), list[TypeRow](), 0
        for candidate in candidates:
            if limit and len(shown) == limit:
                break
            standing = self._standing(candidate.row)
            if standing is Standing.UNCHANGED:
                shown.append(candidate)
            elif standing is Standing.CHANGED:
                changed.append(candidate.row)
            else:
                deleted += 1
        return Filtered(shown, changed, deleted)

    def _standing(self, row: TypeRow) -> Standing:
        place = (row.workspace_id, row.path)
        if place not in self._known:
            self._known[place] = self._look(row)
        return self._known[place]

    def _look(self, row: TypeRow) -> Standing:
        full = os.path.join(self._folders[row.workspace_id].root, row.path)
        stored = self._reader.file(row.workspace_id, row.path)
        if stored is None:
            return Standing.DELETED
        try:
            if FileStat.of(os.stat(full)) == stored.stat:
                return Standing.UNCHANGED
            same = content_key(read(full).data).digest == stored.digest
        except (FileNotFoundError, NotADirectoryError):
            return Standing.DELETED
        except (OSError, Unsteady):
            return Standing.CHANGED
        return Standing.UNCHANGED if same else Standing.CHANGED
