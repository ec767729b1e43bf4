"""`referee legal`."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.game import judge, read
from tests.support.command_line import referee


def test_the_moves_of_all_sides_that_are_to_move(at_once: Path) -> None:
    position = judge(read(at_once)).position
    moves = {side: [str(move) for move in position.legal_moves(side)] for side in ("south", "north")}
    lines = [f"{side} {move}" for side, legal in moves.items() for move in legal]
    assert referee("legal", at_once).lines == lines
    assert referee("legal", at_once, "north").lines == moves["north"]
    assert referee("legal", at_once, "--count").lines == [f"{side} {len(legal)}" for side, legal in moves.items()]
    assert referee("legal", at_once, "south", "--count").lines == [str(len(moves["south"]))]


def test_only_the_side_to_move_is_listed(one_by_one: Path) -> None:
    count = referee("legal", one_by_one, "--count").out
    assert count == referee("legal", one_by_one, "south", "--count").out
    assert len(referee("legal", one_by_one).lines) == int(count)
    run = referee("legal", one_by_one, "north")
    assert run == (1, "", "not-your-turn: it is not north's turn: south is to move\n")


@pytest.mark.parametrize("side", ["South", "sotuh"])
def test_a_misspelt_side_is_no_move(at_once: Path, side: str) -> None:
    said = f"unknown-side: there is no side '{side}'; the sides are: south and north\n"
    assert referee("legal", at_once, side) == (1, "", said)


@pytest.mark.parametrize("words", [("P M2Y B7",), ("P", "M2Y", "B7"), ("p  m2y", "b7")])
def test_a_prefix_is_completed(at_once: Path, words: tuple[str, ...]) -> None:
    assert referee("legal", at_once, "south", *words).lines == [f"P M2Y B7 {clock}" for clock in (12, 2, 4, 6, 8, 10)]


def test_a_prefix_without_a_side(at_once: Path) -> None:
    assert referee("legal", at_once, "R").lines == ["south R B3 L", "south R B3 R", "north R B5 L", "north R B5 R"]
    assert referee("legal", at_once, "R", "--count").lines == ["south 2", "north 2"]


def test_a_prefix_that_no_move_has(at_once: Path) -> None:
    run = referee("legal", at_once, "south", "R A2")
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith("no-legal-move: no legal move begins with 'R A2'\n    try: ")


def test_a_prefix_that_is_no_notation(at_once: Path) -> None:
    run = referee("legal", at_once, "south", "P M7")
    assert (run.status, run.out) == (1, "")
    assert run.err.splitlines()[:3] == [
        "syntax: 'M7' does not fit; expected a piece: M1, M2V, M2Y, M3, R1, R2V, R2Y, R3 or S for a booster",
        "    P M7",
        "      ^",
    ]


def test_no_moves_are_left_in_a_game_that_is_over(tmp_path: Path) -> None:
    path = tmp_path / "over.yaml"
    path.write_text("game: beams\nend: {how: agreement}\n", encoding="utf-8")
    assert referee("legal", path) == (1, "", "game-over: the game is over (agreement): there is no legal move\n")
