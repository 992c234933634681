"""Indexes from elsewhere, hostile source trees, inputs that lead outside (docs/security.md)."""

from __future__ import annotations

import ast
import os
import shutil
import socket
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

import indexer
import query
from indexer.discovery import discover
from indexer.errors import IndexDamaged, IndexUnusable
from indexer.files import is_below, read, resolve_root, stat_inside
from indexer.jdtls.scratch import Scratch
from indexer.store import schema, trust
from indexer.store.location import default_db
from indexer.store.migrations import _MIGRATIONS
from indexer.store.reader import open_reader
from indexer.store.shape import declared_entries, strange_entry
from indexer.store.writer import open_writer
from query.contract import ErrorCode, FindAnswer, ToolError
from query.paths import WorkspaceFile, resolve
from query.service import Scope, Service
from tests.support.cli import Console
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree

ENTRIES = "SELECT type, name, sql FROM sqlite_schema"
needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need privileges there")


@pytest.fixture
def shop(tree: Tree, index: Index, server: InstantServer) -> Tree:
    """An indexed folder."""
    tree.write("src/shop/Order.java")
    tree.write("src/shop/Item.java")
    index.build(tree.path)
    return tree


@pytest.fixture
def outside(tmp_path: Path) -> Tree:
    """What nobody may name."""
    other = Tree(tmp_path / "outside")
    other.write("Secret.java")
    return other


