"""The rounds of a move list, read line by line, and the places that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from referee.errors import Finding, NotationError, Span
from referee.game.file.document import HIDDEN, MOST_FINDINGS, Document
from referee.game.file.gamefile import AnnotatedMove, Round
from referee.notation.habits import Habit
from referee.notation.movelist import NOT_CLOSED, MoveLine, WrittenMove, parse_move_line, parse_plain_list
from referee.notation.moves import REMEMBERED_MOVES, parse_move
from referee.rules import Game, Move

LONGEST_ROUND = 100_000
"""Maximum characters in a line of moves."""

MOST, FEW = MOST_FINDINGS + 1, 5
"""Maximum unparsable moves of a list, and if time matters."""

_LONGEST_COMMENT = 20
"""Maximum lines that are searched for the end of a comment, to report one on several lines."""

_BARE = ("", ())
_NUMBERS = tuple(f"{number}." for number in range(1, 1001))
_make = tuple.__new__


@dataclass(frozen=True, slots=True)
class Unread(Move):
    """The place holder for a text that is no move of the game."""

    text: str

    def __str__(self) -> str:
        return self.text


class MoveFault(NamedTuple):
    """A finding about a move list; an unparsable move has a text, a round, a place and perhaps a habit."""

    finding: Finding
    text: str | None = None
    round: int = 0
    place: int = 0
    habit: Habit | None = None


class Rounds:
    """The rounds of a move list, the comments after the last of them, and what is wrong."""

    def __init__(self, document: Document, game: Game, most: int = MOST, first: int = 1, made: int = 0) -> None:
        """Read the moves of a document, up to `most` wrong ones.

        `first` numbers the first round, of which `made` moves were made before.
        """
        self.rounds: list[Round] = []
        self.comments: list[str] = []
        self.faults: list[MoveFault] = []
        self.is_read = True
        """False if reading stopped before the end of the list."""
        self.is_whole = True
        """False if the rounds are not known, because a line or the end could not be read."""
        self.game = game
        self._document = document
        self._noted, self._size = _noted(game.name), game.moves_per_round
        self._number, self._made = first, made
        self._resumed: int | None = None
        """The number of this round if the last wrong one is left out of the count."""
        self._skipped: int | None = None
        """The number that was left out, if the round may come next: the two have changed places."""
        self._short: tuple[int, int, str] | None = None
        if first == 1 and not made:
            self.rounds = _plain_rounds(document.moves, game)
        lines = document.moves.removesuffix("\n").split("\n")
        done, passed = len(self.rounds), 0
        self._number += done
        for number, text in enumerate(lines[done:], done + 1):
            if len(self.faults) >= most:
                self.is_read = self.is_whole = False
                break
            if number > passed and not self._read(number, text):
                passed = _end_of_comment(lines, number)

    def _read(self, number: int, text: str) -> bool:
        """Read one line of the list; False if a comment in it is not closed."""
        try:
            line = _parse_line(text, self._size)
        except NotationError as error:
            self._fault(error.code, error.message, number, error.span.column if error.span else 1, text)
            self._number += 1
            return error.message != NOT_CLOSED
        if line.number is not None:
            self._count(line.number, number, text)
        if line.moves:
            self._round(number, text, line.moves, (*self.comments, *line.comments))
        elif line.number is not None:
            self._fault("syntax", "a move is missing after the number", number, len(text.rstrip()) + 1, text)
        else:
            self.comments += line.comments
        return True

    def _count(self, written: int, number: int, text: str) -> None:
        """Compare a written number with the next one; a number that is wrong because of another is not reported."""
        expected, is_skipped = self._number, written == self._skipped
        is_right = written in (expected, self._resumed) or is_skipped
        self._number = written + is_skipped
        self._resumed, self._skipped = None, None
        if not is_right:
            self._fault("round-number", f"this is round {expected}, not {written}", number, 1, text)
            self._resumed = expected
            self._skipped = expected if written == expected + 1 else None

    def _round(self, number: int, text: str, moves: tuple[WrittenMove, ...], comments: tuple[str, ...]) -> None:
        if self._short is not None:
            whole = "half" if self._size == 2 else f"without all {self._size}"
            self._fault("half-round", f"a move is missing: only the last round may be {whole}", *self._short)
        noted = []
        for place, written in enumerate(moves):
            try:
                one = self._noted(written.text)
            except NotationError as error:
                column = written.column - 1 + (error.span.column if error.span else 1)
                finding = self._at(error.code, error.message, number, column, text)
                self.faults.append(MoveFault(finding, written.text, len(self.rounds), place))
                one = AnnotatedMove(Unread(written.text))
            noted.append(one._replace(mark=written.mark, comments=written.comments) if written[2:] != _BARE else one)
        due, self._made = max(self._size - self._made, 0), 0
        if len(moves) > due:
            message = "too many moves: the dots stand for those that were made before"
            self._fault("syntax", message, number, moves[due].column, text)
        is_short = len(moves) < due and not any(isinstance(one.move, Unread) for one in noted)
        self._short = (number, 1, text) if is_short else None
        self.rounds.append(Round(tuple(noted), comments))
        self.comments = []
        self._number += 1
        self._resumed = self._resumed and self._resumed + 1

    def _at(self, code: str, message: str, number: int, column: int, text: str) -> Finding:
        return self._document.in_moves(Finding(code, message, number, column, (), text))

    def _fault(self, code: str, message: str, number: int, column: int, text: str) -> None:
        self.is_whole = self.is_whole and code in ("round-number", "half-round")
        self.faults.append(MoveFault(self._at(code, message, number, column, text)))


def _plain_rounds(text: str, game: Game) -> list[Round]:
    """The rounds of a list without comments and marks at once, up to one that is wrong; of any other list, none."""
    rounds: list[Round] = []
    if not (lines := parse_plain_list(text, game.moves_per_round)):
        return rounds
    numbers, *columns = zip(*lines, strict=True)
    if any(numbers) and numbers != _NUMBERS[: len(lines)]:
        return rounds
    noted = _noted(game.name)
    whole = len(lines) - (not columns[-1][-1])
    with suppress(NotationError):
        for moves in zip(*(map(noted, column[:whole]) for column in columns), strict=True):
            rounds.append(_make(Round, (moves, ())))  # `Round` itself would take twice as long
        rounds += [Round(tuple([noted(move) for move in moves if move])) for _, *moves in lines[whole:]]
    return rounds


@cache
def _noted(game: str) -> Callable[[str], AnnotatedMove]:
    """The function from text to annotated move of one game, without mark and comments; it remembers too."""
    return lru_cache(REMEMBERED_MOVES)(lambda text: AnnotatedMove(parse_move(game, text)))


def _parse_line(text: str, size: int) -> MoveLine:
    if len(text) > LONGEST_ROUND:
        message = f"a line of moves has at most {LONGEST_ROUND:,} characters"
        raise NotationError(message, text=text, span=Span(1, LONGEST_ROUND + 1), code="too-large")
    if hidden := HIDDEN.search(text.replace("\t", " ")):
        message = f"an invisible control character (U+{ord(hidden[0]):04X})"
        raise NotationError(message, text=text, span=Span(1, hidden.start() + 1))
    return parse_move_line(text, size)


def _end_of_comment(lines: Sequence[str], number: int) -> int:
    """The number of the line on which a comment ends that a line leaves open; 0 if none closes it."""
    for end, text in enumerate(lines[number : number + _LONGEST_COMMENT], number + 1):
        if "{" in text.partition("}")[0]:
            return 0
        if "}" in text:
            return end
    return 0
