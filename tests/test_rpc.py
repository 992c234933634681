"""JSON-RPC framing and the connection, over streams in memory."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from itertools import pairwise
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.errors import ServerDied, ServerTimeout
from indexer.jdtls.rpc import MAX_BODY, BrokenStream, Connection, Handler, Rejected, read_message

SOON = 10.0
"""Seconds after which something that must come at once counts as missing."""


def frame(message: Any, header: bytes = b"Content-Length: %d\r\n") -> bytes:
    body = json.dumps(message).encode()
    return header % len(body) + b"\r\n" + body


async def read_all(*pieces: bytes, limit: int = 2**16) -> tuple[list[Any], list[str]]:
    """Messages and noise of a stream that ends after `pieces`, each fed when it is waited for."""
    stream = asyncio.StreamReader(limit=limit)

    async def feed() -> None:
        for piece in pieces:
            stream.feed_data(piece)
            await asyncio.sleep(0)
        stream.feed_eof()

    feeder = asyncio.ensure_future(feed())
    noise: deque[str] = deque()
    messages = []
    try:
        while (message := await read_message(stream, noise)) is not None:
            messages.append(message)
    finally:
        await feeder
    return messages, list(noise)


def read(*pieces: bytes, limit: int = 2**16) -> tuple[list[Any], list[str]]:
    return asyncio.run(read_all(*pieces, limit=limit))


# --- frames -------------------------------------------------------------------------------------


def test_a_frame_may_come_byte_by_byte() -> None:
    raw = frame({"id": 1, "result": "é"}) + frame({"id": 2})
    assert read(*(raw[at : at + 1] for at in range(len(raw)))) == (
        [{"id": 1, "result": "é"}, {"id": 2}],
        [],
    )


def test_many_frames_may_come_at_once() -> None:
    assert read(b"".join(frame({"id": n}) for n in range(50)))[0] == [{"id": n} for n in range(50)]


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: %d\r\n",
        b"content-length:%d\r\n",
        b"CONTENT-LENGTH:   %d  \r\n",
        b"Content-Length: %d\n",
        b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n",
        b"Content-Length: %d\r\nX-Unheard-Of: yes\r\n",
    ],
)
def test_headers(header: bytes) -> None:
    assert read(frame({"id": 1}, header) + frame({"id": 2})) == ([{"id": 1}, {"id": 2}], [])


def test_noise_before_a_header_is_kept_for_the_error_text() -> None:
    noise = b"OpenJDK 64-Bit Server VM warning: x\n\n\xff\xfe junk: 5\r\n"
    messages, kept = read(noise + frame({"id": 1}) + b"bye\n")
    assert messages == [{"id": 1}]
    assert kept == ["OpenJDK 64-Bit Server VM warning: x", "\ufffd\ufffd junk: 5", "bye"]


def test_a_long_line_of_noise_is_cut() -> None:
    assert len(read(b"x" * 5000 + b"\n" + frame({"id": 1}))[1][0]) == 500


@pytest.mark.parametrize(
    "length",
    ["-1", "", "abc", "1e3", "0x10", "1_0", "+5", "5.0", "٣", str(MAX_BODY + 1), "9" * 5000],
)
def test_a_length_that_cannot_be_one(length: str) -> None:
    with pytest.raises(BrokenStream, match="announces a length of") as caught:
        read(f"Content-Length: {length}\r\n\r\n{{}}".encode())
    assert len(str(caught.value)) < 100


def test_a_header_without_length_is_no_header() -> None:
    assert read(b"Content-Type: application/json\r\n\r\n{}")[0] == []


def test_an_endless_line_is_no_header() -> None:
    with pytest.raises(BrokenStream, match="a line without end"):
        read(b"x" * 5000, limit=1000)


@pytest.mark.parametrize(
    "body",
    [b"{not json", b"", b'{"a": "\xff"}', b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5000, b"\x00"],
)
def test_a_body_that_is_no_json(body: bytes) -> None:
    with pytest.raises(BrokenStream, match=f"a message of {len(body)} bytes is no JSON"):
        read(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


@pytest.mark.parametrize("kept", [3, 14, 18, 19, 20, 25])
def test_a_stream_that_ends_early_has_no_message(kept: int) -> None:
    raw = frame({"id": 1})
    assert kept < len(raw)
    assert read(raw[:kept])[0] == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
CUTS = st.lists(st.integers(0, 200), max_size=9)


@given(st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=3), CUTS)
@settings(max_examples=60)
def test_what_is_framed_is_read(messages: list[dict[str, Any]], cuts: list[int]) -> None:
    raw = b"".join(map(frame, messages))
    edges = [0, *sorted(cuts), len(raw)]
    pieces = [raw[start:end] for start, end in pairwise(edges) if start < end]
    assert read(*pieces)[0] == messages


FRAGMENTS = st.sampled_from(
    [b"Content-Length: ", b"content-length:", b"\r\n", b"\r\n\r\n", b"\n", b"2", b"13", b"{}", b"["]
)


@given(st.lists(FRAGMENTS | st.binary(max_size=20), max_size=12).map(b"".join))
@settings(max_examples=200)
def test_any_bytes_come_to_an_end(raw: bytes) -> None:
    with contextlib.suppress(BrokenStream):
        read(raw)


# --- the connection -----------------------------------------------------------------------------


class Sink:
    """Takes what a connection sends, as a stream writer would."""

    def __init__(self) -> None:
        self.data = b""
        self.closed = self.broken = False

    def write(self, data: bytes) -> None:
        self.data += data

    async def drain(self) -> None:
        if self.broken:
            raise ConnectionResetError

    def close(self) -> None:
        self.closed = True

    @property
    async def sent(self) -> list[Any]:
        return (await read_all(self.data))[0]


class Peer:
    """The other end of a connection."""

    def __init__(self, handlers: dict[str, Handler]) -> None:
        self.sink = Sink()
        self._stream = asyncio.StreamReader()
        writer = cast(asyncio.StreamWriter, self.sink)
        self.connection = Connection(self._stream, writer, handlers)
        self.reading = asyncio.ensure_future(self.connection.run())

    def say(self, *messages: Any) -> None:
        for message in messages:
            self._stream.feed_data(frame(message))

    def end(self) -> None:
        self._stream.feed_eof()


@contextlib.asynccontextmanager
async def connected(**handlers: Handler) -> AsyncIterator[Peer]:
    peer = Peer({name.replace("_", "/"): handler for name, handler in handlers.items()})
    try:
        yield peer
    finally:
        peer.end()
        await asyncio.wait({peer.reading}, timeout=SOON)


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run `test`; what asyncio would only log is an error."""
    complaints: list[dict[str, Any]] = []

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, what: complaints.append(what))
        await asyncio.wait_for(test(), SOON)
        gc.collect(1)

    asyncio.run(watched())
    assert complaints == []


