"""A newcomer at the page of a try-out, with links and forms as a browser without script has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from html.parser import HTMLParser

import httpx2
from starlette.testclient import TestClient

from referee.mail.browsers.browsers import Browsers
from referee.mail.host.engine_room import EngineRoom
from referee.tryout.desk import TryOut, opened
from referee.tryout.mailboxes import PEOPLE, KeptLetter
from referee.tryout.pages import TryPages
from referee.tryout.server import site_of
from referee.web.clients import Allowances
from referee.web.site import Pages
from tests.support.engine_rooms import threads

URL = "http://127.0.0.1:8421"
ADA, BEN = PEOPLE


class Form(HTMLParser):
    """The fields of the form on a page that has a button or a field with a value."""

    def __init__(self, page: str, name: str, value: str) -> None:
        super().__init__()
        self._fields: dict[str, str] = {}
        self._area, self._wanted = "", (name, value)
        self.action, self.fields = "", dict[str, str]()
        self._here = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a form, or note a field of it."""
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._here, self._fields = found["action"], {}
        if tag == "input":
            self._fields[found["name"]] = found.get("value", "")
        if tag == "textarea":
            self._area = found["name"]
            self._fields[self._area] = ""
        if (found.get("name"), found.get("value")) == self._wanted:
            self.action, self.fields = self._here, self._fields
            self._fields[self._wanted[0]] = self._wanted[1]

    def handle_data(self, data: str) -> None:
        """Note the text of a field."""
        if self._area:
            self._fields[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        """End a text field."""
        if tag == "textarea":
            self._fields[self._area] = self._fields[self._area].removeprefix("\n")
            self._area = ""


class Newcomer:
    """A newcomer, and the try-out behind the page."""

    def __init__(self, tryout: TryOut, browser: httpx2.Client) -> None:
        self.tryout, self.browser = tryout, browser

    @property
    def page(self) -> str:
        """The page as it is now."""
        return self.browser.get("/try").text

    @property
    def shown(self) -> str:
        """The words of the page, on one line."""
        return words(self.page)

    @property
    def game(self) -> str:
        """The game that has changed last."""
        return self.tryout.office.desk.catalogue.standings()[0].game

    def submit(self, page: str, name: str, value: str, **typed: str) -> str:
        """Submit the form with a button or a field, after typing; the page that follows."""
        form = Form(page, name, value)
        answer = self.browser.post(form.action, data={**form.fields, **typed})
        assert answer.status_code == 200, answer.text
        return answer.text

    def press(self, name: str, value: str) -> str:
        """Press a button; the words of the page that follows."""
        return words(self.submit(self.page, name, value))

    def write(self, box: str, body: str | None = None, at: str = "/try") -> str:
        """Send the letter that is filled in for a person, with this text; the words of the page that follows."""
        typed = {} if body is None else {"body": body}
        return words(self.submit(self.browser.get(at).text, "write", box, **typed))

    def letter(self, box: str) -> KeptLetter:
        """The newest letter to a person."""
        (person,) = (one for one in PEOPLE if one.key == box)
        return next(one for one in self.tryout.letters(person) if not one.own)

    def frame(self, box: str) -> httpx2.Response:
        """The newest letter to a person as its frame shows it."""
        return self.browser.get(f"/try/{box}/{self.letter(box).number}")


def words(page: str) -> str:
    """The words of a page on one line."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", page)).split())


@contextmanager
def trying() -> Iterator[Newcomer]:
    """A newcomer at a new try-out, whose engines think in threads."""
    with EngineRoom(1, threads) as room, opened(URL, room) as tryout:
        site = site_of(tryout)
        pages = Pages(site, Browsers(tryout.office, tryout.now), TryPages(tryout, site).routes())
        app = pages.application((), Allowances(1e9, 1e9))
        with TestClient(app, base_url=URL) as browser:
            yield Newcomer(tryout, browser)
        pages.close()
