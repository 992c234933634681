"""How Java sees characters: case, identifiers, UTF-16 units, reserved words. Knows no other room.

The index writer and the matcher must agree on these to the letter, so they live below both.
"Unit" means a UTF-16 code unit (Java `char`), kept here as a one-character string; a half of a
surrogate pair is then a lone surrogate. Only a character outside ASCII ever loads `unicodedata`.
Classes of characters follow the running Python's Unicode version, not the Java runtime's.
"""

from __future__ import annotations

_KEYWORDS = """
abstract assert boolean break byte case catch char class const continue default do double else enum
extends final finally float for goto if implements import instanceof int interface long native new
package private protected public return short static strictfp super switch synchronized this throw
throws transient try void volatile while true false null
"""
KEYWORDS = frozenset(_KEYWORDS.split())
"""Words that are never a Java identifier. `record`, `var`, `_`... are names of files and folders
to jdt.ls (docs/matching.md 5), so they are not here."""

TRIMMED = "".join(map(chr, range(0x21)))
"""What `java_trim` takes from both ends."""

_PART_ASCII = frozenset(
    "$_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    + "".join(map(chr, (*range(0x09), *range(0x0E, 0x1C), 0x7F)))
)
_CAPITALS_ONLY = {code: None for code in range(128) if not chr(code).isupper()}
_NOT_PASSED_OVER = {
    code: None
    for code in range(128)
    if chr(code).islower() or chr(code).isdigit() or chr(code) in "_$"
}
_START_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Sc", "Pc"})
_PART_CATEGORIES = _START_CATEGORIES | {"Nd", "Mn", "Mc", "Cf"}


def units(text: str) -> str:
    """`text` with every supplementary character split into its two surrogate units."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    encoded = text.encode("utf-16", "surrogatepass")[2:]  # native byte order, no mark
    return "".join(map(chr, memoryview(encoded).cast("H")))


def joined(text: str) -> str:
    """Undo `units`: neighbouring surrogate halves become one character, lone ones stay."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def fold(text: str) -> str:
    """`text` in lower case by Java's `Character.toLowerCase(char)`, unit by unit, length kept.

    No locale, no final sigma, U+0130 becomes a plain `i`; supplementary characters do not change,
    so they need not be split and the result can be stored as UTF-8 (docs/matching.md, preamble).
    """
    if text.isascii():
        return text.lower()
    return "".join(map(_lower, text))


def _lower(char: str) -> str:
    if char > "\uffff":
        return char
    # U+0130 is the one character whose lower case has two characters in Python; Java keeps the i.
    return char.lower()[0]


def capitals(name: str) -> str:
    """The upper-case units of `name`, in order: `HMap2` gives `HM` (docs/matching.md 4.3)."""
    if name.isascii():
        return name.translate(_CAPITALS_ONLY)
    return "".join(filter(is_upper, name))


def initials(name: str) -> str:
    """The first character of `name`, then all that no jump may pass over (docs/matching.md 4.3).

    Those are upper-case units, and what is no identifier part, of which a name has only
    supplementary characters: `HMap2` gives `HM`, `aB` gives `aB`.
    """
    if name.isascii():
        return name[:1] + name[1:].translate(_NOT_PASSED_OVER)
    return name[:1] + "".join(char for char in name[1:] if not is_passed_over(char))


def is_passed_over(char: str) -> bool:
    """True for a character of a name that a jump to a hump leaves out (docs/matching.md 4.3)."""
    if char.isascii():
        return char.islower() or char.isdigit() or char in "_$"
    return char <= "\uffff" and not is_upper(char) and is_identifier_part(char)


def is_upper(char: str) -> bool:
    """Java `Character.isUpperCase(char)`: title case is not upper, nor is half a pair."""
    return char.isupper() and char <= "\uffff"


def is_lower(char: str) -> bool:
    """Java `Character.isLowerCase(char)`, modifier letters and the like included."""
    return char.islower() and char <= "\uffff"


def is_whitespace(char: str) -> bool:
    """Java `Character.isWhitespace(char)`: no no-break space, no NEL."""
    return char.isspace() and char not in "\x85\xa0\u2007\u202f"


def is_identifier_start(char: str) -> bool:
    """Java `Character.isJavaIdentifierStart`, for a unit or for a whole character."""
    if char.isascii():
        return char.isalpha() or char in "$_"
    return _category(char) in _START_CATEGORIES


def is_identifier_part(char: str) -> bool:
    """Java `Character.isJavaIdentifierPart`, for a unit or for a whole character."""
    if char.isascii():
        return char in _PART_ASCII
    return char <= "\x9f" or _category(char) in _PART_CATEGORIES


def _category(char: str) -> str:
    import unicodedata

    return unicodedata.category(char)


def java_trim(text: str) -> str:
    """Java `String.trim`: units up to U+0020 go from both ends, other white space stays."""
    return text.strip(TRIMMED)


def is_java_identifier(stem: str) -> bool:
    """True for a name that Java source could declare: an identifier and no keyword."""
    if stem.isascii() and stem.isidentifier():  # what Python takes of ASCII, Java takes, too
        return stem not in KEYWORDS
    return (
        stem != ""
        and is_identifier_start(stem[0])
        and all(map(is_identifier_part, stem))
        and stem not in KEYWORDS
    )


def is_valid_unit_name(stem: str) -> bool:
    """True when jdt.ls looks for types in the file `stem + ".java"` (docs/matching.md 5)."""
    return stem == "package-info" or is_java_identifier(stem)


def is_valid_package_segment(name: str) -> bool:
    """True when jdt.ls looks below a folder of this name (docs/matching.md 5)."""
    return is_java_identifier(name)
