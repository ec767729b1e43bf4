"""A letter's arrival: its kind, its times at servers, the keys of its signatures, and its sender."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

from referee.desk import Came, Change, Incoming, Seat, Secrets, Table, acting_side, events, write_time
from referee.desk.log.secrets import letter_name
from referee.mail.addresses import small
from referee.mail.intake.classification import Classification, classify
from referee.mail.intake.commands import Reading
from referee.mail.intake.letter import Letter, read_letter
from referee.mail.intake.message.trace import key_names, provider_time
from referee.mail.intake.statements import is_statement
from referee.mail.office import Office
from referee.mail.transport.receipt import account_of

NO_TOKEN = "no-token"
OTHER_ADDRESS = "other-address"
NOT_VOUCHED = "not-vouched"

OLDEST = timedelta(days=5)
"""Maximum time on the way for a letter's Received line to count."""

_TOGETHER = timedelta(hours=1)
"""Maximum time between two copies of a letter that get one answer."""


@dataclass(frozen=True)
class Arrival:
    """A stored letter that the desk handles at a time; its properties are worked out when they are needed."""

    office: Office
    stored: Incoming
    at: datetime

    @cached_property
    def letter(self) -> Letter:
        """The letter as read from its bytes."""
        letter = read_letter(self.stored.raw, self.office.mailbox)
        if is_statement(self.office, self.stored.raw):
            letter = replace(letter, made_here=True, vouched=True)
        if not self.stored.cut:
            return letter
        return replace(letter, excess=f"you have sent more than {self.office.settings.megabytes_a_day} MB in a day")

    @cached_property
    def verdict(self) -> Classification:
        """Its kind, which decides whether it is read and answered."""
        return classify(self.letter, self.office.mailbox)

    @cached_property
    def game(self) -> str | None:
        """The game that it is about, if any."""
        if not self.verdict.answerable:
            return None
        address = small(self.letter.senders[0].address) if len(self.letter.senders) == 1 else ""
        return self.office.desk.game_of(self.letter.games, address)

    @cached_property
    def came(self) -> datetime:
        """The time of receipt that counts for the clocks: by the desk, or by a trusted server's Received line."""
        stored, received = self.stored.received, self.letter.received
        if self.office.settings.trust.received_by is None or received is None:
            return stored
        return received if stored - OLDEST <= received <= stored else stored

    @cached_property
    def reading(self) -> Reading:
        """The reading of the letter; if it is about no game, no line is a move."""
        return self.letter.reading(self.office.desk.catalogue.rules(self.game) if self.game is not None else None)

    @cached_property
    def copies(self) -> frozenset[str]:
        """Copies that the desk has already handled: a program that writes to two of its addresses sends two.

        They come from the same account within an hour, in the same words. If a program gives no Message-ID, they
        have the same Date.
        """
        letter, account = self.letter, account_of(None, self.stored.raw)
        mark = (letter.message_id.strip("<>") or letter.headers.first("date")).encode(errors="replace")
        if not self.verdict.answerable or account is None or not mark:
            return frozenset()
        found = self.office.desk.inbox.recent(account, self.stored.received - _TOGETHER, mark)
        others = ((one.digest, one.raw) for one in found if one.digest != self.stored.digest)
        read = ((digest, read_letter(raw, self.office.mailbox)) for digest, raw in others)
        return frozenset(digest for digest, other in read if _said(other) == _said(letter))

    def once(self, change: Change) -> Change:
        """The change, without its answer if it has no effect and a copy was handled before."""
        if change.entries or not change.letters or not self.copies:
            return change
        return replace(change, letters=(), ticket=None, note=f"{change.note}: its copy was answered")


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a letter, and its ply; `address` is the one registered for the side.

    `doubt` is the reason why the letter decides nothing: it has no token of a seat, was not sent from the seat's
    address, or the host's mail server does not vouch for its sender.
    """

    side: str
    ply: int
    address: str
    doubt: str = ""


def sender_of(office: Office, letter: Letter, table: Table, seat: Seat | None) -> Sender | None:
    """The sender of a letter about a game; None if it is not from a player. `seat` is that of its token.

    A sender address can be forged, so it moves nothing without the token. A token can be copied, so it moves nothing
    from another address. A program that ignores Reply-To sends no token, but names the letter that it answers: if the
    mail server vouches for the sender, the secret id of that letter is as good.
    """
    if seat is None:
        return _without_token(office, letter, table)
    address = table.address(seat.side)
    doubt = ""
    if not _sent_from(letter, address):
        doubt = OTHER_ADDRESS
    elif office.settings.trust.require == "dmarc" and not letter.vouched:
        doubt = NOT_VOUCHED
    return Sender(seat.side, seat.ply, address, doubt)


def _without_token(office: Office, letter: Letter, table: Table) -> Sender | None:
    """The player with the registered address of a letter; of several, one that owes a move.

    If the mail server vouches for the sender, a player who answers a letter about the newest ply is in no doubt.
    """
    state = table.state
    mine = [side for side in state.position.sides if _sent_from(letter, table.address(side))]
    for side in answered_seats(office, state.id, letter) if letter.vouched else ():
        if side in mine:
            return Sender(side, state.turn, table.address(side))
    found = next((side for side in mine if side in state.owing), mine[0] if mine else None)
    return None if found is None else Sender(found, state.turn, table.address(found), NO_TOKEN)


def _sent_from(letter: Letter, address: str) -> bool:
    """True if an address is that of the letter's one sender; plus signs and dots in it count."""
    return len(letter.senders) == 1 and small(letter.senders[0].address) == small(address) != ""


