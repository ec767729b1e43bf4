"""`referee play`: a game against an engine, in the terminal."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from referee.cli import told
from referee.cli.candidates import game_settings, games_or_files, sides
from referee.cli.keyboard import completing, typed_line
from referee.cli.options import game_options
from referee.cli.output import create
from referee.cli.screen import screen, terminal_width
from referee.desk import seals
from referee.draw.ink import plain_lines
from referee.draw.text import NARROW_WIDTH, REPORT_WIDTH, report_lines
from referee.engine import LEVELS, Prospect
from referee.engine.evaluation import SURE
from referee.engine.practice import Practice, engines_of
from referee.errors import RefereeError
from referee.game import read
from referee.game.dumper import dumps
from referee.game.gamefile import new_game
from referee.game.gate import replace_content
from referee.rules import Moves, all_games, game_named
from referee.terminal import visible, visible_lines

_HELP = """\
a move       make it; the tabulator key completes it
legal        list the legal moves; with the beginning of a move only those
hint         what a strong engine would do
why          what the engine expected of its last move
undo         take your last move back
board        show the board again
save FILE    keep the game so far; `referee play FILE` goes on with it
claim        claim a draw by repetition, if there is one
resign       give up
quit         leave"""


@click.command("play")
@click.argument("what", metavar="GAME|FILE", shell_complete=games_or_files)
@click.option(
    "--against",
    "level",
    type=click.IntRange(1, len(LEVELS)),
    default=3,
    show_default=True,
    help="The level of the engine, from 1 to 8.",
)
@click.option("--side", shell_complete=sides, help="The side that you play.  [default: the first one]")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    shell_complete=game_settings,
    help="An option of the game.",
)
@click.option("--unicode", is_flag=True, help="Draw with arrows and lines instead of plain ASCII.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Keep the game in this new file, from the first move on."
)
def play_command(
    what: str, level: int, side: str | None, options: tuple[str, ...], unicode: bool, output: Path | None
) -> None:
    """Play against an engine.

    You see the board, type a move, and the engine answers. Where moves are made at once the engine says first what it
    has sealed, and opens it after your move: it cannot have looked. With the FILE of such a game you go on where you
    stopped, against the same engine, and the file is kept up to date. Type help for what else you can say.
    """
    if what in all_games():
        practice = _begun(what, side, level, options)
        place = output
        if place is not None:
            create(place, dumps(practice.game))
    else:
        if options or output is not None:
            raise click.UsageError(
                "a FILE has its own options, and is kept up to date: leave --option and --output out"
            )
        practice, place = _resumed(Path(what), side, level), Path(what)
    _Table(practice, place, unicode).play()


def _begun(name: str, side: str | None, level: int, options: tuple[str, ...]) -> Practice:
    description, given = game_named(name), game_options(options)
    chosen = {**given, **description.flips(given)}
    if description.secret is not None:
        seed = description.secret.draw()
        chosen = {one: {"seed": seed} for one in description.secret.known({}, seed, None)} | chosen
    return Practice.begun(new_game(name, chosen), _own(description.sides, side), level, secrets.token_hex(16))


def _resumed(file: Path, side: str | None, level: int) -> Practice:
    """The practice in a file; its players say who is an engine, and of which level."""
    game = read(file)
    engines = engines_of(game)
    free = [one for one in game.description.sides if one not in engines]
    if side is None and engines and free:
        side = free[0]
    own = _own(game.description.sides, side)
    return Practice.begun(game, own, next(iter(engines.values()), level), secrets.token_hex(16))


def _own(known: Sequence[str], side: str | None) -> str:
    if side is not None and side not in known:
        raise click.UsageError(f"--side must be one of {', '.join(known)}, not {visible(side)}")
    return side or known[0]


class _Table:
    """Where a person and an engine sit: what is typed, and what is shown for it."""

    def __init__(self, practice: Practice, place: Path | None, unicode: bool) -> None:
        self.practice, self.place, self.unicode = practice, place, unicode
        self._answers: Moves = {}
        self._nonce = b""
        self._shown: Practice | None = None
        self._orders: Mapping[str, Callable[[str], None]] = {
            "board": lambda _: self._show(),
            "claim": lambda _: self._claim(),
            "help": lambda _: click.echo(_HELP),
            "hint": lambda _: self._hint(),
            "legal": self._list,
            "save": self._save,
            "undo": lambda _: self._undo(),
            "why": lambda _: self._explain(),
        }

    def play(self) -> None:
        """Go on until the game is over or the person leaves."""
        with completing(self._completions):
            while True:
                self._let_engines_move()
                if self._shown is not self.practice:
                    self._show()
                if self.practice.is_over or (line := self._line()) is None or line == "quit":
                    break
                try:
                    self._obey(line)
                except RefereeError as error:
                    click.echo(told(error, screen().pen(sys.stdout)))
        if self.place is not None:
            click.echo(f"the game is in {visible(str(self.place))}")

    def _line(self) -> str | None:
        """What the person types; what the engines have sealed for this ply is told before."""
        if not self._answers and len(self.practice.position.to_move) > 1:
            self._answers, self._nonce = self.practice.answers(), seals.draw_nonce()
            for side, move in self._answers.items():
                click.echo(f"{side} has sealed its move: {self._promise(side, str(move))}")
        return typed_line(f"{self.practice.side}> ")

    def _promise(self, side: str, move: str) -> str:
        game = self.practice.game
        rules = f"{game.game} {game.rules or game.description.versions[-1]}"
        return seals.commitment("play", self.practice.ply.number + 1, side, rules, move, self._nonce)

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word in self._orders:
            self._orders[word](rest.strip())
        elif word == "resign":
            self._go_on(self.practice.resigned())
            click.echo("you have resigned")
        elif line:
            self._move(line)

    def _move(self, text: str) -> None:
        practice = self.practice
        moves = {practice.side: practice.position.parse(practice.side, text), **self._answers}
        opened = [
            f"{side} had sealed {move}, with the nonce {self._nonce.hex()}" for side, move in self._answers.items()
        ]
        self._go_on(practice.moved(moves))
        for one in opened:
            click.echo(one)

    def _let_engines_move(self) -> None:
        """Make the engines' moves until it is the person's turn."""
        while not self.practice.is_over and not self.practice.is_own_turn:
            answers = self.practice.answers()
            for side, move in answers.items():
                click.echo(f"{side}: {move}")
            self._go_on(self.practice.moved(answers))

    def _go_on(self, practice: Practice) -> None:
        """Take over what has become of the game, and keep it."""
        self.practice, self._answers = practice, {}
        if self.place is not None:
            replace_content(self.place, dumps(practice.game).encode())

    def _show(self) -> None:
        """Print the report of the last ply."""
        self._shown = practice = self.practice
        width = max(NARROW_WIDTH, terminal_width(REPORT_WIDTH))
        lines = report_lines(practice.game, practice.ply, view=practice.side, unicode=self.unicode, width=width)
        click.echo(visible_lines("\n".join(plain_lines(lines))))
        click.echo()

    def _list(self, prefix: str) -> None:
        screen().page(self._moves(prefix) or ["no legal move begins like this"])

    def _moves(self, prefix: str) -> list[str]:
        """The person's legal moves that begin with a text, whatever its case."""
        begun = prefix.casefold()
        moves = map(str, self.practice.position.legal_moves(self.practice.side))
        return [move for move in moves if move.casefold().startswith(begun)]

    def _completions(self, line: str) -> list[str]:
        words = [word for word in (*self._orders, "resign", "quit") if word.startswith(line)]
        return [*words, *self._moves(line)]

    def _hint(self) -> None:
        click.echo(_thought(self.practice.hint()))

    def _explain(self) -> None:
        reasons = self.practice.reasons()
        for side, finding in reasons.items():
            click.echo(f"{side}: {_thought(finding)}")
        if not reasons:
            click.echo("no engine has moved yet")

    def _undo(self) -> None:
        before = self.practice.undone()
        if before.game == self.practice.game:
            click.echo("you have made no move yet")
            return
        self._go_on(before)

    def _claim(self) -> None:
        practice = self.practice
        if not practice.position.claims(practice.side):
            click.echo("there is no repetition to claim")
            return
        self._go_on(practice.claimed())
        click.echo("the game is a draw by repetition")

    def _save(self, name: str) -> None:
        if not name:
            click.echo("say where: save FILE")
            return
        try:
            create(Path(name), dumps(self.practice.game))
        except click.UsageError as error:
            click.echo(error.message)
            return
        self.place = Path(name)
        click.echo(f"saved; from now on {visible(name)} is kept up to date")


def _thought(finding: Prospect) -> str:
    """A finding in words."""
    line = " ".join(map(str, finding.line)) if len(finding.line) == 1 else ", ".join(map(str, finding.line))
    if abs(finding.value) >= SURE:
        return f"{line} ({'wins' if finding.value > 0 else 'loses'})"
    return f"{line} ({finding.value / 100:+.2f})"
