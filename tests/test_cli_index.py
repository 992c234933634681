"""`javadex index` and `javadex status`: options, documents, exit codes."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from tests.fakes.runtime import fake_runtime
from tests.support.cli import Console, Javadex, without_root_powers
from tests.support.indexing import InstantServer
from tests.support.trees import Tree

WORKSPACE_KEYS = [
    "name",
    "root",
    "files",
    "reused",
    "outlined",
    "removed",
    "skipped",
    "failed",
    "symbols",
    "types",
]


@pytest.fixture
def shop(tree: Tree, server: InstantServer) -> Tree:
    tree.write("src/shop/Order.java", "package shop;\nclass Order {\n  int x;\n}\n")
    tree.write("src/shop/Item.java", "package shop;\nclass Item {\n}\n")
    return tree


# --- documents ----------------------------------------------------------------------------------


def test_index_json(shop: Tree, console: Console) -> None:
    shop.write("Bad.java", "class Bad {} // poison")
    shop.write("Big.java", "x" * 200)
    run = console.run("index", shop.path, "--json", "--max-file-size", 100, "--max-failed", 1)
    document = run.json
    assert run.code == 0
    assert list(document) == [
        "db",
        "workspaces",
        "seconds",
        "filesPerSecond",
        "engine",
        "problems",
    ]
    assert Path(document["db"]).is_file()
    (workspace,) = document["workspaces"]
    assert list(workspace) == WORKSPACE_KEYS
    assert list(workspace.values()) == ["tree", str(shop.path), 4, 0, 2, 0, 1, 1, 5, 2]
    assert document["seconds"] > 0
    assert document["filesPerSecond"] > 0
    assert document["engine"] == "jdt.ls 9.9.0.fake"
    assert document["problems"] == [
        {
            "file": str(shop / "Big.java"),
            "state": "skipped",
            "reason": "200 bytes, the limit is 100 (--max-file-size)",
        },
        {
            "file": str(shop / "Bad.java"),
            "state": "failed",
            "reason": "the fake server was poisoned",
        },
    ]


def test_status_json(shop: Tree, console: Console) -> None:
    shop.write("Bad.java", "class Bad {} // poison")
    shop.write("Gone.java")
    db = console.run("index", shop.path, "--json", "--max-failed", 1).json["db"]
    shop.write("src/shop/Item.java", "class Changed { }")
    shop.write("New.java")
    (shop / "Gone.java").unlink()
    (shop / "Dead.java").symlink_to("nowhere")
    os.utime(shop / "src/shop/Order.java")
    run = console.run("status", "--root", shop.path, "--json")
    assert run.code == 0
    document = run.json
    assert list(document) == ["db", "schema", "engine", "workspaces", "problems"]
    assert (document["db"], document["schema"], document["engine"]) == (db, 3, "jdt.ls 9.9.0.fake")
    (workspace,) = document["workspaces"]
    assert list(workspace) == [
        "name",
        "root",
        "files",
        "fresh",
        "stale",
        "missing",
        "failed",
        "skipped",
        "symbols",
        "types",
        "indexedAt",
        "standing",
    ]
    standing = workspace.pop("standing")
    assert {state: count for state, count in standing.items() if count} == {
        "fresh": 1,
        "changed": 1,
        "unknown": 1,
        "deleted": 1,
        "failed": 1,
        "skipped": 1,
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", workspace.pop("indexedAt"))
    assert list(workspace.values()) == ["tree", str(shop.path), 5, 1, 1, 1, 1, 1, 8, 3]
    assert {(Path(p["file"]).name, p["state"]) for p in document["problems"]} == {
        ("Bad.java", "failed"),
        ("Dead.java", "skipped"),
        ("Gone.java", "deleted"),
    }
    assert all(list(problem) == ["file", "state", "reason"] for problem in document["problems"])


def test_status_writes_nothing_and_needs_no_engine(
    shop: Tree, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = Path(console.run("index", shop.path, "--json").json["db"])
    before = db.read_bytes()
    monkeypatch.setenv("JAVADEX_JAVA", "/nowhere")
    monkeypatch.delenv("JAVADEX_JDTLS")
    monkeypatch.setattr("indexer.jdtls.runtime._WHEEL_FOLDER", "nowhere")
    assert console.run("status", "--root", shop.path).code == 0
    assert db.read_bytes() == before


@pytest.mark.parametrize("command", ["status", "find", "outline"])
def test_an_engine_that_is_named_is_used_or_refused(
    shop: Tree, console: Console, command: str
) -> None:
    console.run("index", shop.path)
    more = [] if command == "status" else ["Order"]
    run = console.run(command, *more, "--root", shop.path, "--jdtls", "/nowhere")
    assert run.code == 4
    assert "/nowhere" in run.stderr


def test_status_calls_outlines_of_another_engine_stale(
    shop: Tree, console: Console, tmp_path: Path
) -> None:
    files = console.run("index", shop.path, "--json").json["workspaces"][0]["files"]
    other = fake_runtime(tmp_path / "other", version="10.0.0")["JAVADEX_JDTLS"]
    state = console.run("status", "--root", shop.path, "--jdtls", other, "--json").json
    assert [state["workspaces"][0][key] for key in ("fresh", "stale")] == [0, files]


def test_status_takes_the_index_of_the_folder_around(
    shop: Tree, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    console.run("index", shop.path)
    (shop.path / "inner").mkdir()
    monkeypatch.chdir(shop.path / "inner")
    state = console.run("status", "--json").json
    assert state["workspaces"][0]["root"] == str(shop.path)


def test_an_empty_root_is_refused(console: Console) -> None:
    run = console.run("status", "--root", "")
    assert run.code == 2
    assert "--root is empty" in run.stderr


def test_status_of_a_run_that_was_cut_off(shop: Tree, console: Console, tmp_path: Path) -> None:
    from tests.support.indexing import Index

    db = Index(Path(console.run("index", shop.path, "--json").json["db"]))
    db.rows("UPDATE workspace SET indexed_at = NULL")
    run = console.run("status", "--root", shop.path, "--json")
    assert run.json["workspaces"][0]["indexedAt"] is None
    assert "indexed never" in console.run("status", "--root", shop.path).stdout


def test_status_after_a_change_of_engine_that_was_cut_off(
    shop: Tree, console: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What find no longer serves does not count as fresh."""
    assert console.run("index", shop.path).code == 0
    for name, value in fake_runtime(tmp_path / "newer", version="10.0.0").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("indexer.build._bring_up_to_date", _cut_off)
    assert console.run("index", shop.path).code == 130
    (workspace,) = console.run("status", "--root", shop.path, "--json").json["workspaces"]
    assert (workspace["files"], workspace["fresh"], workspace["stale"]) == (2, 0, 2)
    assert console.run("find", "Order", "--root", shop.path).code == 3


