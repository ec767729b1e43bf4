"""Parameters that several commands share: games, their options, positions, and the output with its format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from referee.cli.shell.candidates import game_settings, games
from referee.rules import game_fault

Command = TypeVar("Command", bound=Callable[..., Any])


def _known(_context: click.Context, _parameter: click.Parameter, name: str | None) -> str | None:
    """Refuse the name of an unknown game."""
    if name is not None and (fault := game_fault(name)) is not None:
        raise click.BadParameter(fault.message)
    return name


game_argument = click.argument("game", callback=_known, shell_complete=games)

position_option = click.option(
    "--position",
    "start_text",
    metavar="TEXT",
    help="The position in which a game of --game begins, as one line of text.",
)


def game_option(says: str, *, required: bool = False) -> Callable[[Command], Command]:
    """Give a command the option --game."""
    return click.option("--game", required=required, callback=_known, shell_complete=games, help=says)


def setting_option(says: str) -> Callable[[Command], Command]:
    """Give a command the option --option, for the options of its game, as often as wanted."""
    return click.option(
        "--option", "options", multiple=True, metavar="KEY=VALUE", shell_complete=game_settings, help=says
    )


def number_option(
    *names: str, default: int, says: str, low: int = 1, high: int | None = None, metavar: str | None = None
) -> Callable[[Command], Command]:
    """Give a command an option that is a whole number, with its default in the help."""
    kind = click.IntRange(low, high)
    return click.option(*names, type=kind, default=default, show_default=True, metavar=metavar, help=says)


def jobs_option(says: str = "Number of processes.  [default: the cores]") -> Callable[[Command], Command]:
    """Give a command the option --jobs."""
    return click.option("-j", "--jobs", type=click.IntRange(min=1), help=says)


def format_option(formats: Iterable[str]) -> Callable[[Command], Command]:
    """Give a command the option of its output's format."""
    says = "[default: the suffix of the output, or text]"
    return click.option("--format", "form", type=click.Choice(tuple(formats)), help=says)


def output_option(says: str, *, required: bool = False, default: str | None = None) -> Callable[[Command], Command]:
    """Give a command the option of its output, a path."""
    option = partial(click.option, "-o", "--output", type=click.Path(path_type=Path), help=says)
    # To Click, a default of None is a value too, with which a required option is not missing.
    return option(required=required) if default is None else option(default=default)
