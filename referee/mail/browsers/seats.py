"""The seats of a paired browser: its seat in a game, what it may send there, and the games that wait for it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from referee.desk import By, Seat, State
from referee.desk.law.automatic import sealed_move
from referee.desk.law.engine_seats import EngineFirstError, engine_to_move
from referee.desk.log import acts
from referee.desk.log.acts import Act
from referee.desk.service import Table
from referee.errors import RefereeError
from referee.mail.addresses import small
from referee.mail.handlers.permission import Asker, may_open
from referee.mail.letters.agenda import Listing, listings
from referee.mail.letters.format.language import phrase
from referee.mail.letters.story.result import result_sentence
from referee.mail.letters.story.story import name_of
from referee.mail.office import Office
from referee.terminal import join_words

_ACTS: Mapping[str, Act] = {
    "offer draw": acts.OfferDraw(),
    "accept draw": acts.Accept(),
    "decline draw": acts.Decline(),
    "resign": acts.Resign(),
    "give": acts.Give(1),
    "message": acts.Message("x"),
}
"""Acts besides moves and claims, by the word for each on a page, with an example that the law is asked about."""


def own_seat(table: Table, addresses: Collection[str], side: str = "") -> Seat | None:
    """The seat of these addresses (in small letters) in a game: the one of a side, else one that owes a move."""
    state = table.state
    mine = [one for one in state.position.sides if small(table.address(one)) in addresses]
    mine.sort(key=lambda one: (one != side, one not in state.owing))
    return Seat(mine[0], state.turn, fresh=True) if mine and state.invitation is None else None


def seat_standing(table: Table, side: str) -> Mapping[str, object]:
    """What a seat's page shows to whoever has its link.

    `signs` is true if the seat has a key. `ply` has the parts of a seal besides the move, where moves are sealed.
    `sealed` is the commitment of a move that the player has sealed and not revealed; `revealing` is true if the desk
    waits for that reveal.
    """
    state, promise = table.state, table.state.seals.get(side)
    sealed = promise is not None and promise.own and promise.opened is None
    agreed = [one for one in state.position.sides if one in state.agreed]
    return {
        "side": side,
        "turn": state.turn,
        "owes": side in state.owing,
        "signs": side in state.keyring.keys,
        "ply": _ply(state, side),
        "sealed": promise.commitment if promise and sealed else None,
        "revealing": sealed and state.revealing,
        "offer": {"by": agreed[0], "what": "draw"} if agreed and state.closed is None else None,
    }


def chosen_move(table: Table, side: str) -> str | None:
    """The player's own plain move that waits for the others; None if there is none."""
    state = table.state
    promise = state.seals.get(side)
    waits = promise is not None and not promise.own and state.closed is None
    return sealed_move(state, side, table.secrets)[0] if waits else None


def open_acts(office: Office, table: Table, side: str, at: datetime) -> list[str]:
    """The words of the acts that the law allows a side now, besides moves."""
    state, by = table.state, By(side, table.state.turn)
    if state.closed is not None:
        asker = Asker(table.address(side), "", seated=True, proven=True)
        return ["rematch"] if may_open(office, asker, vouched=True) and _is_over(table, side, at) else []
    named = {name: act for name, act in _ACTS.items() if _has_sense(state, side, act)}
    named |= {str(act): act for act in map(acts.Claim, state.claims(side, at))}
    try:
        return [name for name, act in named.items() if not table.act(by, [act], at).answers[0].refused]
    except EngineFirstError:
        return []


def _has_sense(state: State, side: str, act: Act) -> bool:
    """True unless an act answers no offer, repeats one, or speaks to engines alone."""
    if isinstance(act, acts.Accept | acts.Decline):
        return bool(state.agreed) and side not in state.agreed
    return not (isinstance(act, acts.OfferDraw) and state.agreed) and not (
        isinstance(act, acts.Message) and state.alone
    )


def _is_over(table: Table, side: str, at: datetime) -> bool:
    """True if a game that was played can be played again."""
    try:
        table.rematch(side, at + timedelta(days=1))
    except RefereeError:
        return False
    return True


def owed(office: Office, addresses: Sequence[str], at: datetime) -> list[Listing]:
    """The seats of these addresses that owe a move, the one that is due first before the others."""
    mine = [one for address in addresses for one in listings(office, address, at)]
    return sorted((one for one in mine if one.side in one.state.owing), key=lambda one: one.order)


def answered(state: State, side: str, turn: int) -> tuple[bool, str | None]:
    """What followed a side's act in the ply `turn`, in sentences, and whether an engine is about to add to it."""
    waits = engine_to_move(state) is not None and not state.simultaneous
    made = [*_made(state, side, turn)]
    if state.closed is not None:
        return waits, " ".join((*made, result_sentence(state, side)))
    if not made:
        return waits, None
    return waits, " ".join((*made, *((phrase("page.yours"),) if side in state.owing else ())))


def _made(state: State, side: str, turn: int) -> Iterator[str]:
    """The moves of the others since a ply, each in a sentence."""
    for ply in state.plies[turn - 1 :]:
        for other in state.position.sides:
            if other in ply and other != side:
                sentence = "page.answered" if other in state.engine_sides else "page.played"
                yield phrase(sentence, name=name_of(state, other), move=ply[other])


def waited_for(state: State) -> str:
    """The players that a game waits for, in a list."""
    return join_words(name_of(state, one) for one in state.position.sides if one in state.owing)


def _ply(state: State, side: str) -> Mapping[str, object] | None:
    """The parts of a seal of this ply besides the move; None if no move is sealed in it."""
    if not state.simultaneous:
        return None
    opening, head = state.past
    ply = {"game": state.id, "opening": opening, "head": head, "number": state.ply}
    return {**ply, "side": side, "rules": state.protocol}
