"""The contract of every game: positions that judge and play moves."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, Generic, Self, cast

from referee.above import above
from referee.errors import IllegalMove, PackageFault, RefereeError, expect, shown
from referee.rules.frozen import Frozen
from referee.rules.guard import guard_positions
from referee.rules.outcome import DRAWN, OPEN_ENDS, Facts, Outcome, Termination, score_text
from referee.terminal import join_words

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # A bare `Position` is one of any game. Methods that take a move are covariant all the same: code for any game
    # takes a `Position`, which refuses a move of another game when it judges it.
    M = TypeVar("M", bound="Move", covariant=True, default="Move")
else:
    from typing import TypeVar

    M = TypeVar("M", bound="Move", covariant=True)


class Move:
    """One side's decision, a frozen value without a board; `str(move)` is its canonical notation.

    Attributes:
        form: its notation, with the names of its fields in braces: "P {cell}". A class without one defines `__str__`.
        spoken: everyday words for the first word of its form, as a regular expression: "put|place".

    >>> import referee
    >>> move = referee.parse_move("laser-chess", "m e4-e5")
    >>> isinstance(move, referee.Move), str(move)
    (True, 'M e4-e5')
    """

    __slots__ = ()

    form: ClassVar[str] = ""
    spoken: ClassVar[str] = ""

    def __init_subclass__(cls, **named: object) -> None:
        super().__init_subclass__(**named)
        if "form" in vars(cls) and "__str__" not in vars(cls):
            cls.__str__ = _writer(cls.form)  # type: ignore[assignment,method-assign] # a call less for each move


@lru_cache
def _writer(form: str) -> Callable[[Move], str]:
    """The function that writes moves of a form; in bulk, most of the time of a game goes there."""
    _, names = blanks(form)
    text = re.sub(r"\{\w+\}", "%s", form.replace("%", "%%"))
    if len(names) < 2:
        return lambda move: text % tuple([getattr(move, name) for name in names])
    values = attrgetter(*names)
    return lambda move: text % values(move)


@lru_cache
def blanks(form: str) -> tuple[str, tuple[str, ...]]:
    """A form with numbers for the names of its fields, and these names."""
    names = tuple(re.findall(r"\{(\w+)\}", form))
    return form.format_map({name: f"{{{number}}}" for number, name in enumerate(names)}), names


Moves = Mapping[str, Move]
"""Side -> move: all moves of one ply."""


class Event:
    """Something that happened in a ply; sentences, pictures and letters are made from events."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Made(Event):
    """A move that was made, for games in which nothing else happens."""

    side: str
    move: Move


