"""Who may open games by letter, and whom the desk writes to because of it (docs/desk.md, "Games opened by letter").

A new game needs the same proof of its sender as a move. A letter has it if it came to the secret address of the
sender's seat, or if the mail server vouches for the sender (DMARC). The desk asks everybody else whether they wrote:
their answer to that letter is the proof.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from referee.mail.intake.addresses import is_among, is_reachable, owned_domain, person, small
from referee.mail.office import Office

INVITATION, OPENING, CONFIRMATION = "invitation", "opening", "confirmation"
"""The kinds of letters to people who are invited, to those who invite, and to those who may have written."""

INVITATIONS, NEVER = "invitations", "never"
"""The choice of people who want no invitation, as the store keeps it: its name and value."""

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for a game.

    `seated` says that they have or had a seat here, `proven` that they wrote the letter themselves.
    """

    address: str = field(repr=False)
    name: str
    seated: bool
    proven: bool


def is_seated(office: Office, address: str) -> bool:
    """Whether an address has or had a seat in a game that was opened; to be invited, or to invite, is not enough."""
    tables = map(office.desk.table, office.store.all_games_of(small(address)))
    return any(table.state.invitation is None for table in tables)


def has_agreed(office: Office, address: str) -> bool:
    """Whether an address has a seat that it has joined, or has had one in a game that was opened."""
    name = small(address)
    for table in map(office.desk.table, office.store.all_games_of(name)):
        invitation = table.state.invitation
        if invitation is None or any(small(table.address(side)) == name for side in invitation.joined):
            return True
    return False


def may_open(office: Office, asker: Asker, *, vouched: bool) -> bool:
    """Whether the settings let somebody open and join games by letter."""
    settings = office.settings
    if settings.open == "host" or is_among(asker.address, settings.never):
        return False
    if asker.seated or (settings.open == "vouched" and vouched):
        return True
    return settings.open in ("known", "vouched") and is_among(asker.address, settings.known)


def may_invite(office: Office, address: str) -> bool:
    """Whether an address can be invited: nobody has forbidden it, and it has no other invitation to answer.

    Neither a plus sign nor dots make another address of it.
    """
    if not is_reachable(address) or office.mailbox.owns(address) or _is_barred(office, address):
        return False
    whole = person(address)
    if whole in map(person, office.store.preferring(INVITATIONS, NEVER)):
        return False
    seats = office.store.seats_in(small(address).rpartition("@")[2])
    return not any(_waits_for(office, game, seat) for game, seat in seats if person(seat) == whole)


def _is_barred(office: Office, address: str) -> bool:
    """Whether an address is among those that the desk never writes to."""
    never = office.settings.never
    return is_among(address, never) or person(address) in [person(one) for one in never if "@" in one]


def _waits_for(office: Office, name: str, address: str) -> bool:
    """Whether a game waits for this address to answer its invitation."""
    table = office.desk.table(name)
    invitation = table.state.invitation
    if invitation is None or table.state.closed is not None:
        return False
    return any(small(table.address(side)) == small(address) for side in invitation.missing)


def opening_kind(office: Office, kind: str, address: str) -> str:
    """The kind of a letter that somebody at this address has caused by opening a game."""
    return f"{kind}/{office.store.key.mark(f'opener/{person(address)}')}"


def over_limit(office: Office, asker: Asker, invited: tuple[str, ...], at: datetime) -> str:
    """The setting that forbids another opening today; empty if none does."""
    limits = office.settings.invitations
    openings, sent = (office.store.queued(kind, at - _DAY) for kind in (OPENING, INVITATION))
    mine = opening_kind(office, OPENING, asker.address)
    if len(openings) >= limits.a_day or len(sent) + len(invited) > limits.a_day:
        return "a-day"
    if sum(kind == mine for _, kind in openings) >= limits.sender_a_day:
        return "sender-a-day"
    if not asker.seated and _of_domain(asker.address, [one for one, _ in openings]) >= limits.domain_a_day:
        return "domain-a-day"
    recipients = [person(one) for one, _ in sent]
    for address in invited:
        if recipients.count(person(address)) >= limits.address_a_day:
            return "address-a-day"
        recipients.append(person(address))
        if _of_domain(address, recipients) > limits.domain_a_day:
            return "domain-a-day"
    return ""


def may_ask(office: Office, address: str, at: datetime) -> bool:
    """Whether somebody may be asked if they wrote: once a day, with limits for a domain and for all together."""
    limits = office.settings.invitations
    asked = [person(one) for one, _ in office.store.queued(CONFIRMATION, at - _DAY)]
    room = len(asked) < limits.a_day and _of_domain(address, asked) < limits.domain_a_day
    return room and person(address) not in asked and not _is_barred(office, address)


def _of_domain(address: str, recipients: list[str]) -> int:
    domain = owned_domain(address)
    return sum(owned_domain(one) == domain for one in recipients)
