"""The checks of `javadex doctor` on what javadex made: the index, the warm server.

Each takes the scope of the question and yields findings; it may raise whatever it likes.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

from indexer.engine import expected_recipe
from indexer.errors import (
    IndexMissing,
    IndexUnusable,
    RuntimeNotFound,
    ServerError,
    ServerStartFailed,
)
from indexer.files import Root
from indexer.folders import is_rules
from indexer.recipe import engine_of
from indexer.store.health import Health, health, untouched_reader
from indexer.store.location import index_command
from indexer.store.nearest import widened
from indexer.store.reader import Reader, Workspace
from indexer.warm.options import options_from_environment
from query.findings import Finding, error, ok, parted, warning
from query.scan import scan
from query.service import Scope

_LOOKING = 3.0
"""Seconds for each look that may take long in a large workspace, or with a server that hangs."""

_WATCHES = "/proc/sys/fs/inotify/max_user_watches"


def index(scope: Scope) -> Iterator[Finding]:
    """Whether the index is sound, and how fresh."""
    try:
        state = health(scope.db, _LOOKING)
    except IndexMissing:
        remedy = f"run `{index_command(scope.roots, scope.db)}`"
        yield warning("index", f"there is none at {scope.db} yet", remedy)
        return
    except IndexUnusable as exc:
        yield error("index", *parted(exc))
        return
    yield ok("index", _health_text(scope.db, state))
    with untouched_reader(scope.db) as reader:
        yield from _freshness(scope, reader)


def _health_text(db: str, state: Health) -> str:
    checked = (
        "sound" if state.is_checked else f"no fault found in {_LOOKING:g} s, not read to the end"
    )
    return f"{db}, schema {state.schema}, {state.size / 1e6:.1f} MB, {checked}"


def _freshness(scope: Scope, reader: Reader) -> Iterator[Finding]:
    roots = scope.roots if scope.explicit else widened(scope.roots, reader)
    indexed = {workspace.root: workspace for workspace in reader.workspaces()}
    for root in roots:
        workspace = indexed.get(root.path)
        if workspace is None:
            remedy = f"run `{index_command([root], scope.db)}`"
            yield warning("freshness", f"{root.path} is not in the index", remedy)
        else:
            yield _freshness_of(workspace, reader, scope)


def _freshness_of(workspace: Workspace, reader: Reader, scope: Scope) -> Finding:
    root = workspace.root
    remedy = f"run `{index_command([Root(root, workspace.name)], scope.db)}`"
    if workspace.indexed_at is None:
        return warning("freshness", f"{root}: no run has finished yet", remedy)
    here = _recipe(scope)
    if here not in (None, workspace.recipe):
        engines = f"made by {engine_of(workspace.recipe)}, here is {engine_of(here or '')}"
        return warning("freshness", f"{root}: {engines}", remedy)
    when = f"{root}: {len(reader.stats(workspace.id))} files, indexed {workspace.indexed_at}"
    look = scan(reader, workspace, _LOOKING)
    if look.changed:
        return warning(
            "freshness", f"{when}, files changed since", f"{remedy}, or let the next find do it"
        )
    return ok("freshness", f"{when}, {'fresh' if look.complete else 'too many files to look at'}")


def _recipe(scope: Scope) -> str | None:
    try:
        return expected_recipe(scope.jdtls)
    except RuntimeNotFound:
        return None  # told by its own check


def server(_scope: Scope) -> Iterator[Finding]:
    """Whether a warm server runs, and its place is safe."""
    from indexer.warm.client import connect
    from indexer.warm.place import is_supported, planned_place

    if not is_supported():
        yield ok("server", "no warm server on this system: it has no sockets in the file system")
        return
    if options_from_environment() is None:
        yield ok("server", "no warm server is wanted: JAVADEX_SERVER_IDLE is 0")
        return
    try:
        if not os.path.lexists(planned_place().folder):
            yield ok("server", _NOT_RUNNING)
            return
        client = connect(time.monotonic() + _LOOKING)
        other = None if client else connect(time.monotonic() + _LOOKING, of_any_version=True)
        if other:
            other.__exit__()
            remedy = "run `javadex server stop`, or let the next answer that needs one replace it"
            yield warning("server", "a warm server of another javadex is running", remedy)
            return
        if client is None:
            yield ok("server", _NOT_RUNNING)
            return
        with client:
            yield ok("server", _server_text(client.do("status")))
    except ServerStartFailed as exc:
        cause, remedy = parted(exc)
        yield warning("server", cause, f"{remedy}; until then a server is started for every call")
    except ServerError as exc:
        yield warning("server", str(exc), "run `javadex server stop`")


_NOT_RUNNING = "no warm server is running; the first answer that needs one starts it"


def _server_text(state: dict[str, object]) -> str:
    servers = state.get("servers")
    memory = sum(each.get("memory") or 0 for each in servers) if isinstance(servers, list) else 0
    count = len(servers) if isinstance(servers, list) else 0
    crew = f"{count} language server{'' if count == 1 else 's'}"
    return (
        f"a warm server is running, pid {state.get('pid')}, version {state.get('version')}, "
        f"{crew} with {memory} MB, {state.get('socket')}"
    )


def watches(scope: Scope) -> Iterator[Finding]:
    """Whether the system lets all folders be watched (inotify(7))."""
    try:
        with open(_WATCHES, encoding="ascii") as file:
            limit = int(file.read())
    except (OSError, ValueError):
        return  # another system: nothing to be limited
    folders = 0
    with contextlib.suppress(IndexUnusable), untouched_reader(scope.db) as reader:
        known = (path for each in reader.workspaces() for path, _ in reader.folders(each.id))
        folders = sum(not is_rules(path) for path in known)
    found = f"{limit} folders may be watched, the index knows {folders}"
    if folders < limit:
        yield ok("watches", found)
        return
    remedy = f"sysctl fs.inotify.max_user_watches={max(524_288, 2 * folders)}; till then files are "
    yield warning("watches", found, remedy + "looked at instead, which is slower")


def clients(scope: Scope) -> Iterator[Finding]:
    """Whether clients are set up in the workspace folders, and wholly (`javadex setup`)."""
    from query.setup.plan import standing

    roots = scope.roots
    with contextlib.suppress(IndexUnusable), untouched_reader(scope.db) as reader:
        roots = roots if scope.explicit else widened(roots, reader)
    for root in roots:
        states = standing(root.path)
        ready = ", ".join(each.client for each in states if each.state == "ready") or "none"
        yield ok("clients", f"{root.path}: {ready} set up (`javadex setup`)")
        for each in states:
            if each.state not in ("ready", "none"):
                cause, _, remedy = each.detail.rpartition("; ")
                found = f"{root.path}: {each.client}: {each.state}: {cause or remedy}"
                yield warning("clients", found, remedy)
