"""The small changes that may undo a slip in a list of moves; repairs are chosen among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from referee.game.file.rounds import Unread
from referee.notation.habits import habit
from referee.notation.slips import LARGE, SMALL, Slip, slips
from referee.notation.spoken import suggested
from referee.notes.repair.sheet import DraftMoves, MovePlace
from referee.rules import Frozen, Game, Move, Position
from referee.rules.description import Choice, Data, Number

LEFT_OPEN = 0
"""Size of a change that fills a gap in the list."""

UNLIKELY = 3
"""Size of a change that hardly anyone needs, such as of two options at once."""

_WHOLE_ROUND = 4
"""Size of a whole round that is missing without a sign of it."""

_ANY_MOVE = 9
"""Steps of a change by an unknown move: among equals it comes last."""

_READINGS = 6
"""Maximum moves that a text which is no move may have meant."""

_BOARD_STEPS = (-2, 2, -1, 1)
"""Steps from a number among the options to others that are tried."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of a list: from move `at` on, `put` takes the place of `removed` moves.

    `size` and `steps` measure it: the smaller, the likelier. `words` describe it to people, `place` is its place
    (None for the options). `options` are those of the game after it, None if they stay.
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


def leaves_short(sheet: DraftMoves, correction: Correction) -> bool:
    """True if a round other than the last one is still too short after a correction."""
    if not sheet.short:
        return False
    if correction.place is None or sheet.short != {correction.place.round}:
        return True
    alone = sum(place.round == correction.place.round for place in sheet.places) == 1
    return len(correction.put) <= correction.removed and not (alone and not correction.put)


# --- Slips around a move ---


def substitutions(sheet: DraftMoves, at: int, position: Position, side: str) -> Iterator[Correction]:
    """A legal move of a side for one that may be a slip of the pen; none once the game is over."""
    if not position.to_move:
        return
    move, legal = sheet.moves[at], position.legal_moves(side)
    begin = sheet.round_at(at)
    is_twice = sheet.moves[begin : begin + sheet.size].count(move) > 1
    said = f"{side}'s {move}" if is_twice else str(move)
    is_read = not isinstance(move, Unread)
    found = slips(str(move), legal) if is_read else _readings(position.game, str(move), list(legal))
    for size, steps, meant in found:
        yield Correction(size, f"{said} -> {meant}", sheet.places[at], at, (meant,), 1, steps)


def _readings(game: str, text: str, legal: list[Move]) -> Iterator[Slip]:
    """A legal move for a text that is none: what it means, or else those one word apart, and the nearest ones."""
    by_text = {str(move): move for move in legal}
    known = habit(game, text)
    if known and (meant := by_text.get(known.text)):
        yield Slip(SMALL, 0, meant)
        return
    apart = [slip.move for slip in sorted(slips(known.text if known else text, legal), key=lambda slip: slip[:2])]
    near = [by_text[one] for one in suggested(game, text, by_text.values(), _READINGS)]
    for steps, meant in enumerate(dict.fromkeys((*apart, *near))):
        yield Slip(SMALL, steps, meant)


def omissions(sheet: DraftMoves, at: int) -> Iterator[Correction]:
    """A move left out that is written twice, or is one too many; or a whole round that is written twice."""
    moves, size, begin = sheet.moves, sheet.size, sheet.round_at(at)
    move, place = moves[at], sheet.places[at]
    twice = move in (*moves[max(0, at - size) : at], *moves[at + 1 : at + 1 + size])
    how, said = (SMALL, ", which is written twice") if twice else (UNLIKELY, "")
    yield Correction(how, f"leave out {move}{said}", place, at, removed=1)
    row = moves[begin : begin + size]
    if at == begin and row == moves[max(0, begin - size) : begin]:
        yield Correction(SMALL, f"leave out {_bars(row)}, which is written twice", place, at, removed=len(row))


def exchanges(sheet: DraftMoves, at: int) -> Iterator[Correction]:
    """Exchanges of the moves of the round that begins here, of it and the next one, or of all columns."""
    place = sheet.places[at]
    if place.column or sheet.short:
        return
    row = sheet.moves[at : at + sheet.size]
    for one, two in combinations(range(len(row)), 2):
        put = list(row)
        put[one], put[two] = put[two], put[one]
        yield Correction(SMALL, f"{row[one]} and {row[two]} change places", place, at, tuple(put), len(put))
    following = sheet.moves[at + sheet.size : at + 2 * sheet.size]
    if len(following) == sheet.size and following != row:
        put = [*following, *row]
        yield Correction(SMALL, "this round and the next one change places", place, at, tuple(put), len(put))
    if len(row) == sheet.size == 2 and following:
        rest = sheet.moves[at:]
        put = [move for begin in range(0, len(rest), 2) for move in reversed(rest[begin : begin + 2])]
        yield Correction(LARGE, "the columns change places from here on", place, at, tuple(put), len(rest))


def move_insertion(sheet: DraftMoves, at: int, side: str, move: Move) -> Correction:
    """A move of a side that may be missing here."""
    size, place = (LEFT_OPEN, sheet.holes[at]) if at in sheet.holes else (LARGE, sheet.place(at))
    if at and place == sheet.places[at - 1]:
        where = f"after {sheet.moves[at - 1]}"
    else:
        where = f"before {sheet.moves[at]}" if at < len(sheet.moves) else "at the end"
    words = f"add a move of {side}'s {where}, such as {move}"
    return Correction(size, words, place, at, (move,), steps=_ANY_MOVE)


def round_insertion(sheet: DraftMoves, at: int, moves: Sequence[Move]) -> Correction:
    """One or more rounds that may be missing before the round that begins here."""
    size = LEFT_OPEN if at in sheet.missing else _WHOLE_ROUND
    rows = [_bars(moves[begin : begin + sheet.size]) for begin in range(0, len(moves), sheet.size)]
    what = "a round is" if len(rows) == 1 else f"{len(rows)} rounds are"
    words = f"{what} missing before it, such as {'; '.join(rows)}"
    return Correction(size, words, sheet.place(at), at, tuple(moves), steps=_ANY_MOVE)


def renumbering(sheet: DraftMoves) -> Correction:
    """Other numbers for the rounds, which have one that is not the next."""
    place = MovePlace(sheet.misnumbered[0], 0)
    rest = ", and go on from there" if len(sheet.places) > sheet.size * (place.round + 1) else ""
    return Correction(LEFT_OPEN, f"number it {place.round + 1}{rest}", place)


def _bars(moves: Sequence[Move]) -> str:
    return " | ".join(map(str, moves))


def option_changes(description: Game, options: Mapping[str, object]) -> Iterator[Correction]:
    """Other options: each value of one, and the values of two at once if one of them is written."""
    others = {option.name: list(_others(option, options)) for option in description.options}
    numbers = {option.name for option in description.options if isinstance(option, Number)}
    for each in others.values():
        for name, value in each:
            yield _option_change(LARGE, options, {name: value}, steps=int(name in numbers))
    for (name, first), (other, second) in combinations(others.items(), 2):
        for one in first if name in options or other in options else ():
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


def _option_change(
    size: int, options: Mapping[str, object], new: Mapping[str, object], *, steps: int = 0
) -> Correction:
    after = Frozen({name: value for name, value in {**options, **new}.items() if value is not None})
    words = ", ".join(f"{name}: {value}" if value is not None else f"no {name}" for name, value in new.items())
    return Correction(size, f"options: {words}", None, steps=steps, options=after)
