"""Which Java files a workspace folder has, found without reading one. Knows no server and no SQL.

In a git work tree: what git tracks, and what it neither tracks nor ignores, submodules included.
Elsewhere, and with `use_git=False`: a walk that leaves out hidden folders, `node_modules`, and
build output where the build file that makes it stands beside it. Directory links are not followed;
a link to a file counts when it leads to a file in the same workspace folder.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field

from indexer.files import SUFFIX, FileStat, Root, is_unicode
from indexer.folders import with_ancestors
from indexer.git import Git

NO_NAME = "the file's name is not UTF-8"
"""Reason of a file whose stored path is not its own: its bytes as far as they are UTF-8."""

_NEVER = frozenset({"node_modules", "__pycache__"})
_BUILD_OUTPUT = {
    "target": ("pom.xml", "build.sbt"),
    "build": ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
    "bin": (".classpath", "build.gradle", "build.gradle.kts"),
    "out": (".idea",),
}


@dataclass(frozen=True, slots=True)
class JavaFile:
    """A Java file below a root; `path` is relative, with `/`."""

    path: str
    stat: FileStat


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was left out, and why; `path` is relative to the root."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class FileProblem:
    """What a report says of a file or folder that has no outline, or no longer one."""

    file: str
    """Path below its root."""
    state: str
    """`failed` or `skipped`; of an indexing run also `notice`, of the index also `deleted`."""
    reason: str


@dataclass(slots=True)
class Findings:
    """What a root holds."""

    files: list[JavaFile] = field(default_factory=list)
    skipped: list[Problem] = field(default_factory=list)
    """Java files that cannot be indexed."""
    notices: list[Problem] = field(default_factory=list)
    """Folders that could not be looked into, and other things worth knowing."""
    folders: set[str] = field(default_factory=set)
    """Folders that hold Java files or may get some, below the root; "" is the root itself."""


def discover(
    root: Root, *, use_git: bool = True, max_bytes: int = 0, git: Git | None = None
) -> Findings:
    """Return the Java files of `root`, sorted by path, with what was left out.

    Files of more than `max_bytes` bytes are skipped; 0 means no limit. Raises `GitTooSlow` when
    `git` has a deadline that is over.
    """
    findings = Findings()
    listed = _git_paths(git or Git(), root.path, findings) if use_git else None
    paths = _walk(root.path, findings) if listed is None else listed
    for path in sorted(paths):
        _examine(root.path, path, max_bytes, findings)
    return findings


def examine(root: str, path: str, max_bytes: int) -> Findings:
    """Return what `discover` makes of one path below `root`: a file, a skipped one, or nothing."""
    findings = Findings()
    _examine(root, path, max_bytes, findings)
    return findings


def not_left_out(root: str, paths: list[str], *, use_git: bool, git: Git) -> list[str]:
    """Return those of `paths` that `discover` may look at; folders have a slash at their end.

    Raises `GitTooSlow` as `discover` does.
    """
    wanted = [path for path in paths if path.rstrip("/").rpartition("/")[2] != ".git"]
    if use_git and _in_work_tree(root):
        ignored = _ignored(git, root, wanted)
        return [path for path in wanted if path.rstrip("/") not in ignored]
    return [path for path in wanted if not (path.endswith("/") and _walk_leaves_out(root, path))]


def _walk_leaves_out(root: str, folder: str) -> bool:
    above, _, name = folder.rstrip("/").rpartition("/")
    try:
        siblings = set(os.listdir(f"{root}/{above}"))
    except OSError:
        return True
    return _left_out(name, siblings)


def _examine(root: str, path: str, max_bytes: int, findings: Findings) -> None:
    full = f"{root}/{path}"
    try:
        if not is_unicode(path):
            path = os.fsencode(path).decode("utf-8", "replace")
            raise _Unfit(NO_NAME)
        status = os.lstat(full)
        if stat.S_ISDIR(status.st_mode):
            return  # git calls the file that was here deleted, and so do we
        if stat.S_ISLNK(status.st_mode):
            status = _linked_status(root, full)
        if not stat.S_ISREG(status.st_mode):
            raise _Unfit("no regular file")
        if max_bytes and status.st_size > max_bytes:
            raise _Unfit(f"{status.st_size} bytes, the limit is {max_bytes} (--max-file-size)")
    except (FileNotFoundError, NotADirectoryError):
        return  # tracked by git, but deleted; or gone while we looked
    except (OSError, _Unfit) as exc:
        reason = exc.strerror if isinstance(exc, OSError) else str(exc)
        findings.skipped.append(Problem(path, reason or str(exc)))
    else:
        findings.files.append(JavaFile(path, FileStat.of(status)))


class _Unfit(Exception):
    """A path that is no file to index; says why."""


def _linked_status(root: str, full: str) -> os.stat_result:
    target = os.path.realpath(full)
    if not target.startswith(root.rstrip("/") + "/"):
        raise _Unfit("a link that leads outside the workspace folder")
    try:
        return os.stat(full)
    except FileNotFoundError as exc:
        raise _Unfit("a link that leads nowhere") from exc


def _walk(root: str, findings: Findings) -> Iterator[str]:
    pending = [""]
    while pending:
        folder = pending.pop()
        findings.folders.add(folder)
        try:
            with os.scandir(f"{root}/{folder}") as scan:
                entries = list(scan)
        except OSError as exc:
            findings.notices.append(Problem(folder or ".", f"not looked into: {exc.strerror}"))
            continue
        names = {entry.name for entry in entries}
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if _is_folder(entry):
                if not _left_out(entry.name, names):
                    pending.append(path)
            elif entry.name.endswith(SUFFIX):
                yield path
            elif entry.is_symlink() and os.path.isdir(entry.path):
                findings.notices.append(Problem(path, "not looked into: a link to a folder"))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _left_out(name: str, siblings: set[str]) -> bool:
    if name.startswith(".") or name in _NEVER:
        return True
    return any(maker in siblings for maker in _BUILD_OUTPUT.get(name, ()))


def _git_paths(git: Git, root: str, findings: Findings) -> set[str] | None:
    """Paths by git, or None where git has no say (no work tree, no git, git refuses)."""
    if not _in_work_tree(root):
        return None
    try:
        paths, notices = _listed(git, root)
        if not paths and _is_ignored(git, root):
            reason = "the repository around it ignores this folder, so it was walked"
            findings.notices.append(Problem(".", reason))
            return None
        findings.notices += notices
        known = {"": False}
        paths = {path for path in paths if not _behind_link(root, path, known)}
        findings.folders = _git_folders(git, root, paths)
        return paths
    except (OSError, subprocess.SubprocessError) as exc:
        stderr = (getattr(exc, "stderr", None) or b"").decode("utf-8", "replace").strip()
        cause = stderr.splitlines()[0] if stderr else str(exc)
        reason = f"git could not list the files, so the folder was walked: {cause}"
        findings.notices.append(Problem(".", reason))
        return None


def _in_work_tree(folder: str) -> bool:
    """True when `folder` or one above it holds a `.git`."""
    while not os.path.exists(f"{folder}/.git"):
        parent = os.path.dirname(folder)
        if parent == folder:
            return False
        folder = parent
    return True


def _listed(git: Git, folder: str, above: str = "") -> tuple[set[str], list[Problem]]:
    """Tracked and untracked-not-ignored Java files below `folder`, submodules included.

    Their paths, and those of repositories not looked into, with `above` before them.
    """
    paths, notices = set[str](), list[Problem]()
    for entry in _ls_files(git, folder, "--stage"):
        mode, _, path = entry.partition("\t")
        if mode.startswith("160000 "):
            below, more = _listed_module(git, f"{folder}/{path}", above + path)
            paths |= below
            notices += more
        elif path.endswith(SUFFIX):
            paths.add(above + path)
    # The second pattern is for repositories within this one: of all that is untracked, git names
    # only these with a slash at the end.
    untracked = ("--others", "--exclude-standard", "--", f"*{SUFFIX}", "*/")
    for path in _ls_files(git, folder, *untracked):
        if path.endswith("/"):
            notices.append(_not_looked_into(above + path, _OWN_REPOSITORY))
        else:
            paths.add(above + path)
    return paths, notices


def _listed_module(git: Git, folder: str, path: str) -> tuple[set[str], list[Problem]]:
    if os.path.exists(f"{folder}/.git"):
        return _listed(git, folder, f"{path}/")
    return set(), [_not_looked_into(path, _NOT_CHECKED_OUT)]


_OWN_REPOSITORY = "a git repository of its own; index it by its own --root"
_NOT_CHECKED_OUT = "a submodule that is not checked out"


def _not_looked_into(path: str, reason: str) -> Problem:
    readable = os.fsencode(path.rstrip("/")).decode("utf-8", "replace")
    return Problem(readable, f"not looked into: {reason}")


def _git_folders(git: Git, root: str, paths: set[str]) -> set[str]:
    """The folders of `paths`, those around them, and all others that git does not ignore."""
    known = with_ancestors(path.rpartition("/")[0] for path in paths)
    pending = sorted(known)
    while pending:
        others = [folder for above in pending for folder in _subfolders(root, above)]
        others = [folder for folder in others if folder not in known]
        ignored = _ignored(git, root, [f"{folder}/" for folder in others])
        pending = [folder for folder in others if folder not in ignored]
        known.update(pending)
    return known


def _subfolders(root: str, folder: str) -> list[str]:
    try:
        with os.scandir(f"{root}/{folder}") as scan:
            names = [entry.name for entry in scan if _is_folder(entry) and entry.name != ".git"]
    except OSError:
        return []
    return [f"{folder}/{name}" if folder else name for name in names if is_unicode(name)]


def _ignored(git: Git, root: str, paths: list[str]) -> set[str]:
    """Those of `paths` that git ignores; folders are asked for with a slash at their end."""
    if not paths:
        return set()
    asked = "\0".join(paths)
    answer = git(root, "check-ignore", "-z", "--stdin", text=asked).stdout
    return {os.fsdecode(line).rstrip("/") for line in answer.split(b"\0") if line}


def _behind_link(root: str, path: str, known: dict[str, bool]) -> bool:
    """True when a folder of `path` is a link: for git the files that it tracks there are deleted.

    `known` keeps the answers by folder.
    """
    folder = path.rpartition("/")[0]
    if folder not in known:
        known[folder] = _behind_link(root, folder, known) or os.path.islink(f"{root}/{folder}")
    return known[folder]


def _ls_files(git: Git, folder: str, *arguments: str) -> Iterator[str]:
    listed = git(folder, "ls-files", "-z", *arguments)
    listed.check_returncode()
    return (os.fsdecode(line) for line in listed.stdout.split(b"\0") if line)


def _is_ignored(git: Git, folder: str) -> bool:
    return git(folder, "check-ignore", "--quiet", ".").returncode == 0
