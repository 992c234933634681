"""Many processes that ask while others index.

The long form: `JAVADEX_TEST_READ_SECONDS=60`. Half of the files change to and fro between two
contents, so that an outline needs no server; others get a new content in every run, so that every
run writes outlines. In all of them, the line of a type and its members follow from its name.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Javadex
from tests.support.faults import Questions, luck, number_from, questions
from tests.support.indexing import Index, InstantServer
from tests.support.trees import Tree

SECONDS = number_from("JAVADEX_TEST_READ_SECONDS", 8)
READERS = 32
PAUSE = 0.3
"""Seconds between two questions of a reader."""
FILES = 20
CODES = (0, 1, 3)
"""Found, not found, or found only in files that changed meanwhile."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(SECONDS + 240)]


class Workspace:
    """A tree that changes all the time."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.turn = 0
        self.stable = [f"src/p{number % 3}/S{number}.java" for number in range(FILES)]
        self.churn = [f"src/q{number % 3}/C{number}.java" for number in range(FILES)]

    def change(self) -> None:
        """Write all files; each is replaced at once, as editors and git do."""
        self.turn += 1
        for number, path in enumerate(self.stable):
            self._replace(path, f"Same{self.turn % 2}x{number}", self.turn % 2)
        for number, path in enumerate(self.churn):
            self._replace(path, f"Turn{self.turn}x{number}", self.turn % 7)

    def _replace(self, path: str, name: str, lines: int) -> None:
        draft = self.tree.write(f"drafts/{Path(path).name}.txt", _text(name, lines))
        target = self.tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.replace(target)


def _text(name: str, lines: int) -> str:
    return "\n" * lines + f"class {name} {{\n  int of{name};\n}}\n"


def _right_line(name: str) -> int:
    """Where a type of that name stands in any content that it ever had."""
    turn = int(name.removeprefix("Same").removeprefix("Turn").partition("x")[0])
    return 1 + (turn if name.startswith("Same") else turn % 7)


def _check_find(answer: Any) -> int:
    for hit in answer["results"]:
        assert hit["selectionRange"]["startLine"] == _right_line(hit["name"]), hit
    return len(answer["results"])


def _check_outline(answer: Any) -> int:
    (symbol,) = answer["symbols"]
    assert symbol["startLine"] == _right_line(symbol["name"]), answer
    assert [child["name"] for child in symbol["children"]] == [f"of{symbol['name']}"]
    return 1


class Crowd:
    """Readers that ask until `closing`, each in a process, or one process after the other."""

    def __init__(self, javadex: Javadex, work: Workspace, common: tuple[object, ...]) -> None:
        self.javadex, self.work, self.common = javadex, work, common
        self.counts: Counter[str] = Counter()
        self.failures: list[BaseException] = []
        self.closing = threading.Event()

    def start(self, number: int, chance: random.Random) -> threading.Thread:
        ways: list[Callable[[random.Random], None]] = [self._stays, self._stays, self._comes]
        thread = threading.Thread(target=self._guarded, args=(ways[number % 3], chance))
        thread.start()
        return thread

    def _guarded(self, way: Callable[[random.Random], None], chance: random.Random) -> None:
        try:
            way(chance)
        except BaseException as exc:
            self.failures.append(exc)

    def _command(self, chance: random.Random) -> tuple[str, str]:
        if chance.random() < 0.5:
            return "find", chance.choice(["Same", "Turn", "*x1", "S*x7", "T*"])
        return "outline", str(self.work.tree / chance.choice(self.work.stable))

    def _stays(self, chance: random.Random) -> None:
        """A process that is asked again and again."""
        # A reader that never paused would leave an indexer on two cores nothing to run on.
        command, _ = self._command(chance)
        with questions(self.javadex, command, *self._options(command)) as asked:
            while not self.closing.wait(PAUSE) and not self.failures:
                self._ask(asked, command, chance)
            code, stderr = asked.end()
        self._ended(code, stderr)

    def _ask(self, asked: Questions, command: str, chance: random.Random) -> None:
        wanted, text = self._command(chance)
        while wanted != command:
            wanted, text = self._command(chance)
        self._took(command, asked.ask(text))

    def _comes(self, chance: random.Random) -> None:
        """A process for each question."""
        while not self.closing.wait(PAUSE) and not self.failures:
            command, text = self._command(chance)
            run = self.javadex.run(command, text, *self._options(command), "--json")
            self._ended(run.code, run.stderr)
            self._took(command, run.json)

    def _options(self, command: str) -> tuple[object, ...]:
        return (*self.common, "--no-scan") if command == "find" else self.common

    def _took(self, command: str, answer: Any) -> None:
        assert answer is not None, "a reader ended"
        assert "locked" not in str(answer)
        self.counts[command] += 1
        shown = _check_find(answer) if command == "find" else _check_outline(answer)
        self.counts["shown"] += shown

    def _ended(self, code: int, stderr: str) -> None:
        assert code in CODES, stderr
        assert "locked" not in stderr
        assert "Traceback" not in stderr
        self.counts["processes"] += 1


def test_many_readers_during_runs(
    tree: Tree, javadex: Javadex, server: InstantServer, tmp_path: Path
) -> None:
    """No lock error, no strange end, no answer that mixes states."""
    work, db = Workspace(tree), tmp_path / "index.db"
    for _ in range(2):
        work.change()
        Index(db).build(tree.path)
    common = ("--root", tree.path, "--db", db)
    chance = luck()
    crowd = Crowd(javadex, work, common)
    threads = [crowd.start(n, random.Random(chance.random())) for n in range(READERS)]
    runs, until = 0, time.monotonic() + SECONDS
    try:
        while (time.monotonic() < until or runs < 2) and not crowd.failures:
            work.change()
            run = javadex.run("index", *common, "--servers", 1)
            assert run.code == 0, run.stderr
            runs += 1
    finally:
        crowd.closing.set()
        for thread in threads:
            thread.join()
    print(f"{SECONDS} s, {READERS} readers, {runs} runs: {dict(crowd.counts)}")
    if crowd.failures:
        raise crowd.failures[0]
    assert min(crowd.counts[name] for name in ("find", "outline", "shown")) > READERS
    with contextlib.suppress(FileNotFoundError):
        assert os.path.getsize(f"{db}-wal") < 50 << 20
