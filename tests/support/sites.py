"""A club: a desk with games, and the public pages on which they can be watched."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
from starlette.testclient import TestClient

from referee.desk import By, Desk, State, Terms, acts
from referee.desk.store.store import Store
from referee.game import GameFile, Player
from referee.rules import game_named
from referee.web.clients import Allowances, Networks
from referee.web.site import Door, EngineOffer, Pages, Site, open_pages
from referee.web.site.seats import Intake
from tests.support.desks import BEGIN
from tests.support.servers import free_port
from tests.support.strategies import any_move

URL = "https://desk.example.org"
SEED = "the seed of this very game"
MAILBOX = "desk@example.org"
NAMES = ("Ada", "Ben", "Cy", "Dee")


@dataclass
class Club:
    """A desk in a folder, the time there, and a browser that looks at its pages."""

    desk: Desk
    browser: httpx2.Client
    at: datetime = BEGIN

    def open(self, name: str, game: str, *, title: str | None = None) -> State:
        """Open a game; its players are Ada, Ben, Cy and Dee, by their seats."""
        sides = game_named(game).sides
        players = dict(zip(sides, NAMES, strict=False))
        file = GameFile(game, event=title, players={side: Player(who) for side, who in players.items()})
        addresses = {side: f"{who.lower()}@players.example" for side, who in players.items()}
        secret = SEED if game == "the-beam" else None
        terms = Terms(days=2, bank=5)
        return self.desk.open(name, file, self.at, terms=terms, addresses=addresses, secret=secret)

    def act(self, name: str, side: str, act: Any, after: float = 0) -> None:  # noqa: ANN401 - any act
        """Have a side act, `after` hours later."""
        self.at += timedelta(hours=after)
        self.desk.act(name, By(side), [act], self.at)

    def play(self, name: str, moves: int, seed: int = 1) -> Iterator[State]:
        """Have the sides to move make random moves, as long as the game runs; yield the game after each."""
        chance = random.Random(seed)
        for _ in range(moves):
            state = self.desk.state(name)
            if state.closed is not None:
                return
            side = sorted(state.owing)[0]
            self.act(name, side, acts.MakeMove(str(any_move(state.position, side, chance))), 1)
            yield self.desk.state(name)

    def get(self, path: str, status: int = 200, **headers: str) -> str:
        """The text of a page."""
        answer = self.browser.get(path, headers={name.replace("_", "-"): text for name, text in headers.items()})
        assert answer.status_code == status, answer.text
        return answer.text


@contextmanager
def club(
    folder: Path,
    *,
    url: str = URL,
    mailbox: str = MAILBOX,
    trusted: Networks = (),
    allowances: Allowances | None = None,
    where: str = "",
    engines: EngineOffer | None = None,
    invites: str = "",
    host: str = "",
) -> Iterator[Club]:
    """A new club, whose desk is in a folder or at another place."""
    with Store.create(where or folder / "desk.sqlite") as store:
        desk = Desk(store)
        pages = Pages(
            Site(desk, url, "The club", lambda: found.at, mailbox, engines=engines, invites=invites, host=host)
        )
        app = pages.application(trusted, allowances or Allowances(1e9, 1e9))
        with TestClient(app, base_url=URL, raise_server_exceptions=False) as browser:
            found = Club(desk, browser)
            yield found
        pages.close()


@contextmanager
def served(site_at: Callable[[str], Site], intake: Intake | None = None) -> Iterator[str]:
    """Really serve the pages of a site, which is made for their address; yields that address."""
    port, ready, loop = free_port(), threading.Event(), asyncio.new_event_loop()
    ended = asyncio.Event()
    url = f"http://127.0.0.1:{port}"

    async def serve() -> None:
        async with open_pages(site_at(url), Door("127.0.0.1", port), Allowances(1e9, 1e9), intake):
            ready.set()
            await ended.wait()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert ready.wait(20)
        yield url
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(20)


@contextmanager
def served_club(
    folder: Path, engines: EngineOffer | None = None, invites: str = "", host: str = ""
) -> Iterator[tuple[Club, str]]:
    """A new club whose pages are really served, and their address; its clock is that of the machine."""
    with Store.create(folder / "desk.sqlite") as store:
        desk = Desk(store)
        with (
            served(
                lambda url: Site(desk, url, "The club", mailbox=MAILBOX, engines=engines, invites=invites, host=host)
            ) as url,
            httpx2.Client(base_url=url) as browser,
        ):
            yield Club(desk, browser, datetime.now(UTC)), url
