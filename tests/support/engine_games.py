"""Games with engines, of every kind that players may have; and facts that outsiders read from their logs."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.desk import Entry, State, engine_to_move
from referee.desk.law.engine_seats import engine_to_seal
from tests.support.desks import Desk, request, sides, submit
from tests.support.strategies import any_move


class Mode(NamedTuple):
    """A game and a way to play it."""

    game: str
    options: Mapping[str, Any]

    def __str__(self) -> str:
        return " ".join([self.game, *map(str, self.options.values())])


MODES = (
    Mode("beams", {}),
    Mode("beams", {"mode": "synchronous"}),
    Mode("boundary", {}),
    Mode("laser-chess", {"setup": "ace"}),
    Mode("the-beam", {}),
)

CLOCKS: tuple[Mapping[str, Any] | None, ...] = (
    None,
    {"days": 2, "bank": 10, "vacation": 20},
    {"days": 1, "timeout": "loss", "reminders": [6]},
    {"bank": 30, "increment": 1, "timeout": "loss"},
)

BY_PEOPLE = {
    "submitted", "sealed", "revealed", "failed", "offered", "accepted", "declined", "resigned", "claimed", "message",
    "vacation", "gave", "aborted", "keyed",
}  # fmt: skip
"""The kinds of entries for acts of people where moves are made at once."""


_WORDS = ("offer", "accept", "decline", "claim", "message Hello", "vacation 2027-03-02 2027-03-03", "give 3")


def begun(mode: Mode, chance: random.Random, *, level: int = 1) -> Desk:
    """A game with engines, opened by the host, or proposed by a player and joined by all people."""
    game, all_sides = mode.game, sides(mode.game)
    taken = chance.sample(all_sides, chance.randint(1, len(all_sides) - 1))
    engines = dict.fromkeys(taken, level)
    terms, people = chance.choice(CLOCKS), [side for side in all_sides if side not in taken]
    if chance.random() < 0.5:
        secret = "a seed" if game == "the-beam" else None
        return Desk(game, mode.options, terms, secret=secret, engines=engines)
    by = chance.choice([*people, None])
    desk = Desk.invited(game, by, options=mode.options, clock=terms, word="tea" if by else "", engines=engines)
    for side in people:
        if side != by:
            desk.ask(request(desk, side, "accept milk"), after=1)
    return desk


def played(desk: Desk, chance: random.Random, plies: int) -> None:
    """Play some plies with random other events, up to a resignation; engines may be late, and may leave."""
    while desk.state.closed is None and len(desk.state.plies) < plies:
        _step(desk, chance)
    if desk.state.closed is None:
        if engine_to_seal(desk.state):
            desk.think(after=0.1)
        people = sorted(desk.state.players.keys() - desk.state.engine_sides)
        desk.ask(request(desk, chance.choice(people), "resign"), after=0.1)


def _step(desk: Desk, chance: random.Random) -> None:
    people = sorted(desk.state.players.keys() - desk.state.engine_sides)
    some, after = chance.choice(people), chance.choice((0, 0.1, 1, 3))
    if chance.random() < 0.15:
        leaving = f"replace {chance.choice(sorted(desk.state.engine_sides) or people)} Eve"
        words = chance.choice(("tick", "tick", "pause", "resume", f"extend 5 {some}", leaving))
        desk.ask(request(desk, "host", words), after=chance.choice((after, 12)))
    elif engine_to_move(desk.state):
        desk.think(after=after, most=chance.choice((1, 4)))
    elif chance.random() < 0.25:
        desk.ask(request(desk, some, chance.choice(_WORDS)), after=after)
    else:
        side = chance.choice(sorted(desk.state.owing))
        if side in desk.state.seals:
            promise = desk.state.seals[side].commitment
            desk.ask(request(desk, side, f"reveal {desk.promised[promise]}"), after=after)
        else:
            move = str(any_move(desk.state.position, side, chance))
            sealed = desk.state.simultaneous and chance.random() < 0.3
            desk.ask(request(desk, side, f"seal {move}") if sealed else submit(side, move), after=after)


def ahead_of_engines(entries: list[Entry]) -> list[int]:
    """The numbers of people's acts that came before the seal of an engine in a ply of moves made at once."""
    wrong, sitting, sealed, state = [], set[str](), set[str](), None
    for number, entry in enumerate(entries):
        said = entry.as_json()
        kind, side = said["kind"], said["body"].get("side")
        if kind == "engaged":
            sitting.add(side)
        elif kind == "replaced":
            sitting.discard(side)
        elif kind == "submitted" and side in sitting:
            sealed.add(side)
        elif kind in BY_PEOPLE and state is not None and state.begun and not state.closed and state.simultaneous:
            wrong += [number] if state.position.to_move & sitting - sealed else []
        if kind in ("opened", "played", "reopened"):
            sealed = set()
        state = State.start(entry) if state is None else state.after(entry)
    return wrong
