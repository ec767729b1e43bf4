"""How a letter came: when servers on its way took it, by whose keys it is signed, and whether it came before."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.desk import Came
from referee.desk.log import write_time
from referee.desk.records import Incoming, Secrets, letter_name
from referee.mail.intake import Letter
from referee.mail.intake.addresses import small
from referee.mail.intake.copies import marks_of
from referee.mail.intake.trace import key_names, provider_time
from referee.mail.office import Office

OLDEST = timedelta(days=5)
"""How long a letter may have been on its way for a Received line of it to count."""


def server_time(office: Office, letter: Letter, stored: Incoming) -> datetime:
    """When the server received the letter: by the desk's clock, or by the Received line of a server it believes."""
    if office.settings.trust.received_by is None or letter.received is None:
        return stored.received
    plausible = stored.received - OLDEST <= letter.received <= stored.received
    return letter.received if plausible else stored.received


def how_it_came(office: Office, letter: Letter, at: datetime) -> Came:
    """What the log says of the letter of an act, which the desk's server took at this time."""
    domain = small(letter.senders[0].address).rpartition("@")[2] if letter.senders else ""
    hosts = next((hosts for one, hosts in office.settings.providers.items() if small(one) == domain), ())
    taken = provider_time(letter.headers, office.mailbox, [*map(small, hosts)])
    plausible = taken is not None and at - OLDEST <= taken <= at
    return Came(letter.digest, write_time(at), write_time(taken) if taken is not None and plausible else None)


def signers_of(office: Office, letter: Letter) -> tuple[str, ...]:
    """The names of the keys by which a letter is signed, if the desk keeps them."""
    return key_names(letter.headers) if office.settings.dkim == "keep" else ()


def letter_secrets(side: str, letter: Letter) -> Secrets:
    """What the desk keeps of a letter of a side that has done something, to know its copies."""
    return {letter_name(side, mark): letter.digest for mark in marks_of(letter)}


def has_acted(secrets: Secrets, side: str, letter: Letter) -> bool:
    """True if another copy of a letter has done something for a side, as the secrets of its game say."""
    return any(secrets.get(name, digest) != digest for name, digest in letter_secrets(side, letter).items())
