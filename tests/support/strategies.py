"""Random play, and the strategies of hypothesis for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from hypothesis import strategies as st

from referee.errors import IllegalMove
from referee.rules import GAMES, Move, Position, game_named, start
from referee.rules.beams import BeamsPosition
from referee.rules.laser_chess import LaserChessPosition, Rotate, Turn
from referee.rules.laser_chess.pieces import NUMBER, Kind
from tests.support.examples import is_quick

Options = Mapping[str, Any]

_BEAMS: tuple[Options, ...] = (
    {},
    {"barriers": "facing"},
    {"columns": 7, "rows": 16},
    {"columns": 9, "rows": 13, "barriers": "facing"},
    {"columns": 23, "rows": 5, "pieces": "beginner"},
    {"columns": 11, "rows": 12, "mode": "synchronous", "first": "north"},
    {"columns": 13, "rows": 9, "mode": "synchronous", "barriers": "facing", "pieces": "beginner"},
)

_SEEDED = ("seed-1", "Straße №7", "another")
_VARIANTS: Mapping[str, tuple[Options, ...]] = {
    "beams": _BEAMS,
    "boundary": ({}, {"first": "north"}),
    "the-beam": ({}, *({"deal": {"seed": seed}} for seed in _SEEDED)),
    "laser-chess": (
        *({"setup": name} for name in ("ace", "curiosity", "grail", "mercury", "sophie")),
        {"setup": "ace", "kings": "turn"},
    ),
}


class Ply(NamedTuple):
    """One ply of random play: the position before it, the moves, and the position after it."""

    before: Any
    moves: dict[str, Any]
    after: Any


def variants(name: str) -> tuple[Options, ...]:
    """Sets of options for the ways to play a game."""
    return _VARIANTS.get(name, ({}, *game_named(name).presets.values()))


def random_play(name: str, seed: int, options: Options, most: int = 80) -> Iterator[Ply]:
    """A game of random moves, to its end or for `most` plies."""
    chance = random.Random(seed)
    position = start(name, **options)
    for _ in range(most):
        if not position.to_move:
            return
        moves = {side: any_move(position, side, chance) for side in position.sides if side in position.to_move}
        after = position.play(moves)
        yield Ply(position, moves, after)
        position = after


def any_move(position: Position, side: str, chance: random.Random) -> Any:  # noqa: ANN401 - any game's move
    """A legal move: one shape is as likely as another, and moves that crowd the board likelier than others."""
    legal: list[Any] = list(iter(position.legal_moves(side)))  # a list asks for the length, which walks them too
    if chance.random() < 0.5:
        shape = chance.choice(sorted({type(move).__name__ for move in legal}))
        legal = [move for move in legal if type(move).__name__ == shape]
    tries = [chance.choice(legal) for _ in range(chance.choice((1, 4, 40)))]
    if len(tries) == 1 or not isinstance(position, BeamsPosition):
        return tries[0]
    return max(tries, key=_crowding(position, side))


def _crowding(position: BeamsPosition, side: str) -> Callable[[Any], int]:
    """The total power of the side's own pieces next to a move's cell, so that boosters have something to boost."""
    places = [(position.board.places[site], position.light.power(site)) for site in position.stones]
    taken = [(cell, power) for (owner, cell), power in places if owner == side]

    def touched(move: Any) -> int:  # noqa: ANN401 - a move of beams
        apart = [(abs(move.cell.row - cell.row), abs(move.cell.column - cell.column), power) for cell, power in taken]
        return sum(power * power for up, right, power in apart if (up, right) in ((2, 0), (1, 1)))

    return touched


_SEEDS = range(1 if is_quick() else 3)


@cache
def played(name: str, most: int = 60) -> tuple[tuple[Options, tuple[Ply, ...]], ...]:
    """Random games in every variant, with its options: one quickly, three thoroughly, played once a session."""
    return tuple(
        (options, tuple(random_play(name, 1000 * number + seed, options, most)))
        for number, options in enumerate(variants(name))
        for seed in _SEEDS
    )


def game_numbers(name: str) -> range:
    """The places of those games in `played`, without playing them."""
    return range(len(variants(name)) * len(_SEEDS))


def plies(name: str) -> tuple[Ply, ...]:
    """The plies of those games."""
    return tuple(ply for _, plies in played(name) for ply in plies)


@cache
def positions(name: str) -> tuple[Any, ...]:
    """The starts of every variant, and every position of those games."""
    return tuple(start(name, **options) for options in variants(name)) + tuple(ply.after for ply in plies(name))


def position_numbers(name: str) -> st.SearchStrategy[int]:
    """The place of any of those positions; the games are played when the first is drawn."""
    return st.deferred(lambda: st.integers(0, len(positions(name)) - 1))


@cache
def legal(name: str, number: int, side: str) -> frozenset[Any]:
    """The legal moves of a side in the position of that number."""
    return frozenset(positions(name)[number].legal_moves(side))


def accepts(position: Position, side: str, move: Move) -> bool:
    """True if a position finds a move legal."""
    try:
        position.check(side, move)
    except IllegalMove:
        return False
    return True


def lists(position: Position, side: str, move: object) -> bool:
    """True if a position lists a move; of the two rotations of a switch or a king, which do the same, it lists R."""
    moves = frozenset(position.legal_moves(side))
    return move in moves or _otherwise(position, move) in moves


def listed(name: str, number: int, side: str, move: object) -> bool:
    """The same for the position of that number."""
    moves = legal(name, number, side)
    return move in moves or _otherwise(positions(name)[number], move) in moves


def _otherwise(position: Position, move: object) -> object:
    """The move that is listed for one that does the same: the rotation of a switch or a king to the right."""
    if not isinstance(move, Rotate) or not isinstance(position, LaserChessPosition):
        return None
    piece = position.squares[NUMBER[move.square]] if move.square in NUMBER else None
    return Rotate(move.square, Turn.RIGHT) if piece and piece.kind in (Kind.SWITCH, Kind.KING) else None


def facts_of(position: Position) -> Any:  # noqa: ANN401 - data for JSON
    """The facts of a position as plain data."""
    return position.facts()


def games() -> st.SearchStrategy[str]:
    """Any game."""
    return st.sampled_from(GAMES)


def mutated(texts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A text with a few of its characters left out, doubled, changed or swapped."""
    return st.builds(_mutated, texts, st.lists(_CHANGES, min_size=1, max_size=4))


_LETTERS = st.one_of(st.sampled_from("PRSMLVYABCZ0123456789:|{};!?.)- \t\n"), st.characters())
_CHANGES = st.tuples(
    st.sampled_from(("drop", "double", "change", "insert", "swap", "case")), st.integers(0, 60), _LETTERS
)


def _mutated(text: str, changes: list[tuple[str, int, str]]) -> str:
    for how, place, letter in changes:
        at = place % (len(text) + 1)
        here, rest = text[at : at + 1], text[at + 1 :]
        replaced = {
            "drop": "",
            "double": here * 2,
            "change": letter,
            "insert": letter + here,
            "swap": rest[:1] + here,
            "case": here.swapcase(),
        }[how]
        text = text[:at] + replaced + (rest[1:] if how == "swap" else rest)
    return text
