"""Damaged Java: texts as they stand in an editor in mid-edit, or worse. Same seed, same texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

INSERTS = (
    "{", "}", "{{", "}}", "(", ")", "<", ">", '"', "'", '"""', "/*", "*/", "/**", "//", "///",
    "@", "@Deprecated", ";", ",", "\\", "\\u007b", "class ", "record R(", "enum E {", "interface I",
    "<<<<<<< HEAD\n", "=======\n", "\x1a", "\x00", "\r", "\r\n", "\u2028", "𠀋", "->", "::",
)  # fmt: skip
"""What a slip of the hand, a merge or a broken tool puts anywhere."""

ENDINGS = (
    "public", "private static final", "@Deprecated", "@SuppressWarnings(", "@interface",
    "/** Nothing follows.", "/** Nothing follows. */", "/* open", "// last", "class", "class Half",
    "class Half extends", "class Half {", "enum Half { A,", "record Half(int a", "void half(",
    "int half", "int half =", "sealed interface Half permits", "import java.", "package p;",
    "String s = \"open", "char c = '", 'String t = """\nopen', "}", "};", "@A class B {};",
    "default", "static {", "non-sealed", "<T>", "\\", ";", ";;", "{}", "{ int a; }",
)  # fmt: skip
"""What an appended class might be joined to."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A damaged file."""

    stem: str
    content: bytes
    how: str
    """What was done to which file, for the message of a failure."""


def mutants(originals: Sequence[tuple[str, bytes]], count: int, seed: int) -> Iterator[Mutant]:
    """Yield `count` damaged copies of `originals`, which are (path, content) pairs."""
    dice = random.Random(seed)
    for _ in range(count):
        path, content = dice.choice(originals)
        ways = dice.choices(list(_WAYS), k=dice.choice((1, 1, 1, 2, 3)))
        for way in ways:
            content = _WAYS[way](content, dice)
        stem = path.rpartition("/")[2].removesuffix(".java")
        yield Mutant(stem, content, f"{path}: {', '.join(ways)}")


def _truncate(content: bytes, dice: random.Random) -> bytes:
    return content[: dice.randrange(len(content) + 1)]


def _truncate_after_token(content: bytes, dice: random.Random) -> bytes:
    places = [place + 1 for place, byte in enumerate(content) if byte in b"{};)>,\n"]
    return content[: dice.choice(places)] if places else content


def _drop_line(content: bytes, dice: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if lines:
        del lines[dice.randrange(len(lines))]
    return b"".join(lines)


def _double_line(content: bytes, dice: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if lines:
        place = dice.randrange(len(lines))
        lines.insert(place, lines[place])
    return b"".join(lines)


def _swap_lines(content: bytes, dice: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if len(lines) > 1:
        one, other = dice.sample(range(len(lines)), 2)
        lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _insert(content: bytes, dice: random.Random) -> bytes:
    place = dice.randrange(len(content) + 1)
    return content[:place] + dice.choice(INSERTS).encode() + content[place:]


def _drop_byte(content: bytes, dice: random.Random) -> bytes:
    place = dice.randrange(len(content) + 1)
    return content[:place] + content[place + 1 :]


def _append(content: bytes, dice: random.Random) -> bytes:
    return content + dice.choice(("\n", " ", "")).encode() + dice.choice(ENDINGS).encode()


_WAYS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "cut anywhere": _truncate,
    "cut after a token": _truncate_after_token,
    "a line dropped": _drop_line,
    "a line doubled": _double_line,
    "lines swapped": _swap_lines,
    "something inserted": _insert,
    "a byte dropped": _drop_byte,
    "an ending appended": _append,
}
