"""A desk in memory for one game, and what must hold of it at any time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

from referee.desk import Carried, Entry, Key, State, Terms, audit, carried_out, folded, opened, public, verified, view
from referee.desk import requests as asked
from referee.desk.requests import Answer, Request
from referee.desk.seals import commitment
from referee.game import GameFile
from referee.rules import game_named

BEGIN = datetime(2027, 3, 1, 12, tzinfo=UTC)
KEY = Key(b"the key of a desk that is a test")
NONCE = bytes(range(32))

SAID: dict[str, Callable[[str, int | None], Request]] = {
    "resign": asked.Resign,
    "offer": asked.Offer,
    "accept": asked.Accept,
    "decline": asked.Decline,
}
ORDERED: dict[str, Request] = {"resume": asked.Resume(), "close": asked.Close(), "tick": asked.Tick()}


class Desk:
    """A game, its log, and its secrets; requests are carried out as a store would have it."""

    def __init__(
        self,
        game: str = "beams",
        options: Mapping[str, Any] | None = None,
        clock: Mapping[str, Any] | None = None,
        *,
        name: str = "game-1",
        secret: str | None = None,
        file: GameFile | None = None,
    ) -> None:
        file = file or GameFile(game, options=options or {})
        terms = None if clock is None else Terms.read(clock)
        begun = opened(name, file, BEGIN, terms=terms, secret=secret)
        self.state: State = begun.state
        self.entries: list[Entry] = list(begun.entries)
        self.secrets: dict[str, str] = dict(begun.secrets)
        self.at = BEGIN
        self.promised: dict[str, str] = {}

    def ask(self, *requests: Request, after: float = 0) -> tuple[Answer, ...]:
        """The answers to requests of one letter that comes so many hours later."""
        self.at += timedelta(hours=after)
        done = carried_out(self.state, requests, self.at, self.secrets, KEY.draw)
        self.keep(done)
        return done.answers

    def keep(self, done: Carried) -> None:
        self.state = done.state
        self.entries += done.entries
        self.secrets.update(done.secrets)

    @property
    def kinds(self) -> list[str]:
        return [entry.as_json()["kind"] for entry in self.entries]

    @property
    def exported(self) -> str:
        return "".join(f"{entry.as_line()}\n" for entry in self.entries)

    def seal(self, side: str, move: str, nonce: bytes = NONCE) -> str:
        """What a player promises of a move."""
        promise = commitment(self.state.id, self.state.ply, side, self.state.protocol, move, nonce)
        self.promised[promise] = move
        return promise

    def seen(self, *sides: str) -> str:
        """Everything that can be seen of the ply to be played, and by these sides, as one text."""
        last = max((number for number, kind in enumerate(self.kinds) if kind == "played"), default=-1)
        lines = [entry.as_line() for entry in self.entries[last + 1 :]]
        views = [public(self.state, self.at), *(view(self.state, side, self.at, self.secrets) for side in sides)]
        return "\n".join([*lines, *map(json.dumps, views), repr(self.state.seals), repr(self.state.clock)])


def holds(desk: Desk) -> None:
    """What must hold of every desk: the log is whole, says the state, and nothing is wrong with it."""
    assert verified(desk.entries)
    assert folded(desk.entries) == desk.state
    report = audit(desk.exported)
    assert report.findings == ()
    assert report.entries == len(desk.entries)
    assert report.state == desk.state


def request(desk: Desk, who: str, words: str, ply: int | None = None) -> Request:
    """A request in the words of the cases."""
    verb, _, rest = words.partition(" ")
    if who == "host":
        return _ordered(verb, rest)
    match verb:
        case "submit":
            return asked.Submit(who, rest, ply)
        case "seal":
            return asked.Seal(who, rest if len(rest) > 40 else desk.seal(who, rest), ply)
        case "reveal":
            return asked.Reveal(who, rest, NONCE.hex(), ply)
        case "misreveal":
            return asked.Reveal(who, rest, (b"x" * 32).hex(), ply)
        case "halfreveal":
            return asked.Reveal(who, rest, NONCE.hex()[:40], ply)
        case "claim":
            return asked.Claim(who, rest or None, ply)
        case "message":
            return asked.Message(who, rest, ply)
        case "vacation":
            first, last = map(date.fromisoformat, rest.split())
            return asked.Vacation(who, first, last, ply)
        case _:
            return SAID[verb](who, ply)


def _ordered(verb: str, rest: str) -> Request:
    match verb, *rest.split():
        case ["extend", hours, *side]:
            return asked.Extend(int(hours), *side)
        case ["adjudicate", *side]:
            return asked.Adjudicate(*side)
        case ["replace", side, name, *address]:
            return asked.Replace(side, name, *address)
        case ["pause", *_]:
            return asked.Pause(rest)
        case ["reopen", *_]:
            return asked.Reopen(rest)
        case _:
            return ORDERED[verb]


def sides(game: str) -> tuple[str, ...]:
    return game_named(game).sides
