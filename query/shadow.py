"""Copies of a workspace folder outside the user's tree, for a server that writes where it works.

`Mirror` keeps the tree's shape, so that the build's own import finds what it needs; `Laid` is an
Eclipse project of our making, with the inferred source roots side by side.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from indexer.files import Root, Unsteady, read
from indexer.jdtls import workspace
from indexer.recipe import ContentKey, content_key
from indexer.uris import file_uri, path_of

_BUILD_NAMES = frozenset(
    {".project", ".classpath", ".factorypath", "gradlew", "gradlew.bat", "extensions.xml"}
)
_BUILD_SUFFIXES = (
    *(".gradle", ".kts", ".groovy", ".properties", ".toml", ".lockfile", ".prefs", ".jar"),
    *("pom.xml", ".config", ".launch", ".bnd", ".userlibraries"),
)
_HIDDEN_BUT_NEEDED = frozenset({".settings", ".mvn"})
_NEVER = frozenset({"node_modules", "target", "bin", "build", "out"})


class Shadow(Protocol):
    """A folder that stands for a workspace folder."""

    @property
    def folder(self) -> Path:
        """What the server gets as its workspace folder."""

    def place(self, path: str) -> Path:
        """Where the copy of the file `path` is."""

    def path(self, uri: str) -> str | None:
        """The reverse of `uri_of`; None for what is no copy of a file."""


def uri_of(shadow: Shadow, path: str) -> str:
    """URI of the copy of the file `path`, as jdt.ls writes it."""
    return file_uri(os.fspath(shadow.place(path)))


class Mirror:
    """A copy of the tree, as far as a build needs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, path: str) -> Path:
        """See `Shadow`."""
        return self.folder / path

    def path(self, uri: str) -> str | None:
        """See `Shadow`."""
        full = path_of(uri) or ""
        top = f"{self.folder}/"
        return full[len(top) :] if full.startswith(top) else None


def mirror_build(root: Root, mirror: Mirror) -> None:
    """Copy what a build is made of: descriptions, wrappers, settings, jars."""
    for folder, names, files in os.walk(root.path):
        below = os.path.relpath(folder, root.path)
        names[:] = [name for name in names if _may_hold_builds(name, files)]
        for name in files:
            source = os.path.join(folder, name)
            if (name in _BUILD_NAMES or name.endswith(_BUILD_SUFFIXES)) and os.path.isfile(source):
                target = mirror.folder / below / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)


def _may_hold_builds(name: str, siblings: list[str]) -> bool:
    if name.startswith("."):
        return name in _HIDDEN_BUT_NEEDED
    return name not in _NEVER or not _BUILD_MARKS.intersection(siblings)


_BUILD_MARKS = frozenset({"pom.xml", "build.gradle", "build.gradle.kts", ".classpath", ".project"})


class Laid:
    """An Eclipse project with one source folder for each root: `r0`, `r1`, ...

    Not as they lie in the tree: of a source folder inside another one jdt.ls' workspace/symbol
    loses the types, although the outer one excludes it.
    """

    def __init__(self, folder: Path, places: Mapping[str, str]) -> None:
        """`places`: for each file the folder in which its package starts."""
        self.folder = folder
        self.roots = {root: f"r{number}" for number, root in enumerate(sorted({*places.values()}))}
        self._places = places
        self._paths = {self._below(path): path for path in places}

    def _below(self, path: str) -> str:
        root = self._places[path]
        return f"{self.roots[root]}/{path[len(root) + 1 :] if root else path}"

    def place(self, path: str) -> Path:
        """See `Shadow`."""
        return self.folder / self._below(path)

    def path(self, uri: str) -> str | None:
        """See `Shadow`."""
        full = path_of(uri) or ""
        top = f"{self.folder}/"
        return self._paths.get(full[len(top) :]) if full.startswith(top) else None


def write_project(laid: Laid) -> None:
    """Make `laid` an Eclipse project."""
    workspace.write_project(laid.folder, "javadex-verify", laid.roots.values())
    for folder in laid.roots.values():
        (laid.folder / folder).mkdir()


def copy_files(
    root: Root, files: Iterable[tuple[str, ContentKey | None]], shadow: Shadow
) -> list[str]:
    """Copy files; return those that cannot be read, or no longer hold the content that is given."""
    changed = []
    for path, key in files:
        try:
            data = read(os.path.join(root.path, path), root=root.path).data
        except (OSError, Unsteady):
            changed.append(path)
            continue
        if key and content_key(data) != key:
            changed.append(path)
        target = shadow.place(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return changed
