"""`referee diff`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from referee.game import GameFile
from referee.game.amend.difference import difference
from tests.support.command_line import Run, referee
from tests.support.examples import examples
from tests.support.game_files import game_files
from tests.support.rows import each

GAME = """\
game: beams
players:
  south: {name: Ada}
options: {mode: synchronous}
moves: |
  1. P S A2 {so} | P S A4
  2. P S A6      | P S A8
"""
SAME = "the two are the same game: the same header, moves, marks and comments"
LAYOUT = "; only the layout of the files differs, or their comments after #"


def compared(folder: Path, first: str, second: str, *more: str) -> Run:
    for name, text in (("a.yaml", first), ("b.yaml", second)):
        (folder / name).write_text(text, encoding="utf-8")
    return referee("diff", folder / "a.yaml", folder / "b.yaml", *more)


@each(
    [
        ("1. P S A2", "P S A2", [SAME + LAYOUT]),
        ("{name: Ada}", "{name: Ada}  # ours", [SAME + LAYOUT]),
        ("{name: Ada}", "{name: Bea}", ["players.south.name: Ada -> Bea"]),
        ("mode: synchronous", "mode: synchronous, rows: 15", ["options.rows: (none) -> 15"]),
        ("{so}", "!", ["round 1, south, notes: {so} -> !"]),
        ("  2. ", "  {a}\n  2. ", ["round 2, notes: (none) -> {a}"]),
        ("A8\n", "A8\n  {a}\n", ["after the last round, notes: (none) -> {a}"]),
        (
            "P S A6 ",
            "P S B3",
            [
                "round 2, south: P S A6 -> P S B3",
                "a.yaml: 2 moves from there on",
                "b.yaml: 2 moves from there on",
            ],
        ),
        (
            " | P S A8",
            "",
            ["round 2, north: P S A8 -> (none)", "a.yaml: 1 move from there on", "b.yaml: 0 moves from there on"],
        ),
        (
            "P S A6",
            "P S A5",
            [
                "round 2, south: P S A6 -> P S A5",
                "a.yaml: 2 moves from there on",
                "b.yaml: 2 moves from there on",
            ],
        ),
    ]
)
def test_differences_are_reported(row: tuple[str, str, list[str]], tmp_path: Path) -> None:
    old, new, said = row
    assert old in GAME
    run = compared(tmp_path, GAME, GAME.replace(old, new))
    assert [line.removeprefix(f"{tmp_path}/") for line in run.lines] == said
    assert (run.status, run.err) == (int(SAME not in said[0]), "")


def test_a_program_gets_the_same_differences(tmp_path: Path) -> None:
    data: Any = json.loads(compared(tmp_path, GAME, GAME.replace("A8", "A10"), "--format", "json").out)
    assert data["parting"] == {"round": 2, "side": "north", "first": "P S A8", "second": "P S A10"}
    assert (data["same"], data["after"], data["header"]) == (False, {"first": 1, "second": 1}, [])


def test_one_of_them_may_come_from_the_standard_input(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(GAME, encoding="utf-8")
    assert referee("diff", path, "-", stdin=GAME.encode()) == (0, f"{SAME}\n", "")
    assert referee("diff", "-", "-").status == 2


@pytest.mark.parametrize("text", ["", "game: chess\n", "game: beams\nmoves: |\n  P S\n"])
def test_a_file_that_is_no_game_cannot_be_compared(tmp_path: Path, text: str) -> None:
    run = compared(tmp_path, GAME, text)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"{tmp_path}/b.yaml:")


def test_moves_that_break_the_rules_are_compared_too(tmp_path: Path) -> None:
    broken = GAME.replace("P S A4", "P S A3")
    run = compared(tmp_path, broken, broken.replace("A8", "A9"))
    assert run.lines[0] == "round 2: P S A8 -> P S A9"


@given(game_files(), game_files())
@examples(0.2)
def test_two_games_are_the_same_if_and_only_if_nothing_differs(one: GameFile, other: GameFile) -> None:
    assert not difference(one, one)
    assert bool(difference(one, other)) == (one != other)
