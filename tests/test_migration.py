"""An index of schema 1 becomes one of today, with all that it knew; or stays as it was."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import IndexUnusable
from indexer.files import FileStat, resolve_root
from indexer.javachars import capitals, fold
from indexer.layout import Placement
from indexer.model import Outline, Position, Range, Symbol, SymbolKind
from indexer.recipe import Recipe, content_key
from indexer.standing import Standing
from indexer.store import schema
from indexer.store.names import NameWriter
from indexer.store.reader import open_reader
from indexer.store.rows import SYMBOL_COLUMNS, symbol_rows
from indexer.store.writer import NewOutline, StoredFile, open_writer
from indexer.types import declarations, declared_package
from query.contract import FindAnswer
from query.service import Scope, Service
from tests.support.cli import Console
from tests.support.indexing import Index, InstantServer, content
from tests.support.trees import Tree

K = SymbolKind
SINCE = "2026-01-01T00:00:00Z"
RECIPES = (Recipe("1", "1"), Recipe("0", "1"))
"""The workspace folders' one, and one that outlines are left over from."""


def symbol(kind: K, name: str, line: int, *children: Symbol) -> Symbol:
    name_range = Range(Position(line, 6), Position(line, 9))
    whole = Range(Position(line, 0), Position(line + 5, 1))
    return Symbol(name, kind, whole, name_range, "" if children else ": int", line == 3, children)


OUTLINES: dict[str, Outline] = {
    "shop/Order.java": Outline(
        (
            symbol(K.Package, "shop", 0),
            symbol(
                *(K.Class, "Order<T>", 1),
                symbol(K.Field, "count", 2),
                symbol(K.Constant, "MAX_SIZE", 3),
                symbol(K.Constructor, "Order(int)", 4),
                symbol(K.Method, "send(List<String>)", 5, symbol(K.Class, "Local", 6)),
                symbol(K.Method, "send()", 7),
                symbol(K.Enum, "Größe", 8, symbol(K.EnumMember, "KLEIN", 9)),
                symbol(K.Class, "Twin", 10),
                symbol(K.Class, "Twin", 11, symbol(K.Method, "run()", 12)),
            ),
            symbol(K.Interface, "Sender", 20, symbol(K.Method, "send()", 21)),
        ),
        dropped=2,
    ),
    "Bare.java": Outline((symbol(K.Class, "Bare", 0, symbol(K.Class, "In$ner", 1)),)),
    "x/Empty.java": Outline(),
    "x/package-info.java": Outline((symbol(K.Package, "x", 0),)),
    **{
        f"many/T{number}.java": Outline(
            (
                symbol(K.Package, "many", 0),
                symbol(K.Class, f"T{number}", 1, symbol(K.Method, f"m{number % 7}()", 2)),
            )
        )
        for number in range(120)
    },
}
"""By path. In the second folder lie the first few of them."""


def new_outlines(recipe: Recipe) -> list[NewOutline]:
    made = [NewOutline(key_of(path), "", outline) for path, outline in OUTLINES.items()]
    made.append(NewOutline(key_of("Bad.java"), "", None, "the fake server was poisoned"))
    return made if recipe == RECIPES[0] else made[:2]


def key_of(path: str) -> Any:
    return content_key(path.encode())


def stat_of(path: str) -> FileStat:
    return FileStat(len(path), 2, 3, 4)


def folders(tmp_path: Path) -> list[tuple[str, list[str]]]:
    """Roots and the paths in them."""
    every = [*OUTLINES, "Bad.java"]
    roots = [Tree(tmp_path / name).path for name in ("one", "two")]
    return [(str(roots[0]), every), (str(roots[1]), every[:3])]


