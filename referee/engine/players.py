"""The players of a match: an engine, chance, or another program."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from referee.engine.choice import choose
from referee.engine.levels import LEVEL, LEVELS, USUAL_LEVEL, level_of
from referee.engine.program import Program
from referee.engine.search.dice import Dice
from referee.errors import RefereeError, shown
from referee.rules import Move, Moves, Position

Chooser = Callable[[Position, str, Sequence[Moves]], Move]
"""Makes a legal move of a side after the plies so far; RefereeError `program` if a program makes none."""


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
        yield lambda position, side, history: position.any_move(
            side, Dice(f"chance {side} {seed} {len(history)} {position.facts()}").below
        )
    elif kind == "program" and what.strip():
        with Program.started(command_words(what), options) as program:
            yield program.choose
    elif kind == "engine" or spec.isdecimal() or re.fullmatch(LEVEL, spec, re.IGNORECASE):
        level = level_of((what or USUAL_LEVEL) if kind == "engine" else spec).number
        # The seed differs in each ply, so that two engines that repeat a position do not go round.
        yield lambda position, side, history: choose(position, side, level, f"{seed} {len(history)}")
    else:
        known = f"a level from 1 to {len(LEVELS)}, chance, or program: and a command"
        raise RefereeError("level", f"there is no player {shown(spec)}: name {known}")


def command_words(command: str) -> list[str]:
    """The words of a program's command; RefereeError `program` if it cannot be split."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise RefereeError("program", f"{shown(command)} is not a command: {error}") from None
    if not words:
        raise RefereeError("program", "no program is named: write its command behind program:")
    return words
