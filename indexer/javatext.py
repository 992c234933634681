"""Java source as text: decoding, and whether it declares anything. Knows no server and no SQL."""

from __future__ import annotations

import codecs
import re

PACKAGE_INFO = "package-info"
MODULE_INFO = "module-info"
SPECIAL_STEMS = frozenset({PACKAGE_INFO, MODULE_INFO})
"""Base names whose files the compiler reads by rules of their own (JLS 7.4.1, 7.7)."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_SKIPPED = r"""//[^\r\n]*                        # line comment
      | /\*.*?(?:\*/|\Z)                  # block comment, closed or not
      | \"\"\"(?:\\.|.)*?(?:\"\"\"|\Z)    # text block
      | "(?:\\.|[^"\\\r\n])*"?            # string
      | '(?:\\.|[^'\\\r\n])*'?            # character
"""
_DECLARES = r"""
        (?<![\w$.])(?:class|interface|enum|package)\s+(?!\d)[\w$\\]  # not A.class; `\` as in \u0041
      | (?<![\w$.])record\s+(?!\d)[\w$\\]+\s*[<(]
"""


def decode(content: bytes) -> str:
    """Return the text that jdt.ls sees for `content`.

    Byte order marks (UTF-8, UTF-16) are honoured and removed, else UTF-8 with replacement
    characters. Line ends stay as they are.
    """
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            return content[len(bom) :].decode(encoding, "replace")
    return content.decode("utf-8", "replace")


def declares_something(text: str) -> bool:
    """True when an empty outline for `text` would be suspicious.

    Looks for a package or type declaration outside comments and literals. Errs on the side of
    suspicion: for such a file an empty outline is retried and never stored.
    """
    code = re.sub(_SKIPPED, " ", text, flags=re.VERBOSE | re.DOTALL)
    return re.search(_DECLARES, code, re.VERBOSE) is not None


def stem_of(file_name: str) -> str:
    """`Unit` for `a/b/Unit.java`."""
    name = file_name.rpartition("/")[2]
    return name[: -len(".java")] if name.endswith(".java") else name
