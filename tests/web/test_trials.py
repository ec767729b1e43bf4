"""Data of a game's page for a player who chooses a move there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.desk import acts
from referee.web.site.markup import FILES
from tests.support.examples import sampled
from tests.support.sites import Club, club


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Club]:
    with club(tmp_path) as found:
        yield found


def trial(here: Club, side: str, text: str, status: int = 200) -> Any:  # noqa: ANN401 - JSON
    answer = here.browser.post("/g/spring-7/trial", params={"side": side}, content=text.encode())
    assert answer.status_code == status, answer.text
    return answer.json() if status == 200 else None


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(referee.GAMES, 2))
def test_the_legal_moves_of_the_side_to_move_are_there(here: Club, game: str) -> None:
    state = here.open("spring-7", game)
    for side in state.position.sides:
        if side not in state.owing:
            here.get(f"/g/spring-7/choices?side={side}", 404)
            continue
        told = json.loads(here.get(f"/g/spring-7/choices?side={side}"))
        assert (told["turn"], told["round"], told["tree"]["side"]) == (1, 1, side)
        assert told["tree"]["moves"] == len(state.position.legal_moves(side))
        assert told["board"]["facts"] == json.loads(json.dumps(state.position.facts()))


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(referee.GAMES, 2))
def test_the_board_to_choose_on_shows_what_the_last_ply_changed(here: Club, game: str) -> None:
    sides = here.open("spring-7", game).position.sides
    for _ in here.play("spring-7", len(sides)):
        pass
    for side in sorted(here.desk.state("spring-7").owing):
        board = json.loads(here.get(f"/g/spring-7/choices?side={side}"))["board"]
        assert board["svg"] == here.get(f"/g/spring-7/board.svg?view={side}")


@pytest.mark.slow
def test_there_are_no_choices_where_there_is_nothing_to_choose(here: Club) -> None:
    here.open("spring-7", "beams")
    here.get("/g/spring-7/choices?side=west", 404)
    here.get("/g/spring-7/choices", 404)
    here.get("/g/nothing/choices?side=south", 404)
    here.act("spring-7", "south", acts.MakeMove("P M1 A2 12"))
    here.get("/g/spring-7/choices?side=south", 404)
    assert trial(here, "south", "P M1 A2 12"), "a move that waits is shown to its player"
    here.get("/g/spring-7/choices?side=north")
    here.act("spring-7", "north", acts.Resign())
    trial(here, "south", "P M1 A2 12", 404)
    here.get("/g/spring-7/choices?side=south", 404)
    assert "data-mailbox" not in here.get("/g/spring-7")


def test_a_move_is_tried_and_not_made(here: Club) -> None:
    state = here.open("spring-7", "boundary")
    told = trial(here, "south", "p A1-a2")
    assert told["move"] == "P a1-a2"
    assert told["board"]["facts"] == state.position.play({"south": state.position.parse("south", "P a1-a2")}).facts()
    assert here.desk.state("spring-7") == state


@pytest.mark.slow
def test_faults_of_a_text_are_reported_with_their_places(here: Club) -> None:
    here.open("spring-7", "beams")
    told = trial(here, "south", "P M1 B3")
    assert (told["column"], "clock" in told["message"]) == (8, True)
    told = trial(here, "south", "P M1 A1 12")
    assert told["message"].startswith("there is no cell A1")
    assert trial(here, "south", "P M1 \x00\xff")["column"]
    trial(here, "south", "x" * 401, 413)
    assert here.browser.get("/g/spring-7/trial").status_code == 405


@pytest.mark.slow
def test_a_page_that_only_shows_gives_no_choices(tmp_path: Path) -> None:
    with club(tmp_path, mailbox="") as here:
        here.open("spring-7", "boundary")
        here.get("/g/spring-7/choices?side=south", 404)
        trial(here, "south", "P a1-a2", 404)
        assert "compose.js" not in here.get("/g/spring-7")


@pytest.mark.slow
def test_all_modules_are_there_and_small(here: Club) -> None:
    scripts = [here.get(f"/static/{name}") for name in FILES if name.endswith(".js")]
    assert sum(map(len, scripts)) < 120_000
    folder = Path(referee.__file__).parent / "draw" / "templates" / "composer"
    assert {f"composer/{path.name}" for path in folder.iterdir()} <= {*FILES}
    here.open("spring-7", "beams")
    assert here.get("/g/spring-7/board.css").startswith(".game { --shape: 572 / 692.96; }\n.board {")
