"""`referee report`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.draw.words import words
from referee.game import read
from tests.support.command_line import referee


def test_the_last_ply_is_shown(at_once: Path) -> None:
    run = referee("report", at_once)
    assert (run.status, run.err) == (0, "")
    assert run.lines[0] == "Beams, Boosters and Barriers: round 2, after ply 2"
    assert run.lines[1] == "south: Ada   north: Ben"
    assert "score         south 1, north 0" in run.lines
    assert "last ply      south P S C4 !; north P R1 B5 4" in run.lines
    assert run.lines[-1] == "to move       south and north, at the same time"


@pytest.mark.parametrize(("number", "title"), [(0, "before the first ply"), (1, "round 1, after ply 1")])
def test_any_ply_is_shown(at_once: Path, number: int, title: str) -> None:
    assert referee("report", at_once, "--ply", number).lines[0] == f"Beams, Boosters and Barriers: {title}"


def test_every_ply_is_shown(one_by_one: Path) -> None:
    run = referee("report", one_by_one, "--every")
    titles = [line for line in run.lines if line.startswith("Beams, ")]
    assert titles == [
        f"Beams, Boosters and Barriers: round {round_}, after ply {ply}" for round_, ply in ((1, 1), (1, 2), (2, 3))
    ]


def test_one_object_a_ply_as_the_design_says(at_once: Path) -> None:
    first, second = referee("report", at_once, "--every", "--format", "jsonl").objects
    assert first == {
        "ply": 1,
        "round": 1,
        "moves": {"south": "P M1 B3 12", "north": "P S A2"},
        "position": {
            "pieces": [
                {"side": "south", "piece": "M1", "cell": "B3", "clock": 12, "power": 1},
                {"side": "north", "piece": "S", "cell": "A2", "clock": None, "power": None},
            ],
            "hands": {
                "south": {"M1": 2, "M2V": 1, "M2Y": 1, "M3": 1, "R1": 3, "R2V": 1, "R2Y": 1, "R3": 1, "S": 4},
                "north": {"M1": 3, "M2V": 1, "M2Y": 1, "M3": 1, "R1": 3, "R2V": 1, "R2Y": 1, "R3": 1, "S": 3},
            },
            "beams": [
                {"side": "south", "cell": "B3", "clock": 12, "power": 1, "exit": {"boundary": "north", "column": 13}}
            ],
            "counters": {"south": {}, "north": {"13": 1}},
            "score": {"south": 1, "north": 0},
        },
        "to_move": ["north", "south"],
        "outcome": None,
    }
    assert (second["ply"], second["round"], second["moves"]["north"]) == (2, 2, "P R1 B5 4")
    assert [ply.as_json() for ply in read(at_once).replay()] == [first, second]


def test_json_is_one_object_or_with_every_a_list(at_once: Path) -> None:
    lines = referee("report", at_once, "--every", "--format", "jsonl").objects
    assert json.loads(referee("report", at_once, "--every", "--format", "json").out) == lines
    assert json.loads(referee("report", at_once, "--format", "json").out) == lines[-1]
    assert referee("report", at_once, "--ply", 1, "--format", "jsonl").objects == lines[:1]


def test_the_start_is_ply_0(at_once: Path) -> None:
    (start,) = referee("report", at_once, "--ply", 0, "--format", "jsonl").objects
    assert (start["ply"], start["round"], start["moves"], start["position"]["pieces"]) == (0, 0, {}, [])
    assert start["to_move"] == ["north", "south"]


def test_a_game_without_moves(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text('{"game": "beams"}', encoding="utf-8")
    assert referee("report", path).lines[0].endswith("before the first ply")
    assert referee("report", path, "--every") == (0, "", "")
    assert json.loads(referee("report", path, "--every", "--format", "json").out) == []


def test_the_outcome(tmp_path: Path, at_once: Path) -> None:
    path = tmp_path / "over.yaml"
    path.write_text(f"end: {{how: resignation, by: south}}\n{at_once.read_text(encoding='utf-8')}", encoding="utf-8")
    first, last = referee("report", path, "--every", "--format", "jsonl").objects
    assert (first["outcome"], first["to_move"]) == (None, ["north", "south"])
    assert last["outcome"] == {"winner": "north", "how": "resignation", "score": {"south": 1, "north": 0}}
    assert last["to_move"] == []
    assert referee("report", path).lines[-1] == "result        north wins (resignation)"


def test_the_board_turns_round_with_the_view(at_once: Path) -> None:
    south, north = (referee("report", at_once, "--view", side).out for side in ("south", "north"))
    assert south == referee("report", at_once).out
    assert south.index("north's rear boundary") < south.index("south's rear boundary")
    assert north.index("south's rear boundary") < north.index("north's rear boundary")


def test_ascii_unless_asked_for_more(at_once: Path) -> None:
    assert referee("report", at_once).out.isascii()
    assert "\u2191" in referee("report", at_once, "--unicode").out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--view", "east"), "--view must be south or north, not 'east'"),
        (("--every", "--ply", 1), "--every cannot be combined with --ply"),
        (("--ply", -1), "x>=0"),
        (("--format", "xml"), "'text', 'json', 'jsonl'"),
    ],
)
def test_wrong_usage(at_once: Path, arguments: tuple[object, ...], says: str) -> None:
    run = referee("report", at_once, *arguments)
    assert (run.status, run.out) == (2, "")
    assert says in run.err


def test_a_ply_that_is_not_there(at_once: Path) -> None:
    assert referee("report", at_once, "--ply", 3) == (1, "", "no-such-ply: there is no ply 3: the game has 2\n")


def test_plies_before_a_wrong_move_are_shown(at_once: Path) -> None:
    at_once.write_text(at_once.read_text(encoding="utf-8") + "  3. P S A1 | P S A4\n", encoding="utf-8")
    assert referee("report", at_once, "--ply", 2).status == 0
    run = referee("report", at_once, "--every", "--format", "jsonl")
    assert (run.status, [one["ply"] for one in run.objects]) == (1, [1, 2])
    assert run.err.startswith(f"{at_once}:8:6: unknown-cell: there is no cell A1")


POSITION = "board l2 3 d2 k0 d2 3 / 10 / 10 / 10 / 10 / 10 / 10 / 4 K0 4 L0 | turn red"


def test_a_position_is_shown_without_a_file() -> None:
    run = referee("report", "--game", "laser-chess", "--position", POSITION)
    assert (run.status, run.err) == (0, "")
    assert run.lines[0] == "Laser Chess: before the first ply"
    assert run.lines[-1] == "to move       red"


def test_the_text_of_a_position_is_shown(at_once: Path) -> None:
    run = referee("report", "--game", "laser-chess", "--position", POSITION, "--format", "position")
    assert run == (0, f"{POSITION}\n", "")
    texts = referee("report", at_once, "--every", "--format", "position").lines
    assert texts == [str(ply.position) for ply in read(at_once).replay()]


def test_a_position_is_described_in_sentences(at_once: Path) -> None:
    run = referee("report", at_once, "--every", "--format", "words", "--view", "north")
    first, second = run.out.split("\n\n")
    *_, last = read(at_once).replay()
    assert second.splitlines() == [*words(last.position, "north", last.events)]
    assert "Last: south placed a booster on C4." in second
    assert first.splitlines()[:2] == second.splitlines()[:2]


@pytest.mark.parametrize("form", ["json", "jsonl", "svg", "png", "text"])
def test_a_position_is_shown_in_every_form(form: str, tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    run = referee("report", "--game", "laser-chess", "--position", POSITION, "--format", form, "-o", shown)
    assert run == (0, "", "")
    assert shown.stat().st_size > 100


def test_the_start_of_a_game_is_shown_without_a_file() -> None:
    run = referee("report", "--game", "beams", "--option", "columns=17", "--format", "position")
    assert run.out.startswith("board 17x13 | south-hand ")


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        ((), 2, "name a FILE, or a game with --game"),
        (("--position", POSITION), 2, "name a FILE, or a game with --game"),
        (("x.yaml", "--position", POSITION), 2, "a FILE names its own game"),
        (("--game", "boundary", "--position", POSITION), 1, "position: expected a board of 6 rows"),
        (("--game", "beams", "--option", "columns=4"), 1, "option: columns"),
    ],
)
def test_a_position_that_cannot_be_shown(arguments: tuple[str, ...], status: int, says: str) -> None:
    run = referee("report", *arguments)
    assert (run.status, run.out) == (status, "")
    assert says in run.err
