"""The slot that a correction is about, and its change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from referee.notes.reader.lines import NoteLine
from referee.notes.reader.meanings import Meaning, tokens
from referee.notes.reader.slots import Slot, SlotCorrection
from referee.notes.reader.wishes import REPLACED, Wish, is_part, replacements

_FARTHEST = 4
"""Slots that a correction without a number may be about, from the last one back."""

_FARTHEST_ROUND = 400
"""Slots that any correction may be about, from the last one back."""

_MOST_KEPT = 12
"""Meanings of a slot that stay possible after a correction."""

_TOLD = re.compile(
    r"\b(?:round|move|turn|ply)\s+(?:no\.? ?)?(?P<after>\d{1,4})\b"
    r"|\b(?P<before>\d{1,4})(?:st|nd|rd|th) (?:round|move|turn)\b",
    re.IGNORECASE,
)


class SlotChange(NamedTuple):
    """The place of the slot to change, the new slot, and true if others might be meant as well."""

    place: int
    slot: Slot
    is_open: bool = False


@lru_cache(1)
def round_told(text: str) -> int | None:
    """The round that a sentence names."""
    found = _TOLD.search(text)
    return int(found["after"] or found["before"]) if found else None


def amendment(
    game: str, slots: Sequence[Slot], wish: Wish, line: NoteLine, side: str | None, number: int | None
) -> SlotChange | None:
    """Find the slot that a wish changes, among those before it; None if it cannot be about any of them.

    `side` made the correction, if that is known: it changes no move of another side. `number` is the round that it
    names.
    """
    places = _rejected(slots, side, wish) if wish.rejected else []
    is_told = bool(places) or (wish.announced and (number is not None or side is not None))
    if not places:
        places = list(islice(_own(slots, side), _FARTHEST)) if number is None else _of_round(slots, side, number)
        if wish.rejected:  # a move that is nowhere but in this line is not one that the line has besides
            places = [place for place in places if slots[place].line != line]
    if wish.rejected and not places:
        return None
    if side is not None and number is None and not wish.parts and not wish.rejected:
        places = places[:1]
    if number is not None and is_there([slots[place] for place in places], wish):
        return None
    is_of_either = number is not None and side is None
    if is_of_either and not wish.rejected:
        places = _most_alike(slots, places, wish.text)
    found: list[tuple[int, tuple[Meaning, ...]]] = []
    for place in places:
        slot = slots[place]
        if is_told or wish.parts or slot.line == line or _is_alike(game, slot.text, wish):
            if meanings := _amended(game, slot, wish):
                found.append((place, meanings))
            if found and not (is_of_either and wish.parts):
                break
    if not found:
        return None
    place, meanings = found[0]
    is_open = bool(wish.parts) and is_of_either and len(found) > 1
    text = wish.moves[0].text if wish.moves else wish.text
    return SlotChange(place, corrected(slots[place], meanings, text, line), is_open)


def is_there(slots: Sequence[Slot], wish: Wish) -> bool:
    """True if one of the last slots already has what a wish wants."""
    wanted = {one.moves for part in wish.moves[:1] for one in part.meanings}
    return any(one.moves in wanted for slot in slots[-_FARTHEST:] for one in slot.meanings[:1])


def corrected(old: Slot, meanings: Sequence[Meaning], text: str, line: NoteLine, how: str = "is corrected") -> Slot:
    """A slot with other meanings; its own stay possible at a high cost."""
    known = {one.moves for one in meanings}
    kept = tuple(one._replace(cost=one.cost + REPLACED) for one in old.meanings if one.moves not in known)
    change = SlotCorrection(old.text, text, line, how)
    return replace(old, text=text, meanings=(*meanings, *kept[:_MOST_KEPT]), corrections=(*old.corrections, change))


def _own(slots: Sequence[Slot], side: str | None) -> Iterator[int]:
    """The places of the slots that a side may correct, from the last one back."""
    last = range(max(0, len(slots) - _FARTHEST_ROUND), len(slots))
    return (place for place in reversed(last) if side is None or slots[place].side in (None, side))


def _of_round(slots: Sequence[Slot], side: str | None, number: int) -> list[int]:
    """The places of a round's slots: by their numbers, or, where no slot has one, by counting a side's moves."""
    if any(slots[place].number is not None for place in _own(slots, side)):
        return list(islice((place for place in _own(slots, side) if slots[place].number == number), _FARTHEST))
    own = list(_own(slots, side))
    sides = {slots[place].side for place in own}
    return own[::-1][number - 1 : number] if len(sides) == 1 and None not in sides else own[:_FARTHEST]


def _rejected(slots: Sequence[Slot], side: str | None, wish: Wish) -> list[int]:
    """The place of the last slot that has what a wish does not want, if there is one."""
    moves = {one.moves for part in wish.rejected for one in part.meanings}
    places = (place for place in _own(slots, side) if any(one.moves in moves for one in slots[place].meanings))
    return list(islice(places, 1))


def _amended(game: str, slot: Slot, wish: Wish) -> tuple[Meaning, ...]:
    found: dict[tuple[object, ...], Meaning] = {}
    for old in slot.meanings:
        if old.cost < REPLACED:
            for one in replacements(game, old, wish):
                found.setdefault(one.moves, one)
    return tuple(found.values())


def _is_alike(game: str, text: str, wish: Wish) -> bool:
    """True if a move shares a place or a piece with the one wanted."""
    parts = [{one.text.casefold() for one in tokens(said) if is_part(game, one.text)} for said in (text, wish.text)]
    return bool(parts[0] & parts[1])


def _most_alike(slots: Sequence[Slot], places: Sequence[int], text: str) -> list[int]:
    """The places of slots, those first whose words are most like a text."""
    matcher = SequenceMatcher(None, "", text.casefold(), autojunk=False)

    def likeness(place: int) -> float:
        matcher.set_seq1(slots[place].text.casefold())
        return matcher.ratio()

    return sorted(places, key=likeness, reverse=True)
