"""What jdt.ls makes of a type that a file declares twice (docs/matching.md, section 5).

Its index has both, but the place of each is the first one's; equal answers collapse, and members
that only the later one has are dropped. For strict answers only: each at its own place is truer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexer.store.reader import Reader
from indexer.store.search import Match


def as_jdtls_answers(reader: Reader, matches: Sequence[Match]) -> Iterator[Match]:
    """Yield the matching types with the places that jdt.ls would give."""
    twice = reader.outlines_with_twins()
    seen: set[tuple[object, ...]] = set()
    places: dict[int, dict[int, int]] = {}
    for match in matches:
        if match.outline_id not in twice:
            yield match
            continue
        if match.outline_id not in places:
            places[match.outline_id] = _places(reader, match.outline_id)
        ordinal = places[match.outline_id].get(match.ordinal)
        if ordinal is None:
            continue
        answer = (match.workspace_id, match.path, ordinal, match.kind)
        if answer not in seen:
            seen.add(answer)
            place = reader.place(match.outline_id, ordinal)
            yield match._replace(range=place.range, selection_range=place.selection_range)


def _places(reader: Reader, outline_id: int) -> dict[int, int]:
    """For each type of an outline the ordinal whose place stands for it; none for dropped ones."""
    first: dict[tuple[str, str], int] = {}
    places: dict[int, int] = {}
    for ordinal, name, qualification, parent in reader.types_of(outline_id):
        key = (qualification, name)
        # A member of a later twin counts only if the first twin has it too.
        in_later_twin = parent is not None and places.get(parent, parent) != parent
        if parent is not None and parent not in places:
            continue
        if key in first:
            places[ordinal] = first[key]
        elif not in_later_twin:
            first[key] = places[ordinal] = ordinal
    return places
