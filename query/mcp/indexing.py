"""The process that brings the index up to date beside an MCP server, so that answers stay quick.

    python -m query.mcp.indexing JOB

takes a job as JSON and tells on stdout, a JSON object a line, how it gets on: `total`, `done`,
`notice`, and at last `problem`, "" for none. It ends when its stdin does: with its owner.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any

from indexer.build import BuildOptions, build
from indexer.errors import IndexUnusable, JavadexError, UsageError
from indexer.files import Root
from indexer.folders import Lookout
from indexer.limits import MAX_FILE_SIZE
from indexer.store.nearest import widened
from indexer.store.reader import open_reader
from query.mcp.job import Job
from query.renew import warm_servers


class _Lines:
    """A progress that is told as lines: one over all workspace folders."""

    def __init__(self) -> None:
        self._done = self._total = 0

    def start(self, total: int) -> None:
        """Tell how many more files there are."""
        self._total += total
        _tell(total=self._total)

    def advance(self, count: int) -> None:
        """Tell how many have their final state."""
        self._done += count
        _tell(done=self._done)

    def notice(self, message: str) -> None:
        """Tell it."""
        _tell(notice=message)


def _tell(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run the job that the first argument describes."""
    try:
        threading.Thread(target=_end_with_owner, daemon=True).start()
        _run(Job(**json.loads(sys.argv[1])))
    except JavadexError as exc:
        _tell(problem=str(exc))
    except (KeyboardInterrupt, BrokenPipeError):  # the owner is gone, nobody reads
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    else:
        _tell(problem="")


def _run(job: Job) -> None:
    lines = _Lines()
    for root, lookout in _folders(job):
        options = BuildOptions(
            java=job.java,
            jdtls=job.jdtls,
            use_git=lookout.use_git,
            max_file_size=lookout.max_file_size,
            retry_failed=job.retry_failed,
            time_limit=None if job.asks_servers else 0.0,
            outliner=warm_servers,
        )
        build([root], job.db, options, lines)


def _end_with_owner() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        pass
    os.kill(os.getpid(), signal.SIGINT)  # as Ctrl-C does: servers are ended, the index is closed


def _folders(job: Job) -> list[tuple[Root, Lookout]]:
    """The folders to index, each in the way that it was indexed last."""
    roots: Sequence[Root] = [Root(path, name) for path, name in job.roots]
    known: dict[str, Lookout] = {}
    try:
        reader = open_reader(job.db)
    except IndexUnusable:
        pass  # missing, or the run says what is wrong with it
    else:
        try:
            roots = roots if job.explicit else widened(roots, reader)
            known = {each.root: reader.lookout(each.id) for each in reader.workspaces()}
        finally:
            reader.close()
    if not job.explicit and any(_is_home(root.path) and root.path not in known for root in roots):
        raise UsageError(
            f"no workspace folder was named, and the working directory {roots[0].path} is too wide "
            "to be one; start the server in the project, or pass --root or JAVADEX_ROOT"
        )
    return [(root, known.get(root.path, Lookout(True, MAX_FILE_SIZE))) for root in roots]


def _is_home(path: str) -> bool:
    """True for the user's home folder and all around it."""
    home = os.path.realpath(os.path.expanduser("~"))
    return f"{home}/".startswith(path.rstrip("/") + "/")


if __name__ == "__main__":
    main()
