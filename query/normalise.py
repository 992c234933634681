"""The second try for a query that found nothing: what an agent pasted, reduced to a type's name.

Agents send what they have before their eyes: imports, calls, declarations, paths, stack frames,
Javadoc links. `candidates` cuts such a text down to the name it is about. It guesses, by Java's
naming conventions, and is only ever used after the query itself matched nothing. Pure; linear in
the text; never raises.
"""

from __future__ import annotations

import re

from indexer.javachars import KEYWORDS, is_lower, is_upper, java_trim

_WRAPPING = " \t\r\n\f\v'\"`\u2018\u2019\u201c\u201d"
_LOOSE = _WRAPPING + ",;:.=/\\|!&#{}"
_JAVADOC_TAG = re.compile(r"\{@\w+\s|@(?:see|link|throws|exception)\s")
_LINE_FRAGMENT = re.compile(r"#L\d[\dL,-]*")
_DESCRIPTOR = re.compile(r"(?:\[+L|L(?=[\w$]+/))([\w$/.]+);?")
_FILE_SUFFIX = re.compile(r"\.(?:java|class|kt|jar)$", re.IGNORECASE)
_SOURCE_ROOT = re.compile(r"(?:^|/)src/(?:[^/]+/(?:java|kotlin)/)?")
_BEFORE_TYPE = frozenset(
    {"class", "interface", "@interface", "enum", "record", "new", "instanceof"}
)
_AFTER_NAME = frozenset({"extends", "implements", "permits", "throws", "=", "->"})
_MODIFIERS = KEYWORDS | {"non-sealed", "sealed", "at", "var", "@interface"}


def candidates(text: str) -> tuple[str, ...]:
    """What to try instead of `text`: at most two queries, the more exact one first, often none.

    The first keeps the qualification (`app.util.List<String>` gives `app.util.List`), the second
    is the simple name (`List`). Whatever equals the trimmed query is left out. A member is given
    up for its type (`Bar#run`, `Bar.run()` and `Bar.run` give `Bar`).
    """
    trimmed = java_trim(text)
    cleaned = _without_members(_dotted(trimmed))
    found = [java_trim(form) for form in (cleaned, *_simple_name(cleaned, trimmed))]
    return tuple(
        form
        for place, form in enumerate(found)
        if form.strip("*?.") and form != trimmed and form not in found[:place]
    )


def parted_name(text: str) -> tuple[str, str]:
    """Return the qualification and the simple name that `text` is about, "" for none."""
    qualification, _, name = _without_members(_dotted(java_trim(text))).rpartition(".")
    return qualification, name.strip("*?")


def _dotted(trimmed: str) -> str:
    """The (dotted) name that the text is about, members included."""
    text = trimmed.strip(_WRAPPING)
    text = _without_line_number(text)
    descriptor = _DESCRIPTOR.fullmatch(text)
    if descriptor:
        return _nested_dots(descriptor[1].replace("/", "."))
    if _is_path(text):
        return _nested_dots(_path_name(text))
    return _nested_dots(_owner(_main_word(text)))


def _without_line_number(text: str) -> str:
    """`Foo.java:12:3` and `Foo.java#L12-L20` without what follows the name."""
    tail = text.rstrip("0123456789:,-")
    colon = text.find(":", len(tail))
    if colon > 0 and text[colon + 1 : colon + 2].isdigit():
        return text[:colon]
    stem, _, _ = text.rpartition("#L")
    return stem if stem and _LINE_FRAGMENT.fullmatch(text, len(stem)) else text


def _is_path(text: str) -> bool:
    """True for `a/b/C` and everything that ends like a Java file, spaces in it or not."""
    if "/" not in text and "\\" not in text:
        return False
    return _FILE_SUFFIX.search(text) is not None or "://" in text or not re.search(r"[\s(<*]", text)


