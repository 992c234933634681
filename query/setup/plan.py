"""What a set-up would do to the files of a project, and the doing of it.

A plan is made in full, and every refusal raised, before the first byte is written.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from indexer.errors import UsageError
from query.setup import disk, records
from query.setup.clients import CLIENTS, COMMAND, Client, pieces
from query.setup.disk import Found, look
from query.setup.pieces import Piece
from query.setup.records import Record, digest, splice
from query.setup.texts import CannotEdit


class Action(Enum):
    """What happens to a file."""

    CREATE = "create"
    CHANGE = "change"
    UNCHANGED = "unchanged"
    """It is as it should be."""
    RESTORE = "restore"
    """It gets the exact bytes back that it had."""
    DELETE = "delete"
    KEEP = "keep"
    """Another client that was set up shares it."""
    ABSENT = "absent"
    """There is nothing of ours to undo."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to one file."""

    path: str
    """Below the project, as the client knows it."""
    file: Found
    action: Action
    after: bytes | None
    """Bytes that are to stand there; None: no file."""
    record: Record | None
    """What is to be remembered."""
    note: str = ""
    folders: tuple[str, ...] = ()
    """Folders to delete when they are empty, the outermost first."""

    @property
    def writes(self) -> bool:
        """True when the file does not stay as it is."""
        return self.after != self.file.data


@dataclass(frozen=True, slots=True)
class _Text:
    """A file's text, and whether it begins with a byte order mark."""

    text: str
    mark: bool

    def encode(self, text: str) -> bytes:
        return (codecs.BOM_UTF8 if self.mark else b"") + text.encode()


def plan_write(
    root: str, client: Client, command: tuple[str, ...] = COMMAND, *, force: bool = False
) -> list[Step]:
    """Return what sets `client` up in the project at `root`, a canonical path.

    `force` replaces what others wrote in our place. Raises `UsageError`.
    """
    return _plan(root, client, command, _writing, force)


def plan_undo(
    root: str, client: Client, command: tuple[str, ...] = COMMAND, *, force: bool = False
) -> list[Step]:
    """Return what takes the set-up of `client` out of the project at `root`, a canonical path.

    `force` takes out what others wrote in our place. Raises `UsageError`.
    """
    return _plan(root, client, command, _undoing, force)


class _Place(NamedTuple):
    """A file that is to be planned for, and what is known of it."""

    root: str
    client: str
    path: str
    file: Found
    piece: Piece
    record: Record | None
    force: bool

    @property
    def untouched(self) -> bool:
        """True when the file is as we left it."""
        record, data = self.record, self.file.data
        return record is not None and data is not None and record.after == digest(data)


def _plan(
    root: str,
    client: Client,
    command: tuple[str, ...],
    step_for: Callable[[_Place], Step],
    force: bool,
) -> list[Step]:
    known = records.load(root)
    steps = []
    for path, piece in pieces(client, command).items():
        file = look(root, path)
        record = known.get(file.path)
        steps.append(step_for(_Place(root, client.name, path, file, piece, record, force)))
    return steps


def carry_out(root: str, steps: list[Step]) -> None:
    """Do what a plan says.

    Raises `UsageError` before the first byte when a file may not be written, and `JavadexError`;
    what was done by then stays and is remembered.
    """
    for step in steps:
        if step.writes:
            disk.check_writable(root, step.file)
    known = records.load(root)
    adding = {step.file.path: step.record for step in steps if step.record}
    # What is needed to undo a change is kept before it, and forgotten after it was undone.
    records.save(root, known | adding)
    for step in steps:
        if step.after is None:
            disk.remove(root, step.file, step.folders)
        elif step.after is not None and step.writes:
            disk.replace(step.file.full, step.after, step.file.data)
    gone = {step.file.path for step in steps if not step.record}
    kept = {path: record for path, record in (known | adding).items() if path not in gone}
    records.save(root, kept)


def _writing(place: _Place) -> Step:
    _, client, path, file, piece, record, force = place
    data = file.data or b""
    found = _found(path, piece, _decoded(path, data))
    clients = tuple(sorted({*(record.clients if record else ()), client}))
    if found == piece.wanted:
        former = record or Record((), digest(data), digest(found))
        return Step(path, file, Action.UNCHANGED, file.data, replace(former, clients=clients))
    ours = found is not None and (piece.marked or _recorded(found, record))
    if found is not None and not ours and not force:
        raise _foreign(path, piece, found, "replace it")
    base = data
    if record and record.splice and place.untouched:
        base = record.splice.undo(data)  # so the way back leads to what was there before us
    after = _edited(path, piece, _decoded(path, base), "put")
    known = record if ours else None
    fresh = Record(
        clients,
        after=digest(after),
        piece=digest(piece.wanted),
        splice=splice(base, after) if not ours or base != data else None,
        created=known.created if known else file.data is None,
        folders=known.folders if known else file.missing,
    )
    action = Action.CREATE if file.data is None else Action.CHANGE
    return Step(path, file, action, after, fresh)


