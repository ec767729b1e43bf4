"""Seats that letters do not reach, as mail servers report; `status` lists them without reading any letter."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from referee.desk import Table, read_time
from referee.desk.log.secrets import answered_name
from referee.mail.office import Office

LATE = timedelta(days=3)
"""Time that a mail server may take for a letter before its seat counts as unreached."""


class Undelivered(NamedTuple):
    """A seat that letters do not reach, its address, and the mail server's message."""

    game: str
    side: str
    address: str
    reason: str


def unreached(office: Office, at: datetime) -> list[Undelivered]:
    """The seats in running games that letters do not reach; their clocks go on."""
    running = {*office.desk.catalogue.ids(running=True)}
    games = sorted(running.intersection(office.desk.outbox.games_given_up()))
    found = office.desk.catalogue.each(games, lambda game: undelivered(office, game, at))
    return [one for seats in found for one in seats]


def undelivered(office: Office, name: str, at: datetime) -> list[Undelivered]:
    """The seats of a game that letters do not reach: the server takes none for their address, or they came back."""
    table = office.desk.table(name)
    found = ((side, table.address(side)) for side in table.state.position.sides)
    reasons = ((side, address, _reason(office, table, side, address, at)) for side, address in found if address)
    return [Undelivered(name, side, address, reason) for side, address, reason in reasons if reason is not None]


def _reason(office: Office, table: Table, side: str, address: str, at: datetime) -> str | None:
    """The reason why letters do not reach a seat, or None; returns from before the player last wrote do not count."""
    refused = office.desk.outbox.refusal(table.state.id, address)
    if refused is not None:
        return refused
    answered = table.secrets.get(answered_name(side))
    back = office.desk.outbox.returned(table.state.id, address, read_time(answered) if answered else None)
    for_good = [one.said for one in back if one.for_good]
    late = [one.said for one in back if at - one.queued >= LATE]
    return next(iter([*for_good, *late]), None)