def _path_name(text: str) -> str:
    """Dotted name for a path or URI: the source root and the file's suffix left off."""
    scheme, marker, rest = text.partition("://")
    path = (re.split("[?#]", rest)[0] if marker else text.partition("#")[0]).replace("\\", "/")
    path = _FILE_SUFFIX.sub("", path)
    if marker and scheme == "jdt":
        # jdt://contents/<jar>/<package>/<File>.class, see docs/matching.md 7
        path = "/".join(path.split("/")[2:])
    roots = list(_SOURCE_ROOT.finditer(path))
    if roots:
        path = path[roots[-1].end() :]
    return ".".join(part for part in path.split("/") if part.strip("."))


def _main_word(text: str) -> str:
    """The word that a declaration, import, call or phrase is about, brackets dropped."""
    text = _JAVADOC_TAG.sub(" ", text).lstrip("(<[ ")
    called = "(" in text.partition("=")[0]
    words = _drop_brackets(text.partition("{")[0]).split()
    for place, word in enumerate(words):
        if word in _BEFORE_TYPE and place + 1 < len(words):
            return words[place + 1].strip(_LOOSE)
        if word in _AFTER_NAME and place:
            words = words[:place]
            break
    if words[:2] == ["import", "static"]:
        return words[-1].strip(_LOOSE).rpartition(".")[0]
    return _chosen(words, called)


def _chosen(words: list[str], called: bool) -> str:
    """One of several words: the called one, the type of `Bar bar`, or all as one name."""
    annotations = [word for word in words if word.startswith("@")]
    rest = [word.strip(_LOOSE) for word in words if not word.startswith("@")]
    rest = [word for word in rest if word and word not in _MODIFIERS]
    if not rest:
        return annotations[0].strip(_LOOSE + "@") if annotations else ""
    if called or len(rest) == 1:
        return rest[-1]
    if is_upper(rest[0][0]) and is_lower(rest[1][0]):
        return rest[0]
    return "".join(word[0].upper() + word[1:] for word in rest)


def _drop_brackets(text: str) -> str:
    """`text` without what stands in (), <> or [], nested or left open."""
    kept, depth = [], 0
    for char in text.replace("->", " -> ").replace("...", " "):
        if char in "(<[":
            depth += 1
        elif char in ")>]":
            depth = max(0, depth - 1)
        elif depth == 0:
            kept.append(char)
    return "".join(kept)


def _owner(word: str) -> str:
    """What stands before `#` or `::`, or after it when nothing (or `this`) stands before.

    `::` before a capital is another language's dot: `foo::Bar`.
    """
    path = [part for part in word.split("::") if part.strip(_LOOSE)]
    if len(path) > 1 and not is_upper(path[-1][0]):
        path.pop(0 if path[0] in KEYWORDS else -1)
    parts = [part for part in ".".join(path).split("#") if part.strip(_LOOSE)]
    return _FILE_SUFFIX.sub("", parts[0].strip(_LOOSE)) if parts else ""


def _nested_dots(name: str) -> str:
    """Binary names to dots: `Outer$Inner` is `Outer.Inner`, a local type (`Outer$1`) is `Outer`."""
    parts = re.split(r"(?<=[^.$])\$(?=[^.$])", name)
    return ".".join(part for place, part in enumerate(parts) if not (place and part[0].isdigit()))


def _without_members(dotted: str) -> str:
    """Cut off what cannot be a type after one that looks like it: `a.Bar.run`, `Bar.MAX_SIZE`."""
    parts = dotted.split(".")
    first_type = next((place for place, part in enumerate(parts) if is_upper(part[:1])), len(parts))
    while len(parts) > first_type + 1 and _is_member(parts[-1]):
        parts.pop()
    return ".".join(parts)


def _is_member(part: str) -> bool:
    return is_lower(part[:1]) or ("_" in part and part.isupper())


def _simple_name(cleaned: str, trimmed: str) -> list[str]:
    """The part after the last dot; none for a package, whose last part names no type."""
    if trimmed.startswith("package "):
        return []
    return [cleaned.rpartition(".")[2]]
