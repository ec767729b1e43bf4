"""The letters that tell players what happened to their game."""

from __future__ import annotations

from datetime import datetime

from referee.desk import Carried, State
from referee.desk.case import Secrets, address_name
from referee.desk.store import Outgoing
from referee.mail.composing.letter import Office, Sections, to_player
from referee.mail.composing.news import concerns, news
from referee.mail.desk import Desk


def office_of(desk: Desk) -> Office:
    """Who writes the letters of a desk."""
    return Office(desk.mailbox, desk.settings.name, desk.settings.host, desk.store.key)


def tell(
    desk: Desk,
    before: State | None,
    carried: Carried,
    secrets: Secrets,
    at: datetime,
    *,
    but: str | None = None,
) -> tuple[Outgoing, ...]:
    """A letter to every side, but one, that the new entries of a log concern.

    Sides without an address, as those of a game that was brought along from elsewhere, get none.
    """
    letters = []
    for side in carried.state.position.sides:
        address = secrets.get(address_name(side))
        if side != but and address and any(concerns(entry.event, side) for entry in carried.entries):
            sections = Sections(news=news(before, carried.entries, side))
            letters.append(to_player(carried.state, side, address, sections, at, office_of(desk), None))
    return tuple(letters)
