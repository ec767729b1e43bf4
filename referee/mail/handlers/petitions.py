"""Petitions: requests to the desk beyond one running game, with their senders and the proof of the senders."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.desk import Accept
from referee.mail.addresses import Tag, is_reachable, small
from referee.mail.handlers.arrival import Arrival, sender_of
from referee.mail.handlers.names import name_of_sender
from referee.mail.handlers.permission import Asker, registered
from referee.mail.intake.commands import Reading
from referee.mail.intake.intent import correction, word_of
from referee.mail.intake.letter import Letter, read_letter
from referee.mail.intake.requests import Request
from referee.mail.office import Office

CONFIRM = "confirm"
"""Replaces the game in an address for confirming a letter."""

_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Petition:
    """A request of a letter to the desk, and its sender.

    `game` and `side` are the seat that the letter is from, if any. `returned` is true if it came to a secret address
    from the person who was given that. `original` is the letter with the request, which `letter` may only confirm.
    """

    asker: Asker
    letter: Letter
    reading: Reading
    original: Letter
    game: str | None = None
    side: str | None = None
    returned: bool = False

    @property
    def word(self) -> str:
        """The word for chance in the letter with the request."""
        return word_of(self.original)

    @property
    def confirms(self) -> bool:
        """True if the letter only confirms the one with the request."""
        return self.original.digest != self.letter.digest

    @property
    def answers_question(self) -> bool:
        """True if the letter came to an address for confirming."""
        return self.letter.tag is not None and self.letter.tag.game == CONFIRM

    @property
    def request(self) -> Request | None:
        """The one request; None while there is a question."""
        found = (said.command for said in self.reading.binding)
        return next((one for one in found if isinstance(one, Request)), None)


def petition_of(arrival: Arrival) -> Petition | None:
    """The petition in a letter; None if it has no request beyond its game.

    A letter that confirms another one has that one's request, unless it opens a new game itself. A stranger's letter
    is not read where only the host opens games.
    """
    office, letter, game = arrival.office, arrival.letter, arrival.game
    if not arrival.verdict.reads:
        return None
    if len(letter.senders) != 1 or not is_reachable(letter.senders[0].address):
        return None
    if letter.tag is not None and letter.tag.game == CONFIRM:
        return _confirmed(office, letter, arrival.at)
    seat = None
    if game is not None:
        table = office.desk.table(game)
        token = table.seat(letter.tag.key) if letter.tag is not None and letter.tag.game == game else None
        seat = sender_of(office, letter, table, token)
    if seat is not None and not _asks(arrival):  # as most letters, with a move alone
        return None
    address = registered(office, letter.senders[0].address)
    seated = office.desk.catalogue.is_seated(small(address))
    if (not seated and seat is None and office.settings.open == "host") or not _asks(arrival):
        return None
    returned = seat is not None and not seat.doubt
    name = name_of_sender(office, address, letter.senders[0].name)
    asker = Asker(address, name, seated, letter.vouched or returned)
    # Others may have a copy of a seat's address: from another sender, the request is not the seat's.
    side = seat.side if seat is not None and small(seat.address) == small(address) else None
    return Petition(asker, letter, arrival.reading, letter, game, side, returned)


def _asks(arrival: Arrival) -> bool:
    """True if a letter asks for something beyond its game, about which it leaves no question."""
    reading = arrival.reading
    asks = any(isinstance(said.command, Request) for said in reading.commands)
    return asks and (arrival.game is None or reading.question is None)


def confirmation_address(office: Office, digest: str) -> str:
    """The secret address at which the sender of a letter confirms it."""
    return office.mailbox.address_for(Tag(CONFIRM, f"{digest[:_DIGITS]}.{_mark(office, digest)}"))


def reply_address(office: Office, petition: Petition) -> str:
    """The secret address that a letter came to, as Reply-To of the answer; empty if it came to none."""
    tag = petition.letter.tag
    if tag is None or not petition.returned:
        return ""
    return office.mailbox.address_for(tag) if petition.answers_question or petition.game == tag.game else ""


def _confirmed(office: Office, letter: Letter, at: datetime) -> Petition | None:
    """The petition in the letter that this one confirms, if it is from the same address and to the right one.

    A new game in the confirming letter replaces the first request.
    """
    assert letter.tag is not None
    beginning, _, mark = letter.tag.key.partition(".")
    right = hmac.compare_digest(mark.encode(), _mark(office, beginning).encode()) and len(beginning) == _DIGITS
    since = at - timedelta(days=office.settings.invitations.lapse)
    found = (one.letter for one in office.desk.inbox.history(beginning) if not one.fault) if right else ()
    stored = next((one for one in found if one.received > since), None)  # the newest one
    reading = letter.reading(None)
    corrected = correction(reading)
    confirmed = reading.answer == "yes" or Accept() in [said.command for said in reading.binding]
    if stored is None or not (corrected or confirmed):
        return None
    original = read_letter(stored.raw, office.mailbox)
    address = registered(office, letter.senders[0].address)
    if small(original.senders[0].address) != small(address):
        return None
    proven = office.settings.trust.require != "dmarc" or letter.vouched
    name = name_of_sender(office, address, original.senders[0].name)
    asker = Asker(address, name, office.desk.catalogue.is_seated(small(address)), proven)
    if corrected:
        return Petition(asker, letter, Reading((corrected,)), letter, returned=proven)
    return Petition(asker, letter, original.reading(None), original, returned=proven)


def _mark(office: Office, digest: str) -> str:
    return office.desk.key.mark(f"{CONFIRM}/{digest[:_DIGITS]}")
