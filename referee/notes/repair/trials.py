"""Trials of changes: a list that does not hold, played with one change after another."""

from __future__ import annotations

import enum
import time
from collections import deque
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from referee.errors import IllegalMove, NotationError, OptionError
from referee.game import GameFile
from referee.game.file.judge import ending
from referee.game.file.rounds import Unread
from referee.notes.repair.corrections import Correction
from referee.notes.repair.sheet import DraftMoves
from referee.rules import Move, Position, cursor_at, movers
from referee.rules.cursor import Cursor

MOST_PLIES = 40_000
"""Maximum plies that a search plays."""

MOST_SECONDS = 10.0
"""Maximum seconds of processor time that it takes."""

_PLIES_A_LOOK = 256
"""Plies between looks at the time, as one may take as long as many plies."""

BACK = 200
"""Maximum plies that it goes back."""


class Grade(enum.IntEnum):
    """All is right; all moves are, but the end or the result is not; a move is refused."""

    RIGHT = 0
    DIFFERENT = 1
    REFUSED = 2


class PlyStart(NamedTuple):
    """A ply of the list: the position before it, and where it begins."""

    position: Position
    begin: int


class Attempt(NamedTuple):
    """A change, its result, the number of moves after it that hold, and of those in the list that do."""

    grade: Grade
    reach: int
    gained: int
    correction: Correction

    @property
    def short_of_all(self) -> tuple[int, int]:
        """Less for an attempt that leads further."""
        return self.grade, -self.gained


class Trials:
    """The trials for one list; they end after a number of plies, so that they always come to the same."""

    def __init__(self, draft: GameFile, sheet: DraftMoves) -> None:
        self.sheet = sheet
        self.line: deque[PlyStart] = deque(maxlen=BACK)
        """The last plies of the list that hold, and the one where it stops; none if the game cannot begin."""
        self._draft = draft
        self._plies_left, self._reserve = MOST_PLIES, 0
        self._is_late = False
        self._end = time.thread_time() + MOST_SECONDS
        self.base = Attempt(Grade.REFUSED, 0, 0, Correction(0, "", None))
        """The list as it is."""
        try:
            start = draft.start()
        except (OptionError, NotationError):
            return
        for here, done in self._plies(start, sheet.moves, 0):
            self.line.append(PlyStart(here.position, done))
        whole = done == len(sheet.moves) and not sheet.short
        grade = _end_grade(draft, here.position) if whole else Grade.REFUSED
        self.base = Attempt(grade, done, done, Correction(0, "", None))

    @property
    def are_over(self) -> bool:
        """True once all plies that may be used now, or all the time, are gone."""
        return self._plies_left <= self._reserve or self._is_late

    def look_at_the_time(self) -> None:
        """End the trials if they have taken too long."""
        self._is_late = time.thread_time() > self._end

    def allow(self, plies: int) -> None:
        """Allow this number of the plies that are left, until more are allowed."""
        self._reserve = max(0, self._plies_left - plies)

    def judged(self, correction: Correction, place: PlyStart, game: GameFile | None = None) -> Attempt:
        """Judge a change from its first ply on; `game` is the game with it if not only the moves change."""
        moves = self.sheet.moves
        rest = (moves[at] for at in range(correction.at + correction.removed, len(moves)))
        changed = chain(moves[place.begin : correction.at], correction.put, rest)
        *_, (here, done) = self._plies(place.position, changed, place.begin)
        longer = len(correction.put) - correction.removed
        whole = done == len(moves) + longer
        grade = _end_grade(game or self._draft, here.position) if whole else Grade.REFUSED
        return Attempt(grade, done, done - longer, correction)

    def _plies(self, start: Position, moves: Iterable[Move], done: int) -> Iterator[tuple[Cursor[Move], int]]:
        """A cursor before the first ply and after each that holds, with the number of moves so far."""
        here, waiting = cursor_at(start), iter(moves)
        yield here, done
        while due := here.to_move:
            ply = tuple(islice(waiting, len(due)))
            self._plies_left -= 1
            if not self._plies_left % _PLIES_A_LOOK:
                self.look_at_the_time()
            if not ply or self.are_over or any(isinstance(move, Unread) for move in ply):
                return
            try:
                here.play(dict(zip((side for side in here.sides if side in due), ply, strict=False)))
            except IllegalMove:
                return
            done += len(ply)
            yield here, done

    # --- Places in the list ---

    @cached_property
    def fault(self) -> int:
        """The first move that is refused; past the last one if none is, or if one is missing."""
        if not self.line:
            return 0
        (position, begin), moves = self.line[-1], self.sheet.moves
        for at, side in enumerate(movers(position), begin):
            if at >= len(moves):
                break
            if isinstance(moves[at], Unread) or moves[at] not in position.legal_moves(side):
                return at
        return len(moves) if position.to_move else begin

    def side_of(self, at: int) -> tuple[PlyStart, str]:
        """The ply of the list with the place of a move, and the side whose move it is, or nothing."""
        place = self.place_of(at)
        due = movers(place.position)
        return place, due[at - place.begin] if at - place.begin < len(due) else ""

    def place_of(self, at: int) -> PlyStart:
        """The ply of the list with the place of a move."""
        return next(place for place in reversed(self.line) if place.begin <= at)

    def known(self, at: int) -> bool:
        """True if the position before a move is among those of the line."""
        return bool(self.line) and self.line[0].begin <= at <= self.line[-1].begin + 1


def _end_grade(game: GameFile, position: Position) -> Grade:
    _, findings = ending(game, position)
    return Grade.DIFFERENT if findings else Grade.RIGHT
