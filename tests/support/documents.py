"""Markdown pages as tests see them: their blocks, and a shell session that runs the commands.

A `console` block is a session in a terminal: a line that begins with `$ ` is a command, lines with
`> ` behind it continue it, what follows is what it prints. A command ends with 0, or as a comment
behind it says (`# exit 1`). Where a block shows what any of its commands prints, it shows all of
it, but for progress bars; a line `...` stands for any lines, `...` in a line for any text. How long
things took is not compared; times of day, process ids, the user's home and digests in paths have
fixed values (`Settled`).

A block that a test cannot run has a comment `<!-- not run: REASON -->` before it, with one of
`REASONS`. A page may say of all its commands: `<!-- given: the index -->`, where another page made
one, and `<!-- without a network -->`.

With JAVADEX_UPDATE_GOLDENS=1 in the environment, outputs are written anew instead of compared.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]

PAGES = [
    *(REPOSITORY / name for name in ("README.md", "CHANGELOG.md")),
    *sorted((REPOSITORY / "docs").rglob("*.md")),
]
"""All that people read of javadex."""

LANGUAGES = ("console", "json", "sql", "text", "toml")
"""Of blocks. `text` is for drawings and the shape of data: it must not look like commands."""

REASONS = frozenset(
    {
        "needs a package index",  # test_package.py installs from one
        "needs a container engine",  # test_container.py reads what it would build
        "takes minutes",
        "runs the tests",
    }
)
"""Why a block may be left out."""

GIVEN = "<!-- given: the index -->"
"""Of a page: sample_projects/maven-shop is indexed when it begins."""

OFFLINE = "<!-- without a network -->"
"""Of a page: its commands have no network, where the system can take it away (`unshare`)."""

TIMEOUT = 60.0
"""Seconds for one command."""

HOME = "/home/you"
"""What pages call the home folder."""

_FENCE = re.compile(r"(\s*)(`{3,}|~{3,})\s*([^\s`]*)(.*)")
_NOT_RUN = re.compile(r"<!-- not run: (.*) -->")
_STATED = re.compile(r"#(?:.*\s)?exit (\d+)$")
_BAR = re.compile(r" *\d+%\|")
_LIKE_A_COMMAND = re.compile(r" {0,3}(\$ |(?:javadex|pip|git|docker|podman|python3?) \w)")


@dataclass(frozen=True)
class Block:
    """A fenced block; `line` is the 1-based line of its fence, `left_out` why it is not run."""

    line: int
    language: str
    lines: tuple[str, ...]
    left_out: str = ""

    @property
    def text(self) -> str:
        """What stands between the fences."""
        return "".join(f"{line}\n" for line in self.lines)


@dataclass(frozen=True)
class Step:
    """A command and what the page says of it; `printed` is None where nothing is shown.

    `first` and `last` are the lines of the page with its output, 1-based; none: `last < first`.
    """

    command: str
    printed: tuple[str, ...] | None
    code: int
    first: int
    last: int


@dataclass(frozen=True)
class Done:
    """What a command did; its output is stdout and stderr as they came."""

    code: int
    output: str


class PageError(Exception):
    """A page cannot be read as blocks."""


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page. Raises `PageError`."""
    found: list[Block] = []
    fence: re.Match[str] | None = None
    start, before = 0, ""
    for number, line in enumerate(page.splitlines(), 1):
        if fence is None:
            fence, start = _FENCE.match(line), number
            if fence:
                mark = _NOT_RUN.fullmatch(before.strip())
                left_out = mark[1] if mark else ""
                content: list[str] = []
            elif line.strip():
                before = line
        elif line.strip() == fence[2]:
            found.append(Block(start, fence[3] + fence[4].strip(), tuple(content), left_out))
            fence, before = None, ""
        else:
            content.append(line.removeprefix(fence[1]))
    if fence is not None:
        raise PageError(f"line {start}: the block is never closed")
    return found


def problems(page: str) -> list[str]:
    """Return what would keep commands of a page from being run, one text for each."""
    try:
        found = blocks(page)
    except PageError as exc:
        return [str(exc)]
    inside = {n for block in found for n in range(block.line, block.line + len(block.lines) + 2)}
    told = [problem for block in found for problem in _problems_of(block)]
    for number, line in enumerate(page.splitlines(), 1):
        if number not in inside and re.match(r"\s*(>\s*)?(\$ |<pre)", line):
            told.append(f"line {number}: a command outside of a fenced block")
    marks = sum(1 for line in page.splitlines() if "<!-- not run" in line)
    if marks != sum(1 for block in found if block.left_out):
        told.append("a mark `not run` is not the line before a block")
    return told


