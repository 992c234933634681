"""Answers of `find` for other programs: JSON lines, and lines for editors. Knows no SQL, no click.

`vimgrep` is what `rg --vimgrep` prints and Vim's quickfix (`%f:%l:%c:%m`), Emacs and fzf read.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from indexer.files import Unsteady, read
from indexer.javatext import decode
from indexer.model import Position
from query.contract import FindAnswer, find_json
from query.render import printable, qualified_name

_LINE_END = re.compile(r"\r\n|\r|\n")


class Shown(NamedTuple):
    """An answer as text, and what is to be told beside it."""

    text: str
    notices: tuple[str, ...] = ()


def jsonl(answer: FindAnswer, *, declarations: bool = False) -> Shown:
    """One compact document for each hit, as `results` of the JSON has them."""
    hits = find_json(answer, declarations=declarations)["results"]
    lines = (json.dumps(hit, ensure_ascii=False, separators=(",", ":")) for hit in hits)
    return Shown("".join(f"{line}\n" for line in lines), _cut(answer))


def vimgrep(answer: FindAnswer) -> Shown:
    """`file:line:column:kind and qualified name` for each hit that has a file.

    Line and column are 1-based and lead to the name. The column counts bytes of the line in UTF-8,
    without a byte order mark, as those of `rg --vimgrep` and Vim do.
    """
    text_of = lru_cache(maxsize=64)(_text_of)
    lines = []
    for hit in answer.hits:
        if hit.library:
            continue
        start = hit.selection_range.start
        column = byte_column(text_of(hit.file), start)
        lines.append(
            f"{printable(hit.file)}:{start.line + 1}:{column}:"
            f"{hit.kind.name} {qualified_name(hit)}\n"
        )
    left_out = len(answer.hits) - len(lines)
    notices = (f"{left_out} of libraries left out, which have no file",) if left_out else ()
    return Shown("".join(lines), notices + _cut(answer))


def byte_column(text: str, place: Position) -> int:
    """Return the 1-based column of `place` in bytes of UTF-8, as far as the line reaches."""
    line = _line(text, place.line)
    units = line.encode("utf-16-le", "surrogatepass")[: 2 * place.column]
    return len(units.decode("utf-16-le", "replace").encode("utf-8")) + 1


def _line(text: str, number: int) -> str:
    """A line by its zero-based number, as the language server counts them; "" for none."""
    before = [*islice(_LINE_END.finditer(text), number)]
    if len(before) < number:
        return ""
    begin = before[-1].end() if before else 0
    end_of_line = _LINE_END.search(text, begin)
    return text[begin : end_of_line.start() if end_of_line else None]


def _text_of(file: str) -> str:
    """The file's text, "" when it cannot be read any more: the column is then the first."""
    try:
        return decode(read(file).data)
    except (OSError, Unsteady):
        return ""


def _cut(answer: FindAnswer) -> tuple[str, ...]:
    shown = len(answer.hits)
    if shown == answer.total:
        return ()
    return (f"{answer.total - shown} more of {answer.total} (--limit 0 shows all)",)
