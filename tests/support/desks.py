"""A desk in memory for one game, and what must hold of it at any time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

from referee.desk import (
    Act,
    Answer,
    By,
    Entry,
    Key,
    Order,
    Progress,
    State,
    Terms,
    acts,
    public,
    view,
)
from referee.desk.progress import act, execute
from referee.desk.records import Chance
from referee.desk.seals import commitment
from referee.desk.setup import set_up
from referee.game import GameFile
from referee.rules import game_named
from tests.support.logs import audit_text, fold_log, is_whole

BEGIN = datetime(2027, 3, 1, 12, tzinfo=UTC)
KEY = Key(b"the key of a desk that is a test")
NONCE = bytes(range(32))

Request = tuple[By, Act] | Order
"""What somebody asks: an act and who acts, or an order."""

ACTS: dict[str, Act] = {
    "resign": acts.Resign(),
    "offer": acts.OfferDraw(),
    "accept": acts.Accept(),
    "decline": acts.Decline(),
}
ORDERS: dict[str, Order] = {"resume": acts.Resume(), "close": acts.Close(), "tick": acts.Tick()}


def submit(side: str, move: str, ply: int | None = None) -> Request:
    return By(side, ply), acts.MakeMove(move)


def reveal(side: str, move: str, nonce: str, ply: int | None = None) -> Request:
    return By(side, ply), acts.Reveal(move, nonce)


def offer(side: str, ply: int | None = None) -> Request:
    return By(side, ply), acts.OfferDraw()


def resign(side: str) -> Request:
    return By(side), acts.Resign()


def message(side: str, text: str) -> Request:
    return By(side), acts.Message(text)


def carry_out(
    state: State, requests: Iterable[Request], at: datetime, secrets: Mapping[str, str], chance: Chance
) -> Progress:
    """What requests of one moment do, those of one player as one letter."""
    done = Progress(state, state)
    for by, group in groupby(requests, lambda one: one[0] if isinstance(one, tuple) else None):
        kept = {**secrets, **done.secrets}
        if by is not None:
            steps = [act(done.state, by, [one[1] for one in group if isinstance(one, tuple)], at, kept, chance)]
        else:
            steps = [execute(done.state, one, at, kept, chance) for one in group if not isinstance(one, tuple)]
        for step in steps:
            done = Progress(
                state,
                step.state,
                done.entries + step.entries,
                {**done.secrets, **step.secrets},
                done.answers + step.answers,
            )
    return done


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
        begun = set_up(name, file, BEGIN, terms=terms, secret=secret)
        self.state: State = begun.state
        self.entries: list[Entry] = list(begun.entries)
        self.secrets: dict[str, str] = dict(begun.secrets)
        self.at = BEGIN
        self.promised: dict[str, str] = {}

    def ask(self, *requests: Request, after: float = 0) -> tuple[Answer, ...]:
        """The answers to requests of one letter that comes so many hours later."""
        self.at += timedelta(hours=after)
        done = carry_out(self.state, requests, self.at, self.secrets, KEY.draw)
        self.keep(done)
        return done.answers

    def keep(self, done: Progress) -> None:
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
    assert is_whole(desk.entries)
    assert fold_log(desk.entries) == desk.state
    report = audit_text(desk.exported)
    assert report.findings == ()
    assert report.entries == len(desk.entries)
    assert report.state == desk.state


def request(desk: Desk, who: str, words: str, ply: int | None = None) -> Request:
    """A request in the words of the cases."""
    verb, _, rest = words.partition(" ")
    if who == "host":
        return _order(verb, rest)
    return By(who, ply), _act(desk, who, verb, rest)


def _act(desk: Desk, side: str, verb: str, rest: str) -> Act:
    match verb:
        case "submit":
            return acts.MakeMove(rest)
        case "seal":
            return acts.Seal(rest if len(rest) > 40 else desk.seal(side, rest))
        case "reveal":
            return acts.Reveal(rest, NONCE.hex())
        case "misreveal":
            return acts.Reveal(rest, (b"x" * 32).hex())
        case "halfreveal":
            return acts.Reveal(rest, NONCE.hex()[:40])
        case "claim":
            return acts.Claim(rest)
        case "message":
            return acts.Message(rest)
        case "vacation":
            return acts.Vacation(rest)
        case _:
            return ACTS[verb]


def _order(verb: str, rest: str) -> Order:
    match verb, *rest.split():
        case ["extend", hours, *side]:
            return acts.Extend(int(hours), *side)
        case ["adjudicate", *side]:
            return acts.Adjudicate(*side)
        case ["replace", side, name, *address]:
            return acts.Replace(side, name, *address)
        case ["pause", *_]:
            return acts.Pause(rest)
        case ["reopen", *_]:
            return acts.Reopen(rest)
        case _:
            return ORDERS[verb]


def sides(game: str) -> tuple[str, ...]:
    return game_named(game).sides
