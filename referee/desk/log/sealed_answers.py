"""The moves that engines seal in a practice before its person moves, and what opens them afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.desk.log import seals
from referee.engine.practice import Intentions, Practice, moves_in
from referee.rules import Frozen, Moves


@dataclass(frozen=True, slots=True)
class SealedAnswers:
    """Engine moves for a ply of moves made at once, under one `nonce`; `answers` are those expected, if known."""

    practice: Practice
    moves: Moves
    nonce: bytes
    answers: Intentions = Frozen()

    @classmethod
    def drawn(cls, practice: Practice) -> SealedAnswers:
        """The engines' moves for the ply to come, under a new nonce."""
        answers = practice.answers()
        return cls(practice, moves_in(answers), seals.draw_nonce(), answers)

    def commitments(self) -> dict[str, str]:
        """The commitment of each engine, which reveals nothing of its move."""
        game, ply = self.practice.game, self.practice.ply.number + 1
        rules = f"{game.game} {game.rules or game.description.versions[-1]}"
        return {
            side: seals.commitment("play", ply, side, rules, str(move), self.nonce)  # a practice has no id
            for side, move in self.moves.items()
        }

    def opening(self) -> Iterator[str]:
        """The sealed move of each engine, in a sentence with all parts of its commitment."""
        for side, move in self.moves.items():
            yield f"{side} had sealed {move}, with the nonce {self.nonce.hex()}"
