"""The letter that a desk sends to itself: it goes out through the mail server, and must come in again."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr

from referee.desk.records import DealtWith
from referee.errors import RefereeError
from referee.mail.addresses import MARKER, RETURNED, Tag
from referee.mail.host.checks import Diagnosis, Severity, note, well, wrong
from referee.mail.host.checks.servers import hand_over
from referee.mail.intake.letter import Letter, read_letter
from referee.mail.intake.message.trace import key_names
from referee.mail.log import log_line
from referee.mail.office import Office, now
from referee.mail.transport.imap import fetch_imap
from referee.mail.watch import TOLERANCE

PAUSE = 0.25
"""Seconds between two looks for the letter."""

FETCHING = 2
"""Seconds between two looks into a mailbox."""

_DOCTOR = "doctor"
"""The name in its addresses where others have that of a game."""

_SAID = re.compile(rb"^diagnostic-code:(?:[ \t]*[a-z-]+;)?([^\n]*(?:\n[ \t][^\n]*)*)", re.IGNORECASE | re.MULTILINE)
"""The message of a mail server about a letter that it could not deliver (RFC 3464)."""

_LOST = (
    "look at the queue and the log of the mail server: it must hand letters for {0} and its tags to this desk, "
    "by LMTP, by a pipe or into the mailbox under 'imap'"
)

_TAG_LOST = "have the mail server keep the recipient as it is: players' letters move nothing without the tag"


def _written(office: Office, token: str, at: datetime) -> bytes:
    """The bytes of a letter to the desk itself; no program answers it, and the desk files it as its own."""
    message = EmailMessage(policy=SMTP)
    message["From"] = formataddr((office.settings.name, office.settings.address))
    message["To"] = office.mailbox.address_for(Tag(_DOCTOR, token))
    message["Subject"] = "A letter of the desk to itself"
    message["Date"] = format_datetime(at)
    message["Message-ID"] = office.mailbox.notice_id(token)
    message["Auto-Submitted"] = "auto-generated"
    message[MARKER] = office.mailbox.ids
    message.set_content("'referee desk doctor' looks whether this letter comes back. Nobody need do anything.\n")
    return message.as_bytes()


def round_trip(office: Office, wait: float) -> Iterator[Diagnosis]:
    """Send a letter through the mail server, and check that it comes in within the time, as it was sent."""
    token, begun = secrets.token_hex(8), now()
    to = office.mailbox.address_for(Tag(_DOCTOR, token))
    back = office.mailbox.address_for(Tag(_DOCTOR, RETURNED + token))
    taken = hand_over(office, _written(office, token, begun), back, to)
    yield taken
    if taken.level is Severity.WRONG:
        return
    end, fetch = time.monotonic() + wait, time.monotonic()
    while (found := _arrival(office, token, begun)) is None and time.monotonic() < end:
        if office.settings.imap is not None and time.monotonic() >= fetch:
            try:
                fetch_imap(office, now())
            except RefereeError as error:
                yield wrong("mailbox", error.message, "correct the settings under 'imap'")
                return
            fetch = time.monotonic() + FETCHING
        time.sleep(PAUSE)
    yield from _came_back(office, token, found, begun, wait)


def _arrival(office: Office, token: str, since: datetime) -> DealtWith | None:
    """The letter since a time, or the report about it, if either came; a mailbox dates it by its own clock."""
    for one in office.desk.inbox.history():
        if one.letter.received < since - 2 * TOLERANCE:
            return None
        if token.encode() in one.letter.raw:
            return one
    return None


def _came_back(
    office: Office, token: str, found: DealtWith | None, begun: datetime, wait: float
) -> Iterator[Diagnosis]:
    address, trust = office.settings.address, office.settings.trust
    if found is None:
        yield wrong("letter", f"it did not come back within {wait:g} seconds", _LOST.format(address))
        return
    letter = read_letter(found.letter.raw, office.mailbox)
    if letter.message_id != office.mailbox.notice_id(token):
        said = _SAID.search(found.letter.raw.replace(b"\r\n", b"\n"))
        words = log_line(" ".join(said[1].decode(errors="replace").split())) if said else letter.subject
        yield wrong("letter", f"the mail server cannot deliver it: {words}", _LOST.format(address))
        return
    if letter.tag != Tag(_DOCTOR, token):
        yield wrong("letter", "it came back, but its address has lost the tag behind the +", _TAG_LOST)
        return
    seconds = (now() - begun).total_seconds()
    yield well("letter", f"it came back with its tag after {seconds:.0f} s")
    yield from _trace(letter, trust.received_by, found.letter.received)
    yield _signed(letter, address.rpartition("@")[2])


def _signed(letter: Letter, domain: str) -> Diagnosis:
    """Check that the mail server has signed the letter for the desk's domain (DKIM)."""
    names = key_names(letter.headers)
    own = [name for name in names if f".{domain}".endswith(f".{name.partition('._domainkey.')[2]}")]
    if own:
        return well("letter", f"it is signed for {domain} (DKIM), with the key at {own[0]}")
    says = "another domain has signed it" if names else "it is not signed"
    remedy = f"let it sign for {domain}; if it signs only letters that leave it, name its 'selectors'"
    return note("letter", f"{says} (DKIM)", remedy)


def _trace(letter: Letter, server: str | None, came: datetime) -> Iterator[Diagnosis]:
    """Check the Received line that the settings trust, and its time."""
    if server is None:
        return
    if letter.received is None:
        says = f"it has no Received line of {server} where the desk looks for it"
        yield wrong("letter", says, "correct 'received-by' and 'hops' under 'trust': a letter's header names them")
    elif abs(letter.received - came) > TOLERANCE:
        says = f"{server} says that it came at {letter.received:%Y-%m-%d %H:%M} UTC, and this machine {came:%H:%M}"
        yield wrong("clock", says, "set the clock that is wrong, and keep both right with NTP")
    else:
        yield well("letter", f"{server} says when it came, as this machine does")
