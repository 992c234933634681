"""Answers as text for people: one line per hit, a tree for an outline. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.model import Symbol
from query.contract import FindAnswer, Hit, OutlineAnswer, pruned


def find_text(answer: FindAnswer) -> str:
    """`path:line  kind  qualified name`, aligned, and a last line when some are not shown."""
    rows = [(_place(hit), hit) for hit in answer.hits]
    width = max(len(place) for place, _ in rows)
    lines = [f"{place:<{width}}  {hit.kind.name:<9}  {_qualified(hit)}" for place, hit in rows]
    if len(rows) < answer.total:
        lines.append(f"... {answer.total - len(rows)} more of {answer.total} (--limit 0 shows all)")
    return "\n".join(lines) + "\n"


def outline_text(answer: OutlineAnswer) -> str:
    """The symbols as a tree, each with its lines."""
    symbols, truncated = pruned(answer.outline.symbols, answer.limit)
    lines = [answer.file, *_tree(symbols, 1)]
    if truncated:
        lines.append(f"... more of {answer.outline.node_count} symbols (--limit 0 shows all)")
    return "\n".join(lines) + "\n"


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
