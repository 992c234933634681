"""`javadex verify` with the real engine: it agrees with a right index, and sees a wrong one."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.jdtls.cli import Cli
from tests.jdtls.conftest import Indexed
from tests.jdtls.samples import MODULE_INFO, PROJECTS, SAMPLES, UNSEEN, java_files
from tests.support.maven import use_plugins, write_repository

pytestmark = [pytest.mark.jdtls, pytest.mark.timeout(600)]  # six servers, one after the other


@dataclass(frozen=True)
class Verified:
    """The five samples, what the check said of them, and the trees before and after."""

    document: dict[str, Any]
    before: dict[str, str]
    after: dict[str, str]
    left: list[str]
    """Temporary folders and processes that were still there at the end."""

    def workspace(self, name: str) -> dict[str, Any]:
        (found,) = (found for found in self.document["workspaces"] if found["name"] == name)
        return dict(found)


def fingerprint(tree: Path) -> dict[str, str]:
    """Every path below `tree` with its content and the time of its last change."""
    return {
        path.relative_to(tree).as_posix(): (
            f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_mtime_ns}"
            if path.is_file()
            else "a folder"
        )
        for path in sorted(tree.rglob("*"))
    }


def copy_of(db: Path, target: Path) -> Path:
    """A copy of the session's index, whose outlines serve every copy of the samples."""
    with closing(sqlite3.connect(db)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
    return target


def leftovers(cli: Cli) -> list[str]:
    found = [str(path) for path in cli.temporary.iterdir()]
    for process in psutil.process_iter(["cmdline"]):
        if any(str(cli.home) in part for part in process.info["cmdline"] or ()):
            found.append(str(process))
    return found


@pytest.fixture(scope="module")
def verified(indexed: Indexed, tmp_path_factory: pytest.TempPathFactory) -> Verified:
    home = tmp_path_factory.mktemp("verified")
    tree, cli = home / "tree", Cli(home / "home")
    shutil.copytree(SAMPLES, tree)
    use_plugins(tree / "maven-shop" / "pom.xml")
    settings = write_repository(home / "maven")
    db = copy_of(indexed.db, home / "index.db")
    cli.run("index", *(tree / name for name in PROJECTS), "--db", db, "--no-git")
    roots = [part for name in PROJECTS for part in ("--root", str(tree / name))]
    options = ["--db", str(db), "--no-git", "--offline", "--maven-settings", str(settings)]
    before = fingerprint(tree)
    document = cli.json("verify", *roots, *options)
    return Verified(document, before, fingerprint(tree), leftovers(cli))


def test_no_difference_is_real_and_every_file_was_compared(verified: Verified) -> None:
    assert [found["name"] for found in verified.document["workspaces"]] == list(PROJECTS)
    for workspace in verified.document["workspaces"]:
        assert workspace["files"] == len(java_files(SAMPLES / workspace["name"]))
        assert workspace["counts"]["real"] == workspace["counts"]["stale"] == 0
        assert min(workspace[count] for count in ("nodes", "types", "queries")) > 10
    assert verified.document["seconds"] > 0


@pytest.mark.parametrize(
    ("name", "project"),
    [
        ("maven-shop", "maven"),
        ("eclipse-app", "eclipse"),
        ("gradle-lib", "generated"),
        ("no-build", "generated"),
        ("odd", "generated"),
    ],
)
def test_builds_are_imported_where_they_can_be(name: str, project: str, verified: Verified) -> None:
    workspace = verified.workspace(name)
    assert workspace["project"] == project
    # There is no Gradle here, and none may be fetched.
    assert ("importProblem" in workspace) == (name == "gradle-lib")
    expected = {"skipped": len(UNSEEN) if name == "odd" else 0, "exception": 0}
    assert workspace["counts"] == {"stale": 0, **expected, "real": 0}


def test_files_that_jdtls_does_not_look_at_are_skipped(verified: Verified) -> None:
    differences = verified.workspace("odd")["differences"]
    assert {f"odd/{difference['file']}" for difference in differences} == set(UNSEEN)
    assert f"odd/{MODULE_INFO}" not in UNSEEN, "both sides have nothing for a module"
    words = {difference["file"]: difference["detail"] for difference in differences}
    assert "'my-file' is no Java name" in words["names/my-file.java"]
    assert "'bad-dir' is no package name" in words["names/bad-dir/InBadDir.java"]


def test_nothing_is_written_into_the_trees_or_left_behind(verified: Verified) -> None:
    assert verified.before == verified.after
    assert verified.left == []


def test_a_wrong_index_is_found_out(indexed: Indexed, tmp_path: Path) -> None:
    """One outline, one place of a type and one name are falsified; one file changes afterwards."""
    tree, cli = tmp_path / "no-build", Cli(tmp_path / "home")
    shutil.copytree(SAMPLES / "no-build", tree)
    db = copy_of(indexed.db, tmp_path / "index.db")
    cli.run("index", tree, "--db", db, "--no-git")
    with closing(sqlite3.connect(db)) as connection, connection:
        falsify(connection, "tools/Cli.java", "symbol", "end_line = end_line + 1", "ordinal = 1")
        falsify(
            connection,
            "Main.java",
            "symbol",
            "name_end_column = name_end_column + 1",
            "ordinal = 0",
        )
        falsify(connection, "tools/text/Wrap.java", "type", "name = 'Warp'", "name = 'Wrap'")
    edited = tree / "tools" / "io" / "Lines.java"
    edited.write_text("\n" + edited.read_text("utf-8"), "utf-8")

    document = cli.json("verify", "--root", tree, "--db", db, "--no-git", exits_with=1)
    (workspace,) = document["workspaces"]
    by_file: dict[str, list[dict[str, str]]] = {}
    for difference in workspace["differences"]:
        by_file.setdefault(difference["file"], []).append(difference)
    assert {file: [found["class"] for found in by_file[file]] for file in by_file} == {
        "Main.java": ["real", "real"],
        "tools/Cli.java": ["real"],
        "tools/io/Lines.java": ["stale"],
        "tools/text/Wrap.java": ["real", "real"],
    }
    assert Counter(found["kind"] for found in workspace["differences"]) == {"outline": 3, "type": 3}
    assert workspace["counts"] == {"stale": 1, "skipped": 0, "exception": 0, "real": 5}
    (cli_detail,) = (found["detail"] for found in by_file["tools/Cli.java"])
    assert "node 1 'Cli': range: index" in cli_detail
    warped = sorted(found["detail"] for found in by_file["tools/text/Wrap.java"])
    assert warped[0].startswith("type Warp: only in the index")
    assert warped[1].startswith("type Wrap: only live")


def falsify(connection: sqlite3.Connection, path: str, table: str, change: str, row: str) -> None:
    """Change one stored row of a file's outline."""
    connection.execute(
        f"UPDATE {table} SET {change} WHERE {row} AND outline_id IN ("
        "SELECT f.outline_id FROM file f JOIN workspace w ON w.id = f.workspace_id "
        "WHERE w.name = 'no-build' AND f.path = ?)",
        (path,),
    )
    assert connection.execute("SELECT changes()").fetchone() == (1,)
