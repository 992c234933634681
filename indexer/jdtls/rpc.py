"""JSON-RPC 2.0 over a pair of byte streams, framed as LSP 3.17 "Base Protocol" says.

Knows nothing of processes, Java or symbols. Own framing, because pygls' client decodes every reply
into objects that the outline engine would throw away at once; `docs/benchmarks.md` has the figures.
"""

from __future__ import annotations

import asyncio
import json
import reprlib
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from indexer.errors import JavadexError, ServerError, ServerTimeout

MAX_BODY = 512 * 1024 * 1024
"""Bytes; a frame that announces more is taken for a broken stream, not for a message."""

_METHOD_NOT_FOUND = -32601

Handler = Callable[[Any], Any]
"""Answers a request of the server, or takes a notification (then the result is not used)."""


class BrokenStream(ServerError):
    """What came is not JSON-RPC: the position in the stream is lost for good."""


class Rejected(ServerError):
    """The server answered a request with an error object."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"the language server rejected {method}: {message} (code {code})")
        self.code = code


async def read_message(stream: asyncio.StreamReader, noise: deque[str]) -> Any | None:
    """Return the next message, or None at the end of the stream.

    Lines before a header (a JVM or a library that prints to stdout) are put into `noise`.
    Raises `BrokenStream` for a frame that cannot be one.
    """
    length = await _read_header(stream, noise)
    if length is None:
        return None
    try:
        body = await stream.readexactly(length)
    except asyncio.IncompleteReadError:
        return None
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as exc:
        raise BrokenStream(f"a message of {length} bytes is no JSON: {exc}") from exc
    if message is None:  # must not be taken for the end
        raise BrokenStream("a message is null")
    return message


async def _read_header(stream: asyncio.StreamReader, noise: deque[str]) -> int | None:
    length: int | None = None
    while True:
        try:
            line = await stream.readline()
        except ValueError as exc:  # longer than the stream's limit: no header line is
            raise BrokenStream("a line without end stands where a header should be") from exc
        if not line:
            return None
        text = line.decode("utf-8", "replace").strip()
        name, _, value = text.partition(":")
        if name.lower() == "content-length" and line.endswith(b"\n"):  # else the end cut it
            length = _length(value.strip())
        elif not text and length is not None:
            return length
        elif text and length is None:
            noise.append(text[:500])


def _length(value: str) -> int:
    # Not int() alone: it takes "-1", "1_0" and other scripts' digits, and refuses 5000 digits.
    if not (value.isascii() and value.isdecimal() and len(value) < 16 and int(value) <= MAX_BODY):
        raise BrokenStream(f"a message announces a length of {value[:40]!r}")
    return int(value)


class Connection:
    """One peer: requests out, answers in, until the stream ends or `fail` is called."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        handlers: Mapping[str, Handler],
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._handlers = handlers
        self._waiting: dict[int, tuple[str, asyncio.Future[Any]]] = {}
        self._next_id = 0
        self._failure: JavadexError | None = None
        self.noise: deque[str] = deque(maxlen=20)
        """Last lines of stdout that were no protocol."""

    def send_request(self, method: str, params: Any) -> asyncio.Future[Any]:
        """Send a request and return the future of its result.

        The future raises `Rejected`, or what `fail` was called with. The caller sets the deadline.
        """
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._failure:
            future.set_exception(self._failure)
            return future
        self._next_id += 1
        self._waiting[self._next_id] = (method, future)
        self._send({"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params})
        return future

    async def request(self, method: str, params: Any, timeout: float) -> Any:
        """Send a request and return its result; `timeout` in seconds, then `ServerTimeout`."""
        future = self.send_request(method, params)
        try:
            return await asyncio.wait_for(future, timeout)
        except TimeoutError:
            raise ServerTimeout(f"no answer to {method} within {timeout:g} s") from None

    def notify(self, method: str, params: Any) -> None:
        """Send a notification; nothing happens on a connection that has failed."""
        if not self._failure:
            self._send({"jsonrpc": "2.0", "method": method, "params": params})

    @property
    def unsent(self) -> int:
        """Bytes in our buffer: those that the peer's side of the stream has no room for."""
        return self._writer.transport.get_write_buffer_size()

    async def drain(self) -> None:
        """Wait until what was sent has left our buffer, so that a slow peer slows us down.

        A peer that reads nothing never lets it leave. The caller sets the deadline.
        """
        try:
            await self._writer.drain()
        except ConnectionError:
            return  # the reading side reports the end, with the cause

    def fail(self, failure: JavadexError) -> None:
        """Give every waiter, now and later, `failure` as its answer."""
        if self._failure:
            return
        self._failure = failure
        for _, future in self._waiting.values():
            if not future.done():
                future.set_exception(failure)
                future.exception()  # a waiter that gave up already must not be warned about
        self._waiting.clear()

    def close(self) -> None:
        """Close our side of the stream."""
        self._writer.close()

    async def run(self) -> None:
        """Read until the stream ends; raises `BrokenStream` when it is not JSON-RPC."""
        while (message := await read_message(self._reader, self.noise)) is not None:
            if not isinstance(message, dict):
                raise BrokenStream(f"a message is no JSON object: {reprlib.repr(message)}")
            if "method" in message:
                self._serve(message)
            else:
                self._settle(message)

    def _settle(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        # Not isinstance: true would be the answer to our first request.
        waiting = self._waiting.pop(number, None) if type(number) is int else None
        if waiting is None or waiting[1].done():
            return
        method, future = waiting
        error = message.get("error")
        if error is None:
            future.set_result(message.get("result"))
        else:
            future.set_exception(_rejected(method, error))

    def _serve(self, message: dict[str, Any]) -> None:
        method, number = message["method"], message.get("id")
        if not isinstance(method, str):
            raise BrokenStream(f"a message names no method: {reprlib.repr(message)}")
        if not isinstance(number, int | str | None):  # LSP 3.17, `RequestMessage`
            raise BrokenStream(f"a request has an id that is none: {reprlib.repr(message)}")
        handler = self._handlers.get(method)
        result = handler(message.get("params")) if handler else None
        if "id" not in message:
            return
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": number}
        if handler:
            reply["result"] = result
        else:
            reply["error"] = {"code": _METHOD_NOT_FOUND, "message": f"no handler for {method}"}
        self._send(reply)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message, separators=(",", ":")).encode()
        self._writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


def _rejected(method: str, error: Any) -> Rejected:
    """What an error object says; one that is no object counts as well, as the message."""
    fields = error if isinstance(error, dict) else {"message": reprlib.repr(error)}
    code = fields.get("code")
    text = fields.get("message")
    return Rejected(
        method,
        code if isinstance(code, int) else 0,
        text[:2000] if isinstance(text, str) else reprlib.repr(text),
    )
