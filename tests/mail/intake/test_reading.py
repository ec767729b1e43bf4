"""Readings of the lines of a letter (reading.yaml), and their results."""

from __future__ import annotations

from typing import Any

import pytest

from referee import parse_move
from referee.desk import MakeMove
from referee.desk.log.acts import Message
from referee.mail.intake.commands import read_commands, speaks
from referee.mail.intake.grammar import SEAL_WORDS
from referee.notation.grammar import accepted, load
from referee.rules import GAMES
from tests.support.corpus import HERE
from tests.support.rows import each
from tests.support.strategies import plies
from tests.support.tables import table

CASES: list[dict[str, Any]] = table(HERE / "reading.yaml")


@each(CASES, name=lambda case: str(case["shows"]))
def test_reading(case: dict[str, Any]) -> None:
    reading = read_commands(case["text"], case.get("game", "beams"), case.get("names", ()), case.get("addresses", ()))
    said = {
        "commands": [str(said.command) for said in reading.commands],
        "binding": [str(said.command) for said in reading.binding],
        "failed": [failed.line.text for failed in reading.failed],
        "says": [failed.error.message for failed in reading.failed],
        "unknown": [line.text for line in reading.unknown],
        "ignored": [line.text for line in reading.ignored],
        "question": reading.question.code if reading.question else "",
        "stop": reading.stop.text if reading.stop else "",
        "doubted": [str(said.command) for said in reading.doubted],
    }
    for key in ("failed", "unknown", "ignored", "question", "stop", "doubted"):
        assert said[key] == case.get(key, type(said[key])()), key
    assert said["commands"] == case.get("commands", [])
    assert said["binding"] == case.get("binding", [] if reading.question else said["commands"])
    for message, part in zip(said["says"], case.get("says", []), strict=False):
        assert part in message


def test_every_question_is_asked_for() -> None:
    asked = {case["question"] for case in CASES if "question" in case}
    assert asked == {"open-message", "contradiction", "two-moves", "two-rounds", "two-reveals", "unclear"}


@pytest.mark.parametrize("every", [40, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", GAMES)
def test_every_legal_move_is_read_as_itself(game: str, every: int) -> None:
    for ply in plies(game)[::every]:
        for move in ply.moves.values():
            for line in (str(move), f"  {str(move).lower()}.", f"7. {move}", f'"{move}"', f"{move} please"):
                (said,) = read_commands(line, game).commands
                assert isinstance(said.command, MakeMove)
                assert parse_move(game, said.command.text) == move
                assert speaks(line, game)


@pytest.mark.parametrize("game", GAMES)
def test_no_quoting_replays_a_move(game: str) -> None:
    move = str(next(iter(plies(game)[0].moves.values())))
    for line in (f"> {move}", f">{move}", f"  > > {move}", f"AL> {move}", f"south: {move}", f"7. south  {move}"):
        assert not speaks(line, game), line
    assert speaks(f"From: Ben\nTo: Ada\n\n-- \n{move}\n", game), "every line counts for itself"


@each(CASES, name=lambda case: str(case["shows"]))
def test_a_command_is_read_back_from_what_it_prints(case: dict[str, Any]) -> None:
    for said in read_commands(case["text"], case.get("game", "beams")).commands:
        (again,) = read_commands(str(said.command), case.get("game", "beams")).commands
        assert again.command == said.command


def test_a_message_keeps_its_letters_and_its_empty_lines() -> None:
    text = "message\n  \u201cSo long\u201d \u2013 Ben,\n\nand thanks\nEND."
    (said,) = read_commands(text, None).commands
    assert said.command == Message("\u201cSo long\u201d \u2013 Ben,\n\nand thanks")


def test_every_terminal_behind_seal_and_reveal_has_words_of_its_own() -> None:
    begun = ("seal", "seal for", "seal round", "seal 9", "reveal", f"reveal P M1 A2 12 {'a' * 64}")
    expected = set[str]().union(*(_expected(line) for line in begun))
    assert expected - {"$END"} == SEAL_WORDS.keys()
    assert len(set(SEAL_WORDS.values())) == len(SEAL_WORDS)


def _expected(line: str) -> set[str]:
    """The terminals that may follow the beginning of a command."""
    parser = load("letter").parse_interactive(line)
    parser.exhaust_lexer()
    return accepted(parser)
