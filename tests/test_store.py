"""The index on disk: what goes in comes out, damage is refused by name, a person can query it."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.errors import IndexDamaged, IndexMissing, IndexTooNew, IndexUnusable
from indexer.files import FileStat, Root
from indexer.model import Outline, Position, Range, Symbol, SymbolKind
from indexer.recipe import ContentKey, Recipe, content_key
from indexer.store import schema
from indexer.store.location import default_db
from indexer.store.migrations import _statements
from indexer.store.nearest import nearest_db
from indexer.store.reader import Reader, open_reader
from indexer.store.rows import outline_from_rows, symbol_rows
from indexer.store.writer import NewOutline, StoredFile, Writer, open_writer
from indexer.types import declarations
from tests.support.cli import Console, Javadex, without_root_powers
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree

# --- round trip ---------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.integers(0, 2**31 - 1)
positions = st.builds(Position, numbers, numbers)
ranges = st.builds(Range, positions, positions)
kinds = st.sampled_from(SymbolKind)


def symbols(children: st.SearchStrategy[tuple[Symbol, ...]]) -> st.SearchStrategy[Symbol]:
    return st.builds(Symbol, texts, kinds, ranges, ranges, texts, st.booleans(), children)


trees = st.recursive(
    symbols(st.just(())),
    lambda below: symbols(st.lists(below, max_size=4).map(tuple)),
    max_leaves=12,
)
outlines = st.builds(Outline, st.lists(trees, max_size=4).map(tuple), st.integers(0, 9))

RECIPE = Recipe("1.0", "2.0")


@pytest.fixture(scope="module")
def writer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Writer]:
    writer = open_writer(str(tmp_path_factory.mktemp("store") / "index.db"))
    yield writer
    writer.close()


@given(outlines)
def test_rows_round_trip(outline: Outline) -> None:
    rows = symbol_rows(outline)
    assert outline_from_rows(rows, outline.dropped) == outline
    assert [row[0] for row in rows] == list(range(outline.node_count))


@given(outlines, st.binary(max_size=8))
@settings(max_examples=50)
def test_database_round_trip(writer: Writer, outline: Outline, content: bytes) -> None:
    key = content_key(content + repr(outline).encode())
    recipe_id = writer.recipe(RECIPE)
    (ref,) = writer.save_outlines(recipe_id, [NewOutline(key, "", outline)])
    assert writer.find_outline(key, "AnyName", recipe_id) == ref
    reader = open_reader(writer._path)
    try:
        stored = reader.outline(key, "AnyName", RECIPE.fingerprint)
        assert stored is not None
        assert (stored.outline, stored.failure) == (outline, None)
        kept = [(row[0], row[1], row[2]) for row in reader.types_of(ref.id)]
    finally:
        reader.close()
    assert kept == [
        (found.ordinal, found.name, found.qualification)
        for found in declarations(outline)
        if found.is_type
    ]


def test_outlines_are_kept_by_content_recipe_and_sometimes_name(writer: Writer) -> None:
    recipe_id, other = writer.recipe(RECIPE), writer.recipe(Recipe("1.1", "2.0"))
    key = ContentKey(b"k" * 16, 7)
    (ref,) = writer.save_outlines(recipe_id, [NewOutline(key, "Unit", Outline())])
    assert writer.find_outline(key, "Unit", recipe_id) == ref
    assert writer.find_outline(key, "Other", recipe_id) is None
    assert writer.find_outline(ContentKey(b"k" * 16, 8), "Unit", recipe_id) is None
    assert writer.find_outline(key, "Unit", other) is None
    assert writer.save_outlines(recipe_id, [NewOutline(key, "Unit", Outline())]) == [ref]


def test_an_outline_counts_more_than_a_failure(writer: Writer) -> None:
    recipe_id, key = writer.recipe(RECIPE), ContentKey(b"f" * 16, 1)
    failed, good = writer.save_outlines(
        recipe_id,
        [NewOutline(key, "Unit", None, "it hung"), NewOutline(key, "", Outline(dropped=3))],
    )
    assert failed.failed
    assert writer.failure(failed) == "it hung"
    assert writer.find_outline(key, "Unit", recipe_id) == good
    reader = open_reader(writer._path)
    stored = reader.outline(key, "Unit", RECIPE.fingerprint)
    reader.close()
    assert stored is not None
    assert (stored.failure, stored.outline.dropped) == (None, 3)


def test_a_failed_transaction_leaves_nothing(writer: Writer) -> None:
    recipe_id = writer.recipe(RECIPE)
    workspace_id = writer.start_run(Root("/nowhere", "nowhere"), recipe_id)
    stat, bad = FileStat(1, 2, 3, 4), FileStat(1, 2, 3, 2**70)
    with pytest.raises(OverflowError):
        writer.save_files(
            workspace_id,
            recipe_id,
            [StoredFile("A.java", stat, None, "x"), StoredFile("B.java", bad, None, "x")],
        )
    assert writer.files(workspace_id, 1) == {}


# --- schema -------------------------------------------------------------------------------------


def test_schema_text_and_tables_agree(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    open_writer(str(path)).close()
    script = "".join(
        resources.files("indexer.store").joinpath(name).read_text("utf-8")
        for name in ("schema.sql", "schema_2.sql", "schema_3.sql")
    )
    expected = sqlite3.connect(":memory:")
    expected.executescript(script)
    every = (
        "SELECT type, name, sql FROM sqlite_schema "
        "WHERE tbl_name <> '_sqlite_migrations' ORDER BY type, name"
    )
    index = Index(path)
    assert index.rows(every) == expected.execute(every).fetchall()
    expected.close()
    assert index.rows("PRAGMA user_version") == [(schema.VERSION,)]
    assert index.rows("PRAGMA application_id") == [(schema.APPLICATION_ID,)]
    assert index.rows("SELECT id, name FROM kind") == [(kind, kind.name) for kind in SymbolKind]
    assert f" {schema.VERSION} (javadex " in (schema.__doc__ or "").partition("History: ")[2]


def test_opening_for_writing_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    open_writer(str(path)).close()
    before = path.read_bytes()
    open_writer(str(path)).close()
    assert path.read_bytes() == before


def test_a_kill_while_the_tables_are_made_leaves_an_empty_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "index.db"
    monkeypatch.setattr("indexer.store.migrations._statements", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_writer(str(path))
    monkeypatch.undo()
    assert Index(path).rows("SELECT * FROM sqlite_schema") == []
    with pytest.raises(IndexMissing, match="is empty"):
        open_reader(str(path))
    open_writer(str(path)).close()
    open_reader(str(path)).close()


def _interrupted(script: str) -> Iterator[str]:
    yield next(_statements(script))
    raise KeyboardInterrupt


# --- views --------------------------------------------------------------------------------------


@pytest.fixture
def viewed(tree: Tree, index: Index, server: InstantServer) -> Index:
    tree.write(
        "src/p/A.java", "package p;\n\nclass A {\n  int x;\n  class B {\n    void m() {}\n  }\n}\n"
    )
    tree.write("src/q/Moved.java", "package p;\ninterface Moved {\n}\n")
    tree.write("Poisoned.java", "class Poisoned {} // poison\n")
    tree.write("Big.java", "//" + "x" * 200)
    tree.write("Main.java", "enum Main { }\n")
    index.build(tree.path, max_file_size=200)
    return index


def test_view_types(viewed: Index) -> None:
    rows = viewed.rows(
        "SELECT workspace, path, name, kind, qualified_name, line, start_line, end_line, "
        "deprecated FROM types ORDER BY path, line"
    )
    assert rows == [
        ("tree", "Main.java", "Main", "Enum", "Main", 1, 1, 1, 0),
        ("tree", "src/p/A.java", "A", "Class", "p.A", 3, 3, 8, 0),
        ("tree", "src/p/A.java", "B", "Class", "p.A.B", 5, 5, 7, 0),
        ("tree", "src/q/Moved.java", "Moved", "Interface", "p.Moved", 2, 2, 3, 0),
    ]


def test_view_members(viewed: Index) -> None:
    rows = viewed.rows(
        "SELECT workspace, path, owner, name, kind, detail, line, start_line, end_line, deprecated "
        "FROM members ORDER BY path, line"
    )
    assert rows == [
        ("tree", "src/p/A.java", "A", "x", "Field", "", 4, 4, 4, 0),
        ("tree", "src/p/A.java", "B", "m()", "Method", "", 6, 6, 6, 0),
    ]


def test_view_files(viewed: Index, tree: Tree) -> None:
    rows = viewed.rows(
        "SELECT path, size, state, reason, package, symbols, xxh3_128 FROM files ORDER BY path"
    )
    assert [row[:6] for row in rows] == [
        ("Big.java", 0, "skipped", "202 bytes, the limit is 200 (--max-file-size)", None, 0),
        ("Main.java", 14, "outlined", None, "", 1),
        ("Poisoned.java", 28, "failed", "the fake server was poisoned", "", 0),
        ("src/p/A.java", 65, "outlined", None, "p", 5),
        ("src/q/Moved.java", 31, "outlined", None, "q", 2),
    ]
    for path, *_, digest in rows[1:]:
        assert digest == content_key((tree / path).read_bytes()).digest.hex()
    assert viewed.rows("SELECT DISTINCT workspace, root FROM files") == [("tree", str(tree.path))]


def test_views_count_lines_as_answers_do(tmp_path: Path) -> None:
    """A range that ends at column 0 of a later line ends on the line before."""
    path = tmp_path / "index.db"
    writer = open_writer(str(path))
    spans = [((0, 0), (2, 0)), ((0, 0), (2, 1)), ((4, 0), (4, 0)), ((4, 2), (5, 0))]
    ranged = [Range(Position(*start), Position(*end)) for start, end in spans]
    nodes = [
        Symbol(f"T{number}", SymbolKind.Class, place, place, deprecated=number == 1)
        for number, place in enumerate(ranged)
    ]
    recipe_id = writer.recipe(RECIPE)
    refs = writer.save_outlines(
        recipe_id, [NewOutline(ContentKey(b"1" * 16, 1), "", Outline(tuple(nodes)))]
    )
    workspace_id = writer.start_run(Root("/w", "w"), recipe_id)
    file = StoredFile("T.java", FileStat(1, 1, 1, 1), refs[0])
    writer.save_files(workspace_id, recipe_id, [file])
    writer.close()
    rows = Index(path).rows("SELECT start_line, end_line, deprecated FROM types ORDER BY name")
    assert [row[:2] for row in rows] == [place.lines for place in ranged]
    assert [row[:2] for row in rows] == [(1, 2), (1, 3), (5, 5), (5, 5)]
    assert [row[2] for row in rows] == [0, 1, 0, 0]


# --- refused and damaged ------------------------------------------------------------------------


@pytest.fixture
def indexed(tree: Tree, index: Index, server: InstantServer) -> Index:
    for number in range(12):
        tree.write(f"src/p/Type{number}.java")
    index.build(tree.path)
    server.forget()
    return index


def test_newer_schema_is_refused_by_name(indexed: Index, tree: Tree, console: Console) -> None:
    connection = sqlite3.connect(indexed.path)
    connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    connection.close()
    before = indexed.path.read_bytes()
    for command in everything():
        run = console.run(*command, "--root", tree.path, "--db", indexed.path)
        assert (run.code, run.stdout) == (3, "")
        assert (
            f"{indexed.path} has schema {schema.VERSION + 1}, "
            f"this javadex knows up to {schema.VERSION}" in run.stderr
        )
        assert "update javadex" in run.stderr
    assert indexed.path.read_bytes() == before
    with pytest.raises(IndexTooNew):
        open_reader(str(indexed.path))


def test_foreign_database_is_refused_and_left_alone(
    tree: Tree, console: Console, server: InstantServer, tmp_path: Path
) -> None:
    path = tmp_path / "photos.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE photo (id)")
    connection.close()
    before = path.read_bytes()
    tree.write("A.java")
    for command in everything():
        run = console.run(*command, "--root", tree.path, "--db", path)
        assert (run.code, run.stdout) == (3, "")
        assert f"{path} is an SQLite database, but no javadex index" in run.stderr
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.glob("photos*")) == [
        "photos.db",
        "photos.db.lock",
    ]
    with pytest.raises(IndexUnusable) as caught:
        open_reader(str(path))
    assert not isinstance(caught.value, IndexDamaged)


def everything() -> list[list[str]]:
    """Every command that needs an index; `outline` does without."""
    return [["find", "Type1"], ["status"], ["index"]]


def test_missing_index(tree: Tree, console: Console, server: InstantServer, tmp_path: Path) -> None:
    tree.write("A.java")
    path = tmp_path / "none.db"
    for command in (["find", "A"], ["status"]):
        run = console.run(*command, "--root", tree.path, "--db", path)
        assert (run.code, run.stdout) == (3, "")
        assert f"no index at {path}" in run.stderr
        assert "javadex index" in run.stderr
    assert not path.exists()


Damage = Callable[[Path], None]


def _random_bytes(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(50_000))


def _truncated(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def _cut_mid_page(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _header_only(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def _text(path: Path) -> None:
    path.write_text("this is no database\n" * 100)


def _no_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    for table in ("type", "symbol", "file"):
        connection.execute(f"DROP TABLE {table}")
    connection.commit()
    connection.close()


def _not_utf8(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute(
        "UPDATE file SET path = CAST(x'ff2e6a617661' AS TEXT) WHERE path LIKE '%Type1.java'"
    )
    connection.execute("UPDATE symbol SET name = CAST(x'ff' AS TEXT)")
    connection.execute("UPDATE type SET name = CAST(x'ff' AS TEXT)")
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [_random_bytes, _truncated, _cut_mid_page, _header_only, _text, _no_table],
    ids=lambda damage: damage.__name__.strip("_"),
)
def test_damage(
    damage: Damage, indexed: Index, tree: Tree, console: Console, server: InstantServer
) -> None:
    damage(indexed.path)
    common = ["--root", tree.path, "--db", indexed.path]
    broken = indexed.path.read_bytes()
    for command in (["find", "Type1"], ["status"]):
        run = console.run(*command, *common)
        assert (run.code, run.stdout) == (3, "")
        assert f"the index {indexed.path} is damaged" in run.stderr
        assert "`javadex index` sets it aside and builds a new one" in run.stderr
        run = console.run(*command, *common, "--json")
        assert (run.code, run.json["errorCode"]) == (3, "indexDamaged")
    assert server.starts == 0
    run = console.run("outline", tree / "src/p/Type1.java", *common)
    assert (run.code, "Class Type1" in run.stdout) == (0, True)
    assert f"the index {indexed.path} is damaged" in run.stderr
    assert indexed.path.read_bytes() == broken

    run = console.run("index", *common, "--json")
    assert (run.code, run.json["workspaces"][0]["outlined"]) == (0, 12)
    (aside,) = indexed.path.parent.glob("index.db.corrupt-*")
    assert aside.read_bytes() == broken
    assert f"it was kept as {aside}" in run.stderr
    assert console.run("find", "Type1", *common, "--json").json["total"] == 3


def coded(code: int, text: str = "it failed") -> sqlite3.OperationalError:
    """What SQLite's error of that code becomes in Python."""
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("cause", "damage"),
    [
        (sqlite3.DatabaseError("database disk image is malformed"), True),
        (coded(sqlite3.SQLITE_CORRUPT_INDEX), True),
        (coded(sqlite3.SQLITE_NOTADB), True),
        (coded(sqlite3.SQLITE_ERROR, "no such table: file"), True),
        (coded(sqlite3.SQLITE_ERROR, "no such column: f.path"), True),
        (coded(sqlite3.SQLITE_ERROR, "table workspace already exists"), True),
        (sqlite3.OperationalError("Could not decode to UTF-8 column 'name'"), True),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), True),
        (coded(sqlite3.SQLITE_ERROR, 'near "SELEC": syntax error'), False),
        (coded(sqlite3.SQLITE_BUSY, "database is locked"), False),
        (coded(sqlite3.SQLITE_CANTOPEN), False),
        (sqlite3.ProgrammingError("Cannot operate on a closed database."), False),
        (sqlite3.IntegrityError("UNIQUE constraint failed"), False),
    ],
    ids=str,
)
def test_what_counts_as_damage(cause: Exception, damage: bool) -> None:
    assert schema.is_damage(cause) is damage


