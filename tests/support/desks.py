"""A desk in memory for one game, and checks that must hold at any time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import groupby
from typing import Any

from referee.desk import (
    Act,
    Answer,
    By,
    Came,
    Context,
    Entry,
    Key,
    Order,
    Progress,
    Proposal,
    Secrets,
    Signer,
    State,
    Terms,
    acts,
    commitment,
    engine_turn,
    events,
    found_move,
    public,
    set_up,
)
from referee.desk.law import attestations
from referee.desk.law.seat_addresses import address_secrets
from referee.desk.log.secrets import Chance
from referee.desk.play.progress import act, execute, join, move_engine, rekey
from referee.desk.play.proposals import propose
from referee.game import GameFile
from referee.rules import game_named
from tests.support.logs import audit_text, fold_log, is_whole, letter

BEGIN = datetime(2027, 3, 1, 12, tzinfo=UTC)
KEY = Key(b"the key of a desk that is a test")
MAILBOX = "desk@example.org"
ADDRESSES = {"mailboxes": (MAILBOX,), "secrets": ("ab" * 32,)}
NONCE = bytes(range(32))


@dataclass(frozen=True)
class Join:
    """A player takes an open seat."""

    side: str
    name: str
    word: str = ""


@dataclass(frozen=True)
class Rekey:
    """The desk gets another key, signed by a former one; keys have names."""

    key: str
    former: str
    reason: str = ""


Request = tuple[By, Act | acts.SignedAct] | Order | Join | Rekey
"""A request: an act with its player, an order, or a seat."""

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
    state: State,
    requests: Iterable[Request],
    at: datetime,
    secrets: Mapping[str, str],
    chance: Chance,
    came: Came | None = None,
) -> Progress:
    """The result of requests at one time; those of one player are one letter: this one, or a made-up one."""
    done = Progress(state, state)
    for by, group in groupby(requests, lambda one: one[0] if isinstance(one, tuple) else None):
        kept = {**address_secrets(KEY, done.state, {}, [MAILBOX]), **secrets, **done.secrets}
        if by is not None:
            said = [one[1] for one in group if isinstance(one, tuple)]
            steps = [act(Context(done.state, at, kept, chance, came or letter(by.side, at)), by, said)]
        else:
            steps = [_ordered(done.state, one, at, kept, chance, came) for one in group if not isinstance(one, tuple)]
        for step in steps:
            done = Progress(
                state,
                step.state,
                done.entries + step.entries,
                {**done.secrets, **step.secrets},
                done.answers + step.answers,
            )
    return done


def desk_signer(name: str) -> Signer:
    """A key of the desk, always the same for one name."""
    return Signer(sha256(f"the key {name} of a desk".encode()).digest())


def _ordered(
    state: State, wanted: Order | Join | Rekey, at: datetime, kept: Secrets, chance: Chance, came: Came | None
) -> Progress:
    if isinstance(wanted, Rekey):
        before = Progress(state, state)
        done = rekey(before, desk_signer(wanted.key).public, desk_signer(wanted.former), wanted.reason, at)
        return replace(done, answers=(Answer("rekeyed"),))
    if not isinstance(wanted, Join):
        return execute(Context(state, at, kept, chance), wanted)
    joined, how = events.Joined(wanted.side, wanted.name, None, wanted.word), came or letter(wanted.side, at)
    return join(Context(state, at, kept, chance, how), joined, f"{wanted.side}@example.org")


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
        desk: str | None = None,
        engines: Mapping[str, int] | None = None,
    ) -> None:
        file = file or GameFile(game, options=options or {})
        terms = None if clock is None else Terms.read(clock)
        key = desk and desk_signer(desk).public
        begun = set_up(name, file, BEGIN, terms=terms, secret=secret, desk=key, engines=engines, chance=KEY.draw)
        self.begin(begun)

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
        desk: str | None = None,
        engines: Mapping[str, int] | None = None,
    ) -> Desk:
        """A proposed game; `open_to` are its open seats."""
        seats = {side: None if side in open_to else f"player of {side}" for side in game_named(game).sides}
        file = GameFile(game, options=options or {}, event=title)
        terms = None if clock is None else Terms.read(clock)
        proposal = Proposal(file, seats, BEGIN + timedelta(days=days), by, terms, of, engines or {})
        came = None if by is None else letter(by, BEGIN)
        key = desk and desk_signer(desk).public
        begun = propose(name, proposal, BEGIN, addresses={}, chance=KEY.draw, word=word, came=came, desk=key)
        invited = cls.__new__(cls)
        invited.begin(begun)
        return invited

    def begin(self, begun: Progress) -> None:
        """Begin with a game just set up or proposed."""
        self.entries: list[Entry] = list(begun.entries)
        self.state: State = fold_log(self.entries)
        self.secrets = {**begun.secrets, **address_secrets(KEY, self.state, {}, [MAILBOX])}
        self.at = BEGIN
        self.promised: dict[str, str] = {}

    def ask(self, *requests: Request, after: float = 0) -> tuple[Answer, ...]:
        """The answers to the requests of one letter that comes `after` hours later."""
        self.at += timedelta(hours=after)
        done = carry_out(self.state, requests, self.at, self.secrets, KEY.draw)
        self.keep(done)
        return done.answers

    def think(self, *, after: float = 0, most: int = 1000, honestly: bool = True) -> int:
        """Have engines make up to `most` moves that are due, `after` hours later; return their number.

        A cheating host has them make other legal moves than they find.
        """
        self.at += timedelta(hours=after)
        made = 0
        while made < most and (turn := engine_turn(self.state, self.secrets)) is not None:
            found = found_move(turn)
            others = (str(move) for move in turn.position.legal_moves(turn.side) if str(move) != found)
            move = found if honestly else next(others)
            self.keep(move_engine(Context(self.state, self.at, self.secrets, KEY.draw), turn.side, move))
            made += 1
        return made

    def keep(self, done: Progress) -> None:
        self.state = done.state
        self.entries += done.entries
        self.secrets.update({**done.secrets, **address_secrets(KEY, self.state, {}, [MAILBOX])})

    @property
    def kinds(self) -> list[str]:
        return [entry.as_json()["kind"] for entry in self.entries]

    @property
    def exported(self) -> str:
        return "".join(f"{entry.as_line()}\n" for entry in self.entries)

    def seal(self, side: str, move: str, nonce: bytes = NONCE) -> str:
        """The player's commitment to a move."""
        state = self.state
        promise = commitment(state.id, state.ply, side, state.protocol, move, nonce, state.past)
        self.promised[promise] = move
        return promise

    def seal_ahead(self, side: str, ply: int, move: str) -> str:
        """The player's commitment to a move of a later ply, over the past that they know now."""
        state = self.state
        return commitment(state.id, ply, side, state.protocol, move, NONCE, state.past)

    def seen(self) -> str:
        """All public data of the ply to be played, as one text."""
        last = max((number for number, kind in enumerate(self.kinds) if kind == "played"), default=-1)
        lines = [entry.as_line() for entry in self.entries[last + 1 :]]
        view = json.dumps(public(self.state, self.at))
        return "\n".join([*lines, view, repr(self.state.seals), repr(self.state.clock)])


