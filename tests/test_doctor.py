"""`javadex doctor`: every finding with its remedy, no trace left, no check that ends the others."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from indexer.errors import IndexBusy, IndexDamaged, IndexMissing, IndexTooNew, IndexUnusable
from indexer.files import resolve_root
from indexer.store import health as health_module
from indexer.store.health import health, lacking_features, untouched_reader
from query import doctor, doctor_machine, doctor_state
from query.findings import Finding, Level
from query.service import Scope
from tests.support.cli import Console, Javadex, Result
from tests.support.indexing import InstantServer
from tests.support.trees import Tree, need_git
from tests.support.warm import WarmPlace

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture
def shop(
    tree: Tree,
    console: Console,
    server: InstantServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Tree:
    """An indexed folder, and a place without a warm server."""
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "empty"))
    monkeypatch.setenv("JAVADEX_SERVER_IDLE", "60")
    tree.write("src/shop/Order.java")
    assert console.run("index", tree.path).code == 0
    return tree


@pytest.fixture
def db(shop: Tree, tmp_path: Path) -> Path:
    (found,) = (tmp_path / "cache").rglob("index.db")
    return found


@pytest.fixture
def examined(shop: Tree, db: Path) -> Callable[..., list[Finding]]:
    def run(check: str, **changes: Any) -> list[Finding]:
        scope = Scope((resolve_root(str(shop.path)),), str(db))._replace(**changes)
        return [each for each in doctor.examine(scope) if each.check == check]

    return run


@pytest.fixture
def ask(shop: Tree, console: Console) -> Callable[..., Result]:
    def run(*arguments: object) -> Result:
        return console.run("doctor", "--root", shop.path, *arguments)

    return run


# --- documents ----------------------------------------------------------------------------------


def test_all_is_well(ask: Any) -> None:
    need_git()
    run = ask("--json")
    document = run.json
    assert (run.code, run.stderr, document["ok"]) == (0, "", True), document
    assert list(document) == ["findings", "ok"]
    bad = [each for each in document["findings"] if each["level"] != "ok"]
    assert [each["check"] for each in bad if each["check"] not in ENVIRONMENT] == []
    assert all(list(each) == ["check", "level", "found"] for each in document["findings"][:4])
    names = [each["check"] for each in document["findings"]]
    assert names[:6] == ["javadex", "java", "jdtls", "sqlite", "index", "freshness"]


ENVIRONMENT = ("mcp", "watches", "index disk", "temporary disk", "clients")
"""What a machine may well be short of."""


def test_an_error_has_a_remedy_and_a_code(ask: Any, tmp_path: Path) -> None:
    run = ask("--json", "--java", tmp_path)
    assert (run.code, run.json["ok"]) == (1, False)
    (java,) = (each for each in run.json["findings"] if each["check"] == "java")
    assert list(java) == ["check", "level", "found", "remedy"]
    assert (java["level"], "JAVADEX_JAVA" in java["remedy"]) == ("error", True)
    assert str(tmp_path) in java["found"]
    assert "pip install" not in java["found"]  # said once


def test_text(ask: Any, tmp_path: Path) -> None:
    run = ask("--jdtls", tmp_path)
    assert (run.code, run.stderr) == (1, "")
    (begin,) = re.findall(r"^error +jdtls +(?=\S)", run.stdout, re.MULTILINE)
    lines = run.stdout.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith(begin))
    assert lines[place + 1].startswith(f"{' ' * len(begin)}-> pip install")
    assert any(line.startswith("ok       sqlite") for line in lines)
    quiet = ask("--jdtls", tmp_path, "--quiet").stdout
    assert "sqlite" not in quiet
    assert begin in quiet
    coloured = ask("--jdtls", tmp_path, "--color", "always").stdout
    assert coloured != (plain := re.sub(r"\x1b\[\d+m", "", coloured))
    free = r"\d+ MB free"  # other programs use the disk, too
    assert re.sub(free, "", plain) == re.sub(free, "", run.stdout)


def test_a_wrong_root_is_a_usage_error(console: Console) -> None:
    run = console.run("doctor", "--root", "/nosuch", "--json")
    assert (run.code, run.json["errorCode"]) == (2, "rootError")


# --- no trace -----------------------------------------------------------------------------------


def traces(*folders: Path) -> dict[str, tuple[int, int, bytes]]:
    """All that lies below some folders, with times and contents."""
    return {
        str(path): (
            path.lstat().st_mtime_ns,
            path.lstat().st_mode,
            path.read_bytes() if path.is_file() and not path.is_symlink() else b"",
        )
        for folder in folders
        for path in [folder, *folder.rglob("*")]
    }


@pytest.mark.parametrize("db", [[], ["--db", "other.db"], ["--db", "none/none.db"]])
def test_nothing_is_written(
    ask: Any, console: Console, tmp_path: Path, db: list[str], monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path / "tree")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (cached,) = (tmp_path / "cache").rglob("index.db")
    shutil.copy(cached, tmp_path / "tree" / "other.db")  # an index from elsewhere
    before = traces(tmp_path)
    assert ask(*db).code == 0
    assert traces(tmp_path) == before


# --- the index ----------------------------------------------------------------------------------


def levels(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(each.level.value, each.found) for each in findings]


def test_an_index_that_is_there(db: Path, examined: Any, shop: Tree) -> None:
    ((level, found),) = levels(examined("index"))
    assert level == "ok"
    assert found.startswith(f"{db}, schema ")
    assert found.endswith(" MB, sound")
    ((level, found),) = levels(examined("freshness"))
    assert level == "ok"
    assert re.fullmatch(rf"{re.escape(str(shop.path))}: 1 files, indexed \S+Z, fresh", found)


def test_files_changed(shop: Tree, examined: Any) -> None:
    shop.write("src/shop/New.java")
    (finding,) = examined("freshness")
    assert finding.level is Level.WARNING
    assert "files changed since" in finding.found
    assert f"javadex index {shop.path}" in finding.remedy


def test_a_folder_that_was_not_indexed(examined: Any, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (finding,) = examined("freshness", roots=(resolve_root(str(tmp_path / "other")),))
    assert finding.level is Level.WARNING
    assert "is not in the index" in finding.found


def test_a_folder_around_counts(shop: Tree, examined: Any) -> None:
    inner = resolve_root(str(shop / "src"))
    (finding,) = examined("freshness", roots=(inner,), explicit=False)
    assert finding.found.startswith(f"{shop.path}: 1 files")


def test_an_index_of_another_engine(
    db: Path, examined: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from tests.fakes.runtime import fake_runtime

    for name, value in fake_runtime(tmp_path / "later", version="9.9.1.fake").items():
        monkeypatch.setenv(name, value)
    (finding,) = examined("freshness")
    assert finding.level is Level.WARNING
    assert "made by jdt.ls 9.9.0.fake, here is jdt.ls 9.9.1.fake" in finding.found


def test_no_index(examined: Any, tmp_path: Path) -> None:
    (finding,) = examined("index", db=str(tmp_path / "none.db"))
    assert finding.level is Level.WARNING
    assert "javadex index" in finding.remedy
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("how", ["damaged", "no database", "another's", "too new"])
def test_an_index_that_cannot_be_used(db: Path, examined: Any, how: str) -> None:
    spoil(db, how)
    (finding,) = examined("index")
    assert finding.level is Level.ERROR
    assert str(db) in finding.found
    assert finding.remedy


def spoil(db: Path, how: str) -> None:
    for beside in (f"{db}-wal", f"{db}-shm"):
        Path(beside).unlink(missing_ok=True)
    if how == "damaged":
        content = bytearray(db.read_bytes())
        for page in range(2, len(content) // 4096):
            content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
        db.write_bytes(content)
    elif how == "no database":
        db.write_bytes(b"no database" * 1000)
    else:
        if how == "another's":
            db.unlink()
        with sqlite3.connect(db) as connection:
            connection.execute("CREATE TABLE other (id)" if how == "another's" else TOO_NEW)
        connection.close()


TOO_NEW = "PRAGMA user_version = 99"


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("damaged", IndexDamaged),
        ("no database", IndexDamaged),
        ("another's", IndexUnusable),
        ("too new", IndexTooNew),
    ],
)
def test_health_names_what_is_wrong(db: Path, how: str, error: type[IndexUnusable]) -> None:
    spoil(db, how)
    with pytest.raises(error, match=re.escape(str(db))):
        health(str(db), 5.0)


def test_an_index_from_elsewhere_leads_to_no_file_outside(db: Path, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.db"
    shutil.copy(db, hostile)
    with sqlite3.connect(hostile) as connection:
        connection.execute("UPDATE file SET path = '../../outside.java'")
    connection.close()
    with pytest.raises(IndexDamaged, match="outside"):
        health(str(hostile), 5.0)
    with pytest.raises(IndexDamaged, match="outside"), untouched_reader(str(hostile)):
        pass


def test_health_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    for name in ("empty.db", "none.db"):
        with pytest.raises(IndexMissing, match="javadex index"):
            health(str(tmp_path / name), 5.0)


def test_health_leaves_no_file_beside(db: Path) -> None:
    for beside in (f"{db}-wal", f"{db}-shm"):
        Path(beside).unlink(missing_ok=True)
    assert health(str(db), 5.0).is_checked
    with untouched_reader(str(db)) as reader:
        assert len(reader.workspaces()) == 1
    assert sorted(path.name for path in db.parent.iterdir()) == ["index.db", "index.db.lock"]


def test_health_sees_what_is_only_in_the_log(db: Path) -> None:
    writer = sqlite3.connect(db)
    try:
        writer.execute("PRAGMA wal_autocheckpoint = 0")
        writer.execute("UPDATE workspace SET name = 'from the log'")
        writer.commit()
        assert Path(f"{db}-wal").stat().st_size > 0
        with untouched_reader(str(db)) as reader:
            assert [each.name for each in reader.workspaces()] == ["from the log"]
        assert health(str(db), 5.0).size > db.stat().st_size
    finally:
        writer.close()


def test_health_of_an_index_that_is_written_meanwhile(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What looks like damage then is none; it is looked at anew, and if that fails, too, said."""
    for beside in (f"{db}-wal", f"{db}-shm"):
        Path(beside).unlink(missing_ok=True)
    tries: list[str] = []

    def disturbed(_connection: object, path: str, _deadline: float) -> bool:
        tries.append(path)
        os.utime(path, ns=(len(tries), len(tries)))
        raise IndexDamaged("two states in one")

    monkeypatch.setattr(health_module, "_check", disturbed)
    with pytest.raises(IndexBusy, match="being written"):
        health(str(db), 5.0)
    assert len(tries) == 2


