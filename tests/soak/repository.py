"""A generated repository, and what people, git and bad luck do to it. All of it from one seed."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from tests.support.trees import Tree, toy

_FOLDERS = ("src/shop", "src/shop/util", "src/bank", "test/shop", "")
_WORDS = ("Order", "Stock", "Price", "Text", "Map", "Node", "Acl", "Job")
_MEMBERS = ("int x;", "int y;", "void run() {}", "void stop() {}", "class Inner { int deep; }")
_ODD = (
    "",
    "// nothing\n",
    "class {",
    "class Half { void ok() {} int",
    "package a.b;\n",
    "class É { int ü; }\n",
    "\ufeffclass Marked { int x; }\n",
    "class Two { }\nclass Twice { int x; }\n",
)


class Repository:
    """Files of toy Java under git, changed by `step`."""

    def __init__(self, path: Path, chance: random.Random, files: int) -> None:
        self.tree = Tree(path)
        self._chance = chance
        self._stashed = 0
        self._branches = ["main"]
        for _ in range(files):
            self.new_file()
        self.tree.commit()

    @property
    def path(self) -> Path:
        """The folder."""
        return self.tree.path

    def files(self) -> list[str]:
        """Paths of the Java files that are there, below the folder."""
        found = (path for path in self.path.rglob("*.java") if path.is_file())
        return sorted(str(path.relative_to(self.path)) for path in found)

    def files_not_ignored(self) -> list[str]:
        """Those of the `files` that git tracks or does not ignore."""
        listed = self.tree.git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        return sorted({*listed.split("\0")}.intersection(self.files()))

    def step(self) -> str:
        """Change something; returns what."""
        steps: list[Callable[[], None]] = [
            *(self.edit, self.edit, self.edit, self.new_file, self.delete, self.rename),
            *(self.change_case, self.touch, self.edit_in_secret, self.move_folder, self.copy),
            *(self.odd_text, self.many_edits, self.commit, self.switch, self.switch, self.stash),
            *(self.unstash, self.restore, self.replace_by_folder, self.link_outside),
            *(self.ignore, self.ignore_no_more),
        ]
        step = self._chance.choice(steps)
        step()
        return step.__name__

    def edit(self) -> None:
        """Give a file another text."""
        path = self._any_file()
        if path:
            self.tree.write(path, self._text(path))

    def many_edits(self) -> None:
        """Move all symbols of many files down by a line."""
        for path in self._chance.sample(self.files(), min(20, len(self.files()))):
            content = (self.path / path).read_bytes()
            (self.path / path).write_bytes(b"\n" + content)

    def new_file(self) -> None:
        """Add a file."""
        folder = self._chance.choice(_FOLDERS)
        name = "".join(self._chance.sample(_WORDS, 2)) + str(self._chance.randrange(40))
        path = f"{folder}/{name}.java".lstrip("/")
        if not (self.path / path).exists():
            self.tree.write(path, self._text(path))

    def delete(self) -> None:
        """Remove a file."""
        if path := self._any_file():
            (self.path / path).unlink()

    def rename(self) -> None:
        """Give a file another name and the same bytes."""
        if path := self._any_file():
            new = (self.path / path).with_name(f"Renamed{self._chance.randrange(1000)}.java")
            (self.path / path).rename(new)

    def change_case(self) -> None:
        """Rename by case only."""
        if path := self._any_file():
            old = self.path / path
            new = old.with_name(old.stem.swapcase() + ".java")
            if not new.exists():
                old.rename(new)

    def copy(self) -> None:
        """Have the same bytes twice."""
        if path := self._any_file():
            target = (
                self.path / self._chance.choice(_FOLDERS) / f"C{self._chance.randrange(99)}.java"
            )
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.path / path, target)

    def touch(self) -> None:
        """Change a time only; now and then to the future or long ago."""
        if path := self._any_file():
            os.utime(self.path / path, ns=(0, self._chance.choice((10**18, 4 * 10**18, 10**9))))

    def edit_in_secret(self) -> None:
        """Change bytes, but neither size nor time."""
        path = self._any_file()
        if not path:
            return
        file = self.path / path
        before, content = file.stat(), file.read_bytes()
        file.write_bytes(content.replace(b"int x", b"int z").replace(b"run", b"fly"))
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def odd_text(self) -> None:
        """Give a file a text that is broken or unusual."""
        if path := self._any_file():
            self.tree.write(path, self._chance.choice(_ODD))

    def move_folder(self) -> None:
        """Move a folder, or back."""
        one, two = self.path / "src" / "bank", self.path / "src" / "moved"
        if one.exists() and not two.exists():
            one.rename(two)
        elif two.exists() and not one.exists():
            two.rename(one)

    def replace_by_folder(self) -> None:
        """Put a folder where a file was."""
        if path := self._any_file():
            (self.path / path).unlink()
            (self.path / path).mkdir()

    def link_outside(self) -> None:
        """Put a link that leads out of the workspace where a file was."""
        if path := self._any_file():
            outside = self.path.with_name("outside.java")
            outside.write_text("class Outside { int secret; }\n")
            (self.path / path).unlink()
            (self.path / path).symlink_to(outside)

    def ignore(self) -> None:
        """Have git ignore files of some names in a folder; those that it tracks stay."""
        folder = self.path / self._chance.choice(_FOLDERS)
        if folder.is_dir():
            patterns = [f"{word}*.java" for word in self._chance.sample(_WORDS, 2)]
            (folder / ".gitignore").write_text("\n".join([*patterns, ""]), "utf-8")

    def ignore_no_more(self) -> None:
        """Take the rules of a folder away."""
        (self.path / self._chance.choice(_FOLDERS) / ".gitignore").unlink(missing_ok=True)

    def commit(self) -> None:
        """Commit, now and then on a new branch."""
        if len(self._branches) < 4 and self._chance.random() < 0.5:
            self._branches.append(f"branch{len(self._branches)}")
            self.tree.git("checkout", "-q", "-b", self._branches[-1])
        self.tree.commit()

    def switch(self) -> None:
        """Commit and switch to another branch."""
        self.tree.commit()
        self.tree.git("checkout", "-q", "-f", self._chance.choice(self._branches))

    def stash(self) -> None:
        """Put changes away."""
        self.edit()
        if self._stashed < 3 and "No local" not in self.tree.git("stash", "push", "-q", "-u"):
            self._stashed += 1

    def unstash(self) -> None:
        """Get them back, as far as git can."""
        self.tree.commit()
        try:
            self.tree.git("stash", "pop", "-q")
        except subprocess.CalledProcessError:
            self.tree.git("reset", "-q", "--hard")
            self.tree.git("clean", "-q", "-f", "-d")
            return
        self._stashed = max(0, self._stashed - 1)

    def restore(self) -> None:
        """Throw away what was not committed."""
        self.tree.git("checkout", "-q", "-f", "HEAD")

    def _any_file(self) -> str | None:
        files = self.files()
        return self._chance.choice(files) if files else None

    def _text(self, path: str) -> str:
        members = self._chance.choices(_MEMBERS, k=self._chance.randrange(1, 5))
        distinct = list(dict.fromkeys(members))
        return "\n" * self._chance.randrange(3) + toy(path, *distinct)