def holds(desk: Desk) -> None:
    """Check what must hold for every desk: the log is whole and without fault, and gives the state."""
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
        return _order(desk, verb, rest)
    if verb != "signed":
        return By(who, ply), _act(desk, who, verb, rest)
    whose, verb, *more = rest.split(maxsplit=2)
    return By(who, ply), signed(desk.state, who, signer(whose), _act(desk, who, verb, " ".join(more)))


def signer(name: str) -> Signer:
    """A player's key, always the same for one name."""
    return Signer(sha256(f"the key of {name}".encode()).digest())


def signed(state: State, side: str, key: Signer, act: Act) -> acts.SignedAct:
    """An act with its signature, as `referee sign` makes it."""
    if isinstance(act, acts.UseKey):
        return acts.SignedAct(act, key.sign(attestations.change_text(state, side, act.key or None)))
    return acts.SignedAct(act, key.sign(attestations.signed_text(state, side, attestations.signed_words(act))))


def _act(desk: Desk, side: str, verb: str, rest: str) -> Act:
    match verb:
        case "submit":
            return acts.MakeMove(rest)
        case "seal":
            return acts.Seal(rest if len(rest) > 40 else desk.seal(side, rest))
        case "ahead":
            number, move = rest.split(maxsplit=1)
            return acts.SealAhead(int(number), desk.seal_ahead(side, int(number), move))
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
        case "enter":
            name, *words = rest.split(maxsplit=1)
            return acts.Accept("".join(words), signer(name).public)
        case "key":
            return acts.UseKey("" if rest == "none" else rest if len(rest) > 40 else signer(rest).public)
        case "plan":
            return acts.Plan("" if rest == "off" else rest.replace(" / ", "\n"))
        case "with":
            move, plan = rest.split(": ", 1)
            return acts.Plan(plan.replace(" / ", "\n"), acts.MakeMove(move))
        case "give":
            hours, *to = rest.split()
            return acts.Give(int(hours), *to)
        case _:
            return ACTS[verb]


def _order(desk: Desk, verb: str, rest: str) -> Order | Join | Rekey:
    match verb, *rest.split():
        case ["rekey", key, former, *words]:
            return Rekey(key, former, " ".join(words))
        case ["seat", side, name, *words]:
            return Join(side, name, " ".join(words))
        case ["extend", hours, *side]:
            return acts.Extend(int(hours), *side)
        case ["adjudicate", *side]:
            return acts.Adjudicate(*side)
        case ["replace", side, name, "signed", whose]:
            old = signer(whose).sign(attestations.change_text(desk.state, side, None))
            return acts.Replace(side, name, old=old)
        case ["replace", side, name, *address]:
            return acts.Replace(side, name, *address)
        case ["drop-key", side, *reason]:
            return acts.DropKey(side, " ".join(reason))
        case ["pause", *_]:
            return acts.Pause(rest)
        case ["reopen", *_]:
            return acts.Reopen(rest)
        case _:
            return ORDERS[verb]


def sides(game: str) -> tuple[str, ...]:
    return game_named(game).sides
