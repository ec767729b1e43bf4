"""The pages of a desk: what they all need, and what each of them answers."""

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
"""Maximum bodies of answers that are kept, so that many spectators cost no more than one."""


class MissingPageError(Exception):
    """There is nothing at this address; its text says why."""


class Answered(NamedTuple):
    """What an address answers: its media type, a tag that changes with the body, and how the body is made."""

    media: str
    tag: str
    body: Callable[[], bytes]


class Shelf:
    """The bodies of the newest answers by tag; any number of threads may use it."""

    def __init__(self) -> None:
        self._bodies: dict[str, bytes] = {}
        self._lock = Lock()

    def body(self, answered: Answered) -> bytes:
        """The body of an answer, which is made if it is not there."""
        with self._lock:
            found = self._bodies.get(answered.tag)
        if found is None:
            found = answered.body()
            with self._lock:
                self._bodies[answered.tag] = found
                while len(self._bodies) > _KEPT:
                    self._bodies.pop(next(iter(self._bodies)))
        return found


def _now() -> datetime:
    return datetime.now(UTC)


class EngineOffer(NamedTuple):
    """Engines that people can ask for by a letter to the desk's address, up to a level.

    `open` is the setting that says who may: `players`, `known` or `vouched`.
    """

    mailbox: str
    level: int
    open: str

    def letter(self, line: str) -> str:
        """The address at which a mail program opens a letter with this line."""
        local, _, domain = self.mailbox.partition("@")
        return f"mailto:{quote(local)}@{domain}?subject={quote(line)}&body={quote(line)}%0A"


@dataclass(frozen=True, slots=True)
class Site:
    """The desk whose games are shown, and where people find them.

    `url` is the address of the first page, without a slash at its end, and `name` is what the desk is called.
    `mailbox` is the desk's e-mail address, if players may choose their moves on the pages and mail them;
    with `submits` they can submit them there, too. `engines` is None where nobody can ask for a game with engines.
    """

    desk: Desk
    url: str
    name: str
    now: Callable[[], datetime] = _now
    mailbox: str = ""
    submits: bool = False
    engines: EngineOffer | None = None
    shelf: Shelf = field(default_factory=Shelf, repr=False, compare=False)

    @property
    def root(self) -> str:
        """The path under which all pages stand; empty if they have a name of their own."""
        return urlsplit(self.url).path.rstrip("/")

    def path(self, *parts: str, **asked: object) -> str:
        """The path of a page, from its parts and what is asked of it; whatever is None is left out."""
        query = "&".join(f"{name}={quote(str(value))}" for name, value in asked.items() if value is not None)
        path = "".join(f"/{quote(part, safe='')}" for part in parts) or "/"
        return f"{self.root}{path}?{query}" if query else f"{self.root}{path}"

    def address(self, *parts: str) -> str:
        """The whole address of a page, for feeds and letters."""
        return "".join((self.url, *(f"/{quote(part, safe='')}" for part in parts)))


def tag_of(*told: object) -> str:
    """A tag for everything that a body depends on."""
    return hashlib.sha256(repr(told).encode(errors="backslashreplace")).hexdigest()[:32]