def _cut_off(*_: object) -> None:
    raise KeyboardInterrupt


def test_text(shop: Tree, console: Console) -> None:
    shop.write("Bad.java", "class Bad {} // poison")
    run = console.run("index", shop.path, "--max-failed", 1)
    assert run.stdout.splitlines()[:2] == [
        "tree: 3 files (0 reused, 2 outlined, 0 skipped, 1 failed, 0 removed), 5 symbols, 2 types",
        "  failed: Bad.java: the fake server was poisoned",
    ]
    assert re.match(r"\d+\.\d s with jdt\.ls 9\.9\.0\.fake, index /", run.stdout.splitlines()[2])
    assert run.stderr == ""
    run = console.run("status", "--root", shop.path)
    assert run.stdout.splitlines()[1].startswith(
        "tree: 3 files (2 fresh, 0 stale, 0 missing, 1 failed, 0 skipped), 5 symbols, 2 types"
    )


def test_quiet(shop: Tree, console: Console, tmp_path: Path) -> None:
    run = console.run("index", shop.path, "-q")
    assert (run.code, run.stdout, run.stderr) == (0, "", "")
    (tmp_path / "none").mkdir()
    run = console.run("index", tmp_path / "none", "-q")
    assert (run.code, run.stdout, run.stderr) == (0, "", "")
    assert console.run("index", shop.path, "-q", "--json").json["workspaces"][0]["reused"] == 2


