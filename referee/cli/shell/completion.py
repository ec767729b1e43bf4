"""`referee completion`: the shell's script for completion, and the answers to it."""

from __future__ import annotations

import os
from typing import NoReturn

import click
from click import shell_completion

from referee.cli.shell.groups import COMPLETION_VARIABLE
from referee.errors import PackageFault, RefereeError

_CURSOR = "\x1f"
"""Marks the cursor at the end of a line that is still being typed."""

_BASH = """\
%(complete_func)s() {
    local -a answer
    mapfile -t answer < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORD="${COMP_WORDS[COMP_CWORD]}" \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
    COMPREPLY=()
    case ${answer[0]} in
        dir) compopt -o dirnames ;;
        file) compopt +o nosort -o default ;;
        open) compopt -o nospace; COMPREPLY=("${answer[@]:1}") ;;
        plain) COMPREPLY=("${answer[@]:1}") ;;
    esac
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


@shell_completion.add_completion_class
class _Bash(shell_completion.ShellComplete):
    """Bash, whose own division into words knows neither moves of several words nor values after an equals sign."""

    name = "bash"
    source_template = _BASH

    def complete(self) -> str:
        """The kind of the words, and then the words, each as the replacement of bash's own last word."""
        *words, last = shell_completion.split_arg_string(os.environ["COMP_LINE"] + _CURSOR)[1:] or [""]
        last = last.removesuffix(_CURSOR)
        items = self.get_completions(words, last)
        kinds = {item.type for item in items} or {"plain"}
        typed = os.environ["COMP_WORD"]
        quoted = typed.startswith(("'", '"'))
        known = last.removesuffix(typed.strip("=")) if "=" in last and not quoted else ""
        kind = "open" if all(item.value.endswith("=") for item in items) and items else min(kinds)
        values = [item.value.removeprefix(known) for item in items]
        if not quoted:
            values = [_quoted(value, item) for value, item in zip(values, items, strict=True)]
        return "\n".join([kind, *values])


def _quoted(value: str, item: shell_completion.CompletionItem) -> str:
    """A word for bash: the beginning of a move of several words opens quotes, a whole move also closes them."""
    end = "'" if item.complete else ""
    return f"'{value}{end}" if " " in value else value


def answer(cli: click.Command) -> NoReturn:
    """Answer the shell, and exit; without a completion there are no words and no message."""
    try:
        cli.main([], prog_name="referee", complete_var=COMPLETION_VARIABLE)
        raise SystemExit(1)
    except (RefereeError, PackageFault, click.ClickException, OSError, KeyError):
        raise SystemExit(1) from None


_HELP = """\
Print the script with which a shell completes commands.

The Tab key then completes commands, options, games, sides, set-ups, keys, files, codes and legal moves. Put the line
for your SHELL into its start-up file:

\b
bash, ~/.bashrc:                    eval "$(referee completion bash)"
zsh, ~/.zshrc, after compinit:     eval "$(referee completion zsh)"
fish, ~/.config/fish/config.fish:   referee completion fish | source
"""


@click.command("completion", help=_HELP)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the script of a shell."""
    kind = shell_completion.get_completion_class(shell)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, "referee", COMPLETION_VARIABLE).source().rstrip())