def alter(path: Path, script: str) -> None:
    """Do to an index what javadex would not."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(f"PRAGMA foreign_keys = OFF; {script}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


# --- an index from elsewhere: its schema --------------------------------------------------------


def made(path: Path, version: int) -> list[tuple[str, str, str | None]]:
    """The schema that the migrations make."""
    database = Database(str(path))
    _MIGRATIONS.apply(database, stop_before=f"schema_{version + 1}")
    entries = database.conn.execute(ENTRIES).fetchall()
    database.conn.commit()
    database.close()
    return entries


@pytest.mark.parametrize("version", range(1, schema.VERSION + 1))
def test_what_is_declared_is_what_the_migrations_make(tmp_path: Path, version: int) -> None:
    """To the letter, so that the usual case needs no regular expression."""
    entries = made(tmp_path / "made.db", version)
    assert {(kind, name): sql for kind, name, sql in entries if sql} == declared_entries(version)
    assert strange_entry(entries, version) is None


def test_comments_and_white_space_may_be_mended(tmp_path: Path) -> None:
    entries = made(tmp_path / "made.db", schema.VERSION)
    mended = [
        (kind, name, sql and sql.replace("\n", ' -- it\'s "other"\n\n  ').replace("--", "-- x"))
        for kind, name, sql in entries
    ]
    assert mended != entries
    assert strange_entry(mended, schema.VERSION) is None


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("type", "weight           INTEGER NOT NULL", "weight INTEGER NOT NULL DEFAULT (random())"),
        ("kind", "TEXT NOT NULL", "TEXT NOT NULL DEFAULT '-- ', x AS (random())\n"),
        ("kind", ") STRICT", ")"),
        ("members", "'Method'", "'--' || randomblob(9) || '\n'"),
        ("member_name_fragment", "ascii", "unicode61"),
        ("type_fragment_config", "v)", "v DEFAULT (random()))"),
        ("type_fragment_config", "v)", "v, w AS (random()))"),
        ("_sqlite_migrations", '"name" TEXT', '"name" TEXT CHECK (length("name"))'),
        ("idx__sqlite_migrations_migration_set_name", '("mig', '(random(), "mig'),
        ("type_folded", "(folded", "(length(name), folded"),
    ],
)
def test_a_text_that_means_something_else_is_strange(
    tmp_path: Path, name: str, old: str, new: str
) -> None:
    entries = made(tmp_path / "made.db", schema.VERSION)
    changed = [
        (kind, other, sql.replace(old, new) if other == name and sql else sql)
        for kind, other, sql in entries
    ]
    assert changed != entries
    assert strange_entry(changed, schema.VERSION) == name


HOSTILE = {
    "trigger": "CREATE TRIGGER t AFTER INSERT ON recipe BEGIN DELETE FROM file; END",
    "view": "CREATE VIEW more AS SELECT 1",
    "endless view": "DROP TABLE word_count; CREATE VIEW word_count AS WITH RECURSIVE n(i) AS "
    "(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'type' texts, 'or' word, i number FROM n",
    "other view": "DROP VIEW types; CREATE VIEW types AS SELECT load_extension('x')",
    "virtual table": "CREATE VIRTUAL TABLE more USING fts5 (x)",
    "table": "CREATE TABLE more (x)",
    "expression": "CREATE INDEX more ON type (length(name))",
    "generated column": "ALTER TABLE kind ADD COLUMN more TEXT AS (length(name))",
    "default": "ALTER TABLE kind ADD COLUMN more TEXT DEFAULT 'x'",
    "other table": "DROP TABLE word_count; CREATE TABLE word_count (texts, word, number)",
    "account": "DROP TABLE _sqlite_migrations; "
    "CREATE TABLE _sqlite_migrations (id INTEGER CHECK (id > abs(-1)))",
}


@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE)
def test_an_index_with_more_in_it_is_refused_and_left_alone(
    script: str, shop: Tree, index: Index, console: Console, server: InstantServer
) -> None:
    alter(index.path, script)
    before = index.path.read_bytes()
    for command in (["find", "Order"], ["status"], ["index"]):
        run = console.run(*command, "--root", shop.path, "--db", index.path)
        assert (run.code, run.stdout) == (3, ""), run.stderr
        assert f"{index.path} is not an index that javadex made" in run.stderr
        assert "javadex index" in run.stderr
        run = console.run(*command, "--root", shop.path, "--db", index.path, "--json")
        assert run.json["errorCode"] == "indexUnusable"
    assert index.path.read_bytes() == before
    assert list(index.path.parent.glob("*.corrupt-*")) == []


@pytest.mark.parametrize("version", range(1, schema.VERSION))
def test_an_older_index_with_more_in_it_is_not_upgraded(tmp_path: Path, version: int) -> None:
    path = tmp_path / "old.db"
    made(path, version)
    alter(path, "CREATE TRIGGER t AFTER INSERT ON recipe BEGIN DELETE FROM file; END")
    before = path.read_bytes()
    for open_index in (open_reader, open_writer):
        with pytest.raises(IndexUnusable, match="not an index that javadex made") as caught:
            open_index(str(path))
        assert not isinstance(caught.value, IndexDamaged)
    assert path.read_bytes() == before


def test_what_a_connection_may_do(shop: Tree, index: Index) -> None:
    reader, writer = open_reader(str(index.path)), open_writer(str(index.path))
    try:
        assert reader._rows("PRAGMA query_only") == [(1,)]
        for connection in (reader._conn, writer._conn):
            for pragma, value in (("trusted_schema", 0), ("cell_size_check", 1)):
                assert connection.execute(f"PRAGMA {pragma}").fetchall() == [(value,)]
            with pytest.raises(sqlite3.OperationalError, match="attached databases"):
                connection.execute("ATTACH ':memory:' AS other")
            with pytest.raises(sqlite3.OperationalError, match="not authorized"):
                connection.execute("SELECT load_extension('x')")
            if sys.version_info >= (3, 12):
                assert connection.getconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)
    finally:
        reader.close()
        writer.close()


# --- an index from elsewhere: its pages and rows ------------------------------------------------


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The schema version of each index that was read through."""
    seen: list[int] = []
    names = trust.strange_names

    def noted(connection: sqlite3.Connection, version: int) -> Iterator[str]:
        seen.append(version)
        return names(connection, version)

    monkeypatch.setattr(trust, "strange_names", noted)
    return seen


def opened(path: Path) -> None:
    open_reader(str(path)).close()


