"""The life of the MCP server: its start, the index beside it, what it survives, its end."""

from __future__ import annotations

import asyncio
import json
import math
import os
import signal
import sqlite3
import time
from pathlib import Path

import psutil
import pytest
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

from indexer.files import resolve_root
from query.mcp import refresh
from query.mcp.answering import Tools
from query.mcp.job import Job
from query.mcp.tools import FIND, OUTLINE, REFRESH, STATUS, TOOLS
from query.service import Scope
from tests.support.cli import Javadex
from tests.support.mcp import (
    Agent,
    connected,
    fill,
    in_the_indexer,
    lines,
    parameters_of,
    talk,
)
from tests.support.trees import Tree, toy
from tests.support.warm import until

HANG = "hang here"
"""A text that holds this never gets an outline."""


@pytest.fixture
def shop(tree: Tree) -> Tree:
    for number in range(3):
        tree.write(f"src/Order{number}.java")
    return tree


def relatives(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


# --- the index beside it ------------------------------------------------------------------------


def test_without_an_index_it_tells_how_far_it_is(javadex: Javadex, tree: Tree) -> None:
    javadex.faults(delay=0.05)
    for number in range(60):
        tree.write(f"Type{number}.java")
    told: list[tuple[float, float | None, str | None]] = []

    async def scenario(agent: Agent) -> None:
        at_once = await agent.result(FIND, {"query": "Type1"})
        assert not at_once.is_error
        document = at_once.structured_content
        assert (document["results"], document["reason"]) == ([], "serverNotFullyReady")
        assert "brought up to date" in document["message"]

        async def note(progress: float, total: float | None, message: str | None) -> None:
            told.append((progress, total, message))

        result = await agent.result(REFRESH, {"wait": 50}, progress_callback=note)
        assert result.structured_content == {"state": "done", "done": 60, "total": 60}
        assert (await agent.names("Type1"))[0] == "Type1"

    talk(javadex, scenario, "--root", tree.path)
    assert {total for _, total, _ in told} == {60}
    assert told[0][0] < 60
    assert all(message for *_, message in told)


def test_progress_rises_over_all_folders(javadex: Javadex, tmp_path: Path) -> None:
    """MCP: it must increase with every notification."""
    folders = [Tree(tmp_path / name) for name in ("one", "two")]
    for folder in folders:
        for number in range(30):
            folder.write(f"Type{number}.java", f"class {folder.path.name.title()}{number} {{ }}\n")
    told: list[float] = []

    async def scenario(agent: Agent) -> None:
        async def note(progress: float, total: float | None, _message: str | None) -> None:
            assert total is None or progress <= total
            told.append(progress)

        result = await agent.result(REFRESH, {"wait": 50}, progress_callback=note)
        assert result.structured_content == {"state": "done", "done": 60, "total": 60}

    talk(javadex, scenario, *(f"--root={folder.path}" for folder in folders))
    assert told == sorted(set(told))
    assert len(told) > 1


def test_an_index_answers_while_it_is_brought_up_to_date(javadex: Javadex, shop: Tree) -> None:
    assert javadex.run("index", shop.path).code == 0
    javadex.faults(on={HANG: "hang"})
    shop.write("src/New.java", f"class New {{ }} // {HANG}")

    async def scenario(agent: Agent) -> None:
        # Never a miss that may be none, never a wait for the run beside.
        started = time.monotonic()
        missed = await agent.find("New")
        assert (missed["reason"], missed.get("didYouMean")) == ("serverNotFullyReady", None)
        assert "brought up to date" in missed["message"]
        known = await agent.result(FIND, {"query": "Order1"})
        assert [hit["name"] for hit in known.structured_content["results"]] == ["Order1"]
        assert known.meta
        assert (known.meta["source"], known.meta["state"]) == ("index", "changed")
        assert time.monotonic() - started < 10
        state = await agent.call(STATUS)
        assert state["refresh"]["state"] == "running"
        assert state["workspaces"][0]["missing"] == 1

    talk(javadex, scenario, "--root", shop.path)


def test_a_file_that_changes_meanwhile_is_never_answered_wrongly(
    javadex: Javadex, shop: Tree
) -> None:
    async def scenario(agent: Agent) -> None:
        await agent.ready()
        for number in range(5):
            lines = "\n" * number
            shop.write("src/Order1.java", f"{lines}class Order1 {{\n  int f{number};\n}}\n")
            (hit,) = (await agent.find("Order1"))["results"]
            assert hit["selectionRange"]["startLine"] == number + 1
            (symbol,) = (await agent.outline(hit["documentUri"]))["symbols"]
            assert (symbol["startLine"], symbol["children"][0]["name"]) == (
                number + 1,
                f"f{number}",
            )

    talk(javadex, scenario, "--root", shop.path)


def test_a_failed_run_is_told_and_outlines_go_on(javadex: Javadex, shop: Tree) -> None:
    async def scenario(agent: Agent) -> None:
        failed = await agent.failure(REFRESH, wait=30)
        assert failed["state"] == "failed"
        assert "Java" in failed["problem"]
        missed = await agent.find("Order1")
        assert missed["reason"] == "serverNotFullyReady"
        assert failed["problem"] in missed["message"]
        assert "pip install" in missed["message"]
        assert "javadex index" not in missed["message"]  # would fail just so
        assert (await agent.call(STATUS))["message"] == missed["message"]
        outline = await agent.outline("src/Order1.java")
        assert outline["reason"] == "serverNotFullyReady"
        assert "Java" in outline["message"]
        assert "pip install" in outline["message"]

    nowhere = {"JAVADEX_JAVA": str(javadex.folder / "nowhere")}
    talk(javadex, scenario, "--root", shop.path, env=nowhere)


def test_without_time_for_servers_none_is_asked(javadex: Javadex, shop: Tree) -> None:
    assert javadex.run("index", shop.path).code == 0
    asked = len(javadex.asked)
    (shop / "src/Order2.java").rename(shop / "Moved.java")
    shop.write("src/New.java", "class New { }")

    async def scenario(agent: Agent) -> None:
        failed = await agent.failure(REFRESH, wait=30)
        assert "no language server may be asked" in failed["problem"]
        (moved,) = (await agent.find("Order2"))["results"]
        assert moved["file"] == str(shop / "Moved.java")
        assert (await agent.find("New"))["reason"] == "serverNotFullyReady"
        outline = await agent.outline("src/New.java")
        assert (outline["symbols"], outline["reason"]) == ([], "serverNotFullyReady")

    talk(javadex, scenario, "--root", shop.path, "--live-timeout", "0")
    assert len(javadex.asked) == asked


def test_the_index_may_be_rewritten_and_replaced(
    javadex: Javadex, shop: Tree, tmp_path: Path
) -> None:
    db, other = tmp_path / "index.db", tmp_path / "other.db"

    async def scenario(agent: Agent) -> None:
        await agent.ready()
        assert await agent.names("Order") == ["Order0", "Order1", "Order2"]
        shop.write("src/Late.java")
        done = await asyncio.to_thread(javadex.run, "index", shop.path, "--db", db)
        assert done.code == 0
        assert await agent.names("Late") == ["Late"]
        # Another file in its place, by rename as `cp` and CI do it, and then damage.
        (shop / "src/Late.java").unlink()
        done = await asyncio.to_thread(javadex.run, "index", shop.path, "--db", other)
        assert done.code == 0
        for suffix in ("-wal", "-shm"):
            Path(f"{db}{suffix}").unlink(missing_ok=True)
        os.replace(other, db)
        assert (await agent.find("Late"))["reason"] == "workspaceSymbolNoMatch"
        assert await agent.names("Order") == ["Order0", "Order1", "Order2"]
        db.write_bytes(b"no database at all, and longer than a header" * 100)
        broken = await agent.failure(FIND, query="Order")
        assert str(db) in broken["error"]
        assert REFRESH in broken["hint"]
        assert [each["name"] for each in (await agent.outline("src/Order1.java"))["symbols"]]
        db.unlink()
        gone = await agent.find("Order")
        assert gone["reason"] == "serverNotFullyReady"
        await agent.ready()
        assert await agent.names("Order") == ["Order0", "Order1", "Order2"]

    talk(javadex, scenario, "--root", shop.path, "--db", db)


def test_failed_files_are_counted_and_tried_again(javadex: Javadex, shop: Tree) -> None:
    javadex.faults(on={HANG: "notalist"})
    for number in range(25):
        shop.write(f"Bad{number}.java", f"class Bad{number} {{ }} // {HANG}")

    async def scenario(agent: Agent) -> None:
        await agent.ready()
        state = await agent.call(STATUS)
        assert (len(state["problems"]), state["moreProblems"]) == (20, 5)
        assert state["workspaces"][0]["failed"] == 25
        javadex.faults()
        await agent.ready()
        assert (await agent.call(STATUS))["workspaces"][0]["failed"] == 25
        await agent.call(REFRESH, retryFailed=True, wait=50)
        state = await agent.call(STATUS)
        assert (state["problems"], state["workspaces"][0]["fresh"]) == ([], 28)
        assert "moreProblems" not in state

    talk(javadex, scenario, "--root", shop.path)


@pytest.mark.parametrize("found", ["nothing", "damage"])
def test_a_call_that_lacks_the_index_has_it_made_but_not_all_the_time(
    tree: Tree, tmp_path: Path, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "index.db"
    if found == "damage":
        db.write_bytes(b"no database at all, and longer than a header" * 100)

    async def nobody(*_: object) -> None: ...

    async def run() -> None:
        tools = Tools(Scope((resolve_root(str(tree.path)),), str(db)), live_timeout=0)
        monkeypatch.setattr(refresh, "TRY_AGAIN", math.inf)
        reply = await tools.call(FIND, {"query": "Order"}, nobody)
        assert reply.is_error == (found == "damage")
        assert not asyncio.all_tasks() - {asyncio.current_task()}
        monkeypatch.setattr(refresh, "TRY_AGAIN", 0)
        await tools.call(FIND, {"query": "Order"}, nobody)
        assert len(starts) == 1
        done = await tools.call(REFRESH, {"wait": 50}, nobody)
        assert done.document["state"] == "done"
        await tools.stop()

    starts = list[bool]()
    start = refresh.Refresh.start

    def counted(self: refresh.Refresh, *, retry_failed: bool = False) -> None:
        if self.run.state != "running":
            starts.append(retry_failed)
        start(self, retry_failed=retry_failed)

    monkeypatch.setattr(refresh.Refresh, "start", counted)
    asyncio.run(run())


def test_the_way_a_folder_was_indexed_is_kept(javadex: Javadex, shop: Tree) -> None:
    shop.git("init", "-q")
    shop.write(".gitignore", "generated/\n")
    shop.write("generated/Made.java")
    assert javadex.run("index", shop.path, "--no-git").code == 0

    async def scenario(agent: Agent) -> None:
        await agent.ready()
        assert await agent.names("Made") == ["Made"]
        (workspace,) = (await agent.call(STATUS))["workspaces"]
        assert (workspace["fresh"], workspace["standing"]["deleted"]) == (4, 0)

    talk(javadex, scenario, "--root", shop.path)


def test_the_home_folder_is_no_workspace_that_nobody_named(javadex: Javadex) -> None:
    home = Tree(Path(javadex.env["HOME"]))
    home.write("Secret.java")

    async def scenario(agent: Agent) -> None:
        failed = await agent.failure(REFRESH, wait=30)
        assert "--root" in failed["problem"]
        missed = await agent.find("Secret")
        assert missed["reason"] == "serverNotFullyReady"
        assert failed["problem"] in missed["message"]

    talk(javadex, scenario, cwd=home.path)
    assert javadex.asked == []

    async def named(agent: Agent) -> None:
        await agent.ready()
        assert await agent.names("Secret") == ["Secret"]

    talk(javadex, named, cwd=home.path, env={"JAVADEX_ROOT": str(home.path)})


# --- what it survives ---------------------------------------------------------------------------


def test_an_outline_that_waits_holds_up_no_other_call(javadex: Javadex, shop: Tree) -> None:
    assert javadex.run("index", shop.path).code == 0
    javadex.faults(on={HANG: "hang"})
    stuck = shop.write("Stuck.java", f"class Stuck {{ }} // {HANG}")

    async def scenario(agent: Agent) -> None:
        await agent.outline("src/Order0.java")
        slow = asyncio.create_task(agent.outline(str(stuck)))
        await asyncio.sleep(0)
        for _ in range(20):
            outline = await agent.outline("src/Order1.java")
            assert outline["symbols"][-1]["name"] == "Order1"
            assert await agent.names("Order2") == ["Order2"]
        assert not slow.done()
        late = await slow
        assert late["reason"] == "serverNotFullyReady"
        assert "within 6 s" in late["message"]

    talk(javadex, scenario, "--root", shop.path, "--live-timeout", "6")


def test_one_run_at_a_time(javadex: Javadex, shop: Tree) -> None:
    """However often it is asked for."""
    javadex.faults(on={HANG: "hang"})
    shop.write("Stuck.java", f"class Stuck {{ }} // {HANG}")
    with lines(javadex, "--root", shop.path) as server:
        server.shake_hands()
        process = psutil.Process(server.process.pid)
        for number in range(1, 6):
            running = server.call(number, REFRESH, wait=0)["structuredContent"]
            assert running["state"] == "running"
            assert len(indexers(process)) <= 1
        until(lambda: indexers(process), "the process that indexes")
        server.call(6, REFRESH, wait=0)
        assert len(indexers(process)) == 1
        assert server.end() == 0


def indexers(server: psutil.Process) -> list[psutil.Process]:
    return [each for each in server.children() if "query.mcp.indexing" in each.cmdline()]


def test_a_call_that_is_cancelled_holds_up_no_other(javadex: Javadex, shop: Tree) -> None:
    """It gets no answer, and the calls behind it that were cancelled, too, are not even begun."""
    javadex.faults(on={HANG: "hang"})
    for number in range(9):
        shop.write(f"Stuck{number}.java", f"class Stuck{number} {{ }} // {HANG}")
    with lines(javadex, "--root", shop.path, "--live-timeout", "2") as server:
        server.shake_hands()
        for number in range(1, 10):
            arguments = {"uri": f"Stuck{number - 1}.java"}
            params = {"name": OUTLINE, "arguments": arguments}
            server.send({"id": number, "method": "tools/call", "params": params})
            server.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        started = time.monotonic()
        shop.write("Free.java", "class Free { }")
        free = server.call(10, OUTLINE, uri="Free.java")["structuredContent"]
        assert free["symbols"][-1]["name"] == "Free"
        assert time.monotonic() - started < 15  # one that had begun, not nine
        assert server.end() == 0
        answered = [json.loads(line) for line in server.seen]
        assert not [each for each in answered if "structuredContent" in str(each.get("result"))][1:]


def test_many_calls_at_once_and_two_clients(javadex: Javadex, shop: Tree) -> None:
    assert javadex.run("index", shop.path).code == 0

    async def ask(agent: Agent) -> list[str]:
        calls = [agent.find(f"Order{number % 3}") for number in range(10)]
        calls += [agent.outline(f"src/Order{number % 3}.java") for number in range(10)]
        found = await asyncio.gather(*calls)
        return [json.dumps(each) for each in found]

    async def scenario() -> list[list[str]]:
        place = ("--root", shop.path)
        async with connected(javadex, *place) as one, connected(javadex, *place) as other:
            return [*await asyncio.gather(ask(one), ask(other), ask(one))]

    first, *others = asyncio.run(scenario())
    assert len(set(first)) == 6
    assert others == [first, first]


GARBAGE = (
    b"",
    b"no json",
    b"\xff\xfe\x00\x01",
    b"[]",
    b"{}",
    b"null",
    b'"text"',
    b'{"jsonrpc": "1.0", "id": 5, "method": "ping"}',
    b'{"jsonrpc": "2.0", "method": "tools/call"}',
    b'{"jsonrpc": "2.0", "id": 901, "method": "no/such/method"}',
    b'{"jsonrpc": "2.0", "id": 902, "method": "tools/call"}',
    b'{"jsonrpc": "2.0", "id": 903, "method": "tools/call", "params": {"name": 5}}',
    b'{"jsonrpc": "2.0", "id": 904, "method": "tools/call", '
    b'"params": {"name": "x", "arguments": 5}}',
    b'{"jsonrpc": "2.0", "id": 905, "method": "tools/call", "params": {"name": "'
    + FIND.encode()
    + b'", "arguments": {"query": "\\ud800", "path": "\\udfff"}}}',
    b'{"jsonrpc": "2.0", "id": 906, "method": "tools/call", "params": {"name": "'
    + OUTLINE.encode()
    + b'", "arguments": {"uri": "\\ud800.java"}}}',
    b'{"jsonrpc": "2.0", "id": "unasked", "result": {}}',
    b"[" * 5_000,
    b'{"jsonrpc": "2.0", "id": 907, "method": "' + b"x" * 2_000_000 + b'"}',
)


def test_no_line_on_stdin_ends_it(javadex: Javadex, shop: Tree) -> None:
    with lines(javadex, "--root", shop.path) as server:
        server.send({"id": 900, "method": "tools/call", "params": {"name": OUTLINE}})
        assert "error" in server.answer(900), "a call before the handshake"
        server.shake_hands()
        for number, line in enumerate(GARBAGE, start=1):
            server.write(line)  # whatever comes of it, the next call is answered
            found = server.call(number, OUTLINE, uri="src/Order0.java")
            assert found["structuredContent"]["symbols"][-1]["name"] == "Order0", line
        assert server.end() == 0


def test_nothing_but_the_protocol_on_stdout(javadex: Javadex, shop: Tree) -> None:
    """Whatever the language server prints."""
    javadex.faults(noise=["Picked up JAVA_TOOL_OPTIONS: -Xmx1g", "{}", "WARNING: ..."])
    with lines(javadex, "--root", shop.path) as server:
        server.shake_hands()
        done = server.call(1, REFRESH, wait=50)
        assert done["structuredContent"]["state"] == "done"
        shop.write("src/Order0.java", "class Other { }")
        server.call(2, OUTLINE, uri="src/Order0.java")
        assert server.call(3, FIND, query="Other")["structuredContent"]["total"] == 1
        assert server.end() == 0
        for line in server.seen:
            assert json.loads(line)["jsonrpc"] == "2.0"


# --- its end ------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["eof", "kill", "term", "interrupt"])
def test_nothing_outlives_it(javadex: Javadex, shop: Tree, how: str) -> None:
    """In the middle of a run whose language servers hang, and of a call that waits for one."""
    javadex.faults(on={HANG: "hang"}, outlives_stdin=True)
    for number in range(5):
        shop.write(f"src/Stuck{number}.java", f"class Stuck{number} {{ }} // {HANG}")
    with lines(javadex, "--root", shop.path) as server:
        server.shake_hands()
        process = psutil.Process(server.process.pid)
        params = {"name": OUTLINE, "arguments": {"uri": "src/Stuck1.java"}}
        server.send({"id": 1, "method": "tools/call", "params": params})
        until(lambda: len(javadex.servers()) >= 2, "a language server for the run and the call")
        family = relatives(process)
        assert len(family) >= 4
        started = time.monotonic()
        if how == "eof":
            assert server.end() == 0
        else:
            sent = {"kill": signal.SIGKILL, "term": signal.SIGTERM, "interrupt": signal.SIGINT}[how]
            process.send_signal(sent)
            server.process.wait(timeout=20)
        until(lambda: not [each for each in family if each.is_running()], f"all end: {family}")
        assert time.monotonic() - started < 15
    assert not javadex.servers()
    with sqlite3.connect(next(javadex.cache.rglob("*.db"))) as db:
        assert db.execute("PRAGMA quick_check").fetchall() == [("ok",)]


def test_what_indexes_is_ended_if_it_does_not_end(
    javadex: Javadex, shop: Tree, tmp_path: Path
) -> None:
    env = in_the_indexer(tmp_path, "import time; time.sleep(600)")
    with lines(javadex, "--root", shop.path, env=env) as server:
        server.shake_hands()
        (stuck,) = until(lambda: indexers(psutil.Process(server.process.pid)), "it starts")
        assert server.end() == 0
        assert not stuck.is_running()


@pytest.mark.parametrize("cut_short", ["stop", "the end"])
def test_what_indexes_is_ended_though_its_ending_is_cut_short(
    shop: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut_short: str
) -> None:
    for name, value in in_the_indexer(tmp_path, "import time; time.sleep(600)").items():
        monkeypatch.setenv(name, value)
    job = Job([(str(shop.path), "shop")], False, str(tmp_path / "index.db"), None, None)

    async def scenario() -> psutil.Process:
        run = refresh.Refresh(job)
        run.start()
        while not (found := indexers(psutil.Process())):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.5)
        stop = asyncio.create_task(run.stop())
        await asyncio.sleep(0.5)
        assert found[0].is_running(), "it has time to end by itself"
        if cut_short == "stop":
            stop.cancel()
            with pytest.raises(asyncio.CancelledError):
                await stop
        return found[0]  # the loop's end cancels what is left

    assert not asyncio.run(scenario()).is_running()


@pytest.mark.parametrize("stdin", ["open", "closed", "closed before"])
def test_a_client_that_reads_no_more_is_gone(javadex: Javadex, shop: Tree, stdin: str) -> None:
    """It ends quietly as with the end of stdin, which may stay open; nothing is left of it."""
    javadex.faults(on={HANG: "hang"}, outlives_stdin=True)
    shop.write("Stuck.java", f"class Stuck {{ }} // {HANG}")
    read, write = os.pipe()
    with lines(javadex, "--root", shop.path, stdout=write) as server:
        process = psutil.Process(server.process.pid)
        handshake = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "0"},
        }
        server.send({"id": 0, "method": "initialize", "params": handshake})
        assert b"serverInfo" in os.read(read, 1 << 16)
        until(javadex.servers, "a language server of the run")
        family, indexing = relatives(process), indexers(process)
        if stdin == "closed before":  # when an answer is being written, for which there is no room
            fill(write)
        os.close(write)
        if stdin != "closed before":
            os.close(read)
        server.send({"id": 1, "method": "ping"})
        if stdin != "open":
            assert server.process.stdin
            server.process.stdin.close()
        if stdin == "closed before":
            until(lambda: not indexers(process), "all but the answer is done")
            os.close(read)
        assert server.process.wait(timeout=20) == 0
        assert not [each for each in indexing if each.is_running()], "waited for"
        until(lambda: not [each for each in family if each.is_running()], f"all end: {family}")
    assert not javadex.servers()
    assert (javadex.folder / "mcp-stderr.txt").read_text("utf-8") == ""


