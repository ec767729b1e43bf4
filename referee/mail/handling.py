"""What the desk does with a letter: it is stored before it is read, then dealt with in one transaction."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache

from referee.desk import State, carried_out
from referee.desk.requests import Decline, Message, Offer
from referee.desk.store import Change, Held, Outgoing, StoreError
from referee.desk.store import Letter as Stored
from referee.mail.allowance import allowance, may_note
from referee.mail.answering import Written, answer, note_to_player, note_to_stranger
from referee.mail.asking import Wish, wish
from referee.mail.composing.letter import turn
from referee.mail.desk import Desk
from referee.mail.intake import LIMITS, Letter, Reading, Tag, Verdict, classify, read
from referee.mail.intake.addresses import RETURNED, small
from referee.mail.log import LOG, reason
from referee.mail.reachable import is_reachable
from referee.mail.sender import NO_TOKEN, Seating, seated
from referee.mail.telling import tell

ATTEMPTS = 5
"""Attempts at a letter whose handling fails by our own fault, or ends the process; then it is set aside."""

OLDEST = timedelta(days=5)
"""So long a letter may have waited at the mail server before the desk had it, for its Received line to count."""

MOST_COMMANDS, MOST_FAILED = 20, 3
"""So many commands of a letter are carried out, and so many lines that are none explained: both may take long."""

KEPT = 64_000
"""Bytes of a letter that are kept of a sender who has filled the store enough for a day: any honest move fits in."""

_ENVELOPE = re.compile(rb"(?:(?:return-path|delivered-to|x-original-to):[^\n]*\n)*", re.IGNORECASE)
"""What mail servers write before a letter, each copy of it with its own."""

_DAY = timedelta(days=1)

Talk = Message | Offer | Decline
"""Requests of which there can be any number; of a player who has had all answers of an hour they are not heard."""


def take_in(
    desk: Desk, raw: bytes, at: datetime, *, recipient: str | None = None, sender: str | None = None
) -> Stored:
    """Store a letter, with its envelope before it as mail servers write it; then it can be acknowledged.

    Of a letter that is larger than what is read, or whose sender has sent too much in a day, only the beginning is
    kept: it will be refused for its size.
    """
    lines = [
        f"{name}: <{_plain(address)}>\r\n".encode("utf-8", "surrogateescape")
        for name, address in (("Return-Path", sender), ("Delivered-To", recipient))
        if address is not None
    ]
    written = _ENVELOPE.match(raw, 0, KEPT)
    assert written is not None
    envelope, raw = b"".join([*lines, written[0]]), raw[written.end() : written.end() + LIMITS.size + 1]
    account = _account(sender, envelope)
    if len(raw) > KEPT and account is not None and _full(desk, account, len(raw), at):
        account = _seat(desk, envelope) or account  # anybody can write in a player's name, but not to their seat
    cut = len(raw) > KEPT and account is not None and _full(desk, account, len(raw), at)
    raw = raw[:KEPT] if cut else raw
    stored, _ = desk.store.receive(raw, at, envelope=envelope, account=account, cut=cut)
    return stored


def _account(sender: str | None, envelope: bytes) -> str | None:
    """Who is charged for a letter's bytes: the envelope's sender, `<>` for reports; None if nobody can be told."""
    if sender is None:
        found = re.match(rb"return-path:\s*<([^<>\s]{0,320})>", envelope, re.IGNORECASE)
        if found is None:
            return None
        sender = found[1].decode(errors="replace")
    return small(_plain(sender)) or "<>"


def _seat(desk: Desk, envelope: bytes) -> str | None:
    """The seat whose key the topmost recipient of an envelope has, as the name of an account."""
    found = re.search(rb"^delivered-to:\s*<?([^<>\s]{1,320})", envelope, re.IGNORECASE | re.MULTILINE)
    tag = desk.mailbox.tag(found[1].decode(errors="replace")) if found else None
    state = desk.store.held(tag.game).state if tag and tag.key else None
    if tag is None or state is None:
        return None
    seat = desk.store.key.seat(state.id, state.holders, turn(state), tag.key)
    return f"{state.id}/{seat.side}" if seat else None


def _full(desk: Desk, account: str, size: int, at: datetime) -> bool:
    """Whether a sender's letters of a day would be too much with one more of this size."""
    return desk.store.charged(account, at - _DAY) + size > desk.settings.megabytes_a_day * 1_000_000


def work_off(desk: Desk, at: datetime) -> int:
    """Deal with every letter that waits; one that fails by our fault is tried again later, and then set aside."""
    dealt = 0
    while waiting := desk.store.waiting(at):
        for stored in waiting:
            _attempt(desk, stored, at)
            dealt += 1
    return dealt


def _attempt(desk: Desk, stored: Stored, at: datetime) -> None:
    """Deal with a letter; the attempt counts before it is made, as the letter may end this process."""
    number = desk.store.begin(stored)
    if not number:
        return
    if number > ATTEMPTS:
        LOG.error("letter %s: it ended the process that dealt with it; no attempts left", stored.digest[:12])
        desk.store.postpone(stored, None, "it ended the process that dealt with it, again and again")
        return
    try:
        handle(desk, stored, at)
    except StoreError:  # no letter is to blame for that: they wait, and lose no attempt
        desk.store.spare(stored)
        raise
    except Exception as error:  # a letter that cannot be dealt with must not stop the others
        _postpone(desk, stored, number, at, error)