def test_health_is_bounded(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_module, "_STEPS", 1)
    assert not health(str(db), -1.0).is_checked
    assert health(str(db), 60.0).is_checked


def test_what_sqlite_lacks(monkeypatch: pytest.MonkeyPatch, examined: Any) -> None:
    assert lacking_features() == []
    more = {"Time travel": "CREATE VIRTUAL TABLE t USING timetravel (x)"}
    monkeypatch.setattr(health_module, "_FEATURES", more)
    (finding,) = examined("sqlite")
    assert finding.level is Level.ERROR
    assert "Time travel (no such module: timetravel)" in finding.found


# --- the machine --------------------------------------------------------------------------------


def test_java_that_does_not_run(shop: Tree, examined: Any, tmp_path: Path) -> None:
    java = tmp_path / "broken" / "bin" / "java"
    java.parent.mkdir(parents=True)
    (tmp_path / "broken" / "release").write_text('JAVA_VERSION="25"\n', "utf-8")
    java.write_text("#!/bin/sh\necho no such library >&2; exit 3\n", "utf-8")
    java.chmod(0o755)
    (finding,) = examined("java", java=str(tmp_path / "broken"))
    assert finding.level is Level.ERROR
    assert "exit code 3: no such library" in finding.found
    java.chmod(0o644)
    (finding,) = examined("java", java=str(tmp_path / "broken"))
    assert "does not run" in finding.found


