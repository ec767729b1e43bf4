"""What the referee does by itself once something has happened: play a ply that is complete, and end the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from referee.desk import events as happened
from referee.desk.case import CHANCE, Secrets, sealed_name
from referee.desk.clock import LOSS, TIMEOUT
from referee.desk.events import Event, Texts
from referee.desk.state import State, moves_of, replayed
from referee.rules import Game, Outcome, Position


@dataclass(frozen=True, slots=True)
class Due:
    """What has to happen of itself: the ply is played; or the game ends, as `how` and `by` say."""

    kind: type[happened.Played | happened.Closed]
    how: str = ""
    by: str | None = None


def due(state: State, at: datetime) -> Due | None:
    """What has to happen next of itself at a time, as far as everybody can tell."""
    if state.closed:
        return None
    if state.position.outcome is not None:
        return Due(happened.Closed, state.position.outcome.termination)
    if state.agreed and state.agreed >= set(state.players):
        return Due(happened.Closed, "agreement")
    if state.revealing and not state.owing:
        return Due(happened.Played)
    if state.clock.terms is None or state.clock.terms.timeout != LOSS:
        return None
    overdue = state.clock.overdue(at)
    return Due(happened.Closed, TIMEOUT, loser(overdue)) if overdue else None


def consequence(state: State, at: datetime, secrets: Secrets) -> Event | None:
    """The event that has to happen next of itself at a time, or None."""
    next_one = due(state, at)
    if next_one is None:
        return None
    if next_one.kind is happened.Closed:
        return ended(state, next_one.how, next_one.by, secrets)
    made = {side: sealed_move(state, side, secrets) for side in state.position.sides if side in state.seals}
    moves = {side: move for side, (move, _) in made.items()}
    return played(state, moves, {side: nonce for side, (_, nonce) in made.items()}, secrets)


def played(state: State, moves: Texts, nonces: Texts, secrets: Secrets) -> happened.Played:
    """The event of legal moves being made, with what may be known from then on."""
    position = state.position.play_unchecked(moves_of(state.game, moves))
    known = news(state.description, state.options, secrets.get(CHANCE), position)
    if known is not None:
        position = replayed(state.game, {**state.options, **known}, (*state.plies, moves))
    owing = tuple(side for side in position.sides if side in position.to_move)
    return happened.Played(state.ply, moves, nonces, owing, known)


def news(game: Game, options: Mapping[str, Any], secret: str | None, position: Position) -> dict[str, Any] | None:
    """Options about which more may be known in a running game than before; None if there are none."""
    if game.secret is None or secret is None or position.outcome is not None:
        return None
    known = dict(game.secret.known(options, secret, position))
    return known if any(options.get(name) != value for name, value in known.items()) else None


def ended(state: State, how: str, by: str | None, secrets: Secrets) -> happened.Closed:
    """The event of a game ending, by its moves or otherwise, which publishes whatever is still secret."""
    outcome = outcome_of(state, how, by)
    unplayed = {}
    for side, seal in state.seals.items():
        if not seal.own:
            move, nonce = sealed_move(state, side, secrets)
            unplayed[side] = {"move": move, "nonce": nonce}
    return happened.Closed(
        outcome.termination, by, outcome.winner, dict(outcome.score), unplayed, secrets.get(CHANCE)
    )


def outcome_of(state: State, how: str, by: str | None) -> Outcome:
    """What a game comes to that ends now: by its moves, or else in a way that they do not show."""
    return state.position.outcome or state.position.ended(how, by)


def sealed_move(state: State, side: str, secrets: Secrets) -> tuple[str, str]:
    """Move and nonce of a side whose move is in: as it showed them itself, or as they are kept."""
    shown = state.seals[side].opened
    if shown is not None:
        return shown
    move, nonce = secrets[sealed_name(state.ply, side)].rsplit(" ", 1)
    return move, nonce


def loser(overdue: Mapping[str, datetime]) -> str | None:
    """The side whose time was over first; None if several sides' were at once."""
    first = min(overdue.values())
    sides = [side for side, due in overdue.items() if due == first]
    return sides[0] if len(sides) == 1 else None
