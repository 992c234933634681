"""A thread with a service of its own, to which calls come one after the other.

SQLite connections stay in one thread; a call that has to wait for a language server holds up its
own lane only.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

from query.service import Service

_Answer = TypeVar("_Answer")


class Lane:
    """Runs functions of a service that is used and closed in one thread.

    The thread is a daemon: a call that hangs does not keep the process from ending.
    """

    def __init__(self, service: Service, name: str) -> None:
        self._service = service
        self._calls: SimpleQueue[Callable[[Service], None] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=f"javadex-{name}", daemon=True)
        self._thread.start()

    async def run(self, call: Callable[[Service], _Answer]) -> _Answer:
        """Return what `call` returns, or raise what it raises.

        A call that is cancelled while it runs runs on.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[_Answer] = loop.create_future()

        def tell(answer: _Answer | None, error: BaseException | None) -> None:
            if future.done():
                return
            if error:
                future.set_exception(error)
            else:
                future.set_result(answer)  # type: ignore[arg-type]

        def work(service: Service) -> None:
            if future.cancelled():  # meanwhile: nobody waits any more
                return
            answer, error = None, None
            try:
                answer = call(service)
            except Exception as exc:  # whoever asked decides
                error = exc
            try:
                loop.call_soon_threadsafe(tell, answer, error)
            except RuntimeError:  # the loop is closed: nobody waits any more
                return

        self._calls.put(work)
        return await future

    def close(self, seconds: float) -> None:
        """Let it end after what it is doing; wait for that at most so many seconds."""
        self._calls.put(None)
        self._thread.join(seconds)

    def _run(self) -> None:
        with self._service as service:
            while call := self._calls.get():
                call(service)
