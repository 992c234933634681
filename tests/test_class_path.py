"""What a build's class path depends on, and the identity of libraries."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from indexer.class_path import (
    class_path_fingerprint,
    classes_in,
    copy_build,
    has_build,
    jar_key,
    jdk_key,
)
from indexer.recipe import content_key
from tests.support.trees import Tree

RELEASE = 'IMPLEMENTOR="Maker"\nJAVA_VERSION="25.0.2"\nMODULES="java.base"\n'


def make_jdk(home: Path, release: str = RELEASE, image: bytes = b"image") -> str:
    (home / "lib").mkdir(parents=True)
    (home / "lib" / "modules").write_bytes(image)
    (home / "release").write_text(release)
    return str(home)


def fill_build(tree: Tree) -> None:
    tree.write("pom.xml", "<project/>")
    tree.write("core/pom.xml", "<project/>")
    tree.write("core/src/main/java/p/A.java")
    tree.write("core/src/main/resources/a.txt", "text")
    tree.write("core/lib/x.jar", b"PK one")
    tree.write("app/build.gradle.kts", "plugins {}")
    tree.write("app/.classpath", "<classpath/>")
    tree.write("app/.settings/org.eclipse.jdt.core.prefs", "a=1")
    tree.write(".mvn/extensions.xml", "<extensions/>")
    tree.write("gradle/libs.versions.toml", "[versions]")
    tree.write("app/gradle.lockfile", "a:b:1=compile")
    tree.write("buildSrc/src/main/java/Rules.java", "class Rules {}")
    tree.write("core/src/main/java/module-info.java", "module m {}")
    tree.write("core/target/classes/p/A.class", b"\xca\xfe")


def test_a_jar_is_its_bytes(tmp_path: Path) -> None:
    content = b"PK" + bytes(range(256)) * 5000  # more than one chunk
    jar = tmp_path / "a.jar"
    jar.write_bytes(content)
    assert jar_key(str(jar)) == content_key(content)
    with pytest.raises(OSError, match="gone"):
        jar_key(str(tmp_path / "gone.jar"))


def make_jar(path: Path, *entries: str) -> str:
    with zipfile.ZipFile(path, "w") as jar:
        for entry in entries:
            jar.writestr(entry, b"")
    return str(path)


def test_the_classes_of_a_jar_by_package(tmp_path: Path) -> None:
    jar = make_jar(
        tmp_path / "a.jar",
        *("META-INF/MANIFEST.MF", "module-info.class", "a/b/package-info.class", "a/x.txt", "a/"),
        *("a/A.class", "a/A$In.class", "a/b/B.class", "c/C$1.class", "Bare.class"),
        *("META-INF/versions/9/a/A.class", "META-INF/versions/11/d/New.class"),
    )
    assert classes_in(jar) == {
        "a": ["A"],
        "a.b": ["B"],
        "c": [],
        "": ["Bare"],
        "d": [],
    }


def test_classes_whose_package_cannot_be_told(tmp_path: Path) -> None:
    assert classes_in(make_jar(tmp_path / "web.jar", "WEB-INF/classes/a/A.class")) is None
    (tmp_path / "no.jar").write_bytes(b"no jar")
    assert classes_in(str(tmp_path / "no.jar")) is None
    assert classes_in(str(tmp_path / "gone.jar")) is None


def test_a_pipe_in_the_place_of_a_jar_is_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes in the file system here")
    jar = str(tmp_path / "x.jar")
    os.mkfifo(jar)
    with pytest.raises(OSError, match="no regular file"):
        jar_key(jar)
    assert classes_in(jar) is None
    home = Path(make_jdk(tmp_path / "jdk"))
    (home / "release").unlink()
    os.mkfifo(home / "release")
    with pytest.raises(OSError, match="no regular file"):
        jdk_key(str(home))


def test_a_folder_in_the_place_of_a_jar_is_called_one(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        jar_key(str(tmp_path))


def test_a_jdk_is_its_release_wherever_it_lies(tmp_path: Path) -> None:
    key, name = jdk_key(make_jdk(tmp_path / "one"))
    assert name == "JDK 25.0.2"
    assert jdk_key(make_jdk(tmp_path / "two")) == (key, name)
    others = {
        jdk_key(make_jdk(tmp_path / "three", RELEASE.replace("25.0.2", "25.0.3")))[0],
        jdk_key(make_jdk(tmp_path / "four", RELEASE.replace("java.base", "java.base java.xml")))[0],
        jdk_key(make_jdk(tmp_path / "five", image=b"another image"))[0],
    }
    assert len(others | {key}) == 4


def test_a_jdk_without_a_release_file_is_refused(tmp_path: Path) -> None:
    home = make_jdk(tmp_path / "jdk")
    os.unlink(os.path.join(home, "release"))
    with pytest.raises(OSError, match="release"):
        jdk_key(home)


@pytest.mark.parametrize(
    "path",
    [
        "pom.xml",
        "core/pom.xml",
        "core/lib/x.jar",
        "app/build.gradle.kts",
        "app/.classpath",
        "app/.settings/org.eclipse.jdt.core.prefs",
        ".mvn/extensions.xml",
        "gradle/libs.versions.toml",
        "app/gradle.lockfile",
        "buildSrc/src/main/java/Rules.java",
        "core/src/main/java/module-info.java",
    ],
)
def test_the_fingerprint_changes_with_each_file_of_the_build(tree: Tree, path: str) -> None:
    fill_build(tree)
    before = class_path_fingerprint(str(tree.path), "engine")
    changed = (tree / path).read_bytes() + b" "
    tree.write(path, changed)
    after = class_path_fingerprint(str(tree.path), "engine")
    (tree / path).unlink()
    assert len({before, after, class_path_fingerprint(str(tree.path), "engine")}) == 3


def test_the_fingerprint_is_that_of_the_build_not_of_the_place(tree: Tree, tmp_path: Path) -> None:
    fill_build(tree)
    before = class_path_fingerprint(str(tree.path), "engine")
    tree.write("core/src/main/java/p/A.java", "package p; class Other {}")
    tree.write("core/src/main/resources/a.txt", "other text")
    tree.write("core/target/x.jar", b"PK built")
    tree.write("app/build/libs/app.jar", b"PK built")
    tree.write(".git/config", "")
    shutil.copytree(tree.path, tmp_path / "moved")
    assert class_path_fingerprint(str(tree.path), "engine") == before
    assert class_path_fingerprint(str(tmp_path / "moved"), "engine") == before
    assert class_path_fingerprint(str(tree.path), "another engine") != before


def test_a_moved_build_file_is_a_change(tree: Tree) -> None:
    tree.write("a/pom.xml", "<project/>")
    before = class_path_fingerprint(str(tree.path), "")
    (tree / "a").rename(tree / "b")
    assert class_path_fingerprint(str(tree.path), "") != before


@pytest.mark.parametrize("path", ["pom.xml", "a/b/build.gradle.kts", "x/.project"])
def test_a_folder_with_a_build(tree: Tree, path: str) -> None:
    tree.write("src/A.java")
    tree.write("lib/a.jar", b"PK")
    assert not has_build(str(tree.path))
    tree.write(path, "")
    assert has_build(str(tree.path))


def test_the_copy_of_a_build_can_be_written_into(tree: Tree, tmp_path: Path) -> None:
    fill_build(tree)
    tree.write("mvnw", "#!/bin/sh\n")
    target = tmp_path / "copy"
    copy_build(str(tree.path), str(target))
    assert (target / "core/src/main/java/p").is_dir()
    assert not (target / "core/src/main/java/p/A.java").exists()
    assert not (target / "core/target").exists()
    assert (target / "core/src/main/java/module-info.java").read_text() == "module m {}"
    assert (target / "buildSrc/src/main/java/Rules.java").is_file()
    assert (target / "core/lib/x.jar").read_bytes() == b"PK one"
    for path in ("pom.xml", "app/.classpath", "app/.settings/org.eclipse.jdt.core.prefs"):
        (target / path).write_text("written by the server")
    assert (tree / "pom.xml").read_text() == "<project/>"
    assert (tree / "app/.classpath").read_text() == "<classpath/>"


def test_a_read_only_build_can_be_copied_and_the_copy_written(tree: Tree, tmp_path: Path) -> None:
    tree.write("pom.xml", "<project/>").chmod(0o444)
    copy_build(str(tree.path), str(tmp_path / "copy"))
    copied = tmp_path / "copy" / "pom.xml"
    assert os.stat(copied).st_mode & 0o200
    assert not copied.is_symlink()


def test_links_to_folders_are_not_followed(tree: Tree, tmp_path: Path) -> None:
    tree.write("a/pom.xml", "<project/>")
    (tree / "a/again").symlink_to(tree.path, target_is_directory=True)
    before = class_path_fingerprint(str(tree.path), "")
    copy_build(str(tree.path), str(tmp_path / "copy"))
    assert not (tmp_path / "copy/a/again").exists()
    assert class_path_fingerprint(str(tmp_path / "copy"), "") == before
