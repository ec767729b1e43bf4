"""On a terminal, no line breaks inside a word: lines of words fit, and boards do."""

from __future__ import annotations

import re
import sys

import pytest

from referee.rules import GAMES, game_named
from tests.cli.terminals import on_terminal
from tests.support.examples import sampled

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
    words = [*REFEREE, *command.split(), *(["--help"] if command else [])]
    shown = on_terminal(words, columns=columns, environment={"PAGER": "cat"}).text
    assert shown
    assert too_wide(shown, columns) == []


@pytest.mark.slow
@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize("game", GAMES)
def test_the_output_while_playing_fits(game: str, columns: int) -> None:
    """Its answers to all commands and to a text that is no move, and the board."""
    prompt = f"{game_named(game).sides[0]}> "
    typed = [(prompt, f"{one}\r") for one in ("help", "hint", "why", "claim", "nonsense", "quit")]
    shown = on_terminal([*REFEREE, "play", game, "--against", "1"], [*typed, (prompt, "\x04")], columns=columns)
    assert "fit" in shown.text
    assert too_wide(shown.text, columns) == []
