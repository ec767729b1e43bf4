"""Games with engines that players request on the pages, and the display of those games."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from referee.desk import acts, engine_turn, found_move
from referee.desk.state.engagements import seed_promise
from referee.engine.levels import PROGRAM_LEVEL
from referee.game import GameFile, Player
from referee.mail.intake.openings import read_opening
from referee.rules import Option, all_games, game_named
from referee.rules.description import FLIP, Choice, Data
from referee.web.site import EngineOffer
from tests.support.correspondence import address, text
from tests.support.engine_rooms import engines_move
from tests.support.rows import each
from tests.support.sites import MAILBOX, Club, club
from tests.web.seated import HEADERS, Seated, seated

OFFER = EngineOffer(MAILBOX, 6, "vouched")
LINE = "new laser-chess with engine:1, as blue"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Club]:
    with club(tmp_path, engines=OFFER) as found:
        yield found


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A club whose pages are only asked."""
    with club(tmp_path_factory.mktemp("asked"), engines=OFFER) as found:
        yield found


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Seated]:
    with seated(tmp_path / "desk", settings="open: players\n") as found:
        yield found


def line_on(page: str) -> str:
    """The line that a page makes."""
    found = re.search(r'<output class="notation">(.*)</output>', page)
    assert found is not None
    return unescape(found[1])


def named(option: Option) -> tuple[str, ...]:
    return option.values if isinstance(option, Choice) else tuple(option.names) if isinstance(option, Data) else ()


ASKED = [
    (game.name, side, option.name, value)
    for game in map(game_named, all_games())
    for side in ("", *game.sides)
    for option in game.options
    for value in (*named(option), *((FLIP,) if game.takes_flip(option) else ()))
] + [("the-beam", side, "", "") for side in ("", "p1", "p4")]


@each(ASKED)
def test_the_line_says_to_the_desk_what_the_form_was_asked(wish: tuple[str, str, str, str], asked: Club) -> None:
    game, side, option, value = wish
    mode = "&option-mode=synchronous" if (game, option) == ("beams", "first") else ""
    page = asked.get(f"/play?game={game}&level=4&side={side}&option-{option}={value}{mode}")
    found = read_opening(line_on(page).removeprefix("new "))
    description = game_named(game)
    assert found.faults == ()
    assert (found.game, found.side) == (game, side or None)
    assert found.engines == (4,) * (len(description.sides) - 1)
    usual = {one.name: one.default for one in description.options}
    expected = {} if description.secret is not None or value == usual.get(option) else {option: value}
    assert found.options == ({"mode": "synchronous"} if mode else {}) | expected


def test_options_that_do_not_go_together_make_no_line(here: Club) -> None:
    page = here.get("/play?game=beams&option-first=north")
    assert (
        "These options do not go together: in asynchronous play both sides move at once: there is no first side."
        in page
    )
    assert "<output" not in page
    assert "mailto:" not in page


def test_the_first_page_leads_to_the_line_and_the_letter(here: Club) -> None:
    front = here.get("/")
    assert "Play now, against an engine" in front
    assert front.count('<option value="6">6 · Strong</option>') == 1
    assert '<option value="7"' not in front
    page = here.get("/play?game=boundary&level=6")
    (mailto,) = re.findall(r'href="(mailto:[^"]+)"', page)
    assert unquote(unescape(mailto)).endswith("&body=new boundary with engine:6\n")
    assert unquote(unescape(mailto)).startswith(f"mailto:{MAILBOX}?subject=")


def test_a_level_has_a_name_in_addresses_too(asked: Club) -> None:
    assert line_on(asked.get("/play?game=boundary&level=casual")) == "new boundary with engine:3"
    asked.get("/play?game=boundary&level=master", 404)  # above the desk's highest


@each(["game=chess", "level=7", "level=0", "level=x", "game=boundary&level="])
def test_requests_outside_the_form_are_no_page(query: str, asked: Club) -> None:
    asked.get(f"/play?{query}", 404)


