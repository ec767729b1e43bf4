"""Notes in which a word changes the meaning of the rest (twists.yaml): read right, or with the right question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.notes import Imported, import_notes, note_lines
from referee.notes.reader.segments import holds_moves
from tests.support.examples import examples, sampled
from tests.support.tables import table

UNSURE = {"bullets", "missing-clock", "unclear-double", "whatsapp"}
"""Originals that leave a question open."""

TWISTS = table(Path(__file__).with_name("twists.yaml"))


def end_of(found: Imported) -> str | None:
    """The end of a game, and its side."""
    end = found.game.ending
    return None if end is None else f"{end.how} by {end.by}" if end.by else str(end.how)


@pytest.mark.parametrize("case", sampled(TWISTS["cases"], 4), ids=lambda case: case["shows"])
def test_a_twist_is_read_right_or_asks_the_right_question(case: dict[str, Any]) -> None:
    base = TWISTS["bases"].get(case.get("base"), {"text": "", "moves": []})
    found = import_notes(note_lines(base["text"] + case["text"] + "\n", "notes"))
    moves = [str(one.move) for each in found.game.rounds for one in each.moves]
    assert moves == case.get("moves", base["moves"])
    assert end_of(found) == case.get("end")
    assert found.is_sure == case.get("sure", True)
    assert any(case.get("says", "") in one.message for one in found.remarks)
    assert found.game.options.items() >= case.get("options", {}).items()
    if "choices" in case:
        assert list(found.doubts[0].choices) == case["choices"]


PLAIN = [
    path.read_text(encoding="utf-8").splitlines()
    for path in sorted((Path(__file__).parent / "originals").glob("*.txt"))
    if path.stem not in UNSURE and path.stat().st_size < 300
]
"""The lines of short originals that leave no question open."""

NAMES = ["Ada", "Ben", "South", "red", "I", "We", "Rosa"]
ENDS = ["resigned", "resigns", "gave up", "wins", "has won", "lost on time", "wins on time", "won by adjudication"]
ENDS += ["agreed to a draw", "ran out of time", "surrendered", "conceded", "lost"]
AFTER = ["", ".", "!", " after a long fight.", ", what a game", " our other game", " today"]
CORRECTIONS = ["sorry, I meant {}", "Correction: {}", "oops, {} of course", "*{}", "that should be {}", "typo: {}"]
CORRECTIONS += ["{}, not {}", "not {} but {}", "I take {} back and play {}", "scratch that, {}", "a slip: {}"]
EXCUSES = [
    "Sorry for the delay.",
    "Sorry, I was ill.",
    "so sorry about the late answer",
    "My apologies for the wait!",
]
MOVES = [
    "P M1 A2 12",
    "M c4-d5",
    "c4-d5",
    "S d4-e5 P f6-e6",
    "R d1 L",
    "10",
    "left",
    "b5",
    "a6-b6",
    "P S B1",
    "M1 B3",
]
PLACES = st.integers(1, 8)
ORIGINALS = st.sampled_from(PLAIN)


def with_line(lines: list[str], place: int, line: str) -> str:
    """A text with a line put in."""
    return "\n".join([*lines[:place], line, *lines[place:]]) + "\n"


def moves_of(found: Imported) -> list[str]:
    """The moves of a game."""
    return [str(one.move) for each in found.game.rounds for one in each.moves]


@examples(1, quick=2)
@given(ORIGINALS, PLACES, st.sampled_from(NAMES), st.sampled_from(ENDS), st.sampled_from(AFTER))
def test_no_end_is_lost_in_silence(lines: list[str], place: int, name: str, end: str, after: str) -> None:
    found = import_notes(note_lines(with_line(lines, place, f"{name} {end}{after}"), "notes"))
    assert not found.is_sure or found.game.ending is not None


@examples(1, quick=2)
@given(ORIGINALS, PLACES, st.sampled_from(CORRECTIONS), st.sampled_from(MOVES), st.sampled_from(MOVES))
def test_no_correction_is_lost_in_silence(lines: list[str], place: int, words: str, one: str, two: str) -> None:
    line = words.format(one, two)
    found = import_notes(note_lines(with_line(lines, place, line), "notes"))
    told = any(remark.kind == "correction" and remark.line and remark.line.text in line for remark in found.remarks)
    is_of_game = all(holds_moves(found.game.game, move) for move in (one, two))
    assert not found.is_sure or told or (words == "{}, not {}" and not is_of_game)


@examples(1, quick=2)
@given(ORIGINALS, PLACES, st.sampled_from(MOVES))
def test_no_move_is_lost_in_silence(lines: list[str], place: int, move: str) -> None:
    line = f"and then {move} was on the board"
    plain = import_notes(note_lines("\n".join(lines), "notes"))
    found = import_notes(note_lines(with_line(lines, place, line), "notes"))
    is_repeat = any(move.removeprefix("M ") in str(one) for one in moves_of(plain))
    is_of_game = holds_moves(plain.game.game, move)
    assert not (found.is_sure and is_of_game) or is_repeat or moves_of(found) != moves_of(plain)


@examples(1, quick=2)
@given(ORIGINALS, PLACES, st.sampled_from(EXCUSES))
def test_an_excuse_changes_no_move(lines: list[str], place: int, excuse: str) -> None:
    plain = import_notes(note_lines("\n".join(lines), "notes"))
    found = import_notes(note_lines(with_line(lines, place, excuse), "notes"))
    assert moves_of(found) == moves_of(plain)
    assert found.game.ending == plain.game.ending
