"""A desk in memory for one game, and what must hold of it at any time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
    Proposal,
    State,
    Terms,
    acts,
    events,
    public,
    view,
)
from referee.desk.events import FIRST, THIRD
from referee.desk.progress import act, execute, join
from referee.desk.proposals import propose
from referee.desk.records import Chance, Secrets
from referee.desk.seals import commitment
from referee.desk.setup import set_up
from referee.game import GameFile
from referee.rules import game_named
from tests.support.logs import as_before, audit_text, fold_log, is_whole, letter

BEGIN = datetime(2027, 3, 1, 12, tzinfo=UTC)
KEY = Key(b"the key of a desk that is a test")
NONCE = bytes(range(32))


@dataclass(frozen=True)
class Join:
    """Somebody takes a seat that waits for anybody."""

    side: str
    name: str
    word: str = ""


Request = tuple[By, Act] | Order | Join
"""What somebody asks: an act and who acts, an order, or a seat."""

ACTS: dict[str, Act] = {
    "resign": acts.Resign(),
    "offer": acts.OfferDraw(),
    "decline": acts.Decline(),
    "never": acts.Never(),
    "withdraw": acts.Withdraw(),
    "abort": acts.Abort(),
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
            said = [one[1] for one in group if isinstance(one, tuple)]
            steps = [act(done.state, by, said, at, kept, chance, letter(by.side, at))]
        else:
            steps = [_ordered(done.state, one, at, kept, chance) for one in group if not isinstance(one, tuple)]
        for step in steps:
            done = Progress(
                state,
                step.state,
                done.entries + step.entries,
                {**done.secrets, **step.secrets},
                done.answers + step.answers,
            )
    return done


def _ordered(state: State, wanted: Order | Join, at: datetime, kept: Secrets, chance: Chance) -> Progress:
    if not isinstance(wanted, Join):
        return execute(state, wanted, at, kept, chance)
    joined, came = events.Joined(wanted.side, wanted.name, None, wanted.word), letter(wanted.side, at)
    return join(state, joined, f"{wanted.side}@example.org", at, kept, chance, came)


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
        log: int = THIRD,
    ) -> None:
        file = file or GameFile(game, options=options or {})
        terms = None if clock is None else Terms.read(clock)
        begun = set_up(name, file, BEGIN, terms=terms, secret=secret)
        self._begin(begun, log)

    @classmethod
    def invited(
        cls,
        game: str,
        by: str | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        clock: Mapping[str, Any] | None = None,
        name: str = "game-1",
        title: str | None = None,
        open_to: Iterable[str] = (),
        days: int = 7,
        of: str | None = None,
        word: str = "",
    ) -> Desk:
        """A game that is proposed; `open_to` are the seats that wait for anybody."""
        seats = {side: None if side in open_to else f"player of {side}" for side in game_named(game).sides}
        file = GameFile(game, options=options or {}, event=title)
        terms = None if clock is None else Terms.read(clock)
        proposal = Proposal(file, seats, BEGIN + timedelta(days=days), by, terms, of)
        came = None if by is None else letter(by, BEGIN)
        begun = propose(name, proposal, BEGIN, addresses={}, chance=KEY.draw, word=word, came=came)
        desk = cls.__new__(cls)
        desk._begin(begun, THIRD)
        return desk

    def _begin(self, begun: Progress, log: int) -> None:
        self.entries: list[Entry] = as_before(begun.entries) if log == FIRST else list(begun.entries)
        self.state: State = fold_log(self.entries)
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
        state = self.state
        promise = commitment(state.id, state.ply, side, state.protocol, move, nonce, state.past)
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
    if who in ("host", "guest"):
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
        case "accept":
            return acts.Accept(rest)
        case "give":
            hours, *to = rest.split()
            return acts.Give(int(hours), *to)
        case _:
            return ACTS[verb]


def _order(verb: str, rest: str) -> Order | Join:
    match verb, *rest.split():
        case ["seat", side, name, *words]:
            return Join(side, name, " ".join(words))
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
