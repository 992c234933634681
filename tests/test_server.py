"""One server and its session: the start, every way it fails, and what it leaves behind."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest

from indexer.errors import RuntimeNotFound, ServerDied, ServerStartFailed, ServerTimeout
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.scratch import sweep
from indexer.jdtls.server import Server, ServerOptions, command_line, launch
from indexer.jdtls.session import Session, initialize_params, open_session
from indexer.jdtls.source import Outcome, Source
from indexer.jdtls.workspace import private_config
from tests.fakes.world import SOON, World, until, until_async
from tests.support import worlds

OPTIONS = ServerOptions(start_timeout=SOON)
REPOSITORY = Path(__file__).parents[1]
world = worlds.world


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 3 * SOON))


@contextlib.asynccontextmanager
async def launched(runtime: Runtime, folder: Path, heap: str = "1g") -> AsyncIterator[Server]:
    """A started server, not initialized."""
    options = ServerOptions(heap=heap)
    command = command_line(runtime, options, folder / "configuration", folder / "data")
    server = await launch(command, folder, heap)
    try:
        yield server
    finally:
        await server.stop()


@contextlib.asynccontextmanager
async def serving(runtime: Runtime, folder: Path, heap: str = "1g") -> AsyncIterator[Server]:
    """A server that is ready."""
    async with launched(runtime, folder, heap) as server:
        await server.initialize(initialize_params(folder.as_uri()), SOON)
        yield server


@contextlib.asynccontextmanager
async def opened(runtime: Runtime, answer_timeout: float = SOON) -> AsyncIterator[Session]:
    session = await open_session(runtime, OPTIONS, answer_timeout, slots=4)
    try:
        yield session
    finally:
        await session.close()


def opening(runtime: Runtime, start: float = SOON, answer: float = SOON) -> ServerStartFailed:
    """The error with which a session does not come up."""

    async def test() -> None:
        await open_session(runtime, ServerOptions(start_timeout=start), answer, slots=1)

    with pytest.raises(ServerStartFailed) as caught:
        run(test())
    return caught.value


def ask(server: Server, text: str, uri: str = "file:///A.java") -> asyncio.Future[Any]:
    """Open `text` and ask for its outline."""
    document = {"uri": uri, "languageId": "java", "version": 1, "text": text}
    server.connection.notify("textDocument/didOpen", {"textDocument": document})
    return server.connection.send_request(
        "textDocument/documentSymbol", {"textDocument": {"uri": uri}}
    )


LONG = "class A { }\n" + "// x\n" * 100_000


async def error_of(future: asyncio.Future[Any]) -> BaseException | None:
    await asyncio.wait({future}, timeout=SOON)
    return future.exception()


# --- the command ----------------------------------------------------------------------------------


def test_the_command_line(world: World) -> None:
    runtime = world.runtime()
    command = command_line(runtime, ServerOptions(heap="77m"), Path("/c"), Path("/d"))
    jar = command.index("-jar")
    assert command[0] == runtime.java.executable
    assert command[jar:] == ["-jar", runtime.jdtls.launcher, "-configuration", "/c", "-data", "/d"]
    flags = set(command[1:jar])
    assert {
        "-Xmx77m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:+ExitOnOutOfMemoryError",
        "-Declipse.application=org.eclipse.jdt.ls.core.id1",
    } <= flags
    # Fewer deadlock workspace/symbol on small machines.
    assert "-Djava.util.concurrent.ForkJoinPool.common.parallelism=8" in flags


KOTLIN = r"reference\:file\:co.karellen.jdtls.kotlin_1.0.8.jar@4"
OTHERS = [r"reference\:file\:org.eclipse.a_1.0.jar@1\:start", r"reference\:file\:b_2.jar@4"]


@pytest.mark.parametrize("place", [0, 1, 2, None])
def test_the_private_configuration_is_without_kotlin(tmp_path: Path, place: int | None) -> None:
    bundles = OTHERS.copy()
    if place is not None:
        bundles.insert(place, KOTLIN)
    before, after = (
        "#head\neclipse.x=osgi.bundles=no\n",
        "\nosgi.bundles.defaultStartLevel=4\né=1\n",
    )
    config = tmp_path / "config.ini"
    config.write_text(f"{before}osgi.bundles={','.join(bundles)}{after}", "utf-8")
    assert private_config(config) == f"{before}osgi.bundles={','.join(OTHERS)}{after}"


def test_a_configuration_without_bundles_is_refused(world: World) -> None:
    runtime = world.runtime()
    Path(runtime.jdtls.config_ini).write_text("osgi.framework=x\n")
    with pytest.raises(RuntimeNotFound, match=r"config\.ini names no osgi\.bundles"):
        run(open_session(runtime, OPTIONS, SOON))  # type: ignore[arg-type]  # it raises


def test_what_the_process_gets(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")
    for name in ours:
        monkeypatch.setenv(name, "-Dof=the-user")
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("JUST_A_VARIABLE", "kept")
    report = world.folder / "report.json"
    runtime = world.runtime(report=str(report))

    async def test() -> None:
        async with opened(runtime) as session:
            seen = json.loads(report.read_text())
            assert seen["pid"] == session.pid
            assert not set(ours) & set(seen["env"])
            assert seen["env"]["JUST_A_VARIABLE"] == "kept"
            assert seen["env"]["LC_ALL"] == "C.UTF-8"
            (folder,) = world.leftovers
            assert seen["argv"][-4:-2] == [
                "-configuration",
                str(world.temporary / folder / "configuration"),
            ]

    run(test())


def test_requests_of_the_server_are_answered(world: World) -> None:
    answers = world.folder / "answers.jsonl"
    runtime = world.runtime(answers=str(answers))

    async def test() -> None:
        async with serving(runtime, world.folder) as server:
            await ask(server, "")  # the answers before it have been read then

    run(test())
    register, unheard, settings, no_settings = map(json.loads, answers.read_text().splitlines())
    assert register == {"jsonrpc": "2.0", "id": "r1", "result": None}
    assert unheard["error"]["code"] == -32601
    assert settings["result"] == [None, None]
    assert no_settings["result"] == []


# --- starts that fail -----------------------------------------------------------------------------


def test_it_ends_at_once(world: World) -> None:
    fault = {"code": 13, "stderr": "Error: could not find\nthe cause"}
    message = str(opening(world.runtime(exit_at_start=fault)))
    assert "ended with exit code 13 during initialize" in message
    assert "its last lines: Error: could not find | the cause" in message


def test_it_ends_without_a_word(world: World) -> None:
    message = str(opening(world.runtime(exit_at_start={"code": 0})))
    assert "ended with exit code 0 during initialize; it printed nothing" in message


def test_it_is_killed_at_start(world: World) -> None:
    runtime = world.runtime()
    world.java.write_text("#!/bin/sh\nkill -9 $$\n")
    assert "was ended by signal 9 during initialize" in str(opening(runtime))


@pytest.mark.parametrize(
    ("fault", "phase"),
    [("silent_at_start", "initialize"), ("never_ready", "waiting for ServiceReady")],
)
def test_it_is_never_ready(world: World, fault: str, phase: str) -> None:
    runtime = world.runtime(**{fault: True}, noise=["a word"])
    started = time.monotonic()
    message = str(opening(runtime, start=1.5))
    assert time.monotonic() - started < SOON
    assert f"was not ready after 1.5 s; last phase: {phase}; its last lines: a word" in message


def test_it_dies_between_initialize_and_ready(world: World) -> None:
    runtime = world.runtime(on={"": "die"}, never_ready=True)

    async def test() -> None:
        async with launched(runtime, world.folder) as server:
            start = asyncio.ensure_future(
                server.initialize(initialize_params(world.folder.as_uri()), SOON)
            )
            assert await until_async(lambda: server._phase == "waiting for ServiceReady")
            ask(server, "class A { }")
            with pytest.raises(ServerStartFailed) as caught:
                await start
            assert "exit code 13 during waiting for ServiceReady" in str(caught.value)

    run(test())


def test_noise_before_the_protocol_does_no_harm(world: World) -> None:
    runtime = world.runtime(noise=["OpenJDK 64-Bit Server VM warning: x", "", "Content: y", "é"])

    async def test() -> None:
        async with opened(runtime) as session:
            done: list[Outcome] = []
            await session.outlines([Source(1, "A", "class A { }")], done)
            assert done[0].outline

    run(test())


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        ("gone", "No such file"),
        ("not executable", "Permission denied"),
        ("no program", "Exec format error"),
    ],
)
def test_java_cannot_be_run(world: World, harm: str, words: str) -> None:
    runtime = world.runtime()
    if harm == "gone":
        world.java.unlink()
    elif harm == "not executable":
        world.java.chmod(0o644)
    else:
        world.java.write_bytes(b"\x00\x01")
    message = str(opening(runtime))
    assert message.startswith(f"{world.java} could not be started: {words}")


def test_no_temporary_folder(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(world.folder / "gone"))
        assert "no temporary folder for the language server" in str(opening(world.runtime()))


def test_the_workspace_cannot_be_laid_out(world: World) -> None:
    runtime = world.runtime()
    config = Path(runtime.jdtls.config_ini)
    config.unlink()
    message = str(opening(runtime))
    assert "could not be laid out" in message
    assert str(config) in message


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("empty", "says it is ready, but after 1.5 s it still gives no outline"),
        ("reject", "says it is ready, but after 1.5 s it still gives no outline"),
        ("hang", "gave no outline for 1 s"),
        ("die", "ended with exit code 13 during serving; its last lines: the fake dies now"),
        ("broken_json", "broke the protocol"),
    ],
)
def test_a_server_that_cannot_outline_a_known_text(world: World, fault: str, words: str) -> None:
    assert words in str(opening(world.runtime(on={"Probe": fault}), start=1.5, answer=1))


def test_early_empty_answers_are_waited_out(world: World) -> None:
    runtime = world.runtime(early_empties=4)

    async def test() -> None:
        async with opened(runtime) as session:
            assert session.pid in world.servers

    run(test())


# --- deaths under way -----------------------------------------------------------------------------


def test_a_death_fails_every_waiter_at_once(world: World) -> None:
    runtime = world.runtime(on={"DIE": "die"})

    async def test() -> None:
        async with serving(runtime, world.folder) as server:
            futures = [
                ask(server, "class DIE { }"),
                *(ask(server, "class A { }") for _ in range(9)),
            ]
            done, _ = await asyncio.wait(futures, timeout=SOON)
            assert len(done) == 10
            (error,) = {future.exception() for future in futures}
            assert isinstance(error, ServerDied)
            assert f"(pid {server.pid}) ended with exit code 13 during serving" in str(error)
            assert "its last lines: the fake dies now" in str(error)
            with pytest.raises(ServerDied, match="exit code 13"):
                await server.request("shutdown", None, SOON)

    run(test())


def test_a_killed_server(world: World) -> None:
    runtime = world.runtime(on={"HANG": "hang"})

    async def test() -> None:
        async with serving(runtime, world.folder) as server:
            future = ask(server, "class HANG { }")
            os.kill(server.pid, signal.SIGKILL)
            assert "was ended by signal 9 during serving" in str(await error_of(future))

    run(test())


def test_no_memory(world: World) -> None:
    runtime = world.runtime(on={"BIG": "oom"})

    async def test() -> None:
        async with serving(runtime, world.folder, heap="64m") as server:
            message = str(await error_of(ask(server, "class BIG { }")))
            assert f"(pid {server.pid}) ran out of memory with a heap of 64m" in message
            assert "raise it with --heap" in message
            assert "java.lang.OutOfMemoryError: Java heap space" in message

    run(test())


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("broken_json", "broke the protocol: a message of 9 bytes is no JSON"),
        ("broken_header", "broke the protocol: a message announces a length of '99999999999'"),
        ("close", "closed its output during serving"),
    ],
)
def test_a_server_that_makes_no_sense_is_ended(world: World, fault: str, words: str) -> None:
    runtime = world.runtime(on={"ODD": fault}, outlives_stdin=True)

    async def test() -> None:
        async with serving(runtime, world.folder) as server:
            assert words in str(await error_of(ask(server, "class ODD { }")))
            assert world.servers == []

    run(test())


def test_the_last_lines_of_stderr_are_kept_whole(world: World) -> None:
    """Twenty thousand lines, some long, one without an end; the pipe is never the bottleneck."""
    runtime = world.runtime()
    world.java.write_text(
        f"#!{sys.executable}\nimport sys\n"
        "for n in range(20000): print('line', n, file=sys.stderr)\n"
        "sys.stderr.write('x' * 200000 + '\\n\\n  the end')\n"
        "sys.exit(7)\n"
    )
    message = str(opening(runtime))
    assert "exit code 7" in message
    lines = message.partition("its last lines: ")[2].split(" | ")
    assert lines[0] == "line 19992"
    assert lines[-2].startswith("xxx")
    assert len(lines[-2]) <= 500
    assert lines[-1] == "the end"


def test_an_answer_that_does_not_come(world: World) -> None:
    runtime = world.runtime(on={"HANG": "hang"})

    async def test() -> None:
        async with opened(runtime, answer_timeout=1) as session:
            done: list[Outcome] = []
            texts = ["class A { }", "class HANG { }", "class B { }"]
            sources = [Source(n, "A", text) for n, text in enumerate(texts)]
            with pytest.raises(ServerTimeout, match=rf"\(pid {session.pid}\) gave no outline"):
                await session.outlines(sources, done)
            assert [outcome.source.key for outcome in done] == [0]  # what was sure is kept

    run(test())


def test_a_slow_server_is_not_a_hung_one(world: World) -> None:
    """The deadline is for silence, not for a batch."""
    runtime = world.runtime(delay=0.2)

    async def test() -> None:
        async with opened(runtime, answer_timeout=1.5) as session:
            done: list[Outcome] = []
            await session.outlines([Source(n, "A", f"class A{n} {{ }}") for n in range(9)], done)
            assert len(done) == 9

    run(test())


def test_a_server_that_reads_no_more(world: World) -> None:
    """Larger texts than the pipe and our buffer hold cannot even be sent to it."""
    runtime = world.runtime()

    async def test() -> None:
        async with opened(runtime, answer_timeout=1) as session:
            os.kill(session.pid, signal.SIGSTOP)
            started = time.monotonic()
            with pytest.raises(ServerTimeout, match=rf"\(pid {session.pid}\) read nothing .* 1 s"):
                await session.outlines([Source(n, "A", LONG) for n in range(2)], [])
            assert time.monotonic() - started < 3

    run(test())


def test_a_server_that_reads_slowly_is_not_a_hung_one(world: World) -> None:
    runtime = world.runtime(reads=[64 * 1024, 0.2])

    async def test() -> None:
        async with opened(runtime, answer_timeout=1) as session:
            done: list[Outcome] = []
            await session.outlines([Source(n, "A", LONG) for n in range(2)], done)
            assert all(outcome.outline for outcome in done)
            assert len(done) == 2

    run(test())


# --- nothing is left behind (the fixture checks it after every test here) -------------------------


def test_close_leaves_nothing(world: World) -> None:
    runtime = world.runtime(outlives_stdin=True)

    async def test() -> None:
        session = await open_session(runtime, OPTIONS, SOON)
        assert world.servers == [session.pid]
        assert len(world.leftovers) == 1
        await session.close()
        world.check()

    run(test())


@pytest.mark.parametrize("fault", ["silent_at_start", "never_ready"])
def test_a_cancelled_start_leaves_nothing(world: World, fault: str) -> None:
    runtime = world.runtime(**{fault: True}, outlives_stdin=True)

    async def test() -> None:
        task = asyncio.ensure_future(open_session(runtime, OPTIONS, SOON))
        assert await until_async(lambda: bool(world.servers))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        world.check()

    run(test())


def test_a_cancelled_request_leaves_nothing(world: World) -> None:
    runtime = world.runtime(on={"HANG": "hang"}, outlives_stdin=True)

    async def test() -> None:
        async with opened(runtime) as session:
            task = asyncio.ensure_future(session.outlines([Source(1, "A", "class HANG {}")], []))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        world.check()

    run(test())


def test_a_cancelled_close_leaves_nothing(world: World) -> None:
    runtime = world.runtime(outlives_stdin=True)

    async def test() -> None:
        session = await open_session(runtime, OPTIONS, SOON)
        task = asyncio.ensure_future(session.close())
        await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert await until_async(lambda: not world.servers and not world.leftovers)

    run(test())


def test_a_java_that_is_a_script_takes_its_jvm_along(world: World) -> None:
    """Version managers put such scripts on the path; the JVM is then our grandchild."""
    runtime = world.runtime(outlives_stdin=True)
    real = world.java.with_name("real-java")
    world.java.rename(real)
    world.java.write_text(f'#!/bin/sh\n"{real}" "$@"\nexit $?\n')
    world.java.chmod(0o755)

    async def test() -> None:
        async with opened(runtime) as session:
            assert len(world.servers) == 2
            assert session.pid in world.servers
        assert await until_async(lambda: not world.servers)

    run(test())


OWNER = """
import asyncio, os, signal, sys
from indexer.jdtls.runtime import locate
from indexer.jdtls.server import ServerOptions
from indexer.jdtls.session import open_session

