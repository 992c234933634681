"""One jdt.ls process: started, made ready, watched, ended. Knows nothing of outlines or batches."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer.errors import ServerDied, ServerStartFailed
from indexer.jdtls.rpc import BrokenStream, Connection, Handler
from indexer.jdtls.runtime import Runtime

_STREAM_LIMIT = 1 << 20
_OWN_JVM_VARIABLES = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")
_PR_SET_PDEATHSIG = 1
_FAREWELL = 1.0  # seconds for a server that closed its output to end, and for its last lines
_LINE = 500  # bytes kept of a line of stderr
_OUT_OF_MEMORY = "java.lang.OutOfMemoryError"


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How to run a server."""

    heap: str = "1g"
    """Maximum Java heap, as `-Xmx` takes it."""
    start_timeout: float = 120.0
    """Seconds from the start of the process to its ServiceReady."""


def command_line(
    runtime: Runtime, options: ServerOptions, configuration: Path, data: Path
) -> list[str]:
    """Return the command that starts jdt.ls.

    The ForkJoin setting is not for speed: `workspace/symbol` deadlocks on machines with one or two
    cores without it. C1 alone, the serial collector and unverified bundles cost least for a process
    of seconds.
    """
    return [
        runtime.java.executable,
        f"-Xmx{options.heap}",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:-BytecodeVerificationRemote",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:+DisplayVMOutputToStderr",
        "-XX:-UsePerfData",
        "-Djava.util.concurrent.ForkJoinPool.common.parallelism=8",
        "-Dfile.encoding=UTF-8",
        "-Declipse.application=org.eclipse.jdt.ls.core.id1",
        "-Declipse.product=org.eclipse.jdt.ls.core.product",
        "-Dosgi.bundles.defaultStartLevel=4",
        "-Dlog.level=ERROR",
        "--add-modules=ALL-SYSTEM",
        "--add-opens=java.base/java.util=ALL-UNNAMED",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "-jar",
        runtime.jdtls.launcher,
        "-configuration",
        os.fspath(configuration),
        "-data",
        os.fspath(data),
    ]


