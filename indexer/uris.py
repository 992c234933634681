"""`file:` URIs as jdt.ls writes them, and as clients send them back. Pure.

jdt.ls takes them from `java.net.URI`: ASCII that is not legal in a path is percent-encoded, other
characters are left as they are unless they are spaces or controls.
"""

from __future__ import annotations

import re

# urllib.parse is imported where it is needed: most paths need no encoding.

_LEGAL = "/;:@&=+$,-_.!~*'()"  # beside letters and digits; java.net.URI, "path"
_PLAIN = re.compile(r"[\w/;:@&=+$,\-.!~*'()]*", re.ASCII)


def file_uri(path: str) -> str:
    """Return the URI that jdt.ls gives for an absolute path with `/`."""
    if _PLAIN.fullmatch(path):
        return "file://" + path
    from urllib.parse import quote

    encoded = (char if _is_other(char) else quote(char, safe=_LEGAL) for char in path)
    return "file://" + "".join(encoded)


def _is_other(char: str) -> bool:
    """java.net.URI's category "other": not ASCII, no control, no space."""
    return char > "\x9f" and not char.isspace()


def path_of(uri: str) -> str | None:
    """Return the absolute path of a `file:` URI in any spelling; None for one with another host.

    `file:/a`, `file:///a` and `file://localhost/a` are the same; a fragment (`#L10`) is dropped.
    """
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(uri)
    except ValueError:  # a host that is none, such as `[x`
        return None
    if parts.netloc not in ("", "localhost"):
        return None
    return unquote(parts.path, errors="surrogateescape")
