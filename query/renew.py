"""Bringing the index up to date on the way to an answer. Imported only when something changed."""

from __future__ import annotations

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
    kept: bool = False
    """True when a folder was left as it was in the index, which a notice says."""


def warm_servers(
    runtime: Runtime, sources: Iterable[Source], options: BuildOptions
) -> Generator[list[Outcome], None, None]:
    """Yield what the warm server, or for many texts own servers, make of `sources`.

    Asks none when the options allow no time: raises `ServerTimeout`.
    """
    if options.time_limit == 0:
        raise ServerTimeout("there are new contents, and no language server may be asked")
    return ask(runtime, sources, options.time_limit)


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
    """Index `roots` anew, each in the way it was indexed; `time_limit` in seconds for each.

    Contents that the index knows cost no server: a branch switch, a rename, a revert.
    """
    problems, notices, kept = list[str](), _Notices(), False
    for root, lookout in roots:
        options = BuildOptions(
            java=java,
            jdtls=jdtls,
            use_git=lookout.use_git,
            max_file_size=lookout.max_file_size,
            lock_timeout=min(LOCK_WAIT, time_limit),
            time_limit=time_limit,
            check=False,
            outliner=warm_servers,
        )
        try:
            report = build([root], db, options, notices)
            kept = kept or any(workspace.kept for workspace in report.workspaces)
        except JavadexError as exc:
            problems.append(str(exc))
    return Renewal("; ".join(problems), tuple(notices.told), kept)
