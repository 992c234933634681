"""Paths in an index: named by what they lie below, so that an index may move to another machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from indexer.portable import Bases, bases_of, local, portable

HERE = Bases("/w/shop", "/home/me", "/opt/jdk-25")
THERE = Bases("/Users/you/code/shop", "/Users/you", "/Library/Java/25/Home")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/w/shop/lib/a.jar", "{root}/lib/a.jar"),
        ("/w/shop", "{root}"),
        ("/w/shopping/a.jar", "/w/shopping/a.jar"),
        ("/w", "/w"),
        ("/home/me/.m2/a.jar", "{home}/.m2/a.jar"),
        ("/home/me2/.m2/a.jar", "/home/me2/.m2/a.jar"),
        ("/opt/jdk-25", "{java}"),
        ("/opt/jdk-25/lib/jrt-fs.jar", "{java}/lib/jrt-fs.jar"),
        ("/opt/jdk-21", "/opt/jdk-21"),
        ("lib/a.jar", "lib/a.jar"),
        ("", ""),
        ("/", "/"),
        ("/home/me/ü {root}/a b.jar", "{home}/ü {root}/a b.jar"),
    ],
)
def test_portable_and_back(path: str, expected: str) -> None:
    assert portable(path, HERE) == expected
    assert local(expected, HERE) == path


def test_the_innermost_base_counts() -> None:
    bases = Bases("/home/me/shop", "/home/me", "/home/me/shop/jdk")
    assert portable("/home/me/shop/jdk/lib/a.jar", bases) == "{java}/lib/a.jar"
    assert portable("/home/me/shop/lib/a.jar", bases) == "{root}/lib/a.jar"
    assert portable("/home/me/lib/a.jar", bases) == "{home}/lib/a.jar"


def test_on_another_machine() -> None:
    for here, there in {
        "/w/shop/lib/a.jar": "/Users/you/code/shop/lib/a.jar",
        "/home/me/.m2/a.jar": "/Users/you/.m2/a.jar",
        "/opt/jdk-25": "/Library/Java/25/Home",
        "/srv/jars/a.jar": "/srv/jars/a.jar",
    }.items():
        assert local(portable(here, HERE), THERE) == there
        assert local(portable(there, THERE), HERE) == here


def test_what_is_unknown_here_stays_named() -> None:
    for bases in (Bases("", "", ""), Bases("/w/shop", "/home/me", "")):
        assert local("{java}/lib/jrt-fs.jar", bases) == "{java}/lib/jrt-fs.jar"
    assert portable("/opt/a.jar", Bases("", "", "")) == "/opt/a.jar"
    for other in ("{nothing}/a.jar", "{root", "root}/a.jar", "x{root}/a.jar", "{}/a", "}"):
        assert local(other, HERE) == other


def test_a_base_that_is_the_whole_file_system_names_nothing() -> None:
    """A container's user may have `/` for a home."""
    bases = Bases("/w/shop", "/", "//")
    assert portable("/srv/a.jar", bases) == "/srv/a.jar"
    assert portable("/w/shop/a.jar", bases) == "{root}/a.jar"


def test_a_slash_at_the_end_of_a_base_does_not_count() -> None:
    bases = Bases("/w/shop/", "/home/me//", "/opt/jdk/")
    assert portable("/w/shop/a.jar", bases) == "{root}/a.jar"
    assert portable("/home/me/a.jar", bases) == "{home}/a.jar"
    assert local("{root}/a.jar", bases) == "/w/shop/a.jar"


def test_bases_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "jdk" / "bin").mkdir(parents=True)
    java = tmp_path / "jdk" / "bin" / "java"
    java.touch()
    (tmp_path / "java").symlink_to(java)
    expected = Bases("/w/shop", str(tmp_path / "home"), os.path.realpath(tmp_path / "jdk"))
    assert bases_of("/w/shop", str(java)) == expected
    assert bases_of("/w/shop", str(tmp_path / "java")) == expected
    assert bases_of("/w/shop", "") == expected._replace(java="")


SEGMENTS = st.sampled_from(["a", "b", "home", "me", "{root}", "{", "}", "é", " ", "\udce9", "..x"])
PATHS = st.lists(SEGMENTS, min_size=1, max_size=5).map(lambda parts: "/" + "/".join(parts))
FOLDERS = PATHS | st.just("") | st.just("/")
BASES = st.builds(Bases, FOLDERS, FOLDERS, FOLDERS)


@given(PATHS | PATHS.map(lambda path: path[1:]) | st.text(), BASES)
@example("/a/b", Bases("/a", "/a", "/a/b"))
@example("/a", Bases("/a/", "", ""))
def test_local_undoes_portable(path: str, bases: Bases) -> None:
    # Such a path is relative, which no path of a file that an index keeps is.
    assume(not path.startswith("{"))
    stored = portable(path, bases)
    assert local(stored, bases) == path
    # What is stored does not tell where the bases are.
    for base in filter(None, (base.rstrip("/") for base in bases)):
        assert not f"{stored}/".startswith(f"{base}/")


@given(PATHS, BASES, BASES)
def test_a_path_below_a_base_is_below_that_of_the_other_machine(
    below: str, here: Bases, there: Bases
) -> None:
    assume(here.root.strip("/"))
    assume(there.root.strip("/"))
    path = here.root + below
    stored = portable(path, here)
    name = stored.partition("}")[0][1:]
    base = getattr(there, name).rstrip("/")
    rest = stored.partition("}")[2]
    assert local(stored, there) == (base + rest if base else stored)
    assert path.endswith(rest)
