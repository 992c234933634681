"""The container file, read: no engine builds it here, so what it names is looked for one by one."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from tests.support.documents import blocks, calls, steps
from tests.support.reference import check_call

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


def test_stages_are_of_one_python_and_what_is_installed_is_found() -> None:
    """Scripts of the virtual environment name its folder and its Python, so neither may move."""
    bases = [text.split(" AS ") for text in all_of("FROM")]
    assert len({base for base, *_ in bases}) == 1
    stages = {stage for _, *names in bases for stage in names}
    (made,) = {path for text in all_of("RUN") for path in re.findall(r"-m venv (\S+)", text)}
    taken = [text.split() for text in all_of("COPY") if text.startswith("--from=")]
    assert taken == [[f"--from={stage}", made, made] for stage in stages]
    assert f"PATH={made}/bin:$PATH" in value("ENV").split()
    assert any(f"{made}/bin/pip install" in text for text in all_of("RUN"))


def test_git_is_there_and_lists_a_mounted_workspace() -> None:
    """Which belongs to somebody else, as git sees it."""
    run = [text for name, text in last_stage() if name == "RUN"]
    assert any(re.search(r"apt-get install [^&]*\bgit\b", text) for text in run)
    assert any("git config --system --add safe.directory '*'" in text for text in run)


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


def runs_in_the_how_to() -> list[list[str]]:
    """The words of every `podman run` of the page."""
    return [
        words
        for block in blocks(HOW_TO.read_text("utf-8"))
        if block.language == "console"
        for step in steps(block)
        for words in calls(step.command)
        if words[:2] == ["podman", "run"]
    ]


def test_the_how_to_runs_commands_that_exist() -> None:
    runs = [words[words.index("javadex") + 1 :] for words in runs_in_the_how_to()]
    assert [] in runs
    assert any(call and call[0] == "index" for call in runs)
    for call in filter(None, runs):
        check_call(call)


def test_the_how_to_keeps_the_cache_of_this_file() -> None:
    for words in runs_in_the_how_to():
        mounts = [words[place + 1] for place, word in enumerate(words) if word == "-v"]
        assert f"javadex:{value('VOLUME')}" in mounts


def test_the_how_to_builds_this_file() -> None:
    assert "podman build --tag javadex .\n" in HOW_TO.read_text("utf-8")
