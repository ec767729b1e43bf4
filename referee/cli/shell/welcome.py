"""The output of `referee` alone: the first steps."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from referee.rules import GAMES, all_games, game_named


def welcome_text() -> str:
    """Some commands to try, and where to go on."""
    game = game_named(GAMES[0])
    example = shlex.quote(_shortest(sorted(game.examples.glob("*.yaml"))[0]))
    lines = {
        f"referee report {example}": "look at a game that has been played",
        f"referee play {game.name}": "play against an engine; 'legal' lists moves, 'hint' names a good one",
        f"referee new {game.name} -o my-game.yaml": "write a game file of your own",
        "referee check my-game.yaml": "judge it; 'referee legal' lists moves, 'referee move' adds one",
    }
    steps = "".join(f"  {command}\n      {says}\n" for command, says in lines.items())
    return (
        "referee judges abstract board games that are written down move by move.\nBegin with:\n\n"
        f"{steps}\nGames: {', '.join(all_games())}. All commands: referee --help"
    )


def _shortest(path: Path) -> str:
    """A path relative to the current folder, if it is in it."""
    folder = Path(os.path.realpath(Path.cwd()))
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)
