"""Runs the browser's tests on a desk's pages: a player begins a game with an engine, and the engine answers."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from referee.mail.browsers.browsers import Browsers
from referee.mail.office import now
from referee.web.site import EngineOffer, Site
from tests.browser.browser import in_a_browser, run_in_chromium
from tests.support.correspondence import GAME, KEY, Correspondence, address, corresponding, text
from tests.support.engine_rooms import engines_move
from tests.support.sites import served

pytestmark = in_a_browser

PAGES = "https://desk.example.org"
SETTINGS = f"pages: {PAGES}\nweb: {{moves: submit}}\nopen: players\n"


def go_on_until(post: Correspondence, folder: Path, ended: threading.Event) -> None:
    """Have engines move, and put the desk's letters into a file for each player, as long as the browser works."""
    while not ended.wait(0.2):
        post.at = now()
        engines_move(post.office, post.at)
        for to, message in post.deliver():
            with (folder / f"{to.partition('@')[0]}.txt").open("a", encoding="utf-8") as file:
                file.write(text(message).replace("\r\n", "\n"))


def test_a_game_with_an_engine_begins_on_the_page_in_chromium(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open("boundary")
        (tmp_path / "south.txt").write_text(
            "".join(text(one) for one in post.letters[address("south")]).replace("\r\n", "\n"), encoding="utf-8"
        )
        ended = threading.Event()
        going = threading.Thread(target=go_on_until, args=(post, tmp_path, ended))
        offer = EngineOffer(post.office.settings.address, 8, "players")
        site = lambda url: Site(post.office.desk, url, "The club", mailbox=offer.mailbox, engines=offer)  # noqa: E731
        with served(site, Browsers(post.office)) as url:
            said = {"url": url, "pages": PAGES, "game": "boundary", "sides": ["south"], "moves": []}
            (tmp_path / "seated.json").write_text(json.dumps(said), encoding="utf-8")
            going.start()
            try:
                run_in_chromium("engaged.test.js", tmp_path)
            finally:
                ended.set()
                going.join()
        (name,) = set(post.office.desk.catalogue.all_games_of(address("south"))) - {GAME}
        state = post.office.desk.state(name)
        assert (state.players["red"], len(state.plies)) == ("Engine 2", 2)