# --- clients and set-up -------------------------------------------------------------------------


def test_clients_of_the_newest_protocol(javadex: Javadex, shop: Tree) -> None:
    async def run() -> None:
        parameters = parameters_of(javadex, "--root", shop.path)
        with (javadex.folder / "stderr.txt").open("w", encoding="utf-8") as errlog:
            async with Client(stdio_client(parameters, errlog=errlog)) as client:
                found = await client.call_tool(REFRESH, {"wait": 50})
                assert found.structured_content["state"] == "done"
                found = await client.call_tool(FIND, {"query": "Order1"})
                assert found.structured_content["total"] == 1
                assert found.meta
                assert found.meta["state"] == "fresh"
                assert {tool.name for tool in (await client.list_tools()).tools} == set(TOOLS)

    asyncio.run(run())


def test_without_the_sdk_it_says_what_to_install(javadex: Javadex, tmp_path: Path) -> None:
    (tmp_path / "path").mkdir()
    fault = "raise ModuleNotFoundError(\"No module named 'mcp'\", name='mcp')\n"
    for name in ("mcp", "mcp_types"):
        (tmp_path / "path" / f"{name}.py").write_text(fault, "utf-8")
    done = javadex.run("mcp", cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "path")})
    assert (done.code, done.stdout) == (2, "")
    assert "pip install 'javadex[mcp]'" in done.stderr


def test_a_root_that_is_not_there_ends_it_at_once(javadex: Javadex, tmp_path: Path) -> None:
    done = javadex.run("mcp", "--root", tmp_path / "nowhere")
    assert (done.code, done.stdout) == (2, "")
    assert str(tmp_path / "nowhere") in done.stderr


def test_one_root_given_by_the_environment(javadex: Javadex, shop: Tree, tmp_path: Path) -> None:
    second = Tree(tmp_path / "second")
    second.write("Second.java", toy("Second.java"))

    async def scenario(agent: Agent) -> None:
        await agent.ready()
        assert await agent.names("Second") == ["Second"]
        assert await agent.names("Order0") == ["Order0"]
        listed = (await agent.session.list_tools()).tools
        assert [tool.name for tool in listed] == [FIND, OUTLINE, STATUS, REFRESH]
        for tool in listed:
            assert tool.annotations
            assert tool.annotations.read_only_hint is (tool.name != REFRESH)
            assert not tool.annotations.destructive_hint

    both = f"{shop.path}{os.pathsep}{second.path}"
    talk(javadex, scenario, env={"JAVADEX_ROOT": both})
