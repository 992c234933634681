"""Answers cut to a number of characters, at a result or symbol, never within one. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from indexer.model import Outline
from query.contract import FindAnswer, OutlineAnswer, find_json, outline_json, pruned


def text_of(document: dict[str, Any]) -> str:
    """The text of an answer: JSON with two spaces of indent."""
    return json.dumps(document, ensure_ascii=False, indent=2)


def find_within(answer: FindAnswer, characters: int, *, declarations: bool) -> dict[str, Any]:
    """The JSON of `answer` with as many results as fit; `omitted` counts all that are not shown."""

    def of(count: int) -> dict[str, Any]:
        cut = find_json(answer._replace(hits=answer.hits[:count]), declarations=declarations)
        return _counted(cut, answer.total - count)

    return _longest(of, len(answer.hits), characters)


def outline_within(answer: OutlineAnswer, characters: int) -> dict[str, Any]:
    """The JSON of `answer` with as many symbols as fit, in reading order.

    `omitted` counts all of the file that are not shown, for whatever reason.
    """
    most = Outline(pruned(answer.outline.symbols, answer.limit)[0]).node_count
    total = answer.outline.node_count

    def of(count: int) -> dict[str, Any]:
        if count == 0:
            bare = outline_json(answer._replace(outline=Outline()))
            return _counted(bare, total)
        return _counted(outline_json(answer._replace(limit=count)), total - count)

    return _longest(of, most, characters)


def _longest(of: Callable[[int], dict[str, Any]], most: int, characters: int) -> dict[str, Any]:
    """The document with the most nodes that fits; with none if none fits."""
    document = of(most)
    if len(text_of(document)) <= characters:
        return document
    fits, too_many, document = 0, most, of(0)
    while too_many - fits > 1:
        half = (fits + too_many) // 2
        tried = of(half)
        if len(text_of(tried)) <= characters:
            fits, document = half, tried
        else:
            too_many = half
    return document


def _counted(document: dict[str, Any], omitted: int) -> dict[str, Any]:
    """`document` with how many were left out behind `truncated`."""
    if omitted:
        document["truncated"] = True
        document["omitted"] = omitted
    return document
