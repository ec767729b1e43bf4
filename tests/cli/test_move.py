"""`referee move`."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.game import read
from tests.support.command_line import referee


def test_both_moves_are_added(at_once: Path) -> None:
    before = at_once.read_text(encoding="utf-8")
    run = referee("move", at_once, "north", "r b5 l", "south", "p  s e2")
    assert run == (0, "round 3, ply 3: south P S E2; north R B5 L\n", "")
    assert at_once.read_text(encoding="utf-8") == before + "  3. P S E2     | R B5 L\n"


def test_one_move_is_added(one_by_one: Path) -> None:
    before = one_by_one.read_text(encoding="utf-8")
    assert referee("move", one_by_one, "south", "P M1 B3 12:00").out == "round 2, ply 4: south P M1 B3 12\n"
    assert one_by_one.read_text(encoding="utf-8") == before[:-1] + " | P M1 B3 12\n"
    assert referee("move", one_by_one, "north", "P M1 B3 12").out == "round 3, ply 5: north P M1 B3 12\n"
    assert len(list(read(one_by_one).replay())) == 5


def test_one_command_makes_one_ply(one_by_one: Path) -> None:
    run = referee("move", one_by_one, "south", "P S A4", "south", "P S A2")
    assert (run.status, run.err.splitlines()[-1]) == (2, "Error: south has two moves here: one command makes one ply")


@pytest.mark.parametrize(
    ("moves", "lines"),
    [
        (("south", "P S A4"), ["missing-move: north owes a move: these moves are made at once"]),
        (("west", "P S A4"), ["unknown-side: there is no side 'west'; the sides are: south and north"]),
        (
            ("south", "P S E2", "north", "P S A2"),
            ["occupied: north: S stands on A2 already"],
        ),
        (
            ("south", "P M2Y B7", "north", "P S A4"),
            [
                "syntax: the move ends too early; expected a clock: 12, 2, 4, 6, 8 or 10",
                "    P M2Y B7",
                "            ^",
            ],
        ),
    ],
)
def test_a_refused_move_says_why_and_changes_nothing(at_once: Path, moves: tuple[str, ...], lines: list[str]) -> None:
    before = at_once.read_bytes()
    run = referee("move", at_once, *moves)
    assert (run.status, run.out) == (1, "")
    told = run.err.splitlines()
    assert told[: len(lines)] == lines
    assert all(line.startswith("    try: P ") for line in told[len(lines) :])
    assert at_once.read_bytes() == before


def test_a_side_that_is_not_to_move(one_by_one: Path) -> None:
    run = referee("move", one_by_one, "north", "P S A8")
    assert run == (1, "", "not-your-turn: it is not north's turn: south is to move\n")


@pytest.mark.parametrize(
    "moves", [(), ("south",), ("south", "P S A4", "north"), ("south", "P S A4", "south", "P S A6")]
)
def test_wrong_usage(at_once: Path, moves: tuple[str, ...]) -> None:
    before = at_once.read_bytes()
    run = referee("move", at_once, *moves)
    assert (run.status, run.out) == (2, "")
    assert "Usage: referee move" in run.err
    assert at_once.read_bytes() == before


def test_a_file_that_does_not_hold_is_refused_with_its_findings(at_once: Path) -> None:
    at_once.write_text(at_once.read_text(encoding="utf-8") + "  3. P S A1 | P S A4\n", encoding="utf-8")
    run = referee("move", at_once, "south", "P S A4", "north", "P S A4")
    assert run.status == 1
    assert run.err.startswith(f"{at_once}:8:6: unknown-cell: there is no cell A1")
