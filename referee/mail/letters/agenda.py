"""The list of a player's games: their duties, deadlines, and the addresses to write to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from referee.desk import State
from referee.desk.glances import Phase
from referee.mail.addresses import small
from referee.mail.letters.format.blocks import Block, BulletList, Heading, Link, Paragraph, Under
from referee.mail.letters.format.language import moment, phrase, span
from referee.mail.letters.format.text import quote
from referee.mail.letters.story.result import result_sentence
from referee.mail.letters.story.status import lapse_time, unusual_options
from referee.mail.letters.story.story import awaited, names_of
from referee.mail.office import Office, sides_of

_MOST_GAMES = 20
"""Maximum seats of a player that a list shows; those that have to act come first."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A seat of a player: the game, the side, the address registered for it, and when its move is due."""

    state: State
    side: str
    address: str
    deadline: datetime | None

    @property
    def order(self) -> tuple[bool, float, str, str]:
        """Sort key: seats that have to act first, by their deadlines."""
        due = self.deadline.timestamp() if self.deadline else float("inf")
        return self.side not in self.state.owing, due, self.state.id, self.side


def listings(office: Office, address: str, at: datetime) -> list[Listing]:
    """The seats of an address in its running games; if none runs, those in its other games."""
    tables = map(office.desk.table, office.desk.catalogue.games_of(small(address)))
    seats = ((table, side) for table in tables for side in sides_of(table, address))
    found = (
        Listing(one.state, side, one.address(side), one.state.clock.at(side, at).deadline) for one, side in seats
    )
    return sorted(found, key=lambda one: one.order)


def agenda(office: Office, listed: Sequence[Listing], at: datetime) -> Iterator[Block]:
    """The seats of a player: the duty and deadline of each, and its address."""
    for one in listed[:_MOST_GAMES]:
        state = one.state
        yield Heading(phrase("agenda.game", game=state.id, title=state.description.title, side=one.side))
        yield Under((_standing(one, at),))
        yield Link(office.seat_address(state, one.side))
    if len(listed) > _MOST_GAMES:
        yield Paragraph(phrase("agenda.more", number=len(listed) - _MOST_GAMES))


def calendar_blocks(office: Office, address: str, listed: Sequence[Listing]) -> Iterator[Block]:
    """The address of a player's calendar; nothing without deadlines, or web pages of the desk."""
    found = office.calendar_address(small(address))
    if found is not None and any(one.deadline is not None for one in listed):
        yield Paragraph(phrase("agenda.calendar"))
        yield Link(found)


def browser_blocks(office: Office, address: str, at: datetime) -> Iterator[Block]:
    """The browsers that may move for an address, and how to forget them."""
    found = office.desk.people.browsers(small(address), at)
    yield Paragraph(phrase("pairing.browsers", number=len(found)) if found else phrase("pairing.no-browsers"))
    if found:
        yield BulletList(tuple(phrase("pairing.since", since=moment(one.at)) for one in found))
        yield Paragraph(phrase("pairing.forget", line=quote("forget browsers")))


def waiting_games(office: Office) -> list[State]:
    """The games with an open seat."""
    states = map(office.desk.state, office.desk.catalogue.in_phase(Phase.WAITING))
    return [state for state in states if state.invitation is not None and state.invitation.open]


def waiting_list(office: Office) -> Iterator[Block]:
    """The games with an open seat, each with the line that takes it; nothing if there are none."""
    if waiting := waiting_games(office):
        yield Paragraph(phrase("agenda.waiting"))
        yield BulletList(tuple(map(_waiting, waiting[:_MOST_GAMES])))
    if len(waiting) > _MOST_GAMES:
        yield Paragraph(phrase("agenda.more-games", number=len(waiting) - _MOST_GAMES))


def _waiting(state: State) -> str:
    invitation = state.invitation
    assert invitation is not None
    who = state.players[invitation.by] if invitation.by is not None else phrase("agenda.host")
    game = ", ".join((state.description.title, *unusual_options(state.description, state.options)))
    line = quote(f"join {state.id}")
    due = moment(lapse_time(state, invitation))
    return phrase("agenda.open", line=line, game=game, name=who, number=len(invitation.open), due=due)


def _standing(one: Listing, at: datetime) -> str:
    """The duty and deadline of a seat, or the players that the game waits for."""
    state, side = one.state, one.side
    if state.closed is not None:
        return result_sentence(state, side)
    if state.invitation is not None:
        sentence = "agenda.invited" if side in state.invitation.missing else "agenda.joined"
        names, due = awaited(state, state.invitation), moment(lapse_time(state, state.invitation))
        return phrase(sentence, names=names, due=due)
    if not state.owing:
        return phrase("agenda.idle")
    if side not in state.owing:
        return phrase("agenda.waits", round=state.round, names=names_of(state, state.owing))
    owed = "agenda.reveal" if side in state.seals else "agenda.move"
    if one.deadline is None:
        return phrase(owed, round=state.round)
    due, left = moment(one.deadline), span(one.deadline - at)
    return phrase(f"{owed}-until" if one.deadline > at else f"{owed}-late", round=state.round, due=due, left=left)
