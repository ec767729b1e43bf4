"""A desk's games in the API: all public information, and no secret."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.desk import State, acts, public
from referee.errors import Refusal
from referee.game import GameFile, Player
from tests.support.api import client, served
from tests.support.desks import Desk, submit
from tests.support.examples import examples
from tests.support.servers import desk_at
from tests.support.strategies import any_move

if TYPE_CHECKING:
    from starlette.testclient import TestClient


def telling(desk: Desk) -> TestClient:
    def state_of(game: str) -> State:
        if game != desk.state.id:
            raise Refusal("unknown-game", f"there is no game {game!r} on this desk")
        return desk.state

    return client(state_of=state_of)


def secrets(desk: Desk) -> list[str]:
    """The desk's secrets: nonces, sealed moves with them, addresses, chance results."""
    return [part for kept in desk.secrets.values() for part in {kept, kept.rpartition(" ")[2]} if len(part) > 5]


def test_a_game_has_its_public_information() -> None:
    from referee.web.api.answers import GameAnswer

    desk = Desk(clock={"days": 3})
    desk.ask(submit("south", "P M1 A2 12"))
    answer = telling(desk).get("/api/v1/games/game-1")
    GameAnswer.model_validate_json(answer.content)
    expected = json.loads(json.dumps(public(desk.state, datetime.now(UTC))))
    assert answer.json().keys() == expected.keys()
    assert answer.json()["sides"]["south"]["commitment"] == desk.state.seals["south"].commitment
    assert "P M1 A2 12" not in answer.text


def test_a_game_that_waits_for_players_shows_no_board() -> None:
    from referee.web.api.answers import GameAnswer

    asking = telling(Desk.invited("the-beam", by="p1"))
    told = GameAnswer.model_validate_json(asking.get("/api/v1/games/game-1").content)
    assert told.position is None
    assert told.invitation is not None
    board = asking.get("/api/v1/games/game-1/board.svg")
    assert (board.status_code, board.json()["code"]) == (422, "not-open")


def test_people_are_named_as_on_the_pages() -> None:
    players = {"south": Player("ada@example.org"), "north": Player("Ben ben.secret@example.net")}
    told = telling(Desk(file=GameFile("boundary", players=players))).get("/api/v1/games/game-1")
    assert {side: seat["player"] for side, seat in told.json()["sides"].items()} == {"south": "", "north": "Ben …"}
    assert "@" not in told.text


@pytest.mark.slow
def test_no_player_is_named_before_they_have_joined() -> None:
    told = telling(Desk.invited("boundary", by="south")).get("/api/v1/games/game-1")
    names = {side: seat["player"] for side, seat in told.json()["sides"].items()}
    assert names == {"south": "player of south", "north": ""}
    assert "player of north" not in told.text


def test_a_game_that_is_not_there_is_not_found() -> None:
    answer = telling(Desk()).get("/api/v1/games/game-2")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown-game")


def test_the_board_is_seen_from_the_side_that_is_named() -> None:
    asking = telling(Desk("laser-chess"))
    blue, red = (asking.get(f"/api/v1/games/game-1/board.svg?view={side}").text for side in ("blue", "red"))
    assert blue != red
    assert asking.get("/api/v1/games/game-1/board.svg?view=west").json()["code"] == "parameter"


@pytest.mark.slow
@given(st.integers(0, 10**6), st.sampled_from(referee.GAMES))
@examples(0.5, quick=1)
def test_nothing_secret_is_in_any_answer(seed: int, game: str) -> None:
    chance = random.Random(seed)
    secret = "the seed of this very game" if game == "the-beam" else None
    desk = Desk(game, clock={"days": 3}, secret=secret)
    desk.ask(acts.Replace(desk.state.position.sides[0], "Grace", "grace@example.org"))
    asking = telling(desk)
    for _ in range(12):
        if desk.state.closed is not None:
            return
        (side, *_) = sorted(desk.state.owing)
        move = str(any_move(desk.state.position, side, chance))
        desk.ask(submit(side, move))
        sealed = desk.state.seals
        told = "".join(asking.get(path).text for path in ("/api/v1/games/game-1", "/api/v1/games/game-1/board.svg"))
        assert [one for one in (*secrets(desk), "example.org", "very game") if one in told] == []
        assert not sealed or f'"{move}"' not in told


@pytest.mark.slow
def test_a_desk_is_served_to_many_at_once(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    import httpx2

    from referee.mail.host.host import open_game
    from referee.mail.office import now

    addresses = {"south": "ada@example.com", "north": "ben@example.com"}
    with desk_at(tmp_path / "desk") as office:
        for number in range(20):
            open_game(office, f"spring-{number}", GameFile("beams"), now(), terms=None, addresses=addresses)
        before = {number: office.desk.log(f"spring-{number}") for number in range(20)}
    with served("--desk", str(tmp_path / "desk"), "--rate", "0") as address, ThreadPoolExecutor(8) as threads:
        paths = [f"{address}/api/v1/games/spring-{number % 20}" for number in range(400)]
        answers = list(threads.map(httpx2.get, paths))
        assert {one.status_code for one in answers} == {200}
        assert {one.json()["game"] for one in answers} == {f"spring-{number}" for number in range(20)}
        assert all("example.com" not in one.text for one in answers)
        assert httpx2.get(f"{address}/api/v1/games/winter-1").json()["code"] == "unknown-game"
    from referee.mail.office import office_in

    with office_in(tmp_path / "desk") as office:
        assert {number: office.desk.log(f"spring-{number}") for number in range(20)} == before