def _problems_of(block: Block) -> Iterator[str]:
    where = f"line {block.line}"
    if block.language not in LANGUAGES:
        yield f"{where}: a block in {block.language or 'no language'}; take one of {LANGUAGES}"
    if block.left_out and block.left_out not in REASONS:
        yield f"{where}: {block.left_out!r} is no reason to leave it out; take one of {REASONS}"
    if block.language == "text" and any(map(_LIKE_A_COMMAND.match, block.lines)):
        yield f"{where}: commands in a block of text; make it a console"
    if block.language == "console" and not block.text.startswith("$ "):
        yield f"{where}: a console that does not begin with a command"


def prose(page: str) -> str:
    """Return a page without its fenced blocks."""
    lines = page.splitlines()
    for block in blocks(page):
        count = len(block.lines) + 2
        lines[block.line - 1 : block.line - 1 + count] = [""] * count
    return "\n".join(lines)


def steps(block: Block) -> list[Step]:
    """Return the commands of a console block."""
    parts: list[tuple[list[str], list[str], int]] = []
    for number, line in enumerate(block.lines, block.line + 1):
        if line.startswith("$ "):
            parts.append(([line[2:]], [], number + 1))
        elif line[:2] in (">", "> ") and not parts[-1][1]:
            parts[-1][0].append(line[2:])
            parts[-1] = (*parts[-1][:2], number + 1)
        else:
            parts[-1][1].append(line)
    shown = any(printed for _, printed, _ in parts)
    return [
        Step(
            "\n".join(command),
            tuple(printed) if shown else None,
            int(stated[1]) if (stated := _STATED.search(command[0])) else 0,
            first,
            first + len(printed) - 1,
        )
        for command, printed, first in parts
    ]


_BEFORE_A_PROGRAM = re.compile(r"do|then|else|\w+=.*")


def calls(command: str) -> Iterator[list[str]]:
    """Yield the programs that a shell command calls, each with its arguments."""
    lexer = shlex.shlex(command.replace("\\\n", ""), posix=True, punctuation_chars=";|&")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in [*lexer, ";"]:
        if word[0] not in ";|&":
            if words or not _BEFORE_A_PROGRAM.fullmatch(word):
                words.append(word)
        elif words:
            yield words
            words = []


# --- running ------------------------------------------------------------------------------------


class Session:
    """A bash that runs one page's commands in a terminal, each in the state the last one left."""

    def __init__(
        self, folder: Path, env: dict[str, str], scratch: Path, *, offline: bool = False
    ) -> None:
        self._scratch = scratch
        self._count = 0
        self._screen, self._terminal = _terminal()
        self._bash = subprocess.Popen(
            [*(_without_network() if offline else ()), "bash", "--noprofile", "--norc"],
            cwd=folder,
            env=env | {"TERM": "dumb"},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[self._terminal],
            start_new_session=True,
        )
        self._send("set -o pipefail")

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        # Its children go along, those in the background, too; but not the warm server.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._bash.pid, signal.SIGKILL)
        self._bash.communicate()
        os.close(self._screen)
        os.close(self._terminal)

    def run(self, command: str) -> Done:
        """Run a command to its end."""
        self._count += 1
        script = self._scratch / f"{self._count}.sh"
        script.write_text(f"{command}\n", "utf-8")
        terminal = self._terminal
        self._send(
            f". {shlex.quote(str(script))} >&{terminal} 2>&1 </dev/null {terminal}>&-; "
            f"printf '\\0%s\\0' $? >&{terminal}"
        )
        output, code = self._shown(command)
        return Done(int(code), _without_bars(output.decode("utf-8", "backslashreplace")))

    def _send(self, line: str) -> None:
        assert self._bash.stdin
        self._bash.stdin.write(f"{line}\n".encode())
        self._bash.stdin.flush()

    def _shown(self, command: str) -> tuple[bytes, bytes]:
        """What the command printed, and its exit code, which follows between two zero bytes."""
        deadline, shown = time.monotonic() + TIMEOUT, b""
        while not (ended := re.search(rb"\0(\d+)\0", shown)):
            if select.select([self._screen], [], [], 0.2)[0]:
                shown += os.read(self._screen, 1 << 16)
                continue
            assert self._bash.poll() is None, f"the command ended the shell: {command}"
            assert time.monotonic() < deadline, f"not done within {TIMEOUT:g} s: {command}"
        return shown[: ended.start()], ended[1]