def test_progress_on_a_terminal(shop: Tree, console: Console) -> None:
    run = console.run("index", shop.path, terminal=True)
    assert "2/2" in run.stderr
    assert "2/2" not in run.stdout
    assert "2/2" not in console.run("index", shop.path).stderr
    assert "2/2" not in console.run("index", shop.path, "-q", terminal=True).stderr


def test_progress_for_machines(shop: Tree, console: Console) -> None:
    run = console.run("index", shop.path, "--progress", "json", "--json")
    lines = [json.loads(line) for line in run.stderr.splitlines()]
    assert lines[-1] == {"done": 2, "total": 2}
    assert run.json["workspaces"][0]["outlined"] == 2


# --- roots --------------------------------------------------------------------------------------


def test_roots_of_all_kinds(
    shop: Tree, console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lib = Tree(tmp_path / "lib")
    lib.write("Lib.java")
    db = ["--db", tmp_path / "index.db", "--json"]

    def roots(*arguments: object) -> list[tuple[str, str]]:
        workspaces = console.run("index", *arguments, *db).json["workspaces"]
        return [(workspace["name"], workspace["root"]) for workspace in workspaces]

    both = [("shop", str(shop.path)), ("lib", str(lib.path))]
    assert roots(f"shop={shop.path}", lib.path) == both
    assert roots("--root", f"shop={shop.path}", "--root", lib.path) == both
    assert roots(f"shop={shop.path}", "--root", lib.path) == both
    assert roots(f"shop={shop.path}", f"shop={shop.path}") == both[:1]
    monkeypatch.setenv("JAVADEX_ROOT", f"shop={shop.path}{os.pathsep}{lib.path}")
    assert roots() == both
    monkeypatch.delenv("JAVADEX_ROOT")
    monkeypatch.chdir(lib.path)
    assert roots() == both[1:]
    Tree(tmp_path / "a=b").write("A.java")
    assert roots(tmp_path / "a=b") == [("a=b", str(tmp_path / "a=b"))]


def test_db_from_the_environment(
    shop: Tree, console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVADEX_DB", str(tmp_path / "there.db"))
    assert console.run("index", shop.path, "--json").json["db"] == str(tmp_path / "there.db")
    assert console.run("find", "Order", "--root", shop.path).code == 0
    monkeypatch.chdir(tmp_path)
    run = console.run("index", shop.path, "--db", "sub/here.db", "--json")
    assert run.json["db"] == str(tmp_path / "sub/here.db")


def test_code_workspace(shop: Tree, console: Console, tmp_path: Path) -> None:
    lib = Tree(tmp_path / "lib")
    lib.write("Lib.java")
    file = tmp_path / "all.code-workspace"
    file.write_text(
        """\ufeff{
  // the folders, "with" comments
  "folders": [
    { "path": "tree", "name": "shop // not a comment, ]" }, /* and
    a long one */
    { "path": "LIB", },
  ],
  "settings": { "a": [1, 2,], },
}""".replace("LIB", str(lib.path)),
        "utf-8",
    )
    run = console.run("index", file, "--json")
    assert [(w["name"], w["root"]) for w in run.json["workspaces"]] == [
        ("shop // not a comment, ]", str(shop.path)),
        ("lib", str(lib.path)),
    ]
    assert console.run("find", "Lib", "--root", file).code == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "not json",
        '{"folders": []}',
        '{"folders": null}',
        '{"folders": [{"name": "x"}]}',
        '{"folders": [{"path": 5}]}',
        '{"folders": [{"path": "tree", "name": 5}]}',
        '{"folders": ["tree"]}',
        '{"folders": [{"uri": "vscode-remote://x"}]}',
        "[" * 100_000,
    ],
)
def test_bad_code_workspace(shop: Tree, console: Console, tmp_path: Path, text: str) -> None:
    file = tmp_path / "bad.code-workspace"
    file.write_text(text)
    run = console.run("index", file)
    assert (run.code, run.stdout) == (2, "")
    assert f"{file} is no .code-workspace file with folders" in run.stderr


