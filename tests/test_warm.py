"""The warm server, with a fake in the place of jdt.ls: who starts it, shares it, and ends it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.errors import ServerDied, ServerHangs, ServerStartFailed, ServerTimeout, UsageError
from indexer.jdtls.convert import outline_from
from indexer.jdtls.runtime import Runtime, locate
from indexer.jdtls.source import Outcome, Source
from indexer.model import Outline
from indexer.warm import client as client_module
from indexer.warm import wire
from indexer.warm.client import Client, connect, connect_or_start
from indexer.warm.crew import memory_of
from indexer.warm.options import OVERHEAD, CrewOptions, DaemonOptions, options_from_environment
from indexer.warm.place import is_same_user, place
from query.live import MANY, ask, live_outline
from tests.fakes.runtime import fake_runtime, located, set_faults
from tests.fakes.server import outline
from tests.strategies import toy_java
from tests.support.cli import Console, Javadex
from tests.support.trees import Tree
from tests.support.warm import DEADLINE, WarmPlace, until

TEXT = "package a;\nclass {} {{ int x; void m() {{ }} }}\n"


def text(name: str) -> bytes:
    return TEXT.format(name).encode()


def outcome_of(content: bytes, stem: str = "A", limit: float | None = DEADLINE) -> Outcome:
    return live_outline(locate(), content, stem, limit)


def names(found: Outcome) -> list[str]:
    assert found.outline is not None, found.reason
    return [symbol.name for symbol in found.outline.symbols]


def connected(options: DaemonOptions | None = None) -> Client:
    client = connect_or_start(options or DaemonOptions(60.0), time.monotonic() + DEADLINE)
    assert client
    return client


# --- One server, shared ---------------------------------------------------------------------------


def test_the_first_live_answer_starts_it_and_the_next_ones_share_it(warm: WarmPlace) -> None:
    assert warm.status() is None
    assert names(outcome_of(text("One"))) == ["a", "One"]
    state = warm.status()
    assert state
    assert [names(outcome_of(text(name)))[1] for name in ("Two", "Three")] == ["Two", "Three"]
    after = warm.status()
    assert after
    assert after["pid"] == state["pid"]
    assert [server["pid"] for server in after["servers"]] == [state["servers"][0]["pid"]]
    assert (state["outlines"], after["outlines"]) == (1, 3)


def test_the_outline_is_the_one_that_a_server_of_ones_own_gives(warm: WarmPlace) -> None:
    content = text("Same") + "interface I { int y; }\n// 𝐀é\n".encode()
    shared = outcome_of(content)
    assert warm.status()
    os.environ["JAVADEX_SERVER_IDLE"] = "0"  # the fixture restores it
    own = outcome_of(content)
    assert shared == own
    assert shared.outline


def test_many_that_come_at_once_start_one(warm: WarmPlace, tmp_path: Path) -> None:
    javadex, tree = world(tmp_path, warm), Tree(tmp_path / "tree")
    for number in range(8):
        tree.write(f"A{number}.java", f"class A{number} {{ }}\n")

    def run(number: int) -> tuple[int, str]:
        result = javadex.run("outline", tree.path / f"A{number}.java", "--root", tree.path)
        return result.code, result.stdout + result.stderr

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(run, range(8)))
    assert [code for code, _ in answers] == [0] * 8, answers
    assert all(f"A{number}" in shown for number, (_, shown) in enumerate(answers))
    state = warm.status()
    assert state
    assert state["outlines"] == 8
    until(lambda: _daemons(warm) == [state["pid"]], "those that came too late have gone")


def _daemons(warm: WarmPlace) -> list[int]:
    return [process.pid for process in psutil.process_iter() if _is_daemon(process, warm)]


def _is_daemon(process: psutil.Process, warm: WarmPlace) -> bool:
    try:
        if "indexer.warm" not in process.cmdline():
            return False
        return process.environ().get("XDG_RUNTIME_DIR") == str(warm.runtime_dir)
    except psutil.Error:
        return False


def world(tmp_path: Path, warm: WarmPlace, **faults: Any) -> Javadex:
    """The installed command, whose live answers come from the warm server of `warm`."""
    javadex = Javadex(tmp_path / "world", **faults)
    javadex.env.update(warm.env)
    return javadex


def test_a_renewal_asks_once_for_all_that_changed(warm: WarmPlace, tmp_path: Path) -> None:
    javadex, tree = world(tmp_path, warm), Tree(tmp_path / "tree")
    for number in range(50):
        tree.write(f"A{number}.java", f"class A{number} {{ }}\n")
    assert javadex.run("index", tree.path).code == 0
    assert warm.status() is None, "a run has servers of its own"
    for number in range(50):
        tree.write(f"A{number}.java", f"\nclass B{number} {{ }}\n")
    for query in ("B7", "B49"):
        result = javadex.run("find", query, "--root", tree.path, "--json", "--explain")
        assert result.code == 0, result.stderr
        (hit,) = result.json["results"]
        assert hit["selectionRange"] == {"startLine": 2, "endLine": 2}
    state = warm.status()
    assert state
    assert state["outlines"] == 50
    assert len(state["servers"]) == 1


def test_questions_side_by_side_wait_for_the_one_that_renews(
    warm: WarmPlace, tmp_path: Path
) -> None:
    javadex, tree = world(tmp_path, warm), Tree(tmp_path / "tree")
    for number in range(20):
        tree.write(f"A{number}.java", f"class A{number} {{ }}\n")
    assert javadex.run("index", tree.path).code == 0
    for number in range(20):
        tree.write(f"A{number}.java", f"\nclass B{number} {{ }}\n")

    def find(number: int) -> tuple[int, str]:
        result = javadex.run("find", f"B{number}", "--root", tree.path, "--json", "-q")
        return result.code, result.stderr

    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(find, range(6))) == [(0, "")] * 6
    state = warm.status()
    assert state
    assert state["outlines"] == 20


def test_many_changed_files_get_servers_of_their_own(warm: WarmPlace) -> None:
    sources = [Source(number, "A", f"class A{number} {{ }}") for number in range(MANY + 1)]
    with closing(ask(locate(), sources, DEADLINE)) as stream:
        found = [outcome for batch in stream for outcome in batch]
    assert sorted(outcome.source.key for outcome in found) == list(range(MANY + 1))  # type: ignore[type-var]
    assert warm.status() is None


def test_requests_of_many_texts_come_back_whole(warm: WarmPlace) -> None:
    sources = [Source(f"k{n}", "A", f"class A{n} {{ int x; }}") for n in range(150)]
    with closing(ask(locate(), sources, DEADLINE)) as stream:
        found = {outcome.source.key: outcome for batch in stream for outcome in batch}
    assert {key: names(outcome) for key, outcome in found.items()} == {
        f"k{n}": [f"A{n}"] for n in range(150)
    }
    assert warm.status()


def test_texts_are_split_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "_MOST_BYTES", 10)
    sources = [Source(n, "A", "x" * size) for n, size in enumerate((4, 6, 1, 30, 5, 5))]
    split = [[len(each.text) for each in part] for part in client_module._requests(sources)]
    assert split == [[4, 6], [1], [30], [5, 5]]


# --- Its end --------------------------------------------------------------------------------------


def test_it_ends_when_idle_and_takes_its_servers_along(warm: WarmPlace) -> None:
    with connected(DaemonOptions(1.0)) as client:
        client.do("warm", runtime=wire.runtime_json(locate()))
    warm.pid()
    assert len(warm.processes()) >= 2
    until(lambda: not warm.processes(), "the idle server and its language server end")
    assert not Path(warm.place.socket).exists()
    assert warm.status() is None


def test_a_request_puts_the_end_off(warm: WarmPlace) -> None:
    with connected(DaemonOptions(1.5)) as client:
        pid = client.do("status")["pid"]
    deadline = time.monotonic() + 4.0
    while time.monotonic() < deadline:
        assert warm.pid() == pid
        time.sleep(0.1)
    until(lambda: not warm.processes(), "the idle server ends")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_language_server_outlives_it(warm: WarmPlace, number: signal.Signals) -> None:
    outcome_of(text("One"))
    os.kill(warm.pid(), number)
    until(lambda: not warm.processes(), "the language server ends with the warm server")
    assert names(outcome_of(text("Two"))) == ["a", "Two"]  # in spite of the socket that is left


def test_it_ends_when_its_socket_is_gone(warm: WarmPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    with connected() as client:
        client.do("status")
    warm.pid()
    os.unlink(warm.place.socket)
    until(lambda: not warm.processes(), "a server that nobody can reach ends")


def test_it_survives_its_client(warm: WarmPlace, tmp_path: Path) -> None:
    set_faults(tmp_path / "runtime", delay=0.5)
    program = "from query.live import *\nfrom indexer.jdtls.runtime import locate\n"
    program += "live_outline(locate(), b'class A { }', 'A')\n"
    with subprocess.Popen([sys.executable, "-c", program]) as caller:
        until(lambda: (warm.status() or {}).get("servers"), "the request is being served")
        caller.kill()
    pid = warm.pid()
    assert names(outcome_of(text("Two"))) == ["a", "Two"]
    assert warm.pid() == pid


def test_start_status_and_stop(warm: WarmPlace, console: Console) -> None:
    assert (console.run("server", "status").code, console.run("server", "stop").code) == (1, 0)
    assert console.run("server", "status", "--json").json == {"running": False}
    started = console.run("server", "start", "--json", "--idle", "50", "--memory", "3000")
    assert started.code == 0, started.stderr
    assert started.json["idle"] == 50
    assert started.json["memory"] == 3000
    assert [server["busy"] for server in started.json["servers"]] == [False]
    assert console.run("server", "start", "--json").json["pid"] == started.json["pid"]
    shown = console.run("server", "status")
    assert shown.code == 0
    assert f"pid {started.json['pid']}" in shown.stdout
    assert "jdt.ls 9.9.0.fake" in shown.stdout
    warm.pid()
    stopped = console.run("server", "stop")
    assert stopped.code == 0
    assert "has ended" in stopped.stderr
    until(lambda: not warm.processes(), "all of it has ended")
    assert console.run("server", "status").code == 1


def test_an_idle_time_of_zero_is_no_warm_server(
    warm: WarmPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVADEX_SERVER_IDLE", "0")
    assert names(outcome_of(text("Own"))) == ["a", "Own"]
    assert not Path(warm.place.folder).exists()


def test_the_environment_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVADEX_SERVER_IDLE", "7.5")
    monkeypatch.setenv("JAVADEX_SERVER_MEMORY", "900")
    found = options_from_environment()
    assert found
    assert (found.idle, found.crew.memory) == (7.5, 900)
    for wrong in ("soon", "-1", "inf", "nan"):
        monkeypatch.setenv("JAVADEX_SERVER_IDLE", wrong)
        with pytest.raises(UsageError, match=f"JAVADEX_SERVER_IDLE is '{wrong}'"):
            options_from_environment()


# --- Waiting --------------------------------------------------------------------------------------


def test_an_answer_that_must_not_wait_does_not(warm: WarmPlace, tmp_path: Path) -> None:
    set_faults(tmp_path / "runtime", delay=1.0)
    started = time.monotonic()
    with pytest.raises(ServerTimeout, match="call again"):
        outcome_of(text("Slow"), limit=1.0)
    assert time.monotonic() - started < 2.0
    assert warm.status(), "it goes on in the background"
    assert names(outcome_of(text("Slow"))) == ["a", "Slow"]


def test_a_hang_is_bounded_and_told(warm: WarmPlace, tmp_path: Path) -> None:
    set_faults(tmp_path / "runtime", on={"HANG": "hang"})
    connected(DaemonOptions(60.0, CrewOptions(answer_timeout=0.5))).__exit__()
    warm.pid()
    found = outcome_of(text("HANG"))
    assert found.lost
    assert "no outline for 0.5 s" in found.reason
    assert names(outcome_of(text("Fine"))) == ["a", "Fine"]


def test_out_of_memory_is_told_with_the_setting(warm: WarmPlace, tmp_path: Path) -> None:
    set_faults(tmp_path / "runtime", on={"OOM": "oom"})
    found = outcome_of(text("OOM"))
    assert found.lost
    assert "ran out of memory" in found.reason
    assert "--heap" in found.reason


def test_a_language_server_that_does_not_start_is_told(warm: WarmPlace, tmp_path: Path) -> None:
    set_faults(tmp_path / "runtime", exit_at_start={"code": 13, "stderr": "no such option"})
    with pytest.raises(ServerStartFailed, match="no such option"):
        outcome_of(text("A"))
    set_faults(tmp_path / "runtime")
    assert names(outcome_of(text("B"))) == ["a", "B"]


# --- Memory ---------------------------------------------------------------------------------------


def second_engine(tmp_path: Path) -> Runtime:
    return located(fake_runtime(tmp_path / "other", version="9.8.0.fake"))


def test_another_engine_takes_the_place_of_an_idle_one(warm: WarmPlace, tmp_path: Path) -> None:
    one = DaemonOptions(60.0, CrewOptions(heap=100, memory=100 + OVERHEAD))
    connected(one).__exit__()
    other = second_engine(tmp_path)
    for runtime in (locate(), other, locate()):
        live_outline(runtime, text("A"), "A", DEADLINE)
        state = warm.status()
        assert state
        engines = [server["engine"] for server in state["servers"]]
        assert engines == [f"jdt.ls {runtime.jdtls.version}"]


def test_two_engines_side_by_side_where_the_memory_allows(warm: WarmPlace, tmp_path: Path) -> None:
    for runtime in (locate(), second_engine(tmp_path)):
        live_outline(runtime, text("A"), "A", DEADLINE)
    state = warm.status()
    assert state
    assert len(state["servers"]) == 2


def test_a_busy_server_is_waited_for_before_another_is_started(
    warm: WarmPlace, tmp_path: Path
) -> None:
    set_faults(tmp_path / "runtime", on={"SLOW": "late"}, late=0, delay=0.0)
    outcome_of(text("Warm"))
    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(lambda n: names(outcome_of(text(f"A{n}"))), range(12)))
    assert found == [["a", f"A{n}"] for n in range(12)]
    state = warm.status()
    assert state
    assert len(state["servers"]) == 1


def test_two_work_side_by_side_when_one_takes_long(warm: WarmPlace, tmp_path: Path) -> None:
    set_faults(tmp_path / "runtime", delay=1.2)
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(lambda n: names(outcome_of(text(f"A{n}"))), range(2)))
    assert found == [["a", "A0"], ["a", "A1"]]
    state = warm.status()
    assert state
    assert len(state["servers"]) == 2


def test_a_server_that_takes_more_than_its_share_is_ended(warm: WarmPlace) -> None:
    if not memory_of(os.getpid()):
        pytest.skip("this system does not tell what a process takes")
    connected(DaemonOptions(60.0, CrewOptions(heap=1 - OVERHEAD))).__exit__()
    assert names(outcome_of(text("A"))) == ["a", "A"]
    until(lambda: (warm.status() or {}).get("servers") == [], "it is ended after its answer")
    assert names(outcome_of(text("B"))) == ["a", "B"]


def test_how_many_fit() -> None:
    assert CrewOptions(heap=1000, memory=100).most == 1
    assert CrewOptions(heap=1000, memory=2 * (1000 + OVERHEAD)).most == 2
    assert CrewOptions().most == 2


# --- Privacy --------------------------------------------------------------------------------------


def test_all_of_it_is_private(warm: WarmPlace) -> None:
    outcome_of(text("A"))
    warm.pid()
    for path in (warm.place.folder, *map(str, Path(warm.place.folder).iterdir())):
        assert stat.S_IMODE(os.lstat(path).st_mode) & 0o077 == 0, path
    assert sorted(os.listdir(warm.place.folder)) == ["server.lock", "server.log", "server.sock"]


@pytest.mark.parametrize("trap", ["open", "link", "file"])
def test_a_place_that_others_may_enter_is_not_used(
    warm: WarmPlace, tmp_path: Path, trap: str, console: Console, tree: Tree
) -> None:
    folder = Path(warm.place.folder)
    if trap == "open":
        folder.mkdir(mode=0o755)
    elif trap == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.touch()
    with pytest.raises(ServerStartFailed, match=str(folder)):
        place()
    assert names(outcome_of(text("A"))) == ["a", "A"]  # by a server for the call
    assert not Path(warm.place.socket).exists()
    refused = console.run("server", "start")
    assert refused.code == 4
    assert str(folder) in refused.stderr


def test_a_path_too_long_for_a_socket_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    with pytest.raises(ServerStartFailed, match="too long"):
        place()


def test_a_runtime_folder_of_somebody_else_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/")  # root's, or not a folder of this user's
    monkeypatch.setattr("os.getuid", lambda: 54321)
    monkeypatch.setattr("indexer.warm.place._is_mine", lambda *_, alone=False: alone)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path)[:60])
    monkeypatch.setattr("os.makedirs", lambda *_, **__: None)
    assert place().folder == os.path.join(str(tmp_path)[:60], "javadex-54321")


def test_a_process_of_another_user_is_not_talked_to(
    warm: WarmPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux tells who is at the other end")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert is_same_user(ours)
        monkeypatch.setattr("os.getuid", lambda: 54321)
        assert not is_same_user(ours)


# --- What may come over the socket ----------------------------------------------------------------


def raw(warm: WarmPlace) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(DEADLINE)
    connection.connect(warm.place.socket)
    return connection


def test_noise_harms_nobody_else(warm: WarmPlace) -> None:
    outcome_of(text("Before"))
    pid, seed = warm.pid(), int(os.environ.get("JAVADEX_TEST_SEED", "20261201"))
    chance = random.Random(seed)
    for _ in range(200):
        with raw(warm) as connection:
            try:
                connection.sendall(_noise(chance))
                if chance.random() < 0.5:
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
            except (BrokenPipeError, ConnectionResetError):
                continue
    assert warm.pid() == pid, f"seed {seed}"
    assert names(outcome_of(text("After"))) == ["a", "After"]


def _noise(chance: random.Random) -> bytes:
    """Frames that are almost right, and bytes that are none."""
    sources = [["A", "class A { }"]]
    runtime = [["java", "25"], ["x"] * 5]
    message: dict[str, Any] = chance.choice(
        [
            {"do": "outline", "runtime": runtime, "sources": sources},
            {"do": "outline", "runtime": wire.runtime_json(locate()), "sources": [["A"], 7]},
            {"do": "outline", "runtime": {"java": []}, "sources": sources},
            {"do": "outline"},
            {"do": "warm", "runtime": runtime},
            {"do": "__init__"},
            {"do": ["stop"]},
            {"hello": 1},
            {},
        ]
    )
    whole = wire.frame(message)
    kind = chance.randrange(5)
    if kind == 0:
        return whole
    if kind == 1:
        return whole[: chance.randrange(len(whole))]
    if kind == 2:
        return chance.randbytes(chance.randrange(1, 200))
    if kind == 3:
        return (0xFFFFFFFF).to_bytes(4, "big") + whole
    body = b"[" * 100_000
    return len(body).to_bytes(4, "big") + body


def test_a_client_that_never_reads_holds_up_nobody(warm: WarmPlace) -> None:
    outcome_of(text("Before"))
    with raw(warm) as silent, raw(warm):
        many = wire.frame(
            {
                "do": "outline",
                "runtime": wire.runtime_json(locate()),
                "sources": [["A", "class A { }" + " int x;" * 10]] * 3,
            }
        )
        silent.sendall(many * 20)
        assert names(outcome_of(text("After"))) == ["a", "After"]


def test_a_client_that_never_reads_does_not_hold_up_the_end(warm: WarmPlace) -> None:
    outcome_of(text("Before"))
    pid = warm.pid()
    with raw(warm) as silent:
        silent.sendall(wire.frame({"do": "status"}) * 3000)
        os.kill(pid, signal.SIGTERM)
        started = time.monotonic()
        until(lambda: not warm.processes(), "it ends although nobody reads")
        assert time.monotonic() - started < 10


def test_a_server_that_hangs_is_as_good_as_none(warm: WarmPlace, console: Console) -> None:
    outcome_of(text("Before"))
    server = psutil.Process(warm.pid())
    server.suspend()
    try:
        started = time.monotonic()
        assert names(outcome_of(text("Own"))) == ["a", "Own"]
        status = console.run("server", "status")
        assert time.monotonic() - started < 25
        assert status.code == 4
        assert "hangs" in status.stderr
    finally:
        server.resume()
    assert names(outcome_of(text("After"))) == ["a", "After"]


def test_a_limit_holds_for_a_server_that_hangs_and_for_one_that_starts(
    warm: WarmPlace, tmp_path: Path
) -> None:
    set_faults(tmp_path / "runtime", delay=1.0)
    started = time.monotonic()
    with pytest.raises(ServerTimeout):
        outcome_of(text("Cold"), limit=0.3)
    assert time.monotonic() - started < 0.8
    server = psutil.Process(warm.pid())
    server.suspend()
    try:
        started = time.monotonic()
        with pytest.raises(ServerTimeout):
            outcome_of(text("Hung"), limit=1.0)
        assert time.monotonic() - started < 1.5
    finally:
        server.resume()


def test_without_a_limit_work_may_take_its_time(
    warm: WarmPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_module, "_SILENCE", 2.5 * wire.BEAT)
    set_faults(tmp_path / "runtime", delay=1.5 * wire.BEAT)  # for each answer
    with connected() as client:
        client.do("warm", runtime=wire.runtime_json(locate()))
    sources = [Source(n, "A", f"class A{n} {{ }}") for n in range(3)]
    started = time.monotonic()
    with closing(ask(locate(), sources)) as stream:
        assert len([outcome for batch in stream for outcome in batch]) == 3
    assert time.monotonic() - started > 4 * wire.BEAT
    assert warm.status(), "it was not taken for hung"


@pytest.mark.parametrize("request_size", [1, 1_000_000])
def test_without_a_limit_silence_has_one(
    warm: WarmPlace, monkeypatch: pytest.MonkeyPatch, request_size: int
) -> None:
    """However it hangs: it takes the request and never answers, or does not even take it."""
    monkeypatch.setattr(client_module, "_SILENCE", 1.5)
    outcome_of(text("Warm"))
    server = psutil.Process(warm.pid())
    client = connect_or_start(DaemonOptions(60.0))
    assert client
    with client:
        server.suspend()
        try:
            started = time.monotonic()
            with pytest.raises(ServerHangs, match=rf"\(pid {server.pid}\) has been silent for 1.5"):
                client.do("status", more="x" * request_size)
            assert 1 < time.monotonic() - started < 3
        finally:
            server.resume()


@pytest.mark.parametrize("answered", [0, 2])
def test_what_a_server_that_hangs_leaves_is_done_without_it(
    warm: WarmPlace, monkeypatch: pytest.MonkeyPatch, answered: int
) -> None:
    """It hangs after its greeting, or after some answers: each text has one answer all the same."""
    monkeypatch.setattr(client_module, "_SILENCE", 1.5)
    outcome_of(text("Warm"))
    server = psutil.Process(warm.pid())
    sources = [Source(n, "A", f"class A{n} {{ }}") for n in range(5)]
    real = client_module.Client.outlines

    def hangs(*arguments: Any) -> Iterator[list[Outcome]]:
        yield [Outcome(source, Outline(())) for source in sources[:answered]]
        server.suspend()
        yield from real(*arguments)

    monkeypatch.setattr(client_module.Client, "outlines", hangs)
    try:
        with closing(ask(locate(), sources)) as stream:
            found = [outcome for batch in stream for outcome in batch]
    finally:
        server.resume()
    assert sorted(str(outcome.source.key) for outcome in found) == ["0", "1", "2", "3", "4"]
    assert len([outcome for outcome in found if names(outcome)]) == 5 - answered


def test_a_server_whose_temporary_folder_is_gone_ends(
    warm: WarmPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "brief").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "brief"))
    outcome_of(text("First"))
    warm.pid()
    monkeypatch.delenv("TMPDIR")
    shutil.rmtree(tmp_path / "brief")
    until(lambda: not warm.processes(), "it ends")
    assert names(outcome_of(text("Next"))) == ["a", "Next"]


def test_other_options_for_a_server_that_runs_are_refused(
    warm: WarmPlace, console: Console
) -> None:
    assert console.run("server", "start", "--idle", "50", "-q").code == 0
    warm.pid()
    refused = console.run("server", "start", "--memory", "9000")
    assert refused.code == 2
    assert "javadex server stop" in refused.stderr


def test_a_caller_that_gave_up_is_not_served(warm: WarmPlace, tmp_path: Path) -> None:
    one = DaemonOptions(60.0, CrewOptions(heap=100, memory=100 + OVERHEAD))
    set_faults(tmp_path / "runtime", delay=0.4)
    connected(one).__exit__()
    outcome_of(text("Warm"))
    for number in range(12):
        with pytest.raises(ServerTimeout):
            outcome_of(text(f"A{number}"), limit=0.1)
    assert names(outcome_of(text("Next"))) == ["a", "Next"]
    state = warm.status()
    assert state
    assert state["outlines"] < 8


def test_a_server_of_another_javadex_is_replaced(warm: WarmPlace) -> None:
    place()
    heard: list[dict[str, Any]] = []
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(warm.place.socket)
    listening.listen()

    def be_old() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.sendall(wire.frame({"hello": "0.0.1/0/0", "pid": 1}))
            head = connection.recv(wire.LENGTH)
            heard.append(wire.message_of(connection.recv(wire.length_of(head))))
            os.unlink(warm.place.socket)
            connection.sendall(wire.frame({"done": None}))
        listening.close()

    old = threading.Thread(target=be_old)
    old.start()
    assert names(outcome_of(text("New"))) == ["a", "New"]
    old.join(DEADLINE)
    assert heard == [{"do": "stop"}]
    state = warm.status()
    assert state
    assert state["version"] == wire.VERSION


def test_a_status_does_not_take_another_javadex_for_ours(warm: WarmPlace) -> None:
    place()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(warm.place.socket)
        listening.listen()

        def greet() -> None:
            connection, _ = listening.accept()
            connection.sendall(wire.frame({"hello": "0.0.1/0/0", "pid": 1}))
            connection.close()

        other = threading.Thread(target=greet)
        other.start()
        assert connect(time.monotonic() + DEADLINE) is None
        other.join(DEADLINE)


@pytest.mark.parametrize(
    "answer",
    [
        {"outcomes": [[0]]},
        {"outcomes": [[7, None, False, "", False]]},
        {"outcomes": [[0, [0, [[0, 1, 5, "", False, *[0] * 8]]], False, "", False]]},
        {"outcomes": [[0, [0, [[1, "x", 5, "", False, *[0] * 8]]], False, "", False]]},
        {"outcomes": [[0, [0, [[0, "x", 99, "", False, *[0] * 8]]], False, "", False]]},
        {"outcomes": 3},
        {"surprise": True},
    ],
)
def test_an_answer_that_cannot_be_one_is_an_error(answer: dict[str, Any]) -> None:
    ours, theirs = socket.socketpair()
    with theirs, Client(ours, time.monotonic() + DEADLINE) as client:
        theirs.sendall(wire.frame(answer))
        with pytest.raises(wire.Garbled):
            list(client.outlines(locate_nothing(), [Source("k", "A", "class A { }")]))


def locate_nothing() -> Runtime:
    return wire.runtime_from([["java", "25"], ["a", "b", "c", "d", "e"]])


def test_a_server_that_ends_during_the_call_is_told() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with Client(ours, time.monotonic() + DEADLINE) as client, pytest.raises(ServerDied):
        list(client.outlines(locate_nothing(), [Source("k", "A", "")]))


@given(toy_java())
def test_outlines_come_through_as_they_are(content: str) -> None:
    source = Source(0, "A", content)
    sent = Outcome(source, outline_from(outline(content)), by_name=True, reason="é\ud800")
    body = wire.frame({"outcomes": [wire.outcome_json(sent)]})[wire.LENGTH :]
    (found,) = wire.message_of(body)["outcomes"]
    assert wire.outcome_from(found, [source]) == sent


def test_an_outline_nested_deeper_than_json_comes_through() -> None:
    content = "class A { " * 3000 + "}" * 3000
    node = outline("class A { }")[0]
    (symbol,) = outline_from([node]).symbols
    for _ in range(3000):
        symbol = symbol._replace(children=(symbol,))
    sent = wire.outcome_json(Outcome(Source(0, "A", content), Outline((symbol,))))
    body = wire.frame({"outcomes": [sent]})[wire.LENGTH :]
    found = wire.outcome_from(wire.message_of(body)["outcomes"][0], [Source(0, "A", content)])
    assert found.outline
    assert found.outline.node_count == 3001


@given(st.binary(max_size=60))
def test_bytes_are_a_message_or_garbled(body: bytes) -> None:
    try:
        found = wire.message_of(body)
    except wire.Garbled:
        found = {}
    assert isinstance(found, dict)
