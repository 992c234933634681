"""Where source roots are, inferred from the files alone. Pure.

jdt.ls takes a type's package from the declaration when it matches a query, but from the folder when
it answers (docs/matching.md, section 5). The folder's package needs the source root, which a build
would name; without one, it is what is left of a file's folder once its declared package is cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from indexer.javachars import is_valid_package_segment, is_valid_unit_name
from indexer.javatext import MODULE_INFO, stem_of


class Placement(NamedTuple):
    """How jdt.ls sees one file."""

    package: str | None
    """The folder's package where it is not the declared one, else None."""
    hidden: bool
    """True when jdt.ls would not find the types in it: its name or a folder's is no Java name."""


def source_roots(files: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the folders that are source roots, from (path, declared package) pairs.

    A file whose folder ends with its declared package names a root. Files without a package name
    their folder, unless it lies below a root that others named.
    """
    named: set[str] = set()
    loose: set[str] = set()
    for path, package in files:
        folder = path.rpartition("/")[0]
        if not package:
            loose.add(folder)
            continue
        tail = package.replace(".", "/")
        if folder == tail:
            named.add("")
        elif folder.endswith("/" + tail):
            named.add(folder[: -len(tail) - 1])
    return frozenset(named | {folder for folder in loose if _root_of(folder, named) is None})


def placements(files: Iterable[tuple[str, str]]) -> Iterator[Placement]:
    """Yield the placement of every (path, declared package) pair, in their order."""
    pairs = list(files)
    roots = source_roots(pairs)
    for path, package in pairs:
        folder = path.rpartition("/")[0]
        root = _root_of(folder, roots)
        below = "" if root is None else folder[len(root) :].strip("/")
        segments = below.split("/") if below else []
        actual = package if root is None else ".".join(segments)
        hidden = not _has_java_name(path) or not all(map(is_valid_package_segment, segments))
        yield Placement(None if actual == package else actual, hidden)


def _has_java_name(path: str) -> bool:
    stem = stem_of(path)
    return is_valid_unit_name(stem) and stem != MODULE_INFO


def _root_of(folder: str, roots: Iterable[str]) -> str | None:
    """The nearest root at or above `folder`."""
    roots = roots if isinstance(roots, set | frozenset) else set(roots)
    while folder not in roots:
        if not folder:
            return None
        folder = folder.rpartition("/")[0]
    return folder
