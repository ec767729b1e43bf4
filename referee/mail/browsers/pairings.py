"""Pairings of browsers with the addresses of players: codes by letter, lists, and the end of a pairing."""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from hashlib import sha256

from referee.desk import Change, Held, Outgoing, Pairing, Seat, Table, write_time
from referee.desk.records import CODE_LASTS, PAIRING_LASTS
from referee.errors import Refusal
from referee.mail.addresses import is_reachable, small
from referee.mail.handlers.permission import has_agreed, is_barred, registered
from referee.mail.letters.format.blocks import Block, LetterSection, Lines, Link, Paragraph
from referee.mail.letters.format.language import moment, phrase
from referee.mail.letters.story.draft import GeneralLetter, Thread, as_bytes
from referee.mail.office import Office, now

CODE, SIGN_IN = "browser/code", "browser/sign-in"
"""The kinds of letters with codes: for a seat's link, and for an address that anyone may have typed."""

CODES_A_DAY, SIGN_INS_A_DAY = 5, 20
"""Maximum letters of each of these kinds to an address; the pages allow each asker only a few of the second kind."""

TRIES = 5
"""Attempts to type a code."""

_DIGITS = 8
_CODE = re.compile(rf"[0-9]{{{_DIGITS}}}")


@dataclass(frozen=True, slots=True)
class Pairings:
    """The browsers of a desk's players; `tokens` are the secrets in the cookies of one browser."""

    office: Office
    now: Callable[[], datetime] = now

    def pairings(self, tokens: Sequence[str]) -> Mapping[str, Pairing]:
        """The pairings of a browser, by address in small letters."""
        found = (self.office.desk.people.pairing(self.digest(token), self.now()) for token in tokens)
        return {one.address: one for one in found if one is not None}

    def awaits_code(self, tokens: Sequence[str]) -> bool:
        """True while a code can be typed in a browser."""
        return any(self.office.desk.people.awaits_code(self.digest(token), self.now()) for token in tokens)

    def ask(self, tokens: Sequence[str], game: str, key: str) -> str:
        """Send a code to the address of a seat, by its link; return the browser's new secret.

        It is valid once the code is typed. A paired browser gets no code, and "". A new code voids the earlier one.
        RefereeError `unknown-game`, `no-seat`, `page-key` for an older link, or `too-many-codes`.
        """
        table = self.office.desk.table(game)
        seat = seat_of_link(table, key)
        expect_fresh(seat)
        address = table.address(seat.side)
        if small(address) in self.pairings(tokens):
            return ""
        token, code = secrets.token_urlsafe(32), _new_code()
        told = (Paragraph(phrase("pairing.asked", game=game)), *self._code_blocks(code, table.state.clock.zone))
        letter = self._note(CODE, address, game, phrase("pairing.subject"), told, token)
        pairing = Pairing(self.digest(token), small(address), self.now(), self.digest(code), TRIES)
        if not self._keep(pairing, letter):
            had = f"your address has got {CODES_A_DAY} codes within a day"
            raise Refusal("too-many-codes", f"{had}, and gets no more: send this move by mail")
        self._void(tokens)
        return token

    def sign_in(self, tokens: Sequence[str], address: str, token: str) -> None:
        """Send a code to an address if a player has it; `token` is the browser's new secret.

        The browser cannot find out whether there is such a player: it can try a code for any address.
        """
        whose, code, pages = small(address.strip()), _new_code(), self.office.settings.pages or ""
        known = is_reachable(whose) and has_agreed(self.office, whose) and not is_barred(self.office, whose)
        link = f"{pages.rstrip('/')}/me#code={code}"
        told = (
            Paragraph(phrase("pairing.sign-in")),
            *self._code_blocks(code, UTC, Paragraph(phrase("pairing.link")), Link(link)),
        )
        letter = self._note(SIGN_IN, registered(self.office, whose), None, phrase("pairing.subject"), told, token)
        pairing = Pairing(self.digest(token), whose if known else "", self.now(), self.digest(code), TRIES)
        if not (known and self._keep(pairing, letter)):
            nobody = Pairing(pairing.token, "", pairing.at, self.digest(secrets.token_hex()), TRIES)
            self.office.desk.games.change(None, pairing.at, lambda _: Change(pairings=(nobody,)))
        self._void(tokens)

    def pair(self, tokens: Sequence[str], code: str) -> tuple[str, str]:
        """Let a browser act for the address that its code was sent to, and confirm it by letter.

        Return the name of the browser's cookie for this address, which does not tell it, and the secret in it.
        RefereeError `pairing-code` or `pairing-over`.
        """
        at, digits, left = self.now(), "".join(code.split()), None
        if not _CODE.fullmatch(digits):
            raise Refusal("pairing-code", "expected the eight digits of the letter; this did not count as an attempt")
        for token in tokens:
            asked = self.office.desk.people.try_code(self.digest(token), at)
            if asked is None or asked.code is None:
                continue
            if hmac.compare_digest(asked.code, self.digest(digits)):
                secret = secrets.token_urlsafe(32)  # someone may have seen the one that waited for the code
                self._paired(Pairing(self.digest(secret), asked.address, at))
                self.office.desk.people.unpair(asked.token)
                return self.office.desk.key.mark(f"cookie/{asked.address}"), secret
            left = asked.tries
        if left is None:
            message = (
                "this browser waits for no code: one is valid for half an hour, in the browser that asked for it. "
                "Please type it there, or ask for another one here"
            )
            raise Refusal("pairing-over", message)
        raise Refusal("pairing-code", f"this is not the code of the newest letter; attempts left: {left}")

    def forget(self, tokens: Sequence[str]) -> None:
        """Forget a browser, so that it can move for nobody."""
        for token in tokens:
            self.office.desk.people.unpair(self.digest(token))

    def take_back(self, address: str) -> int:
        """Unpair all browsers of an address, and report it there by letter; return their number."""
        at, whose, desk = self.now(), small(address), self.office.desk
        told, subject = (Paragraph(phrase("pairing.taken-back")),), phrase("pairing.taken-back-subject")
        letter = self._note("browser/taken-back", address, None, subject, told, f"{write_time(at)} {address}")
        number = len(desk.people.browsers(whose, at))
        change = Change(letters=(letter,) if number else (), unpaired=whose)
        desk.games.change(None, at, lambda _: change)
        return number

    def _paired(self, pairing: Pairing) -> None:
        until = moment((pairing.at + PAIRING_LASTS).astimezone(UTC))
        told = (Paragraph(phrase("pairing.done", until=until)), Paragraph(phrase("pairing.not-you")))
        whose, subject = registered(self.office, pairing.address), phrase("pairing.done-subject")
        letter = self._note("browser/done", whose, None, subject, told, f"done/{pairing.token}")
        self.office.desk.games.change(None, pairing.at, lambda _: Change(letters=(letter,), pairings=(pairing,)))

    def _keep(self, pairing: Pairing, letter: Outgoing) -> bool:
        """Keep a browser that waits for a code, and send the letter with it; False if there were too many today."""
        desk = self.office.desk

        def asked(_: Held) -> Change:
            ticket = desk.games.ticket()
            given = [small(to) for to, _ in desk.outbox.queued(letter.kind, pairing.at - timedelta(days=1))]
            if given.count(pairing.address) >= (CODES_A_DAY if letter.kind == CODE else SIGN_INS_A_DAY):
                return Change()
            return Change(letters=(letter,), ticket=ticket, pairings=(pairing,))

        return bool(desk.games.change(None, pairing.at, asked).letters)

    def _void(self, tokens: Sequence[str]) -> None:
        """Void the codes that a browser waited for."""
        for token in tokens:
            if self.office.desk.people.awaits_code(self.digest(token), self.now()):
                self.office.desk.people.unpair(self.digest(token))

    def _code_blocks(self, code: str, zone: tzinfo, *more: Block) -> Iterator[Block]:
        yield Lines((phrase("pairing.code", code=f"{code[: _DIGITS // 2]} {code[_DIGITS // 2 :]}"),))
        yield from more
        yield Paragraph(phrase("pairing.until", until=moment((self.now() + CODE_LASTS).astimezone(zone))))
        yield Paragraph(phrase("pairing.not-asked-link" if more else "pairing.not-asked"))

    def _note(
        self, kind: str, to: str, game: str | None, subject: str, told: tuple[Block, ...], name: str
    ) -> Outgoing:
        titled = phrase("subject.of-game", game=game, subject=subject) if game else subject
        note = GeneralLetter(self.now(), titled, (LetterSection("", told),), Thread())
        identity = self.office.mailbox.notice_id(sha256(self.digest(name).encode()).hexdigest())
        return Outgoing(identity, to, as_bytes(note), game, kind=kind)

    def digest(self, secret: str) -> str:
        """The stored digest of a secret; a new key of the desk voids all of them."""
        return sha256(f"{self.office.desk.key.mark('browsers')}\n{secret}".encode(errors="replace")).hexdigest()


def seat_of_link(table: Table, key: str) -> Seat:
    """The seat of a link's key; RefereeError `no-seat` if there is none."""
    seat = table.seat(key) if table.state.invitation is None else None
    if seat is None or not table.address(seat.side):
        raise Refusal("no-seat", "this link is of no seat in this game: open the one in your newest letter")
    return seat


def expect_fresh(seat: Seat) -> None:
    """Refuse a key of an earlier ply."""
    if not seat.fresh:
        raise Refusal("page-key", "the position has changed: open the link of your newest letter")


def _new_code() -> str:
    return f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
