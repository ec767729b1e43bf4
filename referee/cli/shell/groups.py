"""Groups of commands: each command's module is imported only to run it, and help shows the commands in sections."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from copy import copy
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from referee.cli.shell.screen import terminal_options
from referee.extras import needing

COMPLETION_VARIABLE = "_REFEREE_COMPLETE"
"""The environment variable for a shell's request to complete a line."""


class CommandGroup(click.Group):
    """A group whose commands take the options of the terminal too, in the order of their definition."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(self.commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        command = super().get_command(ctx, cmd_name)
        return command and _for_terminals(command)


def _for_terminals(command: click.Command) -> click.Command:
    """A command with the options of the terminal."""
    command = copy(command)
    command.params = [*command.params, *terminal_options(hidden=True)]
    return command


class LazyCommand(NamedTuple):
    """A command of a group: its place, as `module:attribute`, its short help, and its section of the help."""

    place: str
    short_help: str
    section: str


class LazyGroup(click.Group):
    """A group that imports a command's module only to run that command; its own help comes from the table."""

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 - as click has it
        table: Mapping[str, LazyCommand],
        needs: str = "",
        synonyms: Mapping[str, str] | None = None,
        **attributes: Any,  # noqa: ANN401 - as click has it
    ) -> None:
        """Take the commands, the extra that their modules need, if any, and unlisted synonyms of commands."""
        super().__init__(*args, **attributes)
        self._synonyms = synonyms or {}
        self.table = table
        self._needs = needs

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return sorted(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now; RefereeError `missing-extra` if that needs a missing library."""
        name = self._synonyms.get(cmd_name, cmd_name)
        if name not in self.table:
            return None
        module, _, attribute = self.table[name].place.partition(":")
        return _for_terminals(getattr(import_module(module), attribute))

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command; RefereeError `missing-extra` if it needs a library that is not installed."""
        with needing(self._needs) if self._needs else nullcontext():
            return super().invoke(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and options that begin like this; no command is imported."""
        found = [
            CompletionItem(name, help=entry.short_help)
            for name, entry in sorted(self.table.items())
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands section by section, in the order of the table, without importing any."""
        for section in dict.fromkeys(entry.section for entry in self.table.values()):
            with formatter.section(section):
                formatter.write_dl(
                    [(name, entry.short_help) for name, entry in self.table.items() if entry.section == section]
                )


def lazy_commands(home: str, sections: Mapping[str, Mapping[str, str]]) -> Mapping[str, LazyCommand]:
    """Return the table of a group from its sections: place of a command below `home` -> its short help.

    A place is `module command`, for the command `check` in the function `check_command` of its module, or
    `module command function`.
    """
    table = {}
    for section, commands in sections.items():
        for place, short_help in commands.items():
            module, name, *function = place.split()
            attribute = function[0] if function else f"{name.replace('-', '_')}_command"
            table[name] = LazyCommand(f"{home}.{module}:{attribute}", short_help, section)
    return MappingProxyType(table)
