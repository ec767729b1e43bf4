"""A plan as a value: branches with conditions and moves, and its canonical text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, cast

from referee.notation.moves import notation
from referee.rules import Move, Position

MOST_BRANCHES = 100
"""Maximum branches of a plan."""

DEEPEST = 20
"""Maximum moves of a plan, one after another."""

LONGEST_PLAN = 8_000
"""Maximum characters of a plan's text."""

Moves = tuple[Move, ...]


class Moment(NamedTuple):
    """What conditions are about: the position that a side left, the others' moves by side since then, and now."""

    side: str
    left: Position
    made: frozenset[tuple[str, Move]]
    now: Position


@dataclass(frozen=True, slots=True)
class Reply:
    """Another side has made one of these moves; any other side, unless one is named."""

    moves: Moves
    side: str = ""

    def __str__(self) -> str:
        return f"{self.side} {' or '.join(map(str, self.moves))}".lstrip()

    def holds(self, moment: Moment) -> bool:
        """True if the condition holds, as for the other conditions."""
        return any(move in self.moves and self.side in ("", side) for side, move in moment.made)


@dataclass(frozen=True, slots=True)
class Points:
    """The player has this number of points at least (`>=`) or at most (`<=`)."""

    sign: str
    number: int

    def __str__(self) -> str:
        return f"score {self.sign} {self.number}"

    def holds(self, moment: Moment) -> bool:
        """True if the condition holds; where a team scores, its points count."""
        score = moment.now.score
        points = score[moment.side] if moment.side in score else sum(score.values())
        return points >= self.number if self.sign == ">=" else points <= self.number


@dataclass(frozen=True, slots=True)
class SquareCondition:
    """A cell is empty; or the player has lost the piece that was on it."""

    cell: str
    is_lost: bool

    def __str__(self) -> str:
        return f"{self.cell} is {'lost' if self.is_lost else 'empty'}"

    def holds(self, moment: Moment) -> bool:
        """True if the condition holds; a piece that its owner has moved away is not lost."""
        now = standing(moment.now, moment.side).get(self.cell, "")
        if not self.is_lost:
            return now is None
        return standing(moment.left, moment.side).get(self.cell) == moment.side != now


Terms = tuple[Reply | Points | SquareCondition, ...]
"""A condition: all of these hold. Without any it always holds."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A condition; moves for it, of which the first legal one is made; and the branches from there on.

    Without a move, the plan ends there.
    """

    terms: Terms
    moves: Moves
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The moves that a player leaves for later, until one of the `stops` holds; `str(plan)` is its canonical text."""

    game: str
    branches: tuple[Branch, ...]
    stops: tuple[Terms, ...] = ()

    def __str__(self) -> str:
        return "\n".join(line for line, _ in self.lines())

    def lines(self) -> Iterator[tuple[str, Branch]]:
        """The lines of the text, each with its branch; a stop is a branch without moves."""
        yield from ((f"stop if {_joined(terms)}", Branch(terms, ())) for terms in self.stops)
        yield from _lines(self.branches)


def _lines(branches: tuple[Branch, ...], indent: str = "") -> Iterator[tuple[str, Branch]]:
    always = "else" if len(branches) > 1 else "any then"
    for branch in branches:
        begun = f"if {_joined(branch.terms)} then" if branch.terms else always
        yield f"{indent}{begun} {' or '.join(map(str, branch.moves)) or 'stop'}", branch
        yield from _lines(branch.branches, indent + "  ")


def _joined(terms: Terms) -> str:
    has_choice = any(isinstance(term, Reply) and len(term.moves) > 1 for term in terms)
    return (", and " if has_choice else " and ").join(map(str, terms))


def standing(position: Position, side: str) -> Mapping[str, str | None]:
    """The cells as a side names them, each with its piece's owner: None if it is empty, "" for a piece of no side.

    A game defines it in its notation module; in other games, no cell is known.
    """
    own = getattr(notation(position.game), "standing", None)
    return cast("Mapping[str, str | None]", own(position, side)) if own else {}