def write_schema_1(path: Path, tmp_path: Path) -> None:
    """Make the index as the first javadex did, rows included."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(resources.files("indexer.store").joinpath("schema.sql").read_text())
    connection.executemany("INSERT INTO kind VALUES (?, ?)", [(kind, kind.name) for kind in K])
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.execute("BEGIN")
    # As sqlite-utils keeps account of it.
    connection.execute(
        'CREATE TABLE "_sqlite_migrations" (\n   "id" INTEGER PRIMARY KEY,\n'
        '   "migration_set" TEXT,\n   "name" TEXT,\n   "applied_at" TEXT\n)'
    )
    connection.execute(
        'CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"\n'
        '    ON "_sqlite_migrations" ("migration_set", "name")'
    )
    connection.execute(
        "INSERT INTO _sqlite_migrations VALUES (1, 'javadex', 'schema_1', "
        "'2026-07-04 12:00:00.000000+00:00')"
    )
    for recipe_id, recipe in enumerate(RECIPES, 1):
        connection.execute("INSERT INTO recipe VALUES (?, ?)", (recipe_id, recipe.fingerprint))
        for new in new_outlines(recipe):
            save_outline(connection, recipe_id, new)
    for root, paths in folders(tmp_path):
        save_folder(connection, root, paths)
    connection.commit()
    connection.close()


def save_outline(connection: sqlite3.Connection, recipe_id: int, new: NewOutline) -> None:
    outline = new.outline or Outline()
    rows = symbol_rows(outline)
    cursor = connection.execute(
        "INSERT INTO outline (digest, size, recipe_id, unit, package, dropped, failure, symbols) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(*new.key, recipe_id, new.unit, declared_package(outline)),
            *(outline.dropped, new.failure, len(rows)),
        ),
    )
    connection.executemany(
        f"INSERT INTO symbol (outline_id, {SYMBOL_COLUMNS}) VALUES ({', '.join('?' * 15)})",
        [(cursor.lastrowid, *row) for row in rows],
    )
    for found in declarations(outline):
        if found.is_type:
            connection.execute(
                "INSERT INTO qualification (text, folded) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (found.qualification, fold(found.qualification)),
            )
            connection.execute(
                "INSERT INTO type SELECT ?, ?, ?, ?, ?, id FROM qualification WHERE text = ?",
                (
                    *(cursor.lastrowid, found.ordinal, found.name, fold(found.name)),
                    *(capitals(found.name), found.qualification),
                ),
            )


def save_folder(connection: sqlite3.Connection, root: str, paths: list[str]) -> None:
    cursor = connection.execute(
        "INSERT INTO workspace (root, name, recipe_id, indexed_at, placed) VALUES (?, ?, 1, ?, 1)",
        (root, Path(root).name, SINCE),
    )
    for path in paths:
        connection.execute(
            "INSERT INTO file (workspace_id, path, size, mtime_ns, ctime_ns, inode, outline_id, "
            "package, hidden) SELECT ?, ?, ?, ?, ?, ?, id, ?, ? FROM outline "
            "WHERE digest = ? AND size = ? AND recipe_id = 1",
            (cursor.lastrowid, path, *stat_of(path), *place_of(path), *key_of(path)),
        )
    connection.execute(
        "INSERT INTO file (workspace_id, path, size, mtime_ns, ctime_ns, inode, skipped) "
        "VALUES (?, 'Huge.java', 0, -1, 3, 4, 'too large')",
        (cursor.lastrowid,),
    )


def place_of(path: str) -> tuple[str | None, int]:
    """The folder's package, and whether jdt.ls would not look at the file."""
    return ("other", 1) if path == "shop/Order.java" else (None, 0)


def write_schema_2(path: Path, tmp_path: Path) -> None:
    """Make the same index anew, by the writer."""
    writer = open_writer(str(path))
    refs = {}
    for recipe in RECIPES:
        recipe_id = writer.recipe(recipe)
        new = new_outlines(recipe)
        saved = writer.save_outlines(recipe_id, new)
        refs[recipe_id] = {one.key: ref for one, ref in zip(new, saved, strict=True)}
    for root, paths in folders(tmp_path):
        workspace_id = writer.start_run(resolve_root(root), 1)
        files = [StoredFile(one, stat_of(one), refs[1][key_of(one)]) for one in paths]
        files.append(StoredFile("Huge.java", FileStat(0, -1, 3, 4), None, "too large"))
        writer.save_files(workspace_id, 1, files)
        writer.save_placements(
            workspace_id,
            [
                (file_id, Placement(place_of(one)[0], bool(place_of(one)[1])))
                for file_id, one, _ in writer.declared_packages(workspace_id)
            ],
        )
        writer.finish_run(workspace_id, SINCE)
    writer.close()


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.db"
    write_schema_1(path, tmp_path)
    return path


@pytest.fixture
def anew(tmp_path: Path) -> Path:
    path = tmp_path / "anew.db"
    write_schema_2(path, tmp_path)
    return path


def test_the_account_of_migrations_is_what_sqlite_utils_makes(tmp_path: Path) -> None:
    """Else these tests would upgrade what no javadex ever left."""
    from sqlite_utils import Database

    from indexer.store.migrations import _MIGRATIONS

    made = Database(str(tmp_path / "made.db"))
    _MIGRATIONS.apply(made, stop_before="schema_2")
    made.conn.commit()
    made.close()
    path = tmp_path / "old.db"
    write_schema_1(path, tmp_path)
    every = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    assert Index(path).rows(every) == Index(tmp_path / "made.db").rows(every)
    account = "SELECT migration_set, name FROM _sqlite_migrations"
    assert Index(path).rows(account) == Index(tmp_path / "made.db").rows(account)


