"""What setup did to the files of a project, so that it can be undone to the byte.

Kept in the user's state folder, one file per project, never in the project. It holds hashes, and of
a file what was cut out of it (nothing, as a rule). Damage is a miss: without a record, `--undo`
takes out what it recognises.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from typing import Any

from indexer.errors import JavadexError
from query.setup.disk import replace


@dataclass(frozen=True, slots=True)
class Splice:
    """How to get former bytes back: `length` bytes at `start` become `before`."""

    start: int
    length: int
    before: str
    """Base64."""

    def undo(self, data: bytes) -> bytes:
        """Return the former bytes."""
        cut = base64.b64decode(self.before)
        return data[: self.start] + cut + data[self.start + self.length :]


@dataclass(frozen=True, slots=True)
class Record:
    """What was done to a file."""

    clients: tuple[str, ...]
    """Those that it was done for."""
    after: str
    """Digest of the file as it was left."""
    piece: str
    """Digest of what is ours in it."""
    splice: Splice | None = None
    """The way back; None when there is none to the byte."""
    created: bool = False
    """True when there was no file."""
    folders: tuple[str, ...] = field(default=())
    """Folders that were made for it, the outermost first."""


def digest(content: bytes | str) -> str:
    """Return what a content is recognised by."""
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()


def splice(before: bytes, after: bytes) -> Splice:
    """Return the way from `after` back to `before`."""
    start = _shared(before, after)
    tail = _shared(before[start:][::-1], after[start:][::-1])
    cut = before[start : len(before) - tail]
    return Splice(start, len(after) - tail - start, base64.b64encode(cut).decode("ascii"))


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def load(root: str) -> dict[str, Record]:
    """Return the records of a project by path."""
    try:
        with open(_path(root), encoding="utf-8") as file:
            return {path: _record(item) for path, item in json.load(file)["files"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def save(root: str, records: dict[str, Record]) -> None:
    """Keep the records of a project. Raises `JavadexError`."""
    path = _path(root)
    former = _bytes(path)
    if not records and former is None:
        return
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # what was cut is private
        if not records:
            os.unlink(path)
            return
    except OSError as exc:
        cause = f"{path}, which remembers the way back, cannot be written: {exc.strerror}"
        raise JavadexError(f"{cause}; mend that, or set XDG_STATE_HOME to another folder") from exc
    document = {"root": root, "files": {name: asdict(each) for name, each in records.items()}}
    data = json.dumps(document, indent=1).encode()
    if data != former:
        replace(path, data, former)


def _record(item: dict[str, Any]) -> Record:
    former = item["splice"]
    return Record(
        clients=tuple(item["clients"]),
        after=str(item["after"]),
        piece=str(item["piece"]),
        splice=Splice(**former) if former else None,
        created=bool(item["created"]),
        folders=tuple(item["folders"]),
    )


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _path(root: str) -> str:
    from platformdirs import user_state_dir

    folder = os.path.join(user_state_dir("javadex", appauthor=False), "setup")
    return os.path.join(folder, hashlib.sha256(os.fsencode(root)).hexdigest()[:32] + ".json")
