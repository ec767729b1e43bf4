"""Games opened by letter: permission, and limits on the letters (docs/desk.md, "Games opened by letter")."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from referee.desk import EngineSeats, read_time
from referee.engine.levels import level_text
from referee.errors import Refusal
from referee.mail.addresses import is_among, is_reachable, owned_domain, person, small
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.taste import INVITATIONS, NEVER
from referee.mail.office import Office, sides_of

INVITATION, OPENING, CONFIRMATION = "invitation", "opening", "confirmation"
"""The kinds of letters to people who are invited, to those who invite, and to those who are asked to confirm."""

CONFIRMED = "confirmed"
"""Name in the store of the time when an address last answered a question for confirmation."""

_RESERVED = frozenset({"abuse", "mailer-daemon", "postmaster", "root"})
"""Mailboxes of the people who run a domain's mail server (RFC 2142), and of its machines."""

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Asker:
    """A person who asks for a game: `seated` if they ever had a seat here, `proven` if their letter is no forgery."""

    address: str = field(repr=False)
    name: str
    seated: bool
    proven: bool


def registered(office: Office, address: str) -> str:
    """The address as registered (its capitals), or unchanged if no seat uses it.

    Answers are counted by it: otherwise each spelling of an address would have its own limits.
    """
    return office.desk.catalogue.spelled(small(address)) or address


def has_agreed(office: Office, address: str) -> bool:
    """True if an address has a seat that it has joined, or has had one in a game that was opened."""
    name = small(address)
    for table in map(office.desk.table, office.desk.catalogue.all_games_of(name)):
        invitation = table.state.invitation
        if invitation is None or any(small(table.address(side)) == name for side in invitation.joined):
            return True
    return False


def may_open(office: Office, asker: Asker, *, vouched: bool) -> bool:
    """True if the settings let a person open and join games by letter."""
    settings = office.settings
    if settings.open == "host" or is_barred(office, asker.address):
        return False
    if asker.seated or (settings.open == "vouched" and vouched):
        return True
    return settings.open in ("known", "vouched") and is_among(asker.address, settings.known)


def may_invite(office: Office, address: str) -> bool:
    """True if an address can be invited: neither host nor owner forbids it, and it has no invitation to answer."""
    if not is_reachable(address) or office.mailbox.owns(address) or is_barred(office, address):
        return False
    if person(address) in map(person, office.desk.people.preferring(INVITATIONS, NEVER)):
        return False
    seats = ((office.desk.table(game), seat) for game, seat in _seats_of_person(office, address))
    return not any(table.state.standing(side) == "invited" for table, seat in seats for side in sides_of(table, seat))


def is_barred(office: Office, address: str) -> bool:
    """True if an address is among those that the desk never writes to, or no person has it.

    No person has a mail system's own address at the desk's domain, nor one at a name without dots: only if this is
    the desk's own domain, or if the host lists the address as known.
    """
    never = office.settings.never
    if is_among(address, never) or person(address) in [person(one) for one in never if "@" in one]:
        return True
    local, _, domain = person(address).rpartition("@")
    if domain in (small(one).rpartition("@")[2] for one in office.settings.addresses):
        return local in _RESERVED
    return "." not in domain and not is_among(address, office.settings.known)


def opening_kind(office: Office, kind: str, address: str) -> str:
    """The kind of a letter that this address has caused by opening a game."""
    return f"{kind}/{office.desk.key.mark(f'opener/{person(address)}')}"


def expect_within_limits(office: Office, asker: Asker, invited: tuple[str, ...], at: datetime) -> None:
    """Refuse another opening today if a limit forbids it."""
    limits = office.settings.invitations
    openings, sent = _lately(office, at)
    mine = opening_kind(office, OPENING, asker.address)
    if used_up := _used_up(office, asker.address, max(len(openings) + 1, len(sent) + len(invited)), at):
        raise used_up
    if sum(kind == mine for _, kind in openings) >= limits.sender_a_day:
        raise _limited("sender-a-day")
    if not asker.seated and _of_domain(asker.address, [one for one, _ in openings]) >= limits.domain_a_day:
        raise _limited("domain-a-day", owned_domain(asker.address))
    recipients = [person(one) for one, _ in sent]
    for address in invited:
        if _unanswered(office, address, recipients.count(person(address)), at) >= limits.address_a_day:
            raise _limited("address-a-day", address)
        recipients.append(person(address))
        if _of_domain(address, recipients) > limits.domain_a_day:
            raise _limited("domain-a-day", owned_domain(address))


