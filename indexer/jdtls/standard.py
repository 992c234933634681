"""A standard jdt.ls over real paths, as an editor runs it: the build imported, types searchable.

For what slots cannot tell: how the live server itself answers (`javadex verify`) and which library
types a build's class path has. The server writes into the folder that it is given (an import makes
`.project`, `bin`, `target`), so that must be a private copy, never the user's tree. Its own data
goes into a scratch folder. LSP's messages are built and read here; callers get decoded JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import reprlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from indexer.errors import ServerError, ServerStartFailed
from indexer.files import SUFFIX
from indexer.jdtls import session, workspace
from indexer.jdtls.rpc import Handler, Rejected
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.scratch import Scratch, sweep
from indexer.jdtls.server import Server, ServerOptions, command_line, launch
from indexer.uris import path_of

IN_FLIGHT = 4
"""Requests that may wait at once: well below the server's pool, on which searches can deadlock."""

_SOURCE_PATHS = "org.eclipse.jdt.ls.core.sourcePaths"
_SOURCE_LEVEL = "org.eclipse.jdt.core.compiler.source"
_ERROR = 1  # LSP 3.17, MessageType.Error and DiagnosticSeverity.Error
_MOST_PROBLEMS = 20
_SENTENCES = 3  # of a problem: what failed, why, and what was missing
_LONGEST = 500  # characters
_WHOLE = "Initialization failed"
_DAEMON_IDLE_MS = 5000
"""A Gradle daemon detaches itself from the server; this ends it soon after the import."""

_DATE = re.compile(r"^\w{3} \d+, \d{4},? \d+:\d\d:\d\d\s[AP]M\s*")
_EXCEPTION = re.compile(r"^(Caused by: )?([\w$]+\.)+[\w$]*(Exception|Error)(: |$)")
_STACK = re.compile(r"at .*\(.*\)$|\.\.\. \d+ more$")


@dataclass(frozen=True, slots=True)
class StandardOptions:
    """How to run a standard server."""

    server: ServerOptions = field(default_factory=lambda: ServerOptions(heap="2g"))
    import_build: bool = True
    """Import Maven and Gradle builds; Eclipse projects (`.project`) are taken in either case."""
    class_files: bool = False
    """Announce that class files can be shown: `workspace/symbol` then answers library types."""
    offline: bool = False
    """Let a build take only what is on this machine; else it may download, as it always does."""
    maven_settings: str = ""
    """Path of a settings.xml in place of the user's own."""
    import_timeout: float = 600.0
    """Seconds from the start of the process to the end of the import."""


@dataclass(frozen=True, slots=True)
class Project:
    """A Java project of the server's workspace."""

    folder: str
    """Absolute path."""
    source_folders: tuple[str, ...]
    """Absolute paths."""
    java: str
    """The version that its sources are read as, such as `17`; "" when it is not told."""


class StandardServer:
    """A running server with an imported workspace. Make one with `open_standard`."""

    def __init__(
        self, server: Server, scratch: Scratch, folder: Path, watch: _Watch, timeout: float
    ) -> None:
        self._server = server
        self._scratch = scratch
        self._folder = folder
        self._watch = watch
        self._timeout = timeout

    @property
    def pid(self) -> int:
        """Process id of the server."""
        return self._server.pid

    @property
    def problems(self) -> tuple[str, ...]:
        """What the server has said so far of why the build could not be imported, one line each."""
        return self._watch.told

    async def explain(self, timeout: float) -> tuple[str, ...]:
        """Return `problems`, waiting up to `timeout` seconds for the first one.

        What is wrong in build files comes as diagnostics, some time after the import.
        """
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._watch.heard.wait(), timeout)
        return self.problems

    async def request(self, method: str, params: Any, timeout: float) -> Any:
        """Send a request; `timeout` in seconds.

        Raises `Rejected` for an error as the answer, `ServerTimeout` and `ServerDied`.
        """
        return await self._server.request(method, params, timeout)

    def notify(self, method: str, params: Any) -> None:
        """Send a notification, such as `textDocument/didOpen`."""
        self._server.connection.notify(method, params)

    async def document_symbol(self, uri: str) -> Any:
        """Return documentSymbol's answer as it came; the document need not be open."""
        params = {"textDocument": {"uri": uri}}
        return await self.request("textDocument/documentSymbol", params, self._timeout)

    async def workspace_symbol(self, query: str) -> list[Any]:
        """Return workspace/symbol's answer as it came: a set, in no order."""
        answer = await self.request("workspace/symbol", {"query": query}, self._timeout)
        return _list("workspace/symbol", answer)

    async def execute(self, command: str, *arguments: Any) -> Any:
        """Run one of the server's own commands (`workspace/executeCommand`)."""
        params = {"command": command, "arguments": list(arguments)}
        return await self.request("workspace/executeCommand", params, self._timeout)

    async def projects(self) -> list[Project]:
        """Return the Java projects in the workspace folder; one whose import failed is none.

        Files outside of them are answered, too: the server links each that it is asked for into a
        project of its own, which is not given here.
        """
        own = os.path.realpath(self._folder)
        found = []
        for uri in _list("java.project.getAll", await self.execute("java.project.getAll")):
            folder = _path(uri)
            if folder and f"{os.path.realpath(folder)}/".startswith(f"{own}/"):
                settings = await self._project_settings(uri)
                paths = settings.get(_SOURCE_PATHS)
                folders = tuple(map(str, paths)) if isinstance(paths, list) else ()
                found.append(Project(folder, folders, str(settings.get(_SOURCE_LEVEL) or "")))
        return found

    async def _project_settings(self, uri: str) -> dict[str, Any]:
        try:
            keys = [_SOURCE_PATHS, _SOURCE_LEVEL]
            settings = await self.execute("java.project.getSettings", uri, keys)
        except Rejected:  # known to the workspace, but not a Java project
            return {}
        return settings if isinstance(settings, dict) else {}

    async def close(self) -> None:
        """End the server and delete its data."""
        try:
            await self._server.stop()
        finally:
            self._scratch.remove()