class Position(ABC, Generic[M]):
    """Everything the rules need to go on: a value that nothing changes, generic in the moves of its game.

    Each move is judged against the position before the ply, even if several sides move at once.

    >>> import referee
    >>> position = referee.start("laser-chess")
    >>> after = position.play({"blue": referee.parse_move("laser-chess", "R j1 L")})
    >>> sorted(position.to_move), sorted(after.to_move)
    (['blue'], ['red'])
    """

    __slots__ = ()

    game: ClassVar[str]
    """The name of the game."""

    sides: ClassVar[tuple[str, ...]]
    kinds: ClassVar[tuple[type, ...]]
    """The classes of the game's moves."""

    def __init_subclass__(cls, **named: object) -> None:
        """Report errors that another package's game raises by mistake as its fault."""
        super().__init_subclass__(**named)
        guard_positions(cls, Position)

    # --- What a game defines ---

    @property
    @abstractmethod
    def to_move(self) -> frozenset[str]:
        """The sides that owe a move now; empty when the game is over."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The end of the game, or None while it runs.

        >>> import referee
        >>> *_, last = referee.read("games/laser-chess/curiosity.yaml").replay()
        >>> last.position.outcome.winner
        'blue'
        """

    @abstractmethod
    def _check(self, side: str, move: M) -> None:  # type: ignore[misc] # covariant: see M
        """Raise IllegalMove if the rules of the game forbid a move of a side that is to move."""

    @abstractmethod
    def _generate(self, side: str) -> Iterator[M]:
        """Every legal move of a side that is to move, each once, in a fixed order."""

    @abstractmethod
    def play_unchecked(self, moves: Mapping[str, M]) -> Self:
        """The position after moves that are known to be legal: `play` without judging."""

    @abstractmethod
    def facts(self) -> Facts:
        """The content of the position, as data for JSON; of hidden hands, what its holder sees (`seen_by`).

        >>> import referee
        >>> sorted(referee.start("boundary").facts())
        ['stacks', 'stones']
        """

    # --- What a game may define otherwise ---

    def events(self, moves: Mapping[str, M], after: Self) -> tuple[Event, ...]:
        """The events when `moves` led from here to `after`: the moves themselves, unless a game has others."""
        return tuple(Made(side, move) for side, move in moves.items())

    def seen_by(self, side: str | None) -> Self:
        """The position as a side sees it, or everybody (None): itself in games without hidden hands.

        Hidden things of others are left out, so that facts, boards and legal moves of what is left reveal nothing.
        """
        return self

    def flaw(self) -> str | None:
        """The reason why a position that was read from text cannot be; None if it can."""
        return None

    def award(self, winner: str | None) -> Mapping[str, int]:
        """The score of a game that ends here with this winner, or with none."""
        return _one_point(self.sides, winner)

    def pieces(self, moves: Iterable[M]) -> Iterator[tuple[str, str | None]]:
        """The side of each legal move from here on, and the name of its piece if it has one; for statistics."""
        return iter(())

    def claims(self, side: str) -> frozenset[str]:
        """The ends that this side may claim instead of moving.

        >>> import referee
        >>> *_, last = referee.read("games/laser-chess/repetition.yaml").replay()
        >>> "repetition" in last.position.claims("blue")
        True
        """
        return frozenset()

    def any_move(self, side: str, below: Callable[[int], int]) -> M:
        """A legal move of a side that is to move, each as likely as another.

        `below(n)` gives a chance number from 0 to n - 1.

        Raises:
            RefereeError: `unknown-side`.
            IllegalMove: `game-over` or `not-your-turn`.
        """
        if side not in self.to_move:
            raise self.out_of_turn(side)
        return self._draw(side, below)

    def _draw(self, side: str, below: Callable[[int], int]) -> M:
        """A legal move of a side that is to move, as `any_move`."""
        moves = list(self._generate(side))
        if not moves:
            raise PackageFault(f"{side} is to move without a legal move in {self!r}")
        return moves[below(len(moves))]

    # --- What every position gives ---

    @property
    def score(self) -> Mapping[str, int]:
        """Every side's points in this position; games without points give one to the winner."""
        return self.award(self.outcome.winner if self.outcome else None)

    def ended(self, how: str, by: str | None) -> Outcome:
        """The outcome if the game ends here in a way that the moves do not show.

        `by` is the side that resigned, overstepped its time or lost by adjudication. Without it, and by
        agreement or repetition, the game is a draw.

        Raises:
            RefereeError: `unknown-side`.
            ValueError: `how` is no end that the moves leave open, or a resignation without its side.
        """
        if by is not None:
            self.expect_side(by)
        if Termination(how) not in OPEN_ENDS:
            raise ValueError(f"expected one of {', '.join(sorted(OPEN_ENDS))}, not {shown(str(how))}")
        if how == Termination.RESIGNATION and by is None:
            raise ValueError("expected the side that resigned")
        others = [side for side in self.sides if side != by]
        lost = by is not None and how not in DRAWN and len(others) == 1
        winner = others[0] if lost else None
        return Outcome(winner, Termination(how), self.award(winner))

    def expect_side(self, side: str) -> None:
        """Raise RefereeError `unknown-side` unless the game has a side of this name, and TypeError for no text."""
        expect(str, side, "the name of a side")
        if side not in self.sides:
            said = f"there is no side {shown(side)}; the sides are: {join_words(self.sides)}"
            raise RefereeError("unknown-side", said)

    def check(self, side: str, move: M) -> None:  # type: ignore[misc] # covariant: see M
        """Judge one move; the position stays as it is.

        Raises:
            IllegalMove: `game-over`, `not-your-turn`, or the code of the rule that forbids the move.
            RefereeError: `unknown-side`.
            TypeError: the side is not a `str`, or the move is not a move of this game.

        >>> import referee
        >>> position = referee.start("beams")
        >>> position.check("south", referee.parse_move("beams", "P M1 B3 12"))
        >>> position.check("south", referee.parse_move("beams", "P M1 B2 12"))
        Traceback (most recent call last):
            ...
        referee.errors.IllegalMove: unknown-cell: there is no cell B2: row B has the odd columns
        """
        expect(str, side, "the name of a side")
        self._expect_move(move)
        if side not in self.to_move:
            raise self.out_of_turn(side)
        self._check(side, move)

    def play(self, moves: Mapping[str, M]) -> Self:
        """The position after the moves of all sides that are to move, made at once.

        Raises:
            IllegalMove: as `check` does, or `missing-move` if a side that owes a move has none.
            RefereeError, TypeError: as `check` does.

        >>> import referee
        >>> position = referee.start("beams")
        >>> moves = {"south": "P M1 B3 12", "north": "P S A2"}
        >>> after = position.play({side: position.parse(side, text) for side, text in moves.items()})
        >>> dict(after.score)
        {'south': 1, 'north': 0}
        """
        if not isinstance(moves, dict):
            expect(Mapping, moves, "a mapping of sides to their moves")
        for move in moves.values():
            if not isinstance(move, self.kinds):
                self._expect_move(move)
        if not moves or moves.keys() != self.to_move:
            self._refuse_incomplete(moves)
        for side, move in moves.items():
            self._check(side, move)
        return self.play_unchecked(moves)

    def legal_moves(self, side: str | None = None) -> LegalMoves[M]:
        """Every legal move of a side, or of the one side that is to move; none if the side is not to move.

        Raises:
            ValueError: several sides are to move, and none is named.
            RefereeError: `unknown-side`.
            TypeError: the side is not a `str`.

        >>> import referee
        >>> moves = referee.start("boundary").legal_moves()
        >>> moves
        <LegalMoves of south: P a1-a2, P a1-b2, P a1-b1, …>
        >>> referee.parse_move("boundary", "P a1-a4") in moves
        False
        """
        if side is None:
            if len(self.to_move) > 1:
                raise ValueError(f"several sides are to move: name one of {', '.join(movers(self))}")
            side = next(iter(self.to_move), self.sides[0])
        self.expect_side(side)
        return LegalMoves(self, side)

    def parse(self, side: str, text: str) -> M:
        """The legal move of a side in a text.

        Raises:
            NotationError: the text is not a move; `suggestions` are the nearest legal moves.
            IllegalMove: it is a move, but not a legal one, with `suggestions`.
            RefereeError: `unknown-side`.
            TypeError: the side or the text is not a `str`.

        >>> import referee
        >>> position = referee.start("beams")
        >>> str(position.parse("south", "p m1 b3 12:00"))
        'P M1 B3 12'
        >>> position.parse("south", "p m1 b3")
        Traceback (most recent call last):
            ...
        referee.errors.NotationError: syntax: the move ends too early; expected a clock: 12, 2, 4, 6, 8 or 10
        """
        self.expect_side(side)
        move: M = above("legal_move")(self, side, text)
        return move

    def text(self, view: str | None = None, *, unicode: bool = False) -> str:
        """The board in plain text from the place of a side, or else the first; ASCII unless `unicode` allows more.

        >>> import referee
        >>> "~~~" in referee.start("boundary").text()
        True
        """
        return str(above("text")(self, view=view, unicode=unicode))

    def __str__(self) -> str:
        """The position as one line of text, which `start` reads back; `repr` for games without such a notation."""
        try:
            return str(above("position_text")(self))
        except RefereeError:
            return repr(self)

    def _repr_svg_(self) -> str:
        """The board as a picture, for notebooks."""
        return str(above("svg")(self))

    def __repr__(self) -> str:
        outcome, points = self.outcome, score_text(self.score)
        state = f"over ({outcome.termination})" if outcome else f"{join_words(movers(self)) or 'nobody'} to move"
        return f"<{type(self).__name__}: {state}; {points}>"

    def out_of_turn(self, side: str = "") -> IllegalMove:
        """The refusal of any move of a side that is not to move, or of any side; RefereeError `unknown-side`."""
        if side:
            self.expect_side(side)
        if (over := self.outcome) is not None:
            return IllegalMove("game-over", f"the game is over ({over.termination}): no more moves can be made")
        due = movers(self)
        if not due:
            return IllegalMove("not-your-turn", "no player is to move until the referee reveals what comes next")
        said = f"{join_words(due)} {'is' if len(due) == 1 else 'are'} to move"
        return IllegalMove("not-your-turn", f"it is not {side}'s turn: {said}" if side else said)

    def _expect_move(self, move: object) -> None:
        if not isinstance(move, self.kinds):
            names = join_words((kind.__name__ for kind in self.kinds), "or")
            expect(self.kinds, move, f"a move of this game ({names}), such as parse or parse_move gives")

    def _refuse_incomplete(self, moves: Mapping[str, M]) -> None:
        """Raise the error for moves of other sides than those to move; a wrong move has priority."""
        for side, move in moves.items():
            self.check(side, move)
        if not self.to_move:
            raise self.out_of_turn()
        owing = [side for side in movers(self) if side not in moves]
        said = f"{join_words(owing)} {'owes' if len(owing) == 1 else 'owe'} a move"
        raise IllegalMove("missing-move", said + (": these moves are made at once" if moves else ""))


