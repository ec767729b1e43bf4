"""How a letter came: when servers on its way took it, by whose keys it is signed, and whether it came before."""

from __future__ import annotations

from datetime import datetime, timedelta

from referee.desk import Came
from referee.desk.log import events
from referee.desk.log.kinds import acting_side
from referee.desk.log.log import write_time
from referee.desk.log.secrets import Secrets, letter_name
from referee.desk.records import Incoming
from referee.mail.addresses import small
from referee.mail.intake import Letter, read_letter
from referee.mail.intake.copies import marks_of
from referee.mail.intake.message.trace import key_names, provider_time
from referee.mail.office import Office

OLDEST = timedelta(days=5)
"""How long a letter may have been on its way for a Received line of it to count."""

_TOGETHER = timedelta(hours=1)
"""Maximum time between two copies of a letter that get one answer."""


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


def answered_seats(office: Office, game: str, letter: Letter) -> tuple[str, ...]:
    """The seats to which the desk has told the newest ply of a game in a letter that this one answers."""
    told = [one for one in map(office.mailbox.told_by, letter.references) if one is not None and one.game == game]
    if not told:
        return ()
    log = office.desk.log(game)
    newest = max((entry.number for entry in log if isinstance(entry.event, events.Played)), default=0)
    return tuple(one.seat for one in told if one.number >= newest)


def earlier_copies(office: Office, letter: Letter, stored: Incoming, account: str | None) -> frozenset[str]:
    """The copies of a letter that the desk has dealt with: a program that writes to two of its addresses sends two.

    They come from the same account at the same time, in the same words. Where a program gives no Message-ID, they
    have the same Date.
    """
    mark = (letter.message_id.strip("<>") or letter.headers.first("date")).encode(errors="replace")
    if account is None or not mark:
        return frozenset()
    found = office.desk.inbox.recent(account, stored.received - _TOGETHER, mark)
    read = ((one.digest, read_letter(one.raw, office.mailbox)) for one in found if one.digest != stored.digest)
    return frozenset(digest for digest, other in read if _said(other) == _said(letter))


def _said(letter: Letter) -> tuple[object, ...]:
    """What is the same in every copy of a letter."""
    return letter.message_id, letter.headers.first("date"), letter.senders, letter.body.text


def letter_secrets(side: str, letter: Letter) -> Secrets:
    """What the desk keeps of a letter of a side that has done something, to know its copies."""
    return {letter_name(side, mark): letter.digest for mark in marks_of(letter)}


def has_acted(secrets: Secrets, side: str, letter: Letter) -> bool:
    """True if another copy of a letter has done something for a side, as the secrets of its game say."""
    return any(secrets.get(name, digest) != digest for name, digest in letter_secrets(side, letter).items())


def has_brought(office: Office, game: str, side: str, digests: frozenset[str]) -> bool:
    """True if one of some letters has brought an act of a side."""
    return bool(digests) and any(
        entry.came is not None and entry.came.letter in digests and acting_side(entry.event) == side
        for entry in office.desk.log(game)
    )
