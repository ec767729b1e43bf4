"""A line of the desk's letters speaks if reading it alone finds a command, however quickly that is found out."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from referee.mail.intake.commands import read_commands, speaks

PARTS = [
    *(
        "resign",
        "P M1 A2 12",
        "offer draw",
        "move P S A2",
        "please",
        "hello",
        "message",
        "end",
        "yes",
        "2",
        "help",
        "draw",
    ),
    *("new beams with ada@example.org", "SIGNED " + "a" * 86, "--", "> ", ";", "!", ":", ",", "On Monday Ada wrote:"),
    *("Ada", "The board:", "south", "legal", "history", "vacation 3 days", "R B3 L", "try P M1 A2 12", "12"),
]
KINDS = sorted({line for file in Path("tests/mail/kinds").glob("*.txt") for line in file.read_text().splitlines()})
GAMES = st.sampled_from(["beams", "boundary", None])


def found(text: str, game: str | None) -> bool:
    reading = read_commands(text, game)
    return bool(reading.commands or reading.failed or reading.question)


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4), st.sampled_from(["", " ", "; "]), GAMES)
def test_words_of_commands_in_any_order(parts: list[str], between: str, game: str | None) -> None:
    assert speaks(between.join(parts), game) == found(between.join(parts), game)


@given(st.sampled_from(KINDS), st.sampled_from([str, str.upper, str.strip, lambda line: f"hello, {line}"]), GAMES)
def test_lines_of_letters(line: str, changed: object, game: str | None) -> None:
    assert callable(changed)
    assert speaks(changed(line), game) == found(changed(line), game)
