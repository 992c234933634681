"""Which Java files a workspace folder has, found without reading one. Knows no server and no SQL.

In a git work tree: what git tracks, and what it neither tracks nor ignores, submodules included.
Elsewhere, and with `use_git=False`: a walk that leaves out hidden folders, `node_modules`, and
build output where the build file that makes it stands beside it. Directory links are not followed;
a link to a file counts when it leads to a file in the same workspace folder.
"""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field

from indexer.errors import RootError

SUFFIX = ".java"

GIT_TIMEOUT = 120.0
"""Seconds for one `git ls-files`; a hanging network file system must not hang us."""

RACY_NS = 2_000_000_000
"""A file changed less than this before it was read may change again unseen (coarse clocks)."""

_NEVER = frozenset({"node_modules", "__pycache__"})
_BUILD_OUTPUT = {
    "target": ("pom.xml", "build.sbt"),
    "build": ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"),
    "bin": (".classpath", "build.gradle", "build.gradle.kts"),
    "out": (".idea",),
}
_GIT_VARIABLES = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})


@dataclass(frozen=True, slots=True)
class Root:
    """A workspace folder."""

    path: str
    """Canonical absolute path."""
    name: str
    """Display name."""


@dataclass(frozen=True, slots=True)
class FileStat:
    """What tells a changed file from an unchanged one without reading it."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def of(cls, status: os.stat_result) -> FileStat:
        """Return the identity in `status`."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)

    def settled(self, now_ns: int) -> FileStat:
        """This, or one that equals no other when the file is too young to be trusted."""
        young = now_ns - max(self.mtime_ns, self.ctime_ns) < RACY_NS
        return FileStat(self.size, -1, self.ctime_ns, self.inode) if young else self


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


@dataclass(slots=True)
class Findings:
    """What a root holds."""

    files: list[JavaFile] = field(default_factory=list)
    skipped: list[Problem] = field(default_factory=list)
    """Java files that cannot be indexed."""
    notices: list[Problem] = field(default_factory=list)
    """Folders that could not be looked into, and other things worth knowing."""


def resolve_root(path: str, name: str | None = None) -> Root:
    """Return the root for a path as the user gave it.

    Raises `RootError` when it does not exist, is no folder, or may not be read.
    """
    canonical = os.path.realpath(path)
    if not os.path.isdir(canonical):
        cause = "is not a folder" if os.path.exists(canonical) else "does not exist"
        raise RootError(f"the workspace folder {path!r} {cause}; name an existing folder")
    if not os.access(canonical, os.R_OK | os.X_OK):
        raise RootError(f"the workspace folder {path!r} may not be read; change its permissions")
    return Root(canonical, name or os.path.basename(canonical) or canonical)


def discover(root: Root, *, use_git: bool = True, max_bytes: int = 0) -> Findings:
    """Return the Java files of `root`, sorted by path, with what was left out.

    Files of more than `max_bytes` bytes are skipped; 0 means no limit.
    """
    findings = Findings()
    listed = _git_paths(root.path, findings) if use_git else None
    paths = _walk(root.path, findings) if listed is None else listed
    for path in sorted(paths):
        _examine(root.path, path, max_bytes, findings)
    return findings


def _examine(root: str, path: str, max_bytes: int, findings: Findings) -> None:
    full = f"{root}/{path}"
    try:
        path.encode()
        status = os.lstat(full)
        if stat.S_ISLNK(status.st_mode):
            status = _linked_status(root, full)
        if not stat.S_ISREG(status.st_mode):
            raise _Unfit("no regular file")
        if max_bytes and status.st_size > max_bytes:
            raise _Unfit(f"{status.st_size} bytes, the limit is {max_bytes} (--max-file-size)")
    except UnicodeEncodeError:
        name = os.fsencode(path).decode("utf-8", "replace")
        findings.skipped.append(Problem(name, "the file's name is not UTF-8"))
    except FileNotFoundError:
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


def _git_paths(root: str, findings: Findings) -> set[str] | None:
    """Paths by git, or None where git has no say (no work tree, no git, git refuses)."""
    top = _work_tree(root)
    if top is None:
        return None
    try:
        return _listed(root, top)
    except (OSError, subprocess.SubprocessError) as exc:
        stderr = (getattr(exc, "stderr", None) or b"").decode("utf-8", "replace").strip()
        cause = stderr.splitlines()[0] if stderr else str(exc)
        reason = f"git could not list the files, so the folder was walked: {cause}"
        findings.notices.append(Problem(".", reason))
        return None


def _work_tree(folder: str) -> str | None:
    """The nearest folder at or above `folder` that holds a `.git`."""
    while not os.path.exists(f"{folder}/.git"):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _listed(folder: str, top: str) -> set[str]:
    """Tracked and untracked-not-ignored Java files below `folder`, submodules included."""
    pathspec = ("--", f"*{SUFFIX}")
    paths = set(_ls_files(folder, "--cached", *pathspec))
    paths.update(_ls_files(folder, "--others", "--exclude-standard", *pathspec))
    if os.path.exists(f"{top}/.gitmodules"):
        for entry in _ls_files(folder, "--stage"):
            mode, _, path = entry.partition("\t")
            module = f"{folder}/{path}"
            if mode.startswith("160000 ") and os.path.exists(f"{module}/.git"):
                paths.update(f"{path}/{below}" for below in _listed(module, module))
    return paths


def _ls_files(folder: str, *arguments: str) -> Iterator[str]:
    return (os.fsdecode(line) for line in _git(folder, *arguments).split(b"\0") if line)


def _git(folder: str, *arguments: str) -> bytes:
    env = {name: value for name, value in os.environ.items() if name not in _GIT_VARIABLES}
    env["GIT_OPTIONAL_LOCKS"] = "0"  # never write into the user's repository
    run = subprocess.run(
        # A hook or monitor named by the repository's own configuration must not run.
        ["git", "-c", "core.fsmonitor=false", "ls-files", "-z", *arguments],
        cwd=folder,
        env=env,
        capture_output=True,
        check=True,
        timeout=GIT_TIMEOUT,
    )
    return run.stdout


@dataclass(frozen=True, slots=True)
class Content:
    """A file's bytes with the identity that they had while they were read."""

    data: bytes
    stat: FileStat


class Unsteady(Exception):
    """The file kept changing while it was read."""


def read(full_path: str, *, attempts: int = 3) -> Content:
    """Read a file so that bytes and identity belong together.

    Raises `OSError`, and `Unsteady` when the file changed under each of `attempts` readings.
    """
    for _ in range(attempts):
        with open(full_path, "rb", opener=_open_regular) as file:
            before = FileStat.of(os.fstat(file.fileno()))
            data = file.read()
            after = FileStat.of(os.fstat(file.fileno()))
        if before == after and len(data) == after.size:
            return Content(data, after)
    raise Unsteady(f"it changed while it was read, {attempts} times in a row")


def _open_regular(path: str, flags: int) -> int:
    """Open `path` without waiting for a pipe or device that took a file's place."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "no regular file", path)
    with contextlib.suppress(AttributeError):
        os.set_blocking(descriptor, True)
    return descriptor
