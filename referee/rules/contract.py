"""What every game gives: positions that judge and play moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Protocol, Self

from referee.errors import IllegalMove, expect, shown

Facts = dict[str, Any]


class Move(Protocol):
    """One side's decision, a frozen value without a board; `str(move)` is its canonical notation."""

    def __str__(self) -> str: ...

    def __hash__(self) -> int: ...


Moves = Mapping[str, Any]
"""Side -> move: everything that is made at once in one ply."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner (None for a tie), why it ended, and the score by side.

    >>> import referee
    >>> *_, last = referee.read("games/laser-chess/curiosity.yaml").replay()
    >>> last.outcome.winner, str(last.outcome.termination), dict(last.outcome.score)
    ('blue', 'king', {'blue': 1, 'red': 0})
    """

    winner: str | None
    termination: str
    score: Mapping[str, int]

    def as_json(self) -> Facts:
        """The outcome as reports print it."""
        return {"winner": self.winner, "how": self.termination, "score": dict(self.score)}


class Event:
    """Something that happened in a ply; sentences, pictures and letters are made from events."""

    __slots__ = ()


class Position(ABC):
    """Everything the rules need to go on; a value, never changed in place.

    A move is judged against the position before the ply, also where several sides move at once.

    >>> import referee
    >>> position = referee.start("laser-chess")
    >>> after = position.play({"blue": referee.parse_move("laser-chess", "R j1 L")})
    >>> sorted(position.to_move), sorted(after.to_move)
    (['blue'], ['red'])
    """

    game: ClassVar[str]
    """The name of the game."""

    sides: ClassVar[tuple[str, ...]]
    kinds: ClassVar[tuple[type, ...]]
    """The classes of the game's moves."""

    def __str__(self) -> str:
        """The position as one line of text, which `start` reads back."""
        text: str = import_module("referee.notation").position_text(self)
        return text

    def text(self, view: str | None = None, *, unicode: bool = False) -> str:
        """The board in plain text, as a side sees it or else the first one; ASCII unless `unicode` allows more."""
        board: str = import_module("referee.draw.positions").text(self, view=view, unicode=unicode)
        return board

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        picture: str = import_module("referee.draw.positions").svg(self)
        return picture

    @property
    @abstractmethod
    def to_move(self) -> frozenset[str]:
        """The sides that owe a move now; empty when the game is over."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs.

        >>> import referee
        >>> *_, last = referee.read("games/laser-chess/curiosity.yaml").replay()
        >>> last.position.outcome.winner
        'blue'
        """

    @property
    def score(self) -> Mapping[str, int]:
        """Every side's points as the position stands; where a game counts none, one for having won."""
        return self.awarded(self.outcome.winner if self.outcome else None)

    def awarded(self, winner: str | None) -> Mapping[str, int]:
        """The score of a game that ends here with this winner, or with none."""
        return {side: int(side == winner) for side in self.sides}

    @abstractmethod
    def refuse(self, side: str, move: Any) -> None:  # noqa: ANN401 - each game has its own closed set
        """Raise IllegalMove if the rules of the game forbid a move of a side that is to move."""

    @abstractmethod
    def play_unchecked(self, moves: Moves) -> Self:
        """The position after moves that are known to be legal: the trusted fast path of `play`."""

    @abstractmethod
    def listed(self, side: str) -> Iterator[Any]:
        """Every legal move of a side that is to move, each once, in a fixed order."""

    @abstractmethod
    def facts(self) -> Facts:
        """What everybody may see, as a JSON-able dict.

        >>> import referee
        >>> sorted(referee.start("boundary").facts())
        ['stacks', 'stones']
        """

    @abstractmethod
    def events(self, moves: Moves, after: Self) -> tuple[Event, ...]:
        """What happened when `moves` led from here to `after`."""

    def piece_of(self, side: str, move: Any) -> str | None:  # noqa: ANN401 - each game has its own closed set
        """The name of the piece that a move of a side is about, if there is one; for statistics."""
        return None

    def claims(self, side: str) -> frozenset[str]:
        """The ends that this side may claim instead of moving.

        >>> import referee
        >>> *_, last = referee.read("games/laser-chess/repetition.yaml").replay()
        >>> "repetition" in last.position.claims("blue")
        True
        """
        return frozenset()

    def ended(self, how: str, by: str | None) -> Outcome:
        """The outcome if the game ends here by something that the moves do not show.

        `by` is the side that resigned, overstepped its time or was adjudicated against; it loses. Without
        it, and by agreement or repetition, the game is a draw.
        """
        others = [side for side in self.sides if side != by]
        lost = by is not None and how not in ("agreement", "repetition") and len(others) == 1
        winner = others[0] if lost else None
        return Outcome(winner, how, self.awarded(winner))

    def check(self, side: str, move: Any) -> None:  # noqa: ANN401 - each game has its own closed set
        """Judge one move; the position stays as it is.

        Raises:
            IllegalMove: `game-over`, `not-your-turn`, or the code of the rule that forbids the move.
            TypeError: it is no move of this game at all.

        >>> import referee
        >>> position = referee.start("beams")
        >>> position.check("south", referee.parse_move("beams", "P M1 B3 12"))
        >>> position.check("south", referee.parse_move("beams", "P M1 B2 12"))
        Traceback (most recent call last):
            ...
        referee.errors.IllegalMove: unknown-cell: there is no cell B2: row B has the odd columns
        """
        _expect_side(side)
        self._expect_move(move)
        if side not in self.to_move:
            raise self.out_of_turn(side)
        self.refuse(side, move)

    def play(self, moves: Moves) -> Self:
        """The position after the moves of all sides that are to move, made at once.

        Raises:
            IllegalMove: as `check` does, or `missing-move` if a side that owes a move has none.
            TypeError: as `check` does.

        >>> import referee
        >>> position = referee.start("beams")
        >>> moves = {"south": "P M1 B3 12", "north": "P S A2"}
        >>> after = position.play({side: referee.parse_move("beams", text) for side, text in moves.items()})
        >>> dict(after.score)
        {'south': 1, 'north': 0}
        """
        expect((dict, Mapping), moves, "a mapping of sides to their moves")
        for move in moves.values():
            self._expect_move(move)
        if not moves or moves.keys() != self.to_move:
            self._refuse_incomplete(moves)
        for side, move in moves.items():
            self.refuse(side, move)
        return self.play_unchecked(moves)

    def scratch(self) -> Self:
        """The same position for somebody who only goes forward: `advance` may change it in place."""
        return self

    def advance(self, moves: Moves) -> Self:
        """As `play`, of a `scratch` position, which must not be used any more unless the moves are refused."""
        return self.play(moves)

    def any_move(self, side: str, below: Callable[[int], int]) -> Any:  # noqa: ANN401 - each game has its own
        """A legal move of a side that is to move, each as likely as another.

        `below(n)` gives a chance number from 0 to n - 1.
        """
        moves = list(self.listed(side))
        return moves[below(len(moves))]

    def legal_moves(self, side: str) -> Iterator[Any]:
        """Every legal move of a side, each once, in a fixed order; none if it is not to move.

        >>> import referee
        >>> moves = referee.start("boundary").legal_moves("south")
        >>> str(next(iter(moves)))
        'P a1-a2'
        """
        _expect_side(side)
        return self.listed(side) if side in self.to_move else iter(())

    @classmethod
    def _after(cls, **fields: Any) -> Self:  # noqa: ANN401 - the fields of the class
        """A position of these fields, all set at once: a frozen class's constructor takes four times as long."""
        position = object.__new__(cls)
        position.__dict__.update(fields)
        return position

    def _expect_move(self, move: object) -> None:
        if not isinstance(move, self.kinds):
            names = " or ".join(kind.__name__ for kind in self.kinds)
            expect(self.kinds, move, f"a move of this game ({names}), such as parse_move gives")

    def out_of_turn(self, side: str) -> IllegalMove:
        """The refusal of any move of a side that is not to move."""
        if self.outcome is not None:
            return IllegalMove("game-over", "the game is over: no move can be made any more")
        if not self.to_move:
            return IllegalMove("not-your-turn", "nobody is to move until the referee reveals what comes next")
        due = [one for one in self.sides if one in self.to_move]
        said = f"{' and '.join(due)} {'is' if len(due) == 1 else 'are'} to move"
        if side not in self.sides:
            return IllegalMove("not-your-turn", f"there is no side {shown(side)} here; {said}")
        return IllegalMove("not-your-turn", f"it is not {side}'s turn: {said}")

    def _refuse_incomplete(self, moves: Moves) -> None:
        """Raise the error for moves that are not those of the sides to move; a wrong move comes first."""
        for side, move in moves.items():
            self.check(side, move)
        if not self.to_move:
            raise self.out_of_turn("")
        owing = [side for side in self.sides if side in self.to_move and side not in moves]
        raise IllegalMove(
            "missing-move",
            f"the moves of a ply are made at once: {' and '.join(owing)} {'owes' if len(owing) == 1 else 'owe'} one",
        )


def _expect_side(side: object) -> None:
    expect(str, side, "the name of a side")
