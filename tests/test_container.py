"""The container file, read: no engine builds it here, so what it names is looked for one by one."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from query.cli import cli
from tests.support.documents import blocks, steps

REPOSITORY = Path(__file__).parents[1]
HOW_TO = REPOSITORY / "docs" / "howto-container.md"
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]

Instruction = tuple[str, str]


def instructions() -> list[Instruction]:
    """What the file says: name and text of each instruction, continued lines joined."""
    text = (REPOSITORY / "Containerfile").read_text("utf-8")
    kept = "\n".join(line for line in text.splitlines() if line and not line.startswith("#"))
    return [
        (line.split()[0], line.split(maxsplit=1)[1])
        for line in re.sub(r"\\\n\s*", "", kept).splitlines()
    ]


def all_of(name: str) -> list[str]:
    return [text for each, text in instructions() if each == name]


def last_stage() -> list[Instruction]:
    found = instructions()
    start = max(place for place, (each, _) in enumerate(found) if each == "FROM")
    return found[start:]


def value(name: str) -> str:
    """The last of an instruction in the stage that becomes the image."""
    return [text for each, text in last_stage() if each == name][-1]


def copied() -> Iterator[str]:
    """What is copied out of the checkout."""
    for text in all_of("COPY"):
        words = text.split()
        if not words[0].startswith("--from="):
            yield from words[:-1]


def check_call(arguments: list[str]) -> None:
    """Have click parse a call of javadex without making it; fails as the call would."""
    command: click.Command = cli
    context = click.Context(cli, info_name="javadex", **cli.context_settings)
    while isinstance(command, click.Group):
        name, *arguments = arguments
        found = command.get_command(context, name)
        assert found, f"there is no command {name}"
        command = found
    command.make_context(name, arguments, parent=context)


def test_only_known_instructions() -> None:
    known = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "ENTRYPOINT", "CMD"}
    assert {name for name, _ in instructions()} <= known


def test_the_base_is_a_python_that_will_do() -> None:
    wanted = re.fullmatch(r">=3\.(\d+)", PROJECT["requires-python"])
    assert wanted
    for text in all_of("FROM"):
        base = re.match(r"docker\.io/library/python:3\.(\d+)-slim\b", text)
        assert base, text
        assert int(base[1]) >= int(wanted[1])


def test_what_is_copied_is_there_and_reaches_the_build() -> None:
    sources = set(copied())
    assert {"pyproject.toml", "indexer", "query"} <= sources
    assert [source for source in sources if not (REPOSITORY / source).exists()] == []
    first, *lines = [
        line
        for line in (REPOSITORY / ".dockerignore").read_text("utf-8").splitlines()
        if not line.startswith("#")
    ]
    assert first == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == sources


def test_what_pip_builds_from_is_copied() -> None:
    """The README and the licence are parts of the wheel, too."""
    packages = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["tool"]
    needed = {name.split(".")[0] for name in packages["setuptools"]["packages"]}
    assert needed | {PROJECT["readme"], *PROJECT["license-files"]} <= set(copied())


def test_the_extras_exist() -> None:
    named = [extra for text in all_of("RUN") for extra in re.findall(r"'\.\[([^\]]*)\]'", text)]
    assert named
    for extras in named:
        assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])


def test_nobody_is_root() -> None:
    user = value("USER")
    assert user not in ("root", "0")
    assert any(f"useradd --uid 1000 --create-home {user}" in text for text in all_of("RUN"))
    after = [name for name, _ in last_stage()]
    assert after.index("USER") > max(place for place, name in enumerate(after) if name == "RUN")


def test_the_cache_is_a_volume_of_the_user() -> None:
    assert f"XDG_CACHE_HOME={value('VOLUME')}" in value("ENV")
    made = [text for text in all_of("RUN") if "chown" in text]
    assert value("VOLUME") in made[0]
    assert value("WORKDIR") in made[0]


def test_what_it_runs_is_a_command() -> None:
    script = json.loads(value("ENTRYPOINT"))
    assert script == ["javadex"]
    assert "javadex" in PROJECT["scripts"]
    check_call(json.loads(value("CMD")))


@pytest.mark.parametrize("call", [["mcp", "--no-such-option"], ["nothing"], ["find", "--limit"]])
def test_a_wrong_call_is_noticed(call: list[str]) -> None:
    with pytest.raises((click.UsageError, AssertionError)):
        check_call(call)


def calls_in_the_how_to() -> list[list[str]]:
    """Arguments of javadex in every `podman run` of the page."""
    commands = [
        shlex.split(step.command.replace("\\\n", ""), comments=True)
        for block in blocks(HOW_TO.read_text("utf-8"))
        if block.language == "console"
        for step in steps(block)
    ]
    runs = [words for words in commands if words[:2] == ["podman", "run"]]
    return [words[words.index("javadex") + 1 :] for words in runs]


def test_the_how_to_runs_commands_that_exist() -> None:
    calls = calls_in_the_how_to()
    assert [] in calls
    assert any(call and call[0] == "index" for call in calls)
    for call in filter(None, calls):
        check_call(call)


def test_the_how_to_builds_this_file() -> None:
    assert "podman build --tag javadex .\n" in HOW_TO.read_text("utf-8")
