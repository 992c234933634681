"""A short run of every fuzzer, and what the long ones (`make fuzz`) have found."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from indexer.jdtls.rpc import BrokenStream, Connection
from query.contract import ErrorCode, ToolError, error_json
from tests.fuzz.contract import Tools
from tests.fuzz.run import NAMES, fuzz
from tests.support.indexing import InstantServer


@pytest.mark.parametrize("seed", [1, 2])
def test_all_fuzzers_for_a_moment(tmp_path: Path, server: InstantServer, seed: int) -> None:
    found = {name: (inputs, counts) for name, inputs, counts in fuzz(tmp_path, seed, 0.6)}
    assert tuple(found) == NAMES
    for name, (inputs, counts) in found.items():
        assert inputs > 20, name
        assert len(counts) > 1, (name, counts)


def _run(body: bytes, sent: list[bytes]) -> asyncio.Future[Any]:
    """Give a connection with one waiter a message; returns what the waiter waits for."""

    class Sink:
        def write(self, data: bytes) -> None:
            sent.append(data)

    async def run() -> asyncio.Future[Any]:
        reader = asyncio.StreamReader()
        reader.feed_data(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        reader.feed_eof()
        connection = Connection(reader, Sink(), {})  # type: ignore[arg-type]
        waiting = connection.send_request("any", None)
        await connection.run()
        return waiting

    return asyncio.run(run())


def test_true_is_not_the_first_request() -> None:
    assert not _run(b'{"id":true,"result":"wrong"}', []).done()


def test_a_request_with_an_id_that_is_none_breaks_the_stream() -> None:
    for depth in (1, *range(900, 1000)):  # around what JSON may nest, reading and writing differ
        sent = list[bytes]()
        with pytest.raises(BrokenStream):
            _run(b'{"method":"x","id":' + b"[" * depth + b"]" * depth + b"}", sent)
        assert len(sent) == 1, "there is no reply"


def test_an_error_about_a_name_that_is_no_unicode_is_unicode() -> None:
    document = error_json(ToolError(ErrorCode.FILE_NOT_FOUND, "/a/\udce4.java does not exist"))
    assert json.loads(json.dumps(document, ensure_ascii=False).encode()) == document
    assert document["error"] == r"/a/\udce4.java does not exist"


@pytest.mark.parametrize(
    ("uri", "limit"), [(None, 20), (7, 20), (["A.java"], 20), ("src/shop/Order.java", -1)]
)
def test_an_outline_of_something_impossible(
    tmp_path: Path, server: InstantServer, uri: Any, limit: Any
) -> None:
    tools = Tools(tmp_path)
    with tools.service as service:
        answer = service.outline(uri, limit=limit)
    assert isinstance(answer, ToolError)
    assert answer.code is ErrorCode.INVALID_PARAMETER