def test_mistakes_of_ours_are_no_damage(writer: Writer) -> None:
    """They pass as they are, so that no good index is set aside for one."""
    with pytest.raises(sqlite3.ProgrammingError):
        writer._rows("SELECT ?")
    with pytest.raises(sqlite3.IntegrityError), writer._transaction():
        writer._conn.execute("INSERT INTO recipe (fingerprint) VALUES (NULL)")
    reader = open_reader(writer._path)
    with pytest.raises(sqlite3.ProgrammingError):
        reader._rows("SELECT ?")
    reader.close()


@pytest.mark.parametrize("shift", [0, 2048])
def test_damage_to_any_page(
    shift: int, indexed: Index, tree: Tree, console: Console, server: InstantServer
) -> None:
    """Whatever part of the file is overwritten: the right answer, or exit 3, and a cure.

    An outline is right in any case, if need be from a server.
    Damage that keeps the head of a page may hide a type from find: SQLite has no checksums.
    """
    sound = indexed.path.read_bytes()
    common = ["--root", tree.path, "--db", indexed.path]
    queries: list[list[object]] = [["outline", tree / "src/p/Type1.java", "--json"]]
    if not shift:
        queries += [["find", "Type1", "--json"], ["find", "src.p", "--json"]]
    expected = [console.run(*query, *common).json for query in queries]
    noise = random.Random(7)
    refused = 0
    for offset in range(shift, len(sound) - shift, 4096):
        filling = bytes(4096) if offset % 8192 < 4096 else noise.randbytes(4096)
        indexed.path.write_bytes(sound[:offset] + filling + sound[offset + 4096 :])
        for query, answer in zip(queries, expected, strict=True):
            run = console.run(*query, *common)
            assert run.code in ((0,) if query[0] == "outline" else (0, 3))
            assert run.code == 3 or run.json == answer
            refused += "is damaged" in run.stderr
        assert console.run("index", *common).code == 0
        assert [console.run(*query, *common).json for query in queries] == expected
        for left in indexed.path.parent.glob("index.db.*"):
            left.unlink()
    assert refused > 3


