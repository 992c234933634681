"""The command line as a user runs it: a process of its own, with nothing of this one's settings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-c", "from query.cli import main; main()")
TIMEOUT = 240.0
_OTHERS = frozenset({"JAVADEX_ROOT", "JAVADEX_DB"})


@dataclass(frozen=True)
class Cli:
    """Runs `javadex` with a cache and a folder for temporary files of its own."""

    home: Path
    extra: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.temporary.mkdir(parents=True, exist_ok=True)

    @property
    def temporary(self) -> Path:
        """Where servers get their workspaces; empty unless one runs or was left behind."""
        return self.home / "tmp"

    @property
    def environment(self) -> dict[str, str]:
        """What the process gets to see."""
        kept = {name: value for name, value in os.environ.items() if name not in _OTHERS}
        own = {"XDG_CACHE_HOME": str(self.home / "cache"), "TMPDIR": str(self.temporary)}
        return kept | own | self.extra

    def with_environment(self, **extra: str) -> Cli:
        """The same with more variables set."""
        return replace(self, extra=self.extra | extra)

    def run(
        self, *arguments: str | Path, text: str = "", exits_with: int = 0
    ) -> subprocess.CompletedProcess[str]:
        """Run one command with `text` as its standard input."""
        run = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            input=text,
            capture_output=True,
            encoding="utf-8",
            env=self.environment,
            timeout=TIMEOUT,
            check=False,
        )
        assert run.returncode == exits_with, f"{arguments}: {run.returncode}\n{run.stderr}"
        return run

    def json(self, *arguments: str | Path, exits_with: int = 0) -> Any:
        """Run one command with --json and return the document."""
        return json.loads(self.run(*arguments, "--json", exits_with=exits_with).stdout)

    def batch(self, command: str, lines: list[str], *arguments: str | Path) -> list[Any]:
        """Ask many questions in one process; returns a document for each."""
        text = "".join(f"{line}\n" for line in lines)
        out = self.run(command, *arguments, "--json", "--batch", "-", text=text).stdout
        documents = [json.loads(line) for line in out.splitlines()]
        assert len(documents) == len(lines)
        return documents
