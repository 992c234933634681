"""Processes that live on: the system tells where something happened, and only there is a look."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from watchfiles._rust_notify import RustNotify

from indexer.files import resolve_root
from query import scan as scanning
from query import upkeep
from query.contract import FindAnswer
from query.service import Scope, Service
from query.upkeep import Limits
from query.watch import Watch, _matters
from tests.support.cli import without_root_powers
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree, toy
from tests.support.warm import until


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Callable[..., Watch]]:
    watches: list[Watch] = []

    def start(*roots: Path) -> Watch:
        watch = Watch([str(root) for root in roots])
        watches.append(watch)
        until(lambda: watch.is_ready or watch.failure, "the watch is ready")
        return watch

    yield start
    for watch in watches:
        watch.close()


def two_roots(tmp_path: Path) -> tuple[Tree, Tree]:
    return Tree(tmp_path / "one"), Tree(tmp_path / "one-more")


def test_it_tells_where_something_happened(tmp_path: Path, watching: Callable[..., Watch]) -> None:
    one, two = two_roots(tmp_path)
    (one.path / "deep" / "er").mkdir(parents=True)
    watch = watching(one.path, two.path)
    assert watch.dirty() == set()
    two.write("A.java", "class A { }")
    assert until(watch.dirty, "a new file is told") == {str(two.path)}
    one.write("deep/er/B.java", "class B { }")
    assert until(watch.dirty, "one deep below is told") == {str(one.path)}
    (one.path / "deep" / "er" / "B.java").unlink()
    assert until(watch.dirty, "one that went is told") == {str(one.path)}


def test_folders_count(tmp_path: Path, watching: Callable[..., Watch]) -> None:
    one, elsewhere = two_roots(tmp_path)
    elsewhere.write("pack.age/A.java", "class A { }")
    watch = watching(one.path)
    (elsewhere.path / "pack.age").rename(one.path / "pack.age")
    assert until(watch.dirty, "a folder that came is told") == {str(one.path)}
    (one.path / "pack.age").rename(elsewhere.path / "pack.age")
    assert until(watch.dirty, "a folder that went is told") == {str(one.path)}
    (one.path / "new").mkdir()
    until(watch.dirty, "a new folder is told")
    one.write("new/B.java", "class B { }")
    assert until(watch.dirty, "a file in it is told") == {str(one.path)}


def test_noise_is_none_of_ours(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = two_roots(tmp_path)
    (one.path / ".git").mkdir()
    heard: set[str] = set()
    watch = watching(one.path)

    def hear(path: str) -> bool:
        heard.add(path)
        return _matters(path)

    monkeypatch.setattr("query.watch._matters", hear)
    (one.path / "notes.txt").write_text("x")
    for name in ("A.class", ".git/index"):
        (one.path / name).write_text("x")
        (one.path / name).unlink()
    one.write("Last.java", "class Last { }")
    until(lambda: watch.dirty() and str(one.path / "Last.java") in heard, "all of it was told")
    assert {path for path in heard if _matters(path)} == {str(one.path / "Last.java")}
    assert len(heard) >= 4


def test_git_rules_count(tmp_path: Path, watching: Callable[..., Watch]) -> None:
    one, _ = two_roots(tmp_path)
    one.write("src/.gitignore", "A.java")
    watch = watching(one.path)
    one.write("src/.gitignore", "B.java")
    assert until(watch.dirty, "other rules are told") == {str(one.path)}


def test_a_late_answer_is_no_answer_to_the_next_question(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which would be told one question late for ever."""
    one, two = two_roots(tmp_path)
    watch = watching(one.path, two.path)
    every, go_on = {str(one.path), str(two.path)}, threading.Event()
    with monkeypatch.context() as patch:
        patch.setattr("query.watch._PATIENCE", 0.01)
        patch.setattr("query.watch._matters", lambda _: go_on.wait())
        one.write("A.java", "class A { }")
        assert watch.dirty() == every, "nobody knows"
    go_on.set()
    two.write("B.java", "class B { }")
    assert watch.dirty() == every
    assert watch.dirty() == set()