def test_texts_that_are_none(indexed: Index, tree: Tree, console: Console) -> None:
    _not_utf8(indexed.path)
    for command in (["find", "*"], ["status"]):
        run = console.run(*command, "--root", tree.path, "--db", indexed.path)
        assert (run.code, run.stdout) == (3, "")
        assert "is damaged" in run.stderr
    assert console.run("index", "--root", tree.path, "--db", indexed.path).code == 0
    assert console.run("find", "Type1", "--root", tree.path, "--db", indexed.path).code == 0


@pytest.mark.parametrize("leave", [b"", None])
def test_empty_file_is_built_into(
    leave: bytes | None, tree: Tree, index: Index, console: Console, server: InstantServer
) -> None:
    tree.write("A.java")
    if leave is None:  # an SQLite database without tables
        connection = sqlite3.connect(index.path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
    else:
        index.path.write_bytes(leave)
    common = ["--root", tree.path, "--db", index.path]
    for command in (["find", "A"], ["status"]):
        run = console.run(*command, *common)
        assert (run.code, run.stdout) == (3, "")
        assert f"the index {index.path} is empty" in run.stderr
    assert console.run("outline", tree / "A.java", *common).code == 0
    assert console.run("index", *common).code == 0
    assert console.run("find", "A", *common).code == 0
    assert list(index.path.parent.glob("*.corrupt-*")) == []
    assert stat.S_IMODE(index.path.stat().st_mode) == 0o600


# --- the files ----------------------------------------------------------------------------------


def test_files_of_an_index(tree: Tree, javadex: Javadex) -> None:
    """Private, in WAL mode, and the log put into the database at the end of a run."""
    tree.write("A.java")
    javadex.run("index", tree.path)
    (folder,) = (javadex.cache / "javadex").iterdir()
    assert sorted(entry.name for entry in folder.iterdir()) == ["index.db", "index.db.lock"]
    assert {stat.S_IMODE(entry.stat().st_mode) for entry in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / "index.db").read_bytes()[18:20] == b"\x02\x02"  # WAL, for writing and reading
    assert Index(folder / "index.db").rows("PRAGMA journal_mode") == [("wal",)]
    assert list(javadex.temporary.iterdir()) == []


@pytest.mark.parametrize("found_before", [False, True])
def test_read_only_index(tree: Tree, javadex: Javadex, found_before: bool, tmp_path: Path) -> None:
    tree.write("A.java")
    folder = tmp_path / "shipped"
    folder.mkdir()
    common = ["--root", tree.path, "--db", folder / "index.db", "--json"]
    assert javadex.run("index", *common).code == 0
    if found_before:  # a reader leaves SQLite's files of a WAL database
        assert javadex.run("find", "A", *common).code == 0
    for entry in folder.iterdir():
        entry.chmod(0o400)
    folder.chmod(0o500)
    try:
        find = javadex.run("find", "A", *common, preexec=without_root_powers)
        outline = javadex.run("outline", tree / "A.java", *common, preexec=without_root_powers)
        status = javadex.run("status", *common, preexec=without_root_powers)
        tree.write("A.java", "class Other {\n}\n")
        changed = javadex.run("outline", tree / "A.java", *common, preexec=without_root_powers)
        index = javadex.run("index", *common, preexec=without_root_powers)
    finally:
        folder.chmod(0o700)
    assert (find.code, find.json["total"]) == (0, 1)
    assert (outline.code, outline.json["symbols"][0]["name"]) == (0, "A")
    assert (status.code, status.json["workspaces"][0]["fresh"]) == (0, 1)
    assert (changed.code, changed.json["symbols"][0]["name"]) == (0, "Other")
    assert index.code == 3
    assert str(folder / "index.db") in index.stderr
    assert "--db" in index.stderr
    assert "Traceback" not in index.stderr


def test_locked_index_is_not_read_past_the_lock(
    indexed: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect: Any = sqlite3.connect
    indexed.rows("PRAGMA journal_mode = DELETE")
    owner = connect(indexed.path, isolation_level=None)
    owner.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **more: connect(*a, **more, timeout=0))
    with pytest.raises(IndexUnusable, match="database is locked") as caught:
        open_reader(str(indexed.path))
    assert not isinstance(caught.value, IndexDamaged)
    owner.close()


def test_what_cannot_be_written_beside_is_read_as_carefully(
    indexed: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect: Any = sqlite3.connect

    def refuse(database: str, **more: Any) -> Any:
        if "immutable" not in database:
            raise coded(sqlite3.SQLITE_READONLY_DIRECTORY)
        return connect(database, **more)

    monkeypatch.setattr(sqlite3, "connect", refuse)
    reader = open_reader(str(indexed.path))
    assert reader._rows("PRAGMA query_only") == [(1,)]
    assert reader._rows("PRAGMA trusted_schema") == [(0,)]
    reader.close()
    indexed.path.write_bytes(b"no database" * 1000)
    with pytest.raises(IndexDamaged):
        open_reader(str(indexed.path))


@pytest.fixture
def no_file_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite may make no file beside a database, as on a full disk; who writes may."""
    connect: Any = sqlite3.connect

    def refuse(database: str | Path, **more: Any) -> Any:
        if "mode=ro" in str(database) and "immutable" not in str(database):
            raise coded(sqlite3.SQLITE_IOERR_SHMSIZE)
        return connect(database, **more)

    monkeypatch.setattr(sqlite3, "connect", refuse)


@pytest.mark.usefixtures("no_file_beside")
def test_what_is_read_without_locks_is_not_read_while_it_is_written(indexed: Index) -> None:
    """SQLite would take old pages for new ones; after the write it is the new state again."""
    reader = open_reader(str(indexed.path))
    with reader.snapshot():
        assert reader.is_current
    with pytest.raises(IndexUnusable, match="written while it was read"), reader.snapshot():
        indexed.rows("DELETE FROM file")
    reader.close()
    reader = open_reader(str(indexed.path))
    with reader.snapshot():
        assert reader._rows("SELECT count(*) FROM file") == [(0,)]
    reader.close()


@pytest.mark.usefixtures("no_file_beside")
def test_a_log_is_not_left_out(indexed: Index) -> None:
    writer = open_writer(str(indexed.path))
    writer.recipe(Recipe("another", "2.0"))
    with pytest.raises(IndexUnusable, match="free disk space") as caught:
        open_reader(str(indexed.path))
    writer.close()
    assert not isinstance(caught.value, IndexDamaged)
    open_reader(str(indexed.path)).close()


@pytest.mark.parametrize("opened", [open_reader, open_writer])
def test_nothing_goes_through_the_folder_for_temporary_files(
    indexed: Index, opened: Callable[[str], Reader | Writer]
) -> None:
    """It may be full; and SQLite's word for that, "disk is full", is told of the index."""
    index = opened(str(indexed.path))
    assert index._rows("PRAGMA temp_store") == [(2,)]
    index.close()


def test_unreadable_index_is_not_set_aside(tree: Tree, javadex: Javadex, tmp_path: Path) -> None:
    """No permission is no damage."""
    tree.write("A.java")
    path = tmp_path / "locked.db"
    common = ["--root", tree.path, "--db", path]
    assert javadex.run("index", *common).code == 0
    before = path.read_bytes()
    path.chmod(0)
    for command in (["find", "A"], ["status"], ["index"]):
        run = javadex.run(*command, *common, preexec=without_root_powers)
        assert (run.code, run.stdout) == (3, "")
        assert str(path) in run.stderr
        assert "permissions" in run.stderr
        assert "damaged" not in run.stderr
    path.chmod(0o600)
    assert path.read_bytes() == before


def test_another_program_that_writes(
    tree: Tree, console: Console, server: InstantServer, tmp_path: Path
) -> None:
    """It is no javadex, or it would hold the lock; it is not waited for for long."""
    tree.write("A.java")
    common = ["--root", tree.path, "--db", tmp_path / "x.db"]
    assert console.run("index", *common).code == 0
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        tree.write("B.java")
        started = time.monotonic()
        run = console.run("index", *common)
        assert time.monotonic() - started < 20
    assert (run.code, run.stdout) == (3, "")
    assert "database is locked; end the other program that writes to it" in run.stderr
    assert console.run("find", "B", *common).code == 0


def test_paths_that_uris_would_misread(
    tree: Tree, console: Console, server: InstantServer, tmp_path: Path
) -> None:
    tree.write("A.java")
    for name in ("a b", "50%25", "c#d", "e?f=1&mode=memory", "größe", "new\nline"):
        common = ["--root", tree.path, "--db", tmp_path / name / "x.db"]
        assert console.run("index", *common).code == 0
        assert console.run("find", "A", *common).code == 0
        assert (tmp_path / name / "x.db").exists()


# --- where it lies ------------------------------------------------------------------------------


def test_default_place(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tree.commit()
    tree.git("worktree", "add", "-q", str(tmp_path / "other" / "name"))
    (tree / "sub").mkdir()
    place = default_db(str(tree.path))
    assert Path(place).parent.parent == tmp_path / "cache" / "javadex"
    assert Path(place).parent.name.startswith("tree-")
    assert default_db(str(tmp_path / "other" / "name")) == place
    assert default_db(str(tree / "sub")) == place
    again = Tree(tmp_path / "elsewhere" / "tree")
    again.commit()
    assert default_db(str(again.path)) != place
    assert Path(default_db(str(again.path))).parent.name.startswith("tree-")


def test_default_place_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first, second = tmp_path / "a" / "my code?", tmp_path / "b" / "my code?"
    for folder in (first, second):
        folder.mkdir(parents=True)
    (tmp_path / "link").symlink_to(first)
    assert default_db(str(first)) != default_db(str(second))
    assert default_db(str(tmp_path / "link")) == default_db(str(first))
    assert Path(default_db(str(first))).parent.name.startswith("my_code_-")


def test_default_place_of_submodules_and_bare_repositories(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    inner = Tree(tmp_path / "inner")
    inner.write("Inner.java")
    inner.commit()
    tree.git("init", "-q")
    tree.git("submodule", "--quiet", "add", str(inner.path), "libs/inner")
    assert default_db(str(tree / "libs/inner")) != default_db(str(tree.path))
    assert default_db(str(tree / "libs/inner")) != default_db(str(inner.path))
    tree.git("clone", "-q", "--bare", str(inner.path), str(tmp_path / "shop.git"))
    Tree(tmp_path / "shop.git").git("worktree", "add", "-q", str(tmp_path / "wt"), "main")
    assert Path(default_db(str(tmp_path / "wt"))).parent.name.startswith("shop.git-")


@pytest.mark.parametrize("content", ["garbage", "gitdir:", ""])
def test_default_place_beside_a_corrupt_git_file(
    tree: Tree, content: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tree.write(".git", content)
    assert os.path.basename(os.path.dirname(default_db(str(tree.path)))).startswith("tree-")


def test_a_question_finds_the_index_of_the_folder_around(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    outer, inner = tmp_path / "outer", tmp_path / "outer" / "a" / "b"
    inner.mkdir(parents=True)
    assert nearest_db(str(inner)) == default_db(str(inner))
    for folder in (outer, outer / "a"):
        db = Path(default_db(str(folder)))
        db.parent.mkdir(parents=True)
        db.touch()
        assert nearest_db(str(inner)) == str(db), "the nearest one that exists"