def test_code_workspace_that_is_not_there(
    console: Console, server: InstantServer, tmp_path: Path
) -> None:
    run = console.run("index", tmp_path / "none.code-workspace")
    assert run.code == 2
    assert "none.code-workspace cannot be read: No such file or directory" in run.stderr


def test_missing_root(console: Console, server: InstantServer, tmp_path: Path) -> None:
    for command in ("index", "status", "find", "outline"):
        arguments = [] if command in ("index", "status") else ["X"]
        run = console.run(command, *arguments, "--root", tmp_path / "none", "--json")
        assert run.code == 2
        assert "none' does not exist; name an existing folder" in run.stderr
        assert run.json["errorCode"] == "rootError"


def test_working_directory_that_is_gone(javadex: Javadex, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    for command in ("index", "status", "find X", "outline X.java"):
        gone.mkdir()
        run = javadex.run(*command.split(), cwd=gone, preexec=gone.rmdir)
        assert (run.code, run.stdout) == (2, "")
        assert run.stderr == "javadex: the working directory is gone: No such file or directory\n"


def test_root_without_java(console: Console, server: InstantServer, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run = console.run("index", tmp_path / "empty", "--json")
    assert (run.code, run.json["workspaces"][0]["files"]) == (0, 0)
    assert f"{tmp_path / 'empty'} holds no Java file" in run.stderr
    assert server.starts == 0


def test_emptied_root(shop: Tree, console: Console) -> None:
    console.run("index", shop.path)
    for path in ("Order", "Item"):
        (shop / f"src/shop/{path}.java").unlink()
    run = console.run("index", shop.path, "--json")
    assert (run.code, run.json["workspaces"][0]["removed"]) == (0, 0)
    assert "it was left as it was (--allow-empty to empty it)" in run.stderr
    run = console.run("index", shop.path, "--json", "--allow-empty")
    assert (run.code, run.json["workspaces"][0]["removed"]) == (0, 2)


# --- exit codes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "code"),
    [("0", 5), ("1", 5), ("2", 0), ("49%", 5), ("50%", 0), ("100%", 0), ("0%", 5), (" 2 ", 0)],
)
def test_max_failed(shop: Tree, console: Console, limit: str, code: int) -> None:
    for name in ("Bad", "Worse"):
        shop.write(f"{name}.java", f"class {name} {{}} // poison")
    run = console.run("index", shop.path, "--json", "--max-failed", limit)
    assert run.code == code
    assert run.json["workspaces"][0]["failed"] == 2
    assert ("2 of 4 files failed" in run.stderr) == (code == 5)
    assert console.run("find", "Order", "--root", shop.path).code == 0


@pytest.mark.parametrize("limit", ["", "x", "-1", "5.5%", "%", "10 %", "1e3", "10%%"])
def test_max_failed_garbage(
    shop: Tree, console: Console, server: InstantServer, limit: str
) -> None:
    run = console.run("index", shop.path, f"--max-failed={limit}")
    assert (run.code, run.stdout) == (2, "")
    assert f"--max-failed is {limit!r}; it takes a number (5) or a share (10%)" in run.stderr
    assert server.starts == 0


def test_all_files_fail(shop: Tree, console: Console) -> None:
    assert console.run("index", shop.path).code == 0
    shop.write("src/shop/Order.java", "class Order {} // poison")
    shop.write("src/shop/Item.java", "class Item {} // poison")
    shop.write("src/shop/Other.java", "class Other {} // poison")
    run = console.run("index", shop.path)
    assert run.code == 5
    assert "3 of 3 files failed; see `javadex status`" in run.stderr
    run = console.run("outline", "src/shop/Order.java", "--root", shop.path)
    assert run.code == 4
    assert "poisoned" in run.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--servers", "0"],
        ["--servers", "x"],
        ["--max-file-size", "-1"],
        ["--file-timeout", "0"],
        ["--lock-timeout", "-1"],
        ["--progress", "loud"],
        ["--nonsense"],
    ],
)
def test_usage(shop: Tree, console: Console, arguments: list[str]) -> None:
    run = console.run("index", shop.path, "--json", *arguments)
    assert run.code == 2
    assert run.json["errorCode"] == "usageError"
    assert arguments[0] in run.stderr


