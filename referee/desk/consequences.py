"""What the referee does by itself once something has happened: play a ply that is complete, and end the game."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from referee.desk import events as happened
from referee.desk.case import CHANCE, Secrets, sealed_name
from referee.desk.clock import LOSS
from referee.desk.events import Event, Texts
from referee.desk.state import State, moves_of, replayed
from referee.rules import Game, Outcome, Position


def consequence(state: State, at: datetime, secrets: Secrets) -> Event | None:
    """What must happen next of itself at a time, or None."""
    if state.closed:
        return None
    if state.position.outcome is not None:
        return closed(state, state.position.outcome, None, secrets)
    if state.agreed and state.agreed >= set(state.players):
        return ended(state, "agreement", None, secrets)
    if state.revealing and not state.owing:
        made = {side: sealed_move(state, side, secrets) for side in state.position.sides if side in state.seals}
        moves = {side: move for side, (move, _) in made.items()}
        return played(state, moves, {side: nonce for side, (_, nonce) in made.items()}, secrets)
    overdue = state.clock.overdue(at)
    if overdue and state.clock.terms is not None and state.clock.terms.timeout == LOSS:
        return ended(state, "timeout", loser(overdue), secrets)
    return None


def played(state: State, moves: Texts, nonces: Texts, secrets: Secrets) -> happened.Played:
    """The event of legal moves being made, with what may be known from then on."""
    position = state.position.played(moves_of(state.game, moves))
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
    """The event of a game ending by something that its moves do not show."""
    return closed(state, state.position.ended(how, by), by, secrets)


def closed(state: State, outcome: Outcome, by: str | None, secrets: Secrets) -> happened.Closed:
    """The event of a game ending, which publishes whatever is still secret."""
    unplayed = {}
    for side, seal in state.seals.items():
        if not seal.own:
            move, nonce = sealed_move(state, side, secrets)
            unplayed[side] = {"move": move, "nonce": nonce}
    return happened.Closed(outcome.how, by, outcome.winner, dict(outcome.score), unplayed, secrets.get(CHANCE))


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
