"""What jdt.ls makes of a type that a file declares twice (docs/matching.md, section 5).

Its index has both, but the place of each is the first one's; equal answers collapse, and members
that only the later one has are dropped. For strict answers only: each at its own place is truer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexer.store.reader import Reader, TypeRow
from query.freshness import Candidate


def as_jdtls_answers(reader: Reader, rows: Sequence[TypeRow]) -> Iterator[Candidate]:
    """Yield the matching types with the places that jdt.ls would give."""
    twice = reader.outlines_with_twins()
    seen: set[tuple[object, ...]] = set()
    places: dict[int, dict[int, int]] = {}
    for row in rows:
        if row.outline_id not in twice:
            yield Candidate(row, row.ordinal)
            continue
        if row.outline_id not in places:
            places[row.outline_id] = _places(reader, row.outline_id)
        ordinal = places[row.outline_id].get(row.ordinal)
        if ordinal is None:
            continue
        kind = reader.place(row.outline_id, row.ordinal).kind
        answer = (row.workspace_id, row.path, ordinal, kind)
        if answer not in seen:
            seen.add(answer)
            yield Candidate(row, ordinal)


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
