"""The soak's steps: change or kill something, ask, and compare."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from query.mcp.tools import FIND, MOST_HITS, MOST_NODES, OUTLINE
from tests.soak.oracle import Answers, Oracle, compared, is_true
from tests.soak.repository import Repository
from tests.support.cli import Javadex, Result
from tests.support.mcp import lines
from tests.support.warm import WarmPlace

PATIENCE = 10.0
"""Seconds for a process that lives on to hear of a change: it looks once in a second at first."""


class Broken(Exception):
    """An answer that is not the one of a new index, or a process that failed."""


class Soak:
    """A repository, its index, and the processes that ask it."""

    def __init__(self, folder: Path, seed: int, *, files: int, real: bool) -> None:
        self._chance = random.Random(seed)
        self._javadex = Javadex(folder / "world")
        self._warm = WarmPlace()
        self._javadex.env.update(self._warm.env)
        if real:
            for name in ("JAVADEX_JAVA", "JAVADEX_JDTLS"):
                del self._javadex.env[name]
        os.environ.update(self._javadex.env)
        self.repository = Repository(folder / "tree", self._chance, files)
        self._oracle = Oracle(self.repository.path, folder, real=real)
        self._db = folder / "index.db"
        self._living: dict[str, Coprocess | McpServer] = {}
        self._counts: Counter[str] = Counter()
        self._last_names: list[str] = ["OrderStock1"]
        self.steps = 0
        self._run("index", *self._place(), expected=(0, 5))

    def close(self) -> None:
        """End all processes."""
        for process in self._living.values():
            process.close()
        self._warm.close()

    def summary(self) -> str:
        """What was done, in counts."""
        done = ", ".join(f"{count} {name}" for name, count in sorted(self._counts.items()))
        return f"{self.steps} steps without a wrong answer: {done}"

    def step(self) -> None:
        """Change or kill something, then compare."""
        self.steps += 1
        actions: list[Callable[[], str]] = [*[self.repository.step] * 8, self._kill_indexer]
        actions += [self._kill_warm_server, self._kill_language_server, self._kill_while_asking]
        actions += [self._index, self._lose_the_index]
        what = self._chance.choice(actions)()
        self._counts[what] += 1
        with self._oracle.answers() as right:
            self._compare(right, what)

    def _compare(self, right: Answers, what: str) -> None:
        names = right.names()
        queries = self._queries(names)
        files = self.repository.files_not_ignored()
        outlines = self._chance.sample(files, min(2, len(files)))
        finds = [partial(self._find, query, right.find(query), what) for query in queries[:2]]
        shows = [partial(self._outline, path, right.outline(path), what) for path in outlines]
        with ThreadPoolExecutor(4) as threads:
            for done in [threads.submit(ask) for ask in (*finds, *shows)]:
                done.result()
        for name, start in (("batch", Coprocess), ("MCP", McpServer)):
            self._check_living(name, start, queries, right, what)
        server = self._living["MCP"]
        assert isinstance(server, McpServer)
        for path in outlines:
            found = compared(server.outline(str(self.repository.path / path)))
            if not found.get("truncated"):
                self._same(found, right.outline(path), f"{what}: outline {path} over MCP")
                self._counts["outlines over MCP"] += 1
        if (found := self._oracle.content(self._db)) != right.content:
            raise Broken(f"{what}: the index is not that of a new run: {_difference(found, right)}")
        self._counts["indexes compared"] += 1
        self._last_names = names or self._last_names

    def _queries(self, names: list[str]) -> list[str]:
        every = [*(names or ["Nobody"]), *self._last_names]
        name = self._chance.choice(every)
        return [
            name,
            "*",
            self._chance.choice(every)[:3],
            "*" + self._chance.choice(every)[-4:],
            "shop." + self._chance.choice(every),
            self._chance.choice(every) + "#x",
        ]

    def _find(self, query: str, expected: dict[str, Any], what: str) -> None:
        arguments = ("find", query, "--json", "--limit", "0", *self._place())
        result = self._run(*arguments, expected=(0, 1, 3))
        self._same(compared(result.json), expected, f"{what}: find {query}: {result.stderr}")
        self._counts["find processes"] += 1

    def _outline(self, path: str, expected: dict[str, Any], what: str) -> None:
        arguments = (self.repository.path / path, "--json", "--limit", "0", *self._place())
        result = self._run("outline", *arguments, expected=(0, 1, 2, 4))
        self._same(compared(result.json), expected, f"{what}: outline {path}: {result.stderr}")
        self._counts["outline processes"] += 1

    def _check_living(
        self,
        name: str,
        start: Callable[[Javadex, tuple[str, ...]], Coprocess | McpServer],
        queries: list[str],
        right: Answers,
        what: str,
    ) -> None:
        """A process that lives on: right within some seconds, and never with a wrong line."""
        process = self._living.get(name)
        if process is None or self._chance.random() < 0.02:
            if process:
                process.close()
            process = self._living[name] = start(self._javadex, self._place())
        for query in queries:
            expected, deadline = right.find(query), time.monotonic() + PATIENCE
            if expected.get("total", 0) > process.most:
                continue
            while True:
                answer = process.ask(query)
                wrong = [hit for hit in answer.get("results", ()) if not is_true(hit)]
                if wrong:
                    raise Broken(f"{what}: {name}: a process that lives on: {query}: {wrong}")
                self._counts[f"answers of a process that lives on, {name}"] += 1
                if compared(answer) == expected:
                    break
                if time.monotonic() > deadline:
                    self._same(compared(answer), expected, f"{what}: {name}: {query}")
                time.sleep(0.1)

    def _same(self, found: dict[str, Any], expected: dict[str, Any], what: str) -> None:
        if found != expected:
            raise Broken(
                f"{what}\n  is       {json.dumps(found)}\n  must be  {json.dumps(expected)}"
            )

    def _place(self) -> tuple[str, ...]:
        return ("--root", str(self.repository.path), "--db", str(self._db))

    def _run(self, *arguments: object, expected: tuple[int, ...]) -> Result:
        result = self._javadex.run(*arguments)
        if result.code not in expected:
            raise Broken(f"{arguments} ended with {result}")
        return result

    def _index(self) -> str:
        self._run("index", *self._place(), expected=(0, 5))
        return "index"

    def _kill_indexer(self) -> str:
        self.repository.step()
        self.repository.many_edits()
        with self._javadex.start("index", *self._place()) as process:
            time.sleep(self._chance.random() * 1.2)
            process.kill()
        return "kill of an indexer"

    def _kill_while_asking(self) -> str:
        self.repository.many_edits()
        with self._javadex.start("find", "*", "--json", "--limit", "0", *self._place()) as process:
            time.sleep(self._chance.random() * 0.8)
            if self._chance.random() < 0.5:
                process.kill()
            else:
                self._kill_warm_server()
                stdout, stderr = process.communicate(timeout=60)
                if process.returncode not in (0, 1, 3):
                    raise Broken(f"killed while asking: {process.returncode}: {stderr!r}")
                wrong = [hit for hit in json.loads(stdout)["results"] if not is_true(hit)]
                if wrong:
                    raise Broken(f"killed while asking: {wrong}")
        return "kill while asking"

    def _kill_warm_server(self) -> str:
        with contextlib.suppress(psutil.NoSuchProcess):
            if state := self._warm.status():
                psutil.Process(state["pid"]).send_signal(
                    self._chance.choice((signal.SIGKILL, signal.SIGTERM))
                )
        return "kill of the warm server"

    def _kill_language_server(self) -> str:
        state = self._warm.status()
        for server in state["servers"] if state else ():
            if server["pid"]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(server["pid"], signal.SIGKILL)
        return "kill of a language server"

    def _lose_the_index(self) -> str:
        """Somebody deletes it, or cuts it in half; a run builds it anew."""
        if self._chance.random() < 0.5:
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self._db}{suffix}").unlink(missing_ok=True)
        elif self._db.exists():
            os.truncate(self._db, self._db.stat().st_size // 2)
        self._run("index", *self._place(), expected=(0, 5))
        return "loss of the index"


class Coprocess:
    """A `find --batch -` that answers line by line."""

    most = 1 << 30
    """Results that one answer can have."""

    def __init__(self, javadex: Javadex, place: tuple[str, ...]) -> None:
        self._stack = contextlib.ExitStack()
        self._process: subprocess.Popen[bytes] = self._stack.enter_context(
            javadex.start("find", "--batch", "-", "--limit", "0", *place)
        )

    def ask(self, query: str) -> dict[str, Any]:
        """The answer to one query."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(query.encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError as exc:
            raise Broken(f"the process that lives on is gone: {exc}") from exc
        if not line:
            assert self._process.stderr
            raise Broken(f"the process that lives on ended: {self._process.stderr.read()!r}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End it."""
        self._stack.close()


class McpServer:
    """A `javadex mcp`."""

    most = MOST_HITS

    def __init__(self, javadex: Javadex, place: tuple[str, ...]) -> None:
        self._stack = contextlib.ExitStack()
        self._lines = self._stack.enter_context(lines(javadex, *place))
        self._lines.shake_hands()
        self._number = 0

    def ask(self, query: str) -> dict[str, Any]:
        """The answer to one query."""
        return self._call(FIND, query=query, limit=MOST_HITS)

    def outline(self, path: str) -> dict[str, Any]:
        """The outline of a file."""
        return self._call(OUTLINE, uri=path, limit=MOST_NODES)

    def close(self) -> None:
        """End it."""
        code = self._lines.end()
        self._stack.close()
        if code:
            raise Broken(f"the MCP server ended with {code}")

    def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self._number += 1
        found = self._lines.call(self._number, tool, **arguments)
        document: dict[str, Any] = found["structuredContent"]
        return document


def _difference(found: dict[str, Any], right: Answers) -> str:
    """The first rows that are on one side only."""
    lines = []
    for table, expected in right.content.items():
        only = [row for row in found[table] if row not in expected][:3]
        lost = [row for row in expected if row not in found[table]][:3]
        if only or lost:
            lines.append(f"{table}: too much {only}, missing {lost}")
    return "; ".join(lines)
