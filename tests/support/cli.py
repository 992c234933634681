"""The console command `javadex` in a world of its own: fake runtime, own cache, clean environment.

`Javadex` runs it as a process, as a user does; `Console` calls it in this process, for the many
tests that are about its words only.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from query.cli import main
from tests.fakes.runtime import fake_runtime, set_faults

TIMEOUT = 60.0
"""Seconds for one command; the longest takes three."""

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


@dataclass(frozen=True)
class Result:
    """What a command did."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """Stdout as exactly one JSON document."""
        return json.loads(self.stdout)

    @property
    def lines(self) -> list[Any]:
        """Stdout as one JSON document per line."""
        return [json.loads(line) for line in self.stdout.splitlines()]


class Javadex:
    """The installed command, with everything it writes below `folder`."""

    def __init__(self, folder: Path, **faults: Any) -> None:
        self.folder = folder
        self.runtime = folder / "runtime"
        self.log = folder / "asked.txt"
        self.temporary = folder / "tmp"
        self.cache = folder / "cache"
        for made in (self.runtime, self.temporary, self.cache, folder / "home"):
            made.mkdir(parents=True)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder / "home"),
            "TMPDIR": str(self.temporary),
            "XDG_CACHE_HOME": str(self.cache),
            "LANG": "C.UTF-8",
            "JAVADEX_SERVER_IDLE": "0",  # no warm server, except where a test is about it
            **fake_runtime(self.runtime, asked=str(self.log), **faults),
        }

    def faults(self, **faults: Any) -> None:
        """Change what servers do wrong from now on."""
        set_faults(self.runtime, asked=str(self.log), **faults)

    @property
    def asked(self) -> list[str]:
        """First type of every text whose outline the servers gave, as they gave it."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return [line for line in lines if line != "Probe" and not line.startswith("Jdx")]

    def run(
        self,
        *arguments: object,
        cwd: Path | None = None,
        stdin: bytes = b"",
        env: dict[str, str] | None = None,
        preexec: Callable[[], None] | None = None,
    ) -> Result:
        """Run the command to its end."""
        with self.start(*arguments, cwd=cwd, env=env, preexec=preexec) as process:
            stdout, stderr = process.communicate(stdin, timeout=TIMEOUT)
        return Result(process.returncode, stdout.decode(), stderr.decode("utf-8", "replace"))

    @contextlib.contextmanager
    def start(
        self,
        *arguments: object,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        preexec: Callable[[], None] | None = None,
    ) -> Iterator[subprocess.Popen[bytes]]:
        """Start the command; at the end it is killed if it still runs."""
        process = subprocess.Popen(
            [
                os.path.join(sysconfig.get_path("scripts"), "javadex"),
                *map(os.fspath, _texts(arguments)),
            ],
            cwd=cwd or self.folder,
            env=self.env | (env or {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=preexec,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate()

    def servers(self) -> list[psutil.Process]:
        """Language servers of this world that are alive."""
        return [process for process in psutil.process_iter() if self._is_server(process)]

    def _is_server(self, process: psutil.Process) -> bool:
        try:
            return str(self.runtime) in " ".join(process.cmdline()) and process.is_running()
        except (psutil.NoSuchProcess, psutil.ZombieProcess, psutil.AccessDenied):
            return False


class Console:
    """The command called in this process; an exception that it lets through is the test's."""

    def __init__(self, monkeypatch: Any) -> None:
        self._monkeypatch = monkeypatch

    def run(self, *arguments: object, stdin: bytes = b"", terminal: bool = False) -> Result:
        """Run the command to its end; with `terminal` stderr counts as one."""
        stdout, stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in "oe")
        with self._monkeypatch.context() as patch, contextlib.ExitStack() as stack:
            patch.setattr(stderr, "isatty", lambda: terminal)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
            stack.enter_context(contextlib.redirect_stdout(stdout))
            stack.enter_context(contextlib.redirect_stderr(stderr))
            code = _exit_code([*map(os.fspath, _texts(arguments))])
        return Result(code, _written(stdout), _written(stderr))


def without_root_powers() -> None:
    """For `preexec`: even root is then refused what a file's mode refuses."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            if libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0):
                raise OSError("the powers of root cannot be dropped")


def _texts(arguments: tuple[object, ...]) -> Iterator[str]:
    return (argument if isinstance(argument, str) else str(argument) for argument in arguments)


def _exit_code(arguments: list[str]) -> int:
    try:
        main(arguments)
    except SystemExit as exc:
        return exc.code if isinstance(exc.code, int) else 0


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
