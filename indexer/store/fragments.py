"""Index of the fragments of names: two and three characters each, both ends marked. Pure.

A pattern with a leading star has no place in an ordered index; the fragments that any match must
contain have one in a full-text index. Only a way to candidates: whoever uses it checks the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from indexer.hints import NameHint, QualHint

_END = "\xb6"  # no part of any identifier
_OTHER = "\xa4"  # stands for what would end a word
_WORD_CHARACTERS = frozenset("_$.")  # in ASCII, beside letters and digits; see schema_2.sql
_REPLACED = {
    code: _OTHER
    for code in range(128)
    if not (chr(code).isalnum() or chr(code) in _WORD_CHARACTERS)
}


def fragments_of(folded: str) -> str:
    """Return the words that the index gets for a folded text."""
    text = f"{_END}{_worded(folded)}{_END}"
    twos = [text[start : start + 2] for start in range(len(text) - 1)]
    threes = [text[start : start + 3] for start in range(len(text) - 2)]
    return " ".join(dict.fromkeys(twos + threes))


def pieces_of(hint: NameHint | QualHint) -> list[list[str]]:
    """Return the words that every text admitted by `hint` has in the index.

    One list for each of the texts that the hint is made of; texts of one character have no words.
    """
    texts = [f"{_END}{hint.prefix}{_END if hint.exact else ''}" if hint.prefix else ""]
    texts += hint.fragments
    texts.append(f"{hint.suffix}{_END}" if hint.suffix else "")
    return [pieces for text in texts if (pieces := _longest_pieces(text))]


def expression(pieces: Sequence[str]) -> str:
    """Return the FTS5 expression for texts that have all of `pieces`."""
    return " AND ".join(f'"{piece}"' for piece in pieces)


def _longest_pieces(text: str) -> list[str]:
    text = _worded(text)
    length = min(3, max(2, len(text)))
    return [text[start : start + length] for start in range(len(text) - length + 1)]


def _worded(text: str) -> str:
    """`text` as the tokenizer takes it for one word."""
    return text if text.isalnum() else text.translate(_REPLACED)
