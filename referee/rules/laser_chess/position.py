"""Positions of Laser Chess: what is legal, what a move and its shot do, when the game ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import NamedTuple, assert_never

from referee.errors import IllegalMove
from referee.rules.contract import Event
from referee.rules.cursor import TurnCursor
from referee.rules.laser_chess.events import Fired, Moved, Removed, Rotated, Swapped
from referee.rules.laser_chess.pieces import (
    BOARD,
    FORBIDDEN,
    LASER_WAYS,
    NEAR,
    NUMBER,
    ROTATIONS,
    SIDES,
    SQUARES,
    STEPS,
    Kind,
    Move,
    Piece,
    Rotate,
    Step,
    other,
)
from referee.rules.laser_chess.setups import Board, rows
from referee.rules.laser_chess.shot import fired
from referee.rules.outcome import Facts, Termination
from referee.rules.squares import Turn
from referee.rules.turns import NOBODY, TwoSided, alone

KING_HIT = "king"
"""The end of a game by a removed king."""

REPETITION = frozenset((Termination.REPETITION,))
TIMES = 3
"""Occurrences of an arrangement that make a repetition."""

SWAPPED = (Kind.DEFLECTOR, Kind.DEFENDER)


class Arrangements(NamedTuple):
    """The arrangements since a piece was last removed, the newest first."""

    squares: Board
    before: Arrangements | None

    def __reduce__(self) -> tuple[Callable[[tuple[Board, ...]], Arrangements], tuple[tuple[Board, ...]]]:
        # Flat, because the nesting of a long game is too deep to be copied.
        return _past, (tuple(self.boards()),)

    def boards(self) -> Iterator[Board]:
        """The arrangements, the newest first."""
        past: Arrangements | None = self
        while past is not None:
            yield past.squares
            past = past.before


class LaserChessTable:
    """The pieces on the board, and the rules for moving them; `LaserChessPosition` describes each field."""

    squares: Sequence[Piece | None]
    kings_turn: bool

    def _check(self, side: str, move: Move) -> None:
        match move:
            case Step():
                self._refuse_step(side, move)
            case Rotate():
                self._refuse_rotation(side, move)
            case _:
                assert_never(move)

    def _refuse_step(self, side: str, move: Step) -> None:
        origin, target = BOARD.number(move.origin), BOARD.number(move.target)
        piece = self._own(side, origin)
        if target not in NEAR[origin]:
            message = f"a piece moves to a neighbouring square, and {move.target} is not next to {move.origin}"
            raise IllegalMove("distance", message)
        hit = self.squares[target]
        if hit is not None and not (piece.kind is Kind.SWITCH and hit.kind in SWAPPED):
            message = f"a {hit.kind.name.lower()} stands on {move.target}"
            if piece.kind is Kind.SWITCH:
                message += "; a switch changes places with a deflector or defender only"
            raise IllegalMove("occupied", message)
        if target in FORBIDDEN[side]:
            message = f"{move.target} has {other(side)}'s helix: no piece of {side} goes there"
            raise IllegalMove("forbidden-square", message)
        if piece.kind is Kind.LASER:
            raise IllegalMove("laser-moves", "a laser stays on its square; it can only be rotated")

    def _refuse_rotation(self, side: str, move: Rotate) -> None:
        piece = self._own(side, BOARD.number(move.square))
        if piece.kind is Kind.LASER and piece.turned(move.turn.steps).facing not in LASER_WAYS[side]:
            way = "along its file or its rank, towards the board"
            raise IllegalMove("laser-direction", f"a laser points {way}: from here it can only turn the other way")
        if piece.kind is Kind.KING and not self.kings_turn:
            message = "a king has no orientation, and in this game kings cannot be rotated (option kings: fixed)"
            raise IllegalMove("no-orientation", message)

    def _own(self, side: str, number: int) -> Piece:
        piece = self.squares[number]
        if piece is None:
            raise IllegalMove("empty-square", f"there is no piece on {SQUARES[number]}")
        if piece.side != side:
            raise IllegalMove("not-yours", f"the piece on {SQUARES[number]} is {piece.side}'s")
        return piece


@dataclass(frozen=True, repr=False)
class LaserChessPosition(LaserChessTable, TwoSided[Step | Rotate]):
    """A position of Laser Chess.

    `squares` has the piece on each square. `lost` is the square that the last shot emptied. `past` are the
    arrangements that could be repeated, this one included; positions with different pasts are equal unless this
    arrangement is more frequent in one of them, which allows other claims. With `kings_turn`, kings may be rotated.
    """

    game = "laser-chess"
    sides = SIDES
    kinds = (Step, Rotate)

    squares: Board
    mover: str = "blue"
    winner: str | None = None
    lost: int | None = None
    past: Arrangements | None = field(default=None, compare=False, repr=False)
    kings_turn: bool = False

    @property
    def verdict(self) -> tuple[str, str] | None:
        """The win of the side whose king remains."""
        return (self.winner, KING_HIT) if self.winner else None

    def pieces(self, moves: Iterable[Move]) -> Iterator[tuple[str, str | None]]:
        """The kinds of the pieces that are moved or turned."""
        kinds = [piece and piece.kind.name.lower() for piece in self.squares]
        for side, move in zip(cycle((self.mover, other(self.mover))), moves, strict=False):
            if isinstance(move, Rotate):
                yield side, kinds[NUMBER[move.square]]
            else:
                # Removed pieces stay in the list: no move is about one, and any piece changes places with it.
                origin, target = NUMBER[move.origin], NUMBER[move.target]
                kinds[origin], kinds[target] = kinds[target], kinds[origin]
                yield side, kinds[target]

    def claims(self, side: str) -> frozenset[str]:
        """A repetition, once the arrangement is on the board for the third time."""
        return REPETITION if side in self.to_move and self.stood == TIMES else NOBODY

    @property
    def stood(self) -> int:
        """Occurrences of the arrangement on the board: from 1 to the three of a claim."""
        boards = self.past.boards() if self.past is not None else iter(())
        return max(1, sum(1 for _ in islice((board for board in boards if board == self.squares), TIMES)))

    def __eq__(self, other: object) -> bool:
        """True if board, side to move, and possible moves and claims are the same."""
        if not isinstance(other, LaserChessPosition):
            return NotImplemented
        same = (self.squares, self.mover, self.lost) == (other.squares, other.mover, other.lost)
        return same and self.kings_turn == other.kings_turn and self.stood == other.stood

    def play_unchecked(self, moves: Mapping[str, Move]) -> LaserChessPosition:
        """The position after a legal move and the shot that follows it."""
        ((side, move),) = moves.items()
        squares = [*self.squares]
        change(squares, move)
        lost, winner = _fire(squares, side)
        board, past = tuple(squares), self.past if lost is None else None
        return LaserChessPosition(board, other(side), winner, lost, Arrangements(board, past), self.kings_turn)

    def _generate(self, side: str) -> Iterator[Move]:
        # Square by square from a1, the steps of the piece there and then its rotations; R only where L does the same.
        forbidden = FORBIDDEN[side]
        for number, piece in enumerate(self.squares):
            if piece is None or piece.side != side:
                continue
            kind = piece.kind
            rotations = ROTATIONS[number]
            if kind is Kind.LASER:
                ways = LASER_WAYS[side]
                yield from (rotations[turn] for turn in Turn if piece.turned(turn.steps).facing in ways)
                continue
            for target, step in STEPS[number]:
                hit = self.squares[target]
                if target not in forbidden and (hit is None or (kind is Kind.SWITCH and hit.kind in SWAPPED)):
                    yield step
            if kind is Kind.SWITCH or (kind is Kind.KING and self.kings_turn):
                yield rotations[Turn.RIGHT]
            elif kind is not Kind.KING:
                yield from rotations.values()

    def facts(self) -> Facts:
        """The rows of the board, and the square that the last shot emptied (design: "The contract")."""
        return {"rows": rows(self.squares), "lost": [] if self.lost is None else [str(SQUARES[self.lost])]}

    def events(self, moves: Mapping[str, Move], after: LaserChessPosition) -> tuple[Event, ...]:
        """The move, the shot, and what it removed."""
        ((side, move),) = moves.items()
        squares = list(self.squares)
        change(squares, move)
        shot = fired(squares, side)
        found: list[Event] = [self._move_event(move, squares)]
        found.append(Fired(side, tuple(SQUARES[number] for number in shot.path)))
        if shot.lost is not None and (gone := squares[shot.lost]) is not None:
            found.append(Removed(gone, SQUARES[shot.lost]))
        return tuple(found)

    def _move_event(self, move: Move, squares: list[Piece | None]) -> Event:
        if isinstance(move, Rotate):
            piece = squares[NUMBER[move.square]]
            assert piece is not None
            return Rotated(piece, move.square)
        piece, partner = squares[NUMBER[move.target]], squares[NUMBER[move.origin]]
        assert piece is not None
        if partner is None:
            return Moved(piece, move.origin, move.target)
        return Swapped(piece, partner, move.origin, move.target)


class LaserChessCursor(LaserChessTable, TurnCursor[Step | Rotate]):
    """The board of a position, changed in place."""

    kinds = LaserChessPosition.kinds
    squares: list[Piece | None]

    def __init__(self, position: LaserChessPosition) -> None:
        self._here: LaserChessPosition | None = position
        self.squares, self._past = list(position.squares), position.past
        self._mover, self._winner, self._lost = position.mover, position.winner, position.lost
        self.kings_turn = position.kings_turn
        self.sides, self.to_move = SIDES, position.to_move

    @property
    def position(self) -> LaserChessPosition:
        """The position here."""
        if self._here is None:
            assert self._past is not None
            self._here = LaserChessPosition(
                self._past.squares, self._mover, self._winner, self._lost, self._past, self.kings_turn
            )
        return self._here

    def _change(self, move: Move) -> None:
        """Make a legal move, and fire."""
        side, squares, past = self._mover, self.squares, self._past
        change(squares, move)
        self._here, self._mover = None, other(side)
        self._lost, self._winner = _fire(squares, side)
        self.to_move = NOBODY if self._winner else alone(self._mover)
        self._past = Arrangements(tuple(squares), past if self._lost is None else None)


def change(squares: list[Piece | None], move: Move) -> None:
    """Make a legal move on a board."""
    if isinstance(move, Step):
        origin, target = NUMBER[move.origin], NUMBER[move.target]
        squares[origin], squares[target] = squares[target], squares[origin]
    else:
        number = NUMBER[move.square]
        piece = squares[number]
        squares[number] = piece and piece.turned(move.turn.steps)


def _fire(squares: list[Piece | None], side: str) -> tuple[int | None, str | None]:
    """Fire a side's laser, and remove what it hits: the square that it empties, and the winner if that was a king."""
    lost = fired(squares, side).lost
    if lost is None:
        return None, None
    gone, squares[lost] = squares[lost], None
    return lost, other(gone.side) if gone is not None and gone.kind is Kind.KING else None


def _past(boards: tuple[Board, ...]) -> Arrangements:
    past: Arrangements | None = None
    for board in reversed(boards):
        past = Arrangements(board, past)
    assert past is not None
    return past
