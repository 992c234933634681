"""The checks of `javadex doctor` on what javadex runs with: Java, jdt.ls, SQLite, disks, programs.

Each takes the scope of the question and yields findings; it may raise whatever it likes.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import chain

import indexer
from indexer.errors import RuntimeNotFound, ServerError
from indexer.jdtls.runtime import MIN_JAVA, locate, locate_java, locate_jdtls, run_java
from indexer.store.health import lacking_features
from indexer.temporary import temporary_folder
from query.findings import Finding, error, ok, warning
from query.service import Scope

STARTING = 150.0
"""Seconds for a language server to start and to give one outline."""

MCP_MAJOR = 2
"""Major version of the MCP SDK that `javadex mcp` is made for (pyproject.toml, extra `mcp`)."""

_JVM = 4.0
"""Seconds for Java to say its version, which may be asked for twice; it takes 0.1."""

_PROGRAM = 3.0
"""Seconds for a program that does next to nothing."""

_MB = 1_000_000
_TOO_FULL, _NEARLY_FULL = 20 * _MB, 200 * _MB
"""Bytes free below which a disk is an error or worth a warning. A language server's folder takes
1 MB, with an imported build some 100; 1,000 files take 3.4 MB of an index (docs/benchmarks.md)."""

_JAVA_REMEDY = (
    f"pip install 'javadex[jdtls]', or name a Java {MIN_JAVA} or later with --java or JAVADEX_JAVA"
)
_JDTLS_REMEDY = (
    "pip install 'javadex[jdtls]', or name an unpacked jdt.ls with --jdtls or JAVADEX_JDTLS"
)
_SERVER_REMEDY = "mend what it names, or name another Java (--java) or jdt.ls (--jdtls)"


def javadex(_scope: Scope) -> Iterator[Finding]:
    """Which javadex this is, and in which Python."""
    yield ok(
        "javadex",
        f"{indexer.__version__}, Python {platform.python_version()} ({sys.executable}), "
        f"{platform.platform()}",
    )


def java(scope: Scope) -> Iterator[Finding]:
    """Whether a Java is there that can run jdt.ls, and runs."""
    try:
        java = locate_java(scope.java, os.environ, _JVM)
    except RuntimeNotFound as exc:
        yield error("java", _without_remedy(exc), _JAVA_REMEDY)
        return
    where = f"Java {java.version}, {java.executable}"
    try:
        code, said = run_java(java.executable, _JVM)
    except (OSError, subprocess.SubprocessError) as exc:
        yield error("java", f"{where}, does not run: {exc}", _JAVA_REMEDY)
        return
    if code:
        cause = f"{where}, does not run: exit code {code}: {said.strip()[-300:]}"
        yield error("java", cause, _JAVA_REMEDY)
        return
    yield ok("java", f"{where}, runs")


def jdtls(scope: Scope) -> Iterator[Finding]:
    """Whether a jdt.ls is there."""
    try:
        jdtls = locate_jdtls(scope.jdtls, os.environ)
    except RuntimeNotFound as exc:
        yield error("jdtls", _without_remedy(exc), _JDTLS_REMEDY)
        return
    yield ok(
        "jdtls", f"jdt.ls {jdtls.version}, {jdtls.folder} ({os.path.basename(jdtls.launcher)})"
    )


def sqlite(_scope: Scope) -> Iterator[Finding]:
    """Whether SQLite can what the index needs."""
    import sqlite3

    lacking = lacking_features()
    if lacking:
        remedy = "use a Python with SQLite 3.37 or later that has FTS5, as those of python.org have"
        found = f"SQLite {sqlite3.sqlite_version} lacks {', '.join(lacking)}"
        yield error("sqlite", found, remedy)
    else:
        yield ok("sqlite", f"SQLite {sqlite3.sqlite_version} with FTS5 and STRICT tables")


def index_disk(scope: Scope) -> Iterator[Finding]:
    """Whether there is room for the index."""
    folder = _existing(os.path.dirname(scope.db))
    remedy = "free some space there, or put the index elsewhere (--db, XDG_CACHE_HOME)"
    yield _disk("index disk", folder, remedy)


def temporary_disk(_scope: Scope) -> Iterator[Finding]:
    """Whether there is room for a language server's folder."""
    try:
        folder = temporary_folder()
    except OSError as exc:
        found = f"no temporary folder can be written: {exc.strerror}"
        yield error("temporary disk", found, "set TMPDIR to a folder with space")
        return
    yield _disk("temporary disk", folder, "free some space there, or set TMPDIR to another folder")


def _disk(check: str, folder: str, remedy: str) -> Finding:
    free = shutil.disk_usage(folder).free
    found = f"{free // _MB} MB free in {folder}"
    if not os.access(folder, os.W_OK | os.X_OK):
        return warning(
            check, f"{folder} may not be written", "change its permissions, or " + remedy
        )
    if free < _TOO_FULL:
        return error(check, found, remedy)
    return warning(check, found, remedy) if free < _NEARLY_FULL else ok(check, found)


def _existing(folder: str) -> str:
    """`folder`, or the nearest one above it that is there."""
    while not os.path.isdir(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def git(_scope: Scope) -> Iterator[Finding]:
    """Whether git is there to list files."""
    git, remedy = shutil.which("git"), "install git; till then folders are walked for Java files"
    if git is None:
        yield warning("git", "not on the path", remedy)
        return
    try:
        run = subprocess.run(
            [git, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PROGRAM,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as exc:
        yield warning("git", f"{git} does not run: {exc}", remedy)
        return
    yield ok("git", f"{run.stdout.strip()}, {git}")


def mcp(_scope: Scope) -> Iterator[Finding]:
    """Whether the MCP SDK is there, in a version that fits."""
    from importlib.metadata import PackageNotFoundError, version

    remedy = "pip install 'javadex[mcp]'"
    try:
        found = version("mcp")
    except PackageNotFoundError:
        yield warning("mcp", "the MCP SDK is not installed: no `javadex mcp`", remedy)
        return
    if found.partition(".")[0] != str(MCP_MAJOR):
        wrong = f"the MCP SDK is {found}, `javadex mcp` needs {MCP_MAJOR}.x"
        yield warning("mcp", wrong, remedy)
    else:
        yield ok("mcp", f"the MCP SDK is {found}")


def language_server(scope: Scope) -> Iterator[Finding]:
    """Start a language server and have it outline a known text."""
    from indexer.jdtls.pool import stream
    from indexer.jdtls.source import Source

    started = time.monotonic()
    source = Source(0, "Known", "package doctor;\nclass Known {\n  int field;\n}\n")
    try:
        runtime = locate(scope.java, scope.jdtls)
        with contextlib.closing(stream(runtime, [source], time_limit=STARTING)) as outcomes:
            outcome = next(chain.from_iterable(outcomes), None)
    except ServerError as exc:
        yield error("language server", str(exc), _SERVER_REMEDY)
        return
    seconds = time.monotonic() - started
    if outcome is None or outcome.outline is None or outcome.outline.node_count != _SYMBOLS:
        reason = outcome.reason if outcome else ""
        found = f"started, but gave no right outline of a known text: {reason or outcome}"
        yield error("language server", found, _SERVER_REMEDY)
    else:
        yield ok("language server", f"started, outlined a known text and ended in {seconds:.1f} s")


_SYMBOLS = 3
"""Of the known text: package, class, field."""


def _without_remedy(error: RuntimeNotFound) -> str:
    return str(error).partition(" pip install")[0].rstrip(" .;")