@pytest.mark.slow
def test_only_a_page_with_a_form_may_have_one(here: Club) -> None:
    here.open("spring-7", "boundary")
    policies = {
        path: here.browser.get(path).headers["content-security-policy"] for path in ("/", "/play", "/g/spring-7")
    }
    assert "form-action 'self'" in policies["/"]
    assert "form-action 'self'" in policies["/play"]
    assert "form-action 'none'" in policies["/g/spring-7"]


def test_a_desk_without_engines_offers_none(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        assert "engine" not in here.get("/").casefold()
        here.get("/play", 404)


def test_an_invitation_names_no_friend_in_its_address(tmp_path: Path) -> None:
    with club(tmp_path, invites=MAILBOX) as here:
        assert 'action="/invite"' in here.get("/")
        page = here.get("/invite?game=boundary&days=3")
        line = line_on(page)
        assert line == "new boundary with ADDRESS, days 3"
        found = read_opening(line.replace("ADDRESS", "ben@example.net").removeprefix("new "))
        assert (found.game, found.rivals, found.terms, found.faults) == (
            "boundary",
            ("ben@example.net",),
            {"days": 3},
            (),
        )
        anyone = unquote(unescape(page))
        assert "body=new boundary, days 3\n" in anyone
        for query in ("game=chess", "days=4", "days=x"):
            here.get(f"/invite?{query}", 404)


def test_a_desk_whose_host_alone_opens_games_invites_to_none(asked: Club) -> None:
    asked.get("/invite", 404)
    assert "/invite" not in asked.get("/") + asked.get("/rules/beams")


def begin(here: Club, name: str, game: str, side: str, level: int = 1) -> None:
    """Ada begins a game with an engine on a side."""
    sides = game_named(game).sides
    players = {one: Player("Ada") for one in sides if one != side}
    emails = dict.fromkeys(players, "ada@players.example")
    here.desk.open(name, GameFile(game, players=players), here.at, addresses=emails, engines={side: level})


def think(here: Club, name: str) -> str:
    """Have the engine of a game move; return its move."""
    table = here.desk.table(name)
    turn = engine_turn(table.state, table.secrets)
    assert turn is not None
    move = found_move(turn)
    assert here.desk.play_engine(turn, move, here.at)
    return move


@pytest.mark.slow
def test_a_page_tells_of_the_engine_what_its_moves_follow_from(here: Club) -> None:
    begin(here, "spring-7", "laser-chess", "red")
    here.act("spring-7", "blue", acts.MakeMove("R j1 L"))
    page = here.get("/g/spring-7")
    assert re.search(r"<bdi>Engine 1</bdi></a> <span class=\"soft\">red · thinking<", page)
    assert "red: engine of level 1 (Beginner), version 1" in page
    engine = here.desk.state("spring-7").engines["red"]
    assert engine.promise in page
    assert "The seed is published once the game is over." in page
    move = think(here, "spring-7")
    assert move in here.get("/g/spring-7")
    here.act("spring-7", "blue", acts.Resign())
    page = here.get("/g/spring-7")
    seed = re.search(r"The seed is <code>([0-9a-f]{64})</code>", page)
    assert seed is not None
    assert seed_promise("spring-7", "red", seed[1]) == engine.promise


def test_a_page_says_that_only_the_host_knows_what_a_program_is(here: Club) -> None:
    begin(here, "spring-7", "laser-chess", "red", PROGRAM_LEVEL)
    page = here.get("/g/spring-7")
    assert "red: a program of the host's. Only the host's word says which one" in page.replace("\u2019", "'")
    assert here.desk.state("spring-7").engines["red"].promise not in page
    assert "computes each move again" not in page


def test_the_engine_is_shown_as_thinking_before_others_move_at_once(here: Club) -> None:
    begin(here, "spring-7", "beams", "north")
    page = here.get("/g/spring-7")
    assert re.search(r"Engine 1</bdi></a> <span class=\"soft\">north · thinking<", page)
    move = think(here, "spring-7")
    page = here.get("/g/spring-7")
    assert move not in page
    assert re.search(r"Engine 1</bdi></a> <span class=\"soft\">north · has moved<", page)
    assert re.search(r"Ada</bdi></a> <span class=\"soft\">south · to move<", page)


@pytest.mark.slow
def test_a_paired_browser_opens_a_game_with_an_engine(player: Seated) -> None:
    player.pair()
    told = player.browser.post("/play/browser", json={"key": ""}, headers=HEADERS).json()
    assert told == {"paired": True}
    answer = player.browser.post("/play/open", json={"line": LINE}, headers=HEADERS)
    assert answer.status_code == 200, answer.text
    letter = text(player.post.collect()[address("south")])
    name, side, link = re.findall(r"(laser-chess-\w+) has begun: you are (blue).*?/g/(\S+)\"", answer.text)[0]
    assert (side, link.split("#")[0]) == ("blue", name)
    assert link in letter
    office = player.post.office
    state = office.desk.state(name)
    assert state.engine_sides == {"red"}
    moved = {"key": link.rpartition("-")[2], "line": "R j1 L"}
    assert player.browser.post(f"/g/{name}/move", json=moved, headers=HEADERS).status_code == 200
    player.post.collect()
    assert engines_move(office, player.post.at) == 1
    assert len(office.desk.state(name).plies) == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("new laser-chess with ben@players.example", "page-line"),
        ("new laser-chess with engine:1 and ben@players.example", "page-line"),
        ("new the-beam with engine:1, ben@players.example", "page-line"),
        ("new laser-chess", "page-line"),
        (f"{LINE}\n{LINE}", "page-line"),
        ("resign all", "page-line"),
        ("hello", "page-line"),
        ("new laser-chess with engine:9", "page-line"),
        ("new the-beam with engine:1", "page-line"),
        ("", "page-line"),
        ("new laser-chess with engine:1\ud800", "json"),
        ("new laser-chess with engine:1\0", "page-line"),
        ("new laser-chess with engine:1" + " " * 1000, "page-line"),
    ],
)
def test_a_browser_opens_nothing_else(player: Seated, line: str, code: str) -> None:
    player.pair()
    headers = {**HEADERS, "content-type": "application/json"}
    answer = player.browser.post("/play/open", content=json.dumps({"line": line}), headers=headers)
    assert answer.json()["code"] == code
    assert not player.post.collect()


