"""`referee new`, `move`, `legal` and `reveal`: begin a game file, make moves in it, and reveal its secret."""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from referee.cli.shell.candidates import files, one_of, sides_and_moves, words_of_moves
from referee.cli.shell.errors import wrong_usage
from referee.cli.shell.options import game_of, value_of
from referee.cli.shell.output import create, expect_yaml
from referee.cli.shell.screen import screen, terminal_options
from referee.errors import FileError, NotationError, OptionError
from referee.game import GameFile, Player, dumps, new_game, read
from referee.game.continuation import sequel
from referee.game.file.document import standard_input
from referee.game.file.judge import completions
from referee.rules import Game, all_games, game_fault, game_named
from referee.rules.description import FLIP, Choice, Data, Number
from referee.terminal import visible

_PLAYER = re.compile(r"\s*(?P<name>[^<>]*[^<>\s])\s*(?:<(?P<email>[^<>]+)>)?\s*")


class _Games(click.Group):
    """A command for each game, its options made from the game's own description."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(all_games())

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The games and options that begin like this; no game is imported."""
        return [
            *(CompletionItem(name) for name in all_games() if name.startswith(incomplete)),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if (fault := game_fault(args[0])) is not None:
            ctx.fail(fault.message)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if game_fault(cmd_name) is not None:
            return click.Command(cmd_name, short_help="This game cannot be loaded.")
        description = game_named(cmd_name)
        return click.Command(
            cmd_name,
            params=[
                *_game_options(description),
                click.Option(["--from"], hidden=True, expose_value=False, callback=_refuse_source),
                *terminal_options(hidden=True),
            ],
            callback=lambda **values: _write(cmd_name, values),
            help=f"Write a game file for {description.title}.",
            short_help=description.title,
        )


_HEADER = {
    "id": "A name for the game.",
    "date": "When it starts, such as 2027-03-01.",
    "event": "The event that it belongs to.",
}


def _refuse_source(_context: click.Context, _parameter: click.Parameter, source: str | None) -> None:
    if source is not None:
        raise click.UsageError(f"--from goes without the name of a game: referee new --from {source}")


def _new_file_options() -> list[click.Parameter]:
    return [
        *(click.Option([f"--{name}"], help=says) for name, says in _HEADER.items()),
        click.Option(["-o", "--output"], type=click.Path(path_type=Path), help="The new file (.yaml)."),
    ]


@click.command(
    "new",
    cls=_Games,
    invoke_without_command=True,
    no_args_is_help=True,
    subcommand_metavar="[GAME [OPTIONS]]",
    params=[
        click.Option(
            ["--from", "source"],
            metavar="FILE",
            shell_complete=files,
            help="Begin as this game did; - is the standard input.",
        ),
        click.Option(["--swap"], is_flag=True, help="With --from: the players change sides."),
        click.Option(
            ["--ply", "number"], type=click.IntRange(min=0), help="With --from: begin where it stood after this ply."
        ),
        *_new_file_options(),
    ],
)
@click.pass_context
def new_command(
    context: click.Context, /, source: str | None, swap: bool, number: int | None, output: Path | None, **header: str
) -> None:
    """Write a game file for a new game.

    Each GAME has its own options: referee new GAME --help. With --from, the game, its options and players are those
    of another file. The new file goes to the standard output, or to a new file with --output.
    """
    game = context.invoked_subcommand
    if game is not None:
        if source is not None or swap or number is not None or output is not None or any(header.values()):
            raise click.UsageError(f"options come after the name of the game, and --from goes without it: {game}")
        return
    if source is None:
        raise click.UsageError("name a game, or a file with --from")
    expect_yaml(output)
    begun = sequel(game_of(source), number=number, swap=swap)
    if not number:
        kept = {name: value for name, value in begun.options.items() if name not in begun.description.chance}
        begun = replace(begun, options=_with_secret(begun.description, kept))
    _save(replace(begun, id=header["id"], date=header["date"], event=header["event"]), output)


def _game_options(description: Game) -> list[click.Parameter]:
    parameters: list[click.Parameter] = []
    for option in description.options:
        kind: Any = click.STRING
        words = None
        if isinstance(option, Choice):
            flip = (FLIP,) if description.takes_flip(option) else ()
            kind = click.Choice([*option.values, *flip])
        elif isinstance(option, Number):
            kind = click.IntRange(option.low, option.high)
        elif option.names:
            words = one_of(option.names)
        default = "a fresh secret" if description.secret and not isinstance(option.default, str) else option.default
        says = option.says + (f" [default: {default}]" if default is not None else "")
        parameters.append(click.Option([f"--{option.name}"], type=kind, help=says, shell_complete=words))
    for name, options in description.presets.items():
        means = ", ".join(f"{key} {value}" for key, value in options.items())
        parameters.append(click.Option([f"--{name}"], is_flag=True, help=f"The same as: {means}."))
    for side in description.sides:
        parameters.append(click.Option([f"--{side}"], metavar="PLAYER", help="A name, or: Name <address>."))
    says = "The position in which it begins, as one line of text."
    return [
        *parameters,
        click.Option(["--position", "start_text"], metavar="TEXT", help=says),
        *_new_file_options(),
    ]


def _write(name: str, values: dict[str, Any]) -> None:
    expect_yaml(values["output"])
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
    header = {key: values[key] for key in _HEADER}
    with wrong_usage(OptionError):
        begun = new_game(name, options | coin, players, start_text=values["start_text"], **header)
    _save(
        begun, values["output"], "".join(f"# {key}: {value}, decided by a coin flip\n" for key, value in coin.items())
    )


def _save(game: GameFile, output: Path | None, notes: str = "") -> None:
    """Write a new game, unless it cannot be read again."""
    try:
        text = dumps(game)
    except FileError as error:
        raise click.UsageError("; ".join(finding.message for finding in error.findings)) from None
    create(output, notes + text)


def _with_secret(description: Game, options: dict[str, Any]) -> dict[str, Any]:
    """The options with the public results of chance; the secret ones are printed for the referee."""
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
@click.argument("moves", nargs=-1, required=True, metavar="SIDE MOVE [SIDE MOVE]", shell_complete=sides_and_moves)
def move_command(file: Path, moves: tuple[str, ...]) -> None:
    """Judge a move and add it to a game file.

    If both sides move at once, give both moves: referee move FILE south "P M1 A2 12" north "P S B3".
    A refused move leaves the file unchanged, to the byte.
    """
    sides, texts = moves[::2], moves[1::2]
    if len(sides) != len(texts):
        raise click.UsageError('after FILE come a side and its move, such as: south "P M1 A2 12"')
    if twice := next((side for side in sides if sides.count(side) > 1), None):
        raise click.UsageError(f"{visible(twice)} has two moves here: one command makes one ply")
    from referee.game.amend.edit import add_ply

    ply = add_ply(file, dict(zip(sides, texts, strict=True)))
    made = "; ".join(f"{side} {one}" for side, one in ply.moves.items())
    click.echo(f"round {ply.round}, ply {ply.number}: {made}")


@click.command("legal")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("words", nargs=-1, metavar="[SIDE] [PREFIX]", shell_complete=words_of_moves)
@click.option("--count", is_flag=True, help="Only count the moves.")
def legal_command(file: Path, words: tuple[str, ...], count: bool) -> None:
    """List legal moves, or complete a move.

    The moves are those after the last ply of FILE that begin with PREFIX. Without SIDE they are those of every side
    to move, each with its side if there are several.
    """
    game = read(file)
    sides = game.description.sides
    side, prefix = (words[0], words[1:]) if words and words[0] in sides else (None, words)
    try:
        moves = completions(game, side, " ".join(prefix))
    except NotationError:
        if side is None and get_close_matches(words[0].casefold(), sides):
            game.start().expect_side(words[0])
        raise
    labels = {one: f"{one} " if len(moves) > 1 else "" for one in moves}
    if count:
        for one, found in moves.items():
            click.echo(f"{labels[one]}{sum(1 for _ in found)}")
    else:
        screen().page(f"{labels[one]}{move}" for one, found in moves.items() for move in found)


@click.command("reveal")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("secret")
def reveal_command(file: Path, secret: str) -> None:
    """Reveal what the players may know of a game's secret.

    This writes the public part into FILE, and the whole secret once the game is over. SECRET is what 'referee new'
    printed for the referee; - reads it from the standard input, so that it stays out of your shell's history.
    """
    if secret == "-":
        secret = standard_input().readline().decode("utf-8", "replace").strip()
    from referee.game.amend.edit import reveal

    game = reveal(file, secret)
    click.echo(f"{visible(str(file))}: the options now show what players may know of {game.description.title}")