OF_ALL_RECIPES = """
SELECT r.fingerprint, hex(o.digest), t.ordinal, t.name FROM type t
JOIN outline o ON o.id = t.outline_id JOIN recipe r ON r.id = o.recipe_id ORDER BY 1, 2, 3
"""
"""Outlines of a recipe that no folder uses now are found again when one does."""


def test_an_upgraded_index_is_what_a_new_one_would_be(old: Path, anew: Path) -> None:
    open_writer(str(old)).close()
    upgraded, made = content(old), content(anew)
    assert {name: len(rows) for name, rows in upgraded.items()} == {
        "files": 130,
        "symbols": len(made["symbols"]),
        "types": len(made["types"]),
        "members": len(made["members"]),
    }
    assert upgraded == made
    every = (
        "SELECT type, name, sql FROM sqlite_schema "
        "WHERE tbl_name <> '_sqlite_migrations' ORDER BY type, name"
    )
    for sql in (
        every,
        "PRAGMA user_version",
        "SELECT texts, word, number FROM word_count ORDER BY texts, word",
        "SELECT root, name, indexed_at, placed, class_path FROM workspace ORDER BY root",
        "SELECT * FROM types ORDER BY workspace, path, line",
        "SELECT * FROM members ORDER BY workspace, path, line",
        "SELECT * FROM files ORDER BY workspace, path",
        OF_ALL_RECIPES,
    ):
        assert Index(old).rows(sql) == Index(anew).rows(sql), sql
    assert Index(old).rows("PRAGMA integrity_check") == [("ok",)]
    assert Index(old).rows("PRAGMA foreign_key_check") == []


QUERIES = [
    *(
        "order",
        "*ize",
        "T1*",
        "T11",
        "shop.*",
        "send",
        "Größe",
        "In$ner",
        "Twin",
        "many.T7",
        "?are",
    ),
    *("Order#send", "Order.MAX_SIZE", "Order::new", "m3()", "Sander", "T*1*"),
]


