"""The search for the meanings with which all moves are legal: the cheapest first, within a bound."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, islice
from typing import NamedTuple

from referee.errors import IllegalMove
from referee.notation.moves import notation
from referee.notation.spoken import suggested
from referee.notes.reader.meanings import Meaning
from referee.notes.reader.slots import Slot
from referee.rules import Move, Position

MOST_NODES = 500
"""Positions that all searches of a reading look at and that lead no farther than others before them."""

_A_RIVAL, _RIVALS = 250, 4
"""Such positions for another reading, and how many ways through all slots all other readings may take."""

MOST_GUESSED = 4
"""Texts for which the searches of a reading look up the nearest legal moves."""

MARGIN = 1.0
"""Maximum extra cost of another reading that leaves the first one unsure."""

_GUESS, _NEXT_GUESS = 6.0, 0.02
_MOST_GUESSES = 6
_PARTIAL = 3.0
_LETTER = 3
"""Costs of an incomplete move, of a less likely one of those, and of a last ply that lacks a move; and the distance
between slots of one letter."""

Guessed = dict[tuple[Position, str, str], tuple[Meaning, ...]]
"""A position, the side to move and a text that is no whole move -> the legal moves near to it."""


class SlotStep(NamedTuple):
    """One slot of a trail: the meaning chosen, or None if it is left out as talk; `sides` made the moves."""

    place: int
    meaning: Meaning | None
    sides: tuple[str, ...] = ()
    guessed: bool = False


@dataclass(frozen=True)
class _Node:
    """A place in the search: before slot `place`, with the moves of a ply that is not complete."""

    place: int
    cost: float
    position: Position
    partial: Mapping[str, Move]
    step: SlotStep | None = None
    before: _Node | None = None

    def steps(self) -> tuple[SlotStep, ...]:
        """The steps on the way here."""
        found = []
        node: _Node | None = self
        while node is not None and node.step is not None:
            found.append(node.step)
            node = node.before
        return tuple(reversed(found))


class Trail(NamedTuple):
    """A way through the slots: its steps, cost and last position; `whole` if it went through all of them.

    `looks` counts the positions at which the search looked in vain.
    """

    steps: tuple[SlotStep, ...]
    cost: float
    position: Position
    partial: Mapping[str, Move]
    whole: bool
    looks: int


@dataclass
class Search:
    """One order of slots from one start.

    `decided` are the meanings that a person chose, by the place of their slot; None for talk. `guesses` is true to
    look for legal moves near to words that are no whole move; `guessed` are those found by searches that share it.
    """

    slots: Sequence[Slot]
    start: Position
    decided: Mapping[int, Meaning | None] = field(default_factory=dict)
    guesses: bool = True
    guessed: Guessed = field(default_factory=dict)

    def best(self, nodes: int = MOST_NODES) -> Trail:
        """The cheapest way through, or the one that gets farthest; `nodes` as for `MOST_NODES`."""
        return self._through(_Node(0, 0.0, self.start, {}), nodes)

    def others(self, trail: Trail) -> Iterator[tuple[int, tuple[SlotStep, ...]]]:
        """The places where another meaning, too, leads through all slots at nearly the same cost.

        Once the search has looked at too many positions, each other meaning counts, so that it is asked about.
        """
        node, left = _Node(0, 0.0, self.start, {}), MOST_NODES + _RIVALS * len(self.slots)
        for step in trail.steps:
            taken = self._taken(node, step)
            margin = _MOST_GUESSES * _NEXT_GUESS if step.guessed else MARGIN
            if self.besides(trail, step.place):
                margin = self.slots[step.place].loose or 0.0
            rivals = [way for way in self._ways(node) if way.step != step and way.cost - taken.cost <= margin]
            found = []
            for way in rivals:
                other = self._through(way, _A_RIVAL) if trail.whole and left > 0 else trail
                left -= other.looks + len(self.slots) - way.place
                if way.step and other.whole == trail.whole and other.cost <= trail.cost + MARGIN:
                    found.append(way.step)
            if found or step.guessed:
                yield step.place, tuple(found)
            node = taken

    def besides(self, trail: Trail, place: int) -> tuple[int, ...]:
        """The slots of the same letter, and of the same side, that a trail leaves out beside this one."""
        slot = self.slots[place]
        if not slot.line.is_letter or slot.loose is None or trail.steps[place].meaning is None:
            return ()
        near = trail.steps[max(0, place - _LETTER) : place + _LETTER + 1]
        return tuple(
            step.place
            for step in near
            if step.meaning is None
            and step.place not in self.decided
            and (found := self.slots[step.place]).side == slot.side
            and found.line.author == slot.line.author
            and not {one.moves for one in found.meanings} & {one.moves for one in slot.meanings}
        )

    def _taken(self, node: _Node, step: SlotStep) -> _Node:
        """The place after a step of a trail."""
        slot = self.slots[step.place]
        if step.meaning is None:
            cost = 0.0 if step.place in self.decided else slot.loose or 0.0
            return _Node(step.place + 1, node.cost + cost, node.position, node.partial, step, node)
        cost = 0.0 if step.place in self.decided else step.meaning.cost
        way = self._made(node, slot, step.meaning, cost, guessed=step.guessed)
        assert way is not None
        return way

    def _through(self, start: _Node, budget: int) -> Trail:
        waiting = [(start.cost, -start.place, 0, start)]
        number, farthest, looks = count(1), start, -1
        while waiting and looks <= budget:
            *_, node = heapq.heappop(waiting)
            if node.place > farthest.place:
                farthest = node
            else:
                looks += 1
            if node.place == len(self.slots):
                return Trail(node.steps(), node.cost, node.position, node.partial, whole=True, looks=looks)
            for way in self._ways(node):
                end = _PARTIAL if way.place == len(self.slots) and way.partial else 0.0
                heapq.heappush(waiting, (way.cost + end, -way.place, next(number), way))
        return Trail(farthest.steps(), farthest.cost, farthest.position, farthest.partial, whole=False, looks=looks)

    def _ways(self, node: _Node) -> Iterator[_Node]:
        """The next nodes: one for each meaning that the rules allow, and one if the slot may be only talk."""
        place, slot = node.place, self.slots[node.place]
        chosen = self.decided.get(place)
        if place in self.decided and chosen is None:
            yield _Node(place + 1, node.cost, node.position, node.partial, SlotStep(place, None), node)
            return
        guessed = chosen is None and not slot.meanings
        for meaning in (chosen,) if chosen else slot.meanings or self._guessed(node, slot):
            cost = 0.0 if chosen else meaning.cost
            if (way := self._made(node, slot, meaning, cost, guessed=guessed)) is not None:
                yield way
        if slot.loose is not None and chosen is None:
            yield _Node(place + 1, node.cost + slot.loose, node.position, node.partial, SlotStep(place, None), node)

    def _made(self, node: _Node, slot: Slot, meaning: Meaning, cost: float, *, guessed: bool) -> _Node | None:
        """The place after the moves of a meaning; None if the rules refuse one."""
        position, partial, sides = node.position, dict(node.partial), []
        for move in meaning.moves:
            side = self._side(position, partial, slot)
            if side is None:
                return None
            try:
                position.check(side, move)
            except (IllegalMove, TypeError):
                return None
            sides.append(side)
            partial[side] = move
            if partial.keys() == position.to_move:
                position, partial = position.play_unchecked(partial), {}
        step = SlotStep(node.place, meaning, tuple(sides), guessed)
        return _Node(node.place + 1, node.cost + cost, position, partial, step, node)

    def _side(self, position: Position, partial: Mapping[str, Move], slot: Slot) -> str | None:
        """The side whose move this is; None if it is the turn of others."""
        due = [side for side in position.sides if side in position.to_move and side not in partial]
        if slot.side is not None:
            return slot.side if slot.side in due else None
        return due[0] if due else None

    def _guessed(self, node: _Node, slot: Slot) -> tuple[Meaning, ...]:
        """The legal moves near to words that are no whole move; none once enough have been looked up."""
        side = self._side(node.position, node.partial, slot)
        if side is None or not self.guesses:
            return ()
        key = node.position, side, slot.text
        if key not in self.guessed and len(self.guessed) < MOST_GUESSED:
            self.guessed[key] = _near(*key)
        return self.guessed.get(key, ())


@lru_cache(4 * MOST_GUESSED)
def _near(position: Position, side: str, text: str) -> tuple[Meaning, ...]:
    """The legal moves that begin like words that are no whole move, or else the nearest ones."""
    legal = {str(move): move for move in position.legal_moves(side)}
    said = text.casefold()
    beginnings = (said, *(f"{key.casefold()} {said}" for key in notation(position.game).BEGINNINGS))
    begun = (text for text in legal if text.casefold().startswith(beginnings))
    texts = list(islice(begun, _MOST_GUESSES)) or suggested(position.game, text, legal, _MOST_GUESSES)
    return tuple(
        Meaning((legal[text],), _GUESS + rank * _NEXT_GUESS, "a legal move that is near to it")
        for rank, text in enumerate(texts)
    )