def test_answers_may_come_in_any_order() -> None:
    async def test() -> None:
        async with connected() as peer:
            futures = [peer.connection.send_request("m", {"n": n}) for n in range(3)]
            sent = await peer.sink.sent
            assert [message["params"] for message in sent] == [{"n": 0}, {"n": 1}, {"n": 2}]
            assert {message["jsonrpc"] for message in sent} == {"2.0"}
            peer.say(*({"id": sent[n]["id"], "result": f"r{n}"} for n in (2, 0, 1)))
            assert await asyncio.gather(*futures) == ["r0", "r1", "r2"]

    run(test)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ({"code": -32603, "message": "Internal error."}, -32603, "Internal error."),
        ({"code": "x", "message": "words"}, 0, "words"),
        ({"code": 7}, 7, "None"),
        ({}, 0, "None"),
        ("just words", 0, "just words"),
        (["odd"], 0, "odd"),
        (False, 0, "False"),
    ],
)
def test_an_error_is_a_rejection(error: Any, code: int, message: str) -> None:
    async def test() -> None:
        async with connected() as peer:
            future = peer.connection.send_request("some/method", None)
            peer.say({"id": 1, "error": error, "result": "not this"})
            with pytest.raises(Rejected, match="rejected some/method") as caught:
                await future
            assert caught.value.code == code
            assert message in str(caught.value)

    run(test)


def test_a_huge_error_is_cut() -> None:
    async def test() -> None:
        async with connected() as peer:
            future = peer.connection.send_request("m", None)
            peer.say({"id": 1, "error": {"code": 1, "message": "x" * 10_000}})
            with pytest.raises(Rejected) as caught:
                await future
            assert len(str(caught.value)) < 3000

    run(test)


def test_a_late_answer_disturbs_nobody() -> None:
    async def test() -> None:
        async with connected() as peer:
            with pytest.raises(ServerTimeout, match=r"no answer to slow within 0\.01 s"):
                await peer.connection.request("slow", None, 0.01)
            future = peer.connection.send_request("quick", None)
            peer.say({"id": 1, "result": "late"}, {"id": 2, "result": "in time"})
            assert await future == "in time"

    run(test)