@pytest.mark.slow
def test_the_limits_of_letters_hold_on_the_page(tmp_path: Path) -> None:
    settings = "open: players\nengines: {each: 1, level: 2}\n"
    with seated(tmp_path / "desk", settings=settings) as here:
        here.pair()
        codes = [
            here.browser.post("/play/open", json={"line": line}, headers=HEADERS).json().get("code")
            for line in ("new laser-chess with engine:3", LINE, LINE)
        ]
        assert codes == ["level", None, "engine-limit"]


@pytest.mark.slow
def test_only_paired_browsers_open_games_on_the_page(player: Seated) -> None:
    for headers, code in (
        ({}, "other-site"),
        ({"origin": "https://evil.example"}, "other-site"),
        (HEADERS, "not-paired"),
    ):
        answer = player.browser.post("/play/open", json={"line": LINE}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, code)
    assert player.browser.get("/play/open", headers=HEADERS).status_code in (404, 405)


@pytest.mark.slow
def test_a_browser_of_two_players_says_by_mail_who_writes(player: Seated) -> None:
    player.pair("south")
    player.pair("north")
    told = player.browser.post("/play/browser", json={}, headers=HEADERS).json()
    assert told == {"paired": False}
    answer = player.browser.post("/play/open", json={"line": LINE}, headers=HEADERS)
    assert answer.json()["code"] == "not-paired"


@pytest.mark.slow
def test_where_the_host_alone_opens_games_a_browser_opens_none(tmp_path: Path) -> None:
    with seated(tmp_path / "desk") as here:
        here.pair()
        answer = here.browser.post("/play/open", json={"line": LINE}, headers=HEADERS)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
