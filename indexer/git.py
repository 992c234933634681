"""Running git so that it only tells: it writes nothing, fetches nothing, runs nobody's programs."""

from __future__ import annotations

import os
import subprocess
import time

GIT_TIMEOUT = 120.0
"""Seconds for one `git ls-files`; a hanging network file system must not hang us."""

# Set while a hook runs: they lead to another repository, or make another pattern of `*.java`.
_GIT_VARIABLES = frozenset(
    "GIT_" + name
    for name in (
        *("DIR", "WORK_TREE", "INDEX_FILE", "PREFIX", "COMMON_DIR", "OBJECT_DIRECTORY"),
        *("LITERAL_PATHSPECS", "GLOB_PATHSPECS", "NOGLOB_PATHSPECS", "ICASE_PATHSPECS"),
    )
)


class GitTooSlow(Exception):
    """The deadline was over before git had answered."""


class Git:
    """Runs git, each call for at most `GIT_TIMEOUT` seconds, all of them up to a deadline."""

    def __init__(self, deadline: float | None = None) -> None:
        """`deadline` is a time of `time.monotonic()`."""
        self._deadline = deadline

    def __call__(
        self, folder: str, *arguments: str, text: str = ""
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git in `folder`, with `text` for its stdin.

        Raises `OSError` and `subprocess.TimeoutExpired`, and `GitTooSlow` at the deadline.
        """
        if self._deadline is None:
            return _run(folder, arguments, text, GIT_TIMEOUT)
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise GitTooSlow
        try:
            return _run(folder, arguments, text, min(left, GIT_TIMEOUT))
        except subprocess.TimeoutExpired as exc:
            raise GitTooSlow from exc


def _run(
    folder: str, arguments: tuple[str, ...], text: str, seconds: float
) -> subprocess.CompletedProcess[bytes]:
    env = {name: value for name, value in os.environ.items() if name not in _GIT_VARIABLES}
    env["GIT_OPTIONAL_LOCKS"] = "0"  # never write into the user's repository
    # A partial clone would fetch what its index lacks, by programs that its configuration names.
    env["GIT_NO_LAZY_FETCH"] = "1"  # git 2.45 and, of older ones, 2.39.4
    env["GIT_ALLOW_PROTOCOL"] = "none"  # the others: no transport has this name
    return subprocess.run(
        # A hook or monitor named by the repository's own configuration must not run.
        ["git", "-c", "core.fsmonitor=false", *arguments],
        cwd=folder,
        env=env,
        input=os.fsencode(text),
        capture_output=True,
        check=False,
        timeout=seconds,
    )