def test_all_that_was_done_before_a_question_is_told(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = two_roots(tmp_path)
    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", Slow)
    watch = watching(one.path, two.path)
    for number in range(3):
        one.write(f"A{number}.java", "class A { }")
        two.write(f"B{number}.java", "class B { }")
        assert watch.dirty() == {str(one.path), str(two.path)}
        assert watch.dirty() == set()


class Slow:
    """Tells one thing at a time, as a system does that has much to do."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._notify = RustNotify(*arguments, **options)
        self._events: list[tuple[Any, str]] = []

    def watch(self, *arguments: Any) -> Any:
        while not self._events:
            found = self._notify.watch(*arguments)
            if isinstance(found, str):
                return found
            self._events += sorted(found, key=lambda event: (not event[1].endswith(".java"), event))
        return {self._events.pop(0)}

    def close(self) -> None:
        self._notify.close()


def test_where_marks_do_not_come_anything_may_have_happened(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = watching(tmp_path)
    assert watch.dirty() == set()
    with monkeypatch.context() as patch:
        patch.setattr("query.watch._Marks.make", lambda _: "/nowhere")
        assert watch.dirty() == {str(tmp_path)}
        patch.setattr("query.watch._Marks.make", _no_room)
        assert watch.dirty() == {str(tmp_path)}
    assert watch.dirty() == set()


def test_marks_go_when_it_is_closed(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    watch = watching(tmp_path)
    for _ in range(3):
        assert watch.dirty() == set(), "its own marks are told of"
    assert [*tmp_path.iterdir()] != []
    watch.close()
    assert [*tmp_path.iterdir()] == []


def test_without_a_folder_for_marks_it_watches_all_the_same(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    one, _ = two_roots(tmp_path)
    watch = watching(one.path)
    assert watch.dirty() == set()
    one.write("A.java", "class A { }")
    assert until(watch.dirty, "a new file is told") == {str(one.path)}


@pytest.mark.skipif(sys.platform == "darwin", reason="has no such file names")
def test_a_name_that_is_no_text_ends_no_watching(
    tmp_path: Path, watching: Callable[..., Watch]
) -> None:
    one, two = two_roots(tmp_path)
    watch = watching(one.path, two.path)
    for _ in range(2):
        (one.path / os.fsdecode(b"caf\xe9.txt")).touch()
        assert watch.dirty() == {str(one.path), str(two.path)}, "nobody knows"
        until(lambda: watch.is_ready, "it watches again")
        until(lambda: not watch.dirty(), "all is quiet")
        two.write("B.java", "class B { }")
        assert watch.dirty() == {str(two.path)}


def test_what_happens_until_it_watches_again_is_told(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = two_roots(tmp_path)
    watch = watching(one.path, two.path)
    go_on = threading.Event()

    def held(*arguments: Any, **options: Any) -> RustNotify:
        go_on.wait()
        return RustNotify(*arguments, **options)

    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", held)
    with monkeypatch.context() as patch:
        patch.setattr("query.watch._events", _broken)
        watch.ask()
        until(lambda: not watch.is_ready, "it does not watch")
    every = {str(one.path), str(two.path)}
    assert watch.dirty() == every
    assert watch.dirty() == every
    one.write("A.java", "class A { }")
    go_on.set()
    until(lambda: watch.is_ready, "it watches again")
    assert watch.dirty() == every
    assert watch.dirty() == set()


def _broken(*_: object) -> None:
    raise RuntimeError("error in underlying watcher")


@pytest.mark.parametrize(
    ("link", "target", "is_astray"),
    [
        ("bazel-out", "../outside", True),
        ("other-root", "../one-more", True),
        ("deep/up", "..", True),
        ("deep/round", "packages", True),
        ("inside", "deep/plain", False),
        ("a-file", "A.java", False),
    ],
)
def test_links_are_not_followed_astray(
    tmp_path: Path, watching: Callable[..., Watch], link: str, target: str, is_astray: bool
) -> None:
    one, two = two_roots(tmp_path)
    (tmp_path / "outside").mkdir()
    one.write("A.java", "class A { }")
    one.write("deep/plain/B.java", "class B { }")
    one.write("deep/packages/C.java", "class C { }")
    (one.path / "deep" / "packages" / "link").symlink_to(one.path / "deep" / "plain")
    (one.path / link).symlink_to(target)
    watch = watching(one.path, two.path)
    assert watch.is_ready is not is_astray
    assert (str(one.path / link) in watch.failure) is is_astray


def test_a_folder_that_cannot_be_watched_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir(mode=0)
    code = (
        "import sys, time; from query.watch import Watch; watch = Watch([sys.argv[1]])\n"
        "while not (watch.is_ready or watch.failure): time.sleep(0.01)\n"
        "print(watch.failure); watch.close()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        preexec_fn=without_root_powers,
    )
    assert "ermission denied" in done.stdout, done


def test_a_folder_that_goes_while_the_watch_starts_is_no_failure(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[object] = []

    def gone(*arguments: Any, **options: Any) -> RustNotify:
        tries.append(arguments)
        if len(tries) == 1:
            raise FileNotFoundError(2, "No such file or directory")
        return RustNotify(*arguments, **options)

    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", gone)
    assert watching(tmp_path).is_ready
    assert watching(tmp_path / "none").failure


def test_what_a_late_answer_says_goes_with_the_next(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = map(str, (tmp_path / "one", tmp_path / "two"))
    go_on, says = threading.Event(), iter([{one}, {two}, set[str]()])

    def happened(*_: object) -> set[str]:
        assert go_on.wait(10)
        return next(says)

    for root in (one, two):
        os.mkdir(root)
    monkeypatch.setattr(Watch, "_happened", happened)
    watch = watching(Path(one), Path(two))
    with monkeypatch.context() as patch:
        patch.setattr("query.watch._PATIENCE", 0.01)
        assert watch.dirty() == {one, two}, "nobody knows"
    go_on.set()
    assert watch.dirty() == {one, two}, "the late answer and its own"
    assert watch.dirty() == set()


def test_a_system_that_cannot_watch_is_a_failure(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", _no_room)
    watch = watching(tmp_path)
    assert "watch limit" in watch.failure
    assert not watch.is_ready
    assert watch.dirty() == {str(tmp_path)}


def test_its_thread_ends(tmp_path: Path, watching: Callable[..., Watch]) -> None:
    watching(tmp_path).close()
    until(
        lambda: "javadex-watch" not in {each.name for each in threading.enumerate()},
        "the thread that started the watch ends",
    )


# --- Its use --------------------------------------------------------------------------------------


class Counted:
    """Counts the looks at all files of a workspace folder."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.roots: list[str] = []
        scan = scanning.scan

        def counted(reader, folder, budget):  # type: ignore[no-untyped-def]
            self.roots.append(Path(folder.root).name)
            return scan(reader, folder, budget)

        monkeypatch.setattr(upkeep, "scan", counted)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Every question looks, and the second one starts to watch."""
    monkeypatch.setattr(upkeep, "SCAN_EVERY", 0.0)
    monkeypatch.setattr(upkeep, "WATCH_AFTER", 0.0)
    return Counted(monkeypatch)


class Long:
    """A service that lives on."""

    def __init__(self, index: Index, *roots: Path) -> None:
        scope = Scope(
            tuple(resolve_root(str(root)) for root in roots), str(index.path), upkeep=Limits(10.0)
        )
        self.service = Service(scope)

    def find(self, query: str) -> list[str]:
        answer = self.service.find(query)
        assert isinstance(answer, FindAnswer)
        return [hit.name for hit in answer.hits]

    def detail(self, query: str) -> str:
        answer = self.service.find(query)
        assert isinstance(answer, FindAnswer)
        return answer.provenance.detail

    def settle(self, looks: Counted) -> None:
        """Ask until questions look at nothing."""

        def quiet() -> bool:
            before = len(looks.roots)
            self.find("Nobody")
            return len(looks.roots) == before

        until(quiet, "no look is needed any more")
        looks.roots.clear()


@pytest.fixture
def long(tmp_path: Path, index: Index, server: InstantServer, looks: Counted) -> Iterator[Long]:
    one, two = two_roots(tmp_path)
    one.write("A.java", toy("A.java"))
    two.write("B.java", toy("B.java"))
    index.build(one.path, two.path)
    server.forget()
    long = Long(index, one.path, two.path)
    yield long
    long.service.close()


def test_a_quiet_tree_is_not_looked_at(long: Long, looks: Counted) -> None:
    long.settle(looks)
    for _ in range(20):
        assert long.find("A") == ["A"]
    assert looks.roots == []


def test_only_where_something_happened(
    long: Long, looks: Counted, tmp_path: Path, server: InstantServer
) -> None:
    long.settle(looks)
    (tmp_path / "one-more" / "Later.java").write_text(toy("Later.java"))
    until(lambda: long.find("Later") == ["Later"], "the new file is found")
    assert set(looks.roots) == {"one-more"}
    assert server.asked == ["Later"]
    (tmp_path / "one" / "A.java").rename(tmp_path / "one" / "Moved.java")
    until(lambda: {"one", "one-more"} <= set(looks.roots) or long.find("x"), "both were looked at")


def test_a_look_is_had_now_and_then(
    long: Long, looks: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    long.settle(looks)
    later = time.monotonic() + upkeep.SURE_FOR + 1
    monkeypatch.setattr("query.upkeep.time.monotonic", lambda: later)
    long.find("A")
    assert looks.roots == ["one", "one-more"]


def test_a_busy_folder_does_not_put_off_the_look_at_another(
    long: Long, looks: Counted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    long.settle(looks)
    monkeypatch.setattr(Watch, "dirty", lambda _: {str(tmp_path / "one-more")})
    start = time.monotonic()
    for seconds in range(1, int(upkeep.SURE_FOR) + 2):
        monkeypatch.setattr("query.upkeep.time.monotonic", lambda s=seconds: start + s)
        long.find("A")
    assert looks.roots.count("one") == 1
    assert looks.roots.count("one-more") > 5


def test_a_look_that_ran_out_of_time_is_had_again_soon(
    long: Long, looks: Counted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    long.settle(looks)
    with monkeypatch.context() as patch:
        patch.setattr(upkeep, "scan", lambda *_: scanning.Scan(changed=False, complete=False))
        (tmp_path / "one" / "Other.txt").mkdir()
        until(lambda: "time was up" in long.detail("A"), "a look is cut off")
    (tmp_path / "one" / "Fresh.java").write_text(toy("Fresh.java"))
    assert long.find("Fresh") == ["Fresh"]


def test_a_folder_that_takes_the_place_of_the_root_is_watched(
    long: Long, looks: Counted, tmp_path: Path
) -> None:
    root, away, copy = (tmp_path / name for name in ("one", "away", "copy"))
    long.settle(looks)
    shutil.copytree(root, copy)
    root.rename(away)
    copy.rename(root)
    until(lambda: long.find("A") == ["A"], "it is seen")
    long.settle(looks)
    (root / "Fresh.java").write_text(toy("Fresh.java"))
    until(lambda: long.find("Fresh") == ["Fresh"], "what happens in it is told")


def test_an_index_that_takes_the_place_of_another_is_looked_at(
    long: Long, looks: Counted, index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Watch, "dirty", lambda _: set())  # no event to help
    older = tmp_path / "older.db"
    shutil.copy(index.path, older)
    _set_last_run(older, "2000-01-01T00:00:00Z")
    (tmp_path / "one" / "Later.java").write_text(toy("Later.java"))
    assert long.find("Later") == ["Later"]
    long.settle(looks)
    os.replace(older, index.path)
    assert long.find("Later") == ["Later"]


def _set_last_run(path: Path, when: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE workspace SET indexed_at = ?", (when,))
    connection.close()


def test_a_failure_that_somebody_mended_is_forgotten(
    long: Long, index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _set_last_run(index.path, "2000-01-01T00:00:00Z")
    (tmp_path / "one" / "Later.java").write_text(toy("Later.java"))
    with monkeypatch.context() as patch:
        patch.setattr("indexer.jdtls.pool.outlines", InstantServer().lost_after(0))
        assert "could not be indexed anew" in long.detail("A")
        assert "could not be indexed anew" in long.detail("A")
    index.build(tmp_path / "one", tmp_path / "one-more")
    assert "could not be" not in long.detail("Later")
    assert long.find("Later") == ["Later"]


def test_without_a_watch_every_question_looks(
    long: Long, looks: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("watchfiles._rust_notify.RustNotify", _no_room)
    for _ in range(5):
        assert long.find("A") == ["A"]
    assert looks.roots == ["one", "one-more"] * 5


def _no_room(*_: object, **__: object) -> None:
    raise OSError(28, "OS file watch limit reached")


def test_a_process_that_asks_once_watches_nothing(
    index: Index, server: InstantServer, tree: Tree
) -> None:
    tree.write("A.java", toy("A.java"))
    index.build(tree.path)
    long = Long(index, tree.path)
    for _ in range(3):
        assert long.find("A") == ["A"]
    assert long.service._upkeep._watch is None
    long.service.close()


def test_what_was_asked_and_not_taken_is_not_lost(
    tmp_path: Path, watching: Callable[..., Watch]
) -> None:
    one, two = two_roots(tmp_path)
    watch = watching(one.path, two.path)
    heard: set[str] = set()
    one.write("A.java", "class A { }")
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and not watch._kept:
        watch.ask()  # as questions do that end before they take the answer
    two.write("B.java", "class B { }")

    def hear() -> bool:
        heard.update(watch.dirty())
        return len(heard) == 2

    until(hear, "both are told")
    assert heard == {str(one.path), str(two.path)}


def test_a_thread_that_does_not_answer_means_that_anything_happened(
    tmp_path: Path, watching: Callable[..., Watch], monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = watching(tmp_path)
    monkeypatch.setattr("query.watch._PATIENCE", 0.01)
    watch.close()
    until(lambda: "javadex-watch" not in {each.name for each in threading.enumerate()}, "it ends")
    assert watch.dirty() == {str(tmp_path)}


def test_a_run_beside_a_search_is_seen_by_it(
    long: Long, looks: Counted, tmp_path: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process indexes after the search, before the system's word that all is quiet."""
    long.settle(looks)
    searched = Service._search

    def then_indexed(self: Service, *arguments: Any) -> Any:
        found = searched(self, *arguments)
        if not (tmp_path / "one" / "Late.java").exists():
            (tmp_path / "one" / "Late.java").write_text("class Late { }")
            index.build(tmp_path / "one")
        return found

    monkeypatch.setattr(Service, "_search", then_indexed)
    assert long.find("Late") == ["Late"]


def test_what_was_found_before_a_look_is_looked_at_again(
    long: Long, looks: Counted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look takes a while, in which a file of the hits may go."""
    long.settle(looks)
    counted: Any = upkeep.scan  # type: ignore[attr-defined]

    def then_gone(*arguments: Any) -> Any:
        found = counted(*arguments)
        (tmp_path / "one" / "A.java").unlink(missing_ok=True)
        return found

    monkeypatch.setattr(upkeep, "scan", then_gone)
    (tmp_path / "one" / "Other").mkdir()

    def is_gone() -> bool:
        found = long.find("A")
        assert found == ["A"] if (tmp_path / "one" / "A.java").exists() else found == []
        return not found

    until(is_gone, "there is a look, and A is gone after it")
