"""A paired browser acts in all seats of its address without a letter's link, and no other browser does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import islice
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from referee.desk import Terms, write_time
from referee.game import GameFile, Player
from referee.mail.host.host import open_game
from tests.support.correspondence import GAME, address, text
from tests.web.seated import Seated, seated

MOVE = "1. P a1-a2"
OWN = "P M1 A2 12"
"""A first move of Beams."""


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Seated]:
    with seated(tmp_path / "desk") as found:
        found.pair()
        yield found


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[Seated]:
    """A game of moves at once."""
    with seated(tmp_path / "desk", "beams") as found:
        found.pair()
        yield found


def seat(here: Seated, **said: str) -> Any:  # noqa: ANN401 - JSON
    answer = here.post_to(f"/g/{GAME}/seat", **said)
    assert answer.status_code == 200, answer.text
    return answer.json()


def act(here: Seated, line: str, side: str = "", **said: str) -> Any:  # noqa: ANN401 - JSON
    answer = here.post_to(f"/g/{GAME}/move", key=seat(here, side=side)["key"], line=line, **said)
    assert answer.status_code == 200, answer.text
    here.post.collect()
    return answer.json()


def last(here: Seated, side: str) -> str:
    """The newest letter to a side."""
    return " ".join(text(here.post.letters[address(side)][-1]).split())


def refusal(here: Seated, line: str, key: str) -> tuple[int, str]:
    answer = here.post_to(f"/g/{GAME}/move", key=key, line=line)
    return answer.status_code, answer.json()["code"]


@pytest.mark.slow
def test_a_paired_browser_needs_no_link(here: Seated) -> None:
    told = seat(here)
    assert (told["side"], told["paired"], told["owes"], told["turn"]) == ("south", True, True, 1)
    assert act(here, MOVE) == {"done": "You played P a1-a2.", "answer": None, "link": None}
    told = seat(here)
    assert (told["owes"], told["turn"]) == (False, 2)
    here.post.write("north", "P f1-f2")
    assert seat(here)["owes"]
    assert "a1-b2" in act(here, "P a1-b2")["done"]
    here.post.holds()


def test_others_are_spectators(here: Seated) -> None:
    here.browser.cookies.clear()
    assert seat(here) == {"paired": False, "asked": False, "side": None}
    assert seat(here, side="south")["side"] is None


def test_the_key_of_a_link_gives_an_unpaired_browser_nothing_of_its_player(sealed: Seated) -> None:
    act(sealed, OWN)
    sealed.browser.cookies.clear()
    told = sealed.told("seat")
    assert (told["paired"], told["chosen"], told["acts"], told["next"]) == (False, None, [], None)
    assert OWN not in str(told)


@pytest.mark.slow
def test_a_sealed_move_is_shown_to_its_own_player_alone(sealed: Seated) -> None:
    assert act(sealed, OWN)["done"] == f"You played {OWN}. Your move is sealed; waiting for north."
    assert (seat(sealed)["chosen"], seat(sealed)["owes"]) == (OWN, False)
    south = dict(sealed.browser.cookies.items())
    sealed.browser.cookies.clear()
    for path in (f"/g/{GAME}", f"/g/{GAME}/feed", f"/g/{GAME}/board.svg"):
        assert f"{OWN}<" not in sealed.browser.get(path).text
    sealed.pair("north")
    assert (seat(sealed)["side"], seat(sealed)["chosen"]) == ("north", None)
    answer = act(sealed, "P M1 B3 12")
    assert answer == {"done": "You played P M1 B3 12.", "answer": f"south played {OWN}. Your move.", "link": None}
    assert seat(sealed)["chosen"] is None
    assert south
    sealed.post.holds()


@pytest.mark.slow
def test_a_move_counts_for_the_turn_that_its_player_saw(here: Seated) -> None:
    old = seat(here)["key"]
    here.post.write("south", MOVE, to=here.post.office.seat_address(here.post.state, "south"))
    here.post.write("north", "P f1-f2")
    assert refusal(here, "P b1-b2", old) == (409, "page-key")
    assert refusal(here, "P b1-b2", "") == (403, "no-seat")
    answer = here.post_to(f"/g/{GAME}/move", line="P b1-b2")
    assert (answer.status_code, answer.json()["code"]) == (400, "json")
    assert len(here.post.state.plies) == 2


@pytest.mark.slow
def test_a_browser_of_two_players_moves_for_the_one_it_names(here: Seated) -> None:
    here.pair("north")
    assert seat(here)["side"] == "south", "the one that owes a move"
    assert seat(here, side="north")["side"] == "north"
    act(here, MOVE)
    assert seat(here)["side"] == "north"


@pytest.mark.slow
def test_a_host_may_want_a_link_for_each_move(tmp_path: Path) -> None:
    with seated(tmp_path / "desk", web="{moves: submit, link: each-move}") as here:
        here.pair()
        assert (seat(here)["key"], seat(here)["owes"]) == ("", True)
        assert refusal(here, MOVE, "") == (403, "no-seat")
        assert here.told("seat")["key"] == here.key()
        here.told("move", line=MOVE)
        here.post.collect()
        here.post.write("north", "P f1-f2")
        assert seat(here)["key"] == ""


@pytest.mark.slow
def test_acts_on_the_page_are_those_of_letters(here: Seated) -> None:
    assert seat(here)["acts"] == ["offer draw", "resign", "message"]
    assert "draw" in act(here, "offer draw")["done"]
    assert "offer" in last(here, "north")
    assert seat(here)["offer"] == {"by": "south", "what": "draw"}
    assert "offer draw" not in seat(here)["acts"]
    here.pair("north")
    assert {"accept draw", "decline draw"} <= {*seat(here, side="north")["acts"]}
    assert "decline" in act(here, "decline draw", "north")["done"]
    assert seat(here)["offer"] is None
    act(here, "message: Good luck,\nand have fun!")
    assert "and have fun!" in last(here, "north")
    assert act(here, "resign")["answer"].startswith("The game is over")
    assert here.post.state.closed is not None
    here.post.holds()


@pytest.mark.slow
def test_an_offer_is_accepted_on_the_page(here: Seated) -> None:
    here.post.write("north", "offer draw", to=here.post.office.seat_address(here.post.state, "north"))
    assert seat(here)["offer"] == {"by": "north", "what": "draw"}
    act(here, "accept draw")
    assert here.post.state.outcome is not None
    assert here.post.state.outcome.winner is None


@pytest.mark.slow
def test_a_message_that_is_sent_again_is_passed_on_once(here: Seated) -> None:
    key = seat(here)["key"]
    said = {"key": key, "line": "message: Hello!", "once": "a press of the button"}
    first = here.post_to(f"/g/{GAME}/move", **said)
    here.post.collect()
    here.post.pass_time(0.01)
    again = here.post_to(f"/g/{GAME}/move", **said)
    assert (first.status_code, again.status_code, again.json()["code"]) == (200, 409, "page-done")
    assert here.post.kinds.count("message") == 1
    act(here, "message: Hello!", once="another press")
    assert here.post.kinds.count("message") == 2


@pytest.mark.slow
def test_time_is_given_and_claimed_on_the_page(tmp_path: Path) -> None:
    with seated(tmp_path / "desk", clock={"days": 2}) as here:
        here.pair("north")
        assert "give" in seat(here)["acts"]
        assert "2 days" in act(here, "give 2 days")["done"]
        here.post.pass_time(24 * 9)
        assert "claim timeout" in seat(here)["acts"]
        act(here, "claim timeout")
        assert here.post.state.closed is not None


@pytest.mark.slow
def test_a_rematch_is_asked_for_and_accepted_on_the_page(tmp_path: Path) -> None:
    with seated(tmp_path / "desk", settings="open: players\n") as here:
        here.pair("north")
        here.pair()
        assert refusal(here, "rematch", seat(here)["key"]) == (422, "not-over")
        act(here, "resign")
        assert seat(here)["acts"] == ["rematch"]
        asked = act(here, "rematch")
        assert asked["link"].startswith("/g/boundary-")
        assert "You ask for a rematch" in asked["done"]
        assert "asks for another game of Boundary" in last(here, "north")
        begun = act(here, "rematch", "north")
        assert begun["link"] == asked["link"]
        assert "The rematch has begun" in begun["done"]


@pytest.mark.slow
def test_an_engine_answers_at_once(tmp_path: Path) -> None:
    with seated(tmp_path / "desk", settings="open: players\n", answering=True) as here:
        here.pair()
        opened = here.post_to("/play/open", line="new boundary with engine:1, as south").json()
        game = opened["link"].partition("#")[0]
        told = here.post_to(f"{game}/seat").json()
        made = here.post_to(f"{game}/move", key=told["key"], line=MOVE).json()
        assert made["done"] == "You played P a1-a2."
        assert made["answer"].startswith("Engine 1 answered ")
        assert made["answer"].endswith(" Your move.")


@pytest.mark.slow
def test_a_player_sees_the_games_that_wait(here: Seated) -> None:
    addresses = {"south": address("south"), "north": address("north")}
    open_game(here.post.office, "autumn-1", GameFile("beams"), here.post.at, terms=None, addresses=addresses)
    here.post.collect()
    assert here.post_to("/me/state").json() == {
        "paired": True,
        "name": "south",
        "waiting": 2,
        "next": "/g/autumn-1",
    }
    act(here, MOVE)
    assert seat(here)["next"] == {"count": 1, "link": "/g/autumn-1"}
    shown = here.post_to("/me/games").json()
    assert "it is your move in 1 game." in shown["html"]
    assert shown["html"].index("/g/autumn-1") < shown["html"].index(f"/g/{GAME}")
    assert "board.svg?small=1" in shown["html"]
    assert [one["here"] for one in shown["browsers"]] == [True]


def test_a_game_on_vacation_still_waits_for_its_player_until_their_own_deadline(here: Seated) -> None:
    addresses = {"south": address("south"), "north": address("north")}
    terms = Terms(3, vacation=10)
    open_game(here.post.office, "autumn-1", GameFile("beams"), here.post.at, terms=terms, addresses=addresses)
    office = here.post.office
    here.post.collect()
    here.post.write("south", "vacation 5", to=office.seat_address(office.desk.state("autumn-1"), "south"))
    clock = office.desk.state("autumn-1").clock
    mine, theirs = (write_time(due) for side in ("south", "north") if (due := clock.deadline(side)))
    shown = here.post_to("/me/games").json()["html"]
    assert "to move, on vacation" in shown
    assert mine[:10] in shown
    assert theirs[:10] not in shown


def test_names_in_a_player_s_games_are_text(here: Seated) -> None:
    addresses = {"south": address("south"), "north": address("north")}
    players = {"south": Player("<b>South</b>"), "north": Player("<img src=x onerror=alert(1)>")}
    file = GameFile("beams", players=players, event="<script>alert(1)</script>")
    open_game(here.post.office, "autumn-1", file, here.post.at, terms=None, addresses=addresses)
    here.post.collect()
    shown = here.post_to("/me/games").json()["html"]
    assert "&lt;img src=x" in shown
    assert [part for part in ("<b>South", "<img src=x", "<script") if part in shown] == []


def test_what_is_a_player_s_own_is_on_no_page(here: Seated) -> None:
    for path in ("/", "/me", f"/g/{GAME}"):
        answer = here.browser.get(path)
        assert "set-cookie" not in answer.headers
        mine = answer.text
        here_cookies = dict(here.browser.cookies.items())
        here.browser.cookies.clear()
        assert here.browser.get(path).text == mine
        for name, secret in here_cookies.items():
            here.browser.cookies.set(name, secret, domain="desk.example.org")
    here.browser.cookies.clear()
    assert here.post_to("/me/state").json() == {"paired": False, "name": "", "waiting": 0, "next": None}
    assert here.post_to("/me/games").json()["html"] == ""


@pytest.mark.parametrize("game", ["beams", "boundary", "laser-chess", "the-beam"])
def test_a_small_board_has_no_writing_around_it(game: str, tmp_path: Path) -> None:
    with seated(tmp_path / "desk", game) as here:
        whole = here.browser.get(f"/g/{GAME}/board.svg").text
        small = here.browser.get(f"/g/{GAME}/board.svg?small=1").text
        assert 'class="labels"' in whole
        assert 'class="labels"' not in small
        assert 'class="hands"' not in small
        assert len(small) < len(whole)


def race(here: Seated, *lines: str) -> list[tuple[int, Any]]:
    """The answers to moves that two browsers of one player send at the same moment."""
    key = seat(here)["key"]
    together = Barrier(len(lines))

    def send(line: str) -> tuple[int, Any]:
        together.wait()
        answer = here.post_to(f"/g/{GAME}/move", key=key, line=line)
        return answer.status_code, answer.json()

    with ThreadPoolExecutor(len(lines)) as browsers:
        return sorted(browsers.map(send, lines), key=lambda one: one[0])


@pytest.mark.slow
def test_of_two_moves_at_once_one_counts_and_the_other_browser_is_told(here: Seated) -> None:
    for number in range(1, 4):
        lines = [str(one) for one in islice(here.post.state.position.legal_moves("south"), 2)]
        (won, told), (lost, fault) = race(here, *lines)
        letters = [text(letter) for to, letter in here.post.deliver() if to == address("south")]
        assert (won, len(here.post.state.plies)) == (200, 2 * number - 1)
        assert str(here.post.state.plies[-1]["south"]) in told["done"]
        assert (lost, fault["code"]) in {(409, "page-key"), (202, "page-waits")}
        assert lost == 409 or sum("was NOT done" in one for one in letters) == 1
        here.post.write("north", str(next(iter(here.post.state.position.legal_moves("north")))))
    here.post.holds()


def test_a_move_sealed_on_the_page_and_the_round_that_it_completes_are_one_letter(tmp_path: Path) -> None:
    with seated(tmp_path / "desk", "beams") as here:
        here.pair("south")
        here.told("move", "south", line="P M1 A2 12")
        assert address("south") not in here.post.collect(), "its player has read on the page that it is in"
        here.post.at += timedelta(seconds=20)
        here.post.write("north", "P M1 A4 12")
        letter = here.post.letters[address("south")][-1]
        assert text(letter).startswith("Round 1 is over. It is your turn.")
        assert text(letter).count("- You [P M1 A2 12]") == 1
        assert "That may change" not in text(letter)
        assert {"M1.12", "m1.12"} <= {*re.findall(r"[Mm]1\.12", text(letter))}, "the board has both moves"
        here.post.at += timedelta(minutes=2)
        assert here.post.collect() == {}, "nothing else was kept back"
        here.told("move", "south", line="P M1 A4 12")
        here.post.at += timedelta(seconds=61)
        assert text(here.post.collect()[address("south")]).startswith("Your move is in, sealed.")
