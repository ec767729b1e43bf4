"""`referee new`: write a game file for a new game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from referee.cli.options import value_of
from referee.cli.output import create, format_of
from referee.errors import FileError, OptionError, RefereeError
from referee.game import Player, loads
from referee.game.dumper import dumps
from referee.game.gamefile import new_game
from referee.rules import Game, all_games, game_named
from referee.rules.description import FLIP, Choice, Data, Number, Option

_PLAYER = re.compile(r"\s*(?P<name>[^<>]*[^<>\s])\s*(?:<(?P<email>[^<>]+)>)?\s*")


class _Games(click.Group):
    """A command for each game, its options made from the game's own description."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(all_games())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            game_named(args[0])
        except RefereeError as error:
            ctx.fail(error.message)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        try:
            description = game_named(cmd_name)
        except RefereeError:
            return click.Command(cmd_name, short_help="This game cannot be loaded.")
        return click.Command(
            cmd_name,
            params=[*_game_options(description), *_header_options(description.sides)],
            callback=lambda **values: _write(cmd_name, values),
            help=f"Write a game file for {description.title}.",
            short_help=description.title,
        )


@click.command(cls=_Games)
def new() -> None:
    """Write a game file for a new game.

    It goes to the standard output, or to a new file with --output. The command never prompts.
    """


def _game_options(description: Game) -> list[click.Parameter]:
    parameters: list[click.Parameter] = []
    for option in description.options:
        kind: Any = click.STRING
        if isinstance(option, Choice):
            flip = (FLIP,) if description.takes_flip(option) else ()
            kind = click.Choice([*option.values, *flip])
        elif isinstance(option, Number):
            kind = click.IntRange(option.low, option.high)
        default = "a fresh secret" if description.secret and not isinstance(option.default, str) else option.default
        says = option.says + (f" [default: {default}]" if default is not None else "")
        parameters.append(click.Option([f"--{option.name}"], type=kind, help=says))
    for name, options in description.presets.items():
        means = ", ".join(f"{key} {value}" for key, value in options.items())
        parameters.append(click.Option([f"--{name}"], is_flag=True, help=f"The same as: {means}."))
    return parameters


def _header_options(sides: tuple[str, ...]) -> list[click.Parameter]:
    texts = {
        "id": "A name for the game.",
        "date": "When it starts, such as 2027-03-01.",
        "event": "What it belongs to.",
    }
    return [
        *(click.Option([f"--{side}"], metavar="PLAYER", help="A name, or: Name <address>.") for side in sides),
        *(click.Option([f"--{name}"], help=says) for name, says in texts.items()),
        click.Option(["-o", "--output"], type=click.Path(path_type=Path), help="The new file (.yaml)."),
    ]


def _write(name: str, values: dict[str, Any]) -> None:
    """Open the game and write its file."""
    format_of(values["output"], None, {".yaml": "yaml", ".yml": "yaml"}, default="yaml")
    description = game_named(name)
    options: dict[str, Any] = {}
    for preset, chosen in description.presets.items():
        options |= chosen if values[preset] else {}
    options |= {
        one.name: _chosen(one, values[one.name]) for one in description.options if values[one.name] is not None
    }
    coin = description.flips(options)
    options = _with_secret(description, options)
    players = {side: _player(values[side]) for side in description.sides if values[side] is not None}
    header = {key: values[key] for key in ("id", "date", "event")}
    try:
        text = dumps(new_game(name, options | coin, players, **header))
        loads(text)
    except OptionError as error:
        raise click.UsageError(error.message) from None
    except FileError as error:
        raise click.UsageError("; ".join(finding.message for finding in error.findings)) from None
    notes = [f"# {key}: {value}, decided by a coin flip\n" for key, value in coin.items()]
    if values["output"] is None:
        click.echo("".join(notes) + text, nl=False)
    else:
        create(values["output"], "".join(notes) + text)


def _chosen(option: Option, value: Any) -> Any:  # noqa: ANN401 - the value of any option
    """The value of an option; plain data of another shape is read as in a game file."""
    return value_of(option.name, value) if isinstance(option, Data) else value


def _with_secret(description: Game, options: dict[str, Any]) -> dict[str, Any]:
    """The options with what chance decides, as far as the players may know it; the referee sees the rest."""
    if description.secret is None:
        return options
    secret = description.secret.draw()
    known = description.secret.known({}, secret, None)
    if known.keys() & options.keys():
        return options
    click.echo(f"secret, for the referee alone ('referee reveal' needs it): {secret}", err=True)
    return {**options, **known}


def _player(text: str) -> Player:
    match = _PLAYER.fullmatch(text)
    if match is None:
        raise click.UsageError(f"a player is a name, or 'Name <address>', not {text!r}")
    return Player(match["name"], match["email"])
