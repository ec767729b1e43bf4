"""The program of the host's settings, which plays the seats that the host gives it."""

from __future__ import annotations

from pathlib import Path

from referee.desk import EngineTurn, moves_of
from referee.engine.players import command_words
from referee.engine.program import Program
from referee.errors import RefereeError


def program_words(command: str | None) -> list[str]:
    """The words of the settings' command; RefereeError `program` if there is none, or it cannot be split."""
    if command is None:
        raise RefereeError("program", "the settings name no program under 'engines'")
    return command_words(command)


def program_move(command: str | None, folder: Path, turn: EngineTurn) -> str:
    """The move of a program, started for it alone, from what everybody knows; RefereeError `program` if it fails.

    Where there is a sandbox, it does not see the desk's folder, which has the secrets of all games.
    """
    history = [moves_of(turn.position.game, texts) for texts in turn.plies]
    with Program.started(program_words(command), turn.options, hidden=folder) as program:
        return str(program.choose(turn.position, turn.side, history))