def _limited(limit: str, whose: str = "") -> Refusal:
    """The refusal by a setting; `whose` is the address or domain at its limit, if it is about one."""
    return Refusal("invitation-limit", phrase(f"arrange.limit-{limit}", whose=whose))


def is_closed_to_newcomers(office: Office, at: datetime) -> bool:
    """True if newcomers can open no more games for now, because half of the daily limit is used up."""
    most = office.settings.invitations.a_day if office.settings.open != "host" else 0
    return most > 0 and max(map(len, _lately(office, at))) >= most - most // 2


def _lately(office: Office, at: datetime) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The last day's letters to players who opened games, and to those who were invited."""
    return office.desk.outbox.queued(OPENING, at - _DAY), office.desk.outbox.queued(INVITATION, at - _DAY)


def _used_up(office: Office, address: str, number: int, at: datetime) -> Refusal | None:
    """The refusal of the day's letter with this number; newcomers share half of the daily limit."""
    most = office.settings.invitations.a_day
    if number > most:
        return _limited("a-day")
    if number > most - most // 2 and not is_among(address, office.settings.known):
        tables = map(office.desk.table, office.desk.catalogue.all_games_of(small(address)))
        begun = (table.state.id for table in tables if table.state.invitation is None)
        if all(office.desk.log(name)[0].at > at - _DAY for name in begun):  # a newcomer: no game here a day ago
            return _limited("a-day-newcomers")
    return None


def _unanswered(office: Office, address: str, invitations: int, at: datetime) -> int:
    """The number of a person's invitations of the last day that they have not accepted."""
    if not invitations:
        return 0
    games = {game for game, _ in _seats_of_person(office, address)}
    return invitations - sum(_was_accepted(office, game, address, at) for game in games)


def _was_accepted(office: Office, name: str, address: str, at: datetime) -> bool:
    """True if this person was invited to a game in the last day, and has taken that seat."""
    table = office.desk.table(name)
    origin = table.state.origin
    if origin is None or office.desk.log(name)[0].at <= at - _DAY:
        return False
    invited = [side for side in origin.joined if side != origin.by and origin.seats[side] is not None]
    return any(person(table.address(side)) == person(address) for side in invited)


def may_ask(office: Office, address: str, at: datetime) -> bool:
    """True if the desk may ask a sender to confirm: not while the day's last question to them is unanswered."""
    limits = office.settings.invitations
    asked = [person(one) for one, _ in office.desk.outbox.queued(CONFIRMATION, at - _DAY)]
    used_up = _used_up(office, address, len(asked) + 1, at)
    room = used_up is None and _of_domain(address, asked) < limits.domain_a_day
    if not room or asked.count(person(address)) >= limits.sender_a_day or is_barred(office, address):
        return False
    waiting = office.desk.outbox.queued(CONFIRMATION, _answered(office, address, at))
    return person(address) not in [person(one) for one, _ in waiting]


def asked_at(office: Office, address: str, at: datetime) -> datetime | None:
    """The time of the last day's question that a sender has not answered; None if there is none."""
    return office.desk.outbox.answer_count(small(address), CONFIRMATION, _answered(office, address, at))[1]


def _answered(office: Office, address: str, at: datetime) -> datetime:
    """The time of a sender's last answer to such a question, or a day ago if that is later."""
    answered = office.desk.people.preferences(small(address)).get(CONFIRMED)
    return max(at - _DAY, read_time(answered)) if answered else at - _DAY


def _of_domain(address: str, recipients: list[str]) -> int:
    domain = owned_domain(address)
    return sum(owned_domain(one) == domain for one in recipients)


def expect_engines_free(office: Office, address: str, engines: EngineSeats) -> None:
    """Refuse engines that the desk lacks, or a person has too many of: `no-engines`, `level`, `engine-limit`."""
    allowed = office.settings.engines
    if not engines:
        return
    if not allowed.cores:
        raise Refusal("no-engines", phrase("arrange.no-engines"))
    if max(engines.values()) > allowed.level:
        raise Refusal("level", phrase("arrange.engine-level", level=level_text(allowed.level)))
    theirs = {small(one) for _, one in _seats_of_person(office, address)}
    states = map(office.desk.state, {game for one in theirs for game in office.desk.catalogue.games_of(one)})
    if sum(state.closed is None and bool(state.engine_sides) for state in states) >= allowed.each:
        raise Refusal("engine-limit", phrase("arrange.limit-engines", number=allowed.each))


def _seats_of_person(office: Office, address: str) -> list[tuple[str, str]]:
    """The games and addresses of all seats of a person, as limits count persons."""
    seats = office.desk.catalogue.seats_in(small(address).rpartition("@")[2])
    return [(game, seat) for game, seat in seats if person(seat) == person(address)]
