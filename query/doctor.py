"""The use case of `javadex doctor`: what javadex needs, and how it is here. Writes nothing.

Every check runs on a thread of its own, and none for longer than the rest: one that hangs on a dead
file system, or fails in a way that nobody thought of, is a finding, too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

from indexer.errors import JavadexError
from query import doctor_machine, doctor_state
from query.findings import Finding, error, parted, warning
from query.service import Scope

MOST_SECONDS = 10.0
"""For all checks together, but for the one that starts a language server."""

Check = Callable[[Scope], Iterable[Finding]]

CHECKS: dict[str, Check] = {
    "javadex": doctor_machine.javadex,
    "java": doctor_machine.java,
    "jdtls": doctor_machine.jdtls,
    "sqlite": doctor_machine.sqlite,
    "index": doctor_state.index,
    "server": doctor_state.server,
    "index disk": doctor_machine.index_disk,
    "temporary disk": doctor_machine.temporary_disk,
    "watches": doctor_state.watches,
    "git": doctor_machine.git,
    "mcp": doctor_machine.mcp,
    "clients": doctor_state.clients,
}


def examine(scope: Scope, *, deep: bool = False) -> list[Finding]:
    """Return what all checks found, in a fixed order; `deep` starts a language server, too.

    Raises nothing: what goes wrong with a check is its finding.
    """
    running = [_Running(name, check, scope) for name, check in CHECKS.items()]
    deadline = time.monotonic() + MOST_SECONDS
    found = [finding for each in running for finding in each.findings(deadline)]
    if deep:
        found += _settled("language server", doctor_machine.language_server, scope)
    return found


class _Running:
    """A check that was started."""

    def __init__(self, name: str, check: Check, scope: Scope) -> None:
        self._name = name
        self._found: list[Finding] = []
        self._thread = threading.Thread(
            target=lambda: self._found.extend(_settled(name, check, scope)), daemon=True
        )
        self._thread.start()

    def findings(self, deadline: float) -> list[Finding]:
        """Return what came of it by `deadline`, a time of `time.monotonic()`."""
        self._thread.join(max(0.0, deadline - time.monotonic()))
        if self._thread.is_alive():
            late = f"no answer within {MOST_SECONDS:g} s"
            remedy = "look whether the file system or the process behind it hangs"
            return [warning(self._name, late, remedy)]
        return self._found


def _settled(name: str, check: Check, scope: Scope) -> list[Finding]:
    found: list[Finding] = []
    try:
        found.extend(check(scope))
    except JavadexError as exc:
        found.append(error(name, *parted(exc)))
    except Exception as exc:  # the outermost loop of a check: its fault is not the end of the rest
        remedy = "please report it; the other findings hold"
        found.append(error(name, f"the check itself failed: {exc!r}", remedy))
    return found
