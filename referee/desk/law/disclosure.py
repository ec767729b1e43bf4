"""Checks that a log reveals what was promised: sealed moves, and chance results."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from referee.desk.law.hands import hand_findings
from referee.desk.log import events, seals
from referee.desk.log.events import FrozenData
from referee.desk.log.signatures import Past
from referee.desk.state.invitations import promise
from referee.desk.state.state import State, moves_of, position_after
from referee.errors import IllegalMove, RefereeError, Refusal
from referee.notation.moves import parse_move
from referee.rules import Game, Position, movers
from referee.rules.frozen import frozen_data

Findings = Iterator[tuple[str, str]]
"""Codes and sentences about what is wrong."""


def move_findings(state: State, side: str, text: str) -> Findings:
    """Faults of a side's move: logs have moves in canonical form, and keep to the rules."""
    try:
        move = parse_move(state.game, text)
    except RefereeError as error:
        yield error.code, error.message
        return
    if str(move) != text:
        yield "canonical", f"the move is written {move}"
        return
    try:
        state.position.check(side, move)
    except RefereeError as error:
        yield error.code, f"{side}: {error.message}"


def opens_seal(state: State, side: str, move: str, nonce: str) -> bool:
    """True if a move and a nonce are what a side promised."""
    if seals.digits(nonce) != nonce:
        return False
    seal, shown = state.seals[side], bytes.fromhex(nonce)
    past = Past(state.root, seal.head)
    made = seals.commitment(state.id, state.ply, side, state.protocol, move, shown, past)
    return hmac.compare_digest(seal.commitment, made)


def slip(state: State, side: str, move: Any, nonce: str) -> RefereeError | None:  # noqa: ANN401 - any game's
    """The fault of a move that is shown: not the sealed one, or illegal."""
    if not opens_seal(state, side, str(move), nonce):
        return Refusal("mismatch", "this is not what was sealed: move and nonce give another commitment")
    try:
        state.position.check(side, move)
    except IllegalMove as error:
        return error
    return None


def ply_findings(state: State, event: events.Played, at: datetime) -> Findings:
    """Faults of moves that are made."""
    if not event.moves or event.moves.keys() != state.position.to_move:
        yield "order", "these are not the sides that move here"
        return
    wrong = [found for side, text in event.moves.items() for found in move_findings(state, side, text)]
    yield from wrong
    if not wrong:
        position = state.position.play_unchecked(moves_of(state.game, event.moves))
        yield from _proof_findings(state, event, position, at)
        yield from _next_findings(state, event, position)


def owing_findings(owing: tuple[str, ...], position: Position) -> Findings:
    """A fault if the sides that move next are not named in their order."""
    if owing != (due := movers(position)):
        yield "owing", f"the sides to move next are {', '.join(due) or 'none'}"


def start_findings(description: Game, options: FrozenData) -> Findings:
    """A fault if a game begins with chance results that are neither revealed nor promised."""
    secret = description.secret
    if secret is None:
        return
    if not description.chance <= options.keys():
        yield "known", "what chance decided is neither public nor promised"
    elif secret.needed(options) and not secret.fits({}, options, None):
        yield "known", "what chance decided is public in part, and the rest is not promised"


def dealt_alone(state: State) -> bool:
    """True if the host drew the chance results when no player's word was still to come."""
    secret, origin = state.description.secret, state.origin
    if origin is None:
        return secret is not None and secret.needed(state.options_at_start)
    return origin.secret is not None and not origin.missing and origin.joined.keys() == {origin.by}


def _proof_findings(state: State, event: events.Played, position: Position, at: datetime) -> Findings:
    """Faults of moves that are not those promised; only those of the file that opened the game need no seal."""
    filed = state.opening and at == state.opened and position.outcome is None
    if not state.simultaneous or (filed and not event.nonces):
        if event.nonces or state.seals:
            yield "commitment", "nothing was sealed here"
        return
    if not state.revealing or event.nonces.keys() != event.moves.keys():
        yield "commitment", "a move was made that was not sealed"
        return
    for side, move in event.moves.items():
        yield from _seal_findings(state, side, move, event.nonces[side])


def _seal_findings(state: State, side: str, move: str, nonce: str) -> Findings:
    seal = state.seals[side]
    if not opens_seal(state, side, move, nonce) or (seal.own and seal.opened != (move, nonce)):
        yield "commitment", f"{side}'s move and nonce are not what was promised"


def _next_findings(state: State, event: events.Played, position: Position) -> Findings:
    """Faults of the sides that are named next, and of newly known options."""
    options = {**state.options, **(event.known or {})}
    wrong = [*_known_findings(state, event, options, position)]
    yield from wrong
    if wrong:
        return
    if event.known is not None:
        try:
            position = position_after(state.game, options, (*state.plies, event.moves))
        except RefereeError as error:
            yield "known", error.message
            return
    yield from owing_findings(event.owing, position)


def _known_findings(state: State, event: events.Played, options: FrozenData, position: Position) -> Findings:
    """A fault unless the log reveals exactly the chance results known after this ply."""
    secret = state.description.secret
    if secret is None or position.outcome is not None or not _keeps_secret(state):
        if event.known is not None:
            yield "known", "there is nothing to tell here"
    elif event.known is not None and options == state.options:
        yield "known", "there is nothing new to tell here"
    elif not secret.fits(state.options, options, position):
        yield "known", "this reveals more, less or other chance results than are known here"


def _keeps_secret(state: State) -> bool:
    secret = state.description.secret
    return secret is not None and secret.fits({}, state.options_at_start, None)


def unplayed_findings(state: State, event: events.Closed) -> Findings:
    """Faults of the revealed moves that were sealed and never made: promised, legal, and all of them."""
    sealed = {side for side, seal in state.seals.items() if not seal.own}
    if event.unplayed.keys() != sealed or any(one.keys() != {"move", "nonce"} for one in event.unplayed.values()):
        yield "commitment", "the end must tell move and nonce of each sealed move that was not made, and of no other"
        return
    for side, one in event.unplayed.items():
        yield from _seal_findings(state, side, one["move"], one["nonce"])
        yield from move_findings(state, side, one["move"])


def secret_findings(state: State, told: str | None) -> Findings:
    """Faults of the revealed secret of chance, if the desk knew it."""
    secret, promised = state.description.secret, state.origin.secret if state.origin else None
    stuck = state.position.outcome is None and not state.position.to_move
    if secret is None or stuck or state.invitation is not None or not _keeps_secret(state):
        if told is not None:
            yield "secret", "the desk kept nothing of what chance decided in this game"
    elif told is None:
        yield "secret", "the game is over, but it is not revealed what chance decided"
    elif promised is not None and not (seals.digits(told) == told and promise(state.id, told) == promised):
        yield "secret", "this is not what the host had promised to give to chance"
    else:
        begun, seed = state.options_at_start, state.seed(told)
        try:
            secret.known(state.options, seed, state.position)
            if frozen_data({**begun, **secret.known(begun, seed, None)}) != begun:
                yield "secret", "this secret does not belong to the beginning of the game"
            else:
                yield from hand_findings(state, seed)
        except RefereeError as error:
            yield "secret", error.message
