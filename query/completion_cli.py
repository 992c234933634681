"""The command `completion`: print what makes a shell complete `javadex`."""

from __future__ import annotations

import sys

import click
from click.shell_completion import get_completion_class

from indexer.cli_options import write
from query.cli import COMPLETE

_INSTALL = {
    "bash": """put this into ~/.bashrc: eval "$(javadex completion bash)\"""",
    "fish": "save it as a file: javadex completion fish > ~/.config/fish/completions/javadex.fish",
    "zsh": """put this into ~/.zshrc, behind compinit: eval "$(javadex completion zsh)\"""",
}


@click.command("completion")
@click.argument("shell", type=click.Choice(sorted(_INSTALL)))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> int:
    """Print a script that makes a shell complete commands, options, files and names of types.

    bash (4.4 or later) and zsh: eval "$(javadex completion bash)" in the start-up file.
    """
    kind = get_completion_class(shell)
    assert kind
    write(kind(context.find_root().command, {}, "javadex", COMPLETE).source() + "\n")
    if sys.stdout.isatty():
        click.echo(f"javadex: to install, {_INSTALL[shell]}", err=True)
    return 0
