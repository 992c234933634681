"""Fetch a real Java tree: the sources of the Spring Framework and of Hibernate, about 10,300 files.

    python -m benchmarks.fetch_tree FOLDER

Maven fetches the sources jars from the repositories that it is set up for; no project is needed and
no code of a jar is run. Only `*.java` is unpacked, into one folder per artifact. An artifact's
folder appears when it is complete, so the script can be run again after any interruption.
"""

from __future__ import annotations

import argparse
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_SPRING = "6.2.8"
_SPRING_MODULES = (
    *("core", "beans", "context", "context-support", "expression", "aop", "test"),
    *("web", "webmvc", "webflux", "websocket", "messaging", "jms"),
    *("jdbc", "orm", "tx", "r2dbc", "oxm"),
)
_MAX_FILE = 20 * 1024 * 1024
_MAVEN_SECONDS = 600
_COLOUR = re.compile(r"\x1b\[[\d;]*m")


@dataclass(frozen=True, slots=True)
class Artifact:
    """A sources jar by its Maven coordinates."""

    group: str
    name: str
    version: str

    @property
    def coordinates(self) -> str:
        """As `dependency:copy` takes them."""
        return f"{self.group}:{self.name}:{self.version}:jar:sources"

    @property
    def jar(self) -> str:
        """Name of the jar that `dependency:copy` makes."""
        return f"{self.name}-{self.version}-sources.jar"

    @property
    def folder(self) -> str:
        """Name of the folder that it is unpacked into; the version tells an old one apart."""
        return f"{self.name}-{self.version}"


ARTIFACTS = (
    *(Artifact("org.springframework", f"spring-{name}", _SPRING) for name in _SPRING_MODULES),
    Artifact("org.hibernate.orm", "hibernate-core", "6.6.18.Final"),
)


class FetchError(Exception):
    """An artifact that cannot be had or unpacked; says why."""


def fetch(artifact: Artifact, jars: Path) -> Path:
    """Return the artifact's jar in `jars`, fetched by Maven unless it is there."""
    jar = jars / artifact.jar
    if not jar.is_file():
        _copy_with_maven(artifact, jars)
    if not jar.is_file():
        raise FetchError(f"mvn ended well, but there is no {jar}")
    return jar


def _copy_with_maven(artifact: Artifact, jars: Path) -> None:
    command = ["mvn", "-q", "-B", "dependency:copy"]
    command += [f"-Dartifact={artifact.coordinates}", f"-DoutputDirectory={jars}"]
    try:
        # Run beside the jars: a pom.xml in the working directory would be read as the project.
        done = subprocess.run(
            command, cwd=jars, capture_output=True, text=True, timeout=_MAVEN_SECONDS, check=False
        )
    except FileNotFoundError:
        raise FetchError(
            "mvn is not on the path: install Apache Maven, or name a folder that holds the "
            "sources jars with --jars"
        ) from None
    except subprocess.TimeoutExpired:
        raise FetchError(f"mvn did not get {artifact.coordinates} in {_MAVEN_SECONDS} s") from None
    if done.returncode:
        said = _COLOUR.sub("", done.stdout + done.stderr).strip()
        cause = said.splitlines()[0] if said else f"it ended with {done.returncode}"
        raise FetchError(f"mvn cannot get {artifact.coordinates}: {cause}")


def unpack(jar: Path, folder: Path) -> None:
    """Unpack the Java files of `jar` into `folder`, which appears only when it is complete.

    Raises `FetchError` for a jar that is damaged or holds a path that leads elsewhere.
    """
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        with zipfile.ZipFile(jar) as archive:
            for entry in _java_entries(archive):
                target = partial / _safe_path(entry)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(entry))
        partial.rename(folder)
    except (zipfile.BadZipFile, OSError) as exc:
        raise FetchError(f"{jar} cannot be unpacked into {folder}: {exc}") from exc
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _java_entries(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    return (entry for entry in archive.infolist() if entry.filename.endswith(".java"))


def _safe_path(entry: zipfile.ZipInfo) -> PurePosixPath:
    """Path of a regular file of sane size that stays below the folder it is unpacked into."""
    path = PurePosixPath(entry.filename)
    leaves = path.is_absolute() or ".." in path.parts or "\\" in entry.filename
    if leaves or ":" in entry.filename or "\0" in entry.orig_filename:
        raise FetchError(f"the jar holds a path that leads elsewhere: {entry.orig_filename!r}")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise FetchError(f"the jar holds a symbolic link: {entry.filename!r}")
    if entry.file_size > _MAX_FILE:
        raise FetchError(f"the jar holds {entry.filename!r} of {entry.file_size} bytes")
    return path


def fetch_tree(folder: Path, jars: Path) -> None:
    """Bring every artifact that `folder` lacks into it."""
    for artifact in ARTIFACTS:
        target = folder / artifact.folder
        if target.is_dir():
            continue
        print(f"fetching {artifact.coordinates}", file=sys.stderr)
        unpack(fetch(artifact, jars), target)


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the tree is to lie")
    parser.add_argument("--jars", type=Path, help="keep the jars here, and take those here first")
    arguments = parser.parse_args()
    try:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        if arguments.jars:
            arguments.jars.mkdir(parents=True, exist_ok=True)
            fetch_tree(arguments.folder, arguments.jars.resolve())
        else:
            with tempfile.TemporaryDirectory(prefix="javadex-jars-") as jars:
                fetch_tree(arguments.folder, Path(jars))
    except (FetchError, OSError) as exc:
        print(f"fetch_tree: {exc}", file=sys.stderr)
        return 1
    files = [path for path in arguments.folder.rglob("*.java") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{arguments.folder}: {len(files):,} Java files, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
