"""What each client takes today: its files, their form, where it starts a server. Data only.

All files are those of a project: they are committed and shared, so no path of one machine is
written. The command is `javadex` as it is found on PATH, and the folder is said in the client's own
terms: a variable where it has one, else `.`, since it starts servers in the folder it works in.
Users' own configuration is left to the clients' commands (`claude mcp add`, `codex mcp add`).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from query.setup.edit_block import BEGIN, END
from query.setup.pieces import NAME, Piece, block, json_entry, toml_table, whole


@dataclass(frozen=True, slots=True)
class Client:
    """A coding agent."""

    name: str
    title: str
    config: str
    """Path of the file that lists MCP servers, below the project."""
    container: str
    """What holds the servers in it; a file ending in .toml is TOML, others are JSON."""
    root: str
    """The project's folder, in a server's arguments."""
    instructions: str
    """Path of the file with instructions; one ending in .mdc is ours alone."""
    skills: str
    """Path of the folder for skills."""
    then: str
    """What is left to do for the user."""
    before: tuple[tuple[str, str], ...] = ()
    """Fields of a server before the command."""
    after: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Fields of a server after the arguments."""


_STDIO = (("type", "stdio"),)

_ALL = (
    # https://code.claude.com/docs/en/mcp (project scope; CLAUDE_PROJECT_DIR is set for the server
    # only, so it cannot be used in its arguments), https://code.claude.com/docs/en/memory,
    # https://code.claude.com/docs/en/skills
    Client(
        name="claude-code",
        title="Claude Code",
        config=".mcp.json",
        container="mcpServers",
        root=".",
        instructions="CLAUDE.md",
        skills=".claude/skills",
        then="start Claude Code in the project folder and approve the server",
        before=_STDIO,
    ),
    # https://developers.openai.com/codex/mcp, https://developers.openai.com/codex/config-basic
    # (project layer), https://developers.openai.com/codex/skills,
    # https://developers.openai.com/codex/guides/agents-md
    Client(
        name="codex",
        title="Codex",
        config=".codex/config.toml",
        container="mcp_servers",
        root=".",
        instructions="AGENTS.md",
        skills=".agents/skills",
        then="start Codex in the project folder and trust the project: "
        "it reads .codex/config.toml of trusted ones only",
    ),
    # https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-command-reference
    # (MCP server configuration: .github/mcp.json is the repository's; `tools` is required; skills),
    # https://docs.github.com/en/copilot/reference/custom-instructions-support
    Client(
        name="copilot",
        title="GitHub Copilot",
        config=".github/mcp.json",
        container="mcpServers",
        root=".",
        instructions=".github/copilot-instructions.md",
        skills=".github/skills",
        then="start Copilot CLI in the project folder and confirm that you trust it",
        before=_STDIO,
        after=(("tools", ("*",)),),
    ),
    # https://cursor.com/docs/mcp (project configuration, interpolation),
    # https://cursor.com/docs/context/rules, https://cursor.com/docs/context/skills
    Client(
        name="cursor",
        title="Cursor",
        config=".cursor/mcp.json",
        container="mcpServers",
        root="${workspaceFolder}",
        instructions=".cursor/rules/javadex.mdc",
        skills=".cursor/skills",
        then="enable the server in Cursor's settings, under MCP",
        before=_STDIO,
    ),
    # https://code.visualstudio.com/docs/agents/reference/mcp-configuration,
    # https://code.visualstudio.com/docs/agent-customization/custom-instructions,
    # https://code.visualstudio.com/docs/agent-customization/agent-skills
    Client(
        name="vscode",
        title="VS Code",
        config=".vscode/mcp.json",
        container="servers",
        root="${workspaceFolder}",
        instructions=".github/copilot-instructions.md",
        skills=".github/skills",
        then="run `MCP: List Servers` in VS Code, start javadex and confirm that you trust it",
        before=_STDIO,
    ),
    # https://geminicli.com/docs/tools/mcp-server, https://geminicli.com/docs/cli/gemini-md,
    # https://geminicli.com/docs/cli/skills
    Client(
        name="gemini",
        title="Gemini CLI",
        config=".gemini/settings.json",
        container="mcpServers",
        root=".",
        instructions="GEMINI.md",
        skills=".gemini/skills",
        then="start Gemini CLI in the project folder and trust the folder",
    ),
)

CLIENTS = {client.name: client for client in _ALL}
"""All clients by their names."""

COMMAND = ("javadex",)
"""What starts javadex where nobody says otherwise."""

_ADVICE = """\
## Java: find declarations with javadex

The MCP server `javadex` answers from an index of this project, in milliseconds and never stale.

- Where is a type or member declared? `lsp_java_findSymbol` before any text search.
- What does a Java file hold? `lsp_java_getFileStructure` with the `documentUri` of a result or a
  path; then read only the lines of the `readFileRange` you need.
- Usages, strings, comments, other languages: text search.
- An answer with `reason` or `errorCode` says in `message` or `hint` what to do; the skill `javadex`
  explains each. Without these tools: `javadex find NAME`, `javadex outline FILE` in a shell.
"""

_RULE = """\
---
description: How to find Java declarations and read only what is needed
alwaysApply: true
---

"""


def pieces(client: Client, command: tuple[str, ...] = COMMAND) -> dict[str, Piece]:
    """Return what is to stand in which file, by its path below the project."""
    own_file = client.instructions.endswith(".mdc")
    return {
        client.config: _server(client, command),
        client.instructions: whole(_RULE + _ADVICE) if own_file else block(_block()),
        f"{client.skills}/{NAME}/SKILL.md": whole(skill()),
    }


def skill() -> str:
    """Return the text of the skill (https://agentskills.io/specification)."""
    return files("query.setup").joinpath("SKILL.md").read_text("utf-8")


def _server(client: Client, command: tuple[str, ...]) -> Piece:
    program, *arguments = command
    value = {
        **dict(client.before),
        "command": program,
        "args": [*arguments, "mcp", "--root", client.root],
        **{field: list(items) for field, items in client.after},
    }
    form = toml_table if client.config.endswith(".toml") else json_entry
    return form(client.container, value)


def _block() -> str:
    return f"{BEGIN}\n{_ADVICE}{END}\n"