def movers(position: Position) -> tuple[str, ...]:
    """The sides that are to move, in their order."""
    due = position.to_move
    return tuple(side for side in position.sides if side in due)


@lru_cache
def _one_point(sides: tuple[str, ...], winner: str | None) -> Frozen[str, int]:
    """The score where only the winner has a point; cached, as every ply needs it."""
    return Frozen({side: int(side == winner) for side in sides})


_SHOWN = 3
"""Maximum moves in the `repr` of legal moves."""


@dataclass(frozen=True, slots=True, repr=False)
class LegalMoves(Collection[M]):
    """The legal moves of a side in a position, each once, in a fixed order, found on demand.

    `in` judges one move, as `check` does. It is true even for a move that is left out of the list because another
    one leads to the same position. Anything but a move of the game is not in it.

    >>> import referee
    >>> moves = referee.start("laser-chess").legal_moves("blue")
    >>> len(moves), bool(moves), referee.parse_move("laser-chess", "r j1 l") in moves
    (77, True, True)
    """

    position: Position[M]
    side: str

    def __contains__(self, move: object) -> bool:
        if self.side not in self.position.to_move or not isinstance(move, self.position.kinds):
            return False
        try:
            self.position._check(self.side, cast(M, move))
        except IllegalMove:
            return False
        return True

    def __iter__(self) -> Iterator[M]:
        return self.position._generate(self.side) if self.side in self.position.to_move else iter(())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    def __repr__(self) -> str:
        first = [str(move) for move in islice(self, _SHOWN + 1)]
        return f"<LegalMoves of {self.side}: {', '.join([*first[:_SHOWN], *['…'] * (len(first) > _SHOWN)])}>"


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` legal moves, for games where one side moves at a time."""
    if depth == 0:
        return 1
    if not position.to_move:
        return 0
    (side,) = position.to_move
    moves = position.legal_moves(side)
    if depth == 1:
        return sum(1 for _ in moves)
    return sum(perft(position.play_unchecked({side: move}), depth - 1) for move in moves)
