"""The private workspace of one outline server: a project of slots, a configuration, a data folder.

A slot is a source folder of its own with an empty `Unit.java` and `package-info.java`; contents
travel into it over the wire. Nothing of the user's tree is in here, and all of it is deleted with
the server (`indexer.jdtls.scratch`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from indexer.errors import RuntimeNotFound, ServerError
from indexer.javatext import PACKAGE_INFO
from indexer.jdtls import settings
from indexer.jdtls.runtime import JdtlsHome

_SLOT_STEMS = ("Unit", PACKAGE_INFO)

_CLOSED = "closed"
"""Folder of the file that is asked about without being opened."""

_KOTLIN_BUNDLE = "co.karellen.jdtls.kotlin"
"""Reads `.java` files as Kotlin too and makes bogus symbols of them."""

_PROJECT = """<?xml version="1.0" encoding="UTF-8"?>
<projectDescription>
  <name>{name}</name>
  <buildSpec>
    <buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand>
  </buildSpec>
  <natures><nature>org.eclipse.jdt.core.javanature</nature></natures>
</projectDescription>
"""

# No JRE container: nothing to index, and outlines need no types.
_CLASSPATH = """<?xml version="1.0" encoding="UTF-8"?>
<classpath>
{sources}  <classpathentry kind="output" path="bin"/>
</classpath>
"""
_SOURCE = '  <classpathentry kind="src" path="{folder}"/>\n'


@dataclass(frozen=True, slots=True)
class SlotWorkspace:
    """Folders below one temporary folder, made by `create`."""

    root: Path

    @property
    def project(self) -> Path:
        """The Eclipse project that is the server's only workspace folder."""
        return self.root / "project"

    @property
    def project_uri(self) -> str:
        """URI of `project`."""
        return self.project.as_uri()

    @property
    def configuration(self) -> Path:
        """Private copy of jdt.ls' OSGi configuration; the server writes caches into it."""
        return self.root / "configuration"

    @property
    def data(self) -> Path:
        """The server's `-data` folder."""
        return self.root / "data"

    def uri(self, slot: int, stem: str) -> str:
        """URI of the document in `slot` (from 0) that takes texts of files called `stem`.java."""
        name = stem if stem == PACKAGE_INFO else _SLOT_STEMS[0]
        return f"{self.project_uri}/src/s{slot}/{name}.java"

    def rewrite(self, text: str) -> Path:
        """Make `text` the content of the one file that is never opened; returns its path.

        Raises `ServerError` when it cannot be written.
        """
        return self._write(self.project / "src" / _CLOSED / f"{_SLOT_STEMS[0]}.java", text)

    def place(self, number: int, file_name: str, text: str) -> Path:
        """Write `text` as a file called `file_name` into a folder that was never used before.

        Raises `ServerError` when it cannot be written.
        """
        return self._write(self.project / "src" / f"p{number}" / file_name, text)

    def _write(self, path: Path, text: str) -> Path:
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        except OSError as exc:
            raise ServerError(f"{path}, for the language server, cannot be written: {exc}") from exc
        return path


def create(root: Path, slots: int, jdtls: JdtlsHome) -> SlotWorkspace:
    """Lay out a workspace with `slots` slots below `root`, which must be an empty folder."""
    workspace = SlotWorkspace(root)
    workspace.configuration.mkdir(parents=True)
    (workspace.configuration / "config.ini").write_text(
        private_config(Path(jdtls.config_ini)), encoding="utf-8"
    )
    write_project(workspace.project, "javadex-slots", ["src"])
    for slot in [*(f"s{number}" for number in range(slots)), _CLOSED]:
        folder = workspace.project / "src" / slot
        folder.mkdir(parents=True)
        for stem in _SLOT_STEMS:
            (folder / f"{stem}.java").touch()
    return workspace


def write_project(folder: Path, name: str, source_folders: Iterable[str]) -> None:
    """Write the metadata of an Eclipse project into `folder`; no JRE, for nothing is compiled."""
    sources = "".join(_SOURCE.format(folder=source) for source in source_folders)
    preferences = {"eclipse.preferences.version": "1", **settings.COMPILER}
    (folder / ".settings").mkdir(parents=True)
    (folder / ".project").write_text(project_description(name), encoding="utf-8")
    (folder / ".classpath").write_text(_CLASSPATH.format(sources=sources), encoding="utf-8")
    (folder / ".settings" / "org.eclipse.jdt.core.prefs").write_text(
        "".join(f"{name}={value}\n" for name, value in preferences.items()), encoding="utf-8"
    )


def project_description(name: str) -> str:
    """Return the text of `.project` for a Java project."""
    return _PROJECT.format(name=name)


def private_config(config_ini: Path) -> str:
    """Return the text of `config_ini` without the Kotlin bundle.

    Raises `RuntimeNotFound` when it names no bundles.
    """
    text = config_ini.read_text(encoding="utf-8", errors="replace")
    found = re.search(r"^osgi\.bundles=(.*)$", text, re.MULTILINE)
    if not found:
        raise RuntimeNotFound(
            f"{config_ini} names no osgi.bundles: this jdt.ls is broken, install it again"
        )
    kept = [entry for entry in found[1].split(",") if _KOTLIN_BUNDLE not in entry]
    return text[: found.start(1)] + ",".join(kept) + text[found.end(1) :]
