"""Which files are found, by git and by the walk, and what is said of those that are not."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from indexer.discovery import Findings, Problem, discover
from indexer.errors import RootError
from indexer.files import RACY_NS, FileStat, Root, Unsteady, read, resolve_root
from tests.support.cli import Javadex, without_root_powers
from tests.support.trees import Tree


def find(path: Path, *, use_git: bool = True, max_bytes: int = 0) -> Findings:
    return discover(resolve_root(str(path)), use_git=use_git, max_bytes=max_bytes)


def found(path: Path, *, use_git: bool = True) -> list[str]:
    return [file.path for file in find(path, use_git=use_git).files]


def reasons(problems: Iterable[Problem]) -> dict[str, str]:
    return {problem.path: problem.reason for problem in problems}


# --- the root -----------------------------------------------------------------------------------


def test_root_is_canonical_and_named(tree: Tree) -> None:
    tree.write("real/A.java")
    (tree / "link").symlink_to("real")
    assert resolve_root(f"{tree.path}/link/../link/") == Root(f"{tree.path}/real", "real")
    assert resolve_root(f"{tree.path}/real", "shop").name == "shop"
    assert resolve_root("/").name == "/"


def test_bad_roots_are_refused_by_name(tree: Tree) -> None:
    file = tree.write("A.java")
    with pytest.raises(RootError, match=r"nowhere' does not exist"):
        resolve_root(f"{tree.path}/nowhere")
    with pytest.raises(RootError, match=r"A\.java' is not a folder"):
        resolve_root(str(file))
    with pytest.raises(RootError, match="not UTF-8"):
        resolve_root(_mkdir(tree.path, b"caf\xe9"))


def _mkdir(parent: Path, name: bytes) -> str:
    path = os.path.join(os.fsencode(parent), name)
    os.mkdir(path)
    return os.fsdecode(path)


def test_unreadable_root(tree: Tree, javadex: Javadex) -> None:
    tree.write("A.java")
    tree.path.chmod(0)
    try:
        run = javadex.run("index", tree.path, preexec=without_root_powers)
    finally:
        tree.path.chmod(0o700)
    assert (run.code, run.stdout) == (2, "")
    assert f"{str(tree.path)!r} may not be read" in run.stderr


# --- by git -------------------------------------------------------------------------------------


@pytest.fixture
def repository(tree: Tree) -> Tree:
    tree.write(".gitignore", "ignored/\n*Gen.java\n")
    for path in ("src/a/Tracked.java", "src/a/Deleted.java", "src/a/readme.md", "Top.java"):
        tree.write(path)
    tree.write("src/a/tracked.gen/TrackedGen.java")
    tree.git("init", "-q", "-b", "main")
    tree.git("add", "-f", ".")
    tree.commit()
    (tree / "src/a/Deleted.java").unlink()
    for path in ("src/a/Untracked.java", "new/Untracked.java", "ignored/I.java", "src/a/AGen.java"):
        tree.write(path)
    return tree


def test_git_tracked_and_untracked(repository: Tree) -> None:
    assert found(repository.path) == [
        "Top.java",
        "new/Untracked.java",
        "src/a/Tracked.java",
        "src/a/Untracked.java",
        "src/a/tracked.gen/TrackedGen.java",  # ignored by name, but tracked
    ]
    assert find(repository.path).skipped == []
    assert find(repository.path).notices == []


def test_git_subfolder_as_root(repository: Tree) -> None:
    assert found(repository / "src") == [
        "a/Tracked.java",
        "a/Untracked.java",
        "a/tracked.gen/TrackedGen.java",
    ]


def test_git_takes_what_the_walk_leaves_out(repository: Tree) -> None:
    repository.write("node_modules/N.java")
    repository.write(".hidden/H.java")
    assert {"node_modules/N.java", ".hidden/H.java"} < set(found(repository.path))


def test_walk_on_request_takes_what_git_ignores(repository: Tree) -> None:
    assert {"ignored/I.java", "src/a/AGen.java"} < set(found(repository.path, use_git=False))


def test_an_ignored_folder_as_root_is_walked(repository: Tree) -> None:
    """Whoever names a folder wants its files, whatever the repository around it ignores."""
    findings = find(repository / "ignored")
    assert [file.path for file in findings.files] == ["I.java"]
    assert "ignores this folder" in reasons(findings.notices)["."]


def test_an_empty_folder_of_a_repository_has_nothing_to_say(repository: Tree) -> None:
    (repository / "empty").mkdir()
    assert find(repository / "empty") == Findings(folders={""})


def test_git_worktree(repository: Tree, tmp_path: Path) -> None:
    repository.git("worktree", "add", "-q", str(tmp_path / "second"))
    assert found(tmp_path / "second") == [
        "Top.java",
        "src/a/Deleted.java",
        "src/a/Tracked.java",
        "src/a/tracked.gen/TrackedGen.java",
    ]


def test_git_submodules_and_nested_repositories(repository: Tree, tmp_path: Path) -> None:
    inner, module = Tree(tmp_path / "inner"), Tree(tmp_path / "module")
    inner.write("deep/Inner.java")
    inner.commit()
    module.write("Module.java")
    module.git("init", "-q")
    module.git("submodule", "--quiet", "add", str(inner.path), "libs/inner")
    module.commit()
    repository.git("submodule", "--quiet", "add", str(module.path), "libs/module")
    repository.git("submodule", "--quiet", "add", str(inner.path), "libs/absent")
    repository.git("submodule", "--quiet", "update", "--init", "--recursive")
    repository.git("submodule", "--quiet", "deinit", "-f", "libs/absent")
    Tree(repository / "libs/module").write("Untracked.java")
    nested = Tree(repository / "nested")
    nested.write("Nested.java")
    nested.git("init", "-q")

    below = [path for path in found(repository.path) if path.startswith(("libs", "nested"))]
    assert below == [
        "libs/module/Module.java",
        "libs/module/Untracked.java",
        "libs/module/libs/inner/deep/Inner.java",
    ]
    assert reasons(find(repository.path).notices) == {
        "nested": "not looked into: a git repository of its own; index it by its own --root",
        "libs/absent": "not looked into: a submodule that is not checked out",
    }
    assert found(repository / "libs") == [path.removeprefix("libs/") for path in below]
    assert found(repository / "libs/module/libs/inner") == ["deep/Inner.java"]
    assert found(repository / "nested") == ["Nested.java"]


def test_git_repositories_within_are_named(repository: Tree, tmp_path: Path) -> None:
    """Wherever they lie, unless git ignores them; one that git tracks as a link is looked into."""
    inner = Tree(tmp_path / "inner")
    inner.write("Inner.java")
    inner.commit()
    repository.git("submodule", "--quiet", "add", str(inner.path), "libs/inner")
    for path in ("new/deep/born", "libs/inner/within", "build/ignored"):
        nested = Tree(repository / path)
        nested.write("Nested.java")
        nested.commit()
    unborn = Tree(repository / "new/ünborn.java")
    unborn.write("Unborn.java")
    unborn.git("init", "-q")
    linked = Tree(repository / "linked")
    linked.write("Linked.java")
    linked.commit()
    repository.git("add", "linked")
    repository.write(".gitignore", "build/\n")

    findings = find(repository.path)
    named = {"new/deep/born", "libs/inner/within", "new/ünborn.java"}
    assert {problem.path for problem in findings.notices} == named
    paths = {file.path for file in findings.files}
    assert {"libs/inner/Inner.java", "linked/Linked.java"} <= paths
    assert not [path for path in paths if "Nested" in path or "Unborn" in path]


def test_git_variables_of_a_hook_do_not_count(
    repository: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = found(repository.path)
    other = Tree(tmp_path / "other")
    other.commit()
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    assert found(repository.path) == expected


@pytest.mark.parametrize("content", ["garbage", "gitdir: /nowhere/at/all", ""])
def test_corrupt_git_file_falls_back_to_the_walk(tree: Tree, content: str) -> None:
    tree.write("a/A.java")
    tree.write(".git", content)
    findings = find(tree.path)
    assert [file.path for file in findings.files] == ["a/A.java"]
    assert (
        "git could not list the files, so the folder was walked: " in reasons(findings.notices)["."]
    )


def test_a_repository_that_git_refuses_is_walked(
    repository: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    findings = find(repository.path)
    assert "ignored/I.java" in [file.path for file in findings.files]
    assert "dubious ownership" in reasons(findings.notices)["."]


def test_corrupt_git_index_falls_back_to_the_walk(repository: Tree) -> None:
    repository.write(".git/index", b"DIRC garbage")
    findings = find(repository.path)
    assert "ignored/I.java" in [file.path for file in findings.files]
    assert "index file" in reasons(findings.notices)["."]


def test_without_git_the_folder_is_walked(
    repository: Tree, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    findings = find(repository.path)
    assert len(findings.files) == 7
    assert "git" in reasons(findings.notices)["."]


def test_a_hanging_git_is_given_up(
    repository: Tree, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text("#!/bin/sh\nexec sleep 60\n")
    git.chmod(0o755)
    monkeypatch.setenv("PATH", f"{git.parent}:{os.environ['PATH']}")
    monkeypatch.setattr("indexer.git.GIT_TIMEOUT", 0.2)
    findings = find(repository.path)
    assert len(findings.files) == 7
    assert "timed out" in reasons(findings.notices)["."]


def test_git_runs_nothing_that_the_repository_names(repository: Tree, tmp_path: Path) -> None:
    """A checkout is data: its own configuration must not start programs."""
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    repository.git("config", "core.fsmonitor", str(trap))
    assert "Top.java" in found(repository.path)
    assert not (tmp_path / "sprung").exists()


def test_folders_that_git_tracks_files_in_may_be_gone(repository: Tree, tmp_path: Path) -> None:
    """Replaced by a file, or by a link: git calls their files deleted, and so do we."""
    repository.write("one/One.java")
    repository.write("two/Two.java")
    repository.commit()
    outside = Tree(tmp_path / "outside")
    outside.write("Two.java")
    for folder, name in (("one", "One"), ("two", "Two")):
        (repository / f"{folder}/{name}.java").unlink()
        (repository / folder).rmdir()
    repository.write("one", "a file now")
    (repository / "two").symlink_to(outside.path)
    findings = find(repository.path)
    assert not {"one/One.java", "two/Two.java"} & {file.path for file in findings.files}
    assert findings.skipped == []


def test_merge_conflicts_count_once(repository: Tree) -> None:
    for branch in ("left", "right"):
        repository.git("checkout", "-q", "-b", branch, "main")
        repository.write("Top.java", f"class Top{branch} {{}}\n")
        repository.git("commit", "-qam", branch)
    with pytest.raises(subprocess.CalledProcessError):
        repository.git("merge", "left")
    assert found(repository.path).count("Top.java") == 1


# --- by walking ---------------------------------------------------------------------------------

LEFT_OUT = ["node_modules/N.java", "a/node_modules/N.java", ".hidden/H.java", "__pycache__/P.java"]


def test_walk_exclusions(tree: Tree) -> None:
    kept = [
        "a/A.java",
        "src/main/java/com/example/build/Build.java",  # a package, no build output
        "src/main/java/com/example/target/Target.java",
        "plain/out/Out.java",
        "plain/bin/Bin.java",
        "plain/target/T.java",
        "x/.Hidden.java",
    ]
    output = [
        "maven/target/generated-sources/G.java",
        "gradle/build/generated/G.java",
        "kts/build/G.java",
        "eclipse/bin/G.java",
        "idea/out/G.java",
        "sbt/target/G.java",
    ]
    for path in kept + LEFT_OUT + output:
        tree.write(path)
    for maker in (
        "maven/pom.xml",
        "gradle/build.gradle",
        "kts/settings.gradle.kts",
        "eclipse/.classpath",
        "idea/.idea/misc.xml",
        "sbt/build.sbt",
    ):
        tree.write(maker, "")
    assert found(tree.path) == sorted(kept)


def test_only_java_files(tree: Tree) -> None:
    for name in ("A.java", "B.JAVA", "C.java.bak", "D.kt", "E.class", "java", ".java"):
        tree.write(name, "class X {}")
    assert found(tree.path) == [".java", "A.java"]


def test_names_that_need_care(tree: Tree) -> None:
    names = [
        "With Space.java",
        "Hash#1.java",
        "100%.java",
        "Größe.java",
        "名前.java",
        "new\nline.java",
        "tab\there.java",
        "quote\"'.java",
        "-dash.java",
        "[x]*.java",
    ]
    for name in names:
        tree.write(f"dir {name}/{name}")
    expected = sorted(f"dir {name}/{name}" for name in names)
    assert found(tree.path) == expected
    tree.git("init", "-q")
    assert found(tree.path) == expected
    tree.commit()
    assert found(tree.path) == expected


@pytest.mark.parametrize("use_git", [True, False])
def test_names_that_are_not_utf8(tree: Tree, use_git: bool) -> None:
    tree.write("A.java")
    (Path(_mkdir(tree.path, b"caf\xe9")) / "B.java").write_text("class B {}")
    with open(os.path.join(os.fsencode(tree.path), b"caf\xe9.java"), "w") as file:
        file.write("class C {}")
    tree.git("init", "-q")
    findings = find(tree.path, use_git=use_git)
    assert [file.path for file in findings.files] == ["A.java"]
    assert reasons(findings.skipped) == {
        "caf\ufffd.java": "the file's name is not UTF-8",
        "caf\ufffd/B.java": "the file's name is not UTF-8",
    }


@pytest.mark.parametrize("use_git", [True, False])
def test_links(tree: Tree, tmp_path: Path, use_git: bool) -> None:
    outside = Tree(tmp_path / "outside")
    outside.write("Out.java")
    tree.write("real/A.java")
    tree.git("init", "-q")
    (tree / "Inside.java").symlink_to("real/A.java")
    (tree / "Dead.java").symlink_to("nowhere.java")
    (tree / "Outside.java").symlink_to(outside / "Out.java")
    (tree / "Self.java").symlink_to("Self.java")
    (tree / "Folder.java").symlink_to("real")
    (tree / "real/loop").symlink_to("..")
    (tree / "outward").symlink_to(outside.path)
    findings = find(tree.path, use_git=use_git)
    assert [file.path for file in findings.files] == ["Inside.java", "real/A.java"]
    assert findings.files[0].stat == findings.files[1].stat
    assert reasons(findings.skipped) == {
        "Dead.java": "a link that leads nowhere",
        "Outside.java": "a link that leads outside the workspace folder",
        "Self.java": "Too many levels of symbolic links",
        "Folder.java": "no regular file",
    }
    if not use_git:
        assert reasons(findings.notices) == {
            "real/loop": "not looked into: a link to a folder",
            "outward": "not looked into: a link to a folder",
        }


@pytest.mark.parametrize("use_git", [True, False])
def test_things_that_are_no_files(tree: Tree, use_git: bool) -> None:
    tree.write("Folder.java/Inner.java")
    tree.write("Folder.java/notes.txt", "")
    tree.git("init", "-q")
    os.mkfifo(tree / "Pipe.java")
    nested = Tree(tree / "Nested.java")
    nested.git("init", "-q")
    findings = find(tree.path, use_git=use_git)
    assert [file.path for file in findings.files] == ["Folder.java/Inner.java"]
    # git itself lists neither pipes nor sockets
    assert "Pipe.java" in reasons(findings.skipped) or use_git


def test_unreadable_folder_is_reported(tree: Tree, javadex: Javadex) -> None:
    tree.write("a/A.java")
    tree.write("locked/B.java")
    (tree / "locked").chmod(0)
    try:
        run = javadex.run("index", tree.path, "--json", preexec=without_root_powers)
    finally:
        (tree / "locked").chmod(0o700)
    assert (run.code, run.json["workspaces"][0]["files"]) == (0, 1)
    assert run.json["problems"] == [
        {
            "file": str(tree / "locked"),
            "state": "notice",
            "reason": "not looked into: Permission denied",
        }
    ]


@pytest.mark.parametrize("use_git", [True, False])
def test_size_cap(tree: Tree, use_git: bool) -> None:
    tree.write("Fits.java", "x" * 100)
    tree.write("Big.java", "x" * 101)
    tree.git("init", "-q")
    findings = find(tree.path, use_git=use_git, max_bytes=100)
    assert [file.path for file in findings.files] == ["Fits.java"]
    assert reasons(findings.skipped) == {
        "Big.java": "101 bytes, the limit is 100 (--max-file-size)"
    }


def test_c_locale(tree: Tree, javadex: Javadex) -> None:
    tree.write("über/Größe 名.java", "class A {\n}\n")
    tree.commit()
    environment = {"LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0"}
    run = javadex.run("index", tree.path, "--json", env=environment)
    assert (run.code, run.json["workspaces"][0]["outlined"]) == (0, 1)
    run = javadex.run("find", "A", "--root", tree.path, "--json", env=environment)
    assert run.json["results"][0]["file"] == str(tree / "über/Größe 名.java")
    run = javadex.run("outline", "über/Größe 名.java", "--root", tree.path, env=environment)
    assert run.code == 0
    assert "Class A" in run.stdout


# --- reading ------------------------------------------------------------------------------------


def test_read_gives_bytes_and_identity(tree: Tree) -> None:
    file = tree.write("A.java", b"\xff\x00bytes")
    content = read(str(file))
    assert content.data == b"\xff\x00bytes"
    assert content.stat == FileStat.of(os.stat(file))


def test_read_does_not_wait_for_a_pipe(tree: Tree) -> None:
    os.mkfifo(tree / "P.java")
    with pytest.raises(OSError, match="no regular file"):
        read(str(tree / "P.java"))


def test_read_gives_up_on_a_restless_file(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tree.write("A.java", "class A {}")
    times = iter(range(100))
    monkeypatch.setattr(
        FileStat, "of", classmethod(lambda cls, status: cls(status.st_size, next(times), 0, 0))
    )
    with pytest.raises(Unsteady, match="3 times in a row"):
        read(str(file))
    assert next(times) == 6


def test_young_files_are_not_trusted() -> None:
    stat = FileStat(size=1, mtime_ns=10 * RACY_NS, ctime_ns=9 * RACY_NS, inode=7)
    assert stat.settled(12 * RACY_NS) == stat
    assert stat.settled(11 * RACY_NS) == stat
    assert stat.settled(11 * RACY_NS - 1) != stat
    future = FileStat(size=1, mtime_ns=99 * RACY_NS, ctime_ns=0, inode=7)
    assert future.settled(12 * RACY_NS) != future
