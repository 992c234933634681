"""Tool calls: check the input, have a lane answer, let the index be brought up to date. No SDK.

Bad input and failures are replies that say what to do next, never exceptions.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from indexer.errors import IndexUnusable, JavadexError
from indexer.standing import Standing
from query.contract import ErrorCode, FindAnswer, OutlineAnswer, Reason, ToolError
from query.mcp import calls
from query.mcp.inputs import find_input, outline_input, refresh_input, unknown_parameter
from query.mcp.job import Job
from query.mcp.lane import Lane
from query.mcp.once import Once
from query.mcp.refresh import Refresh, Run
from query.mcp.tools import FIND, OUTLINE, REFRESH, STATUS, TOOLS
from query.service import Scope, Service
from query.upkeep import Limits

SCAN_BUDGET = 2.0
"""Seconds to look for changed files before a search."""

RENEWAL = 10.0
"""Seconds that a search waits for what changed to be indexed; what takes longer goes on beside."""

_FAREWELL = 0.5
"""Seconds for calls that are under way to end when the client is gone."""

_LIVE = frozenset({Standing.UNKNOWN, Standing.CHANGED, Standing.OTHER_RECIPE, Standing.DAMAGED})
"""What sends an outline to a language server."""

Report = Callable[[float, float | None, str], Awaitable[None]]
"""Takes how far a call is, of how much (None: unknown), and a word on it."""

_Handler = Callable[[Mapping[str, Any], Report], Awaitable[calls.Reply]]


class Tools:
    """Answers calls of the tools about one scope. Start it in the loop, and stop it."""

    def __init__(self, scope: Scope, live_timeout: float) -> None:
        """`live_timeout` is the longest wait for a language server, in seconds; 0 asks none."""
        roots = [(root.path, root.name) for root in scope.roots]
        asks = live_timeout > 0
        job = Job(roots, scope.explicit, scope.db, scope.java, scope.jdtls, asks)
        self._refresh = Refresh(job)
        self._once = Once(scope.tell)
        scope = scope._replace(
            tell=self._once.tell,
            renewing=lambda: self._refresh.run.text,
            obstacle=lambda: self._refresh.run.obstacle,
        )
        self._scope = scope
        renewal = min(RENEWAL, live_timeout)
        self._finds = _lane(scope, Limits(SCAN_BUDGET, renewal), "find")
        self._outlines = _lane(scope, Limits(renewal=0), "outline")
        self._live = _lane(scope, Limits(renewal=live_timeout), "live")
        self._handlers: dict[str, _Handler] = {
            FIND: self._find,
            OUTLINE: self._outline,
            STATUS: self._status,
            REFRESH: self._bring_up_to_date,
        }

    def start(self) -> None:
        """Begin to bring the index up to date."""
        self._refresh.start()

    async def stop(self) -> None:
        """End what is under way."""
        await self._refresh.stop()
        for lane in (self._finds, self._outlines, self._live):
            lane.close(_FAREWELL)

    async def call(self, name: str, arguments: Mapping[str, Any], report: Report) -> calls.Reply:
        """Return the reply to a call; whatever goes wrong is one, too."""
        handler = self._handlers.get(name)
        if handler is None:
            error = f"there is no tool {name[:200]!r}"
            return calls.failure(
                ToolError(ErrorCode.INVALID_PARAMETER, error, f"call {', '.join(TOOLS)}")
            )
        wrong = unknown_parameter(name, arguments)
        if wrong:
            return calls.failure(wrong)
        try:
            return await handler(arguments, report)
        except Exception as exc:  # an unusable index, or a fault of ours: told, not fatal
            self._log(name, exc)
            if isinstance(exc, IndexUnusable):
                self._refresh.again()
            return calls.failed(exc)

    def _log(self, name: str, error: Exception) -> None:
        if isinstance(error, JavadexError):
            self._once.tell(str(error))
        elif self._once.is_new(f"{name}: {error!r}"):
            logging.getLogger("javadex").error("%s failed", name, exc_info=error)

    async def _find(self, arguments: Mapping[str, Any], _report: Report) -> calls.Reply:
        given = find_input(arguments)
        if isinstance(given, ToolError):
            return calls.failure(given)
        reply, answer = await self._finds.run(partial(calls.find, given=given))
        if isinstance(answer, FindAnswer) and _is_behind(answer):
            self._refresh.again()
        return reply

    async def _outline(self, arguments: Mapping[str, Any], report: Report) -> calls.Reply:
        given = outline_input(arguments)
        if isinstance(given, ToolError):
            return calls.failure(given)
        reply, answer = await self._outlines.run(partial(calls.outline, given=given))
        if isinstance(answer, OutlineAnswer) and _wants_server(answer):
            await report(0, None, "asking the language server")
            reply, _ = await self._live.run(partial(calls.outline, given=given))
        return reply

    async def _status(self, _arguments: Mapping[str, Any], _report: Report) -> calls.Reply:
        scope, run = self._scope, self._refresh.run
        return await self._finds.run(lambda _: calls.status_of(scope, run.document))

    async def _bring_up_to_date(self, arguments: Mapping[str, Any], report: Report) -> calls.Reply:
        given = refresh_input(arguments)
        if isinstance(given, ToolError):
            return calls.failure(given)
        self._refresh.start(retry_failed=given.retry_failed)

        told = -1

        async def tell(run: Run) -> None:
            nonlocal told
            if run.total and run.done > told:  # MCP: the progress must increase
                told = run.done
                await report(run.done, run.total, run.text)

        run = await self._refresh.wait(given.wait, tell)
        return calls.reply(run.document, is_error=run.state == "failed")


def _lane(scope: Scope, limits: Limits, name: str) -> Lane:
    return Lane(Service(scope._replace(upkeep=limits)), name)


def _is_behind(answer: FindAnswer) -> bool:
    """True when a run of the indexer would know more."""
    if answer.reason is Reason.SERVER_NOT_FULLY_READY:
        return True
    return answer.provenance.state in (Standing.CHANGED, Standing.UNKNOWN, Standing.OTHER_RECIPE)


def _wants_server(answer: OutlineAnswer) -> bool:
    """True when nothing but the language server that was not asked is lacking."""
    provenance = answer.provenance
    return (
        answer.reason is Reason.SERVER_NOT_FULLY_READY
        and provenance.source == "none"
        and provenance.state in _LIVE
    )
