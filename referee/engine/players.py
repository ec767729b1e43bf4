"""Who makes the moves of a side: an engine, chance, or a program of one's own."""

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
    """Whoever can choose a move for a side."""

    def choose(self, position: Position, side: str, ply: int = 0, /) -> Move:
        """A legal move of a side that is to move after so many plies.

        Raises:
            RefereeError: `program` from a program that gives none.
        """


@dataclass(frozen=True, slots=True)
class EnginePlayer:
    """An engine of a level; its moves follow from the seed.

    After each ply it has another one: two engines that come back to a position do not go round in a circle.
    """

    level: int
    seed: str

    def choose(self, position: Position, side: str, ply: int = 0, /) -> Move:
        """As `referee.engine.choose`."""
        return choose(position, side, self.level, f"{self.seed} {ply}")


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Any legal move, each as likely as another; which one follows from the seed."""

    seed: str

    def choose(self, position: Position, side: str, ply: int = 0, /) -> Move:
        """A random move."""
        return position.any_move(side, Dice(f"chance {side} {self.seed} {ply} {position.facts()}").below)


@contextmanager
def chooser(spec: str, seed: str, options: Mapping[str, object]) -> Iterator[Chooser]:
    """Whom a text names; a program runs until the end.

    A text is a level, `engine:4`, `engine` for the usual level, `chance`, or `program:` and a command.

    Args:
        spec: the text.
        seed: what the moves of an engine or of chance follow from.
        options: those of the game, which a program is told.

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
    """A command in words, as a shell would have it."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise RefereeError("program", f"{shown(command)} is not a command: {error}") from None
