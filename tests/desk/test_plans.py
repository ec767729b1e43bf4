"""Plans: the desk makes of them what letters at those moments would have made, and tells them only at the end."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest

from referee.desk import By, Entry
from referee.desk.law.automatic import sealed_move
from referee.desk.log import acts, events
from referee.desk.log.secrets import plan_name
from tests.oracles.verifier import verify
from tests.support.desks import Desk, Request, holds, request
from tests.support.engine_games import MODES, Mode
from tests.support.examples import sampled
from tests.support.planning import Script, plan_from
from tests.support.strategies import any_move

OF_PLANS = ("planned", "followed", "spent", "published")
SECRET = ("commitment", "head", "nonce", "nonces", "addresses", "secret")
"""Names in the bodies of entries that differ where a move has another nonce."""


def without_plans(entries: Iterable[Entry]) -> list[Any]:
    """The entries of a log but those of plans: kind, time and body, without nonces and all that follows from them."""
    told = [one.as_json() for one in entries if one.as_json()["kind"] not in OF_PLANS]
    return [
        (
            one["kind"],
            one["at"],
            {
                name: {side: two["move"] for side, two in value.items()} if name == "unplayed" else value
                for name, value in one["body"].items()
                if name not in SECRET
            },
        )
        for one in told
    ]


class Twins:
    """A desk with plans, and one that gets each move of a plan as a letter of that moment."""

    def __init__(self, mode: Mode, chance: random.Random) -> None:
        secret = "a seed" if mode.game == "the-beam" else None
        self.chance = chance
        self.desk, self.other = (Desk(mode.game, mode.options, {"days": 3}, secret=secret) for _ in range(2))
        self.script: Script = ()
        self.script_from = 0

    def ask(self, *requests: Request, after: float = 1) -> None:
        """The requests of one letter; on the other desk without its plan, and followed by letters for plans."""
        number = len(self.desk.entries)
        self.desk.ask(*requests, after=after)
        for one, deposit in enumerate(self.desk.state.deposits):
            nonce = self.desk.secrets[plan_name(one, deposit.side)].split()[0]
            assert (nonce in self.desk.exported) == deposit.published
        wanted = [one for one in requests if not (isinstance(one, tuple) and isinstance(one[1], acts.Plan))]
        self.other.ask(*wanted, after=after)
        for entry in self.desk.entries[number:]:
            if isinstance(entry.event, events.Followed):
                self.other.ask((By(entry.event.side), acts.MakeMove(self.made(entry.event))))

    def made(self, event: events.Followed) -> str:
        """The move that a plan gave."""
        state = self.desk.state
        if event.ply <= len(state.plies):
            return state.plies[event.ply - 1][event.side]
        if state.closed is not None:
            return state.closed.unplayed[event.side]["move"]
        return sealed_move(state, event.side, self.desk.secrets)[0]

    def move(self) -> None:
        """A move of a side that owes one, often as a plan expects, and often with a plan."""
        state, chance = self.desk.state, self.chance
        side = chance.choice(sorted(state.position.to_move - state.seals.keys()))
        at = len(state.plies) - self.script_from
        expected = self.script[at].get(side) if at < len(self.script) else None
        legal = {str(move): move for move in state.position.legal_moves(side)}
        own = legal.get(expected or "") if chance.random() < 0.9 else None
        own = own or any_move(state.position, side, chance)
        said = acts.MakeMove(str(own))
        by = By(side, state.ply)
        if chance.random() < 0.5:
            self.ask((by, said))
            return
        text, script = plan_from(state.position, side, own, chance, chance.randint(1, 4))
        if not at < len(self.script):
            self.script, self.script_from = script, len(state.plies)
        self.ask(*([(by, acts.Plan(text, said))] if text else []), (by, said))

    def step(self) -> None:
        """A move, or something else that may end plans."""
        chance, people = self.chance, sorted(self.desk.state.players)
        who = chance.choice(people)
        match chance.random():
            case small if small < 0.02:
                self.ask(request(self.desk, who, "offer"))
            case small if small < 0.04:
                self.ask(request(self.desk, "host", "pause"))
                self.ask(request(self.desk, "host", "resume"))
            case small if small < 0.06:
                self.ask(request(self.desk, "host", f"replace {who} Eve"))
            case small if small < 0.08:
                self.ask((By(who), acts.Plan()))
            case small if small < 0.1:
                self.ask(request(self.desk, "host", "adjudicate"))
                self.ask(request(self.desk, "host", "reopen"))
            case _ if self.desk.state.position.to_move - self.desk.state.seals.keys():
                self.move()


@pytest.mark.parametrize("mode", MODES, ids=str)
@pytest.mark.parametrize("seed", sampled(range(1, 201), 40))
def test_a_plan_gives_the_log_of_letters_at_those_moments(mode: Mode, seed: int) -> None:
    twins = Twins(mode, random.Random(f"{mode} {seed}"))
    for _ in range(25):
        if twins.desk.state.closed is None:
            twins.step()
    if twins.desk.state.closed is None:
        twins.ask(request(twins.desk, sorted(twins.desk.state.players)[0], "resign"))
    holds(twins.desk)
    assert verify(twins.desk.exported) == []
    assert without_plans(twins.desk.entries) == without_plans(twins.other.entries)


@pytest.mark.parametrize("keyed", [False, True])
def test_a_seal_left_ahead_binds_when_its_round_begins(keyed: bool) -> None:
    desk = Desk("beams", clock={"days": 3})
    own = "signed ada " if keyed else ""
    if keyed:
        desk.ask(request(desk, "south", "key ada"))
    for words in ("submit P M1 A2 12", "ahead 2 P M1 A4 12", "ahead 3 P S A6", "ahead 3 P M2Y A6 12"):
        (answer,) = desk.ask(request(desk, "south", own + words), after=1)
        assert not answer.refused
    desk.ask(request(desk, "north", "submit P S A2"), after=1)
    assert desk.kinds[-1] == "sealed"
    (late,) = desk.ask(request(desk, "south", f"{own}submit P S A8"), after=1)
    assert late.code == "already-bound"
    desk.ask(request(desk, "north", "submit P S A4"), after=1)
    desk.ask(request(desk, "south", f"{own}reveal P M1 A4 12"), after=1)
    desk.ask(request(desk, "north", "submit P S A6"), after=1)
    (wrong,) = desk.ask(request(desk, "south", f"{own}reveal P S A6"), after=1)
    assert wrong.code == "mismatch"
    holds(desk)
    assert verify(desk.exported) == []


def test_a_seal_ahead_is_for_a_later_round_and_gone_with_its_player() -> None:
    desk = Desk("beams", clock={"days": 3})
    for words, code in {
        "ahead 1 P S A2": "too-far",
        "ahead 99 P S A2": "too-far",
        "ahead 2 P S A2": "sealed-ahead",
    }.items():
        (answer,) = desk.ask(request(desk, "south", words), after=1)
        assert answer.code == code
    desk.ask(request(desk, "host", "replace south Eve"), after=1)
    desk.ask(request(desk, "south", "submit P M1 A2 12"), request(desk, "south", "ahead 2 P S A4"), after=1)
    desk.ask(request(desk, "north", "submit P S A2"), after=1)
    assert desk.kinds[-1] == "sealed"
    holds(desk)
    assert verify(desk.exported) == []