def test_what_was_made_here_is_not_read_through(
    shop: Tree, index: Index, readings: list[int], tmp_path: Path
) -> None:
    opened(index.path)
    own = tmp_path / "cache" / "javadex" / "own" / "index.db"
    own.parent.mkdir()
    shutil.copy(index.path, own)
    opened(own)
    shop.write("src/shop/New.java")
    index.build(shop.path)
    opened(index.path)
    assert readings == []


def test_what_came_from_elsewhere_is_read_through_once(
    shop: Tree, index: Index, readings: list[int], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    shutil.copy(index.path, copy)
    opened(copy)
    opened(copy)
    assert readings == [3]
    status = copy.stat()
    copy.write_bytes(index.path.read_bytes())  # in place, of the same size and time
    os.utime(copy, ns=(status.st_atime_ns, status.st_mtime_ns))
    if copy.stat().st_ctime_ns != status.st_ctime_ns:
        opened(copy)
        assert readings == [3, 3]


def test_the_notes_are_private(shop: Tree, index: Index, tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "javadex" / "checked"
    notes = list(folder.iterdir())
    assert len(notes) == 2  # made here, and sound
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(note.stat().st_mode) for note in notes} == {0o600}


def test_a_note_that_cannot_be_kept_costs_time_only(
    shop: Tree, index: Index, readings: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    opened(index.path)
    opened(index.path)
    assert readings == [3, 3]


def test_a_fault_that_a_query_would_not_meet_is_found(
    shop: Tree, index: Index, console: Console, server: InstantServer
) -> None:
    """Two entries of an index lead to the same row: only reading all of it tells."""
    alter(
        index.path,
        "CREATE TABLE more (x); PRAGMA writable_schema = ON; "
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema "
        "WHERE name = 'kind') WHERE name = 'recipe'; DELETE FROM sqlite_schema "
        "WHERE name = 'more'",
    )
    with pytest.raises(IndexDamaged, match=str(index.path)):
        opened(index.path)
    assert console.run("index", shop.path, "--db", index.path).code == 0
    assert len(list(index.path.parent.glob("*.corrupt-*"))) == 1
    opened(index.path)


BAD_PATHS = [
    "../../etc/x.java",
    "/etc/x.java",
    "a/../../x.java",
    "a/./x.java",
    "a//x.java",
    "..",
    "",
    "src/passwords.txt",
]


@pytest.mark.parametrize("path", BAD_PATHS)
def test_a_file_outside_cannot_be_named(
    path: str,
    shop: Tree,
    index: Index,
    console: Console,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alter(index.path, f"UPDATE file SET path = '{path}' WHERE path LIKE '%Order.java'")
    monkeypatch.setattr(os, "scandir", None)  # refused before any file is looked at
    for command in ("find", "status"):
        run = console.run(
            *([command, "Order"] if command == "find" else [command]),
            *("--root", shop.path, "--db", index.path),
        )
        assert (run.code, run.stdout) == (3, "")
        assert f"is damaged (it names {path!r})" in run.stderr


@pytest.mark.parametrize(
    "script",
    [
        "UPDATE folder SET path = '../outside' WHERE path = 'src'",
        "UPDATE file SET path = 'a' || char(0) || '.java' WHERE path LIKE '%Order.java'",
        "INSERT INTO library_type VALUES (1, 'A', 'a', 'file:///etc/passwd', 0)",
    ],
    ids=["folder", "zero", "uri"],
)
def test_nor_a_folder_nor_a_uri(script: str, shop: Tree, index: Index) -> None:
    alter(index.path, script)
    with pytest.raises(IndexDamaged, match="it names"):
        opened(index.path)


def test_an_upgrade_does_not_hide_where_an_index_came_from(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    made(path, 2)
    alter(
        path,
        "INSERT INTO workspace (id, root, name) VALUES (1, '/x', 'x'); INSERT INTO file "
        "(workspace_id, path, size, mtime_ns, ctime_ns, inode) VALUES (1, '../A.java', 0, 0, 0, 0)",
    )
    with pytest.raises(IndexDamaged, match=r"'\.\./A\.java'"):
        open_writer(str(path))


@pytest.mark.parametrize(
    ("path", "below"),
    [("A.java", True), ("a/..b/A.java", True), *((bad, False) for bad in BAD_PATHS[:-1])],
)
def test_is_below(path: str, below: bool) -> None:
    assert is_below(path) is below


def test_an_index_from_elsewhere_widens_no_workspace(
    shop: Tree, index: Index, outside: Tree, tmp_path: Path
) -> None:
    """Where nobody names a folder, an indexed one around the working directory counts."""
    copy = tmp_path / "copy.db"
    shutil.copy(index.path, copy)
    alter(copy, f"UPDATE workspace SET root = '{tmp_path}'")
    scope = Scope((resolve_root(str(shop.path)),), str(copy), explicit=False)
    with Service(scope) as service:
        answer = service.outline(str(outside / "Secret.java"))
    assert isinstance(answer, ToolError)
    assert answer.code is ErrorCode.OUTSIDE_WORKSPACE


def test_an_index_that_was_made_here_does(shop: Tree, index: Index) -> None:
    """Also outside the cache folder, and after later runs."""
    for _ in range(2):
        assert widens(index, shop / "src/shop")
        shop.write("src/shop/Later.java")
        index.build(shop.path)


def test_also_while_it_is_written_and_after_a_kill(shop: Tree, index: Index) -> None:
    """When the file is no longer what was noted of it at the end of a run."""
    alter(index.path, "UPDATE workspace SET name = 'other'")
    for _ in range(2):  # the first one notes it anew
        assert widens(index, shop / "src/shop")
    shop.write("src/shop/Later.java")
    index.build(shop.path)
    assert widens(index, shop / "src/shop")


def test_what_takes_the_place_of_an_index_that_was_made_here_does_not(
    shop: Tree, index: Index, tmp_path: Path
) -> None:
    """Not even in the same inode, and with the same size and time."""
    other = Index(tmp_path / "other.db")
    other.build(shop.path)
    inode = index.path.stat().st_ino
    shutil.copyfile(other.path, index.path)
    shutil.copystat(other.path, index.path)
    assert index.path.stat().st_ino == inode
    assert widens(other, shop / "src/shop")
    assert not widens(index, shop / "src/shop")


def widens(index: Index, folder: Path) -> bool:
    """True when the index is believed which folder around `folder` is the workspace."""
    with Service(Scope((resolve_root(str(folder)),), str(index.path), explicit=False)) as service:
        answer = service.find("Order")
    assert isinstance(answer, FindAnswer)
    return bool(answer.hits)


# --- files that a hostile tree holds ------------------------------------------------------------


def test_a_pipe_in_the_place_of_gits_files_is_not_waited_for(tree: Tree) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes in the file system here")
    os.mkfifo(tree / ".git")
    default_db(str(tree.path))
    (tree / ".git").unlink()
    tree.write(".git", f"gitdir: {tree.path}/elsewhere\n")
    (tree / "elsewhere").mkdir()
    os.mkfifo(tree / "elsewhere/commondir")
    assert default_db(str(tree.path))


@needs_links
def test_stat_inside(shop: Tree, outside: Tree) -> None:
    root, seen = str(shop.path), dict[str, bool]()
    (shop / "In.java").symlink_to("src/shop/Order.java")
    (shop / "Out.java").symlink_to(outside / "Secret.java")
    (shop / "Loop.java").symlink_to("Loop.java")
    (shop / "out").symlink_to(outside.path)
    (shop / "in").symlink_to("src")
    there = (shop / "src/shop/Order.java").stat()
    for path in ("src/shop/Order.java", "In.java"):
        assert os.path.samestat(stat_inside(root, path, seen), there)
    for path in ("Out.java", "out/Secret.java", "in/shop/Order.java", "../outside/Secret.java"):
        with pytest.raises(FileNotFoundError):
            stat_inside(root, path, seen)
    with pytest.raises(OSError, match="Loop"):
        stat_inside(root, "Loop.java", seen)


@needs_links
def test_what_is_read_lies_where_it_was_resolved(shop: Tree, outside: Tree) -> None:
    """A link that takes the place of a file, or of its folder, after the path was resolved."""
    root = resolve_root(str(shop.path))
    file = resolve("src/shop/Order.java", [root])
    assert isinstance(file, WorkspaceFile)
    content = read(file.full, root=root.path).data
    assert content == (shop / "src/shop/Order.java").read_bytes()
    assert read(file.full, root="/").data == content
    Path(file.full).unlink()
    Path(file.full).symlink_to(outside / "Secret.java")
    with pytest.raises(OSError, match="outside the workspace folder"):
        read(file.full, root=root.path)
    shutil.rmtree(shop / "src/shop")
    outside.write("Order.java")
    (shop / "src/shop").symlink_to(outside.path)
    with pytest.raises(OSError, match="outside the workspace folder"):
        read(file.full, root=root.path)
    Path(file.full).resolve().unlink()
    (outside / "Order.java").symlink_to(shop.write("src/Back.java"))
    assert b"Back" in read(file.full, root=root.path).data


@pytest.mark.parametrize("where", ["proc", "no proc"])
@needs_links
def test_without_proc_the_path_is_looked_at_again(
    where: str, shop: Tree, outside: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "no proc":
        monkeypatch.setattr("indexer.files._PROC", "/nowhere")
    (shop / "Out.java").symlink_to(outside / "Secret.java")
    root = str(shop.path)
    assert read(str(shop / "src/shop/Order.java"), root=root).data
    with pytest.raises(OSError, match="outside"):
        read(str(shop / "Out.java"), root=root)


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
def test_no_regular_file_is_waited_for(
    shop: Tree, index: Index, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(shop / "Pipe.java")
    (shop / "Zero.java").symlink_to("/dev/zero")
    (shop / "Environment.java").symlink_to("/proc/self/environ")
    (shop / "Loop.java").symlink_to("Loop.java")
    monkeypatch.chdir(shop.path)  # a socket's path must be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("Socket.java")
        codes = {
            name: console.run(
                *("outline", f"{name}.java", "--root", shop.path, "--db", index.path, "--json")
            ).json["errorCode"]
            for name in ("Pipe", "Socket", "Zero", "Environment", "Loop")
        }
    assert codes == {
        "Pipe": "fileSystemUnavailable",
        "Socket": "fileSystemUnavailable",
        "Zero": "outsideWorkspace",
        "Environment": "outsideWorkspace",
        "Loop": "fileSystemUnavailable",
    }
    for name in ("Pipe", "Zero"):
        with pytest.raises(OSError, match="no regular file"):
            read(str(shop / f"{name}.java"))
    listed = discover(resolve_root(str(shop.path)))
    assert [file.path for file in listed.files] == ["src/shop/Item.java", "src/shop/Order.java"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("file://{root}/%2e%2e%2foutside/Secret.java", ErrorCode.OUTSIDE_WORKSPACE),
        ("file:{root}/src/%2E%2E/%2e%2e/outside/Secret.java", ErrorCode.OUTSIDE_WORKSPACE),
        ("src/shop/../../../outside/Secret.java", ErrorCode.OUTSIDE_WORKSPACE),
        ("tree/../../outside/Secret.java", ErrorCode.OUTSIDE_WORKSPACE),
        ("/proc/self/root{outside}/Secret.java", ErrorCode.OUTSIDE_WORKSPACE),
        ("/proc/self/cwd/Secret.java", ErrorCode.OUTSIDE_WORKSPACE),
        ("/dev/stdin", ErrorCode.OUTSIDE_WORKSPACE),
        ("file://evil.example{root}/src/shop/Order.java", ErrorCode.UNSUPPORTED_URI_SCHEME),
        ("file://{root}/src%00/../../outside/Secret.java", ErrorCode.UNSUPPORTED_URI_SCHEME),
        ("src/shop/Order.java\0/../../outside", ErrorCode.FILE_NOT_FOUND),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths with slashes")
def test_inputs_that_lead_outside(text: str, code: ErrorCode, shop: Tree, outside: Tree) -> None:
    text = text.replace("{root}", str(shop.path)).replace("{outside}", str(outside.path))
    answer = resolve(text, [resolve_root(str(shop.path))])
    assert isinstance(answer, ToolError)
    assert answer.code is code


@pytest.mark.skipif(sys.platform == "win32", reason="paths with slashes")
@pytest.mark.parametrize("text", ["a/" * 5000 + "A.java", "A" * 300 + ".java", "..\\..\\x.java"])
def test_names_that_no_file_can_have(text: str, shop: Tree, index: Index, console: Console) -> None:
    run = console.run("outline", text, "--root", shop.path, "--db", index.path, "--json")
    assert run.code == 1
    assert run.json["errorCode"] in ("fileNotFound", "fileSystemUnavailable")


@needs_links
@pytest.mark.parametrize("what", ["Order.java", "."])
def test_find_names_no_file_behind_a_link_that_leads_out(
    what: str, shop: Tree, outside: Tree, index: Index, console: Console
) -> None:
    """Even if it holds the same bytes."""
    target, here = outside.path / "shop", shop / "src/shop"
    shutil.copytree(here, target)
    if what == ".":
        shutil.rmtree(here)
        here.symlink_to(target)
    else:
        (here / what).unlink()
        (here / what).symlink_to(target / what)
    common = ["--root", shop.path, "--db", index.path, "--json"]
    run = console.run("find", "Order", "--no-scan", *common)
    assert run.json["results"] == []
    run = console.run("outline", "src/shop/Order.java", *common)
    assert run.json["errorCode"] == "outsideWorkspace"


def test_names_cannot_speak_to_a_terminal(
    tree: Tree, index: Index, console: Console, server: InstantServer
) -> None:
    """Java allows control characters in identifiers (Character.isIdentifierIgnorable)."""
    tree.write("A\x1b[31m.java", "class A {\n  int x;\n}\n")
    index.build(tree.path)
    alter(index.path, "UPDATE symbol SET name = name || char(0x9b, 0x32, 0x4a, 0x202e)")
    common = ["--root", tree.path, "--db", index.path]
    shown = console.run("find", "A", *common).stdout
    shown += console.run("outline", "A\x1b[31m.java", *common).stdout
    assert shown.count("A\\x1b[31m.java") == 2, shown
    assert "\\u202e" in shown
    assert all(char.isprintable() or char == "\n" for char in shown)


# --- programs that a hostile repository names ---------------------------------------------------


def hostile(tree: Tree, tmp_path: Path) -> tuple[str, Path]:
    """A script, and the file that tells that it ran."""
    mark = tmp_path / "ran"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch '{mark}'\n")
    script.chmod(0o755)
    return str(script), mark


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_git_runs_no_monitor_hook_filter_or_pager(tree: Tree, tmp_path: Path) -> None:
    tree.write("A.java")
    tree.write(".gitattributes", "*.java filter=evil diff=evil\n")
    tree.commit()
    script, mark = hostile(tree, tmp_path)
    for name in (
        *("core.fsmonitor", "core.pager", "pager.ls-files", "filter.evil.clean", "core.editor"),
        *("filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "core.sshCommand"),
        *("alias.ls-files", "alias.check-ignore", "core.askPass", "credential.helper"),
    ):
        tree.git("config", name, f"!{script}" if name.startswith("alias") else script)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "fsmonitor-watchman", "post-checkout"):
        shutil.copy(script, hooks / name)
    tree.git("config", "core.hooksPath", str(hooks))
    tree.write("B.java")
    mark.unlink(missing_ok=True)
    found = discover(resolve_root(str(tree.path)))
    assert [file.path for file in found.files] == ["A.java", "B.java"]
    assert found.notices == []
    assert not mark.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
@pytest.mark.parametrize("way", ["ssh", "ext", "uploadpack"])
def test_git_fetches_nothing(way: str, tree: Tree, tmp_path: Path) -> None:
    """A partial clone with a sparse index makes `git ls-files` fetch, with a program of its own."""
    tree.write("d/A.java")
    tree.write("B.java")
    tree.commit()
    tree.git("sparse-checkout", "set", "--cone", "--sparse-index")
    lost = tree.git("rev-parse", "HEAD:d").strip()
    (tree / f".git/objects/{lost[:2]}/{lost[2:]}").unlink()
    script, mark = hostile(tree, tmp_path)
    urls = {"ssh": "ssh://h/x", "ext": f"ext::{script}", "uploadpack": str(tree.path)}
    for name, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": urls[way],
        "remote.origin.uploadpack": script,
        "core.sshCommand": script,
        "protocol.ext.allow": "always",
        "protocol.file.allow": "always",
    }.items():
        tree.git("config", name, value)
    mark.unlink(missing_ok=True)
    found = discover(resolve_root(str(tree.path)))
    assert [file.path for file in found.files] == ["B.java"]
    assert not mark.exists()


# --- our own files and code ---------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes there")
def test_index_files_are_private_while_they_are_written(
    shop: Tree, console: Console, server: InstantServer, tmp_path: Path
) -> None:
    db = tmp_path / "new" / "index.db"
    before = os.umask(0)
    try:
        assert console.run("index", shop.path, "--db", db).code == 0
        writer = open_writer(str(db))
        writer.start_run(resolve_root(str(shop.path)), 1)
        modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in db.parent.iterdir()}
        writer.close()
        scratch = Scratch()
        private = stat.S_IMODE(scratch.path.stat().st_mode)
        scratch.remove()
    finally:
        os.umask(before)
    names = ["index.db", "index.db-shm", "index.db-wal", "index.db.lock"]
    assert modes == dict.fromkeys(names, 0o600)
    assert stat.S_IMODE(db.parent.stat().st_mode) == 0o700
    assert private == 0o700


_REFUSED_MODULES = {"pickle", "marshal", "shelve", "dill", "ctypes.util"}
_REFUSED_CALLS = {"eval", "exec", "compile", "__import__", "input"}
_REFUSED_ATTRIBUTES = {"system", "popen", "execv", "execvp", "mktemp", "enable_load_extension"}


def offences(tree: ast.AST) -> Iterator[str]:
    """What in a module could run a text or revive an object."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from {alias.name for alias in node.names} & _REFUSED_MODULES
        elif isinstance(node, ast.ImportFrom) and node.module in _REFUSED_MODULES:
            yield str(node.module)
        elif isinstance(node, ast.Call):
            name = node.func
            if isinstance(name, ast.Name) and name.id in _REFUSED_CALLS:
                yield name.id
            if isinstance(name, ast.Attribute) and name.attr in _REFUSED_ATTRIBUTES:
                yield name.attr
            yield from (
                "shell"
                for word in node.keywords
                if word.arg == "shell"
                and not (isinstance(word.value, ast.Constant) and word.value.value is False)
            )


def test_no_pickle_no_shell_no_eval() -> None:
    folders = [Path(str(package.__file__)).parent for package in (indexer, query)]
    modules = [file for folder in folders for file in folder.rglob("*.py")]
    assert len(modules) > 50
    found = {str(file): list(offences(ast.parse(file.read_bytes()))) for file in modules}
    assert {file: names for file, names in found.items() if names} == {}


def test_the_test_finds_them() -> None:
    code = "import pickle\neval('1')\nos.system('x')\nrun('x', shell=True)\n"
    assert sorted(offences(ast.parse(code))) == ["eval", "pickle", "shell", "system"]
