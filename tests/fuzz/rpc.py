"""The JSON-RPC reader under damaged streams, and the reading of outlines in damaged answers.

Whatever comes: it ends, in messages or in the error for a broken stream; what was whole is read as
it was sent; and every waiter gets its answer or an error.
"""

from __future__ import annotations

import asyncio
import copy
import json
import random
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from indexer.errors import ServerDied, ServerError
from indexer.jdtls.convert import UnusableAnswer, outline_from
from indexer.jdtls.rpc import BrokenStream, Connection, read_message
from indexer.model import Symbol
from tests.fakes.server import outline as toy_outline

SECONDS = 5.0
"""For one stream; it is far from that."""

_ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, 1e400, 10**30, "", "x", "\ud800", [], {}, [[]], {"a": None}),
    *("0", float("nan"), [None], "é" * 300),
)


def one_stream(chance: random.Random, counts: Counter[str]) -> None:
    """Read one damaged stream."""
    messages = [_message(chance) for _ in range(chance.randrange(1, 6))]
    messages = [{} if message is None else message for message in messages]
    whole = [_framed(message, chance) for message in messages]
    good = chance.randrange(len(whole) + 1)
    rest = b"".join(whole[good:])
    stream = b"".join(whole[:good]) + _damaged(rest, chance)
    found, error = asyncio.run(asyncio.wait_for(_read(stream, chance), SECONDS))
    expected = [json.loads(json.dumps(message)) for message in messages[:good]]
    assert repr(found[:good]) == repr(expected), (stream, found)
    counts[type(error).__name__ if error else "ended"] += 1


async def _read(stream: bytes, chance: random.Random) -> tuple[list[Any], Exception | None]:
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
    """Have waiters on a connection whose peer talks nonsense."""
    asyncio.run(asyncio.wait_for(_waiters(chance, counts), SECONDS))


async def _waiters(chance: random.Random, counts: Counter[str]) -> None:
    reader = asyncio.StreamReader(limit=1 << 16)
    connection = Connection(reader, _Sink(), {"known/method": lambda params: params})  # type: ignore[arg-type]
    waiting = [connection.send_request("any", None) for _ in range(4)]
    for _ in range(chance.randrange(8)):
        frame = _framed(_message(chance), chance)
        reader.feed_data(_damaged(frame, chance) if chance.random() < 0.3 else frame)
    reader.feed_eof()
    try:
        await connection.run()
    except BrokenStream as exc:
        counts[f"connection: {type(exc).__name__}"] += 1
    connection.fail(ServerDied("the end"))
    for future in waiting:
        try:
            await future
            counts["waiter: answered"] += 1
        except ServerError as exc:
            counts[f"waiter: {type(exc).__name__}"] += 1


class _Sink:
    def write(self, _data: bytes) -> None:
        """Take it."""


def _message(chance: random.Random) -> Any:
    """A message, often an odd one."""
    message: dict[str, Any] = {"jsonrpc": "2.0"}
    kind = chance.randrange(6)
    if kind < 3:
        message |= {"id": chance.choice((1, 2, 3, 4, 99, *_ODD))}
        message[chance.choice(("result", "error"))] = chance.choice(
            (*_ODD, {"code": chance.choice(_ODD), "message": chance.choice(_ODD)})
        )
    elif kind == 3:
        message |= {"method": chance.choice(("known/method", "other", *_ODD)), "params": 1}
    elif kind == 4:
        message |= {"method": "known/method", "id": chance.choice(_ODD)}
    else:
        return chance.choice(_ODD)
    return message


def _framed(message: Any, chance: random.Random) -> bytes:
    body = json.dumps(message).encode()
    name = chance.choice(("Content-Length", "content-length", "CONTENT-LENGTH"))
    head = f"{name}: {len(body)}\r\n"
    if chance.random() < 0.2:
        head = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + head
    if chance.random() < 0.2:
        head = "a JVM says something\n" + head
    return head.encode() + b"\r\n" + body


def _damaged(stream: bytes, chance: random.Random) -> bytes:
    """Flip, cut, repeat, insert."""
    data = bytearray(stream)
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(data) + 1)
        change = chance.randrange(6)
        if change == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif change == 1:
            del data[at:]
        elif change == 2:
            data[at:at] = data[at : at + chance.randrange(1, 40)]
        elif change == 3:
            data[at:at] = chance.randbytes(chance.randrange(1, 20))
        elif change == 4:
            length = chance.choice(
                ("-1", "1_0", "99999999999999999999", "x", "", "0", "٣", "1" * 5000)
            )
            data[at:at] = f"\r\nContent-Length: {length}\r\n\r\n".encode()
        else:
            data[at:at] = b"Content-Length: 100000\r\n\r\n" + b"[" * 100_000
    return bytes(data)


_TEXT = "package a;\nclass A { int x; void m() {} class B { int y; } }\nenum E { }\n"


def one_answer(chance: random.Random, counts: Counter[str]) -> None:
    """Read an outline from a damaged answer to documentSymbol."""
    answer: Any = toy_outline(_TEXT)
    for _ in range(chance.randrange(1, 5)):
        answer = _mutated(answer, chance)
    try:
        found = outline_from(answer)
    except UnusableAnswer:
        counts["answer: unusable"] += 1
        return
    for symbol in found.symbols:
        _check(symbol)
    counts["answer: an outline"] += 1


def _check(symbol: Symbol) -> None:
    assert isinstance(symbol.name, str)
    assert symbol.name, symbol
    places = [*symbol.range, *symbol.selection_range]
    assert all(isinstance(number, int) and number >= 0 for place in places for number in place), (
        symbol
    )
    assert symbol.range.encloses(symbol.selection_range), symbol
    for child in symbol.children:
        _check(child)


def _mutated(answer: Any, chance: random.Random) -> Any:
    """Replace, remove or repeat a part of a document, at any depth."""
    answer = copy.deepcopy(answer)
    spots: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            spots.append((node, key))
            if isinstance(value, dict | list):
                walk(value)

    if not isinstance(answer, dict | list) or chance.random() < 0.03:
        return chance.choice(_ODD)
    walk(answer)
    if not spots:
        return answer
    node, key = chance.choice(spots)
    change: Callable[[], None] = chance.choice(
        (
            lambda: node.__setitem__(key, chance.choice(_ODD)),
            lambda: node.__delitem__(key),
            lambda: node.__setitem__(key, copy.deepcopy(chance.choice(spots)[0])),
        )
    )
    change()
    return answer
