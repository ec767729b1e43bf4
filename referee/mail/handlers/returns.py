"""Letters that came back: a report at the secret return address of a letter marks the seat that did not get it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import NamedTuple

from referee.desk.log.log import read_time
from referee.desk.log.secrets import answered_name
from referee.desk.records import Change
from referee.desk.service import Table
from referee.errors import RefereeError
from referee.mail.addresses import RETURNED
from referee.mail.handlers.arrival import Arrival
from referee.mail.intake.classification import Kind
from referee.mail.intake.delivery import report_of
from referee.mail.office import Office

LATE = timedelta(days=3)
"""Time that a mail server may take for a letter before its seat counts as unreached."""

_OLDEST = timedelta(days=30)
"""Maximum age of a letter whose report counts."""


class Undelivered(NamedTuple):
    """A seat that letters do not reach, its address, and the mail server's message."""

    game: str
    side: str
    address: str
    reason: str


def file_returned(arrival: Arrival) -> bool:
    """File a letter that came to a return address; the failure that it reports is noted with the letter out."""
    office, letter, verdict = arrival.office, arrival.letter, arrival.verdict
    if letter.tag is None or not letter.tag.key.startswith(RETURNED):
        return False
    sent, key = _letters(office, letter.tag.game, arrival.at), letter.tag.key
    found = (one for one in sent if compare_digest(office.mailbox.return_key(one[0]), key))
    (identity, side), said = next(found, ("", "")), ""
    if identity and verdict.kind in (Kind.BOUNCE, Kind.TOO_LARGE):
        said = report_of(letter, arrival.stored.raw, office.mailbox) or ""
        if said:
            office.desk.outbox.came_back(identity, said)
    seat = f"to {side}" if identity else "about no letter of the desk"
    note = f"{verdict.kind.value}: {said or verdict.reason} ({letter.tag.game}, {seat})"
    office.desk.games.handle(arrival.stored, None, arrival.at, lambda _: Change(note=note))
    return True


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


def _letters(office: Office, game: str, at: datetime) -> Iterator[tuple[str, str]]:
    """The message ids and the sides of the last days' letters to the seats of a game."""
    try:
        table = office.desk.table(game)
    except RefereeError:
        return
    for side in table.state.position.sides:
        for identity in office.desk.outbox.ids_to(game, table.address(side), at - _OLDEST):
            if (sent := office.mailbox.claimed_by(identity)) and sent.seat == side:
                yield identity, side
