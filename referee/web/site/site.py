"""The common parts of a desk's pages: the site, and the answer of a page."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from referee.desk import Desk

HTML = "text/html; charset=utf-8"

_KEPT = 256
"""Maximum cached bodies of answers, so that many spectators cost no more than one."""


class MissingPageError(Exception):
    """There is nothing at this address; the text is the reason."""


class Answered(NamedTuple):
    """The answer of an address: its media type, a tag that changes with the body, and a function for the body."""

    media: str
    tag: str
    body: Callable[[], bytes]


class Shelf:
    """The bodies of the newest answers by tag; any number of threads may use it."""

    def __init__(self) -> None:
        self._bodies: dict[str, bytes] = {}
        self._lock = Lock()

    def body(self, answered: Answered) -> bytes:
        """The body of an answer, made if it is missing."""
        with self._lock:
            found = self._bodies.get(answered.tag)
        if found is None:
            found = answered.body()
            with self._lock:
                self._bodies[answered.tag] = found
                while len(self._bodies) > _KEPT:
                    self._bodies.pop(next(iter(self._bodies)))
        return found


class EngineOffer(NamedTuple):
    """Engines up to a level that people can ask for by a letter to the desk's address.

    `open` is the setting of who may: `players`, `known` or `vouched`.
    """

    mailbox: str
    level: int
    open: str


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of a desk.

    `url` is the address of the first page, without a slash at its end. `mailbox` is the desk's e-mail address, if
    players may choose their moves on the pages and mail them; with `submits` they can submit them there, too.
    `invites` is that address if people may open games with others by letter. `host` is the address of the host.
    """

    desk: Desk
    url: str
    name: str
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    mailbox: str = ""
    submits: bool = False
    engines: EngineOffer | None = None
    invites: str = ""
    host: str = ""
    shelf: Shelf = field(default_factory=Shelf, repr=False, compare=False)

    @property
    def root(self) -> str:
        """The path of all pages; empty if they have a host name of their own."""
        return urlsplit(self.url).path.rstrip("/")

    def path(self, *parts: str, **asked: object) -> str:
        """The path of a page, from its parts and its query, without parameters that are None."""
        query = "&".join(f"{name}={quote(str(value))}" for name, value in asked.items() if value is not None)
        path = "".join(f"/{quote(part, safe='')}" for part in parts) or "/"
        return f"{self.root}{path}?{query}" if query else f"{self.root}{path}"

    def address(self, *parts: str) -> str:
        """The whole address of a page, for feeds and letters."""
        return "".join((self.url, *(f"/{quote(part, safe='')}" for part in parts)))


def letter_link(mailbox: str, line: str) -> str:
    """The address that makes a mail program open a letter with this line."""
    local, _, domain = mailbox.partition("@")
    return f"mailto:{quote(local)}@{domain}?subject={quote(line)}&body={quote(line)}%0A"


def tag_of(*content: object) -> str:
    """A tag for everything that a body depends on."""
    return hashlib.sha256(repr(content).encode(errors="backslashreplace")).hexdigest()[:32]
