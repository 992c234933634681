"""What a build's class path depends on, and what a library is: read from the disk, no Java started.

The identity of jars and JDKs (the keys of `indexer.libraries.Library`), a fingerprint that changes
when the class path may have, and the copy of a build's files that a server may import and write
into. Knows no server and no SQL.
"""

from __future__ import annotations

import os
import re
import shutil
import zipfile
from collections.abc import Iterator
from typing import NamedTuple

import xxhash

from indexer.files import without_waiting
from indexer.recipe import ContentKey

JRT_FS = os.path.join("lib", "jrt-fs.jar")
"""The file by which the Java model names a JDK, below its home folder."""

_CHUNK = 1 << 20
_NO_BUILD = frozenset({".git", ".gradle", ".hg", ".idea", ".metadata", ".svn", "node_modules"})
_OUTPUT = {  # folders of build output, and the files beside them that tell
    "target": ("pom.xml", "build.sbt"),
    "build": ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
    "bin": (".classpath", "build.gradle", "build.gradle.kts"),
}
_PLUGIN_FOLDERS = ("buildSrc", "build-logic")  # Gradle: sources of the build itself
_PLUGIN_SUFFIXES = (".java", ".kt", ".groovy")
_PROJECT_NAMES = ("pom.xml", ".project")
_PROJECT_SUFFIXES = (".gradle", ".gradle.kts")
_BUILD_NAMES = frozenset(
    {
        *("pom.xml", "extensions.xml", "maven.config", "jvm.config", "maven-wrapper.properties"),
        *("gradle.properties", "gradle-wrapper.properties", "module-info.java"),
        *(".classpath", ".project", ".factorypath"),
    }
)
_BUILD_SUFFIXES = (".gradle", ".gradle.kts", ".lockfile", ".versions.toml", ".prefs", ".jar")
_VERSIONED = re.compile(r"^META-INF/versions/\d+/")  # of a multi-release jar
_NO_TYPES = ("module-info", "package-info")
_SOURCE_SUFFIXES = (".java", ".class")


class _Found(NamedTuple):
    """A folder of a workspace: names of the subfolders to look into, and of the files."""

    path: str
    folders: list[str]
    files: list[str]


def jar_key(path: str) -> ContentKey:
    """Return the key of a jar: that of its bytes, as `recipe.content_key` gives it.

    Raises `OSError` when it cannot be read, or is no regular file.
    """
    digest, size = xxhash.xxh3_128(), 0
    with open(path, "rb", opener=without_waiting) as jar:
        while chunk := jar.read(_CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return ContentKey(digest.digest(), size)


def classes_in(jar: str) -> dict[str, list[str]] | None:
    """Return the packages of a jar's classes ("" for none), each with names of top-level classes.

    Classes for certain versions of Java (a multi-release jar) give their package only: no server
    need see them. None when the jar cannot be read, or its folders are no packages.
    """
    try:
        with open(jar, "rb", opener=without_waiting) as stream, zipfile.ZipFile(stream) as archive:
            entries = archive.namelist()
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return None
    classes: dict[str, list[str]] = {}
    for entry in entries:
        place = _VERSIONED.sub("", entry)
        folder, _, file = place.rpartition("/")
        name = file.removesuffix(".class")
        if name == file or name in _NO_TYPES:
            continue
        if folder and not all(map(str.isidentifier, folder.split("/"))):
            return None
        found = classes.setdefault(folder.replace("/", "."), [])
        if "$" not in name and place == entry:
            found.append(name)
    return classes


def jdk_key(home: str) -> tuple[ContentKey, str]:
    """Return the key of the JDK in the folder `home`, and its name for people.

    The key is that of its `release` file, which names version, maker and modules, with the size of
    the module image: reading the image would take as long as the rest of an unchanged update.
    Raises `OSError` when one of the two is missing.
    """
    with open(os.path.join(home, "release"), "rb", opener=without_waiting) as file:
        release = file.read()
    size = os.stat(os.path.join(home, "lib", "modules")).st_size
    found = re.search(rb'^JAVA_VERSION="([^"]+)"', release, re.MULTILINE)
    version = found.group(1).decode("utf-8", "replace") if found else "of unknown version"
    return ContentKey(xxhash.xxh3_128_digest(release), size), f"JDK {version}"


def class_path_fingerprint(root: str, engine: str) -> str:
    """Return a text that stays the same as long as nothing that a class path is made from changes.

    Those are the files in the workspace folder `root` that say what the build needs (`pom.xml`,
    Gradle scripts, lock files and version catalogues, Eclipse metadata, the jars that lie in the
    tree), by path and content, and `engine`: whatever names the jdt.ls and the Java in use. What
    lies elsewhere is not seen: the user's own Maven settings, a SNAPSHOT that was published anew.
    Files that cannot be read count as if they were not there.
    """
    digest = xxhash.xxh3_128(engine.encode())
    for path in sorted(_build_files(root)):
        try:
            key = jar_key(os.path.join(root, path))
        except OSError:
            continue
        digest.update(b"\0%b\0%b%d" % (os.fsencode(path), key.digest, key.size))
    return digest.hexdigest()


def has_build(root: str) -> bool:
    """True when a file in the workspace folder `root` describes a project to import."""
    return any(
        name in _PROJECT_NAMES or name.endswith(_PROJECT_SUFFIXES)
        for folder in _walk(root)
        for name in folder.files
    )


def copy_build(root: str, target: str) -> None:
    """Lay out at `target` what an import of the workspace folder `root` needs, to be written into.

    All folders, so that source folders exist; no Java sources, which the server would only index,
    except those of the build itself. Files that say what the build needs are copied, because an
    import may change them; all others are links into `root`. Raises `OSError`.
    """
    for folder in _walk(root):
        made = os.path.join(target, folder.path)
        os.makedirs(made, exist_ok=True)
        for name in folder.files:
            source, copy = os.path.join(root, folder.path, name), os.path.join(made, name)
            if _is_of_build(folder.path, name) and not name.endswith(".jar"):
                shutil.copyfile(source, copy)
                os.chmod(copy, 0o700)  # a script that may run, a file that may change
            elif not name.endswith(_SOURCE_SUFFIXES):
                os.symlink(source, copy)


def _build_files(root: str) -> Iterator[str]:
    for folder in _walk(root):
        for name in folder.files:
            if _is_of_build(folder.path, name):
                yield os.path.join(folder.path, name)


def _is_of_build(folder: str, name: str) -> bool:
    if name in _BUILD_NAMES or name.endswith(_BUILD_SUFFIXES):
        return True
    return name.endswith(_PLUGIN_SUFFIXES) and any(
        part in _PLUGIN_FOLDERS for part in folder.split(os.sep)
    )


def _walk(root: str) -> Iterator[_Found]:
    """Yield the folders below `root`, without build output; links to folders are not followed."""
    pending = [""]
    while pending:
        found = _look_into(root, pending.pop())
        yield found
        pending += (os.path.join(found.path, name) for name in found.folders)


def _look_into(root: str, path: str) -> _Found:
    try:
        with os.scandir(os.path.join(root, path)) as scan:
            entries = list(scan)
    except OSError:
        return _Found(path, [], [])
    names = {entry.name for entry in entries}
    folders = [
        entry.name
        for entry in entries
        if entry.is_dir(follow_symlinks=False) and not _left_out(entry.name, names)
    ]
    return _Found(path, folders, [entry.name for entry in entries if entry.is_file()])


def _left_out(name: str, siblings: set[str]) -> bool:
    if name in _NO_BUILD:
        return True
    return any(maker in siblings for maker in _OUTPUT.get(name, ()))
