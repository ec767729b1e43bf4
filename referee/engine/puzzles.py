"""Puzzles: positions of played games in which only one move wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from referee.engine.choice import ponder, search_of
from referee.engine.search.alphabeta import AlphaBeta
from referee.engine.search.evaluation import SURE
from referee.engine.search.solver import winning_moves, won_in
from referee.game import GameFile, Ply, new_game
from referee.rules import Move, Position, game_named

_GLANCE = 4
"""The level that finds likely wins; only there every line is searched."""


class Puzzle(NamedTuple):
    """A position of the game `source`, the one move that wins, and the number of turns."""

    position: Position
    side: str
    turns: int
    solution: Move
    source: str
    ply: int

    @property
    def task(self) -> str:
        """The task in words."""
        return f"{self.side} moves and wins in {self.turns}"

    def as_game(self) -> GameFile:
        """The puzzle as a game file that begins there; its last comment is the solution."""
        begun = new_game(
            self.position.game,
            {},
            id=f"{self.source or self.position.game}-{self.ply}",
            event=self.task,
            start_text=str(self.position),
        )
        return replace(begun, trailing_comments=(f"solution: {self.solution}",))


def puzzles_in(game: GameFile, turns: int) -> Iterator[Puzzle]:
    """The puzzles in a game whose side to move wins within `turns`, in the order of the plies.

    It is proved, over every reply, that the move wins and that no other wins as fast. If the same move of a side
    would have won several times, only the first position is a puzzle. Games for a team, and plies in which both
    sides move, have none.

    Raises:
        FileError: a move of the game is refused.
    """
    if game_named(game.game).scored:
        return
    before: set[tuple[str, Move]] = set()
    for ply in game.replay():
        puzzle = _puzzle(game, ply, turns)
        if puzzle is not None and (puzzle.side, puzzle.solution) not in before:
            before.add((puzzle.side, puzzle.solution))
            yield puzzle


def _puzzle(game: GameFile, ply: Ply, most: int) -> Puzzle | None:
    position = ply.before
    if len(position.to_move) != 1:
        return None
    (side,) = position.to_move
    search = search_of(position)
    if isinstance(search, AlphaBeta) and search.evaluation.is_far(position, side, most):
        return None
    if ponder(position, side, _GLANCE, sober=True).value < SURE:
        return None
    turns = won_in(position, most)
    if turns is None or turns < 2:
        return None
    first, *others = winning_moves(position, turns)
    return None if others else Puzzle(position, side, turns, first, game.id or "", ply.number)
