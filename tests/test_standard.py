"""Starting a standard server: ready, or why not; nothing of it stays. Fake servers only."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from indexer.errors import ServerDied, ServerStartFailed
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.server import ServerOptions
from indexer.jdtls.standard import (
    StandardOptions,
    StandardServer,
    _gist,
    _Watch,
    initialize_params,
    open_standard,
)
from tests.fakes.world import World
from tests.support import worlds

world = worlds.world


def opened(runtime: Runtime, folder: Path, use: Any, options: StandardOptions | None = None) -> Any:
    """What the coroutine function `use` makes of a server; it is closed afterwards."""

    async def main() -> Any:
        server = await open_standard(runtime, folder, options)
        try:
            return await use(server)
        finally:
            await server.close()

    return asyncio.run(main())


def test_a_server_answers_and_leaves_nothing(world: World, tmp_path: Path) -> None:
    async def use(server: StandardServer) -> Any:
        assert world.servers == [server.pid]
        params = {"uri": "file:///A.java", "text": "class A {\n}\n"}
        server.notify("textDocument/didOpen", {"textDocument": params})
        return await server.document_symbol("file:///A.java"), server.problems

    answer, problems = opened(world.runtime(), tmp_path, use)
    assert [node["name"] for node in answer] == ["A"]
    assert problems == ()
    world.check()


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        ({"exit_at_start": {"code": 13, "stderr": "ill"}}, "exit code 13"),
        ({"never_ready": True}, "not ready after 0.5 s"),
        ({"silent_at_start": True}, "last phase: initialize"),
    ],
)
def test_a_server_that_does_not_come_up_is_explained_and_gone(
    faults: dict[str, Any], words: str, world: World, tmp_path: Path
) -> None:
    timeout = 60.0 if "exit_at_start" in faults else 0.5
    options = StandardOptions(import_timeout=timeout)
    with pytest.raises(ServerStartFailed, match=words):
        opened(world.runtime(**faults), tmp_path, None, options)
    world.check()


def test_a_server_that_dies_fails_the_request(world: World, tmp_path: Path) -> None:
    async def use(server: StandardServer) -> None:
        document = {"uri": "file:///A.java", "text": "class A {\n}\n// bad"}
        server.notify("textDocument/didOpen", {"textDocument": document})
        await server.document_symbol("file:///A.java")

    with pytest.raises(ServerDied, match="the fake dies now"):
        opened(world.runtime(on={"bad": "die"}), tmp_path, use)


def test_a_server_without_projects_has_none(world: World, tmp_path: Path) -> None:
    async def use(server: StandardServer) -> Any:
        return await server.projects(), await server.workspace_symbol("*"), await server.explain(0)

    assert opened(world.runtime(), tmp_path, use) == ([], [], ())


def test_what_the_server_is_told(tmp_path: Path) -> None:
    options = StandardOptions(
        server=ServerOptions(),
        import_build=False,
        class_files=True,
        offline=True,
        maven_settings="s",
    )
    told: Any = json.loads(json.dumps(initialize_params(tmp_path, options)))
    own = told["initializationOptions"]
    assert own["workspaceFolders"] == [told["rootUri"]] == [tmp_path.as_uri()]
    assert own["extendedClientCapabilities"] == {"classFileContentsSupport": True}
    java = own["settings"]["java"]
    assert java["autobuild"] == {"enabled": False}
    assert java["configuration"] == {"maven": {"userSettings": "s"}}
    for build in ("maven", "gradle"):
        assert java["import"][build]["enabled"] is False
        assert java["import"][build]["offline"] == {"enabled": True}
    symbols = told["capabilities"]["textDocument"]["documentSymbol"]
    assert symbols["hierarchicalDocumentSymbolSupport"] is True
    assert symbols["tagSupport"] == {"valueSet": [1]}


STACK = """Nov 30, 2026, 10:09:29\u202fPM Failed to import projects
org.eclipse.core.runtime.CoreException: Could not calculate build plan: no plugin
\tThe following artifacts could not be resolved:
\tat org.eclipse.m2e.core.Some.method(Some.java:12)
Caused by: java.lang.IllegalStateException: deeper
\t... 12 more
"""


def test_a_log_message_is_cut_to_its_sentences() -> None:
    assert _gist(STACK) == (
        "Failed to import projects: Could not calculate build plan: no plugin: "
        "The following artifacts could not be resolved"
    )
    assert len(_gist("x" * 10_000)) == 500


def test_problems_of_an_import_are_kept() -> None:
    def message(text: str, kind: int = 1) -> dict[str, Any]:
        return {"type": kind, "message": text}

    async def main() -> tuple[str, ...]:
        watch = _Watch()
        log, publish = (
            watch.listeners["window/logMessage"],
            watch.listeners["textDocument/publishDiagnostics"],
        )
        for said in (message("first"), message("first"), message("only said", 3), None):
            log(said)
        log(message("Initialization failed: first"))
        watch.importing = False
        log(message("later"))
        publish({"uri": "file:///p/pom.xml", "diagnostics": [{"severity": 1, "message": "bad"}]})
        publish({"uri": "file:///p/pom.xml", "diagnostics": [{"severity": 2, "message": "hm"}]})
        publish({"uri": "file:///p/A.java", "diagnostics": [{"severity": 1, "message": "no"}]})
        junk: list[Any] = [None, {}, {"uri": 3, "diagnostics": [None]}, {"diagnostics": {}}]
        for piece in junk:
            publish(piece)
        assert watch.heard.is_set()
        return watch.told

    assert asyncio.run(main()) == ("first", "pom.xml: bad")
