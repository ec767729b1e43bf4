"""The small changes that may undo a slip in a list of moves; repairs are chosen among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from referee.game.draft import Unread
from referee.game.gamefile import GameFile
from referee.notation import suggested
from referee.notation.habits import habit
from referee.notation.slips import LARGE, SMALL, slips
from referee.rules import Frozen, Game, Move, Position
from referee.rules.description import Choice, Data, Number

_LEFT_OPEN = 0
"""Size of a change for which the list itself has left room."""

UNLIKELY = 3
"""Size of a change that hardly anyone needs, such as of two options at once."""

_ANY_MOVE = 9
"""Steps of a change by a move of which nothing is known: among equals it comes last."""

_READINGS = 6
"""Maximum moves that a text which is no move may have meant."""

_BOARD_STEPS = (-2, 2, -1, 1)
"""Steps from a number among the options to others that are tried."""


class MovePlace(NamedTuple):
    """A move of a list: its round and its column, both from 0."""

    round: int
    column: int


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of a list: from move `at` on, `put` takes the place of `removed` moves.

    `size` and `steps` say how large it is: the smaller, the likelier. `words` tell people what to do, `place` where
    it is (None for the options). `options` are those of the game after it, None if they stay.
    """

    size: int
    words: str
    place: MovePlace | None
    at: int = 0
    put: tuple[Move, ...] = ()
    removed: int = 0
    steps: int = 0
    options: Mapping[str, object] | None = None

    @property
    def is_substitution(self) -> bool:
        """True for one move in the place of another."""
        return len(self.put) == self.removed == 1


