"""`referee play`: a game against an engine, in the terminal."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from textwrap import wrap

import click
from click.core import ParameterSource

from referee.cli.play.kept_game import KeptGame
from referee.cli.play.keyboard import completing, typed_line
from referee.cli.play.programs import LEVEL_NAMES, Opponent, running
from referee.cli.shell.candidates import games_or_files, no_game, sides
from referee.cli.shell.errors import told
from referee.cli.shell.options import game_options
from referee.cli.shell.parameters import output_option, setting_option
from referee.cli.shell.screen import fitted, screen, terminal_height, terminal_width
from referee.desk.log.sealed_answers import SealedAnswers
from referee.draw.scenes.ink import plain_lines
from referee.draw.text import NARROW_WIDTH, REPORT_WIDTH, change_lines, low_report, report_lines
from referee.engine import USUAL_LEVEL
from referee.engine.choice import search_of
from referee.engine.levels import PROGRAM_LEVEL
from referee.engine.practice import Practice, moves_in, prospect_text
from referee.errors import NotationError, PackageFault, RefereeError
from referee.game import read
from referee.notation.habits import legal_meanings, moves_meant
from referee.notation.lesson import lesson_of
from referee.rules import Move, Termination, all_games, game_named
from referee.terminal import visible, visible_lines

_HELP = """\
a move       make it, in notation or in your own words; the Tab key completes it
rules        the rules of the game, and how its moves are written
legal        list the legal moves; with the beginning of a move only those
hint         what a strong engine would do
why          what the engine expected of its last move
undo         take your last move back, and let the engine draw again
board        show the board again, with its legend and all that happened
save FILE    keep the game so far; `referee play FILE` goes on with it
claim        claim a draw by repetition, if there is one
resign       give up
quit         leave, as Ctrl-D does; Ctrl-C drops the line, and leaves at once
             while an engine thinks"""

_LEAVING = ("quit", "exit")
_FOLLOWED = ("legal", "save")
"""Words that may have an argument."""

_ASK = "help lists what you can type"
_STOPPED = "the program plays no more: save FILE keeps the game so far, and quit leaves"


@click.command("play")
@click.argument("what", metavar="GAME|FILE", shell_complete=games_or_files)
@click.option(
    "--against",
    "opponent",
    type=Opponent(),
    metavar="LEVEL|program:COMMAND",
    default=USUAL_LEVEL,
    show_default=True,
    help=f"The level of the engine, by number or name ({LEVEL_NAMES}), or another program.",
)
@click.option("--side", shell_complete=sides, help="The side that you play.  [default: the first one]")
@setting_option("An option of the game.")
@click.option("--unicode", is_flag=True, help="Draw with arrows and lines instead of plain ASCII.")
@output_option("Keep the game in this new file, from the first move on.")
def play_command(
    what: str, opponent: int | str, side: str | None, options: tuple[str, ...], unicode: bool, output: Path | None
) -> None:
    """Play against an engine.

    You see the board, type a move, and the engine answers. If moves are made at once, the engine first shows the seal
    of its move, and reveals the move after yours, which proves that it did not look. With the FILE of such a game you
    continue it against the same engine, and the file is kept up to date. With any other FILE you take over one side
    from its last position on; that file stays unchanged, and -o keeps the new game. Type help for all commands.
    """
    given = click.get_current_context().get_parameter_source("opponent") is not ParameterSource.DEFAULT
    level = PROGRAM_LEVEL if isinstance(opponent, str) else opponent
    if what in all_games():
        practice = _begun(what, side, level, options)
        kept = None if output is None else KeptGame.created(output, practice.game)
    else:
        if not {".", "/"} & set(what) and not Path(what).exists():
            raise click.UsageError(no_game(what))
        if options:
            raise click.UsageError("a FILE has its own options: leave --option out")
        practice, kept = _resumed(Path(what), side, level if given else None, output)
    with ExitStack() as programs:
        if isinstance(opponent, str):
            practice = replace(practice, program=programs.enter_context(running(opponent, practice.game.options)))
        _Table(practice, kept, unicode).play()


def _begun(name: str, side: str | None, level: int, options: tuple[str, ...]) -> Practice:
    known = game_named(name).sides
    own = _own(known, side or known[0])
    practice = Practice.opened(name, game_options(options), own, level, secrets.token_hex(16))
    if level != PROGRAM_LEVEL:
        search_of(practice.position)  # a game without engines is no game to begin against one
    return practice


def _resumed(
    file: Path, side: str | None, level: int | None, output: Path | None
) -> tuple[Practice, KeptGame | None]:
    """The practice in a file, and the file that keeps it: the same one for a game against engines."""
    game = read(file)
    own = None if side is None else _own(game.description.sides, side)
    practice = Practice.resumed(game, own, USUAL_LEVEL if level is None else level, secrets.token_hex(16))
    if practice.game is not game:
        return practice, None if output is None else KeptGame.created(output, practice.game)
    if output is not None:
        raise click.UsageError("this FILE is a game against an engine, and is kept up to date: leave -o out")
    if own not in (None, practice.side):
        raise click.UsageError(f"in this FILE you play {practice.side}: leave --side out")
    if level not in (None, practice.level):
        raise click.UsageError(f"in this FILE the engine has level {practice.level}: leave --against out")
    return practice, KeptGame(file)


def _own(known: Sequence[str], side: str) -> str:
    if side not in known:
        raise click.UsageError(f"--side must be one of {', '.join(known)}, not {visible(side)}")
    return side


class _Table:
    """The table of a person and an engine: the typed commands, and their output."""

    def __init__(self, practice: Practice, kept: KeptGame | None, unicode: bool) -> None:
        self.practice, self.kept, self.unicode = practice, kept, unicode
        self._sealed: SealedAnswers | None = None
        self._news: list[str] = []
        self._shown: Practice | None = None
        self._saved = practice
        self._is_warned = False
        self._failure: RefereeError | None = None
        self._orders: Mapping[str, Callable[[str], None]] = {
            "board": lambda _: screen().page(map(visible_lines, self._report())),
            "claim": lambda _: self._claim(),
            "help": lambda _: _say(_HELP),
            "hint": lambda _: self._hint(),
            "legal": self._list,
            "resign": lambda _: self._resign(),
            "rules": lambda _: screen().page(visible_lines(one) for one in _rules_lines(self.practice, self._width)),
            "save": self._save,
            "undo": lambda _: self._undo(),
            "why": lambda _: self._explain(),
        }

    def play(self) -> None:
        """Go on until the person leaves."""
        self._news.append(_ASK)
        with completing(self._completions):
            while True:
                self._ask_engines()
                if self._shown is not self.practice:
                    self._show()
                for news in self._news:  # below the board, so that they do not scroll away
                    _say(news)
                self._news.clear()
                line = self._line()
                if line is None or line.casefold() in _LEAVING:
                    if self._may_leave():
                        break
                    continue
                self._is_warned = False
                try:
                    self._obey(line)
                except (RefereeError, PackageFault) as error:
                    _say(told(error, screen().pen(sys.stdout)))
                    if isinstance(error, NotationError) and error.span and error.span.column == 1:
                        _say(_ASK)
        if self.kept is not None:
            _say(f"the game is in {visible(str(self.kept.path))}")
        if self._failure is not None:
            raise self._failure

    def _ask_engines(self) -> None:
        """Let the engines move, and seal; a program that fails is not asked again."""
        if self._failure is None:
            try:
                self._let_engines_move()
                self._let_engines_seal()
            except RefereeError as error:
                if error.code != "program":
                    raise
                self._failure = error
                self._news += (told(error, screen().pen(sys.stdout)), _STOPPED)

    def _may_leave(self) -> bool:
        """True if nothing is lost, or the person has been warned."""
        if self._is_warned or self.kept is not None or self.practice is self._saved or not sys.stdin.isatty():
            return True
        self._is_warned = True
        _say("the game is not saved: save FILE keeps it, and quit leaves without it")
        return False

    def _line(self) -> str | None:
        practice = self.practice
        if practice.is_over or self._failure is not None:
            return typed_line("game over> " if practice.ply.outcome else "nobody> ")
        return typed_line(f"{practice.side}> ")

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        word, rest = word.casefold(), rest.strip()
        if rest and word in {*self._orders, *_LEAVING} - {*_FOLLOWED}:
            _say(f"nothing follows {word}: type it alone")
        elif order := self._orders.get(word):
            order(rest)
        elif line and self._failure is not None:
            _say(_STOPPED)
        elif line and self._is_running():
            self._move(line)

    def _is_running(self) -> bool:
        """True if a player can move; otherwise report that none can."""
        if self.practice.is_over:
            over = "the game is over" if self.practice.ply.outcome else "the referee of this game has to reveal more"
            _say(f"{over}: undo takes your last move back, and quit leaves")
        return not self.practice.is_over

    def _move(self, text: str) -> None:
        practice, sealed = self.practice, self._sealed
        own = {practice.side: self._read(text)}
        if sealed is None:
            self._go_on(practice.moved(own))
            return
        self._go_on(practice.moved({**own, **sealed.moves}, sealed.answers))
        for side, move in sealed.moves.items():
            _say(f"{side} had sealed {move}, with the nonce")
            _say(f"  {sealed.nonce.hex()}")

    def _read(self, text: str) -> Move:
        """The move of a text, also in a person's own words if they have one legal meaning."""
        position, side = self.practice.position, self.practice.side
        try:
            return position.parse(side, text)
        except NotationError as error:
            meant = legal_meanings(position, side, moves_meant(position.game, text))
            if len(meant) != 1 or not all(meant.values()):
                raise error.with_suggestions(tuple(meant) or error.suggestions) from None
        (move,) = meant
        self._news.append(f"read as {move}")
        return position.parse(side, move)

    def _let_engines_move(self) -> None:
        """Make the engines' moves until it is the person's turn; print them, unless the terminal shows them below."""
        told = not terminal_height()
        while not self.practice.is_over and not self.practice.is_own_turn:
            if told and self._shown is not self.practice:
                for change in change_lines(self.practice.ply, self._width):  # which no board shows
                    _say(change)
            answers = self.practice.answers()
            for side, answer in answers.items() if told else ():
                _say(f"{side}: {answer.move}")
            self._go_on(self.practice.moved(moves_in(answers), answers))

    def _let_engines_seal(self) -> None:
        """Seal the engines' moves of a ply of all sides, and print the commitments: above the board, as proof."""
        practice = self.practice
        if self._sealed is None and not practice.is_over and len(practice.position.to_move) > 1:
            self._sealed = SealedAnswers.drawn(practice)
            for side, promise in self._sealed.commitments().items():
                _say(f"{side} has sealed its move for ply {practice.ply.number + 1}:")
                _say(f"  {promise}")

    def _go_on(self, practice: Practice) -> None:
        before, self.practice, self._sealed = self.practice, practice, None
        if self.kept is None:
            return
        try:
            self.kept.follow(before.game, practice.game)
            return
        except click.ClickException as error:
            self._news.append(error.message)
        except RefereeError as error:
            self._news.append(told(error, screen().pen(sys.stdout)))
        self.kept = None
        self._news.append("from now on the game is not kept: save FILE keeps it elsewhere")

    def _show(self) -> None:
        """Print the position: whole, or what fits on the terminal above the prompt."""
        before, self._shown = self._shown, self.practice
        height = terminal_height()
        if not height:
            click.echo(visible_lines("\n".join([*self._report(), ""])))
            return
        practice, room = self.practice, height - len(self._news) - 1
        known = before.ply.number if before else practice.ply.number - 1
        plies = [ply for ply in practice.game.replay() if ply.number > known] or [practice.ply]
        lines = low_report(
            practice.game, plies, view=practice.side, unicode=self.unicode, width=self._width, height=room
        )
        click.echo(visible_lines("\n".join([*lines, *[""] * (len(lines) < room)])))

    def _report(self) -> list[str]:
        practice = self.practice
        lines = report_lines(practice.game, practice.ply, view=practice.side, unicode=self.unicode, width=self._width)
        return plain_lines(lines)

    @property
    def _width(self) -> int:
        return max(NARROW_WIDTH, terminal_width(REPORT_WIDTH))

    def _list(self, prefix: str) -> None:
        if self._is_running():
            screen().page(self._moves(prefix) or ["no legal move begins like this"])

    def _moves(self, prefix: str) -> list[str]:
        """The person's legal moves that begin with a text, in any case."""
        begun = prefix.casefold()
        moves = map(str, self.practice.position.legal_moves(self.practice.side))
        return [move for move in moves if move.casefold().startswith(begun)]

    def _completions(self, line: str) -> list[str]:
        words = [word for word in (*self._orders, "quit") if word.startswith(line)]
        moves = [] if self.practice.is_over else self._moves(line)
        return [*words, *dict.fromkeys(_next_word(move, len(line)) for move in moves)]

    def _hint(self) -> None:
        if self._is_running():
            _say(prospect_text(self.practice.game.description, self.practice.hint()))

    def _explain(self) -> None:
        reasons = self.practice.last_reasons()
        for side, finding in reasons.items():
            _say(f"{side}: {prospect_text(self.practice.game.description, finding)}")
        if not reasons:
            _say(
                "what it expected is not in the file: ask after its next move"
                if self.practice.has_answers
                else "no engine has moved yet"
            )

    def _undo(self) -> None:
        before = self.practice.undone()
        if before.game == self.practice.game:
            _say("you have made no move yet")
            return
        self._go_on(before)

    def _claim(self) -> None:
        practice = self.practice
        if not self._is_running():
            return
        if not practice.position.claims(practice.side):
            _say("there is no repetition to claim")
            return
        self._go_on(practice.ended(Termination.REPETITION))
        self._news.append("the game is a draw by repetition")

    def _resign(self) -> None:
        if self._is_running():
            self._go_on(self.practice.ended(Termination.RESIGNATION))
            self._news.append("you have resigned")

    def _save(self, name: str) -> None:
        if not name:
            _say("say where: save FILE")
            return
        try:
            self.kept = KeptGame.created(Path(name).expanduser(), self.practice.game)
        except click.UsageError as error:
            _say(error.message)
            return
        except (RuntimeError, ValueError):  # no such user behind a tilde, or a NUL
            _say(f"no file can be called {visible(name)}")
            return
        _say(f"saved; from now on {visible(name)} is kept up to date")


def _say(text: str) -> None:
    click.echo(fitted(text, sys.stdout))


def _next_word(move: str, length: int) -> str:
    """The beginning of a move, up to the end of the word at this length."""
    end = move.find(" ", length)
    return move if end < 0 else move[: end + 1]


def _rules_lines(practice: Practice, width: int) -> Iterator[str]:
    """The rules of the game that is played, with its options, and its moves with examples."""

    def wrapped(text: str) -> list[str]:
        return wrap(text, width, initial_indent="  ", subsequent_indent="  ")

    game = practice.game.description
    lesson = lesson_of(game, practice.game.options)
    yield from wrap(game.title, width)
    for heading, paragraphs in lesson.parts.items():
        yield from ("", heading)
        for text in paragraphs:
            yield from wrapped(text)
    yield from ("", "How a move is written")
    own = practice.is_own_turn
    examples = lesson.examples(practice.position, practice.side) if own else [None] * len(lesson.forms)
    for form, example in zip(lesson.forms, examples, strict=True):
        such = f" For example: {example}" if example else ""
        yield from wrapped(f"{form.write}  {form.says}{such}")
    for words in lesson.words:
        yield from wrapped(words)
    yield ""
    yield from wrap(lesson.credit, width)