def _without_network() -> tuple[str, ...]:
    """What starts a program without a network; nothing where that is not allowed."""
    command = ("unshare", "--map-root-user", "--net")
    if not shutil.which("unshare"):
        return ()
    tried = subprocess.run([*command, "true"], check=False, capture_output=True)
    return command if tried.returncode == 0 else ()


def _terminal() -> tuple[int, int]:
    """Both ends of a terminal that shows bytes as they are written."""
    import termios  # not on every system

    screen, terminal = os.openpty()
    attributes = termios.tcgetattr(terminal)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)
    termios.tcsetwinsize(terminal, (50, 130))
    return screen, terminal


def _without_bars(output: str) -> str:
    """`output` without progress bars, which draw over their line."""
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in output.split("\n"))
    return "\n".join(line for line in lines if not _BAR.match(line))


# --- comparing ----------------------------------------------------------------------------------

_DIGEST = re.compile(r"(?<=-)[0-9a-f]{16}(?=/)")
_TIME = re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
_PID = re.compile(r"\bpid \d+")


class Settled:
    """Gives what is different at every run a fixed value, the same throughout a page.

    So a page may say that two commands name the same index, and is wrong where they do not.
    """

    def __init__(self, home: Path) -> None:
        self._home = str(home)
        self._digests: dict[str, str] = {}

    def __call__(self, output: str) -> str:
        """Return what a command printed, as a page shows it."""
        output = _PID.sub("pid 4321", _TIME.sub("2026-12-01T12:00:00Z", output))
        return _DIGEST.sub(self._stand_in, output.replace(self._home, HOME))

    def _stand_in(self, found: re.Match[str]) -> str:
        name = f"index {len(self._digests)}".encode()
        return self._digests.setdefault(found[0], hashlib.sha256(name).hexdigest()[:16])


_VARIABLE = (
    (re.compile(r"\b\d+(\.\d+)? (m?s)\b"), r"# \2"),
    (re.compile(r"(\"(?:seconds|filesPerSecond)\": )[\d.]+"), r"\1#"),
    (re.compile(r"[ \t]{2,}|\t"), "  "),  # columns are as wide as paths of the machine
)


def comparable(text: str) -> str:
    """Return `text` without how long things took, and with narrow columns."""
    for pattern, replacement in _VARIABLE:
        text = pattern.sub(replacement, text)
    return text


def fits(printed: Sequence[str], output: str) -> bool:
    """True when `output` is what the page shows, wildcards and variable parts left aside."""
    pattern = "".join(
        "(?:.*\n)*" if line.strip() == "..." else f"{_line_pattern(line)}\n" for line in printed
    )
    lines = (comparable(line.rstrip()) for line in output.splitlines())
    return bool(re.fullmatch(pattern, "".join(f"{line}\n" for line in lines)))


def _line_pattern(line: str) -> str:
    return ".*".join(re.escape(comparable(part)) for part in line.rstrip().split("..."))


def verdict(step: Step, done: Done) -> str:
    """Return what is wrong with the page, '' when nothing is."""
    if done.code != step.code:
        return (
            f"line {step.first - 1}: `{step.command}` ended with {done.code}, "
            f"the page says {step.code}:\n{done.output}"
        )
    if step.printed is not None and not fits(step.printed, done.output):
        shown = "".join(f"{line}\n" for line in step.printed)
        return (
            f"line {step.first - 1}: `{step.command}` printed\n{done.output}"
            f"--- and not, as the page says ---\n{shown}"
            "(set JAVADEX_UPDATE_GOLDENS=1 to take this over into the page)"
        )
    return ""


def renewed(page: str, wrong: Sequence[tuple[Step, Done]]) -> str:
    """Return the page with the outputs that came."""
    lines = page.splitlines()
    for step, done in sorted(wrong, key=lambda pair: -pair[0].first):
        lines[step.first - 1 : step.last] = done.output.splitlines()
    return "".join(f"{line}\n" for line in lines)
