"""Which hits still stand where the index says: their files are looked at before the answer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from indexer.files import FileStat, Unsteady, read
from indexer.recipe import content_key
from indexer.store.reader import Reader, TypeRow, Workspace


class Candidate(NamedTuple):
    """A matching type and the symbol whose place is given for it."""

    row: TypeRow
    ordinal: int


class Freshness:
    """Checks that the files behind hits still hold what the index says; each file once."""

    def __init__(self, reader: Reader, folders: Mapping[int, Workspace]) -> None:
        self._reader = reader
        self._folders = folders
        self._known: dict[tuple[int, str], bool] = {}

    def filter(self, candidates: Sequence[Candidate], limit: int) -> tuple[list[Candidate], int]:
        """Return the first `limit` candidates in unchanged files, and how many were left out."""
        shown: list[Candidate] = []
        gone = 0
        for candidate in candidates:
            if limit and len(shown) == limit:
                break
            if self._holds(candidate.row):
                shown.append(candidate)
            else:
                gone += 1
        return shown, gone

    def _holds(self, row: TypeRow) -> bool:
        place = (row.workspace_id, row.path)
        if place not in self._known:
            self._known[place] = self._look(row)
        return self._known[place]

    def _look(self, row: TypeRow) -> bool:
        full = os.path.join(self._folders[row.workspace_id].root, row.path)
        stored = self._reader.file(row.workspace_id, row.path)
        if stored is None:
            return False
        try:
            if FileStat.of(os.stat(full)) == stored.stat:
                return True
            return content_key(read(full).data).digest == stored.digest
        except (OSError, Unsteady):
            return False
