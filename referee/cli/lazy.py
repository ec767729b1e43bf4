"""A group of commands that are loaded when they run."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import click

from referee.extras import extra


class Entry(NamedTuple):
    """A command of a group: where it is, as `module:attribute`, and what its group's help says of it."""

    place: str
    short_help: str


class Lazy(click.Group):
    """A group that imports a command's module only to run that command; its own help comes from the table."""

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 - as click has it
        table: Mapping[str, Entry],
        needs: str = "",
        **attributes: Any,  # noqa: ANN401 - as click has it
    ) -> None:
        """Name the commands, and the extra of the package that their modules need, if they do."""
        super().__init__(*args, **attributes)
        self.table = table
        self._needs = needs

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return sorted(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now.

        Raises:
            RefereeError: `missing-extra`, if its module needs a library that is not installed.
        """
        if cmd_name not in self.table:
            return None
        module, _, attribute = self.table[cmd_name].place.partition(":")
        home = extra(module, self._needs) if self._needs else import_module(module)
        command: click.Command = getattr(home, attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.table[name].short_help) for name in self.list_commands(ctx)])
