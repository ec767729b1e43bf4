"""Logs as a cheating host would forge them: with one or two changes, and new digests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from referee.desk import (
    START,
    Came,
    Entry,
    LogEvent,
    Past,
    Signer,
    State,
    commitment,
    event_data,
    events,
    new_entry,
    write_time,
)
from referee.desk.law import automatic
from referee.desk.log.seals import plan_commitment, planned_nonce
from referee.desk.log.secrets import CHANCE
from tests.support.desk_law import known_later
from tests.support.logs import letter


class Timed(NamedTuple):
    """The content of an entry, apart from the chain."""

    at: datetime
    event: LogEvent
    came: Came | None = None

    def moved(self, at: datetime) -> Timed:
        """The same at another time, and so is its letter."""
        if self.came is None or self.came.server != write_time(self.at):
            return self._replace(at=at)
        return self._replace(at=at, came=replace(self.came, server=write_time(at)))


HOUR = timedelta(hours=1)
SHIFTS = [timedelta(microseconds=1), timedelta(seconds=1), HOUR, 11 * HOUR, 2 * 24 * HOUR, 400 * 24 * HOUR]
ENDS = ["resignation", "agreement", "adjudication", "timeout", "repetition", "abandoned", "score"]
CODES = ["mismatch", "syntax", "canonical", "unknown-cell", "empty-cell", "occupied", "not-your-turn", ""]
TEXTS = [
    "",
    "hello",
    "P M1 A1 12",
    "P M1 A2 12",
    "p m1 a2 12",
    "P S A2",
    "R 1,1",
    "A M1 B1",
    "0" * 64,
    "ab" * 32,
    "x" * 5000,
]
KEY = Signer(bytes(32)).public
HOURS = [-1, 0, 1, 5, 12, 20, 24, 48, 2400, 2401]


@dataclass(frozen=True)
class Base:
    """An honest log, from which forged ones are made."""

    entries: Sequence[Entry]

    @cached_property
    def timed(self) -> list[Timed]:
        return [Timed(entry.at, entry.event, entry.came) for entry in self.entries]

    @cached_property
    def states(self) -> list[State]:
        states = [State.start(self.entries[0])]
        for entry in self.entries[1:]:
            states.append(states[-1].after(entry))
        return states

    @cached_property
    def secrets(self) -> dict[str, str]:
        return known_later(self.entries)

    @cached_property
    def digests(self) -> set[str]:
        return {entry.digest for entry in self.entries}

    @property
    def sides(self) -> list[str]:
        return [*self.states[0].players]

    @cached_property
    def openings(self) -> dict[str, tuple[str, bytes]]:
        """Move and nonce of each commitment of the log that something in it opens."""
        shown = [one for state in self.states for one in _shown(state.last)]
        found = {}
        for state in self.states:
            for side, seal in state.seals.items():
                bound, past = (state.id, state.ply, side, state.protocol), Past(state.root, seal.head)
                for other, move, nonce in shown:
                    kept = bytes.fromhex(nonce)
                    if other == side and commitment(*bound, move, kept, past) == seal.commitment:
                        found[seal.commitment] = move, kept
        return found

    @cached_property
    def plans(self) -> dict[str, events.Published]:
        """The plans that the log publishes, by their commitments."""
        told = (state.last for state in self.states if isinstance(state.last, events.Published))
        return {deposit.commitment: plan for deposit, plan in zip(self.states[-1].deposits, told, strict=False)}

    @cached_property
    def planned(self) -> dict[str, bytes]:
        """The nonces of moves that plans gave, each with the nonce of its plan."""
        nonces = [bytes.fromhex(plan.nonce) for plan in self.plans.values()]
        begins = enumerate((*self.states[-1].begins, self.states[-1].begun), 1)
        return {planned_nonce(nonce, ply, begun).hex(): nonce for ply, begun in begins for nonce in nonces}


def _shown(event: LogEvent) -> Iterator[tuple[str, str, str]]:
    """The moves and nonces that an event reveals, with their sides."""
    match event:
        case events.Played(moves=moves, nonces=nonces):
            yield from ((side, moves[side], nonce) for side, nonce in nonces.items())
        case events.Closed(unplayed=unplayed):
            yield from ((side, one["move"], one["nonce"]) for side, one in unplayed.items())
        case events.Revealed(side=side, move=move, nonce=nonce):
            yield side, move, nonce


def rechained(game: str, timed: Iterable[Timed], base: Base | None = None) -> list[Entry]:
    """A log of these events, with right numbers and digests.

    The seals of a base log are made again for the beginnings that their plies have here.
    """
    entries: list[Entry] = []
    begun, ahead = "", dict[str, str]()
    for number, one in enumerate(timed):
        event = one.event
        if base is not None and isinstance(event, events.Played):
            event = replace(event, nonces=_renewed(base, event, begun))
        if base is not None and isinstance(event, _Promise) and entries and event.head in base.digests:
            if isinstance(event, events.SealedAhead):
                ahead[event.commitment] = begun
            event = _rebound(base, game, event, Past(entries[0].digest, ahead.get(event.commitment or "", begun)))
        before = entries[-1].digest if entries else START
        entries.append(new_entry(game, number, one.at, event, before, came=one.came))
        if isinstance(event, events.Opened | events.Played | events.Reopened):
            begun = entries[-1].digest
    return entries


_Promise = events.Submitted | events.Sealed | events.SealedAhead | events.Planned


def _rebound(base: Base, game: str, event: _Promise, past: Past) -> LogEvent:
    rules = base.states[0].protocol
    if isinstance(event, events.Planned):
        if (plan := base.plans.get(event.commitment or "")) is None:
            return replace(event, head=past.head)
        bound = game, event.ply, event.side, rules, plan.plan, bytes.fromhex(plan.nonce)
        return replace(event, head=past.head, commitment=plan_commitment(*bound, past))
    if event.commitment not in base.openings:
        return replace(event, head=past.head)
    move, nonce = base.openings[event.commitment]
    ply = event.due if isinstance(event, events.SealedAhead) else event.ply
    kept = bytes.fromhex(_renewed_nonce(base, nonce.hex(), ply, past.head))
    return replace(event, head=past.head, commitment=commitment(game, ply, event.side, rules, move, kept, past))


def _renewed(base: Base, event: events.Played, begun: str) -> dict[str, str]:
    return {side: _renewed_nonce(base, nonce, event.ply, begun) for side, nonce in event.nonces.items()}


def _renewed_nonce(base: Base, nonce: str, ply: int, begun: str) -> str:
    """The nonce of a move, which depends on the beginning of its ply if a plan gave the move."""
    return planned_nonce(base.planned[nonce], ply, begun).hex() if nonce in base.planned else nonce


def forged(base: Base, chance: random.Random) -> list[Entry]:
    """A forged log, perhaps cut off behind what was forged."""
    timed = [*base.timed]
    for _ in range(chance.choice((1, 1, 1, 2))):
        timed, place = chance.choice(_WAYS)(base, timed, chance)
        if chance.random() < 0.4:
            timed = timed[: place + chance.choice((1, 1, 2, 3))]
        if not timed:
            timed = [*base.timed]
    return rechained(base.entries[0].game, timed, base)


def _changed(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    """One field of one event is another."""
    place = chance.randrange(len(timed))
    one = timed[place]
    if chance.random() < 0.1:
        other = letter(base.sides[0], one.at)
        signatures = [kept.came.signature for kept in base.timed if kept.came] or [None]
        signature = chance.choice(["ab" * 64, None, *signatures])
        came = chance.choice([None, other, letter(base.sides[0], one.at - HOUR), replace(other, signature=signature)])
        return [*timed[:place], one._replace(came=came), *timed[place + 1 :]], place
    names = [*event_data(one.event)]
    if not names:
        return timed, place
    name = chance.choice(names)
    value = _other(base, name, getattr(one.event, name), chance)
    return [*timed[:place], one._replace(event=replace(one.event, **{name: value})), *timed[place + 1 :]], place


def _other(base: Base, name: str, value: Any, chance: random.Random) -> Any:  # noqa: ANN401 - any field
    same = [getattr(one.event, name) for one in base.timed if hasattr(one.event, name)]
    pools: dict[str, list[Any]] = {
        "side": [*base.sides, "west"],
        "by": [*base.sides, None],
        "winner": [*base.sides, None, "team"],
        "ply": [0, 1, 2, 3, 4],
        "how": ENDS,
        "what": ["repetition", "timeout", "resignation"],
        "code": CODES,
        "hours": HOURS,
        "move": TEXTS,
        "secret": [None, "", "x", *same],
        "text": ["", " hello", "hello", "x" * 8001],
        "reason": ["", "a storm", "\x1b"],
        "name": ["Grace", "", "a\nb"],
        "title": [None, "", "Cup"],
        "rules": [1, 2],
        "log": [1, 2, 3, 4],
        "level": [0, 1, 2, 8, 9],
        "version": [0, 1, 2],
        "seed": ["ab" * 32, "x"],
        "to": [*base.sides, "west"],
        "never": [True, False],
        "word": ["", "tea", "a\nb", "x" * 101],
        "until": [write_time(base.entries[0].at + shift) for shift in SHIFTS],
        **{kept: [None, "ab" * 32] for kept in ("desk", "old")},
        "of": [None, "ab" * 32, "x"],
        "key": [None, KEY, "ab" * 32],
        "notes": [None, {}, {base.sides[0]: "ab" * 64}],
        "addresses": [None, {}, *_ADDRESSES],
        "signature": ["", "ab" * 64],
    }
    if name == "known":
        return _told(base, value, chance)
    if name in ("options", "clock") and isinstance(value, Mapping):
        return _dealt(value, chance) if "deal" in value else {**value, **chance.choice(_TERMS)}
    if isinstance(value, dict) and name != "addresses":
        return _mapping(base, value, chance)
    if isinstance(value, tuple):
        return tuple(chance.sample(base.sides, chance.randrange(len(base.sides) + 1)))
    return chance.choice([*pools.get(name, TEXTS), *same])


_ADDRESSES: list[dict[str, list[str]]] = [
    {"mailboxes": mailboxes, "secrets": secrets}
    for mailboxes in ([], ["desk@example.org"], ["desk+game-1@example.org"], ["Desk@example.org"])
    for secrets in ([], ["ab" * 32], ["ab" * 32, "cd" * 32], ["ab" * 32] * 2, ["AB" * 32])
]
_TERMS: list[dict[str, Any]] = [
    {"timeout": "loss"}, {"timeout": "claim"}, {"days": 1}, {"days": 0}, {"bank": 1}, {"zone": "localtime"},
    {"zone": "Asia/Tokyo"}, {"reminders": [1]}, {"mode": "synchronous"}, {"columns": 13}, {"vacation": 0},
]  # fmt: skip


def _mapping(base: Base, value: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A value dropped, added, or changed."""
    side = chance.choice([*value, *base.sides])
    rest = {one: value[one] for one in value if one != side}
    if chance.random() < 0.3:
        return rest
    if any(isinstance(one, dict) for one in value.values()):
        return {**rest, side: {"move": chance.choice(TEXTS), "nonce": chance.choice(TEXTS)}}
    return {**rest, side: chance.choice([0, 1, 7] if side in value and isinstance(value[side], int) else TEXTS)}


