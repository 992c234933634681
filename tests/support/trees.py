"""Folders of toy Java for tests: written, aged, and put under git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_GIT_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


class Tree:
    """A folder to put files into."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)

    def __truediv__(self, below: str) -> Path:
        return self.path / below

    def write(self, path: str, content: str | bytes | None = None) -> Path:
        """Write a file, folders as needed; without content a class named after it in its folder."""
        file = self.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        content = toy(path) if content is None else content
        file.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return file

    def git(self, *arguments: str) -> str:
        """Run git in the folder; nobody's configuration counts."""
        run = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.path,
            env={**os.environ, **_GIT_ENVIRONMENT},
            check=True,
            capture_output=True,
            text=True,
        )
        return run.stdout

    def commit(self) -> None:
        """Make the folder a repository if it is none, and commit all that it holds."""
        if not (self.path / ".git").exists():
            self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "state")


def toy(path: str, *members: str) -> str:
    """A class named after the file, in the package of its folder."""
    folder, _, file = path.rpartition("/")
    package = f"package {folder.replace('/', '.')};\n" if folder else ""
    body = "".join(f"  {member}\n" for member in members or ("int x;", "void run() {}"))
    return f"{package}class {file.removesuffix('.java')} {{\n{body}}}\n"
