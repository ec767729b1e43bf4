"""The pages of a desk: their contents, and their responses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from starlette.testclient import TestClient

import referee
from referee.desk import Desk, Proposal, acts
from referee.desk.store.store import Store
from referee.game import GameFile, Player
from referee.rules import all_games
from referee.web.clients import Allowances
from referee.web.site import Pages, Site
from tests.support.proposals import invite
from tests.support.sites import MAILBOX, URL, Club, club

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Club]:
    with club(tmp_path) as found:
        yield found


def propose(here: Club, name: str = "beams-k4tz") -> None:
    """Have Ada invite Ben, by an address that is shown as his name."""
    seats = {"south": "Ada", "north": "ben@players.example"}
    proposal = Proposal(GameFile("boundary"), seats, here.at + timedelta(days=7), None)
    invite(here.desk, name, proposal, here.at, addresses={"south": "ada@x.example", "north": "ben@players.example"})


@pytest.mark.slow
def test_a_game_shows_board_score_moves_clocks_and_who_is_waited_for(here: Club) -> None:
    here.open("spring-7", "beams", title="Spring cup")
    here.act("spring-7", "south", acts.MakeMove("P M1 A2 12"))
    page = here.get("/g/spring-7")
    assert "Round 1: waiting for Ben (north) to move, at the same time." not in page
    assert "Round 1: waiting for Ben (north) to move." in page
    assert "P M1 A2 12" not in page
    here.act("spring-7", "north", acts.MakeMove("P S A2"))
    page = here.get("/g/spring-7")
    for told in ("Spring cup", "Beams, Boosters and Barriers", "P M1 A2 12", "P S A2", "Ada 1, Ben 0"):
        assert told in page
    for told in ("Ada placed M1 at 12 on A2", "Ben placed a booster on A2", "Ada holds", ">Ben</a>"):
        assert told in page
    own = here.get("/g/spring-7?view=north&you=")
    for told in (
        "Ada placed M1 at 12 on A2",
        "You placed a booster on A2",
        "You hold",
        "Ada holds",
        ">You</a>",
        "you see it",
    ):
        assert told in own
    assert 'class="coin-south"' in own, "a mark of each side"
    assert '<time datetime="2027-03-03T17:00:00+00:00">Wed 3 Mar 2027, 17:00 UTC</time>' in page
    assert "Round 2: waiting for Ada (south) and Ben (north) to move, at the same time." in page
    assert 'src="/g/spring-7/board.svg' in page
    assert 'data-events="/g/spring-7/events"' in page
    assert here.desk.state("spring-7").head in page


def test_a_code_in_an_address_is_refused(here: Club) -> None:
    here.open("spring-7", "beams")
    assert "A code in an address is not read." in here.get("/g/spring-7?code=1234+5678", 404)


@pytest.mark.slow
def test_earlier_plies_are_shown_from_every_seat(here: Club) -> None:
    here.open("spring-7", "boundary")
    list(here.play("spring-7", 4))
    page = here.get("/g/spring-7?ply=2&view=north")
    assert "Round 1, ply 2 of 4" in page
    assert "ply=2&amp;view=north" in page
    assert "data-events" not in page
    assert ">The start</span>" in here.get("/g/spring-7?ply=0")
    pictures = {here.get(f"/g/spring-7/board.svg?ply={ply}") for ply in range(5)}
    assert len(pictures) == 5
    assert here.get("/g/spring-7/board.svg?ply=4") == here.get("/g/spring-7/board.svg")
    assert here.get("/g/spring-7/board.svg?view=north") != here.get("/g/spring-7/board.svg?view=south")
    for path in ("?ply=5", "?ply=-1", "?ply=x", "?view=west", "/board.svg?ply=9"):
        here.get(f"/g/spring-7{path}", 404)


def test_a_position_has_a_plain_picture_for_forums(here: Club) -> None:
    here.open("spring-7", "the-beam")
    list(here.play("spring-7", 2))
    assert 'href="/g/spring-7/board.png?ply=1">This board as a picture<' in here.get("/g/spring-7?ply=1")
    first, last, again = (here.browser.get(f"/g/spring-7/board.png{which}") for which in ("?ply=0", "?ply=2", ""))
    assert first.headers["content-type"] == "image/png"
    with Image.open(BytesIO(first.content)) as image:
        assert image.width >= 600
    assert first.content != last.content == again.content
    here.get("/g/spring-7/board.png?ply=9", 404)


def test_the_end_of_a_game_is_shown(here: Club) -> None:
    here.open("spring-7", "laser-chess")
    here.act("spring-7", "blue", acts.Resign())
    page = here.get("/g/spring-7")
    assert "Ben (red) won (resignation)." in page
    assert "data-events" not in page
    assert '<h2 id="finished">Finished</h2>' in here.get("/")


def test_the_first_page_lists_running_waiting_and_finished_games(here: Club) -> None:
    here.open("one", "boundary")
    here.open("two", "laser-chess")
    here.act("two", "blue", acts.Resign())
    propose(here, "three")
    propose(here, "four")
    here.desk.order("four", acts.Close(), here.at)
    page = here.get("/")
    headings = re.findall(r"<h2[^>]*>(.+)</h2>", page)
    assert headings == ["Running", "Waiting for a player", "Finished", "The games"]
    assert [*dict.fromkeys(re.findall(r'href="/g/([a-z]+)"', page))] == ["one", "three", "two"]
    assert "players.example" not in page
    assert "called off before it began" in here.get("/g/four")


def test_an_invitation_names_no_player_who_has_not_joined(here: Club) -> None:
    propose(here)
    page = here.get("/g/beams-k4tz")
    assert "invited" in page
    for hidden in ("Ada", "ben", "example"):
        assert hidden not in page.replace("desk.example.org", "")
    here.get("/p/Ada", 404)


@pytest.mark.slow
def test_a_player_is_shown_under_their_name_alone(here: Club) -> None:
    here.open("one", "boundary")
    here.open("two", "laser-chess")
    here.open("three", "the-beam")
    assert {*re.findall(r'href="/g/([a-z]+)"', here.get("/p/Ada"))} == {"one", "two", "three"}
    for nobody in ("Grace", "ada", "ada@players.example", "A", "south", "%00", "%22"):
        here.get(f"/p/{nobody}", 404)


@pytest.mark.parametrize(
    "names", [("A/B & C?#", "Ölaf «the beam»"), ("Zoë 👩\u200d👩\u200d👧", "</script><b>\u200b")]
)
def test_any_name_is_a_link(here: Club, names: tuple[str, str]) -> None:
    players = {side: Player(name) for side, name in zip(("south", "north"), names, strict=True)}
    here.desk.open("spring-7", GameFile("boundary", players=players), here.at)
    links = re.findall(r'href="(/p/[^"]+)"', here.get("/g/spring-7"))
    assert len(links) == 2
    for link in links:
        assert 'href="/g/spring-7"' in here.get(link)


@pytest.mark.slow
def test_lists_have_pages(here: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.web.site.listings.FIRST_PAGE", 2)
    monkeypatch.setattr("referee.web.site.listings.PAGE", 3)
    for number in range(4):
        here.open(f"game-{number}", "laser-chess")
    assert here.get("/").count('class="card match') == 2
    assert 'All 4<span class="unseen"> running games</span>' in here.get("/")
    assert here.get("/games/running").count('class="card match') == 3
    assert here.get("/games/running?page=2").count('class="card match') == 1
    assert here.get("/p/Ada?page=2").count('class="card match') == 1
    for path in ("/games/running?page=3", "/games/running?page=0", "/games/never-begun", "/p/Ada?page=3", "/games/"):
        here.get(path, 404)


def test_text_of_people_is_escaped(here: Club) -> None:
    here.open("spring-7", "boundary", title="<script>alert(1)</script> & ada@players.example")
    for path in ("/", "/g/spring-7", "/g/spring-7/feed"):
        page = here.get(path)
        assert "<script>alert" not in page
        assert "players.example" not in page
    assert "&lt;script&gt;alert" in here.get("/g/spring-7")


@pytest.mark.parametrize("name", all_games())
def test_a_game_can_be_taken_away_as_a_file(here: Club, name: str) -> None:
    here.open("spring-7", name)
    for _ in here.play("spring-7", 5):
        pass
    file = referee.loads(here.get("/g/spring-7/game.yaml"))
    made = [{side: str(move) for side, move in ply.moves.items()} for ply in file.replay()]
    assert made == [dict(ply) for ply in here.desk.state("spring-7").plies]
    assert "players.example" not in here.get("/g/spring-7/game.yaml")


def test_nothing_else_is_there(here: Club) -> None:
    for path in (
        "/g/nothing",
        "/g/NOTHING",
        "/g/a%2Fb",
        "/g/",
        "/g",
        "/x",
        "/static/markup.py",
        "/g/nothing/board.svg",
    ):
        assert "Not found" in here.get(path, 404)
    for path in ("/g/nothing/feed", "/g/nothing/events", "/g/nothing/game.yaml", "/calendar/x.ics", "/p/"):
        here.get(path, 404)


@pytest.mark.slow
def test_a_browser_with_the_newest_page_gets_no_other_one(here: Club) -> None:
    here.open("spring-7", "boundary")
    for path in ("/", "/g/spring-7", "/g/spring-7/board.svg", "/g/spring-7/feed", "/p/Ada", "/static/pages.css"):
        tag = here.browser.get(path).headers["etag"]
        assert here.browser.get(path, headers={"if-none-match": tag}).status_code == 304
        assert here.browser.get(path, headers={"if-none-match": '"another"'}).status_code == 200
    tag = here.browser.get("/g/spring-7").headers["etag"]
    list(here.play("spring-7", 1))
    assert here.browser.get("/g/spring-7", headers={"if-none-match": tag}).status_code == 200


def test_a_head_is_the_page_without_its_body(here: Club) -> None:
    here.open("spring-7", "boundary")
    for path in ("/", "/g/spring-7", "/g/spring-7/board.svg"):
        page, head = here.browser.get(path), here.browser.head(path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers == page.headers


def test_pages_can_be_below_a_path(tmp_path: Path) -> None:
    with club(tmp_path, url=f"{URL}/games") as here:
        here.open("spring-7", "boundary")
        links = re.findall(r'(?:href|src)="([^"]+)"', here.get("/g/spring-7") + here.get("/"))
        assert {one.startswith("/games") for one in links if one != "#main"} == {True}


def test_the_feed_tells_of_plies_and_not_of_sealed_moves(here: Club) -> None:
    here.open("spring-7", "beams")
    here.act("spring-7", "south", acts.MakeMove("P M1 A2 12"))
    here.act("spring-7", "north", acts.MakeMove("P S A2"), 1)
    here.act("spring-7", "south", acts.MakeMove("P M1 A4 12"), 1)
    feed = ElementTree.fromstring(here.get("/g/spring-7/feed"))
    titles = [one.findtext(f"{ATOM}title") for one in feed.iter(f"{ATOM}entry")]
    assert titles == ["Ply 1: south P M1 A2 12 | north P S A2", "The game begins: Ada and Ben"]
    assert feed.findtext(f"{ATOM}id") == f"{URL}/g/spring-7"
    assert feed.findtext(f"{ATOM}updated") == "2027-03-01T14:00:00Z"
    here.act("spring-7", "south", acts.Resign(), 1)
    assert "Ben (north) won (resignation)." in here.get("/g/spring-7/feed")


def test_a_calendar_has_the_deadlines_of_its_owner_alone(here: Club) -> None:
    here.open("one", "boundary")
    here.open("two", "laser-chess")
    key = here.desk.key
    found = here.get(f"/calendar/{key.calendar('ada@players.example')}.ics").replace("\r\n ", "")
    assert found.startswith("BEGIN:VCALENDAR\r\n")
    assert re.findall(r"DTSTART:(.*)\r", found) == ["20270303T170000Z"] * 2
    assert "SUMMARY:Boundary with Ben: move (round 1)" in found
    assert all(
        len(line.encode()) <= 75
        for line in here.get(f"/calendar/{key.calendar('ada@players.example')}.ics").split("\r\n")
    )
    assert "VEVENT" not in here.get(f"/calendar/{key.calendar('ben@players.example')}.ics")
    assert "players.example" not in found
    for nobody in (key.calendar("eve@players.example"), "a" * 24, "A" * 24):
        here.get(f"/calendar/{nobody}.ics", 404)


@pytest.mark.slow
def test_processes_that_share_a_store_show_the_same(tmp_path: Path, where: str) -> None:
    """No process keeps state that another one needs: pages and players' processes do not know each other."""
    with club(tmp_path, where=where) as here, Store(where) as store:
        pages = Pages(Site(Desk(store), URL, "The club", lambda: here.at, MAILBOX))
        app = pages.application((), Allowances(1e9, 1e9))
        with TestClient(app, base_url=URL) as other:
            here.open("spring-7", "boundary")
            for _ in here.play("spring-7", 4):
                for path in ("/", "/g/spring-7", "/g/spring-7/board.svg", "/g/spring-7/feed", "/p/Ada"):
                    assert other.get(path).text == here.get(path)
        pages.close()
