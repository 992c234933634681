"""Bringing the index up to date in the background: one run at a time, in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from query.mcp.job import Job
from query.mcp.tools import REFRESH

TRY_AGAIN = 60.0
"""Seconds after the start of a run before the next one begins that nobody asked for."""

_FAREWELL = 5.0
"""Seconds for the process to end its servers and close the index."""

_LONGEST_LINE = 1 << 20
_CHUNK = 1 << 12
_LAST_WORDS = 500
_LAST_WAIT = 1.0
"""Seconds for what a process that has ended said at last."""


class Run(NamedTuple):
    """How the last run got on."""

    state: str = "never"
    """`never`, `running`, `done` or `failed`."""
    done: int = 0
    total: int = 0
    """Files, of the workspace folders that were begun."""
    problem: str = ""
    notices: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is to be said of it while it runs, "" when it does not."""
        if self.state != "running":
            return ""
        count = f": {self.done} of {self.total} files so far" if self.total else ""
        return f"the index is being brought up to date{count}; call again"

    @property
    def obstacle(self) -> str:
        """What kept it from its end, and the remedy; "" for nothing."""
        failed = self.state == "failed"
        return f"the index could not be brought up to date: {self.problem}" if failed else ""

    @property
    def document(self) -> dict[str, Any]:
        """As JSON, for the tools."""
        found: dict[str, Any] = {"state": self.state, "done": self.done, "total": self.total}
        if self.problem:
            found["problem"] = self.problem
        if self.notices:
            found["notices"] = list(self.notices)
        return found


class Refresh:
    """Starts runs and follows them. `run` may be read from any thread, all else from the loop's."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self.run = Run()
        self._task: asyncio.Task[None] | None = None
        self._started = 0.0
        self._moved = asyncio.Event()

    def start(self, *, retry_failed: bool = False) -> None:
        """Begin a run, unless there is one."""
        if self._task is None or self._task.done():
            self._started = time.monotonic()
            self.run = Run("running")
            job = self._job._replace(retry_failed=retry_failed)
            self._task = asyncio.create_task(self._follow(job))

    def again(self) -> None:
        """Begin a run, unless there is or was one lately."""
        if time.monotonic() - self._started >= TRY_AGAIN:
            self.start()

    async def wait(self, seconds: float, tell: Callable[[Run], Awaitable[None]]) -> Run:
        """Wait for the end of the run at most so long; `tell` is awaited with every step."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.run.state == "running":
                    moved = self._moved  # taken first: a step while telling is one to wait for
                    await tell(self.run)
                    await moved.wait()
        return self.run

    async def stop(self) -> None:
        """End the run, if there is one."""
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})  # which hands no cancelling on to it

    async def _follow(self, job: Job) -> None:
        try:
            await self._run(job)
        except (OSError, ValueError) as exc:  # no process, or one that talks nonsense
            problem = f"the process that indexes failed: {exc}"
            self._now(self.run._replace(state="failed", problem=problem))

    async def _run(self, job: Job) -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "query.mcp.indexing", json.dumps(job._asdict())),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C in a terminal is the server's; it ends this one
            limit=_LONGEST_LINE,
        )
        assert process.stdin
        assert process.stdout
        assert process.stderr
        words = asyncio.create_task(_passed_on(process.stderr))
        problem: str | None = None
        try:
            async for line in process.stdout:
                told = json.loads(line)
                problem = told.pop("problem", problem)
                if notice := told.pop("notice", ""):
                    told["notices"] = (*self.run.notices, notice)
                self._now(self.run._replace(**told))
            await process.wait()
        finally:
            process.stdin.close()
            await _ended(process)
            last = await _last_of(words)
        if problem is None:
            problem = (
                f"the process that indexes ended with {process.returncode}: {last}; "
                f"call {REFRESH} to try again"
            )
        self._now(self.run._replace(state="failed" if problem else "done", problem=problem))

    def _now(self, run: Run) -> None:
        self.run = run
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()


async def _passed_on(stderr: asyncio.StreamReader) -> str:
    """Write to stderr here what comes; returns the end of it."""
    last = ""
    while told := (await stderr.read(_CHUNK)).decode("utf-8", "replace"):
        sys.stderr.write(told)
        last = (last + told)[-_LAST_WORDS:]
    return last.strip() or "it said nothing"


async def _last_of(words: asyncio.Task[str]) -> str:
    """What was told on stderr at last, by a process that has ended; others may hold that open."""
    try:
        return await asyncio.wait_for(words, _LAST_WAIT)
    except TimeoutError:
        return "its stderr was not closed"


async def _ended(process: asyncio.subprocess.Process) -> None:
    """Wait until the process, whose stdin is closed, has ended; kill it if it does not."""
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL):
                await process.wait()
    finally:  # also when the waiting is cut short
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        while process.returncode is None:  # not for long
            with contextlib.suppress(asyncio.CancelledError):
                await process.wait()