def _undoing(place: _Place) -> Step:
    _, _, path, file, piece, record, force = place
    if file.data is None:
        made = record.folders if record else ()  # a full disk may have left them without a file
        return Step(path, file, Action.ABSENT, None, None, folders=made)
    if others := _others(place):
        remembered = replace(record, clients=others) if record else None
        note = f"{', '.join(others)} has it, too"
        return Step(path, file, Action.KEEP, file.data, remembered, note)
    if record and record.splice and place.untouched:
        if record.created:
            return Step(path, file, Action.DELETE, None, None, folders=record.folders)
        return Step(path, file, Action.RESTORE, record.splice.undo(file.data), None)
    found = _found(path, piece, _decoded(path, file.data))
    if found is None:
        return Step(path, file, Action.ABSENT, file.data, None)
    ours = found == piece.wanted or piece.looks_ours(found) or _recorded(found, record)
    if not ours and not force:
        raise _foreign(path, piece, found, "take it out")
    return _taking_out(place)


def _others(place: _Place) -> tuple[str, ...]:
    """Other clients that need the file: those it was written for here, and those set up anyhow."""
    recorded = place.record.clients if place.record else ()
    sharing = [name for name, other in CLIENTS.items() if _needs(other, place.root, place.file)]
    return tuple(sorted({*recorded, *sharing} - {place.client}))


def _needs(client: Client, root: str, file: Found) -> bool:
    """True when the client is set up, by whomever, and reads the file beside its configuration.

    One whose configuration cannot be read counts as set up.
    """
    (config, server), *beside = pieces(client).items()
    if file.full not in [disk.leads_to(root, path) for path, _ in beside]:
        return False
    try:
        return _found(config, server, _decoded(config, look(root, config).data or b"")) is not None
    except UsageError:
        return True


def _taking_out(place: _Place) -> Step:
    """Without the way back to the byte: what is ours goes, and a file that was nothing else."""
    _, _, path, file, piece, record, _ = place
    data = file.data or b""
    after = _edited(path, piece, _decoded(path, data), "drop")
    created = bool(record and record.created)
    if data == _edited(path, piece, _Text("", mark=False), "put") or (
        created and piece.is_rest(_decoded(path, after).text)
    ):
        folders = record.folders if record and created else _parents(file.path)
        return Step(path, file, Action.DELETE, None, None, folders=folders)
    return Step(path, file, Action.CHANGE, after, None)


def _recorded(found: str, record: Record | None) -> bool:
    """True when setup wrote here what was found, in this version or another."""
    return record is not None and record.piece == digest(found)


def _parents(path: str) -> tuple[str, ...]:
    parts = path.split("/")[:-1]
    return tuple("/".join(parts[:count]) for count in range(1, len(parts) + 1))


def _decoded(path: str, data: bytes) -> _Text:
    mark = data.startswith(codecs.BOM_UTF8)
    try:
        return _Text(data.removeprefix(codecs.BOM_UTF8).decode(), mark)
    except UnicodeDecodeError as exc:
        raise UsageError(f"{path} is not UTF-8 ({exc.reason}); save it as UTF-8") from None


def _found(path: str, piece: Piece, text: _Text) -> str | None:
    try:
        return piece.found(text.text)
    except CannotEdit as exc:
        raise _uneditable(path, exc) from exc


def _edited(path: str, piece: Piece, text: _Text, how: str) -> bytes:
    try:
        edited = piece.put(text.text) if how == "put" else piece.drop(text.text)
    except CannotEdit as exc:
        raise _uneditable(path, exc) from exc
    return text.encode(edited)


def _uneditable(path: str, error: CannotEdit) -> UsageError:
    return UsageError(
        f"{path} is left alone: {error}; mend it, or do by hand what `--print` shows in an "
        "empty folder"
    )


def _foreign(path: str, piece: Piece, found: str, what_for: str) -> UsageError:
    there = piece.tell(found)
    differs = f": it is {there}, and would be {piece.wanted}" if there else ""
    return UsageError(
        f"{piece.what} in {path} is not as javadex wrote it{differs}; change it by hand, or pass "
        f"--force to {what_for}"
    )


@dataclass(frozen=True, slots=True)
class ClientStanding:
    """How a client is set up in a project."""

    client: str
    state: str
    """`none` (no entry in its configuration), `ready`, `partial` (some files lack), `differs` (one
    does not do what javadex wrote does), or `broken` (one cannot be read or edited)."""
    detail: str = ""
    """What lacks, differs or is wrong, and the remedy."""


def standing(root: str) -> list[ClientStanding]:
    """Return how every client is set up in the project at `root`, a canonical path.

    Writes nothing.
    """
    return [_standing(root, client) for client in CLIENTS.values()]


def _standing(root: str, client: Client) -> ClientStanding:
    missing, differing = [], []
    try:
        for path, piece in pieces(client).items():
            file = look(root, path)
            found = _found(path, piece, _decoded(path, file.data or b""))
            if found is None:
                missing.append(path)
            elif found != piece.wanted and not piece.serves(found):
                differing.append(path)
    except UsageError as exc:
        return ClientStanding(client.name, "broken", str(exc))
    remedy = f"run `javadex setup {client.name} --write`"
    if client.config in missing:
        return ClientStanding(client.name, "none", remedy)
    if differing:
        remedy = f"change that by hand, or run `javadex setup {client.name} --write --force`"
        return ClientStanding(client.name, "differs", f"{', '.join(differing)}; {remedy}")
    if missing:
        return ClientStanding(client.name, "partial", f"without {', '.join(missing)}; {remedy}")
    return ClientStanding(client.name, "ready")
