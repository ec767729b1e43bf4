"""Foresight: the position after hypothetical moves, written as the lines of a move list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from referee.errors import NotationError, RefereeError, Refusal
from referee.notation.movelist import MoveLine, WrittenMove, parse_move_line
from referee.notation.moves import move_text
from referee.rules import Event, Move, Position

FARTHEST = 20
"""Maximum plies that are looked ahead."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The reason to look no further from a place on; `side` is whose move it was read as, if several move at once."""

    line: str
    column: int
    error: RefereeError
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Foresight:
    """The result of hypothetical moves: the position and plies up to an obstacle, and the events of the last ply."""

    position: Position
    plies: tuple[Mapping[str, str], ...] = ()
    events: tuple[Event, ...] = ()
    obstacle: Obstacle | None = None

    @property
    def waits(self) -> bool:
        """True if the game waits for the referee to reveal something hidden."""
        return not self.position.to_move and self.position.outcome is None


def foresee(
    position: Position, made: Sequence[str], lines: Sequence[str], size: int, *, writer: str | None = None
) -> Foresight:
    """The result of lines of a move list from a position, which stays as it is, after the moves `made` so far.

    A line without a number goes on from the move before it. A line with a number is that round; where the first moves
    of the round are made already, it may begin with them. Moves made at once are in the order of the sides, or with
    the `writer`'s first where the lines lead further so. Nothing is raised: see `Foresight.obstacle`.
    """
    seen = _foreseen(position, made, lines, size, position.sides)
    if seen.obstacle is None or writer is None:
        return seen
    others = (side for side in position.sides if side != writer)
    other = _foreseen(position, made, lines, size, (writer, *others))
    return other if len(other.plies) > len(seen.plies) else seen


def _foreseen(
    position: Position, made: Sequence[str], lines: Sequence[str], size: int, order: Sequence[str]
) -> Foresight:
    """The result of the lines if moves made at once are in this order of the sides."""
    ahead = _Ahead(Foresight(position), tuple(made), size, order)
    for line in lines:
        for move in ahead.moves_of(line):
            ahead.take(move, line)
        if ahead.seen.obstacle is not None:
            return ahead.seen
    ahead.finish(lines[-1])
    return ahead.seen


@dataclass(slots=True)
class _Ahead:
    """The foresight so far: the texts of all moves, made or not, and those of the ply that is not complete."""

    seen: Foresight
    texts: tuple[str, ...]
    size: int
    order: Sequence[str]
    waiting: dict[str, Move] = field(default_factory=dict)

    def moves_of(self, line: str) -> Iterator[WrittenMove]:
        """The moves of a line that are to be taken, up to an obstacle."""
        try:
            moves = self._rest_of(parse_move_line(line, self.size))
        except (NotationError, Refusal) as error:
            self._stop(line, error.span.column if error.span else 1, error)
            return
        for move in moves:
            if self.seen.obstacle is None:
                yield move

    def take(self, written: WrittenMove, line: str) -> None:
        """Take a move; once a ply is complete it is played."""
        position = self.seen.position
        side = next((one for one in self.order if one in position.to_move and one not in self.waiting), None)
        try:
            if side is None:
                raise position.out_of_turn()
            if len(self.seen.plies) == FARTHEST:
                raise Refusal("too-far", f"this looks no more than {FARTHEST} moves ahead")
            self.waiting[side] = position.parse(side, written.text)
        except RefereeError as error:
            within = error.span.column - 1 if error.span else 0
            self._stop(line, written.column + within, error, side if len(position.to_move) > 1 else None)
            return
        self.texts += (str(self.waiting[side]),)
        if self.waiting.keys() == position.to_move:
            after = position.play_unchecked(self.waiting)
            ply = {one: str(move) for one, move in self.waiting.items()}
            self.seen = Foresight(after, (*self.seen.plies, ply), position.events(self.waiting, after))
            self.waiting = {}

    def finish(self, line: str) -> None:
        """See whether a ply is left that is not complete, or whether there was no move at all."""
        try:
            if self.waiting or not self.seen.plies:
                self.seen.position.play(self.waiting)
        except RefereeError as error:
            self._stop(line, len(line) + 1, error)

    def _rest_of(self, line: MoveLine) -> tuple[WrittenMove, ...]:
        """The moves of a line without those that are made already; Refusal `round` for another round."""
        number, done = len(self.texts) // self.size + 1, self.texts[len(self.texts) // self.size * self.size :]
        if line.number is None:
            return line.moves
        if line.number != number:
            raise Refusal("round", f"the line is for round {line.number}, and the next move is in round {number}")
        if len(done) + len(line.moves) <= self.size:
            return line.moves
        game = self.seen.position.game
        if [move_text(game, move.text) for move in line.moves[: len(done)]] != [*done]:
            raise Refusal("round", f"round {number} began with {' | '.join(done)}: write only what follows")
        return line.moves[len(done) :]

    def _stop(self, line: str, column: int, error: RefereeError, side: str | None = None) -> None:
        self.seen = replace(self.seen, obstacle=Obstacle(line, column, error, side))
