"""The seats of a paired browser: its seat in a game, what it may send there, and the games that wait for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from referee.desk import Act, By, EngineFirstError, EngineSeats, Seat, State, Table, acts, engine_to_move
from referee.desk.law.automatic import sealed_move
from referee.desk.law.hands import has_hands
from referee.errors import RefereeError, Refusal
from referee.mail.addresses import small
from referee.mail.handlers.permission import Asker, expect_engines_free, expect_within_limits, may_open
from referee.mail.handlers.responses import say
from referee.mail.letters.agenda import Listing, listings
from referee.mail.letters.format.language import phrase
from referee.mail.letters.story.result import result_sentence
from referee.mail.letters.story.story import name_of
from referee.mail.office import Office

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
    """The state of a seat, for everyone who has its link.

    `signs` is true if the seat has a key. `ply` has the parts of a seal besides the move, where moves are sealed.
    `sealed` is the commitment of a move that the player has sealed and not revealed; `revealing` is true if the desk
    waits for that reveal.
    """
    state, promise = table.state, table.state.seals.get(side)
    sealed = promise is not None and promise.own and promise.opened is None
    agreed = [one for one in state.position.sides if one in state.agreed]
    ply: Mapping[str, object] | None = None
    if state.simultaneous:
        opening, head = state.past
        ply = {"game": state.id, "opening": opening, "head": head, "number": state.ply}
        ply = {**ply, "side": side, "rules": state.protocol}
    return {
        "side": side,
        "turn": state.turn,
        "owes": side in state.owing,
        "signs": side in state.keyring.keys,
        "ply": ply,
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


def plan_standing(office: Office, state: State, side: str) -> Mapping[str, object]:
    """The text of the plan that the desk keeps (`plan`), and what plans did: the plies of their moves (`followed`).

    `spent` is true if the plan had no move for this ply.
    """
    mine = [one for one in state.deposits if one.side == side]
    followed = [ply for one in mine for ply in one.followed]
    spent = state.ply in [one.spent for one in mine]
    return {"plan": office.desk.kept_plan(state, side), "followed": followed, "spent": spent}


def open_acts(office: Office, table: Table, side: str, at: datetime) -> list[str]:
    """The words of the acts that the law allows a side now, besides moves."""
    state, by = table.state, By(side, table.state.turn)
    if state.closed is not None:
        with suppress(RefereeError):
            expect_rematch(office, table, side, at)
            return ["rematch"]
        return []
    named = {name: act for name, act in _ACTS.items() if _has_sense(state, side, act)}
    named |= {str(act): act for act in map(acts.Claim, state.claims(side, at))}
    with suppress(EngineFirstError):
        free = [name for name, act in named.items() if not table.act(by, [act], at).answers[0].refused]
        can_plan = side not in state.owing | state.keyring.keys.keys() and not has_hands(state.description)
        return [*free, "plan"] if can_plan else free
    return []


def _has_sense(state: State, side: str, act: Act) -> bool:
    """False for an act without its offer, its clock or its listeners, and for an offer that is open already."""
    match act:
        case acts.Accept() | acts.Decline():
            return state.is_offered(side)
        case acts.OfferDraw():
            return not state.agreed
        case acts.Give():
            return state.clock.terms is not None and not state.alone
        case acts.Message():
            return not state.alone
        case _:
            return True


def expect_rematch(office: Office, table: Table, side: str, at: datetime) -> None:
    """Refuse a rematch that the desk would refuse as a letter."""
    proposal, addresses = table.rematch(side, at + timedelta(days=office.settings.invitations.lapse))
    others = tuple(one for other, one in addresses.items() if other != proposal.by)
    expect_welcome(office, Asker(table.address(side), "", seated=True, proven=True), proposal.engines, others, at)


def expect_welcome(
    office: Office, asker: Asker, engines: EngineSeats, invited: tuple[str, ...], at: datetime
) -> None:
    """Refuse a new game that the desk would refuse if this person asked for it by letter."""
    if not may_open(office, asker, vouched=True):
        raise Refusal("not-allowed", say("not-allowed"))
    expect_engines_free(office, asker.address, engines)
    expect_within_limits(office, asker, invited, at)


def seats_of(office: Office, addresses: Sequence[str], at: datetime) -> list[Listing]:
    """The seats of these addresses, those that owe a move first, by their deadlines."""
    return sorted((one for each in addresses for one in listings(office, each, at)), key=lambda one: one.order)


def answered(state: State, side: str, turn: int) -> tuple[bool, str | None]:
    """Whether an engine is about to answer a side's act in the ply `turn`, and the answers so far, in sentences."""
    waits = engine_to_move(state) is not None and not state.simultaneous
    said: list[str] = []
    for ply in state.plies[turn - 1 :]:
        for other in (one for one in state.position.sides if one in ply and one != side):
            sentence = "acted.answered" if other in state.engine_sides else "acted.played"
            said.append(phrase(sentence, name=name_of(state, other), move=ply[other]))
    if state.closed is not None:
        said.append(result_sentence(state, side))
    elif said and side in state.owing:
        said.append(phrase("acted.yours"))
    return waits, " ".join(said) or None
