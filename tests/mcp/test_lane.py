"""A lane of calls: one after the other, and none that nobody waits for any more."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from indexer.files import resolve_root
from query.mcp.lane import Lane
from query.service import Scope, Service


def test_a_call_that_was_cancelled_before_its_turn_is_not_begun(tmp_path: Path) -> None:
    begun, may_end = list[str](), threading.Event()

    def first(_: Service) -> None:
        begun.append("first")
        assert may_end.wait(10)

    def of(name: str) -> None:
        begun.append(name)

    async def run() -> None:
        scope = Scope((resolve_root(str(tmp_path)),), str(tmp_path / "index.db"))
        lane = Lane(Service(scope), "test")
        calls = [
            asyncio.create_task(lane.run(call))
            for call in (first, lambda _: of("second"), lambda _: of("third"))
        ]
        await asyncio.sleep(0)
        calls[1].cancel()
        await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(calls[0], calls[2])
        lane.close(10)

    asyncio.run(run())
    assert begun == ["first", "third"]
