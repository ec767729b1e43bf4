"""On a terminal, no line breaks inside a word: lines of words fit, and boards do."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from referee.rules import GAMES
from tests.support.examples import sampled
from tests.support.terminals import on_terminal

REFEREE = (sys.executable, "-m", "referee")
COMMANDS = ("", "play", "check", "report", "new", "legal", "move", "desk", "desk serve", "duel", "audit", "explain")
SEQUENCES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
DIGITS = re.compile(r"[0-9a-f]{64}")


def too_wide(shown: str, columns: int) -> list[str]:
    lines = SEQUENCES.sub("", shown).replace("\r\n", "\n").split("\n")
    return [line for line in lines if len(line.split("\r")[-1]) > columns and not DIGITS.search(line)]


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("command", sampled(COMMANDS, 3))
def test_help_fits(command: str, columns: int) -> None:
    words = [*REFEREE, *command.split(), *(["--help", "--no-pager"] if command else [])]
    shown = on_terminal(words, [], columns=columns).text
    assert too_wide(shown, columns) == []


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_while_playing_fits(game: str, columns: int, tmp_path: Path) -> None:
    """A line that is no move, a hint, why, a move and its board."""
    typed = [(">", f"{one}\n") for one in ("rules", "help", "hint", "why", "save", "claim", "quit")]
    shown = on_terminal([*REFEREE, "play", game, "--level", "1"], typed, columns=columns).text
    assert "fit" in shown
    assert too_wide(shown, columns) == []
