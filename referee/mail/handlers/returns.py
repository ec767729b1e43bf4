"""Letters that came back: a report at the secret return address of a letter marks the seat that did not get it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from hmac import compare_digest

from referee.desk import Change
from referee.errors import RefereeError
from referee.mail.addresses import RETURNED
from referee.mail.handlers.arrival import Arrival
from referee.mail.intake.classification import LetterKind
from referee.mail.intake.delivery import report_of
from referee.mail.office import Office

_OLDEST = timedelta(days=30)
"""Maximum age of a letter whose report counts."""


def file_returned(arrival: Arrival) -> bool:
    """File a letter that came to a return address; the failure that it reports is noted with the letter out."""
    office, letter, verdict = arrival.office, arrival.letter, arrival.verdict
    if letter.tag is None or not letter.tag.key.startswith(RETURNED):
        return False
    sent, key = _letters(office, letter.tag.game, arrival.at), letter.tag.key
    found = (one for one in sent if compare_digest(office.mailbox.return_key(one[0]), key))
    (identity, side), said = next(found, ("", "")), ""
    if identity and verdict.kind in (LetterKind.BOUNCE, LetterKind.TOO_LARGE):
        said = report_of(letter, arrival.stored.raw) or ""
        if said:
            office.desk.outbox.came_back(identity, said)
    seat = f"to {side}" if identity else "about no letter of the desk"
    note = f"{verdict.kind.value}: {said or verdict.reason} ({letter.tag.game}, {seat})"
    office.desk.games.handle(arrival.stored, None, arrival.at, lambda _: Change(note=note))
    return True


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
