"""What an outline is a function of: the file's bytes, and the engine that read them.

The store keys every outline by `ContentKey` and recipe. Knows nothing of jdtls' ways or SQL.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import NamedTuple

import xxhash

from indexer.javatext import SPECIAL_STEMS

EXTRACTION = 1
"""Raised whenever javadex itself would derive another outline from the same server's answer."""


class ContentKey(NamedTuple):
    """Identity of a file's content: xxh3-128 over the raw bytes, and their number."""

    digest: bytes
    size: int


def content_key(content: bytes) -> ContentKey:
    """Return the key of `content`: raw bytes, before any decoding."""
    return ContentKey(xxhash.xxh3_128_digest(content), len(content))


def unit_names(stem: str) -> tuple[str, ...]:
    """Names under which the outline of a file called `stem`.java may be stored.

    An ordinary outline does not depend on the file's name and is stored under "". Those of
    package-info and module-info, and of texts whose outline may hold the file's name (compact
    source files, JLS 8.1.8), are stored under the stem.
    """
    return (stem,) if stem in SPECIAL_STEMS else ("", stem)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything beside the bytes that may change an outline; a new recipe shares no outlines."""

    jdtls: str
    """Version of jdt.ls, such as `1.59.0.202605120930`."""
    jdt_core: str
    """Version of the parser's bundle, such as `3.46.0.v20260512-0752`."""
    settings: dict[str, object] = field(default_factory=dict)
    """What the server is told, as far as it might change an outline."""
    extraction: int = EXTRACTION

    @property
    def fingerprint(self) -> str:
        """One line of text, equal exactly when the recipes are equal."""
        return json.dumps(
            {
                "extraction": self.extraction,
                "jdtCore": self.jdt_core,
                "jdtls": self.jdtls,
                "settings": self.settings,
            },
            sort_keys=True,
            separators=(",", ":"),
        )


def engine_of(fingerprint: str) -> str:
    """Name the engine of a recipe's fingerprint for people: `jdt.ls 1.59.0.202605120930`."""
    return f"jdt.ls {json.loads(fingerprint)['jdtls']}" if fingerprint else "no engine"
