"""The possible orders of written slots: in turn, side by side, one list after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, groupby, pairwise, zip_longest
from typing import NamedTuple

from referee.errors import shown
from referee.notes.reader.slots import Slot
from referee.rules import Position

_MOST_MISSING = 20
_FROM_THE_END = 2.5
"""Cost of the order from the last line to the first."""

_AS_WRITTEN = 1.0
"""Cost of the order of the notes where the numbers of rounds fall."""


class Arrangement(NamedTuple):
    """Slots in the order of play, the evidence against that order, and the order in words.

    `is_open` is true for an order that goes against what the notes say.
    """

    slots: tuple[Slot, ...]
    cost: float
    reason: str = ""
    is_open: bool = False


def arrangements(slots: Sequence[Slot], start: Position) -> Iterator[Arrangement]:
    """The orders that are worth a try, the likeliest first; where the numbers of rounds fall, every order is open."""
    fall = next(_falls(slots), "")
    groups = [list(group) for _, group in groupby(slots, key=lambda slot: slot.line.author or slot.line)]
    turned = [slot for group in reversed(groups) for slot in group] if len(groups) > 1 else []
    if not fall:
        yield from _orders(slots, start)
        if turned:
            yield from _turned(turned, start, _FROM_THE_END, _rise(slots))
        return
    if turned and all((one.number or 0) <= (two.number or 0) for one, two in pairwise(turned)):
        yield from _turned(turned, start, 0.0)
    if all(slot.number is not None for slot in slots):
        by_number = sorted(slots, key=lambda slot: slot.number or 0)
        yield from _against(_orders(by_number, start), f"{fall}: the rounds are taken by their numbers", 0.0)
    yield from _against(_orders(slots, start), f"{fall}: the moves are taken in the order of the notes", _AS_WRITTEN)


def without_talk(slots: Sequence[Slot], start: Position) -> Iterator[Arrangement]:
    """The orders of the slots without talk of possible moves; each slot of talk follows the slot before it.

    They can be left out at no cost. None if there is no talk, or nothing else.
    """
    played = [slot for slot in slots if not slot.is_supposed]
    if not played or len(played) == len(slots):
        return
    for order in arrangements(played, start):
        talk = [_as_talk(slot) for slot in slots if slot.is_supposed]
        places = [
            max((at for at, one in enumerate(order.slots, 1) if one.place < slot.place), default=0) for slot in talk
        ]
        mixed = [*zip(range(1, len(order.slots) + 1), order.slots, strict=True), *zip(places, talk, strict=True)]
        yield order._replace(slots=tuple(slot for _, slot in sorted(mixed, key=lambda one: one[0])))


def _as_talk(slot: Slot) -> Slot:
    """A slot that costs nothing if it is left out, and as much as it did if it is not."""
    cost = slot.loose or 0.0
    return replace(slot, loose=0.0, meanings=tuple(one._replace(cost=one.cost + cost) for one in slot.meanings))


def _turned(slots: Sequence[Slot], start: Position, cost: float, against: str = "") -> Iterator[Arrangement]:
    """The orders of slots that the notes give with the newest first; open if something in them says otherwise."""
    said = f"{against}, and the moves are legal only from the last line to the first"
    for one in _orders(slots, start):
        if not one.is_open:
            reason = said if against else "the newest line is written first"
            yield one._replace(cost=one.cost + cost, reason=reason, is_open=bool(against))


def _rise(slots: Sequence[Slot]) -> str:
    """The sign that the first line is the oldest: rising numbers of rounds, or rising dates; empty without one."""
    if len({slot.number for slot in slots} - {None}) > 1:
        return "the numbers of rounds rise"
    dates = [slot.line.date for slot in slots if slot.line.date]
    return "the dates rise" if len(set(dates)) > 1 and dates == sorted(dates) else ""


def _against(orders: Iterable[Arrangement], said: str, cost: float) -> Iterator[Arrangement]:
    """The orders, with the evidence against them."""
    for one in orders:
        reason = f"{said}; {one.reason}" if one.reason else said
        yield Arrangement(one.slots, one.cost + cost, reason, is_open=True)


def _orders(slots: Sequence[Slot], start: Position) -> Iterator[Arrangement]:
    """The orders of slots whose numbers do not fall."""
    # Those that are to move first come first.
    sides = tuple(sorted(start.sides, key=lambda side: side not in start.to_move))
    if slots and all(slot.side is not None for slot in slots):
        if _ends_with_first(slots, start):
            said = "the newest line is written first: the side that moves first is in the last one"
            yield Arrangement(tuple(reversed(slots)), 0.0, said, is_open=True)
        yield Arrangement(_by_side(slots, sides), 0.0, "each side's moves in their order")
        unsaid = tuple(replace(slot, side=None) for slot in slots)
        yield Arrangement(unsaid, 4.0, "the order of the notes, whatever side they name", is_open=True)
        return
    unlabelled = all(slot.side is None for slot in slots)
    blocks = _blocks(slots, len(sides)) if unlabelled else []
    if blocks:
        labelled = [replace(slot, side=side) for side, block in zip(sides, blocks, strict=True) for slot in block]
        yield Arrangement(_by_side(labelled, sides), 0.0, "one list after another, the first side's first")
    yield Arrangement(tuple(slots), 2.0 if blocks else 0.0)
    if not unlabelled:
        return
    if len(start.to_move) == 2 and len(slots) % 2 == 0:
        pairs = zip(slots[::2], slots[1::2], strict=True)
        swapped = tuple(chain.from_iterable((two, one) for one, two in pairs))
        yield Arrangement(swapped, 2.0, f"{sides[1]}'s move before {sides[0]}'s")


def _ends_with_first(slots: Sequence[Slot], start: Position) -> bool:
    """True for sides in turn, a line each, where the last one is to move first, and not the first one."""
    lines = {slot.line for slot in slots}
    alternate = all(one.side != two.side for one, two in pairwise(slots))
    first, last = slots[0].side, slots[-1].side
    return len(lines) == len(slots) and alternate and {last} == start.to_move != {first}


def _by_side(slots: Sequence[Slot], sides: Sequence[str]) -> tuple[Slot, ...]:
    """One move of each side after another; in the order of the notes if they are in turn already."""
    if len(sides) > 2:
        return tuple(slots)
    columns = [[slot for slot in slots if slot.side == side] for side in sides]
    return tuple(slot for row in zip_longest(*columns) for slot in row if slot is not None)


def _blocks(slots: Sequence[Slot], many: int) -> list[list[Slot]]:
    """The slots cut where the numbers begin again, if that gives a list for each side."""
    found: list[list[Slot]] = [[]]
    for slot in slots:
        if found[-1] and slot.number is not None and slot.number < (found[-1][-1].number or 0):
            found.append([])
        found[-1].append(slot)
    return found if len(found) == many else []


def gaps(slots: Sequence[Slot], size: int) -> Iterator[str]:
    """Gaps in words: rounds by their numbers, and moves of rounds or lines before the last one."""
    yield from _short_lines(slots, size)
    numbers = [slot.number for slot in slots]
    known = [number for number in numbers if number is not None]
    if not known or len(known) < len(numbers):
        return
    counted = Counter(known)
    first, last = min(known), max(known)
    missing = [number for number in range(first, last) if number not in counted]
    if first > 1:
        yield f"the notes begin with round {first}: what comes before it is missing"
    if 0 < len(missing) <= _MOST_MISSING:
        yield f"round {', '.join(map(str, missing))} is missing in the notes"


def _falls(slots: Sequence[Slot]) -> Iterator[str]:
    """The rounds whose numbers fall, but for a list of each side."""
    plain = [slot for slot in slots if slot.number is not None and slot.loose is None]
    runs = [list(run) for _, run in groupby(plain, key=lambda slot: slot.side)]
    are_of_sides = any(slot.side for slot in plain) and len(runs) == len({run[0].side for run in runs})
    sequences = runs if are_of_sides else [plain]
    falls = [
        (one.number, two.number)
        for sequence in sequences
        for one, two in pairwise(sequence)
        if (two.number or 0) < (one.number or 0)
    ]
    restarts = len(falls) == 1 and falls[0][1] == min(slot.number or 0 for slot in plain) and len(sequences) == 1
    is_two_lists = (
        restarts and plain[0].number == falls[0][1] and len({slot.number for slot in plain}) * 2 == len(plain)
    )
    if falls and not is_two_lists:
        one, two = falls[0]
        yield f"round {two} comes after round {one}"


def twice_in_turn(slots: Sequence[Slot], start: Position) -> Iterator[tuple[Slot, str]]:
    """The slots of a side that has just moved, where sides take turns and the notes are no list of each side."""
    runs = [list(run) for _, run in groupby(slots, key=lambda slot: slot.side)]
    if len(start.to_move) > 1 or len(runs) <= len(start.sides) or any(slot.side is None for slot in slots):
        return
    for run in runs:
        for slot in run[1:]:
            yield slot, f"{shown(slot.text)} is a second move of {slot.side}'s in a row"


def _short_lines(slots: Sequence[Slot], size: int) -> Iterator[str]:
    """The lines and the numbered rounds with fewer moves than the others have, but for the last."""
    lines = [f"line {slot.line.number}" for slot in slots]
    rounds = [f"round {slot.number}" for slot in slots if slot.number is not None]
    for names in (lines, rounds):
        counted: Counter[str] = Counter()
        for slot, name in zip(slots, names, strict=False):
            counted[name] += len(slot.meanings[0].moves) if slot.meanings else 1
        short = [name for name, moves in list(counted.items())[:-1] if moves < size]
        full = sum(moves == size for moves in counted.values())
        if len(names) == len(slots) and 0 < len(short) < full and max(counted.values()) == size:
            yield f"a move is missing in {', '.join(short[:_MOST_MISSING])}: others have {size}"
            return
