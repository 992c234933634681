"""Every block of README and docs: commands are run with the real jdt.ls, data is read.

`tests/support/documents.py` says how pages are written, so that nothing in them escapes.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

import click
import pytest

from tests.support.documents import (
    GIVEN,
    OFFLINE,
    PAGES,
    REASONS,
    REPOSITORY,
    Block,
    Done,
    PageError,
    Session,
    Settled,
    Step,
    blocks,
    calls,
    fits,
    problems,
    prose,
    renewed,
    steps,
    verdict,
)
from tests.support.golden import UPDATE
from tests.support.reference import all_commands, check_call, check_mention, options_in, options_of
from tests.support.warm import WarmPlace

SHOP = "sample_projects/maven-shop"

runs_pages = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("bash") is None,
    reason="the pages are written for bash and GNU's tools",
)


def name(page: Path) -> str:
    return page.relative_to(REPOSITORY).as_posix()


def blocks_of(page: Path, language: str) -> list[Block]:
    found = blocks(page.read_text("utf-8"))
    return [block for block in found if block.language == language and not block.left_out]


# --- the pages ----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_nothing_in_a_page_escapes(page: Path) -> None:
    assert problems(page.read_text("utf-8")) == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_data_in_pages_can_be_read(page: Path) -> None:
    for block in blocks_of(page, "json"):
        json.loads(block.text)
    for block in blocks_of(page, "toml"):
        tomllib.loads(block.text)


# --- what is not run ----------------------------------------------------------------------------

SCRIPT = re.compile(r"\b((?:benchmarks|tests)(?:\.(?!md\b)[a-z_]+)+)\b")
"""A script of the repository, as `python -m` takes it."""

TARGETS = re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text("utf-8"), re.MULTILINE)


def source_of(script: str) -> str:
    """The text of a script. Fails when there is none."""
    path = REPOSITORY / script.replace(".", "/")
    path = path / "__main__.py" if path.is_dir() else path.with_suffix(".py")
    assert path.is_file(), f"there is no script {script}"
    return path.read_text("utf-8")


def script_options(script: str) -> dict[str, str]:
    """The options of a script, each with the number that is its default, or ""."""
    found = re.findall(r"add_argument\(\s*\"(--[a-z-]+)\"([^\n]*)", source_of(script))
    return {
        option: default[1] if (default := re.search(r"default=([\d.]+)", rest)) else ""
        for option, rest in found
    }


def check_program(words: list[str]) -> None:
    """Fail when a call of a program that is ours cannot be right; others are let be."""
    program, *arguments = words
    program = PurePath(program).name
    if program == "javadex":
        check_call(arguments)
    elif program == "make":
        assert {word for word in arguments if "=" not in word} <= {*TARGETS}
    elif program == "pytest":
        assert [
            word for word in arguments if "/" in word and not (REPOSITORY / word).exists()
        ] == []
    elif arguments[:1] == ["-m"] and SCRIPT.fullmatch(arguments[1]):
        assert options_in(" ".join(arguments)) - {*script_options(arguments[1])} == set()


def check_command(command: str) -> None:
    for words in calls(command):
        check_program(words)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_is_not_run_could_be(page: Path) -> None:
    for block in blocks(page.read_text("utf-8")):
        for step in steps(block) if block.left_out else ():
            check_command(step.command)


@pytest.mark.parametrize(
    "command",
    [
        "true && .venv/bin/javadex fnd Order",
        "javadex find Order --no-such",
        "javadex index --servers many",
        "make setup chek",
        "X=1 pytest -s tests/test_nothing.py",
        "python -m benchmarks.nothing /tmp/tree",
        "for n in 1 2; do python -m benchmarks.index_tree /tmp/$n --no-such 3; done",
    ],
)
def test_what_could_not_be_run_is_told(command: str) -> None:
    with pytest.raises((click.UsageError, AssertionError)):
        check_command(command)


LEFT_OUT = {
    ("README.md", "needs a package index"): 1,
    ("README.md", "runs the tests"): 1,
    ("docs/benchmarks.md", "takes minutes"): 2,
    ("docs/howto-air-gapped.md", "needs a package index"): 2,
    ("docs/howto-container.md", "needs a container engine"): 3,
    ("docs/reliability.md", "takes minutes"): 2,
    ("docs/tutorial.md", "needs a package index"): 1,
}
"""How many blocks of a page are left out, and why: a known reason alone lets none go unseen."""


def test_only_these_blocks_are_left_out() -> None:
    found = Counter(
        (name(page), block.left_out)
        for page in PAGES
        for block in blocks(page.read_text("utf-8"))
        if block.left_out
    )
    assert found == LEFT_OUT
    assert {reason for _, reason in LEFT_OUT} == REASONS


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_and_options_in_the_text_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    for mention in re.findall(r"`(javadex\s[^`]+)`", prose(text)):
        check_mention(mention)
    known = {option for each in all_commands() for option in options_of(*each)}
    for script in SCRIPT.findall(text):
        known |= {*script_options(script)}
    for block in blocks(text):  # what a page explains of other programs, it shows
        known |= options_in(block.text) if block.left_out else set()
    assert options_in(prose(text)) - known - FOREIGN == set()


FOREIGN = {"--user"}
"""Options of programs that no page shows: docker."""


@pytest.mark.parametrize(
    "mention",
    [
        "javadex frobnicate",
        "javadex find --no-such",
        "javadex server start|stopp",
        "javadex server stop --limit 3",
        "javadex COMMAND --hepl",
    ],
)
def test_what_is_mentioned_and_does_not_exist_is_told(mention: str) -> None:
    with pytest.raises(AssertionError, match="there is no"):
        check_mention(mention)


def test_defaults_of_scripts_are_as_the_pages_have_them() -> None:
    """As in `benchmarks.index_tree TREE [--repeat 1]`."""
    usages = [
        usage
        for page in PAGES
        for usage in re.findall(rf"`({SCRIPT.pattern}[^`]*)`", prose(page.read_text("utf-8")))
    ]
    assert len(usages) > 5
    for usage, script in usages:
        for option, number in re.findall(r"\[(--[a-z-]+) ([\d.]+)\]", usage):
            assert script_options(script).get(option) == number, f"{script} {option}"


def test_extras_in_pages_exist() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    named = [
        extras
        for page in PAGES
        for extras in re.findall(r"(?:\.|\bjavadex)\[([\w,-]+)\]", page.read_text("utf-8"))
    ]
    assert len(named) > 5
    assert {*",".join(named).split(",")} - {*project["optional-dependencies"]} == set()


class World:
    """A home folder with a checkout in it, made anew for every page; one warm server for all."""

    def __init__(self, folder: Path, warm: WarmPlace) -> None:
        self.home = folder / "you"
        self.checkout = self.home / "javadex"
        self._folder = folder
        self._index = folder / "index"
        self._env = {
            "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.home),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            **warm.env,
        }

    def begin(self, *, given: bool) -> None:
        """Make home and checkout; with an index, if that is given."""
        shutil.rmtree(self.home, ignore_errors=True)
        self.checkout.mkdir(parents=True)
        shutil.copytree(REPOSITORY / "sample_projects", self.checkout / "sample_projects")
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = You\n\temail = you@example.org\n[init]\n\tdefaultBranch = main\n"
        )
        if given:
            self._give_index()

    def _give_index(self) -> None:
        if not self._index.exists():
            with self.session() as session:
                done = session.run(f"javadex index -q {SHOP}")
            assert done == Done(0, "")
            shutil.copytree(self.home / ".cache", self._index)
        else:
            shutil.copytree(self._index, self.home / ".cache")

    def session(self, *, offline: bool = False) -> Session:
        """Return a shell in the checkout."""
        scratch = self._folder / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        return Session(self.checkout, self._env, scratch, offline=offline)

    def play(self, page: str) -> list[tuple[Step, Done]]:
        """Run all commands of a page."""
        commands = [
            step
            for block in blocks(page)
            if block.language == "console" and not block.left_out
            for step in steps(block)
        ]
        if not commands:
            return []
        self.begin(given=GIVEN in page)
        settled = Settled(self.home)
        with self.session(offline=OFFLINE in page) as session:
            done = [session.run(step.command) for step in commands]
        return [
            (step, Done(each.code, settled(each.output)))
            for step, each in zip(commands, done, strict=True)
        ]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    warm = WarmPlace()
    with pytest.MonkeyPatch.context() as patch:
        for variable, value in warm.env.items():
            patch.setenv(variable, value)
        try:
            yield World(tmp_path_factory.mktemp("pages"), warm)
        finally:
            warm.close()


@runs_pages
@pytest.mark.jdtls
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_do_what_the_page_says(page: Path, world: World) -> None:
    text = page.read_text("utf-8")
    played = world.play(text)
    if os.environ.get(UPDATE) == "1":
        wrong = [each for each in played if each[1].code == each[0].code and verdict(*each)]
        page.write_text(renewed(text, wrong), "utf-8")
        played = [each for each in played if each not in wrong]
    assert [told for each in played if (told := verdict(*each))] == []


@runs_pages
@pytest.mark.jdtls
@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page, "sql")], ids=name)
def test_sql_in_pages_answers(page: Path, world: World) -> None:
    world.begin(given=True)
    (database,) = (world.home / ".cache" / "javadex").glob("*/index.db")
    connection = sqlite3.connect(database)
    try:
        for block in blocks_of(page, "sql"):
            assert connection.execute(block.text).fetchall(), f"line {block.line}: no row"
    finally:
        connection.close()


def keys(document: Any) -> set[str]:
    """Every key in a document, but those of `standing`, which are states."""
    if isinstance(document, list):
        return set().union(*map(keys, document))
    if not isinstance(document, dict):
        return set()
    nested = [value for key, value in document.items() if key != "standing"]
    return set(document) | keys(nested)


@runs_pages
@pytest.mark.jdtls
@pytest.mark.parametrize("command", ["index", "status", "doctor", "setup", "server"])
def test_documents_have_the_keys_that_the_page_gives(command: str, world: World) -> None:
    (shapes,) = [
        block.text
        for block in blocks_of(REPOSITORY / "docs" / "cli.md", "text")
        if block.text.startswith("index:")
    ]
    (shape,) = re.findall(rf"^{command}: (.*?)(?=^\w+:|\Z)", shapes, re.MULTILINE | re.DOTALL)
    known = set(re.findall(r"\w+", shape))
    optional = set(re.findall(r"(\w+)\?", shape))
    world.begin(given=True)
    argument = {"setup": "cursor", "server": "start"}.get(command, "")
    with world.session() as session:
        done = session.run(f"cd {SHOP} && javadex {command} {argument} --json -q 2>/dev/null")
    assert done.code == 0, done.output
    assert known - optional <= keys(json.loads(done.output)) <= known


@runs_pages
@pytest.mark.jdtls
def test_the_quick_start_goes_on_after_the_installation(world: World) -> None:
    """`test_package.py` shows that pip brings what the first two parts of the command bring."""
    readme = (REPOSITORY / "README.md").read_text("utf-8")
    (command,) = re.findall(r"^\$ (python3 -m venv .*)$", readme, re.MULTILINE)
    venv, install, *rest = command.split(" && ")
    assert venv == "python3 -m venv .venv"
    assert shlex.split(install)[:3] == [".venv/bin/pip", "install", "-q"]
    world.begin(given=True)
    (world.checkout / ".venv").mkdir()
    (world.checkout / ".venv" / "bin").symlink_to(sysconfig.get_path("scripts"))
    with world.session() as session:
        done = session.run(" && ".join(rest))
    assert done.code == 0, done.output
    assert "shop.orders.OrderService" in done.output


# --- the harness itself -------------------------------------------------------------------------


def page_of(*lines: str) -> str:
    return "".join(f"{line}\n" for line in ("# A page", "", *lines))


def console(*lines: str) -> str:
    return page_of("```console", *lines, "```")


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "scratch").mkdir()
    with Session(tmp_path, {"PATH": os.environ["PATH"]}, tmp_path / "scratch") as session:
        yield session


def verdicts(session: Session, page: str) -> list[str]:
    return [
        verdict(step, session.run(step.command)) for block in blocks(page) for step in steps(block)
    ]


@runs_pages
@pytest.mark.parametrize(
    "lines",
    [
        ["$ echo one; echo two", "one", "two"],
        ["$ echo one; echo two", "one", "..."],
        ["$ echo one two three", "one ... three"],
        ["$ echo took 0.5 s", "took 12.3 s"],
        ["$ false  # exit 1"],
        ["$ (exit 7)  # says nothing: exit 7"],
        ["$ echo wrong >&2", "wrong"],
        ["$ cat <<EOF", "> a", "> b", "> EOF", "a", "b"],
        ["$ X=1; cd /", "$ echo $X $PWD", "1 /"],
        ["$ read line || echo no input", "no input"],
        ["$ test -t 1 && test -t 2 && echo a terminal", "a terminal"],
        [r"$ printf 'one\r\ntwo\r\n'", "one", "two"],
        [r"$ printf '\r 10%%|#  |\r100%%|###|\nready\n' >&2", "ready"],
    ],
)
def test_what_is_true_passes(play: Session, lines: list[str]) -> None:
    page = console(*lines)
    assert problems(page) == []
    assert set(verdicts(play, page)) == {""}


@runs_pages
@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["$ echo one", "two"], "printed\none"),
        (["$ echo one; echo two", "one"], "printed\none\ntwo"),
        (["$ echo one", "one", "two"], "printed\none\n"),
        (["$ echo one two", "one ... three"], "printed"),
        ([r"$ printf 'one\r\ntwo\r\n'", "", ""], "printed\none\ntwo"),
        (["$ false"], "ended with 1, the page says 0"),
        (["$ true  # exit 1"], "ended with 0, the page says 1"),
        (["$ false | true"], "ended with 1"),
        (["$ no-such-command"], "ended with 127"),
        (["$ (exit 3)  # exit 1"], "ended with 3"),
        (["$ echo quiet", "$ echo loud", "loud"], "`echo quiet` printed\nquiet"),
    ],
)
def test_what_is_false_fails(play: Session, lines: list[str], told: str) -> None:
    assert told in "".join(verdicts(play, console(*lines)))


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (page_of("```", "$ javadex status", "```"), "no language"),
        (page_of("```bash", "javadex status", "```"), "a block in bash"),
        (page_of("```console run", "$ true", "```"), "a block in consolerun"),
        (page_of("~~~sh", "true", "~~~"), "a block in sh"),
        (page_of("```text", "$ javadex status", "```"), "commands in a block of text"),
        (page_of("```text", "javadex status", "```"), "commands in a block of text"),
        (page_of("```console", "javadex status", "```"), "does not begin with a command"),
        (page_of("```console", "```"), "does not begin with a command"),
        (page_of("```console", "$ true"), "never closed"),
        (page_of("    $ javadex status"), "outside of a fenced block"),
        (page_of("> $ javadex status"), "outside of a fenced block"),
        (page_of("<pre>javadex status</pre>"), "outside of a fenced block"),
        (page_of("<!-- not run: no time -->", "```console", "$ true", "```"), "no reason"),
        (page_of("<!-- not run: no time -->", "", "A word."), "not the line before"),
    ],
)
def test_what_would_escape_is_told(page: str, told: str) -> None:
    assert [problem for problem in problems(page) if told in problem]


def test_only_a_marked_block_is_left_out() -> None:
    mark = "<!-- not run: takes minutes -->"
    page = page_of(mark, "```console", "$ sleep 600", "```", "", "```console", "$ true", "```")
    assert problems(page) == []
    assert [block.left_out for block in blocks(page)] == ["takes minutes", ""]


def test_blocks_in_lists_lose_their_indentation() -> None:
    page = page_of("1. First", "", "   ```console", "   $ echo one", "   one", "   ```")
    (block,) = blocks(page)
    assert block.lines == ("$ echo one", "one")
    assert problems(page) == []


def test_an_unclosed_block_is_no_page() -> None:
    with pytest.raises(PageError, match="line 3"):
        blocks(page_of("```console", "$ true"))


@runs_pages
def test_a_command_that_ends_the_shell_is_told(play: Session) -> None:
    with pytest.raises(AssertionError, match="ended the shell: exit 3"):
        play.run("exit 3")


def test_how_long_it_took_is_not_compared() -> None:
    assert fits(["12 files in 0.4 s"], "12 files in 17 s\n")
    assert not fits(["12 files in 0.4 s"], "13 files in 0.4 s\n")


def test_what_varies_has_a_fixed_value_for_each() -> None:
    one, other = "4715908e0bb864ff", "0123456789abcdef"
    told = "/tmp/x/you/.cache/javadex/shop-{}/index.db, pid {}, at 2030-01-02T03:04:05Z"
    settled = Settled(Path("/tmp/x/you"))
    first, again, second = (
        settled(told.format(*each)) for each in ((one, 12), (one, 3456), (other, 12))
    )
    assert first == again != second
    assert first.startswith("/home/you/.cache/javadex/shop-")
    assert Settled(Path("/tmp/x/you"))(told.format(other, 99)) == first


@runs_pages
def test_a_page_may_be_without_a_network(tmp_path: Path) -> None:
    page = (REPOSITORY / "docs" / "howto-air-gapped.md").read_text("utf-8")
    assert OFFLINE in page
    if subprocess.run(["unshare", "-rn", "true"], check=False, capture_output=True).returncode:
        pytest.skip("this system lets nobody take the network away")
    (tmp_path / "scratch").mkdir()
    env = {"PATH": os.environ["PATH"]}
    with Session(tmp_path, env, tmp_path / "scratch", offline=True) as session:
        interfaces = session.run("tail -n +3 /proc/net/dev | cut -d: -f1")
    assert interfaces.output.split() in ([], ["lo"])


def test_outputs_are_renewed_in_their_places() -> None:
    page = console("$ echo one", "1", "$ true", "$ echo two; echo three", "2") + "End\n"
    (block,) = blocks(page)
    first, none, last = steps(block)
    wrong = [(first, Done(0, "one\n")), (none, Done(0, "more\n")), (last, Done(0, "two\nthree\n"))]
    expected = console(
        *("$ echo one", "one", "$ true", "more", "$ echo two; echo three", "two", "three")
    )
    assert renewed(page, wrong) == expected + "End\n"
