"""A game of one person against engines: whose move it is, what the engines answer, and what they thought."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from referee.engine.choice import choose, ponder
from referee.engine.prospect import Prospect
from referee.game.edit import with_ply
from referee.game.gamefile import AnnotatedMove, End, GameFile, Player, Ply, rounds_of, timeline
from referee.rules import Moves, Position, Termination, movers
from referee.values import dataclass

HINTING = 6
"""The level that hints come from."""

_ENGINE = re.compile(r"engine, level ([1-9])")


@dataclass(frozen=True)
class Practice:
    """A game in which engines play all sides but one's own.

    Attributes:
        game: with the moves so far; the names of its players say which sides are engines.
        side: the person's side.
        level: that of the engines.
        seed: what the moves of the engines follow from.
    """

    game: GameFile
    side: str
    level: int
    seed: str

    @classmethod
    def begun(cls, game: GameFile, side: str, level: int, seed: str) -> Practice:
        """A practice of a game, with the engines among its players."""
        engines = {one: Player(f"engine, level {level}") for one in game.description.sides if one != side}
        return cls(replace(game, players={**game.players, **engines}), side, level, seed)

    @cached_property
    def ply(self) -> Ply:
        """The last ply."""
        (last,) = timeline(self.game)
        return last

    @property
    def position(self) -> Position:
        """The position after the last ply."""
        return self.ply.position

    @property
    def is_over(self) -> bool:
        """Whether the game is over, by its rules or by resignation."""
        return self.ply.outcome is not None or not self.position.to_move

    @property
    def is_own_turn(self) -> bool:
        """Whether the person owes a move."""
        return not self.is_over and self.side in self.position.to_move

    def answers(self) -> Moves:
        """The moves of all engines that owe one; none of them knows a move of this ply."""
        due = [one for one in movers(self.position) if one != self.side]
        return {one: choose(self.position, one, self.level, self.seed) for one in due}

    def moved(self, moves: Moves) -> Practice:
        """The practice after the moves of one ply."""
        self.position.play(moves)
        made = tuple(AnnotatedMove(moves[one]) for one in movers(self.position))
        return replace(self, game=replace(self.game, rounds=with_ply(self.game, made)))

    def undone(self) -> Practice:
        """The practice before the person's last move; the same if they have made none."""
        plies = list(self.game.replay())
        own = [place for place, ply in enumerate(plies) if self.side in ply.moves]
        if not own:
            return self
        kept = [one for ply in plies[: own[-1]] for one in ply.annotated.values()]
        rounds = rounds_of(kept, self.game.description.moves_per_round)
        return replace(self, game=replace(self.game, rounds=rounds, end=None))

    def resigned(self) -> Practice:
        """The practice after the person has given up."""
        return replace(self, game=replace(self.game, end=End(Termination.RESIGNATION, self.side)))

    def claimed(self) -> Practice:
        """The practice after the person has claimed a repetition, which must be there."""
        return replace(self, game=replace(self.game, end=End(Termination.REPETITION, self.side)))

    def hint(self) -> Prospect:
        """What a strong engine would do in the person's place."""
        return ponder(self.position, self.side, HINTING, self.seed, sober=True)

    def reasons(self) -> Mapping[str, Prospect]:
        """What each engine expected of its last move: its line and its value."""
        last = {one: ply.before for ply in self.game.replay() for one in ply.moves if one != self.side}
        return {one: ponder(before, one, self.level, self.seed) for one, before in last.items()}


def engines_of(game: GameFile) -> dict[str, int]:
    """The sides of a game on which engines sit, with their levels; they are known by their names."""
    named = {side: _ENGINE.fullmatch(player.name) for side, player in game.players.items()}
    return {side: int(match[1]) for side, match in named.items() if match}
