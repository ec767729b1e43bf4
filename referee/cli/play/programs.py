"""Programs of others in commands: their option, and the warning where no sandbox shuts them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from referee.engine import LEVELS
from referee.engine.players import command_words
from referee.engine.program import Program
from referee.engine.sandbox import UNPROTECTED, sandbox

PROGRAM = "program:"
"""Beginning of the text that names a program by its command."""


class Opponent(click.IntRange):
    """A level of the engine, or `program:` and a command, which stays a text."""

    def __init__(self) -> None:
        super().__init__(1, len(LEVELS))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401 - as click has it
        """The level as a number, or the text that names a program."""
        is_program = isinstance(value, str) and value.startswith(PROGRAM)
        return value if is_program else super().convert(value, param, ctx)


def warn_unprotected() -> None:
    """Say it where nothing keeps a program from files and the network."""
    if not sandbox():
        click.echo(f"note: {UNPROTECTED}", err=True)


@contextmanager
def running(command: str, options: Mapping[str, object]) -> Iterator[Program]:
    """A program that runs until the end of the block; RefereeError `program` if it cannot be started."""
    warn_unprotected()
    with Program.started(command_words(command.removeprefix(PROGRAM)), options) as program:
        yield program
