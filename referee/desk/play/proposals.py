"""Proposals: games that no other player has agreed to yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from referee.desk.law.engine_seats import EngineSeats, engagements, engine_names, expect_engines
from referee.desk.log import events
from referee.desk.log.log import Came, write_time
from referee.desk.log.secrets import CHANCE, Chance, Secrets, address_name
from referee.desk.log.terms import Terms
from referee.desk.play.progress import Progress, enter, settle
from referee.desk.play.setup import first_entry, kept_addresses, options_and_secret, refuse_unfit
from referee.desk.state.invitations import promise
from referee.desk.state.state import State
from referee.errors import Refusal
from referee.game import GameFile
from referee.rules.frozen import Frozen, frozen_data


@dataclass(frozen=True, slots=True)
class Proposal:
    """A game for others to join: its options and title are those of the file, which has no moves.

    The rest is as in `events.Invited`, and `engines` are levels by the sides that engines take.
    """

    game: GameFile
    seats: Mapping[str, str | None]
    until: datetime
    by: str | None = None
    terms: Terms | None = None
    of: str | None = None
    engines: EngineSeats = Frozen()


def propose(
    name: str,
    proposal: Proposal,
    at: datetime,
    *,
    addresses: Mapping[str, str],
    chance: Chance,
    word: str = "",
    came: Came | None = None,
    desk: str | None = None,
) -> Progress:
    """An invitation under this id, which the player who proposes the game joins at once.

    The same letter gives the same log: the host's part of chance comes from `chance`, the proposer's is `word`.
    RefereeError as `set_up`, and `players`, `side`, `invitation` or `word`; ValueError if the file has moves.
    """
    game, seats = proposal.game, {**proposal.seats, **engine_names(proposal.engines)}
    refuse_unfit(name, game)
    expect_engines(game.game, proposal.engines)
    if game.rounds:
        raise ValueError("a game that others are invited to begins without moves")
    _, left = options_and_secret(game, None)
    secret = {CHANCE: chance(f"{name}/{CHANCE}").hex()} if left else {}
    event = events.Invited(
        log=events.LOG_FORMAT,
        game=game.game,
        rules=game.description.versions[-1] if game.rules is None else game.rules,
        title=game.event,
        options=frozen_data(game.options),
        clock=proposal.terms.as_json() if proposal.terms else None,
        by=proposal.by,
        seats={side: seats.get(side) for side in game.description.sides},
        until=write_time(proposal.until),
        of=proposal.of,
        secret=promise(name, secret[CHANCE]) if secret else None,
        desk=desk,
    )
    first = first_entry(name, at, event, came)
    taken, seeds = engagements(first, proposal.engines, chance)
    kept = {**secret, **seeds, **kept_addresses(game, addresses)}
    result = Progress(None, State.start(first), (first,), kept)
    if proposal.by is not None:
        result = enter(result, (events.Joined(proposal.by, str(proposal.seats[proposal.by]), None, word),), at, came)
    return settle(enter(result, taken, at), at, kept) if taken else result


def rematch(state: State, by: str, until: datetime) -> Proposal:
    """The same game again, each player in the next seat; RefereeError `not-over` or `invitation-over`."""
    if state.closed is None:
        raise Refusal("not-over", "the game is not over")
    if state.invitation is not None:
        raise Refusal("invitation-over", "the invitation is over, and the game was never opened")
    told = state.description.chance if state.closed.secret is not None else ()
    options = {name: value for name, value in state.options.items() if name not in told}
    file = GameFile(state.game, rules=state.rules, event=state.title, options=options)
    after = next_seats(state)
    seats = {after[side]: state.players[side] for side in after}
    engines = {after[side]: state.engines[side].level for side in after if side in state.engine_sides}
    return Proposal(file, seats, until, after[by], state.clock.terms, state.head, engines)


def next_seats(state: State) -> Mapping[str, str]:
    """The side of each side's player in a rematch."""
    sides = state.position.sides
    return dict(zip(sides, (*sides[1:], sides[0]), strict=True))


def addresses_after(state: State, secrets: Secrets) -> dict[str, str]:
    """The players' addresses by their sides in a rematch."""
    found = {after: secrets.get(address_name(side)) for side, after in next_seats(state).items()}
    return {side: address for side, address in found.items() if address}
