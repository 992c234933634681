"""The installed command with a terminal as its stdout."""

from __future__ import annotations

import errno
import os
import pty
import subprocess
import sysconfig
from pathlib import Path

from tests.support.cli import TIMEOUT, Javadex, Result


def run_on_terminal(
    javadex: Javadex, *arguments: object, cwd: Path | None = None, env: dict[str, str] | None = None
) -> Result:
    """Run the command to its end; stdout is what a terminal was sent, lines end with `\\n`."""
    master, slave = pty.openpty()
    try:
        with subprocess.Popen(
            [os.path.join(sysconfig.get_path("scripts"), "javadex"), *map(str, arguments)],
            cwd=cwd or javadex.folder,
            env=javadex.env | {"TERM": "xterm"} | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=slave,
            stderr=subprocess.PIPE,
        ) as process:
            os.close(slave)
            sent = _all_of(master)
            _, stderr = process.communicate(timeout=TIMEOUT)
    finally:
        os.close(master)
    return Result(process.returncode, sent.decode().replace("\r\n", "\n"), stderr.decode())


def _all_of(terminal: int) -> bytes:
    parts = []
    try:
        while part := os.read(terminal, 4096):
            parts.append(part)
    except OSError as exc:  # Linux: how a terminal ends whose other side was closed (pty(7))
        if exc.errno != errno.EIO:
            raise
    return b"".join(parts)
