"""Which hits still stand where the index says: their files are looked at before the answer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from indexer.files import FileStat, Unsteady, read, stat_inside
from indexer.recipe import content_key
from indexer.standing import Standing
from indexer.store.reader import Workspace
from indexer.store.search import LibraryMatch, Match


class Filtered(NamedTuple):
    """What is left of the matches."""

    shown: list[Match | LibraryMatch]
    left_out: dict[Standing, list[Match]]
    """Those whose file holds other bytes now or cannot be read (changed), or is gone (deleted)."""


class Freshness:
    """Checks that the files behind matches still hold what the index says; each file once."""

    def __init__(self, folders: Mapping[int, Workspace]) -> None:
        self._folders = folders
        self._known: dict[tuple[int, str], Standing] = {}
        self._linked: dict[str, bool] = {}

    def filter(self, matches: Sequence[Match | LibraryMatch], limit: int) -> Filtered:
        """Return the first `limit` matches in unchanged files, and what was left out.

        Libraries do not change: another content is another library.
        """
        shown, left_out = list[Match | LibraryMatch](), dict[Standing, list[Match]]()
        for match in matches:
            if limit and len(shown) == limit:
                break
            if isinstance(match, LibraryMatch):
                shown.append(match)
                continue
            standing = self._standing(match)
            if standing is Standing.FRESH:
                shown.append(match)
            else:
                left_out.setdefault(standing, []).append(match)
        return Filtered(shown, left_out)

    def _standing(self, match: Match) -> Standing:
        place = (match.workspace_id, match.path)
        if place not in self._known:
            self._known[place] = self._look(match)
        return self._known[place]

    def _look(self, match: Match) -> Standing:
        root = self._folders[match.workspace_id].root
        try:
            if FileStat.of(stat_inside(root, match.path, self._linked)) == match.stat:
                return Standing.FRESH
            content = read(os.path.join(root, match.path), root=root)
            same = content_key(content.data).digest == match.digest
        except (FileNotFoundError, NotADirectoryError):
            return Standing.DELETED
        except (OSError, Unsteady):
            return Standing.CHANGED
        return Standing.FRESH if same else Standing.CHANGED
