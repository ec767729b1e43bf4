"""Players at the pages of their games: a desk by mail whose pages take moves, and paired browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
from starlette.testclient import TestClient

from referee.desk import seat_token
from referee.mail.browsers.browsers import Browsers
from referee.web.clients import Allowances
from referee.web.site import EngineOffer, Pages, Site
from tests.support.correspondence import GAME, KEY, Correspondence, address, corresponding, text
from tests.support.engine_rooms import engines_move

URL = "https://desk.example.org"
HEADERS = {"origin": URL}
CODE = re.compile(r"Code: (\d{4} \d{4})")


class Seated:
    """A desk, its pages, and one browser that looks at them."""

    def __init__(self, post: Correspondence, browser: httpx2.Client, site: Site) -> None:
        self.post, self.browser, self.site = post, browser, site

    def key(self, side: str = "south") -> str:
        """The key in the link of the newest letter to the first player of a side, before the game ends."""
        first = replace(self.post.state, holders={side: 0}, closings=0)
        return seat_token(self.post.office.desk.key, first, side)

    def ask(self, name: str, side: str = "south", /, **said: str) -> httpx2.Response:
        """Send something from the page of a side."""
        body = {"key": self.key(side), **said}
        return self.browser.post(f"/g/{GAME}/{name}", json=body, headers=HEADERS)

    def post_to(self, path: str, /, **said: str) -> httpx2.Response:
        """Send something from a page, without the key of a seat."""
        return self.browser.post(path, json=said, headers=HEADERS)

    def told(self, name: str, side: str = "south", /, **said: str) -> Any:  # noqa: ANN401 - JSON
        """The desk's answer to that, which must not be a refusal."""
        answer = self.ask(name, side, **said)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refusal(self, name: str, side: str = "south", /, **said: str) -> tuple[int, str]:
        """The status and the code of the desk's refusal of that."""
        answer = self.ask(name, side, **said)
        return answer.status_code, answer.json()["code"]

    def code(self, side: str = "south") -> str:
        """The code in the letter that a side gets now."""
        found = CODE.search(text(self.post.collect()[address(side)]))
        assert found is not None
        return found[1]

    def pair(self, side: str = "south") -> None:
        """Pair the browser with a side's address."""
        self.told("code", side)
        self.told("pair", side, code=self.code(side))
        self.post.collect()


@contextmanager
def seated(
    folder: Path,
    game: str = "boundary",
    *,
    url: str = URL,
    settings: str = "",
    web: str = "{moves: submit}",
    clock: Mapping[str, Any] | None = None,
    answering: bool = False,
) -> Iterator[Seated]:
    """A desk with one game, and the pages of it; if `answering`, engines move at once."""
    with corresponding(folder, f"pages: {url}\nweb: {web}\n{settings}", key=KEY) as post:
        post.open(game, clock)
        engines = EngineOffer(post.office.settings.address, 8, post.office.settings.open)
        site = Site(post.office.desk, url, "The club", lambda: post.at, post.office.settings.address, engines=engines)
        acted = partial(engines_move, post.office, post.at) if answering else int
        pages = Pages(site, Browsers(post.office, lambda: post.at, acted))
        app = pages.application((), Allowances(1e9, 1e9))
        with TestClient(app, base_url=url, raise_server_exceptions=False) as browser:
            yield Seated(post, browser, site)
        pages.close()