def how_it_came(office: Office, letter: Letter, at: datetime) -> Came:
    """The log's record of the letter of an act, which the desk's server received at this time."""
    domain = small(letter.senders[0].address).rpartition("@")[2] if letter.senders else ""
    hosts = next((hosts for one, hosts in office.settings.providers.items() if small(one) == domain), ())
    taken = provider_time(letter.headers, office.mailbox, [*map(small, hosts)])
    plausible = taken is not None and at - OLDEST <= taken <= at
    return Came(letter.digest, write_time(at), write_time(taken) if taken is not None and plausible else None)


def signers_of(office: Office, letter: Letter) -> tuple[str, ...]:
    """The names of the keys that signed a letter, if the desk keeps keys."""
    return key_names(letter.headers) if office.settings.dkim == "keep" else ()


def answered_seats(office: Office, game: str, letter: Letter) -> tuple[str, ...]:
    """The seats whose letters about the newest ply of a game this letter answers."""
    told = [one for one in map(office.mailbox.told_by, letter.references) if one is not None and one.game == game]
    if not told:
        return ()
    log = office.desk.log(game)
    newest = max((entry.number for entry in log if isinstance(entry.event, events.Played)), default=0)
    return tuple(one.seat for one in told if one.number >= newest)


def _said(letter: Letter) -> tuple[object, ...]:
    """The parts that are the same in every copy of a letter."""
    return letter.message_id, letter.headers.first("date"), letter.senders, letter.body.text


def letter_secrets(side: str, letter: Letter) -> Secrets:
    """Secrets kept of a side's letter that has acted, to recognize its copies."""
    return {letter_name(side, mark): letter.digest for mark in letter.marks}


def has_acted(secrets: Secrets, side: str, letter: Letter) -> bool:
    """True if another copy of a letter has acted for a side, according to the secrets of its game."""
    return any(secrets.get(name, digest) != digest for name, digest in letter_secrets(side, letter).items())


def has_brought(office: Office, game: str, side: str, digests: frozenset[str]) -> bool:
    """True if one of these letters contained an act of a side."""
    return bool(digests) and any(
        entry.came is not None and entry.came.letter in digests and acting_side(entry.event) == side
        for entry in office.desk.log(game)
    )