def test_java_that_is_too_old(examined: Any, tmp_path: Path) -> None:
    (tmp_path / "old" / "bin").mkdir(parents=True)
    (tmp_path / "old" / "bin" / "java").touch()
    (tmp_path / "old" / "release").write_text('JAVA_VERSION="17.0.1"\n', "utf-8")
    (finding,) = examined("java", java=str(tmp_path / "old"))
    assert finding.level is Level.ERROR
    assert "17.0.1" in finding.found
    assert "Java 21 or later" in finding.remedy


class Usage(NamedTuple):
    free: int


@pytest.mark.parametrize(
    ("free", "level"),
    [(10**6, Level.ERROR), (10**8, Level.WARNING), (10**10, Level.OK)],
)
def test_disks(examined: Any, monkeypatch: pytest.MonkeyPatch, free: int, level: Level) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Usage(free))
    for check in ("index disk", "temporary disk"):
        (finding,) = examined(check)
        assert (finding.level, bool(finding.remedy)) == (level, level is not Level.OK)
        assert f"{free // 10**6} MB free in /" in finding.found


def test_watches(examined: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor_state, "_WATCHES", str(tmp_path / "none"))
    assert examined("watches") == []  # another system
    (tmp_path / "limit").write_text("1\n", "ascii")
    monkeypatch.setattr(doctor_state, "_WATCHES", str(tmp_path / "limit"))
    (finding,) = examined("watches")
    assert finding.level is Level.WARNING
    assert "max_user_watches" in finding.remedy
    (tmp_path / "limit").write_text("8192\n", "ascii")
    (finding,) = examined("watches")
    assert finding.level is Level.OK


