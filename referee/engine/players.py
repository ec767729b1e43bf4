"""The players of a match: an engine, chance, or another program."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from referee.engine.choice import choose
from referee.engine.levels import LEVELS, USUAL_LEVEL, level_of
from referee.engine.program import Program
from referee.engine.search.dice import Dice
from referee.errors import RefereeError, shown
from referee.rules import Move, Position


class Chooser(Protocol):
    """A player that can choose a move for a side."""

    def choose(self, position: Position, side: str, ply: int = 0, /) -> Move:
        """A legal move of a side that is to move after `ply` plies; RefereeError `program` if a program has none."""


@dataclass(frozen=True, slots=True)
class EnginePlayer:
    """An engine of a level; its moves follow from the seed.

    The seed changes with each ply, so that two engines that repeat a position do not go round in a circle.
    """

    level: int
    seed: str

    def choose(self, position: Position, side: str, ply: int = 0, /) -> Move:
        """As `referee.engine.choose`."""
        return choose(position, side, self.level, f"{self.seed} {ply}")


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """A player of random legal moves, which follow from the seed."""

    seed: str

    def choose(self, position: Position, side: str, ply: int = 0, /) -> Move:
        """A random move."""
        return position.any_move(side, Dice(f"chance {side} {self.seed} {ply} {position.facts()}").below)


@contextmanager
def chooser(spec: str, seed: str, options: Mapping[str, object]) -> Iterator[Chooser]:
    """The player of a text: a level, `engine:4`, `engine` for the usual level, `chance`, or `program:` and a command.

    The moves of an engine or of chance follow from the seed. A program gets the options of the game, and runs until
    the end.

    Raises:
        RefereeError: `level`, or `program` if there is no such program.
    """
    kind, _, what = spec.partition(":")
    if kind == "chance" and not what:
        yield RandomPlayer(seed)
    elif kind == "program" and what.strip():
        with Program.started(_words(what), options) as program:
            yield program
    elif kind == "engine" or spec.isdecimal():
        yield EnginePlayer(level_of((what or USUAL_LEVEL) if kind == "engine" else spec).number, seed)
    else:
        known = f"a level from 1 to {len(LEVELS)}, chance, or program: and a command"
        raise RefereeError("level", f"there is no player {shown(spec)}: name {known}")


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise RefereeError("program", f"{shown(command)} is not a command: {error}") from None