@pytest.mark.parametrize("number", [99, None, "1", [1], {"a": 1}, 1.5])
def test_an_answer_to_nothing_disturbs_nobody(number: Any) -> None:
    async def test() -> None:
        async with connected() as peer:
            future = peer.connection.send_request("m", None)
            peer.say({"id": number, "result": 0}, {"result": 0}, {}, {"id": 1, "result": "mine"})
            assert await future == "mine"

    run(test)


def test_requests_of_the_server() -> None:
    async def test() -> None:
        seen: list[Any] = []

        def remember(params: Any) -> str:
            seen.append(params)
            return "done"

        async with connected(a_known=remember) as peer:
            future = peer.connection.send_request("m", None)
            peer.say(
                {"id": "s1", "method": "a/known", "params": [1]},
                {"id": "s2", "method": "un/known", "params": {}},
                {"method": "a/known", "params": 2},
                {"method": "un/known"},
                {"id": 1, "result": None},
            )
            await future
            _, known, unknown = await peer.sink.sent
            assert known == {"jsonrpc": "2.0", "id": "s1", "result": "done"}
            assert (unknown["id"], unknown["error"]["code"]) == ("s2", -32601)
            assert "un/known" in unknown["error"]["message"]
            assert seen == [[1], 2]

    run(test)


@pytest.mark.parametrize(
    "message",
    [[], [{"id": 1}], "text", 5, True, {"method": 5}, {"id": 1, "method": ["a"]}, {"method": {}}],
)
def test_a_message_that_is_none(message: Any) -> None:
    async def test() -> None:
        async with connected() as peer:
            peer.say(message)
            with pytest.raises(BrokenStream, match=r"is no JSON object|names no method"):
                await peer.reading

    run(test)


def test_a_deep_message_that_is_none() -> None:
    """Deep enough to be read, too deep for `str`."""

    async def test() -> None:
        async with connected() as peer:
            depth = 900
            body = b"[" * depth + b"]" * depth
            peer._stream.feed_data(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            with pytest.raises(BrokenStream):
                await peer.reading

    run(test)


ODD_MESSAGES = st.fixed_dictionaries({}, optional={"id": JSON, "method": JSON, "error": JSON})


@given(st.lists(JSON | ODD_MESSAGES, max_size=3))
@settings(max_examples=60)
def test_any_messages_end_the_reading_in_the_known_ways(messages: list[Any]) -> None:
    async def test() -> None:
        async with connected() as peer:
            peer.connection.send_request("m", None).add_done_callback(lambda done: done.exception())
            peer.say(*messages)
            peer.end()
            with contextlib.suppress(BrokenStream):
                await peer.reading

    asyncio.run(test())


# --- the end ------------------------------------------------------------------------------------


def test_all_waiters_fail_at_once() -> None:
    async def test() -> None:
        async with connected() as peer:
            futures = [peer.connection.send_request("m", None) for _ in range(5)]
            futures[0].cancel()
            cause = ServerDied("the cause")
            peer.connection.fail(cause)
            assert all(future.done() for future in futures)
            assert [future.exception() for future in futures[1:]] == [cause] * 4

    run(test)


def test_a_failed_connection_stays_failed() -> None:
    async def test() -> None:
        async with connected() as peer:
            peer.connection.fail(ServerDied("first"))
            peer.connection.fail(ServerDied("second"))
            peer.connection.notify("some/notification", {})
            with pytest.raises(ServerDied, match="first"):
                await peer.connection.send_request("m", None)
            with pytest.raises(ServerDied, match="first"):
                await peer.connection.request("m", None, SOON)
            assert peer.sink.data == b""

    run(test)


def test_waiters_that_gave_up_are_not_warned_about() -> None:
    """`run` fails the test for what asyncio logs about an exception that nobody took."""

    async def test() -> None:
        async with connected() as peer:
            peer.connection.send_request("m", None)
            peer.connection.fail(ServerDied("unheard"))

    run(test)


def test_reading_ends_with_the_stream() -> None:
    async def test() -> None:
        async with connected() as peer:
            peer.say({"method": "some/notification"})
            peer.end()
            await peer.reading

    run(test)


def test_notifications_and_the_way_out() -> None:
    async def test() -> None:
        async with connected() as peer:
            peer.connection.notify("some/notification", {"text": "\ud835 é 𝐀"})
            await peer.connection.drain()
            peer.sink.broken = True
            await peer.connection.drain()
            assert await peer.sink.sent == [
                {
                    "jsonrpc": "2.0",
                    "method": "some/notification",
                    "params": {"text": "\ud835 é 𝐀"},
                }
            ]
            peer.connection.close()
            assert peer.sink.closed

    run(test)
