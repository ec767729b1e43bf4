"""What a player's request does; whatever is refused is raised, and the game is as it was."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from referee.desk import events as happened
from referee.desk import requests as asked
from referee.desk import seals
from referee.desk.case import Case, Decision, sealed_name
from referee.desk.consequences import ended, loser, played, sealed_move
from referee.desk.requests import Answer, Asked
from referee.desk.state import MOST_MESSAGES, State
from referee.desk.views import claims
from referee.errors import IllegalMove, NotationError, RefereeError, shown
from referee.game.document import HIDDEN
from referee.notation import parse_move

LONGEST_MESSAGE = 8000
"""So many characters a message may have."""

MOST_SAID = 64 * 1024
"""Bytes of a side's messages in 24 hours."""

_BOUND = "another move of yours is in for this ply, and the first one binds"


def decide(case: Case, request: Asked) -> Decision:
    """What a request of a player does.

    Raises:
        RefereeError: it is refused; NotationError and IllegalMove say why a move is.
    """
    state = case.state
    if request.side not in state.players:
        raise RefereeError("unknown-side", f"there is no side {shown(request.side)} in this game")
    match request:
        case asked.Message():
            return _message(case, request)
        case asked.Vacation():
            return _vacation(case, request)
        case asked.Submit() | asked.Seal() | asked.Reveal() if (answer := _before(state, request)) is not None:
            return Decision(answer)
    _refuse_stale(state, request)
    match request:
        case asked.Submit():
            return _submit(case, request)
        case asked.Seal():
            return _seal(state, request)
        case asked.Reveal():
            return _reveal(state, request)
        case asked.Resign(side):
            end = ended(state, "resignation", side, case.secrets)
            return Decision(Answer("resigned"), (happened.Resigned(side), end))
        case asked.Claim():
            return _claim(case, request)
        case asked.Offer() | asked.Accept() | asked.Decline():
            return _draw(state, request)
        case _:
            assert_never(request)


def _before(state: State, request: asked.Submit | asked.Seal | asked.Reveal) -> Answer | None:
    """The receipt once more, if this very thing was done in a ply that is over; None if it was not."""
    side, last = request.side, len(state.plies)
    ply = request.ply or (0 if side in state.position.to_move else last)
    if not 0 < ply <= last or side not in state.plies[ply - 1]:
        return None
    move, nonce = state.plies[ply - 1][side], state.nonces[ply - 1].get(side)
    promise = None
    if nonce is not None:
        promise = seals.commitment(state.id, ply, side, state.protocol, move, bytes.fromhex(nonce))
    answer = None
    match request:
        case asked.Submit() if _canonical(state.game, request.move) == move:
            answer = _receipt(ply, move, promise)
        case asked.Seal() if promise is not None and seals.digits(request.commitment) == promise:
            answer = Answer("sealed", {"ply": ply, "commitment": promise})
        case asked.Reveal() if (_canonical(state.game, request.move), seals.digits(request.nonce)) == (move, nonce):
            answer = Answer("revealed", {"ply": ply, "move": move})
    return answer and replace(answer, repeated=True)


def _canonical(game: str, text: str) -> str | None:
    try:
        return str(parse_move(game, text))
    except NotationError:
        return None


def _receipt(ply: int, move: str, promise: str | None) -> Answer:
    """The answer to a move that is in: always the same for the same move."""
    return Answer("moved", {"ply": ply, "move": move, "commitment": promise})


def _submit(case: Case, request: asked.Submit) -> Decision:
    state, side = case.state, request.side
    seal = state.seals.get(side)
    if seal is not None and seal.own:
        raise IllegalMove("already-bound", "you have sealed a move yourself, and it binds you; now it is revealed")
    move = str(state.position.parse(side, request.move))
    if seal is not None:
        if sealed_move(state, side, case.secrets)[0] != move:
            raise IllegalMove("already-bound", _BOUND)
        return Decision(replace(_receipt(state.ply, move, seal.commitment), repeated=True))
    if not state.simultaneous:
        return Decision(_receipt(state.ply, move, None), (played(state, {side: move}, {}, case.secrets),))
    name = sealed_name(state.ply, side)
    # A log that went back to an older state must not use a nonce again that was published already.
    nonce = case.chance(f"{state.id}/{name}/{state.head}/{move}")
    promise = seals.commitment(state.id, state.ply, side, state.protocol, move, nonce)
    event = happened.Submitted(state.ply, side, promise)
    return Decision(_receipt(state.ply, move, promise), (event,), {name: f"{move} {nonce.hex()}"})


def _refuse_stale(state: State, request: Asked) -> None:
    """Refuse what is about another ply than the one to be played, or about a game that is over."""
    if state.closed:
        raise _over(state.closed.how)
    if request.ply is not None and request.ply != state.ply:
        over = "is over" if request.ply < state.ply else "has not come yet"
        raise IllegalMove("stale", f"this is about ply {request.ply}, which {over}; the game is at ply {state.ply}")


def _over(how: str) -> IllegalMove:
    return IllegalMove("game-over", f"the game is over ({how}): nothing can be done any more")


