"""`referee new`, `move`, `legal` and `reveal`: beginning a game file, moving in it, and completing it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from referee.cli.options import value_of
from referee.cli.output import create, format_of
from referee.errors import FileError, OptionError, RefereeError
from referee.game import Player, loads, read
from referee.game.document import standard_input
from referee.game.dumper import dumps
from referee.game.edit import add_ply, reveal
from referee.game.gamefile import new_game
from referee.game.judge import completions
from referee.rules import Game, all_games, game_named
from referee.rules.description import FLIP, Choice, Data, Number
from referee.terminal import visible

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


@click.command("new", cls=_Games)
def new_command() -> None:
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
        "event": "The event that it belongs to.",
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
        one.name: value_of(one.name, value) if isinstance(one, Data) else value
        for one in description.options
        if (value := values[one.name]) is not None
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


@click.command("move")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("moves", nargs=-1, required=True, metavar="SIDE MOVE [SIDE MOVE]")
def move_command(file: Path, moves: tuple[str, ...]) -> None:
    """Judge a move and add it to a game file.

    Where both sides move at once, give both moves: referee move FILE south "P M1 A2 12" north "P S B3".
    A refused move leaves the file as it was, to the byte.
    """
    sides, texts = moves[::2], moves[1::2]
    if len(sides) != len(texts) or len(set(sides)) != len(sides):
        raise click.UsageError('after FILE come a side and its move, such as: south "P M1 A2 12"')
    ply = add_ply(file, dict(zip(sides, texts, strict=True)))
    made = "; ".join(f"{side} {one}" for side, one in ply.moves.items())
    click.echo(f"round {ply.round}, ply {ply.number}: {made}")


@click.command("legal")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("words", nargs=-1, metavar="[SIDE] [PREFIX]")
@click.option("--count", is_flag=True, help="Only count the moves.")
def legal_command(file: Path, words: tuple[str, ...], count: bool) -> None:
    """List legal moves, or complete a move.

    The moves are those after the last ply of FILE that begin with PREFIX. Without SIDE they are those of every side
    to move, each with its side if there are several.
    """
    game = read(file)
    side, prefix = (words[0], words[1:]) if words and words[0] in game.description.sides else (None, words)
    moves = completions(game, side, " ".join(prefix))
    for one, found in moves.items():
        label = f"{one} " if len(moves) > 1 else ""
        if count:
            click.echo(f"{label}{sum(1 for _ in found)}")
        else:
            for move in found:
                click.echo(f"{label}{move}")


@click.command("reveal")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("secret")
def reveal_command(file: Path, secret: str) -> None:
    """Reveal what the players may know of a game's secret.

    This writes into FILE what they may know by now, and the secret itself once the game is over. SECRET is what
    'referee new' printed for the referee alone; - reads it from the standard input, so that no shell remembers it.
    """
    if secret == "-":
        secret = standard_input().readline().decode("utf-8", "replace").strip()
    game = reveal(file, secret)
    click.echo(f"{visible(str(file))}: the options now tell what may be known of {game.description.title}")
