"""Browsers of players who move on a desk's pages: a code in a letter pairs a browser with the player's address.

The key in a link names the seat, as it does in a letter's address. The secret in a browser's cookie identifies the
registered address, because the code for it was sent there. With both, a submission is written down as a letter
(`statements`) and handled as one.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import formataddr
from hashlib import sha256

from referee.desk import By, Came, Seat, State
from referee.desk.log import acts
from referee.desk.log.log import write_time
from referee.desk.records import CODE_LASTS, PAIRING_LASTS, Change, Held, Outgoing, Pairing
from referee.desk.service import Table
from referee.errors import RefereeError, Refusal
from referee.mail.addresses import small
from referee.mail.handlers.permission import Asker, expect_engines_free, is_seated, may_open, over_limit, registered
from referee.mail.handlers.pipeline import attempt
from referee.mail.handlers.replies import done_text
from referee.mail.handlers.responses import say
from referee.mail.intake.letter import read_letter
from referee.mail.intake.requests import NewGame
from referee.mail.intake.statements import statement
from referee.mail.letters.format.blocks import Block, Lines, Paragraph, Section
from referee.mail.letters.format.language import moment, phrase
from referee.mail.letters.story.draft import Note, Thread, as_bytes
from referee.mail.office import Office, now
from referee.mail.transport.receipt import receive
from referee.mail.watch import expect_steady
from referee.rules import game_named

BROWSER = "browser"

CODES_A_DAY = 5

TRIES = 5
"""Attempts to type a code."""

LONGEST_LINES = 1_000
"""Maximum characters of a submission: any move fits, with its signature."""

_DIGITS = 8
_CODE = re.compile(rf"[0-9]{{{_DIGITS}}}")
_MADE = acts.MakeMove | acts.Seal | acts.Reveal
"""Acts that a page can submit."""


@dataclass(frozen=True, slots=True)
class Browsers:
    """Services of a desk by mail for its pages; most calls name a game and the key of a seat there.

    RefereeError `unknown-game`; `no-seat` if the key is not valid; `page-key` if it is of an earlier ply.
    """

    office: Office
    now: Callable[[], datetime] = now

    def cookie(self, game: str, key: str) -> str:
        """The cookie name for the player of a seat; it does not reveal the address."""
        table, seat = self._seat(game, key)
        return self.office.desk.key.mark(f"cookie/{small(table.address(seat.side))}")

    def standing(self, game: str, key: str, token: str) -> Mapping[str, object]:
        """The state of a seat, for its page.

        `paired` is true for a paired browser, `asked` while it waits for a code, and `signs` if the seat has a key.
        `ply` has the parts of a seal besides the move, where moves are sealed. `sealed` is the commitment of a move
        that the player has sealed and not revealed; `revealing` is true if the desk waits for that reveal.
        """
        table, seat = self._seat(game, key)
        state, side = table.state, seat.side
        promise = state.seals.get(side)
        sealed = promise is not None and promise.own and promise.opened is None
        return {
            "paired": self._is_paired(table, seat, token),
            "asked": self.office.desk.people.awaits_code(self._digest(token), self.now()),
            "signs": side in state.keyring.keys,
            "ply": _ply(state, side),
            "sealed": promise.commitment if promise and sealed else None,
            "revealing": sealed and state.revealing,
        }

    def ask(self, game: str, key: str, token: str) -> str:
        """Send a code to the seat's address; return the browser's new secret, which is valid once the code is typed.

        A paired browser keeps its secret and gets no code. A new code voids the browser's earlier one.
        RefereeError `page-key` for an older link, which sends no letter; `too-many-codes`.
        """
        table, seat = self._seat(game, key)
        _expect_fresh(seat)
        if self._is_paired(table, seat, token):
            return token
        before, token = token, secrets.token_urlsafe(32)
        at, address = self.now(), table.address(seat.side)
        code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
        pairing = Pairing(self._digest(token), small(address), at, self._digest(code), TRIES)
        until = moment((at + CODE_LASTS).astimezone(table.state.clock.zone))
        shown = f"{code[: _DIGITS // 2]} {code[_DIGITS // 2 :]}"
        told = (
            Paragraph(phrase("pairing.asked", game=game)),
            Lines((phrase("pairing.code", code=shown),)),
            Paragraph(phrase("pairing.until", until=until)),
            Paragraph(phrase("pairing.not-asked")),
        )
        letter = self._note("code", address, game, phrase("pairing.subject"), told, pairing.token, at)

        def asked(_: Held) -> Change:
            ticket = self.office.desk.games.ticket()
            given = [small(to) for to, _ in self.office.desk.outbox.queued(f"{BROWSER}/code", at - timedelta(days=1))]
            if given.count(small(address)) >= CODES_A_DAY:
                had = f"your address has got {CODES_A_DAY} codes within a day"
                raise Refusal("too-many-codes", f"{had}, and gets no more: send this move by mail")
            return Change(letters=(letter,), ticket=ticket, pairings=(pairing,))

        self.office.desk.games.change(None, at, asked)
        self.office.desk.people.unpair(self._digest(before))
        return token

    def pair(self, game: str, key: str, token: str, code: str) -> None:
        """Let a browser move for the seat's address, and confirm it by letter; `pairing-code` or `pairing-over`."""
        table, seat = self._seat(game, key)
        at, address = self.now(), table.address(seat.side)
        digits = "".join(code.split())
        if not _CODE.fullmatch(digits):
            raise Refusal("pairing-code", "expected the eight digits of the letter; this did not count as an attempt")
        asked = self.office.desk.people.try_code(self._digest(token), at)
        if asked is None or asked.address != small(address) or asked.code is None:
            message = "this browser waits for no code: one is valid for half an hour, in the browser that asked"
            raise Refusal("pairing-over", message)
        if not hmac.compare_digest(asked.code, self._digest(digits)):
            raise Refusal("pairing-code", f"this is not the code of the newest letter; attempts left: {asked.tries}")
        until = moment((at + PAIRING_LASTS).astimezone(table.state.clock.zone))
        told = (Paragraph(phrase("pairing.done", until=until)), Paragraph(phrase("pairing.not-you")))
        subject = phrase("pairing.done-subject")
        letter = self._note("done", address, game, subject, told, f"done/{asked.token}", at)
        paired = Pairing(asked.token, asked.address, at)
        self.office.desk.games.change(None, at, lambda _: Change(letters=(letter,), pairings=(paired,)))

    def forget(self, token: str) -> None:
        """Unpair a browser."""
        self.office.desk.people.unpair(self._digest(token))

    def take_back(self, address: str) -> int:
        """Unpair all browsers of an address, and report it there by letter; return their number."""
        at, office = self.now(), self.office
        number = office.desk.people.unpair_all(small(address))
        if number:
            told, subject = (Paragraph(phrase("pairing.taken-back")),), phrase("pairing.taken-back-subject")
            letter = self._note("taken-back", address, None, subject, told, f"{write_time(at)} {address}", at)
            office.desk.games.change(None, at, lambda _: Change(letters=(letter,)))
        return number

    def submit(self, game: str, key: str, token: str, text: str) -> str:
        """Carry out a submitted move, seal or reveal as if it had come by letter; return what was done.

        RefereeError `not-paired`; `page-line` if it is not one move; `page-waits` if the desk has stored it and not
        handled it yet; `clock-jump`; or as for the same letter. Except after `page-waits`, nothing is kept.
        """
        at = self.now()
        expect_steady(self.office, at)
        table, seat = self._seat(game, key)
        if not self._is_paired(table, seat, token):
            message = "this browser may not move for you yet: type the code that the desk sends you"
            raise Refusal("not-paired", message)
        _expect_fresh(seat)
        if len(text) > LONGEST_LINES or not all(char.isprintable() or char in "\t\r\n" for char in text):
            raise _no_move()
        address = table.address(seat.side)
        to = self.office.seat_address(table.state, seat.side)
        raw = statement(self.office, game, address, to, text, at, secrets.token_hex(16))
        said = self._judged(table, seat, raw, at)
        self._changed(raw, at, to, address)
        return said

    def is_paired(self, tokens: Sequence[str]) -> bool:
        """True if these secrets of a browser pair it with exactly one address."""
        return self._paired_address(tokens) is not None

    def open(self, tokens: Sequence[str], text: str) -> Mapping[str, str]:
        """Open a game with engines as a letter would; return what was `done`, the `game`, and the `seat`.

        The seat is the part of its link after the #.

        Raises:
            RefereeError: `not-paired`; `page-line`, if the text is not one line that opens a game against engines
                alone; or as `submit`.
        """
        at, office = self.now(), self.office
        expect_steady(office, at)
        found = self._paired_address(tokens)
        if found is None:
            raise Refusal("not-paired", "this browser may not open games for you: send this line by mail")
        if len(text) > LONGEST_LINES or not text.isprintable():
            raise _no_opening()
        address = registered(office, found)
        sender = formataddr((self._name(found), address))
        raw = statement(office, "", sender, office.settings.address, text, at, secrets.token_hex(16))
        self._expect_opening(address, raw, at)
        game = self._changed(raw, at, office.settings.address, address)
        table = office.desk.table(game)
        side = next(side for side in table.state.position.sides if small(table.address(side)) == found)
        seat = (office.page_address(table.state, side) or "").partition("#")[2]
        return {"done": f"Your game {game} has begun: you are {side}.", "game": game, "seat": seat}

    def _changed(self, raw: bytes, at: datetime, to: str, address: str) -> str:
        """Handle a submission as a letter; return the game that it changed."""
        stored = receive(self.office, raw, at, recipient=to, sender=address)
        attempt(self.office, stored, at)
        if not (games := self.office.desk.catalogue.games_changed_by(stored.digest, small(address))):
            raise Refusal("page-waits", "the desk has kept what you sent, and its answer comes by mail")
        return games[0]

    def _expect_opening(self, address: str, raw: bytes, at: datetime) -> None:
        """Refuse a text that opens no game with engines, or that the desk would refuse as a letter."""
        office = self.office
        reading = read_letter(raw, office.mailbox).reading(None)
        said = reading.commands[0].command if len(reading.commands) == 1 else None
        if reading.failed or reading.unknown or reading.questions or reading.stop or not isinstance(said, NewGame):
            raise _no_opening()
        if said.faults or said.rivals or len(said.engines) != len(game_named(said.game).sides) - 1:
            raise _no_opening()
        asker = Asker(address, "", is_seated(office, address), proven=True)
        if not may_open(office, asker, vouched=True):
            raise Refusal("not-allowed", say("not-allowed"))
        expect_engines_free(office, address, dict(zip("abcd", said.engines, strict=False)))
        if refusal := over_limit(office, asker, (), at):
            raise refusal

    def _name(self, address: str) -> str:
        """The player's name in one of their running games; empty if there is none."""
        tables = map(self.office.desk.table, self.office.desk.catalogue.games_of(address))
        seats = ((one, side) for one in tables for side in one.state.players if one.state.standing(side) != "invited")
        return next((table.state.players[side] for table, side in seats if small(table.address(side)) == address), "")

    def _paired_address(self, tokens: Sequence[str]) -> str | None:
        at = self.now()
        paired = (self.office.desk.people.pairing(self._digest(token), at) for token in tokens)
        found = {one.address for one in paired if one is not None}
        return found.pop() if len(found) == 1 else None

    def _judged(self, table: Table, seat: Seat, raw: bytes, at: datetime) -> str:
        """The effect that a letter would have, in a sentence; RefereeError if it would be refused."""
        letter = read_letter(raw, self.office.mailbox)
        reading = letter.reading(table.state.game)
        if reading.failed:
            raise reading.failed[0].error
        clear = not (reading.unknown or reading.questions or reading.stop)
        said = reading.commands[0] if len(reading.commands) == 1 and clear else None
        if said is None or not isinstance(said.command, _MADE):
            raise _no_move()
        act = acts.SignedAct(said.command, said.signature) if said.signature else said.command
        result = table.act(By(seat.side, seat.ply), [act], at, came=Came(letter.digest, write_time(at), None))
        (answer,) = result.answers
        if answer.refused:
            raise RefereeError(answer.code, answer.message, span=answer.span, suggestions=answer.suggestions)
        if not result.entries:
            raise Refusal("page-done", "the desk has this move already")
        return done_text(answer, result.state)

    def _seat(self, game: str, key: str) -> tuple[Table, Seat]:
        table = self.office.desk.table(game)
        seat = table.seat(key) if table.state.invitation is None else None
        if seat is None or not table.address(seat.side):
            raise Refusal("no-seat", "this link is of no seat in this game: open the one in your newest letter")
        return table, seat

    def _is_paired(self, table: Table, seat: Seat, token: str) -> bool:
        found = self.office.desk.people.pairing(self._digest(token), self.now())
        return found is not None and found.address == small(table.address(seat.side))

    def _note(
        self, kind: str, to: str, game: str | None, subject: str, told: tuple[Block, ...], name: str, at: datetime
    ) -> Outgoing:
        titled = phrase("subject.of-game", game=game, subject=subject) if game else subject
        note = Note(at, titled, (Section("", told),), Thread())
        identity = self.office.mailbox.notice_id(sha256(name.encode()).hexdigest())
        return Outgoing(identity, to, as_bytes(note), game, kind=f"{BROWSER}/{kind}")

    def _digest(self, secret: str) -> str:
        """The stored digest of a secret; a new key of the desk voids all of them."""
        return sha256(f"{self.office.desk.key.mark('browsers')}\n{secret}".encode(errors="replace")).hexdigest()


def _no_move() -> Refusal:
    return Refusal("page-line", "expected one move, and nothing else")


def _no_opening() -> Refusal:
    return Refusal("page-line", "expected one line that opens a game with engines, and nothing else")


def _expect_fresh(seat: Seat) -> None:
    if not seat.fresh:
        raise Refusal("page-key", "the position has changed: open the link of your newest letter")


def _ply(state: State, side: str) -> Mapping[str, object] | None:
    """The parts of a seal of this ply besides the move; None if no move is sealed in it."""
    if not state.simultaneous:
        return None
    opening, head = state.past
    ply = {"game": state.id, "opening": opening, "head": head, "number": state.ply}
    return {**ply, "side": side, "rules": state.protocol}
