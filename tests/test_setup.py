"""`javadex setup`: what is written for each client, left alone, refused, and taken out again."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.errors import JavadexError
from indexer.standing import Standing
from query.cli import cli
from query.contract import ErrorCode, Reason
from query.kinds import KINDS
from query.mcp.tools import FIND, OUTLINE, TOOLS
from query.setup import disk, edit_block
from query.setup.clients import CLIENTS, pieces, skill
from query.setup.plan import carry_out, plan_undo, plan_write, standing
from query.setup.records import load
from tests.support.cli import Console, Javadex, Result, without_root_powers
from tests.support.mcp import Agent, talk
from tests.test_setup_texts import MARKDOWN, json_texts, toml_texts

ALL = list(CLIENTS)
SERVERS = {"claude-code": "mcpServers", "codex": "mcp_servers", "copilot": "mcpServers"} | {
    "cursor": "mcpServers",
    "vscode": "servers",
    "gemini": "mcpServers",
}
CONFIGS = {
    "claude-code": ".mcp.json",
    "codex": ".codex/config.toml",
    "copilot": ".github/mcp.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".vscode/mcp.json",
    "gemini": ".gemini/settings.json",
}


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A state folder of the test's own; and javadex is on PATH."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    return tmp_path / "state"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Everything below a folder: files with their bytes, folders with none."""
    return {
        path.relative_to(folder).as_posix() + ("/" if path.is_dir() else ""): (
            b"" if path.is_dir() else path.read_bytes()
        )
        for path in folder.rglob("*")
    }


def put(folder: Path, path: str, content: bytes | str) -> Path:
    target = folder / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content.encode() if isinstance(content, str) else content)
    return target


def run(console: Console, client: str, *arguments: object, code: int = 0) -> Result:
    result = console.run("setup", client, *arguments)
    assert result.code == code, result
    return result


def server(project: Path, client: str) -> dict[str, Any]:
    """The entry, as the client's own reader finds it."""
    text = (project / CONFIGS[client]).read_text("utf-8")
    document = tomllib.loads(text) if CONFIGS[client].endswith(".toml") else json.loads(text)
    entry: dict[str, Any] = document[SERVERS[client]]["javadex"]
    return entry


def argv(project: Path, client: str) -> list[str]:
    """What the client starts in the project's folder; editors know a variable for it."""
    entry = server(project, client)
    words = [entry["command"], *entry["args"]]
    if client in ("cursor", "vscode"):
        words = [word.replace("${workspaceFolder}", str(project)) for word in words]
    assert not any("$" in word for word in words)
    return words


# What is written


