"""Plans on the pages: what a letter would do, a board to play a line on, and nothing of it for any other reader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.web.site.site import Answered, Shelf
from tests.support.correspondence import GAME
from tests.web.seated import Seated, seated

PLAN = "if P f1-f2 then P a1-b2\n  if P f2-f3 then P b2-b3"
WORDS = ("b2-b3", "f2-f3", "a1-b2")
"""Moves that are in the plan, and nowhere else."""


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Seated]:
    """A game of Boundary in which south has moved, and waits."""
    with seated(tmp_path / "desk") as found:
        found.pair()
        act(found, "P a1-a2")
        yield found


def seat(here: Seated, game: str = GAME, **said: str) -> Any:  # noqa: ANN401 - JSON
    return here.post_to(f"/g/{game}/seat", **said).json()


def act(here: Seated, line: str, side: str = "south") -> Any:  # noqa: ANN401 - JSON
    answer = here.post_to(f"/g/{GAME}/move", key=seat(here, side=side)["key"], line=line)
    here.post.collect()
    return answer.json()


def ahead(here: Seated, line: str, **said: str) -> Any:  # noqa: ANN401 - JSON
    return here.post_to(f"/g/{GAME}/ahead", side="south", line=line, **said).json()


def test_a_plan_is_kept_followed_and_taken_back(here: Seated) -> None:
    assert "plan" in seat(here)["acts"]
    assert act(here, f"plan\n{PLAN}")["done"].startswith("I keep your plan sealed")
    assert seat(here)["plan"] == PLAN
    here.post.write("north", "P f1-f2")
    told = seat(here)
    assert (told["turn"], told["owes"], told["followed"]) == (4, False, [3])
    assert told["plan"] == "if P f2-f3 then P b2-b3"
    assert act(here, "plan off")["done"] == "I keep no plan of yours any more."
    assert seat(here)["plan"] is None
    assert act(here, "plan off")["code"] == "page-done"
    here.post.write("north", "P f2-f3")
    assert (seat(here)["owes"], seat(here)["spent"]) == (True, False)
    here.post.holds()


def test_a_plan_without_an_answer_says_so(here: Seated) -> None:
    act(here, f"plan\n{PLAN}")
    here.post.write("north", "P f1-e2")
    told = seat(here)
    assert (told["owes"], told["spent"], told["plan"], told["followed"]) == (True, True, None, [])


def test_a_line_is_played_for_both_seats(here: Seated) -> None:
    now = ahead(here, "")
    assert (now["side"], now["tree"]["side"], now["full"]) == ("north", "north", True)
    assert ahead(here, "north P f1-f2")["side"] == "south"
    assert ahead(here, "north ")["assumed"].keys() == {"north"}
    deeper = ahead(here, "north P f1-f2 | south P a1-b2\n")
    assert deeper["side"] == "north"
    assert deeper["board"]["facts"] != now["board"]["facts"]
    assert ahead(here, "south P a1-b2\n")["side"] == "north", "whatever north plays"
    assert ahead(here, "north P f1-f2 | south P a1-f6\n")["message"]
    assert ahead(here, "north P f1-f2 | south P a1-b2\n" * 21)["code"] == "plan"
    assert len(here.post.state.plies) == 1


def test_the_board_shows_no_shot_that_nobody_has_fired(tmp_path: Path) -> None:
    with seated(tmp_path / "desk", "laser-chess") as here:
        here.pair("blue")
        here.told("move", "blue", line="M d1-d2")
        told = here.post_to(f"/g/{GAME}/ahead", side="blue", line="red M a5-a6").json()
        assert not told["full"]
        assert told["board"]["facts"]["lost"] == []


def test_rounds_ahead_need_no_move_of_the_others(tmp_path: Path) -> None:
    with seated(tmp_path / "desk", "beams") as here:
        here.pair()
        act(here, "P M1 A2 12")
        own = {"chosen": "P M1 A2 12"}
        assert ahead(here, "", **own)["side"] == "south"
        assert ahead(here, "", by="north", **own)["side"] == "north"
        assert ahead(here, "north P S A2", **own)["side"] == "south"
        assert ahead(here, "south R A2 L\n", **own)["side"] == "south"
        act(here, "plan\nany then R A2 L")
        here.post.write("north", "P S A4")
        assert (seat(here)["chosen"], seat(here)["followed"]) == ("R A2 L", [2])


def test_a_plan_is_for_its_own_player_alone(here: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    shelved, take = list[bytes](), Shelf.body

    def body(shelf: Shelf, answered: Answered) -> bytes:
        shelved.append(take(shelf, answered))
        return shelved[-1]

    monkeypatch.setattr(Shelf, "body", body)
    act(here, f"plan\n{PLAN}")
    south = dict(here.browser.cookies.items())
    paths = ["", "/board.svg", "/feed", "/game.yaml", "?view=north", "?ply=1", "/choices?side=north", "/board.css"]
    for paired in (False, True):
        here.browser.cookies.clear()
        if paired:
            here.pair("north")
            act(here, "message: hello", "north")
        told = [here.browser.get(f"/g/{GAME}{path}").text for path in paths]
        told += [here.browser.get("/").text, here.browser.get("/p/South").text, here.post_to("/me/games").text]
        seats = [seat(here), seat(here, side="south"), seat(here, key=here.key()), seat(here, side="north")]
        assert all(one.get("plan") is None for one in seats)
        told += [str(one) for one in seats]
        told += [here.post_to(f"/g/{GAME}/ahead", side="south", line="").text]
        assert here.post_to(f"/g/{GAME}/ahead", side="south", line="").json()["code"] == "not-allowed"
        kept = [body for body in shelved if any(one.encode() in body for one in WORDS)]
        moves = [one for one in told if any(word in one for word in WORDS) and '"nodes"' not in one]
        assert (moves, kept) == ([], [])
    assert south


def test_a_page_sends_nothing_else_with_a_plan(here: Seated) -> None:
    assert act(here, f"plan\n{PLAN}\n\nresign")["code"] == "page-line"
    assert act(here, "plan\nif P f1-f2 then P zz")["message"]
    assert act(here, "plan\n" + "x" * 8_001)["code"] == "page-line"
    assert act(here, "plan")["code"] == "page-line"
    assert "planned" not in here.post.kinds


def test_a_line_ends_before_cards_that_are_not_turned(tmp_path: Path) -> None:
    with seated(tmp_path / "desk", "the-beam") as here:
        here.pair("p1")
        position, line = here.post.state.position, ""
        for side in ("p2", "p3"):
            told = here.post_to(f"/g/{GAME}/ahead", side="p1", line=line).json()
            assert told["side"] == side
            move = next(iter(position.legal_moves(side)))
            position, line = position.play({side: move}), f"{line} | {side} {move}"
        told = here.post_to(f"/g/{GAME}/ahead", side="p1", line=line).json()
        assert (told["side"], told["tree"]["moves"], told["board"]["facts"]["cards"]) == ("", 0, None)
