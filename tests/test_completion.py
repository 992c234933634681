"""Shell completion: the protocol that shells speak, and a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Console, Javadex
from tests.support.indexing import InstantServer
from tests.support.terminal import run_on_terminal
from tests.support.trees import Tree

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture
def shop(
    tree: Tree,
    javadex: Javadex,
    console: Console,
    server: InstantServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Tree:
    """Indexed without a process, where the command then looks."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(javadex.cache))
    tree.write("src/shop/Order.java")
    tree.write("src/shop/OrderService.java")
    tree.write("src/shop/Preorder.java")
    assert console.run("index", tree.path).code == 0
    return tree


@pytest.fixture
def complete(shop: Tree, javadex: Javadex) -> Any:
    """Complete the last of some words, as the script for bash asks for it."""

    def run(*words: str, cwd: Path | None = None) -> list[str]:
        answer = javadex.run(
            cwd=cwd or shop.path,
            env={
                "COMP_WORDS": "\n".join(["javadex", *words]),
                "COMP_CWORD": str(len(words)),
                "_JAVADEX_COMPLETE": "bash_complete",
            },
        )
        assert (answer.code, answer.stderr) == (0, "")
        return answer.stdout.split()

    return run


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["fi"], ["plain,find"]),
        (["do"], ["plain,doctor"]),
        (["find", "--form"], ["plain,--format"]),
        (["find", "--format", ""], ["plain,plain", "plain,json", "plain,jsonl", "plain,vimgrep"]),
        (["find", "--format", "v"], ["plain,vimgrep"]),
        (["find", "--format", "=", "v"], ["plain,vimgrep"]),  # bash takes it apart
        (["find", "--scope", "=", ""], ["plain,source", "plain,all"]),
        (["find", "--scope=s"], ["plain,--scope=source"]),  # unless it is told not to
        (["find", "--root=sr"], ["dir,--root=sr"]),
        (["find", "--scope", "s"], ["plain,source"]),
        (["find", "--kind", "me"], ["plain,member", "plain,method"]),
        (["find", "--kind", "type", "--kind", "e"], ["plain,enum"]),
        (["find", "Ord"], ["plain,Order", "plain,OrderService"]),
        (["find", "--limit", "3", "OrderS"], ["plain,OrderService"]),
        (["find", "Nothing"], []),
        (["find", "ord"], []),  # a shell takes only what begins as typed
        (["find", ""], []),
        (["find", "*'\";"], []),
        (["find", "--root", "/nosuch", "Ord"], []),
        (["find", "--db", "/dev/null", "Ord"], []),
        (["find", "--db", ""], ["file,"]),
        (["find", "--root", "sr"], ["dir,sr"]),
        (["find", "--java", "/u"], ["file,/u"]),
        (["outline", "src/"], ["file,src/"]),
        (["index", "sr"], ["dir,sr"]),
        (["server", "start", "--java", "/u"], ["file,/u"]),
        (["outline", "--jdtls", ""], ["dir,"]),
        (["completion", ""], ["plain,bash", "plain,fish", "plain,zsh"]),
        (["server", "st"], ["plain,start", "plain,status", "plain,stop"]),
        (["nosuch", ""], []),
    ],
)
def test_protocol(complete: Any, words: list[str], expected: list[str]) -> None:
    found = complete(*words)
    if words == ["nosuch", ""]:
        assert "plain,find" in found  # the word before is no command: any may follow
    else:
        assert found == expected


def test_commands(complete: Any) -> None:
    commands = {word.removeprefix("plain,") for word in complete("")}
    assert {"completion", "doctor", "find", "index", "outline", "server", "status"} <= commands


def test_without_an_index(javadex: Javadex, complete: Any, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    assert complete("find", "Ord", cwd=tmp_path / "bare") == []


def test_names_leave_the_files_alone(shop: Tree, javadex: Javadex, complete: Any) -> None:
    shop.write("src/shop/OrderNew.java")
    javadex.faults(exit_at_start={"code": 13, "stderr": "no"})
    asked = javadex.asked
    assert complete("find", "Order") == ["plain,Order", "plain,OrderService"]
    assert javadex.asked == asked


def test_a_damaged_index_is_silence(shop: Tree, javadex: Javadex, complete: Any) -> None:
    (index,) = javadex.cache.rglob("index.db")
    index.write_bytes(b"no database" * 1000)
    for beside in (f"{index}-wal", f"{index}-shm"):
        Path(beside).unlink(missing_ok=True)
    assert complete("find", "Ord") == []


_PROBE = """
import sys
from query.cli import main
try:
    main([])
except SystemExit as exc:
    assert not exc.code, exc.code
print(*(name for name in sys.argv[1].split(",") if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize("words", ["", "find Ord", "find --format "])
def test_completing_imports_nothing_heavy(shop: Tree, javadex: Javadex, words: str) -> None:
    """Speed, in a way that a busy machine cannot change."""
    heavy = "lsprotocol,sqlite_utils,tqdm,mcp,asyncio,indexer.build,indexer.jdtls.pool"
    run = subprocess.run(
        [sys.executable, "-c", _PROBE, heavy],
        env=javadex.env
        | {
            "COMP_WORDS": f"javadex {words}",
            "COMP_CWORD": str(len(words.split(" "))),
            "_JAVADEX_COMPLETE": "bash_complete",
        },
        cwd=shop.path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "plain," in run.stdout
    assert run.stderr.split() == []


# --- the scripts --------------------------------------------------------------------------------


@pytest.mark.parametrize("shell", SHELLS)
def test_script(console: Console, shell: str) -> None:
    run = console.run("completion", shell)
    assert run.code == 0
    assert f"_JAVADEX_COMPLETE={shell}_complete" in run.stdout
    assert "javadex" in run.stdout
    if shell != "bash" or shutil.which("bash"):
        assert run.stderr == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_a_person_is_told_where_it_goes(javadex: Javadex, shell: str) -> None:
    run = run_on_terminal(javadex, "completion", shell)
    assert run.code == 0
    assert f"javadex completion {shell}" in run.stderr
    assert "javadex: to install" not in run.stdout


def test_shells_that_are_not_known(console: Console) -> None:
    assert console.run("completion").code == 2
    run = console.run("completion", "tcsh")
    assert run.code == 2
    assert "'bash', 'fish', 'zsh'" in run.stderr


_IN_BASH = r"""
eval "$(javadex completion bash)"
complete -p javadex
compopt() { echo "option $2"; }
for line in "$@"; do
    COMP_WORDS=($line); [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
    _javadex_completion javadex
    echo "${COMPREPLY[*]}"
done
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_in_a_real_bash(shop: Tree, javadex: Javadex) -> None:
    lines = ["javadex fi", "javadex find Order", "javadex find --color ", "javadex outline src/"]
    scripts = sysconfig.get_path("scripts")
    run = subprocess.run(
        ["bash", "--norc", "--noprofile", "-c", _IN_BASH, "bash", *lines],
        env=javadex.env | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"},
        cwd=shop.path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.stderr == ""
    registered, *answers = run.stdout.splitlines()
    assert "-F _javadex_completion javadex" in registered
    assert answers == ["find", "Order OrderService", "auto always never", "option default", ""]


def test_completing_is_quick(complete: Any) -> None:
    """Generous: about 0.1 s on an idle machine; the best of some tries."""
    best = 9.0
    for _ in range(5):
        began = time.monotonic()
        complete("find", "Ord")
        best = min(best, time.monotonic() - began)
    assert best < 1.0
