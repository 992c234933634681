"""The JSON-RPC reader under damaged streams, and waiters whose peer talks nonsense.

Whatever comes: it ends, in messages or in the error for a broken stream; what was whole is read as
it was sent; nothing is kept but what came; and every waiter gets its answer or an error.
"""

from __future__ import annotations

import asyncio
import json
import random
import tracemalloc
from collections import Counter, deque
from typing import Any

from indexer.errors import ServerDied, ServerError
from indexer.jdtls.rpc import BrokenStream, Connection, read_message

SECONDS = 5.0
"""For one stream; it is far from that."""

ODD: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1.0, 1.5, 1e400, 10**30, "", "x", "\ud800", [], {}, [[]]),
    *({"a": None}, "0", "1", float("nan"), [None], "é" * 300, "\0"),
)
"""Values that no peer sends where they are put."""

_LENGTHS = ("-1", "+5", "1_0", "0x10", "1.0", "99999999999999999999", "x", "", "0", "٣", "1" * 5000)
_NOISE = (b"a JVM says something\n", b": \n", b"\xff\xfe\r\n", b"Content-Length\r\n", b"\x1b[0m\n")
_MEMORY_EVERY = 50
_WAITERS = 4


def one_stream(chance: random.Random, counts: Counter[str]) -> None:
    """Read a stream that is whole at first, then damaged."""
    messages = [_message(chance) for _ in range(chance.randrange(1, 6))]
    messages = [{} if message is None else message for message in messages]  # null is no message
    whole = [_framed(message, chance) for message in messages]
    good = chance.randrange(len(whole) + 1)
    rest = _damaged(b"".join(whole[good:]), chance) if good < len(whole) else b""
    stream = b"".join(whole[:good]) + rest
    if chance.randrange(_MEMORY_EVERY):
        found, error = _ended(stream)
    else:
        found, error = _measured(stream)
    expected = [json.loads(json.dumps(message)) for message in messages[:good]]
    assert repr(found[:good]) == repr(expected), (stream, found)
    if good == len(whole):
        assert (len(found), error) == (good, None), (stream, found, error)
    counts[type(error).__name__ if error else "ended"] += 1


def _ended(stream: bytes) -> tuple[list[Any], Exception | None]:
    return asyncio.run(asyncio.wait_for(_read(stream), SECONDS))


def _measured(stream: bytes) -> tuple[list[Any], Exception | None]:
    """What was read, with what it took: as many bytes as came, never as many as were announced."""
    tracemalloc.start()
    try:
        ended = _ended(stream)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # A list in a list takes 64 bytes for each bracket.
    assert taken < 4_000_000 + 100 * len(stream), (stream, taken)
    return ended


async def _read(stream: bytes) -> tuple[list[Any], Exception | None]:
    reader = asyncio.StreamReader(limit=1 << 16)
    reader.feed_data(stream)
    reader.feed_eof()
    found: list[Any] = []
    noise: deque[str] = deque(maxlen=20)
    try:
        while (message := await read_message(reader, noise)) is not None:
            found.append(message)
    except BrokenStream as exc:
        return found, exc
    return found, None


def one_connection(chance: random.Random, counts: Counter[str]) -> None:
    """Have waiters on a connection whose peer sends odd messages, one time in two also damaged."""
    messages = [_message(chance) for _ in range(chance.randrange(10))]
    frames = [_framed(message, chance) for message in messages]
    is_whole = chance.random() < 0.5
    if not is_whole:
        frames = [_damaged(f, chance) if chance.random() < 0.3 else f for f in frames]
    ends, error, replies = asyncio.run(asyncio.wait_for(_talk(b"".join(frames)), SECONDS))
    if is_whole:
        assert (ends, error is None, replies) == _as_it_should(messages), (messages, ends, replies)
    counts["connection: broken" if error else "connection: ended"] += 1
    counts.update(f"waiter: {end.partition(' ')[0]}" for end in ends)


async def _talk(stream: bytes) -> tuple[list[str], Exception | None, list[str]]:
    """How each waiter ended, how the connection did, and what it replied to requests."""
    reader, sink = asyncio.StreamReader(limit=1 << 16), _Sink()
    connection = Connection(reader, sink, {"known/method": lambda params: params})  # type: ignore[arg-type]
    waiting = [connection.send_request("any", None) for _ in range(_WAITERS)]
    del sink.sent[:]
    reader.feed_data(stream)
    reader.feed_eof()
    error: Exception | None = None
    try:
        await connection.run()
    except BrokenStream as exc:
        error = exc
    connection.fail(ServerDied("the end"))
    ends = []
    for future in waiting:
        try:
            ends.append(f"answered {await future!r}")
        except ServerError as exc:
            ends.append(type(exc).__name__)
    return ends, error, [repr(json.loads(sent.partition(b"\r\n\r\n")[2])) for sent in sink.sent]


