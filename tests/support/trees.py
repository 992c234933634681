"""Folders of toy Java for tests: written, aged, and put under git."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

_GIT_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}

# Looked up once: a test that hides git from javadex is not to be skipped for it.
_HAS_GIT = shutil.which("git") is not None


def need_git() -> None:
    """Skip the test on a machine without git; `Tree.git` and so `Tree.commit` do it themselves."""
    if not _HAS_GIT:
        pytest.skip("needs git, and there is none on the path")


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
        need_git()
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


def many_classes(folder: Path, files: int, members: int) -> Path:
    """Write so many files of real Java into `folder`, each a class with so many methods."""
    (folder / "p").mkdir(parents=True)
    methods = "".join(f"    int m{m}(int a) {{ return a + {m}; }}\n" for m in range(members))
    for number in range(files):
        text = f"package p;\n\nclass C{number} {{\n{methods}}}\n"
        (folder / "p" / f"C{number}.java").write_text(text, "utf-8")
    return folder


def toy(path: str, *members: str) -> str:
    """A class named after the file, in the package of its folder."""
    folder, _, file = path.rpartition("/")
    package = f"package {folder.replace('/', '.')};\n" if folder else ""
    body = "".join(f"  {member}\n" for member in members or ("int x;", "void run() {}"))
    return f"{package}class {file.removesuffix('.java')} {{\n{body}}}\n"