def _told(base: Base, value: Any, chance: random.Random) -> Any:  # noqa: ANN401 - what is known
    """More, less, or something else revealed of the deal."""
    told = [one.event.known for one in base.timed if isinstance(one.event, events.Played) and one.event.known]
    return chance.choice([None, {}, *(_dealt(one, chance) for one in (value, *told) if one), *told])


def _dealt(options: Any, chance: random.Random) -> Any:  # noqa: ANN401 - options
    deal = dict(options["deal"])
    decks = [list(deck) for deck in deal.get("decks", [[], []])]
    match chance.randrange(9):
        case 0:
            deal["decks"] = [[*deck, chance.randint(1, 6)] for deck in decks]
        case 1:
            deal["decks"] = [deck[:-1] for deck in decks]
        case 2:
            deal["decks"] = [[*deck[:-1], chance.randint(1, 6)] for deck in decks]
        case 3:
            deal["discs"] = {**deal.get("discs", {}), "red": sorted(chance.sample(range(1, 7), 3))}
        case 4:
            deal["commitment"] = chance.choice(("ab" * 32, str(deal.get("commitment")).upper()))
        case 5:
            deal.pop("commitment", None)
        case 6:
            deal = {"seed": "x"}
        case 7:
            deal["seed"] = "x"
        case _:
            deal["decks"] = [[*range(1, 7)] * 2, [*range(1, 7)] * 2]
    return {**options, "deal": deal}