def _as_it_should(messages: list[Any]) -> tuple[list[str], bool, list[str]]:
    """What `_talk` comes to when `messages` came whole: JSON-RPC 2.0, in few words."""
    ends, replies = ["ServerDied"] * _WAITERS, list[str]()
    for message in json.loads(json.dumps(messages)):
        number = message.get("id") if isinstance(message, dict) else None
        if not isinstance(message, dict):
            return ends, False, replies
        if "method" in message:
            if not (isinstance(message["method"], str) and isinstance(number, int | str | None)):
                return ends, False, replies
            if "id" in message:
                replies.append(_reply(message))
        elif type(number) is int and 1 <= number <= _WAITERS and ends[number - 1] == "ServerDied":
            is_error = message.get("error") is not None
            ends[number - 1] = "Rejected" if is_error else f"answered {message.get('result')!r}"
    return ends, True, replies


def _reply(request: dict[str, Any]) -> str:
    reply: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] == "known/method":
        return repr(reply | {"result": request.get("params")})
    message = f"no handler for {request['method']}"
    return repr(reply | {"error": {"code": -32601, "message": message}})


class _Sink:
    """Stands for the stream to the peer; keeps what is written."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Take it."""
        self.sent.append(data)


def _message(chance: random.Random) -> Any:
    """A message, often an odd one."""
    kind = chance.randrange(12)
    number = chance.choice((1, 2, 3, 4, 99, chance.choice(ODD)))
    if kind < 6:
        answer = chance.choice((*ODD, {"code": chance.choice(ODD), "message": chance.choice(ODD)}))
        return {"jsonrpc": "2.0", "id": number, chance.choice(("result", "error")): answer}
    if kind < 8:
        method = chance.choice(("known/method", "other", chance.choice(ODD)))
        return {"jsonrpc": "2.0", "method": method, "params": chance.choice((1, [2], {"3": 4}))}
    if kind < 10:
        return {"jsonrpc": "2.0", "method": chance.choice(("known/method", "other")), "id": number}
    if kind == 10:
        return [_message(chance) for _ in range(chance.randrange(3))]  # a batch: LSP has none
    return chance.choice(ODD)


def _framed(message: Any, chance: random.Random) -> bytes:
    body = json.dumps(message, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    name = chance.choice(("Content-Length", "content-length", "CONTENT-LENGTH", "Content-length"))
    lines = [f"{name}:{chance.choice((' ', '', '   '))}{len(body)}\r\n".encode()]
    if chance.random() < 0.2:
        kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
        lines.insert(chance.randrange(2), kind)
    if chance.random() < 0.1:  # the last one counts
        lines.insert(0, b"Content-Length: 7\r\n")
    if chance.random() < 0.2:
        lines.insert(0, chance.choice(_NOISE[:1]))
    return b"".join(lines) + b"\r\n" + body


def _damaged(stream: bytes, chance: random.Random) -> bytes:
    """Flip, cut, repeat, move, insert."""
    data = bytearray(stream)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        at = chance.randrange(len(data) + 1)
        piece = data[at : at + chance.randrange(1, 60)]
        change = chance.randrange(7)
        if change == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif change == 1:
            del data[at : at + chance.choice((1, 10, len(data)))]
        elif change == 2:
            data[at:at] = piece
        elif change == 3:
            to = chance.randrange(len(data) + 1)
            data[to:to] = piece
        elif change == 4:
            data[at:at] = chance.choice((chance.randbytes(chance.randrange(1, 20)), *_NOISE))
        elif change == 5:
            data[at:at] = f"\r\nContent-Length: {chance.choice(_LENGTHS)}\r\n\r\n".encode()
        else:
            data[at:at] = _hostile(chance)
    return bytes(data)


def _hostile(chance: random.Random) -> bytes:
    """A frame that is made to harm: deep, long, or of which nothing comes."""
    depth = chance.choice((50, 970, 980, 985, 990, 5000, 100_000))
    deep = b"[" * depth + b"]" * depth
    body: bytes = chance.choice(
        (
            *(deep, b"[" * depth, b'{"method":"other","id":' + deep + b"}", b"9" * 5000),
            *(b'{"id":1,"result":' + deep + b"}", b"\xff\xfe[\0]\0", b"\xef\xbb\xbf{}", b"{}{}"),
            *(b'{"a":1,"a":2}', b'"\xed\xa0\x80"', b"\xc3", b"-Infinity", b"1e999999", b"\0"),
        )
    )
    length = chance.choice((len(body), len(body), len(body) + 1, 512 * 1024 * 1024))
    return b"\r\nContent-Length: %d\r\n\r\n%b" % (length, body)
