"""Levels and programs of others in commands: their options, and the warning where no sandbox shuts them in."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import click
from click.shell_completion import CompletionItem

from referee.engine import LEVELS
from referee.engine.levels import level_of
from referee.engine.players import command_words
from referee.engine.program import Program
from referee.engine.sandbox import UNPROTECTED, sandbox
from referee.errors import RefereeError

PROGRAM = "program:"
"""Beginning of the text that names a program by its command."""

LEVEL_NAMES = ", ".join(f"{level.number} {level.name}" for level in LEVELS)
"""The levels in a help text."""


class LevelType(click.types.StringParamType):
    """A level of the engine, by its number or its name."""

    name = "level"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - as click has it
        """The level as a number."""
        try:
            return level_of(value).number
        except RefereeError as error:
            self.fail(error.message, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin like this."""
        names = (level.name.casefold() for level in LEVELS)
        return [CompletionItem(name) for name in names if name.startswith(incomplete.casefold())]


class Opponent(LevelType):
    """A level of the engine, or `program:` and a command, which stays a text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - as click has it
        """The level as a number, or the text that names a program."""
        is_program = isinstance(value, str) and value.startswith(PROGRAM)
        return value if is_program else super().convert(value, param, ctx)


def warn_unprotected() -> None:
    """Say it where nothing keeps a program from files and the network."""
    if not sandbox():
        click.echo(f"note: {UNPROTECTED}", err=True)


def running(command: str, options: Mapping[str, object]) -> AbstractContextManager[Program]:
    """A program that runs until the end of a block; RefereeError `program` if it cannot be started."""
    warn_unprotected()
    return Program.started(command_words(command.removeprefix(PROGRAM)), options)