def test_git(examined: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (finding,) = examined("git")
    assert (finding.level, finding.found) == (Level.WARNING, "not on the path")
    git = tmp_path / "git"
    git.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    git.chmod(0o755)
    (finding,) = examined("git")
    assert (finding.level, "does not run" in finding.found) == (Level.WARNING, True)


@pytest.mark.parametrize(
    ("version", "level"), [(None, Level.WARNING), ("1.9.0", Level.WARNING), ("2.3.0", Level.OK)]
)
def test_the_mcp_sdk(
    examined: Any, monkeypatch: pytest.MonkeyPatch, version: str | None, level: Level
) -> None:
    import importlib.metadata

    def found(_name: str) -> str:
        if version is None:
            raise importlib.metadata.PackageNotFoundError
        return version

    monkeypatch.setattr(importlib.metadata, "version", found)
    (finding,) = examined("mcp")
    assert finding.level is level


def test_the_mcp_sdk_is_the_one_that_is_asked_for() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    major = doctor_machine.MCP_MAJOR
    assert project["optional-dependencies"]["mcp"] == [f"mcp>={major},<{major + 1}"]


# --- the warm server ----------------------------------------------------------------------------


def test_no_warm_server(examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (finding,) = examined("server")
    assert (finding.level, "no warm server is running" in finding.found) == (Level.OK, True)
    monkeypatch.setenv("JAVADEX_SERVER_IDLE", "0")
    (finding,) = examined("server")
    assert (finding.level, "JAVADEX_SERVER_IDLE" in finding.found) == (Level.OK, True)
    monkeypatch.setenv("JAVADEX_SERVER_IDLE", "soon")
    (finding,) = examined("server")
    assert (finding.level, "'soon'" in finding.found) == (Level.ERROR, True)


def test_a_place_that_others_may_enter(examined: Any, tmp_path: Path) -> None:
    (tmp_path / "empty" / "javadex").mkdir(mode=0o755)
    (tmp_path / "empty" / "javadex").chmod(0o755)
    (finding,) = examined("server")
    assert finding.level is Level.WARNING
    assert "not a folder of yours alone" in finding.found
    assert "chmod 700" in finding.remedy


def test_a_warm_server(examined: Any, warm: WarmPlace, console: Console) -> None:
    assert console.run("server", "start", "--quiet").code == 0
    (finding,) = examined("server")
    assert finding.level is Level.OK
    assert f"pid {warm.pid()}" in finding.found
    assert "1 language server with" in finding.found


# --- clients ------------------------------------------------------------------------------------


def test_clients(shop: Tree, examined: Any, console: Console, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(shop.path.parent / "state"))
    (finding,) = examined("clients")
    assert (finding.level, "none set up" in finding.found) == (Level.OK, True)
    assert console.run("setup", "cursor", "--write", "--root", shop.path).code == 0
    (finding,) = examined("clients")
    assert (finding.level, "cursor set up" in finding.found) == (Level.OK, True)
    (shop / ".cursor/mcp.json").write_text('{"mcpServers": [', "utf-8")
    told, broken = examined("clients")
    assert "none set up" in told.found
    assert (broken.level, "cursor: broken" in broken.found) == (Level.WARNING, True)
    assert broken.remedy


# --- checks that fail ---------------------------------------------------------------------------


def test_a_check_that_fails_is_a_finding(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_scope: Scope) -> Iterator[Finding]:
        yield Finding("git", Level.OK, "so far")
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setitem(doctor.CHECKS, "git", broken)
    run = ask("--json")
    assert run.code == 1
    found = {each["check"]: each for each in run.json["findings"]}
    assert "nobody thought of this" in found["git"]["found"]
    assert "report" in found["git"]["remedy"]
    assert found["java"]["level"] == "ok"


@pytest.mark.parametrize("check", list(doctor.CHECKS))
def test_whatever_fails(check: str, examined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the checks call may fail in any way."""

    def broken(*_: object, **__: object) -> Any:
        raise MemoryError("no more")

    names = (
        "locate_java",
        "locate_jdtls",
        "lacking_features",
        "health",
        "options_from_environment",
    )
    for module in (doctor_machine, doctor_state):
        for name in (*names, "untouched_reader"):
            monkeypatch.setattr(module, name, broken, raising=False)
    for name in ("disk_usage", "which"):
        monkeypatch.setattr(shutil, name, broken)
    monkeypatch.setattr("importlib.metadata.version", broken)
    found = examined(check)
    assert check in ("javadex",) or [each.level for each in found] == [Level.ERROR]


def test_a_check_that_hangs_is_left_behind(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()

    def hangs(_scope: Scope) -> Iterator[Finding]:
        end.wait(60)
        return iter(())

    monkeypatch.setitem(doctor.CHECKS, "git", hangs)
    monkeypatch.setattr(doctor, "MOST_SECONDS", 2.0)
    try:
        run = ask("--json")
        assert not end.is_set()
        found = {each["check"]: each for each in run.json["findings"]}
        assert found["git"]["level"] == "warning"
        assert "no answer within 2 s" in found["git"]["found"]
        assert found["sqlite"]["level"] == "ok"
    finally:
        end.set()


# --- deep ---------------------------------------------------------------------------------------


def test_deep(tree: Tree, javadex: Javadex) -> None:
    run = javadex.run("doctor", "--root", tree.path, "--deep", "--json")
    last = run.json["findings"][-1]
    assert (run.code, last["check"], last["level"]) == (0, "language server", "ok"), last
    assert set(javadex.asked) == {"Known"}
    assert javadex.servers() == []
    assert [*javadex.temporary.iterdir()] == []
    assert [*javadex.cache.iterdir()] == []
    javadex.faults(exit_at_start={"code": 13, "stderr": "no room on this machine"})
    run = javadex.run("doctor", "--root", tree.path, "--deep", "--json")
    last = run.json["findings"][-1]
    assert (run.code, last["check"], last["level"]) == (1, "language server", "error")
    assert "no room on this machine" in last["found"]
    assert last["remedy"]
