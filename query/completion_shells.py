"""The shells that click completes in, with values behind `--option=`, too.

click takes such a word apart, but answers with the value alone, which a shell would put in the
place of the whole word. Imported only when a shell asks.
"""

from __future__ import annotations

from typing import Any

from click.shell_completion import (
    BashComplete,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)


class _Joined(ShellComplete):
    """A shell for which `--option=value` is one word."""

    def get_completions(self, args: list[str], incomplete: str) -> list[Any]:
        """Return what the word may become, whole."""
        items = super().get_completions(args, incomplete)
        name, equals, _ = incomplete.partition("=")
        if equals and name.startswith("--"):
            for item in items:
                item.value = f"{name}={item.value}"
        return items


class _Fish(_Joined, FishComplete):
    pass


class _Zsh(_Joined, ZshComplete):
    pass


class _Bash(_Joined, BashComplete):
    """A shell for which it is three words, unless COMP_WORDBREAKS lacks the `=`."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the incomplete one, and that."""
        args, incomplete = super().get_completion_args()
        if args and args[-1] == "=":
            args.pop()
        return args, incomplete


def register() -> None:
    """Have click use these."""
    for shell in (_Bash, _Fish, _Zsh):
        add_completion_class(shell)
