"""`referee plan`: a plan as the desk would read it, and its answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import referee

PLAN = "if M g8-g7 then M d2-d3\n  if M g7-g6 then M d3-d4"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    referee("new", "laser-chess", "-o", path)
    return path


def test_a_plan_is_printed_as_it_is_read_with_its_answers(game: Path) -> None:
    said = ("plan", game, "blue", "--after", "M d1-d2", "--reply", "M g8-g7", "--reply", "M g7-h7")
    run = referee(*said, "if m g8-g7 then M d2-d3\n\n  if M g7-g6 then m d3-d4")
    assert run.lines == [*PLAN.splitlines(), "M g8-g7: M d2-d3", "M g7-h7: no move, and the plan is over"]
    assert referee(*said, stdin=PLAN.encode()) == run


def test_a_plan_for_rounds_at_once_is_asked_after_each_round(tmp_path: Path) -> None:
    referee("new", "beams", "-o", tmp_path / "game.yaml")
    said = (
        "plan",
        tmp_path / "game.yaml",
        "south",
        "--after",
        "P M1 A2 12",
        "--reply",
        "P S A2",
        "--reply",
        "P S A4",
    )
    run = referee(*said, "any then R A2 L\n  any then P M1 A6 12")
    assert run.lines[2:] == ["P S A2: R A2 L", "P S A4: P M1 A6 12"]


def test_a_faulty_plan_is_refused_with_its_place(tmp_path: Path) -> None:
    referee("new", "boundary", "-o", tmp_path / "game.yaml")
    said = ("plan", tmp_path / "game.yaml", "south", "--after", "P a1-a2")
    run = referee(*said, "if P f1-f2 then P a1-b2\n  if P f2-f3 then P b2-c3")
    assert (run.status, run.err.splitlines()[0]) == (
        1,
        "occupied: line 2, 'if P f2-f3 then P b2-c3': a piece stands on c3",
    )
    assert referee(*said, "nonsense").status == 1
    assert referee("plan", tmp_path / "game.yaml", "green", "any then P a1-a2").status == 1
