"""Names that a shell may complete a query to: those of the index as it is, and nothing said.

Looks at no file, asks no server and writes nothing. Imported only when a shell asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indexer.cli_options import asked
from indexer.errors import JavadexError
from query.contract import FindAnswer
from query.service import Scope, Service
from query.upkeep import Limits

MOST = 50
"""Names that are looked at; more of them are no help on a command line."""


def names(options: Mapping[str, Any], incomplete: str) -> list[str]:
    """Return the names of the workspace's types that begin with `incomplete`, best first.

    `options` are those of `find`, as far as they are on the command line already. [] for any
    reason, one of them that there is no index.
    """
    if not incomplete or not incomplete.replace("_", "a").replace("$", "a").isalnum():
        return []
    try:
        roots, db, named = asked(options.get("roots") or (), options.get("db"))
        scope = Scope(tuple(roots), db, None, options.get("jdtls"), named, Limits(0.0, 0.0))
        with Service(scope) as service:
            answer = service.find(incomplete, limit=MOST, libraries=False)
    except (JavadexError, OSError):
        return []
    if not isinstance(answer, FindAnswer):
        return []
    found = dict.fromkeys(hit.name for hit in answer.hits)
    return [name for name in found if name.startswith(incomplete) and name.isprintable()]
