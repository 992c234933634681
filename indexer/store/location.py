"""Where an index lies when nobody says otherwise: one per repository, in the user's cache folder.

All worktrees of a git repository share one, because they share git's common folder. Runs no git.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import xxhash

from indexer.errors import IndexMissing, IndexUnusable
from indexer.files import Root, Unsteady, read


def default_db(root: str) -> str:
    """Return the path of the index for the workspace folder `root` (an absolute path)."""
    identity = repository(root) or os.path.realpath(root)
    name = os.path.basename(identity)
    if name in ("", ".git"):
        name = os.path.basename(os.path.dirname(identity))
    readable = "".join(char if char.isalnum() or char in "-_." else "_" for char in name)[:40]
    digest = xxhash.xxh3_64_hexdigest(os.fsencode(identity))
    return os.path.join(cache_folder(), f"{readable}-{digest}", "index.db")


def index_command(roots: Sequence[Root], db: str) -> str:
    """Return the command that indexes `roots` into `db`, for messages; quoted for a POSIX shell."""
    import shlex

    command = ["javadex", "index"]
    for root in roots:
        is_plain = root.name == os.path.basename(root.path)
        command.append(root.path if is_plain else f"{root.name}={root.path}")
    if db != default_db(roots[0].path):
        command += ["--db", db]
    return shlex.join(command)


def look_for_index(path: str) -> None:
    """Raise `IndexMissing` when nothing is at `path`, `IndexUnusable` when that can be no index."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        raise IndexMissing(
            f"there is no index at {path} yet; run `javadex index` with the same --root and --db"
        ) from None
    except OSError as exc:
        raise IndexUnusable(
            f"the index {path} cannot be reached: {exc.strerror}; "
            "mend the permissions of its folder, or name another index with --db"
        ) from exc
    if not os.path.isfile(path):
        kind = "a folder" if os.path.isdir(path) else "no file"
        raise IndexUnusable(f"{path} is {kind}, not an index; name a file with --db")


def cache_folder() -> str:
    """Return the user's cache folder for javadex."""
    on_linux: bool = sys.platform == "linux"
    if on_linux:  # the answer of platformdirs, without the 10 ms of its import
        base = os.environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache")
        return os.path.join(base, "javadex")
    from platformdirs import user_cache_dir

    return user_cache_dir("javadex", appauthor=False)


def repository(folder: str) -> str | None:
    """Return git's common folder for `folder`, None outside a repository.

    Follows the `.git` file of a worktree to the repository it belongs to (gitrepository-layout(5)).
    """
    folder = os.path.realpath(folder)
    while True:
        dot_git = os.path.join(folder, ".git")
        if os.path.isdir(dot_git):
            return dot_git
        if os.path.isfile(dot_git):
            return _linked(dot_git)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _linked(dot_git: str) -> str | None:
    """Common folder that the `.git` file of a worktree or submodule leads to."""
    marker, _, git_dir = _first_line(dot_git).partition("gitdir:")
    git_dir = git_dir.strip()
    if marker or not git_dir:
        return None
    git_dir = os.path.join(os.path.dirname(dot_git), git_dir)
    common = _first_line(os.path.join(git_dir, "commondir"))
    return os.path.realpath(os.path.join(git_dir, common))


def _first_line(path: str) -> str:
    try:
        data = read(path).data  # waits for no pipe that a hostile repository put there
    except (OSError, Unsteady):
        return ""
    return data.partition(b"\n")[0].decode("utf-8", "surrogateescape").strip()
