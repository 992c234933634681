"""Bringing the index up to date on the way to an answer. Imported only when something changed."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.build import BuildOptions, build
from indexer.errors import JavadexError
from indexer.files import Root
from indexer.folders import Lookout


class _Quiet:
    """A progress that nobody looks at."""

    def start(self, total: int) -> None:
        """Take no notice."""

    def advance(self, count: int) -> None:
        """Take no notice."""

    def notice(self, message: str) -> None:
        """Take no notice."""


def renew(
    roots: Sequence[tuple[Root, Lookout]], db: str, java: str | None, jdtls: str | None
) -> str:
    """Index `roots` anew, each in the way it was indexed; returns what went wrong, "" for nothing.

    Contents that the index knows cost no server: a branch switch, a rename, a revert.
    """
    problems = []
    for root, lookout in roots:
        options = BuildOptions(
            java=java,
            jdtls=jdtls,
            use_git=lookout.use_git,
            max_file_size=lookout.max_file_size,
            lock_timeout=0,
        )
        try:
            build([root], db, options, _Quiet())
        except JavadexError as exc:
            problems.append(str(exc))
    return "; ".join(problems)