@pytest.mark.parametrize("client", ALL)
def test_the_entry_starts_the_server_of_the_project(
    client: str, project: Path, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(console, client, "--write", "--root", project)
    command, *arguments = argv(project, client)
    assert command == "javadex"
    assert arguments[:2] == ["mcp", "--root"]

    monkeypatch.chdir(project)
    context = click.Context(cli)
    mcp = cli.get_command(context, arguments[0])
    assert mcp is not None
    with mcp.make_context("mcp", arguments[1:], parent=context) as parsed:
        (root,) = parsed.params["roots"]
    assert os.path.realpath(root) == os.path.realpath(project)


@pytest.mark.parametrize("client", ["gemini", "vscode"])
def test_a_client_can_talk_to_what_it_starts(
    client: str, project: Path, console: Console, javadex: Javadex
) -> None:
    """One that says the folder as `.`, one with a variable."""
    put(project, "src/a/Order.java", "package a;\nclass Order {\n}\n")
    run(console, client, "--write", "--root", project)
    _, _, *arguments = argv(project, client)

    async def scenario(agent: Agent) -> Any:
        await agent.ready()
        return await agent.find("Order")

    found = talk(javadex, scenario, *arguments, cwd=project)
    assert [hit["file"] for hit in found["results"]] == [str(project / "src/a/Order.java")]


def test_fields_that_clients_require() -> None:
    """`type`: VS Code, Cursor; `tools`: Copilot CLI (the pages that query.setup.clients names)."""
    values = {name: json.loads(next(iter(pieces(CLIENTS[name]).values())).wanted) for name in ALL}
    for name in ("claude-code", "copilot", "cursor", "vscode"):
        assert values[name]["type"] == "stdio"
    assert values["copilot"]["tools"] == ["*"]
    assert set(values["codex"]) == set(values["gemini"]) == {"command", "args"}


@pytest.mark.parametrize("client", ALL)
def test_three_files_are_written_and_nothing_of_this_machine_in_them(
    client: str, project: Path, console: Console
) -> None:
    result = run(console, client, "--write", "--root", project)
    written = {path: data for path, data in files(project).items() if not path.endswith("/")}
    assert list(pieces(CLIENTS[client])) == [
        line.removeprefix("created ") for line in result.stdout.splitlines()
    ]
    assert sorted(written) == sorted(pieces(CLIENTS[client]))
    for data in written.values():
        assert str(project).encode() not in data
        assert os.path.dirname(sys.executable).encode() not in data
        assert data.endswith(b"\n")


@pytest.mark.parametrize("client", ALL)
def test_the_instructions_are_short_and_name_the_tools(client: str) -> None:
    _, instructions, _ = pieces(CLIENTS[client]).values()
    assert FIND in instructions.wanted
    assert OUTLINE in instructions.wanted
    assert len(instructions.wanted.splitlines()) <= 17
    if not CLIENTS[client].instructions.endswith(".mdc"):
        assert len(instructions.wanted.splitlines()) <= 15
        assert instructions.wanted.startswith(edit_block.BEGIN + "\n")
        assert instructions.wanted.endswith(edit_block.END + "\n")


def test_another_command_goes_before_the_arguments(project: Path, console: Console) -> None:
    command = "uvx --from 'javadex[jdtls,mcp]' javadex"
    run(console, "codex", "--write", "--root", project, "--command", command)
    assert server(project, "codex") == {
        "command": "uvx",
        "args": ["--from", "javadex[jdtls,mcp]", "javadex", "mcp", "--root", "."],
    }


def test_a_command_that_is_not_found_is_told(
    project: Path, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(project))
    assert "javadex is not found on PATH" in run(console, "vscode", "--root", project).stderr


def test_a_missing_sdk_is_told(
    project: Path, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is that of this interpreter, which another command need not use."""

    def told(*arguments: object) -> bool:
        return (
            "the MCP SDK is not installed here; run: pip install 'javadex[mcp]'"
            in run(console, "codex", "--root", project, *arguments).stderr
        )

    monkeypatch.setattr("query.setup_cli.find_spec", lambda name: name)
    assert not told()
    monkeypatch.setattr("query.setup_cli.find_spec", lambda name: None if name == "mcp" else name)
    assert told()
    assert told("--write")
    assert not told("--command", "javadex-of-another-environment")


def test_a_shell_completes_folders_for_the_root() -> None:
    words = ShellComplete(cli, {}, "javadex", "_JAVADEX_COMPLETE")
    (found,) = words.get_completions(["setup", "codex", "--root"], "sr")
    assert (found.type, found.value) == ("dir", "sr")
    clients = words.get_completions(["setup"], "c")
    assert [each.value for each in clients] == ["claude-code", "codex", "copilot", "cursor"]


# Nothing unless asked


@pytest.mark.parametrize("client", ALL)
def test_printing_shows_all_and_writes_nothing(
    client: str, project: Path, console: Console, state: Path
) -> None:
    put(project, "AGENTS.md", "# Agents\n")
    before = files(project)
    shown = run(console, client, "--root", project).stdout
    assert shown == run(console, client, "--print", "--root", project).stdout
    assert files(project) == before
    assert not state.exists()
    for path, piece in pieces(CLIENTS[client]).items():
        assert f"==> {path} (" in shown
        if path != "AGENTS.md":
            assert piece.put("") in shown
    if client == "codex":
        assert "==> AGENTS.md (change)\n--- AGENTS.md\n+++ AGENTS.md\n" in shown
        assert f"\n # Agents\n+\n+{edit_block.BEGIN}\n" in shown


@pytest.mark.parametrize("client", ALL)
def test_what_is_printed_is_what_is_written(client: str, project: Path, console: Console) -> None:
    put(project, CONFIGS[client], b"")
    shown = run(console, client, "--json", "--root", project).json
    run(console, client, "--write", "--root", project)
    assert {each["path"]: each["content"].encode() for each in shown["files"]} == {
        path: data for path, data in files(project).items() if not path.endswith("/")
    }


@pytest.mark.parametrize("client", ALL)
def test_writing_again_changes_no_byte(client: str, project: Path, console: Console) -> None:
    run(console, client, "--write", "--root", project)
    before = files(project)
    times = {path: (project / path).stat().st_mtime_ns for path in before}
    result = run(console, client, "--write", "--root", project)
    assert files(project) == before
    assert {path: (project / path).stat().st_mtime_ns for path in before} == times
    assert {line.split()[0] for line in result.stdout.splitlines()} == {"unchanged"}
    assert result.stderr == ""


def test_json_tells_what_was_done(project: Path, console: Console) -> None:
    def actions(*arguments: object) -> list[str]:
        document = run(console, "vscode", *arguments, "--json", "--root", project).json
        assert list(document) == ["client", "root", "mode", "files", "notices"]
        assert document["client"] == "vscode"
        assert document["root"] == str(project)
        return [each["action"] for each in document["files"]]

    put(project, ".vscode/mcp.json", '{"servers": {}}')
    assert actions() == ["change", "create", "create"]
    assert actions("--write") == ["change", "create", "create"]
    assert actions("--write") == ["unchanged"] * 3
    assert actions("--undo") == ["restore", "delete", "delete"]
    assert actions("--undo") == ["absent"] * 3


# And back


@pytest.mark.parametrize("client", ALL)
@pytest.mark.parametrize("before", [{}, {"README.md": b"x"}, "folders"])
def test_undo_leaves_nothing_behind(
    client: str, before: Any, project: Path, console: Console, state: Path
) -> None:
    for path in pieces(CLIENTS[client]) if before == "folders" else ():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
    for path, data in before.items() if isinstance(before, dict) else ():
        put(project, path, data)
    former = files(project)
    run(console, client, "--write", "--root", project)
    assert files(project) != former
    run(console, client, "--undo", "--root", project)
    assert files(project) == former
    assert not [path for path in state.rglob("*") if path.is_file()]


BYTES = st.sampled_from([b"", "\ufeff".encode()])


@st.composite
def texts(draw: st.DrawFn, client: str) -> dict[str, bytes]:
    """Files of a project where somebody has used the client before."""
    container = SERVERS[client]
    config = draw(toml_texts()) if client == "codex" else draw(json_texts())[0]
    config = config.replace('"servers"', f'"{container}"')
    mark = draw(BYTES) if client != "codex" else b""  # TOML knows no mark
    found = {CONFIGS[client]: mark + config.encode()}
    if not CLIENTS[client].instructions.endswith(".mdc"):
        found[CLIENTS[client].instructions] = draw(BYTES) + draw(MARKDOWN).encode()
    return found


@pytest.mark.parametrize("client", ALL)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_undo_gives_every_byte_back(client: str, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = os.path.realpath(name)
        former = data.draw(texts(client))
        for path, content in former.items():
            put(Path(root), path, content)
        before = files(Path(root))

        carry_out(root, plan_write(root, CLIENTS[client], force=True))
        written = files(Path(root))
        again = plan_write(root, CLIENTS[client])
        assert not any(step.writes for step in again)
        carry_out(root, again)
        assert files(Path(root)) == written
        assert next(each for each in standing(root) if each.client == client).state == "ready"

        carry_out(root, plan_undo(root, CLIENTS[client]))
        assert files(Path(root)) == before
        assert load(root) == {}


@pytest.mark.parametrize("client", ALL)
def test_undo_after_other_changes_takes_out_just_ours(
    client: str, project: Path, console: Console
) -> None:
    instructions = CLIENTS[client].instructions
    empty = "" if client == "codex" else "{}\n"
    put(project, CONFIGS[client], empty)
    run(console, client, "--write", "--root", project)
    text = (project / CONFIGS[client]).read_text()
    other = "\n[other]\nx = 1\n" if client == "codex" else "// other\n"
    put(project, CONFIGS[client], text + other)
    if not instructions.endswith(".mdc"):
        put(project, instructions, (project / instructions).read_text() + "\nMine.\n")

    run(console, client, "--undo", "--root", project)
    left = {path: data.decode() for path, data in files(project).items() if path[-1] != "/"}
    assert left.pop(CONFIGS[client]).endswith(other)
    assert left.pop(instructions, "Mine.\n").strip() == "Mine."
    assert left == {}


def test_undo_of_what_a_colleague_committed(
    project: Path, console: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """There is no record on this machine."""
    put(project, "CLAUDE.md", "# Ours\n")
    run(console, "claude-code", "--write", "--root", project, "--command", "/opt/javadex")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    run(console, "claude-code", "--undo", "--root", project)
    left = {path: data for path, data in files(project).items() if path[-1] != "/"}
    assert left == {"CLAUDE.md": b"# Ours\n", ".mcp.json": b'{\n  "mcpServers": {\n  }\n}\n'}
    assert not (project / ".claude").exists()


def test_a_damaged_record_is_none(project: Path, console: Console, state: Path) -> None:
    run(console, "codex", "--write", "--root", project)
    (record,) = [path for path in state.rglob("*") if path.is_file()]
    for content in ("", "[]", '{"files": {"AGENTS.md": {}}}', '{"files": {"a": {"splice": 1}}}'):
        record.write_text(content)
        assert load(str(project)) == {}
    run(console, "codex", "--undo", "--root", project)
    assert files(project) == {}


def test_a_file_of_two_clients_stays_until_both_are_undone(project: Path, console: Console) -> None:
    put(project, ".github/copilot-instructions.md", "# Rules")
    former = files(project)
    run(console, "copilot", "--write", "--root", project)
    run(console, "vscode", "--write", "--root", project)
    told = run(console, "copilot", "--undo", "--root", project).stdout
    assert "kept .github/copilot-instructions.md (vscode has it, too)\n" in told
    assert not (project / ".github/mcp.json").exists()
    assert {each.client: each.state for each in standing(str(project))}["vscode"] == "ready"
    run(console, "vscode", "--undo", "--root", project)
    assert files(project) == former


def test_a_later_version_replaces_what_an_earlier_one_wrote(
    project: Path, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(project, ".mcp.json", '{"mcpServers": {"x": {}}}')
    former = files(project)
    with monkeypatch.context() as patch:
        patch.setattr("query.setup.clients.skill", lambda: "---\nname: javadex\n---\nearlier\n")
        patch.setattr("query.setup.clients._ADVICE", "earlier\n")
        run(console, "claude-code", "--write", "--root", project, "--command", "earlier")
    result = run(console, "claude-code", "--write", "--root", project)
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["changed"] * 3
    assert b"earlier" not in b"".join(files(project).values())
    run(console, "claude-code", "--undo", "--root", project)
    assert files(project) == former


def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From now on it is a colleague's machine, where nothing is recorded."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))


@pytest.mark.parametrize("written", [True, False])
def test_undo_keeps_what_a_client_that_a_colleague_set_up_needs(
    written: bool,
    project: Path,
    console: Console,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    run(console, "vscode", "--write", "--root", project)
    former = files(project)
    elsewhere(monkeypatch, tmp_path)
    if written:
        run(console, "copilot", "--write", "--root", project)
    told = run(console, "copilot", "--undo", "--root", project).stdout
    assert told.count("(vscode has it, too)") == 2
    assert files(project) == former
    run(console, "vscode", "--undo", "--root", project)
    assert files(project) == {}


def test_what_two_clients_share_goes_with_the_last_of_them(
    project: Path, console: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both were set up by a colleague, and two of them even read one configuration."""
    put(project, ".mcp.json", "{}\n")
    (project / ".cursor").mkdir()
    (project / ".cursor/mcp.json").symlink_to("../.mcp.json")
    for client in ("copilot", "vscode", "cursor", "claude-code"):
        run(console, client, "--write", "--root", project)
    elsewhere(monkeypatch, tmp_path)
    for client in ("copilot", "vscode", "cursor", "claude-code"):
        run(console, client, "--undo", "--root", project)
    assert set(files(project)) == {".mcp.json", ".cursor/", ".cursor/mcp.json"}
    assert b"javadex" not in b"".join(files(project).values())


def test_a_client_that_cannot_be_looked_at_keeps_its_files(
    project: Path, console: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run(console, "vscode", "--write", "--root", project)
    put(project, ".vscode/mcp.json", '{"servers": {"javadex": ')
    elsewhere(monkeypatch, tmp_path)
    former = files(project)
    run(console, "copilot", "--undo", "--root", project)
    assert files(project) == former


def test_a_block_that_a_colleague_committed_is_taken_out_to_the_byte(
    project: Path, console: Console, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for at, text in enumerate(("# T", "a\n\n\n", "a\r\n", "a\n  ", "\n")):
        put(project, "GEMINI.md", text)
        run(console, "gemini", "--write", "--root", project)
        elsewhere(monkeypatch, tmp_path / str(at))
        run(console, "gemini", "--undo", "--root", project)
        assert files(project) == {"GEMINI.md": text.encode()}


def test_undo_goes_behind_a_second_writing(project: Path, console: Console) -> None:
    """Taking the entry out would leave its container behind."""
    put(project, ".mcp.json", '{"a":1}')
    former = files(project)
    for command in ("one", "two"):
        run(console, "claude-code", "--write", "--root", project, "--command", command)
    assert argv(project, "claude-code")[0] == "two"
    run(console, "claude-code", "--undo", "--root", project)
    assert files(project) == former


# What is refused


@pytest.mark.parametrize("how", ["--print", "--write"])
def test_an_entry_of_somebody_else_is_refused(how: str, project: Path, console: Console) -> None:
    text = '{"mcpServers": {"javadex": {"command": "mine", "env": {"TOKEN": "secret"}}}}'
    put(project, ".mcp.json", text)
    former = files(project)
    result = run(console, "claude-code", how, "--root", project, code=2)
    assert 'it is {"command": "mine", "env": "…"}, and would be {"args": ["mcp"' in result.stderr
    assert "--force to replace it" in result.stderr
    assert files(project) == former

    run(console, "claude-code", "--undo", "--root", project, code=2)
    run(console, "claude-code", "--write", "--force", "--root", project)
    assert argv(project, "claude-code") == ["javadex", "mcp", "--root", "."]
    run(console, "claude-code", "--undo", "--root", project)
    assert files(project) == former, "the former entry is back"


MINE = {"type": "stdio", "command": "javadex", "args": ["mcp", "--root", "."]}


@pytest.mark.parametrize("written", [True, False])
@pytest.mark.parametrize(
    ("client", "extended"),
    [
        ("claude-code", MINE | {"env": {"JAVADEX_JAVA": "/java"}}),
        ("copilot", MINE | {"tools": ["lsp_java_findSymbol"]}),
        ("gemini", {"command": "javadex", "args": ["mcp", "--root", "."], "trust": True}),
    ],
)
def test_an_entry_that_a_user_extended_is_not_taken_out(
    written: bool, client: str, extended: dict[str, Any], project: Path, console: Console
) -> None:
    if written:
        run(console, client, "--write", "--root", project)
    put(project, CONFIGS[client], json.dumps({SERVERS[client]: {"javadex": extended}}))
    former = files(project)
    for how in ("--write", "--undo"):
        result = run(console, client, how, "--root", project, code=2)
        assert f"in {CONFIGS[client]} is not as javadex wrote it" in result.stderr
        assert files(project) == former
    assert "pass --force to take it out" in result.stderr
    (found,) = [each for each in standing(str(project)) if each.client == client]
    assert found.state == ("ready" if written else "partial"), "it does start javadex"
    run(console, client, "--undo", "--force", "--root", project)
    assert b"javadex" not in b"".join(files(project).values())


def test_an_extended_table_is_not_taken_out(project: Path, console: Console) -> None:
    run(console, "codex", "--write", "--root", project)
    path = project / ".codex/config.toml"
    path.write_text(path.read_text() + "startup_timeout_sec = 20\n")
    former = files(project)
    run(console, "codex", "--undo", "--root", project, code=2)
    assert files(project) == former


def test_an_inline_table_of_codex_is_told_as_what_it_is(project: Path, console: Console) -> None:
    put(project, ".codex/config.toml", "mcp_servers = {other = {command = 'x'}}\n")
    former = files(project)
    result = run(console, "codex", "--write", "--root", project, code=2)
    assert "its 'mcp_servers' is an inline table, which takes no more entries" in result.stderr
    assert "a table of its own, [mcp_servers.NAME]; mend it" in result.stderr
    run(console, "codex", "--undo", "--root", project)
    assert files(project) == former


def test_an_entry_put_over_ours_comes_back_after_force(project: Path, console: Console) -> None:
    run(console, "claude-code", "--write", "--root", project)
    mine = put(project, ".mcp.json", '{"mcpServers": {"javadex": {"command": "mine"}}}')
    text = mine.read_bytes()
    run(console, "claude-code", "--write", "--root", project, code=2)
    run(console, "claude-code", "--write", "--force", "--root", project)
    run(console, "claude-code", "--undo", "--root", project)
    assert files(project) == {".mcp.json": text}


def test_a_skill_that_was_edited_is_refused(project: Path, console: Console) -> None:
    run(console, "gemini", "--write", "--root", project)
    path = ".gemini/skills/javadex/SKILL.md"
    put(project, path, (project / path).read_text() + "Mine.\n")
    before = files(project)
    for how in ("--write", "--undo"):
        result = run(console, "gemini", how, "--root", project, code=2)
        assert f"in {path} is not as javadex wrote it; change" in result.stderr
        assert files(project) == before
    run(console, "gemini", "--undo", "--force", "--root", project)
    assert files(project) == {}


def test_line_ends_that_git_changed_are_no_difference(project: Path, console: Console) -> None:
    run(console, "copilot", "--write", "--root", project)
    for path, data in files(project).items():
        if not path.endswith("/"):
            put(project, path, data.replace(b"\n", b"\r\n"))
    before = files(project)
    told = run(console, "copilot", "--write", "--root", project).stdout
    assert told.count("unchanged") == 3
    assert files(project) == before


@pytest.mark.parametrize(
    ("client", "path", "content", "cause"),
    [
        ("claude-code", ".mcp.json", b"{", "does not parse as JSON"),
        ("vscode", ".vscode/mcp.json", b'{"servers": 1}', "'servers' is no object"),
        ("codex", ".codex/config.toml", b"a = [", "does not parse as TOML"),
        ("codex", "AGENTS.md", edit_block.BEGIN.encode(), "do not make one block"),
        ("gemini", "GEMINI.md", b"\xff\xfeA\0", "is not UTF-8"),
        ("cursor", ".cursor", b"", "Not a directory"),
    ],
)
def test_a_file_that_cannot_be_edited_is_refused(
    client: str, path: str, content: bytes, cause: str, project: Path, console: Console
) -> None:
    put(project, path, content)
    for how in ("--write", "--print", "--undo"):
        result = run(console, client, how, "--root", project, code=2)
        assert path in result.stderr
        assert cause in result.stderr
    assert (project / path).read_bytes() == content
    (found,) = [each for each in standing(str(project)) if each.client == client]
    assert found.state == "broken"
    assert cause in found.detail


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_refused(kind: str, project: Path, console: Console) -> None:
    if kind == "folder":
        (project / ".mcp.json").mkdir()
    else:
        os.mkfifo(project / ".mcp.json")
    result = run(console, "claude-code", "--write", "--root", project, code=2)
    assert ".mcp.json is no regular file" in result.stderr
    assert not (project / "CLAUDE.md").exists()


def test_a_read_only_file_is_refused(project: Path, console: Console) -> None:
    path = put(project, "CLAUDE.md", "# Mine\n")
    path.chmod(0o444)
    result = run(console, "claude-code", "--write", "--root", project, code=2)
    assert "CLAUDE.md is read-only; make it writable" in result.stderr
    assert files(project) == {"CLAUDE.md": b"# Mine\n"}
    assert "==> CLAUDE.md (change)" in run(console, "claude-code", "--root", project).stdout


def test_a_folder_that_may_not_be_written_is_refused(project: Path, javadex: Javadex) -> None:
    (project / ".vscode").mkdir()
    (project / ".vscode").chmod(0o555)
    project.chmod(0o755)
    result = javadex.run(
        *("setup", "vscode", "--write", "--root", project), preexec=without_root_powers
    )
    assert result.code == 2, result
    assert f"the folder {project / '.vscode'} may not be written" in result.stderr
    assert files(project) == {".vscode/": b""}
    shown = javadex.run("setup", "vscode", "--root", project, preexec=without_root_powers)
    assert (shown.code, "==> .vscode/mcp.json (create)" in shown.stdout) == (0, True)


def test_a_link_out_of_the_project_is_refused(
    project: Path, console: Console, tmp_path: Path
) -> None:
    outside = put(tmp_path, "outside/CLAUDE.md", "x")
    (project / "CLAUDE.md").symlink_to(outside)
    result = run(console, "claude-code", "--write", "--root", project, code=2)
    assert "CLAUDE.md leads out of the project by a link" in result.stderr
    (project / ".codex").symlink_to(outside.parent)
    result = run(console, "codex", "--write", "--root", project, code=2)
    assert ".codex/config.toml leads out of the project by a link" in result.stderr
    assert files(tmp_path / "outside") == {"CLAUDE.md": b"x"}


def test_a_link_inside_the_project_is_followed_and_stays(project: Path, console: Console) -> None:
    put(project, "AGENTS.md", "# Rules\n")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    run(console, "claude-code", "--write", "--root", project)
    assert (project / "CLAUDE.md").is_symlink()
    assert edit_block.BEGIN in (project / "AGENTS.md").read_text()
    told = run(console, "codex", "--write", "--root", project).stdout
    assert "unchanged AGENTS.md" in told
    run(console, "claude-code", "--undo", "--root", project)
    run(console, "codex", "--undo", "--root", project)
    assert (project / "AGENTS.md").read_text() == "# Rules\n"
    assert (project / "CLAUDE.md").is_symlink()


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (("--print", "--write"), "--print and --write exclude each other"),
        (("--write", "--undo"), "--write and --undo exclude each other"),
        (("--command", ""), "--command is empty"),
        (("--command", "'a"), "cannot be split into words"),
        (("--root", "nowhere"), "'nowhere' does not exist"),
        (("--root", ""), "--root is empty; name a folder, or leave it out"),
        (("--write", "--root", ""), "--root is empty; name a folder, or leave it out"),
    ],
)
def test_wrong_arguments(
    arguments: tuple[str, ...],
    cause: str,
    project: Path,
    console: Console,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(project)
    assert cause in run(console, "codex", *arguments, code=2).stderr
    assert files(project) == {}


def test_the_root_of_the_environment_and_the_working_directory(
    project: Path, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = project / "other"
    other.mkdir()
    monkeypatch.chdir(project)
    assert run(console, "codex", "--json").json["root"] == str(project)
    monkeypatch.setenv("JAVADEX_ROOT", str(other))
    assert run(console, "codex", "--json").json["root"] == str(other)
    monkeypatch.setenv("JAVADEX_ROOT", f"{project}{os.pathsep}{other}")
    assert "one project at a time" in run(console, "codex", code=2).stderr


# How it is written


def test_mode_is_kept_and_a_new_file_has_that_of_new_files(project: Path, console: Console) -> None:
    put(project, "CLAUDE.md", "# Mine\n").chmod(0o640)
    mask = os.umask(0o027)
    try:
        run(console, "claude-code", "--write", "--root", project)
    finally:
        os.umask(mask)
    assert stat.S_IMODE((project / "CLAUDE.md").stat().st_mode) == 0o640
    assert stat.S_IMODE((project / ".mcp.json").stat().st_mode) == 0o640


@pytest.mark.parametrize("failing", range(5))
def test_a_full_disk_leaves_whole_files_and_a_way_back(
    failing: int, project: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record and three files are written; the n-th time there is no room."""
    put(project, ".mcp.json", '{"mcpServers": {"x": {}}}')
    former = files(project)
    root, client = str(project), CLIENTS["claude-code"]
    left = iter([None] * failing)
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if next(left, failing) is not None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr("query.setup.disk.os.fsync", fsync)
        if failing < 4:
            with pytest.raises(JavadexError, match="No space left on device; mend that"):
                carry_out(root, plan_write(root, client))
        else:
            carry_out(root, plan_write(root, client))
    assert not list(project.rglob(".javadex-*"))
    assert not list(state.rglob(".javadex-*"))
    json.loads((project / ".mcp.json").read_bytes())
    carry_out(root, plan_undo(root, client))
    assert files(project) == former


def test_a_file_that_somebody_else_writes_meanwhile_is_left(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(project, "AGENTS.md", "# One\n")
    steps = plan_write(str(project), CLIENTS["codex"])
    path.write_text("# Two\n")
    with pytest.raises(JavadexError, match="changed by somebody else meanwhile"):
        carry_out(str(project), steps)
    assert path.read_text() == "# Two\n"


def test_the_record_is_the_users_alone(project: Path, console: Console, state: Path) -> None:
    put(project, ".mcp.json", '{"mcpServers": {"x": {"env": {"TOKEN": "secret"}}}}')
    run(console, "claude-code", "--write", "--root", project)
    (record,) = [path for path in state.rglob("*") if path.is_file()]
    assert "secret" not in record.read_text()
    assert stat.S_IMODE(record.parent.stat().st_mode) == 0o700


def test_nothing_is_written_without_a_way_back(
    project: Path, console: Console, state: Path
) -> None:
    state.write_text("no folder")
    result = run(console, "codex", "--write", "--root", project, code=1)
    assert "which remembers the way back, cannot be written: Not a directory" in result.stderr
    assert files(project) == {}


def test_other_commands_do_not_pay_for_it() -> None:
    code = (
        "import sys, query.cli; print([name for name in sys.modules if 'setup' in name "
        "and name.startswith('query')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# How things stand


def test_standing(project: Path, console: Console) -> None:
    def states() -> dict[str, str]:
        return {each.client: each.state for each in standing(str(project))}

    assert states() == dict.fromkeys(ALL, "none")
    run(console, "vscode", "--write", "--root", project)
    assert states() == dict.fromkeys(ALL, "none") | {"vscode": "ready"}
    run(console, "cursor", "--write", "--root", project, "--command", "/opt/javadex")
    (project / ".cursor/rules/javadex.mdc").unlink()
    put(project, ".mcp.json", '{"mcpServers": {"javadex": {"command": "x"}}}')
    assert states() == dict.fromkeys(ALL, "none") | {
        "vscode": "ready",
        "cursor": "partial",
        "claude-code": "differs",
    }
    details = {each.client: each.detail for each in standing(str(project))}
    assert details["cursor"].startswith("without .cursor/rules/javadex.mdc; run `javadex setup")
    assert details["claude-code"].endswith("or run `javadex setup claude-code --write --force`")


# The skill


def test_the_skill_has_the_form_of_agent_skills() -> None:
    """https://agentskills.io/specification"""
    opening, front, body = skill().split("---\n", 2)
    assert opening == ""
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    assert list(fields) == ["name", "description"]
    assert fields["name"] == "javadex"
    assert all(path.parent.name == "javadex" for path in map(Path, _skill_paths()))
    assert 0 < len(fields["description"]) <= 1024
    assert not re.search(r"[<>]|: ", fields["description"]), "plain in YAML, and no markup"
    assert len(skill().splitlines()) < 150
    assert body.startswith("\n# ")


def _skill_paths() -> Iterator[str]:
    for client in CLIENTS.values():
        yield list(pieces(client))[-1]


def test_the_skill_names_every_tool_reason_code_and_state() -> None:
    named = set(re.findall(r"`([^`\n]+)`", skill()))
    for values in (
        TOOLS,
        *([item.value for item in each] for each in (Reason, ErrorCode, Standing)),
    ):
        assert set(values) <= named
    rows = set(re.findall(r"^\| `(\w+)` \|", skill(), re.MULTILINE))
    assert rows == {item.value for each in (Reason, ErrorCode) for item in each}
    assert set(KINDS) <= named


def test_the_skill_speaks_of_what_there_is() -> None:
    examples = re.findall(r"`(\{.*?\})`", skill())
    assert examples
    for example in examples:
        assert set(json.loads(example)) <= set(TOOLS[FIND].inputs)
    assert json.loads(f"{{{re.findall(r'`(.declarations.: true)`', skill())[0]}}}")
    for name in ("kinds", "path", "maxChars", "limit"):
        assert f"`{name}`" in skill()
        assert name in TOOLS[FIND].inputs
    context = click.Context(cli)
    for name, options in (
        ("find", ["--json", "--kind", "--declarations"]),
        ("outline", ["--json"]),
    ):
        command = cli.get_command(context, name)
        assert command is not None
        known = {option for each in command.params for option in each.opts}
        assert set(options) <= known
        assert f"javadex {name}" in skill()
    assert str(TOOLS[OUTLINE].inputs["limit"]["maximum"]) in skill()


def test_every_client_is_told_where_its_facts_come_from() -> None:
    source = (Path(disk.__file__).parent / "clients.py").read_text("utf-8")
    for name in ALL:
        before = source[: source.index(f'name="{name}"')]
        comment = before[before.rindex(")" if name != "claude-code" else "_ALL") :]
        assert "https://" in comment
