"""The folder for temporary files."""

from __future__ import annotations

import os
import tempfile


def temporary_folder() -> str:
    """Return the absolute path of the folder that `tempfile` would choose, writing nothing there.

    `tempfile.gettempdir` tries a folder by writing a file, which a kill at that moment leaves
    behind for good. This looks at rights alone; where TMPDIR, TEMP, TMP and /tmp are of no use it
    does ask `tempfile`. As there, what was chosen stays so in this process, for all that use
    `tempfile`. Raises `OSError` when there is no such folder.
    """
    if tempfile.tempdir is None:
        for folder in (*map(os.environ.get, ("TMPDIR", "TEMP", "TMP")), "/tmp"):  # noqa: S108
            if folder and os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
                tempfile.tempdir = os.path.abspath(folder)
                break
    return tempfile.gettempdir()
