"""Bringing the index up to date on the way to an answer. Imported only when something changed."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Sequence
from typing import NamedTuple

from indexer.build import BuildOptions, build
from indexer.errors import JavadexError, ServerTimeout
from indexer.files import Root
from indexer.folders import Lookout
from indexer.jdtls.runtime import Runtime
from indexer.jdtls.source import Outcome, Source
from query.live import ask

LOCK_WAIT = 5.0
"""Seconds to wait for another indexer: a renewal for another question is soon done, and its work is
ours; a whole run is not waited for."""


class Renewal(NamedTuple):
    """What came of it."""

    problem: str
    """What went wrong, "" for nothing."""
    notices: tuple[str, ...]
    """What a run would have told."""
    kept: tuple[str, ...] = ()
    """Roots that were left as they were in the index, which notices say."""


def warm_servers(
    runtime: Runtime, sources: Iterable[Source], options: BuildOptions
) -> Generator[list[Outcome], None, None]:
    """Yield what the warm server, or for many texts own servers, make of `sources`.

    Asks none when the options allow no time: raises `ServerTimeout`.
    """
    if options.time_limit == 0:
        raise ServerTimeout("there are new contents, and no language server may be asked")
    return ask(runtime, sources, options.time_limit)


def _too_late(*_: object) -> Generator[list[Outcome], None, None]:
    raise ServerTimeout("there are new contents, and other folders took all the time for servers")


class _Notices:
    """A progress of which only the notices count."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def start(self, total: int) -> None:
        """Take no notice."""

    def advance(self, count: int) -> None:
        """Take no notice."""

    def notice(self, message: str) -> None:
        """Keep it."""
        self.told.append(message)


def renew(
    roots: Sequence[tuple[Root, Lookout]],
    db: str,
    java: str | None,
    jdtls: str | None,
    time_limit: float,
) -> Renewal:
    """Index `roots` anew, each in the way it was indexed; `time_limit` in seconds for all.

    Contents that the index knows cost no server: a branch switch, a rename, a revert.
    """
    problems, notices, kept = list[str](), _Notices(), list[str]()
    deadline = time.monotonic() + time_limit
    for root, lookout in roots:
        left = max(0.0, deadline - time.monotonic())
        options = BuildOptions(
            java=java,
            jdtls=jdtls,
            use_git=lookout.use_git,
            max_file_size=lookout.max_file_size,
            lock_timeout=min(LOCK_WAIT, left),
            time_limit=left,
            check=False,
            outliner=warm_servers if left or not time_limit else _too_late,
        )
        try:
            report = build([root], db, options, notices)
            kept += [each.root.path for each in report.workspaces if each.kept]
        except JavadexError as exc:
            problems.append(str(exc))
    return Renewal("; ".join(dict.fromkeys(problems)), tuple(notices.told), tuple(kept))
