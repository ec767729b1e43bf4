"""The search for the meanings under which all moves are legal: the cheapest first, within a bound."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from referee.errors import IllegalMove
from referee.game.notes.meanings import Meaning
from referee.game.notes.slots import Slot
from referee.notation import suggested
from referee.rules import Move, Position

MOST_NODES = 2_000
"""Positions that one search looks at, beside those of the shortest way through."""

MOST_GUESSED = 12
"""Texts for which one search looks up the nearest legal moves."""

MARGIN = 1.0
"""How much dearer another reading may be and still leave the first one unsure."""

_GUESS, _NEXT_GUESS = 6.0, 0.02
_MOST_GUESSES = 6
_PARTIAL = 3.0
"""Costs of a move that is not all there, of a less likely one of those, and of a last ply that lacks a move."""


class Step(NamedTuple):
    """What became of one slot: the meaning chosen, or None if it is left out as talk; `sides` made the moves."""

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
    step: Step | None = None
    before: _Node | None = None

    def steps(self) -> tuple[Step, ...]:
        """The steps on the way here."""
        found = []
        node: _Node | None = self
        while node is not None and node.step is not None:
            found.append(node.step)
            node = node.before
        return tuple(reversed(found))


class Path(NamedTuple):
    """A way through the slots: its steps, cost and last position; `whole` if it went through all of them."""

    steps: tuple[Step, ...]
    cost: float
    position: Position
    partial: Mapping[str, Move]
    whole: bool


@dataclass
class Search:
    """One order of slots from one start.

    `decided` are the meanings that a person chose, by the place of their slot.
    """

    slots: Sequence[Slot]
    start: Position
    decided: Mapping[int, Meaning] = field(default_factory=dict)
    _guessed: int = 0

    def best(self) -> Path:
        """The cheapest way through, or the one that gets farthest."""
        return self._through(_Node(0, 0.0, self.start, {}), MOST_NODES + len(self.slots))

    def others(self, path: Path) -> Iterator[tuple[int, tuple[Step, ...]]]:
        """The places where another meaning, too, leads through all slots at nearly the same cost."""
        node = _Node(0, 0.0, self.start, {})
        for step in path.steps:
            ways = list(self._ways(node))
            taken = next(way for way in ways if way.step == step)
            rivals = [way for way in ways if way.step != step and way.cost - taken.cost <= self._margin(step)]
            found = tuple(way.step for way in rivals if way.step and self._holds(way, path))
            if found or step.guessed:
                yield step.place, found
            node = taken

    def _margin(self, step: Step) -> float:
        return _MOST_GUESSES * _NEXT_GUESS if step.guessed else MARGIN

    def _holds(self, way: _Node, path: Path) -> bool:
        if not path.whole:
            return True
        other = self._through(way, MOST_NODES // 8 + len(self.slots))
        return other.whole and other.cost <= path.cost + MARGIN

    def _through(self, start: _Node, budget: int) -> Path:
        waiting = [(start.cost, -start.place, 0, start)]
        number, farthest = count(1), start
        while waiting and budget:
            budget -= 1
            *_, node = heapq.heappop(waiting)
            if node.place > farthest.place:
                farthest = node
            if node.place == len(self.slots):
                return Path(node.steps(), node.cost, node.position, node.partial, whole=True)
            for way in self._ways(node):
                end = _PARTIAL if way.place == len(self.slots) and way.partial else 0.0
                heapq.heappush(waiting, (way.cost + end, -way.place, next(number), way))
        return Path(farthest.steps(), farthest.cost, farthest.position, farthest.partial, whole=False)

    def _ways(self, node: _Node) -> Iterator[_Node]:
        """What may come next: each meaning that the rules allow, or that the slot is only talk."""
        place, slot = node.place, self.slots[node.place]
        chosen = self.decided.get(place)
        meanings = slot.meanings if chosen is None else (chosen,)
        for meaning in meanings:
            cost = 0.0 if chosen else meaning.cost
            if (way := self._made(node, slot, meaning, cost, guessed=False)) is not None:
                yield way
        if not meanings:
            for rank, meaning in enumerate(self._guesses(node, slot)):
                cost = _GUESS + rank * _NEXT_GUESS
                if (way := self._made(node, slot, meaning, cost, guessed=True)) is not None:
                    yield way
        if slot.loose is not None and chosen is None:
            yield _Node(place + 1, node.cost + slot.loose, node.position, node.partial, Step(place, None), node)

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
        step = Step(node.place, meaning, tuple(sides), guessed)
        return _Node(node.place + 1, node.cost + cost, position, partial, step, node)

    def _side(self, position: Position, partial: Mapping[str, Move], slot: Slot) -> str | None:
        """The side whose move this is; None if it is the turn of others."""
        due = [side for side in position.sides if side in position.to_move and side not in partial]
        if slot.side is not None and len(slot.meanings) <= 1 and slot.side in position.sides:
            return slot.side if slot.side in due else None
        if slot.side in due:
            return slot.side
        return due[0] if due and slot.side is None else None

    def _guesses(self, node: _Node, slot: Slot) -> tuple[Meaning, ...]:
        """The legal moves nearest to words that are no whole move."""
        side = self._side(node.position, node.partial, slot)
        if side is None or self._guessed == MOST_GUESSED:
            return ()
        self._guessed += 1
        legal = node.position.legal_moves(side)
        texts = suggested(node.position.game, slot.text, legal, _MOST_GUESSES)
        moves = {str(move): move for move in legal}
        return tuple(Meaning((moves[text],), _GUESS, "the nearest legal move") for text in texts)