def handle(desk: Desk, stored: Stored, at: datetime) -> None:
    """Read a letter, and store what it does together with the answers to it.

    Its commands are read once it is known whose letter it is: of a stranger's letter none is.
    """
    letter = read(stored.raw, desk.mailbox)
    if stored.cut:
        letter = replace(letter, excess=f"you have sent more than {desk.settings.megabytes_a_day} MB in a day")
    verdict = classify(letter, desk.mailbox)
    came = _came(desk, letter, stored)
    name = _game_of(desk, letter) if verdict.treatment.read or verdict.treatment.answered else None
    if name is None:
        _file(desk, letter, stored, verdict, at)
        return

    @cache
    def written(game: str) -> Written:
        reading = _bounded(letter.reading(game)) if verdict.treatment.read else Reading()
        return Written(letter, reading, verdict)

    def work(held: Held) -> Change:
        assert held.state is not None
        require = desk.settings.trust.require == "dmarc"
        seating = seated(letter, held.state, held.secrets, desk.store.key, require_vouched=require)
        if seating is None:
            letters = _noted(desk, letter, at, answered=verdict.answered(commands=False))
            return Change(letters=letters, note=f"{verdict.kind.value}: nobody's of {held.state.id}")
        return _change(desk, held, written(held.state.game), seating, came)

    desk.store.handle(stored, name, at, work)


def _change(desk: Desk, held: Held, written: Written, seating: Seating, at: datetime) -> Change:
    """What a player's letter does, and the letters that tell of it."""
    state = held.state
    assert state is not None
    answered = written.verdict.answered(commands=bool(written.reading.commands))
    wishes = _wishes(written.reading, state, seating, at) if not seating.doubt else []
    allowed = allowance(desk, seating.address, written.kind(seating), at)
    if allowed.left <= 0:
        wishes = [one for one in wishes if not isinstance(one.request, Talk)]
    requests = [one.request for one in wishes if one.request is not None]
    carried = carried_out(state, requests, at, held.secrets, desk.store.key.draw)
    secrets = {**held.secrets, **carried.secrets}
    if answered and seating.address and (carried.entries or allowed.left > 0):
        letters = [*tell(desk, state, carried, secrets, at, but=seating.side)]
        letters.append(answer(desk, state, carried, seating, written, wishes, allowed, at))
    else:
        letters = [*tell(desk, state, carried, secrets, at)]
    done = ", ".join(one.code for one in carried.answers) or seating.doubt or "nothing asked"
    return Change(carried.entries, carried.secrets, tuple(letters), f"{seating.side}: {done}")


def _bounded(reading: Reading) -> Reading:
    """With no more commands, and lines that fail to be one, than are dealt with; the others are listed back."""
    over = [said.line for said in reading.commands[MOST_COMMANDS:]]
    over += [failed.line for failed in reading.failed[MOST_FAILED:]]
    return replace(
        reading,
        commands=reading.commands[:MOST_COMMANDS],
        failed=reading.failed[:MOST_FAILED],
        unknown=(*reading.unknown, *over),
    )


def _wishes(reading: Reading, state: State, seating: Seating, at: datetime) -> list[Wish]:
    asked = (wish(said, state, seating.side, seating.ply, at) for said in reading.binding)
    return [one for one in asked if one is not None]


def _came(desk: Desk, letter: Letter, stored: Stored) -> datetime:
    """When the server had the letter: by the desk's clock, or by the Received line of the server it believes."""
    if desk.settings.trust.received_by is None or letter.received is None:
        return stored.received
    plausible = stored.received - OLDEST <= letter.received <= stored.received
    return letter.received if plausible else stored.received


def _game_of(desk: Desk, letter: Letter) -> str | None:
    """The first of the games that the letter names and that there is; or else the only one of its sender."""
    for found in letter.games:
        if desk.store.rules(found.game) is not None:
            return found.game
    games = desk.store.games_of(small(letter.senders[0].address)) if len(letter.senders) == 1 else []
    return games[0] if len(games) == 1 else None


def _file(desk: Desk, letter: Letter, stored: Stored, verdict: Verdict, at: datetime) -> None:
    """Deal with a letter that is about no game, or that nobody is to answer."""
    answered = verdict.answered(commands=False)
    letters = _noted(desk, letter, at, answered=answered)
    note = f"{verdict.kind.value}: {verdict.reason or 'about no game'}{_about(letter.tag)}"
    desk.store.handle(stored, None, at, lambda _: Change(letters=letters, note=note))


def _about(tag: Tag | None) -> str:
    """The game that a letter came to, and the seat that a letter came back for; no seat's key is told."""
    if tag is None:
        return ""
    return f" ({tag.game}{', to ' + tag.key.removeprefix(RETURNED) if tag.key.startswith(RETURNED) else ''})"


def _noted(desk: Desk, letter: Letter, at: datetime, *, answered: bool) -> tuple[Outgoing, ...]:
    """A note to somebody whose letter is from no seat: to a player which games there are, to a stranger one a day."""
    if not answered or not letter.senders or not is_reachable(letter.senders[0].address):
        return ()
    address = letter.senders[0].address
    if len(letter.senders) == 1 and (games := desk.store.games_of(small(address))):
        allowed = allowance(desk, address, NO_TOKEN, at)
        return (note_to_player(desk, letter, games, allowed, at),) if allowed.left > 0 else ()
    return (note_to_stranger(desk, letter, at),) if may_note(desk, address, at) else ()


def _postpone(desk: Desk, stored: Stored, number: int, at: datetime, error: Exception) -> None:
    """Try a letter again later, or set it aside after the last attempt; what it says is in no log."""
    left = ATTEMPTS - number
    LOG.error("letter %s: %s; %d attempts left", stored.digest[:12], reason(error), left)
    desk.store.postpone(stored, at + timedelta(minutes=2 ** (number - 1)) if left > 0 else None, reason(error))


def _plain(address: str) -> str:
    return "".join(char for char in address.strip().strip("<>") if char.isprintable() and char not in "<>")