def test_db_that_cannot_be(shop: Tree, console: Console, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    for place in (tmp_path / "file" / "index.db", tmp_path / "folder"):
        run = console.run("index", shop.path, "--db", place)
        assert (run.code, run.stdout) == (3, "")
        assert str(place) in run.stderr
        assert "--db" in run.stderr


def test_runtime_that_is_none(
    shop: Tree, console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "java17"
    (old / "bin").mkdir(parents=True)
    (old / "bin" / "java").write_text("")
    (old / "release").write_text('JAVA_VERSION="17.0.2"\n')
    run = console.run("index", shop.path, "--java", old, "--json")
    assert run.code == 4
    assert "--java gives Java 17.0.2" in run.stderr
    assert "needs Java 21 or later" in run.stderr
    assert run.json["errorCode"] == "runtimeNotFound"
    run = console.run("index", shop.path, "--java", tmp_path / "none")
    assert run.code == 4
    assert "neither a Java home nor a java executable" in run.stderr
    run = console.run("index", shop.path, "--jdtls", tmp_path)
    assert run.code == 4
    assert "which is no jdt.ls" in run.stderr
    assert not (tmp_path / "cache").exists()


# --- the tree -----------------------------------------------------------------------------------


def test_git_sees_nothing(shop: Tree, javadex: Javadex) -> None:
    shop.commit()
    index = shop / ".git/index"
    before = (index.read_bytes(), index.stat().st_mtime_ns)
    os.utime(shop / "src/shop/Order.java")  # a stat refresh would be written into git's index
    assert javadex.run("index", shop.path).code == 0
    assert javadex.run("find", "Order", "--root", shop.path).code == 0
    assert (index.read_bytes(), index.stat().st_mtime_ns) == before
    assert shop.git("status", "--porcelain") == ""


def test_read_only_tree(shop: Tree, javadex: Javadex) -> None:
    shop.commit()
    folders = [shop.path, *(entry for entry in shop.path.rglob("*") if entry.is_dir())]
    for folder in folders:
        folder.chmod(0o500)
    try:
        index = javadex.run("index", shop.path, "--json", preexec=without_root_powers)
        find = javadex.run("find", "Order", "--root", shop.path, preexec=without_root_powers)
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert (index.code, index.json["workspaces"][0]["outlined"]) == (0, 2)
    assert find.code == 0


def test_second_run_needs_no_server_that_starts(shop: Tree, javadex: Javadex) -> None:
    assert javadex.run("index", shop.path, "--json").json["workspaces"][0]["outlined"] == 2
    javadex.faults(exit_at_start={"code": 13, "stderr": "must not be started"})
    run = javadex.run("index", shop.path, "--json")
    assert (run.code, run.json["workspaces"][0]["reused"]) == (0, 2)
    assert sorted(javadex.asked) == ["Item", "Order"]


def test_help_names_exit_codes_and_commands(console: Console) -> None:
    run = console.run("--help")
    assert run.code == 0
    assert "130 interrupted" in run.stdout
    for command in ("find", "index", "outline", "status"):
        assert f"\n  {command}" in run.stdout
        assert console.run(command, "--help").code == 0
    assert console.run("--version").stdout.startswith("javadex, version ")
