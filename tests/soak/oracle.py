"""What must be answered: by an index built from scratch for the tree as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from indexer.build import BuildOptions, build, own_servers
from indexer.files import resolve_root
from query.contract import find_json, outline_json
from query.service import Scope, Service
from tests.support.indexing import Notes, content, instant_servers

COMPARED = ("results", "total", "truncated", "reason", "symbols", "errorCode", "documentUri")


_UNIT = 9
"""Place of the name that an outline is stored under, in a row of a file."""


class Oracle:
    """Builds a new index of the tree each time, and asks it."""

    def __init__(self, root: Path, scratch: Path, *, real: bool) -> None:
        self._root = root
        self._db = scratch / "oracle.db"
        self._real = real
        self._outliner = own_servers if real else instant_servers

    @contextmanager
    def answers(self) -> Iterator[Answers]:
        """Build, and yield what answers."""
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._db}{suffix}").unlink(missing_ok=True)
        root = resolve_root(str(self._root))
        build([root], str(self._db), BuildOptions(outliner=self._outliner), Notes())
        with Service(Scope((root,), str(self._db))) as service:
            yield Answers(service, self.content(self._db))

    def content(self, db: Path) -> dict[str, Any]:
        """All that an index says, as far as two runs must agree.

        The real jdt.ls may answer too late for the fast route, and an outline of the sure route is
        stored under the file's name: the same outline.
        """
        found = content(db)
        if self._real:
            found["files"] = [(*row[:_UNIT], *row[_UNIT + 1 :]) for row in found["files"]]
        return found


class Answers:
    """The right answers for one state of the tree."""

    def __init__(self, service: Service, content: dict[str, Any]) -> None:
        self._service = service
        self.content = content
        """All that the index says, see `tests.support.indexing.content`."""

    def find(self, query: str) -> dict[str, Any]:
        """Of `find`, as JSON, as far as it does not depend on the time."""
        return compared(find_json(self._service.find(query, limit=0)))

    def outline(self, path: str) -> dict[str, Any]:
        """Of `outline`."""
        return compared(outline_json(self._service.outline(path, limit=0)))

    def names(self) -> list[str]:
        """Of all types."""
        return [hit["name"] for hit in self.find("*").get("results", [])]


def compared(document: dict[str, Any]) -> dict[str, Any]:
    """What of a document is compared; messages tell times."""
    return {key: document[key] for key in COMPARED if key in document}


def is_true(hit: dict[str, Any]) -> bool:
    """True when the line of a hit holds its name: what must hold whatever happens meanwhile."""
    start, end = hit["selectionRange"]["startLine"], hit["selectionRange"]["endLine"]
    try:
        text = Path(hit["file"]).read_bytes().decode("utf-8-sig", "replace")
    except OSError:
        return False
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return any(hit["name"] in line for line in lines[start - 1 : end])
