"""A plain live jdt.ls over real paths: the truth that answers from the index are compared with.

Nothing of the outline engine is used here: no slots, no sentinel, no pool. A copy of the tree
becomes an Eclipse project with its real source folders; every file is asked for by its own URI,
closed, as an editor without open documents would.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from indexer.jdtls import workspace
from indexer.jdtls.rpc import Rejected
from indexer.jdtls.runtime import locate
from indexer.jdtls.server import Server, ServerOptions, command_line, launch
from indexer.jdtls.session import initialize_params

TIMEOUT = 120.0
IN_FLIGHT = 4


class PlainServer:
    """A running standard server; use as an async context manager."""

    def __init__(self, tree: Path, scratch: Path, source_folders: Sequence[str]) -> None:
        self.project = scratch / "project"
        shutil.copytree(tree, self.project, symlinks=True)
        for folder in (self.project, *self.project.iterdir()):
            folder.chmod(0o755)
        (self.project / ".project").write_text(workspace.project_description("plain"))
        (self.project / ".classpath").write_text(_classpath(source_folders))
        self._scratch = scratch
        self._server: Server | None = None

    async def __aenter__(self) -> PlainServer:
        runtime = locate()
        configuration = self._scratch / "configuration"
        configuration.mkdir()
        (configuration / "config.ini").write_text(
            workspace.private_config(Path(runtime.jdtls.config_ini))
        )
        command = command_line(
            runtime, ServerOptions(heap="2g"), configuration, self._scratch / "data"
        )
        self._server = await launch(command, self._scratch, "2g")
        try:
            await self._server.initialize(initialize_params(self.project.as_uri()), TIMEOUT)
        except BaseException:
            await self._server.stop()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server
        await self._server.stop()

    async def document_symbols(self, paths: Iterable[str]) -> dict[str, Any]:
        """Answers of documentSymbol by path below the project, as they came.

        Where the server answers with an error (its parser fails on some broken texts), the answer
        is the `Rejected`.
        """
        answers: dict[str, Any] = {}
        for path in paths:
            uri = (self.project / path).as_uri()
            try:
                answers[path] = await self.request(
                    "textDocument/documentSymbol", {"textDocument": {"uri": uri}}
                )
            except Rejected as exc:
                answers[path] = exc
        return answers

    async def workspace_symbols(self, query: str) -> list[dict[str, Any]]:
        """The answer of workspace/symbol."""
        answer = await self.request("workspace/symbol", {"query": query})
        assert isinstance(answer, list)
        return answer

    def path_of(self, uri: str) -> str:
        """Path below the project of a document."""
        return Path(unquote(urlsplit(uri).path)).relative_to(self.project).as_posix()

    async def request(self, method: str, params: Any) -> Any:
        assert self._server
        return await self._server.request(method, params, TIMEOUT)


def _classpath(source_folders: Sequence[str]) -> str:
    entries = "".join(
        f'<classpathentry kind="src" path="{folder}"{_nested(folder, source_folders)}/>'
        for folder in source_folders
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><classpath>{entries}'
        '<classpathentry kind="output" path=".javadex-bin"/></classpath>'
    )


def _nested(folder: str, others: Sequence[str]) -> str:
    """Eclipse wants source folders inside this one excluded from it."""
    prefix = f"{folder}/" if folder else ""
    inside = [
        other[len(prefix) :] + "/"
        for other in others
        if other != folder and other.startswith(prefix)
    ]
    return f' excluding="{"|".join(inside)}"' if inside else ""


def run_plain(tree: Path, scratch: Path, source_folders: Sequence[str], ask: Any) -> Any:
    """Run the coroutine function `ask` with a plain server over `tree`."""

    async def main() -> Any:
        async with PlainServer(tree, scratch, source_folders) as server:
            return await ask(server)

    return asyncio.run(main())