def _retimed(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    """An entry comes later or earlier, and those behind it with it or not."""
    place = chance.randrange(len(timed))
    shift = chance.choice(SHIFTS) * chance.choice((1, 1, 1, -1))
    if chance.random() < 0.2:
        shift = chance.choice(timed).at - timed[place].at
    all_behind = chance.random() < 0.7
    moved = [
        one.moved(one.at + shift) if number == place or (all_behind and number > place) else one
        for number, one in enumerate(timed)
    ]
    return moved, place


def _dropped(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    place = chance.randrange(len(timed))
    return [*timed[:place], *timed[place + 1 :]], place - 1


def _doubled(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    place = chance.randrange(len(timed))
    return [*timed[: place + 1], *timed[place:]], place + 1


def _swapped(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    if len(timed) < 2:
        return timed, 0
    place = chance.randrange(len(timed) - 1)
    one, two = timed[place : place + 2]
    return [*timed[:place], two.moved(one.at), one.moved(two.at), *timed[place + 2 :]], place + 1


def _inserted(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    """An event more, at the time of the one before it or later."""
    place = chance.randrange(1, len(timed) + 1)
    at = timed[place - 1].at + chance.choice([timedelta(0), timedelta(0), *SHIFTS])
    side = chance.choice(base.sides)
    ply = sum(isinstance(one.event, events.Played) for one in timed[:place]) + 1
    state = base.states[min(place, len(base.states)) - 1]
    made: list[LogEvent] = [
        events.Submitted(ply, side, "ab" * 32, state.begun),
        events.Sealed(ply, side, "ab" * 32, state.begun),
        events.Failed(ply, side, chance.choice(CODES), chance.choice(TEXTS), "ab" * 32),
        events.Revealed(ply, side, chance.choice(TEXTS), "ab" * 32),
        events.Offered(side),
        events.Accepted(side),
        events.Declined(side),
        events.Resigned(side),
        events.Claimed(side, chance.choice(("timeout", "repetition"))),
        events.MessageSent(side, "hello"),
        events.VacationTaken(side, at.date().isoformat(), (at + timedelta(days=1)).date().isoformat()),
        *state.clock.reminders(at),
        events.Extended(side, chance.choice(HOURS)),
        events.Paused("a storm"),
        events.Resumed(),
        events.Adjudicated(chance.choice((side, None)), "so be it"),
        events.Replaced(side, "Grace"),
        chance.choice(base.timed).event,
    ]
    name = base.states[0].players[side]
    made += [
        events.Joined(side, chance.choice((name, "Grace")), None, chance.choice(("", "tea"))),
        events.Refused(side, never=chance.random() < 0.5),
        events.Left(side),
        events.Lapsed(),
        events.Gave(side, chance.choice(base.sides), chance.choice(HOURS)),
        events.Aborted(side),
        events.Keyed(side, chance.choice((None, KEY)), chance.choice((None, "ab" * 64)), chance.choice(("", "lost"))),
        events.Noted(ply, side, "ab" * 64),
        events.Rekeyed(chance.choice((None, "58" + "66" * 31, "ab" * 32)), None, chance.choice(("", "a storm"))),
        events.Rekeyed("58" + "66" * 31, "ab" * 64, ""),
        events.Engaged(side, chance.choice((0, 1, 9)), 1, "ab" * 32),
        events.Disclosed(side, "ab" * 32),
    ]
    event = chance.choice(made)
    came = letter(side, at) if isinstance(event, events.Failed) or chance.random() < 0.2 else None
    return [*timed[:place], Timed(at, event, came), *timed[place:]], place


def _ended(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    """The game ends somewhere, and everything that an end reveals is right: only its cause or time may be wrong."""
    place = chance.randrange(len(base.entries))
    state, at = base.states[place], base.timed[place].at
    if state.closed:
        place, state = place - 1, base.states[place - 1]
    if state.closed:
        return timed, place
    side = chance.choice([*base.sides, None])
    causes: list[LogEvent] = [
        events.Resigned(side or base.sides[0]),
        events.Claimed(side or base.sides[0], "timeout"),
        events.Adjudicated(side, ""),
    ]
    caused = Timed(at + chance.choice([timedelta(0), *SHIFTS]), chance.choice(causes))
    cause = [caused] if chance.random() < 0.5 else []
    later = caused.at if cause else at
    end = later + chance.choice([timedelta(0), timedelta(0), *SHIFTS])
    secrets = {**base.secrets}
    if chance.random() < 0.1:
        secrets.pop(CHANCE, None)
    how, by = chance.choice(ENDS), chance.choice([*base.sides, None, side, side])
    try:
        closed = automatic.end(state, how, by, secrets)
    except (KeyError, ValueError):  # nothing is known of what chance decided, or no game can end like this
        return timed, place
    return [*base.timed[: place + 1], *cause, Timed(end, closed)], place + 1 + len(cause)


_WAYS: tuple[Callable[[Base, list[Timed], random.Random], tuple[list[Timed], int]], ...] = (
    *[_changed] * 3, *[_retimed] * 2, _dropped, _doubled, _swapped, *[_inserted] * 2, *[_ended] * 2,
)  # fmt: skip