def test_an_upgraded_index_answers_alike(
    old: Path, anew: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("query.service.expected_recipe", lambda _jdtls: None)
    monkeypatch.setattr("query.freshness.Freshness._look", lambda *_: Standing.FRESH)
    open_writer(str(old)).close()
    roots = tuple(resolve_root(root) for root, _ in folders(tmp_path))
    with Service(Scope(roots, str(old))) as one, Service(Scope(roots, str(anew))) as two:
        for query in QUERIES:
            for strict in (False, True):
                answer = one.find(query, limit=0, strict=strict)
                assert isinstance(answer, FindAnswer)
                assert answer == two.find(query, limit=0, strict=strict), query
            assert one.find(query) == two.find(query)


def test_upgrading_again_changes_nothing(old: Path) -> None:
    open_writer(str(old)).close()
    before = old.read_bytes()
    open_writer(str(old)).close()
    assert old.read_bytes() == before
    applied = Index(old).rows("SELECT name FROM _sqlite_migrations ORDER BY id")
    assert applied == [(f"schema_{number}",) for number in range(1, schema.VERSION + 1)]


def test_an_upgraded_index_can_be_written(old: Path, anew: Path) -> None:
    for path in (old, anew):
        writer = open_writer(str(path))
        added = Outline((symbol(K.Class, "Added", 1, symbol(K.Method, "send()", 2)),))
        (ref,) = writer.save_outlines(1, [NewOutline(key_of("Added.java"), "", added)])
        writer.save_files(1, 1, [StoredFile("Added.java", stat_of("Added.java"), ref)])
        writer.remove_files(1, ["many/T5.java"])
        writer.close()
    assert content(old) == content(anew)


def test_an_empty_index_of_schema_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.test_migration.OUTLINES", {})
    monkeypatch.setattr("tests.test_migration.folders", lambda _path: [])
    path = tmp_path / "old.db"
    write_schema_1(path, tmp_path)
    open_writer(str(path)).close()
    reader = open_reader(str(path))
    assert (reader.schema, reader.workspaces()) == (schema.VERSION, [])
    reader.close()


# --- readers of schema 1 ------------------------------------------------------------------------


def test_a_reader_says_what_to_do(old: Path) -> None:
    with pytest.raises(IndexUnusable) as caught:
        open_reader(str(old))
    assert str(old) in str(caught.value)
    assert "schema 1" in str(caught.value)
    assert "`javadex index` upgrades it" in str(caught.value)


@pytest.mark.parametrize("command", [["find", "Order"], ["find", "Order", "--json"], ["status"]])
def test_commands_exit_with_3(
    old: Path, console: Console, server: InstantServer, tmp_path: Path, command: list[str]
) -> None:
    Tree(tmp_path / "one").write("A.java")
    before = old.read_bytes()
    run = console.run(*command, "--root", tmp_path / "one", "--db", old)
    assert run.code == 3
    assert "javadex index" in run.stderr
    assert "Traceback" not in run.stderr
    assert old.read_bytes() == before


def test_index_upgrades_and_find_answers(
    tree: Tree, index: Index, console: Console, server: InstantServer
) -> None:
    tree.write("shop/Order.java")
    index.build(tree.path)
    expected = index.content()
    as_schema_1(index.path)
    assert console.run("find", "Order", "--root", tree.path, "--db", index.path).code == 3
    server.forget()
    assert console.run("index", tree.path, "--db", index.path).code == 0
    assert server.asked == [], "outlines are kept"
    assert index.content() == expected
    run = console.run("find", "Order#run", "--root", tree.path, "--db", index.path, "--json")
    assert (run.code, run.json["total"]) == (0, 1)


def as_schema_1(path: Path) -> None:
    """Put the rows that schema 1 has into an index of schema 1 in the place of this one."""
    older = path.with_name("older.db")
    connection = sqlite3.connect(older, isolation_level=None)
    connection.executescript(resources.files("indexer.store").joinpath("schema.sql").read_text())
    connection.execute("ATTACH ? AS newer", (str(path),))
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE _sqlite_migrations AS SELECT * FROM newer._sqlite_migrations")
    connection.execute("DELETE FROM _sqlite_migrations WHERE name <> 'schema_1'")
    for table, columns in {
        "kind": "*",
        "recipe": "*",
        "workspace": "id, root, name, recipe_id, indexed_at, placed",
        "outline": "*",
        "symbol": "*",
        "qualification": "*",
        "type": "outline_id, ordinal, name, folded, initials, qualification_id",
        "file": "*",
    }.items():
        connection.execute(f"INSERT INTO main.{table} SELECT {columns} FROM newer.{table}")
    connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    older.replace(path)


# --- a kill in the middle -----------------------------------------------------------------------


class Killed(BaseException):
    """Nothing that anyone catches."""


@pytest.mark.parametrize("after", [0, 1, 60, 126])
def test_a_kill_while_names_are_derived_leaves_schema_1(
    old: Path, anew: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    before = dump(old)
    left = iter(range(after))
    derive = NameWriter.save_declared

    def dies(names: NameWriter, outline_id: int, declared: Any) -> None:
        if next(left, None) is None:
            raise Killed
        derive(names, outline_id, declared)

    monkeypatch.setattr(NameWriter, "save_declared", dies)
    with pytest.raises(Killed):
        open_writer(str(old))
    assert dump(old) == before
    with pytest.raises(IndexUnusable, match="older schema 1"):
        open_reader(str(old))
    monkeypatch.undo()
    open_writer(str(old)).close()
    assert content(old) == content(anew)


@pytest.mark.parametrize("method", ["flush", "count_words"])
def test_a_kill_at_the_end_leaves_schema_1(
    old: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    before = dump(old)
    finish = getattr(NameWriter, method)

    def dies(names: NameWriter) -> None:
        finish(names)
        raise Killed

    monkeypatch.setattr(NameWriter, method, dies)
    with pytest.raises(Killed):
        open_writer(str(old))
    assert dump(old) == before


def test_a_kill_between_two_statements_leaves_schema_1(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from indexer.store import migrations

    before, every = dump(old), migrations._statements
    count = len(list(every(resources.files("indexer.store").joinpath("schema_2.sql").read_text())))
    for after in (1, count // 2, count - 1):

        def dies(script: str, after: int = after) -> Iterator[str]:
            for place, statement in enumerate(every(script)):
                if place == after:
                    raise Killed
                yield statement

        monkeypatch.setattr(migrations, "_statements", dies)
        with pytest.raises(Killed):
            open_writer(str(old))
        assert dump(old) == before


def dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return [*connection.iterdump(), str(connection.execute("PRAGMA user_version").fetchone())]
    finally:
        connection.close()