class Server:
    """A running process and the connection to it. Make one with `launch`."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        heap: str,
        listeners: Mapping[str, Handler] | None = None,
    ) -> None:
        assert process.stdin
        assert process.stdout
        self._process = process
        self._heap = heap
        self._phase = "start"
        self._stderr: deque[str] = deque(maxlen=20)
        self._ready = asyncio.Event()
        self.connection = Connection(
            process.stdout,
            process.stdin,
            {
                **(listeners or {}),
                "client/registerCapability": _nothing,
                "client/unregisterCapability": _nothing,
                "window/workDoneProgress/create": _nothing,
                "workspace/configuration": _no_settings,
                "language/status": self._status,
            },
        )
        self._tasks = [
            asyncio.ensure_future(self._read_stdout()),
            asyncio.ensure_future(self._read_stderr()),
        ]

    @property
    def pid(self) -> int:
        """Process id of the JVM."""
        return self._process.pid

    async def initialize(self, params: dict[str, Any], timeout: float) -> None:
        """Do the handshake and wait for ServiceReady; `timeout` in seconds for all of it.

        Raises `ServerStartFailed` with the phase, the cause and the last lines of stderr.
        """
        try:
            async with asyncio.timeout(timeout):
                self._phase = "initialize"
                await self.connection.send_request("initialize", params)
                self.connection.notify("initialized", {})
                self._phase = "waiting for ServiceReady"
                await self._until_ready()
        except TimeoutError:
            raise ServerStartFailed(
                f"the language server (pid {self.pid}) was not ready after {timeout:g} s; "
                f"last phase: {self._phase}{self._tail()}"
            ) from None
        except ServerDied as exc:
            raise ServerStartFailed(str(exc)) from exc
        self._phase = "serving"

    async def request(self, method: str, params: Any, timeout: float) -> Any:
        """Send a request; `timeout` in seconds. Raises `ServerTimeout` or `ServerDied`."""
        return await self.connection.request(method, params, timeout)

    async def stop(self) -> None:
        """End the process at once: its data is disposable, so it needs no time to save any."""
        self._kill()
        await self._process.wait()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.connection.close()

    def _kill(self) -> None:
        """End the whole process group: `java` may be a script that started the JVM as its child."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    async def _until_ready(self) -> None:
        ready = asyncio.ensure_future(self._ready.wait())
        try:
            await asyncio.wait({ready, self._tasks[0]}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
        if self._tasks[0].done() and not self._ready.is_set():
            await self.connection.send_request("shutdown", None)  # raises the cause of death

    def _status(self, params: Any) -> None:
        if isinstance(params, dict) and params.get("type") == "ServiceReady":
            self._ready.set()

    async def _read_stdout(self) -> None:
        try:
            await self.connection.run()
        except BrokenStream as exc:
            cause = f"broke the protocol: {exc}"
        except Exception as exc:  # a fault of ours must reach the waiters, not vanish in a task
            cause = f"could not be understood: {exc!r}"
        else:
            cause = ""
        await self._bury(cause)

    async def _bury(self, cause: str) -> None:
        if not cause:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), _FAREWELL)
            if self._process.returncode is None:
                cause = "closed its output"
        self._kill()
        code = await self._process.wait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._tasks[1]), _FAREWELL)
        self.connection.fail(ServerDied(self._obituary(cause, code)))

    def _obituary(self, cause: str, code: int) -> str:
        if any(_OUT_OF_MEMORY in line for line in self._stderr):
            return (
                f"the language server (pid {self.pid}) ran out of memory with a heap of "
                f"{self._heap}; raise it with --heap{self._tail()}"
            )
        ended = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return (
            f"the language server (pid {self.pid}) {cause or ended} "
            f"during {self._phase}{self._tail()}"
        )

    def _tail(self) -> str:
        lines = [*self.connection.noise, *self._stderr][-10:]
        return "; its last lines: " + " | ".join(lines) if lines else "; it printed nothing"

    async def _read_stderr(self) -> None:
        assert self._process.stderr
        rest = b""
        while chunk := await self._process.stderr.read(65536):
            *lines, rest = (rest[-_LINE:] + chunk).split(b"\n")
            self._note(lines)
        self._note([rest])

    def _note(self, lines: list[bytes]) -> None:
        texts = (line[:_LINE].decode("utf-8", "replace").strip() for line in lines)
        self._stderr.extend(filter(None, texts))


async def launch(
    command: list[str], cwd: Path, heap: str, listeners: Mapping[str, Handler] | None = None
) -> Server:
    """Start `command` in `cwd`; raises `ServerStartFailed` when it cannot be run at all.

    `listeners` take notifications by method, beside those that the server's life depends on.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=cwd,
            env=_environment(),
            limit=_STREAM_LIMIT,
            start_new_session=True,  # Ctrl-C in the terminal is ours to handle
            preexec_fn=_die_with_parent(),
        )
    except OSError as exc:
        raise ServerStartFailed(f"{command[0]} could not be started: {exc.strerror}") from exc
    return Server(process, heap, listeners)


def _environment() -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if name not in _OWN_JVM_VARIABLES}
    env["LC_ALL"] = "C.UTF-8"  # file names are UTF-8 whatever the caller's locale
    return env


def _die_with_parent() -> Callable[[], None] | None:
    """Ask Linux to kill the server when we are killed; jdt.ls itself notices only after ~40 s."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    parent = os.getpid()

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # killed before we could ask
            os._exit(1)

    return ask


def _nothing(_params: Any) -> None:
    return None


def _no_settings(params: Any) -> list[None]:
    """One null for every setting asked for: all of them as they are by default."""
    items = params.get("items") if isinstance(params, dict) else None
    return [None] * len(items) if isinstance(items, list) else []