def _seal(state: State, request: asked.Seal) -> Decision:
    side, promise = request.side, seals.digits(request.commitment)
    if promise is None:
        raise RefereeError("no-commitment", "a commitment is 64 hexadecimal digits, as `referee seal` prints them")
    if not state.simultaneous:
        raise IllegalMove("not-simultaneous", "moves are made in turn here: send the move itself")
    if promise in state.told:
        raise IllegalMove("already-told", "everybody knows the move of this commitment: seal it again")
    answer = Answer("sealed", {"ply": state.ply, "commitment": promise})
    if side in state.seals:
        if not state.seals[side].own or state.seals[side].commitment != promise:
            raise IllegalMove("already-bound", _BOUND)
        return Decision(replace(answer, repeated=True))
    if side not in state.position.to_move:
        raise state.position.out_of_turn(side)
    return Decision(answer, (happened.Sealed(state.ply, side, promise),))


def _reveal(state: State, request: asked.Reveal) -> Decision:
    side, digits = request.side, seals.digits(request.nonce)
    seal = state.seals.get(side)
    if seal is None or not seal.own:
        raise IllegalMove("nothing-sealed", "you have sealed no move for this ply yourself")
    if not state.revealing:
        message = "the other side's move is not in yet: keep yours to yourself until you are asked for it"
        raise IllegalMove("too-early", message)
    if digits is None:
        raise RefereeError("no-nonce", "a nonce is 64 hexadecimal digits, as `referee seal` printed them")
    move = parse_move(state.game, request.move)
    shows = {"ply": state.ply, "move": str(move)}
    if seal.opened is not None:
        if seal.opened != (str(move), digits):
            raise IllegalMove("already-bound", "you have revealed your move already")
        return Decision(Answer("revealed", shows, repeated=True))
    nonce = bytes.fromhex(digits)
    if not seals.opens(seal.commitment, state.id, state.ply, side, state.protocol, str(move), nonce):
        message = "this is not what you sealed: move and nonce give another commitment"
        return _failed(state, side, IllegalMove("mismatch", message), str(move), digits)
    try:
        state.position.check(side, move)
    except IllegalMove as error:
        return _failed(state, side, error, str(move), digits)
    return Decision(Answer("revealed", shows), (happened.Revealed(state.ply, side, str(move), digits),))


def _failed(state: State, side: str, error: IllegalMove, move: str, nonce: str) -> Decision:
    """A reveal that is wrong costs what a timeout costs, once."""
    spoilt = state.clock.turns[side].failed is not None
    event = happened.Failed(state.ply, side, error.code, move, nonce)
    return Decision(Answer.refusal(error), () if spoilt else (event,))


def _claim(case: Case, request: asked.Claim) -> Decision:
    state, side = case.state, request.side
    open_to = claims(state, side, case.at)
    what = request.what or (open_to[0] if open_to else "anything")
    if what not in open_to:
        raise IllegalMove("no-claim", f"you cannot claim {shown(what)} now")
    by = loser(state.clock.overdue(case.at)) if what == "timeout" else side
    end = ended(state, what, by, case.secrets)
    return Decision(Answer("claimed", {"what": what}), (happened.Claimed(side, what), end))


def _draw(state: State, request: asked.Offer | asked.Accept | asked.Decline) -> Decision:
    side, others = request.side, state.agreed - {request.side}
    match request:
        case asked.Offer() | asked.Accept() if side in state.agreed:
            code = "offered" if isinstance(request, asked.Offer) else "accepted"
            return Decision(Answer(code, repeated=True))
        case asked.Offer() if not others:
            return Decision(Answer("offered"), (happened.Offered(side),))
        case asked.Offer() | asked.Accept() if others:
            return Decision(Answer("accepted"), (happened.Accepted(side),))
        case asked.Decline() if others:
            return Decision(Answer("declined"), (happened.Declined(side),))
    raise IllegalMove("no-offer", "nobody offers a draw now")


def _message(case: Case, request: asked.Message) -> Decision:
    state = case.state
    if state.silent:
        raise IllegalMove("no-talking", "the players may not talk while this game runs")
    text = spoken(request.text)
    if not text:
        raise RefereeError("empty", "there is nothing in the message")
    if len(text) > LONGEST_MESSAGE:
        raise RefereeError("too-long", f"a message has at most {LONGEST_MESSAGE} characters")
    size = state.said_by(request.side, case.at) + len(text.encode())
    if size > MOST_SAID or state.messages_by(request.side, case.at) >= MOST_MESSAGES:
        limit = f"{MOST_MESSAGES} messages with {MOST_SAID // 1024} KB"
        raise RefereeError("too-much", f"you can send at most {limit} in 24 hours: try it later")
    return Decision(Answer("message"), (happened.Message(request.side, text),))


def spoken(text: str) -> str:
    """What somebody says, without what would act on a terminal and half surrogate pairs; its lines are kept."""
    lines = text.encode(errors="replace").decode().splitlines()
    return "\n".join(HIDDEN.sub(" ", line.expandtabs()).rstrip() for line in lines).strip()


def _vacation(case: Case, request: asked.Vacation) -> Decision:
    state, side = case.state, request.side
    if state.closed:
        raise _over(state.closed.how)
    if state.clock.terms is None:
        raise IllegalMove("no-clock", "no clock runs in this game")
    event = happened.Vacation(side, request.first.isoformat(), request.last.isoformat())
    answer = Answer("vacation", {"first": event.first, "last": event.last})
    if event in state.clock.vacations.get(side, ()):
        return Decision(replace(answer, repeated=True))
    fault = state.clock.absence_fault(side, request.first, request.last, case.at)
    if fault is not None:
        raise IllegalMove(*fault)
    return Decision(answer, (event,))