@dataclass(frozen=True)
class Sheet:
    """The moves of a draft in the order in which they are played, and the place of each."""

    moves: tuple[Move, ...]
    places: tuple[MovePlace, ...]
    size: int
    holes: Mapping[int, MovePlace]
    """Where a round has fewer moves than it should: the move before which one may be missing -> its place."""
    short: frozenset[int]
    """The rounds, the last one aside, that have fewer moves than they should."""

    @classmethod
    def of(cls, draft: GameFile) -> Sheet:
        """The sheet of a draft."""
        size, moves, places = draft.description.moves_per_round, [], []
        holes: dict[int, MovePlace] = {}
        for number, each in enumerate(draft.rounds):
            moves += [one.move for one in each.moves]
            places += [MovePlace(number, column) for column in range(len(each.moves))]
            if len(each.moves) < size:
                holes[len(moves) - len(each.moves)] = MovePlace(number, 0)
                holes[len(moves)] = MovePlace(number, max(0, len(each.moves) - 1))
        short = frozenset(place.round for place in holes.values()) - {len(draft.rounds) - 1}
        return cls(tuple(moves), tuple(places), size, Frozen(holes), short)

    def place(self, at: int) -> MovePlace:
        """The place of a move; past the last one, that of the last."""
        return self.places[min(at, len(self.places) - 1)] if self.places else MovePlace(0, 0)

    def round_at(self, at: int) -> int:
        """Where the round of a move begins."""
        return at - self.places[at].column

    def short_after(self, correction: Correction) -> bool:
        """True if a round other than the last one is still too short after a correction."""
        if not self.short:
            return False
        if correction.place is None or self.short != {correction.place.round}:
            return True
        alone = sum(place.round == correction.place.round for place in self.places) == 1
        return len(correction.put) <= correction.removed and not (alone and not correction.put)

    # --- What may have gone wrong around a move ---

    def substitutions(self, at: int, position: Position, side: str) -> Iterator[Correction]:
        """A legal move of a side for one that may be a slip of the pen."""
        move, legal = self.moves[at], position.legal_moves(side)
        if isinstance(move, Unread):
            yield from self._readings(at, position.game, move.text, list(legal))
            return
        for size, steps, meant in slips(str(move), legal):
            yield Correction(size, f"{move} -> {meant}", self.places[at], at, (meant,), 1, steps)

    def _readings(self, at: int, game: str, text: str, legal: list[Move]) -> Iterator[Correction]:
        """A legal move for a text that is none: what it means, or else those one word apart, and the nearest ones."""
        if (known := habit(game, text)) and (meant := {str(move): move for move in legal}.get(known.text)):
            yield Correction(SMALL, f"{text} -> {meant}", self.places[at], at, (meant,), 1)
            return
        apart = [slip.move for slip in sorted(slips(text, legal), key=lambda slip: slip[:2])]
        by_text = {str(move): move for move in legal}
        near = [by_text[one] for one in suggested(game, text, by_text.values(), _READINGS)]
        for steps, meant in enumerate(dict.fromkeys((*apart, *near))):
            yield Correction(SMALL, f"{text} -> {meant}", self.places[at], at, (meant,), 1, steps)

    def omissions(self, at: int) -> Iterator[Correction]:
        """A move left out that is written twice, or is one too many; or a whole round that is written twice."""
        move, begin = self.moves[at], self.round_at(at)
        twice = move in (*self.moves[max(0, at - self.size) : at], *self.moves[at + 1 : at + 1 + self.size])
        size, said = (SMALL, ", which is written twice") if twice else (UNLIKELY, "")
        yield Correction(size, f"leave out {move}{said}", self.places[at], at, removed=1)
        row = self.moves[begin : begin + self.size]
        if at == begin and row == self.moves[max(0, begin - self.size) : begin]:
            words = f"leave out {' | '.join(map(str, row))}, which is written twice"
            yield Correction(SMALL, words, self.places[at], at, removed=len(row))

    def exchanges(self, at: int) -> Iterator[Correction]:
        """The moves of the round that begins here in another order; and all columns from here on."""
        if self.places[at].column or self.short:
            return
        row = range(at, min(at + self.size, len(self.moves)))
        for one, two in combinations(range(len(row)), 2):
            put = [self.moves[number] for number in row]
            put[one], put[two] = put[two], put[one]
            words = f"{self.moves[at + one]} and {self.moves[at + two]} change places"
            yield Correction(SMALL, words, self.places[at], at, tuple(put), len(put))
        if len(row) == self.size == 2 and at + self.size < len(self.moves):
            rest = self.moves[at:]
            put = [move for begin in range(0, len(rest), 2) for move in reversed(rest[begin : begin + 2])]
            words = "the columns change places from here on"
            yield Correction(LARGE, words, self.places[at], at, tuple(put), len(rest))

    def insertion(self, at: int, side: str, move: Move) -> Correction:
        """A move of a side that may be missing here."""
        size, place = (_LEFT_OPEN, self.holes[at]) if at in self.holes else (LARGE, self.place(at))
        if at and place == self.places[at - 1]:
            where = f"after {self.moves[at - 1]}"
        else:
            where = f"before {self.moves[at]}" if at < len(self.moves) else "at the end"
        words = f"add a move of {side}'s {where}, such as {move}"
        return Correction(size, words, place, at, (move,), steps=_ANY_MOVE)


def option_changes(description: Game, options: Mapping[str, object]) -> Iterator[Correction]:
    """Other options: each value of one, and the values of two at once."""
    others = [list(_others(option, options)) for option in description.options]
    for each in others:
        for name, value in each:
            yield _option_change(LARGE, options, {name: value})
    for first, second in combinations(others, 2):
        for one in first:
            for two in second:
                yield _option_change(UNLIKELY, options, dict((one, two)))


def _others(option: Choice | Number | Data, options: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """An option with each of its other values that are tried; None leaves it out."""
    now = options.get(option.name, option.default)
    values: Sequence[object]
    if isinstance(option, Number):
        values = [option.default, *(now + step for step in _BOARD_STEPS)] if type(now) is int else [option.default]
    elif isinstance(option, Data):
        values = option.names
    else:
        values = [option.default, *option.values] if option.name in options else option.values
    for value in dict.fromkeys(value for value in values if value != now):
        if value is None or option.fault(value) is None:
            yield option.name, value


def _option_change(size: int, options: Mapping[str, object], new: Mapping[str, object]) -> Correction:
    after = Frozen({name: value for name, value in {**options, **new}.items() if value is not None})
    words = ", ".join(f"{name}: {value}" if value is not None else f"no {name}" for name, value in new.items())
    return Correction(size, f"options: {words}", None, options=after)
