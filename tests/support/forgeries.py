"""Logs as a host who cheats would forge them: one or two things changed, and every digest made anew."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from referee.desk import Entry, automatic, events
from referee.desk.events import LogEvent
from referee.desk.log import START, new_entry
from referee.desk.records import CHANCE
from referee.desk.state import State
from tests.support.desk_law import known_later

Timed = tuple[datetime, LogEvent]

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
HOURS = [-1, 0, 1, 5, 12, 20, 24, 48, 2400, 2401]


@dataclass(frozen=True)
class Base:
    """An honest log, from which forged ones are made."""

    entries: Sequence[Entry]

    @cached_property
    def timed(self) -> list[Timed]:
        return [(entry.at, entry.event) for entry in self.entries]

    @cached_property
    def states(self) -> list[State]:
        states = [State.start(self.entries[0])]
        for entry in self.entries[1:]:
            states.append(states[-1].after(entry))
        return states

    @cached_property
    def secrets(self) -> dict[str, str]:
        return known_later(self.entries)

    @property
    def sides(self) -> list[str]:
        return [*self.states[0].players]


def rechained(game: str, timed: Iterable[Timed]) -> list[Entry]:
    """A log of these events, with right numbers and digests."""
    entries: list[Entry] = []
    for number, (at, event) in enumerate(timed):
        entries.append(new_entry(game, number, at, event, entries[-1].digest if entries else START))
    return entries


def forged(base: Base, chance: random.Random) -> list[Entry]:
    """A forged log, perhaps cut off behind what was forged."""
    timed = [*base.timed]
    for _ in range(chance.choice((1, 1, 1, 2))):
        timed, place = chance.choice(_WAYS)(base, timed, chance)
        if chance.random() < 0.4:
            timed = timed[: place + chance.choice((1, 1, 2, 3))]
        if not timed:
            timed = [*base.timed]
    return rechained(base.entries[0].game, timed)


def _changed(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    """One field of one event is another."""
    place = chance.randrange(len(timed))
    at, event = timed[place]
    names = [field.name for field in fields(event)]
    if not names:
        return timed, place
    name = chance.choice(names)
    value = _other(base, name, getattr(event, name), chance)
    return [*timed[:place], (at, replace(event, **{name: value})), *timed[place + 1 :]], place


def _other(base: Base, name: str, value: Any, chance: random.Random) -> Any:  # noqa: ANN401 - any field
    same = [getattr(event, name) for _, event in base.timed if hasattr(event, name)]
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
    }
    if name == "known":
        return _told(base, value, chance)
    if name in ("options", "clock") and value is not None:
        return _dealt(value, chance) if "deal" in value else {**value, **chance.choice(_TERMS)}
    if isinstance(value, dict):
        return _mapping(base, value, chance)
    if isinstance(value, tuple):
        return tuple(chance.sample(base.sides, chance.randrange(len(base.sides) + 1)))
    return chance.choice([*pools.get(name, TEXTS), *same])


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
    """More, less, or another thing told of the deal."""
    told = [event.known for _, event in base.timed if isinstance(event, events.Played) and event.known]
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
        shift = chance.choice(timed)[0] - timed[place][0]
    all_behind = chance.random() < 0.7
    moved = [
        (at + shift if number == place or (all_behind and number > place) else at, event)
        for number, (at, event) in enumerate(timed)
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
    (one_at, one), (two_at, two) = timed[place : place + 2]
    return [*timed[:place], (one_at, two), (two_at, one), *timed[place + 2 :]], place + 1


def _inserted(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    """An event more, at the time of the one before it or later."""
    place = chance.randrange(1, len(timed) + 1)
    at = timed[place - 1][0] + chance.choice([timedelta(0), timedelta(0), *SHIFTS])
    side = chance.choice(base.sides)
    ply = sum(isinstance(event, events.Played) for _, event in timed[:place]) + 1
    state = base.states[min(place, len(base.states)) - 1]
    made: list[LogEvent] = [
        events.Submitted(ply, side, "ab" * 32),
        events.Sealed(ply, side, "ab" * 32),
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
        chance.choice(base.timed)[1],
    ]
    return [*timed[:place], (at, chance.choice(made)), *timed[place:]], place


def _ended(base: Base, timed: list[Timed], chance: random.Random) -> tuple[list[Timed], int]:
    """The game ends somewhere, and everything that an end tells is right: only its cause or time may be wrong."""
    place = chance.randrange(len(base.entries))
    state, at = base.states[place], base.timed[place][0]
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
    cause = [(at + chance.choice([timedelta(0), *SHIFTS]), chance.choice(causes))] if chance.random() < 0.5 else []
    later = cause[0][0] if cause else at
    end = later + chance.choice([timedelta(0), timedelta(0), *SHIFTS])
    secrets = {**base.secrets}
    if chance.random() < 0.1:
        secrets.pop(CHANCE, None)
    how, by = chance.choice(ENDS), chance.choice([*base.sides, None, side, side])
    try:
        closed = automatic.end(state, how, by, secrets)
    except KeyError:
        return timed, place
    return [*base.timed[: place + 1], *cause, (end, closed)], place + 1 + len(cause)


_WAYS: tuple[Callable[[Base, list[Timed], random.Random], tuple[list[Timed], int]], ...] = (
    *[_changed] * 3, *[_retimed] * 2, _dropped, _doubled, _swapped, *[_inserted] * 2, *[_ended] * 2,
)  # fmt: skip