async def main():
    session = await open_session(locate(), ServerOptions(), 60)
    print(session.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def killed_owner(world: World) -> int:
    """Open a session in another process, which kills itself; returns the server's pid."""
    owner = subprocess.run(
        [sys.executable, "-c", OWNER],
        cwd=REPOSITORY,
        env={**os.environ, **world.environment, "TMPDIR": str(world.temporary)},
        stdout=subprocess.PIPE,
        timeout=SOON,
        check=False,
    )
    assert owner.returncode == -signal.SIGKILL
    return int(owner.stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs PR_SET_PDEATHSIG")
def test_a_killed_owner_takes_its_server_along(world: World) -> None:
    world.runtime(outlives_stdin=True)  # the fake would not end by itself, as jdt.ls for 40 s
    pid = killed_owner(world)
    try:
        assert until(lambda: pid not in world.servers)
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            psutil.Process(pid).kill()
    assert len(world.leftovers) == 1
    sweep()


def test_the_next_start_sweeps_what_a_killed_owner_left(world: World) -> None:
    runtime = world.runtime()
    pid = killed_owner(world)
    assert until(lambda: pid not in world.servers)
    (left,) = world.leftovers
    assert (world.temporary / left / "project").is_dir()

    async def test() -> None:
        async with opened(runtime):
            assert left not in world.leftovers
            sweep()  # a living owner's folder stays
            assert len(world.leftovers) == 1

    run(test())
