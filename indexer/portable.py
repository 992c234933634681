"""Absolute paths as an index may keep them: by what they lie below, on whatever machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple


class Bases(NamedTuple):
    """Folders of this machine, absolute, by the names that stand for them; empty: unknown."""

    root: str
    """The workspace folder."""
    home: str
    """The user's home folder."""
    java: str
    """Home folder of the Java that runs the language server."""


def bases_of(root: str, java: str) -> Bases:
    """Return the bases for a workspace folder here; `java` is the executable, "" for none."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(java))) if java else ""
    return Bases(root, os.path.expanduser("~"), home)


def portable(path: str, bases: Bases) -> str:
    """Return `path` with the innermost of the bases it lies in named: `{home}/.m2/a.jar`.

    A path in none of them, or a relative one, stays as it is.
    """
    holding = {name: base for name, base in bases._asdict().items() if _lies_in(path, base)}
    if not holding:
        return path
    name = max(holding, key=lambda name: len(holding[name]))
    return f"{{{name}}}{path[len(holding[name].rstrip('/')) :]}"


def local(path: str, bases: Bases) -> str:
    """Undo `portable` on this machine; a base that is unknown here stays as it is."""
    named: Mapping[str, str] = bases._asdict()
    name, brace, rest = path.partition("}")
    base = named.get(name[1:], "") if brace and name.startswith("{") else ""
    return base.rstrip("/") + rest if base else path


def _lies_in(path: str, base: str) -> bool:
    return base.strip("/") != "" and f"{path}/".startswith(base.rstrip("/") + "/")