async def open_standard(
    runtime: Runtime, folder: Path, options: StandardOptions | None = None
) -> StandardServer:
    """Start a server over `folder` and wait until it has imported what there is.

    The server may write into `folder`. Raises `ServerStartFailed`, with nothing left behind; a
    build that could not be imported is no error, see `StandardServer.problems` and `projects`.
    """
    options = options or StandardOptions()
    sweep()
    try:
        scratch = Scratch()
    except OSError as exc:
        raise ServerStartFailed(f"no temporary folder for the server's data: {exc}") from exc
    try:
        return await _started(runtime, folder, options, scratch)
    except BaseException:
        scratch.remove()
        raise


async def _started(
    runtime: Runtime, folder: Path, options: StandardOptions, scratch: Scratch
) -> StandardServer:
    configuration = scratch.path / "configuration"
    try:
        configuration.mkdir()
        (configuration / "config.ini").write_text(
            workspace.private_config(Path(runtime.jdtls.config_ini)), encoding="utf-8"
        )
    except OSError as exc:
        raise ServerStartFailed(f"{configuration} cannot be written: {exc}") from exc
    watch = _Watch()
    command = command_line(runtime, options.server, configuration, scratch.path / "data")
    server = await launch(command, scratch.path, options.server.heap, watch.listeners)
    try:
        await _import(server, watch, folder, options)
    except BaseException:
        await server.stop()
        raise
    return StandardServer(server, scratch, folder, watch, options.import_timeout)


async def _import(server: Server, watch: _Watch, folder: Path, options: StandardOptions) -> None:
    """Wait for the end of the import, which jdt.ls runs in one go before it says ServiceReady.

    It says so after a failed import, too. A job that goes on later only updates projects that an
    older data folder knows, and ours is new.
    """
    await server.initialize(initialize_params(folder, options), options.import_timeout)
    watch.importing = False


class _Watch:
    """Takes what a server says unasked, and keeps what tells of a failed import."""

    def __init__(self) -> None:
        self.importing = True
        self.heard = asyncio.Event()
        """Set with the first problem."""
        self.problems: dict[str, None] = {}
        """Without repetitions, in their order."""
        self.listeners: dict[str, Handler] = {
            "window/logMessage": self._message,
            "window/showMessage": self._message,
            "textDocument/publishDiagnostics": self._diagnostics,
        }

    @property
    def told(self) -> tuple[str, ...]:
        """The problems; the failure of the whole, which repeats another, only by itself."""
        causes = [text for text in self.problems if not text.startswith(_WHOLE)]
        return tuple(causes or self.problems)

    def _message(self, params: Any) -> None:
        if self.importing and isinstance(params, dict) and params.get("type") == _ERROR:
            self._add(_gist(str(params.get("message"))))

    def _diagnostics(self, params: Any) -> None:
        if not isinstance(params, dict) or not isinstance(params.get("diagnostics"), list):
            return
        path = _path(params.get("uri")) or ""
        if path.endswith(SUFFIX):
            return
        for diagnostic in params["diagnostics"]:
            if isinstance(diagnostic, dict) and diagnostic.get("severity") == _ERROR:
                self._add(f"{os.path.basename(path)}: {_gist(str(diagnostic.get('message')))}")

    def _add(self, problem: str) -> None:
        if len(self.problems) < _MOST_PROBLEMS:
            self.problems[problem] = None
            self.heard.set()


def _gist(message: str) -> str:
    """The first sentences of a log message, without its date and stack traces, on one line."""
    lines = [line.strip() for line in _DATE.sub("", message).splitlines()]
    said = [_EXCEPTION.sub("", line).rstrip(":") for line in lines if not _STACK.match(line)]
    text = ": ".join([*dict.fromkeys(filter(None, said))][:_SENTENCES])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def initialize_params(folder: Path, options: StandardOptions) -> dict[str, Any]:
    """Return the `initialize` parameters for one workspace folder.

    Outlines come as they come to the outline servers (`indexer.jdtls.session`). Settings: nothing
    is compiled, nothing is downloaded that only a person would look at.
    """
    return session.initialize_params(
        folder.as_uri(),
        _settings(options),
        extendedClientCapabilities={"classFileContentsSupport": options.class_files},
    )


def _settings(options: StandardOptions) -> dict[str, Any]:
    offline = {"enabled": options.offline}
    settings: dict[str, Any] = {
        "autobuild": {"enabled": False},
        "maven": {"downloadSources": False, "updateSnapshots": False},
        "import": {
            "generatesMetadataFilesAtProjectRoot": False,
            "maven": {"enabled": options.import_build, "offline": offline},
            "gradle": {
                "enabled": options.import_build,
                "offline": offline,
                "annotationProcessing": {"enabled": False},
                "arguments": f"-Dorg.gradle.daemon.idletimeout={_DAEMON_IDLE_MS}",
            },
        },
    }
    if options.maven_settings:
        settings["configuration"] = {"maven": {"userSettings": options.maven_settings}}
    return settings


def _path(uri: Any) -> str | None:
    path = path_of(uri) if isinstance(uri, str) else None
    return os.path.normpath(path) if path else None


def _list(method: str, answer: Any) -> list[Any]:
    if answer is None:
        return []
    if not isinstance(answer, list):
        raise ServerError(f"{method} answered {reprlib.repr(answer)}, not a list")
    return answer
