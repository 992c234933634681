"""Outlines from one server: texts in, outcomes out, by three routes.

* The changed route (fast): the slots' documents stay open and get each text, with a sentinel, as a
  change. Only an answer that holds its sentinel counts.
* The plain route (sure): the text lies on disk under its real name and is opened, asked for and
  closed. For what the changed route cannot prove: broken or unusual texts, module-info (where a
  class may not stand), and compact source files, whose outline holds the file's name.
* The closed route, for a single text that is not large: it lies on disk with a sentinel, and is
  asked for without being opened, which spares the server's debounce. A server that has not read
  the file yet answers without the sentinel, and is asked again. One that takes notice of it in
  the middle of an answer may leave out what it had not come to: only two equal answers count.

All end each batch with a barrier: nothing is sent before the last answer of the batch is there,
because a change cancels the server's half-done work on the documents before it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import converters, types

from indexer.errors import ServerDied, ServerError, ServerStartFailed, ServerTimeout
from indexer.javachars import is_valid_unit_name
from indexer.javatext import MODULE_INFO, SPECIAL_STEMS, declares_something
from indexer.jdtls import proof, settings, workspace
from indexer.jdtls.convert import UnusableAnswer, outline_from
from indexer.jdtls.rpc import Rejected
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.scratch import Scratch, sweep
from indexer.jdtls.server import Server, ServerOptions, command_line, launch
from indexer.jdtls.source import BATCH, Outcome, Source
from indexer.model import Outline

_CLOSED_MOST = 32 * 1024
"""Characters: jdt.ls takes as long for a closed file as it has symbols, times its length."""

_CLOSED_SECONDS = 0.1
"""How long a server may take to read a changed file, before the text goes another route."""

_PROBE = "class Probe {\n  int ready;\n}\n"
_PROBE_NODES = 2
_CONVERTER = converters.get_converter()


@dataclass(frozen=True, slots=True)
class _Answer:
    outline: Outline = field(default_factory=Outline)
    fault: str = ""


_Notification = (
    types.DidOpenTextDocumentNotification
    | types.DidChangeTextDocumentNotification
    | types.DidCloseTextDocumentNotification
    | types.DidChangeWatchedFilesNotification
)


class Session:
    """A server with its slots. Make one with `open_session`; use it from one task only."""

    def __init__(
        self,
        server: Server,
        scratch: Scratch,
        slots: workspace.SlotWorkspace,
        answer_timeout: float,
    ) -> None:
        self._server = server
        self._scratch = scratch
        self._slots = slots
        self._answer_timeout = answer_timeout
        self._versions: dict[str, int] = {}
        self._placed = 0

    @property
    def pid(self) -> int:
        """Process id of the server."""
        return self._server.pid

    async def close(self) -> None:
        """End the server and delete its workspace."""
        try:
            await self._server.stop()
        finally:
            self._scratch.remove()  # not in a thread: a second cancellation would call it off

    async def outlines(self, batch: Sequence[Source], done: list[Outcome]) -> None:
        """Add the outcome of every source of `batch` (at most `BATCH`) to `done`.

        Raises `ServerDied` or `ServerTimeout`; outcomes that were sure by then are in `done`.
        """
        if len(batch) == 1 and (outcome := await self._closed(batch[0])):
            done.append(outcome)
            return
        unproven = await self._by_change(batch, done)
        doubtful = await self._plain(unproven, done, {})
        if doubtful:
            await self._plain(list(doubtful), done, doubtful)

    async def prove_ready(self, timeout: float) -> None:
        """Wait until the server outlines a known text rightly; `timeout` in seconds.

        ServiceReady is sent before the project can answer; an early answer is empty.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout
        probe = Source("probe", "Probe", _PROBE)
        while True:
            done: list[Outcome] = []
            await self._by_change([probe], done)
            if done and done[0].outline and done[0].outline.node_count == _PROBE_NODES:
                return
            if loop.time() > deadline:
                raise ServerStartFailed(
                    f"the language server (pid {self.pid}) says it is ready, but after "
                    f"{timeout:g} s it still gives no outline for a two-line class"
                )
            await asyncio.sleep(0.1)

    async def _closed(self, source: Source) -> Outcome | None:
        """The closed route; None for what does not fit or was not proven."""
        if len(source.text) > _CLOSED_MOST or source.stem in SPECIAL_STEMS:
            return None
        if not proof.takes_sentinel(source.text):
            return None
        name = f"Jdx{secrets.token_hex(8)}"
        try:
            uri = self._slots.rewrite(proof.with_sentinel(source.text, name)).as_uri()
        except ServerError:  # a full disk: the changed route needs none
            return None
        self._notify(_did_change_on_disk(uri))
        deadline = asyncio.get_running_loop().time() + _CLOSED_SECONDS
        before: Outline | None = None
        while True:
            async for _, answer in self._answers([uri]):
                outline = proof.cut_sentinel(answer.outline, source.text, name)
            if outline is not None and outline == before and not outline.dropped:
                return None if _doubt(outline, source.text) else Outcome(source, outline)
            if asyncio.get_running_loop().time() > deadline:
                return None
            if outline is None:
                await asyncio.sleep(_CLOSED_SECONDS / 40)
            before = outline

    async def _by_change(self, batch: Sequence[Source], done: list[Outcome]) -> list[Source]:
        """The changed route; returns what it did not prove."""
        eligible: list[Source] = []
        unproven: list[Source] = []
        for source in batch:
            fits = source.stem != MODULE_INFO and proof.takes_sentinel(source.text)
            (eligible if fits else unproven).append(source)
        names = [f"Jdx{secrets.token_hex(8)}" for _ in eligible]
        uris = [self._slots.uri(slot, source.stem) for slot, source in enumerate(eligible)]
        for uri, source, name in zip(uris, eligible, names, strict=True):
            self._change(uri, proof.with_sentinel(source.text, name))
        async for index, answer in self._answers(uris):
            source = eligible[index]
            outline = proof.cut_sentinel(answer.outline, source.text, names[index])
            if outline is not None and not _doubt(outline, source.text):
                done.append(Outcome(source, outline, by_name=source.stem in SPECIAL_STEMS))
            else:
                unproven.append(source)
        return unproven

    async def _plain(
        self, batch: Sequence[Source], done: list[Outcome], before: dict[Source, _Answer]
    ) -> dict[Source, _Answer]:
        """The plain route; returns the answers that must be asked for once more.

        `before` holds the first answers of a second asking: then every source gets its outcome. Two
        equal answers are the server's word, only emptiness against the text is never believed.
        """
        again: dict[Source, _Answer] = {}
        placed = [self._place(source) for source in batch]
        uris = [path.as_uri() for path, _ in placed]
        for uri, source in zip(uris, batch, strict=True):
            self._open(uri, source.text)
        async for index, answer in self._answers(uris):
            source, stand_in = batch[index], placed[index][1]
            answer = _Answer(_renamed(answer.outline, stand_in, source.stem), answer.fault)
            doubt = answer.fault or _doubt(answer.outline, source.text)
            settled = answer == before.get(source) and not answer.fault and bool(answer.outline)
            if not doubt or settled:
                done.append(Outcome(source, answer.outline, by_name=True))
            elif source in before:
                done.append(Outcome(source, reason=doubt))
            else:
                again[source] = answer
        for path, _ in placed:
            self._notify(_did_close(path.as_uri()))
            path.unlink(missing_ok=True)
        return again

    def _place(self, source: Source) -> tuple[Path, str]:
        """Write the source's file; returns its path and the stem it got there."""
        self._placed += 1
        stem = source.stem if is_valid_unit_name(source.stem) else f"Jdx{secrets.token_hex(8)}"
        if source.stem in SPECIAL_STEMS:
            stem = source.stem
        return self._slots.place(self._placed, f"{stem}.java", source.text), stem

    async def _answers(self, uris: list[str]) -> AsyncIterator[tuple[int, _Answer]]:
        """Ask for all outlines, yield each as it comes, end when all are there (the barrier).

        Raises `ServerTimeout` when none comes for the answer timeout.
        """
        await self._until_sent()
        pending = {self._ask(uri): index for index, uri in enumerate(uris)}
        while pending:
            ready, _ = await asyncio.wait(
                pending, timeout=self._answer_timeout, return_when=asyncio.FIRST_COMPLETED
            )
            if not ready:
                raise ServerTimeout(
                    f"the language server (pid {self.pid}) gave no outline "
                    f"for {self._answer_timeout:g} s"
                )
            for future in ready:
                yield pending.pop(future), _answer(future)

    async def _until_sent(self) -> None:
        """Wait for the server to read; one that is slow gets the time, one that has stopped not.

        Raises `ServerTimeout` when it reads nothing for the answer timeout.
        """
        connection = self._server.connection
        while True:
            before = connection.unsent
            try:
                async with asyncio.timeout(self._answer_timeout):
                    return await connection.drain()
            except TimeoutError:
                if connection.unsent >= before:
                    raise ServerTimeout(
                        f"the language server (pid {self.pid}) read nothing of what it was sent "
                        f"for {self._answer_timeout:g} s"
                    ) from None

    def _ask(self, uri: str) -> asyncio.Future[object]:
        params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
        return self._server.connection.send_request(
            types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _CONVERTER.unstructure(params)
        )

    def _change(self, uri: str, text: str) -> None:
        """Make `text` the content of the slot's document, which stays open."""
        version = self._versions[uri] = self._versions.get(uri, 0) + 1
        if version == 1:
            self._open(uri, text)
            return
        document = types.VersionedTextDocumentIdentifier(version, uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self._notify(
            types.DidChangeTextDocumentNotification(
                types.DidChangeTextDocumentParams(document, [change])
            )
        )

    def _open(self, uri: str, text: str) -> None:
        item = types.TextDocumentItem(uri, types.LanguageKind.Java, 1, text)
        self._notify(types.DidOpenTextDocumentNotification(types.DidOpenTextDocumentParams(item)))

    def _notify(self, notification: _Notification) -> None:
        self._server.connection.notify(
            notification.method, _CONVERTER.unstructure(notification.params)
        )


def _did_change_on_disk(uri: str) -> types.DidChangeWatchedFilesNotification:
    event = types.FileEvent(uri, types.FileChangeType.Changed)
    return types.DidChangeWatchedFilesNotification(types.DidChangeWatchedFilesParams([event]))


def _did_close(uri: str) -> types.DidCloseTextDocumentNotification:
    identifier = types.TextDocumentIdentifier(uri)
    return types.DidCloseTextDocumentNotification(types.DidCloseTextDocumentParams(identifier))


def _answer(future: asyncio.Future[object]) -> _Answer:
    """What a request for an outline came to; raises what ends the whole server."""
    try:
        return _Answer(outline_from(future.result()))
    except (Rejected, UnusableAnswer) as exc:
        return _Answer(fault=str(exc))


def _doubt(outline: Outline, text: str) -> str:
    """Why `outline` may not be the one of `text`, or "" when nothing speaks against it."""
    if not outline and declares_something(text):
        return "the language server gives no symbols for a text that declares some"
    misplaced = proof.misplaced_symbol(outline, text)
    if misplaced:
        line = misplaced.selection_range.start.line + 1
        return f"the language server places {misplaced.name!r} on line {line}, where it is not"
    return ""


def _renamed(outline: Outline, stand_in: str, stem: str) -> Outline:
    """Give the implicit class of a compact source file its real name back (JLS 8.1.8)."""
    if stand_in == stem:
        return outline
    symbols = tuple(
        node._replace(name=stem) if node.name == stand_in else node for node in outline.symbols
    )
    return outline._replace(symbols=symbols)


async def open_session(
    runtime: Runtime, options: ServerOptions, answer_timeout: float, slots: int = BATCH
) -> Session:
    """Start a server with `slots` slots and wait until it answers rightly.

    `answer_timeout` is the longest silence, in seconds, while an outline is due.
    Raises `ServerStartFailed`; nothing is left behind then.
    """
    await asyncio.to_thread(sweep)
    try:
        scratch = Scratch()
    except OSError as exc:
        raise ServerStartFailed(f"no temporary folder for the language server: {exc}") from exc
    server: Server | None = None
    try:
        place = workspace.create(scratch.path, slots, runtime.jdtls)
        command = command_line(runtime, options, place.configuration, place.data)
        server = await launch(command, place.root, options.heap)
        await server.initialize(initialize_params(place.project_uri), options.start_timeout)
        session = Session(server, scratch, place, answer_timeout)
        await session.prove_ready(options.start_timeout)
    except BaseException as exc:
        try:
            if server:
                await server.stop()
        finally:
            scratch.remove()
        if isinstance(exc, ServerDied | ServerTimeout):
            raise ServerStartFailed(str(exc)) from exc
        if isinstance(exc, OSError):
            raise ServerStartFailed(
                f"the language server's folder {scratch.path} could not be laid out: {exc}"
            ) from exc
        raise
    return session


def initialize_params(
    root_uri: str, java: Mapping[str, object] = settings.JAVA, **more: object
) -> dict[str, object]:
    """Return the `initialize` parameters of a server for one workspace folder.

    `java` are its settings, those of an outline server unless others are given; `more` are further
    initializationOptions. Full ranges come only with hierarchicalDocumentSymbolSupport, deprecation
    only with the tagSupport of documentSymbol.
    """
    symbols = types.DocumentSymbolClientCapabilities(
        hierarchical_document_symbol_support=True,
        tag_support=types.ClientSymbolTagOptions([types.SymbolTag.Deprecated]),
    )
    params = types.InitializeParams(
        process_id=os.getpid(),
        root_uri=root_uri,
        capabilities=types.ClientCapabilities(
            text_document=types.TextDocumentClientCapabilities(document_symbol=symbols)
        ),
        initialization_options={
            "workspaceFolders": [root_uri],
            "settings": {"java": java},
            **more,
        },
    )
    unstructured: dict[str, object] = _CONVERTER.unstructure(params)
    return unstructured
