"""The rounds of a way through notes, with marks and comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from referee.game import AnnotatedMove, Round
from referee.game.file.rounds import Unread
from referee.notes.reader.comments import tidy
from referee.notes.reader.slots import Slot
from referee.notes.search import SlotStep, Trail
from referee.rules import Position

_SIGNS = re.compile(r"[|{};!?\s]+")
"""Characters that are no part of a move in a game file."""


class RoundBuilder:
    """Puts moves together in rounds: comments before a round's first move, others behind the move before them."""

    def __init__(self, slots: Sequence[Slot], start: Position, size: int, unsure: Mapping[int, str]) -> None:
        """Begin with no round; `unsure` has the words for the slots that are unsure, by their place."""
        self.rounds: list[Round] = []
        self.comments: list[str] = []
        self._slots = slots
        self._position = start
        self._size = size
        self._unsure = unsure
        self._partial: dict[str, tuple[AnnotatedMove, tuple[str, ...]]] = {}
        self._last = self._left_out = ""

    def follow(self, trail: Trail) -> None:
        """Add the moves of a trail; if it stops early, everything that could not be judged follows them."""
        for step in trail.steps:
            self._step(step)
        if trail.whole:
            self.comments += [f"alone: {side} {noted.move}" for side, (noted, _) in self._partial.items()]
            return
        for noted, before in self._partial.values():
            self._add(noted, before)
        for slot in self._slots[len(trail.steps) :]:
            moves = slot.meanings[0].moves if slot.meanings else (Unread(_SIGNS.sub(" ", slot.text).strip() or "-"),)
            for place, move in enumerate(moves):
                after = slot.after if place == len(moves) - 1 else ()
                self._add(AnnotatedMove(move, slot.mark, after), () if place else slot.before)

    def _step(self, step: SlotStep) -> None:
        slot = self._slots[step.place]
        self._comment(slot, is_left_out=step.meaning is None)
        if step.meaning is None:
            return
        said = (self._unsure[step.place],) if step.place in self._unsure else ()
        for place, (side, move) in enumerate(zip(step.sides, step.meaning.moves, strict=True), 1):
            before, self.comments = tuple(self.comments), []
            after = slot.after if place == len(step.sides) else ()
            self._partial[side] = AnnotatedMove(move, slot.mark, (*said, *after)), before
            said = ()
            if self._partial.keys() == self._position.to_move:
                self._play()

    def _comment(self, slot: Slot, *, is_left_out: bool) -> None:
        """Keep the comments before a slot; the line of one that is left out is kept once, instead of its parts."""
        line = tidy(slot.line.text)
        said = [text for text in slot.before if line != self._left_out or text not in line]
        if is_left_out and line not in (self._left_out, self._last):
            said = [*(text for text in said if text not in line), line]
            self._left_out = line
        self.comments += said
        self._last = [self._last, *said][-1]

    def _play(self) -> None:
        """Add the moves of a ply, in the order of the sides."""
        made = {side: self._partial[side] for side in self._position.sides if side in self._partial}
        self._partial = {}
        self._position = self._position.play_unchecked({side: noted.move for side, (noted, _) in made.items()})
        for noted, before in made.values():
            self._add(noted, before)

    def _add(self, noted: AnnotatedMove, before: Iterable[str]) -> None:
        if not self.rounds or len(self.rounds[-1].moves) == self._size:
            self.rounds.append(Round((noted,), tuple(before)))
            return
        *others, last = self.rounds[-1].moves
        last = last._replace(comments=(*last.comments, *before))
        self.rounds[-1] = self.rounds[-1]._replace(moves=(*others, last, noted))
