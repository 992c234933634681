"""Answers as text for people: one line per hit, a tree for an outline. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.model import Symbol
from query.contract import FindAnswer, Hit, OutlineAnswer, Provenance, meta_json, pruned


def printable(text: str) -> str:
    """`text` with what is not printable escaped: file names and identifiers may hold escape codes.

    Java ignores control characters in identifiers (`Character.isIdentifierIgnorable`) but keeps
    them; a terminal would obey them, and show what stands behind a change of direction elsewhere.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )


def find_text(answer: FindAnswer) -> str:
    """`path:line  kind  qualified name`, aligned, and a last line when some are not shown."""
    rows = [(printable(_place(hit)), hit) for hit in answer.hits]
    width = max(len(place) for place, _ in rows)
    lines = [
        f"{place:<{width}}  {hit.kind.name:<9}  {printable(_qualified(hit))}" for place, hit in rows
    ]
    if len(rows) < answer.total:
        lines.append(f"... {answer.total - len(rows)} more of {answer.total} (--limit 0 shows all)")
    return "\n".join(lines) + "\n"


def outline_text(answer: OutlineAnswer) -> str:
    """The symbols as a tree, each with its lines."""
    symbols, truncated = pruned(answer.outline.symbols, answer.limit)
    lines = [printable(line) for line in (answer.file, *_tree(symbols, 1))]
    if truncated:
        lines.append(f"... more of {answer.outline.node_count} symbols (--limit 0 shows all)")
    return "\n".join(lines) + "\n"


def stale_text(answer: OutlineAnswer) -> str:
    """The warning that goes with stale symbols."""
    return (
        "this is the last outline that the index has, its lines may be wrong "
        f"(stale: {answer.provenance.state.value}); {answer.message}"
    )


def explain_text(provenance: Provenance) -> str:
    """The metadata in one line, by the keys of its JSON."""
    meta = meta_json(provenance)
    if provenance.left_out:
        counts = (f"{count} {standing.value}" for standing, count in provenance.left_out)
        meta["leftOut"] = " + ".join(counts)
    return ", ".join(f"{key}: {value}" for key, value in meta.items())


def _place(hit: Hit) -> str:
    if hit.library:
        return f"{hit.library} (not here: {hit.missing})" if hit.missing else hit.library
    return f"{hit.file}:{hit.selection_range.lines[0]}"


def _qualified(hit: Hit) -> str:
    name = hit.signature or hit.name
    return f"{hit.container}.{name}" if hit.container else name


def _tree(symbols: tuple[Symbol, ...], depth: int) -> Iterator[str]:
    for symbol in symbols:
        start, end = symbol.range.lines
        place = f"L{start}-{end}"
        yield f"{'  ' * depth}{symbol.kind.name} {symbol.name}{symbol.detail}  {place}"
        yield from _tree(symbol.children, depth + 1)
