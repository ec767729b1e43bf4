"""The register of a desk's letters in and out, with their states; and the text of one letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache, partial
from hashlib import sha256
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING

from referee.desk import Desk, Played
from referee.desk.log.events import Reopened
from referee.desk.records import DealtWith, Posted
from referee.errors import RefereeError, Refusal, shown
from referee.mail.addresses import small
from referee.mail.office import ABOUT_NO_GAME, Office

if TYPE_CHECKING:
    from referee.mail.intake.letter import Letter

SHORT = 12
"""Digits of a digest that name a letter in lists."""

_ARRANGED = re.compile(r"(?:(?P<opened>opened)|(?P<side>[a-z0-9]+) of) (?P<game>[a-z0-9-]+)")
"""The note of a letter that opened a game, or took a seat."""

_BREAK = r"(?:=?\r?\n[> ]*)?"
"""A line break as mail programs put it even within a word."""

_KEYS = (
    (rf"((?:\+|%2b)[a-z0-9-]{{1,60}})\.(?:{_BREAK}[a-z0-9.-]){{8,80}}{_BREAK}(@|%40)", r"\1.…\2"),
    (rf"((?:/|%2f)g(?:/|%2f)[a-z0-9-]{{1,32}}(?:#|%23)[a-z0-9-]{{1,60}}-)(?:{_BREAK}[a-z2-7]){{16}}", r"\1…"),
    (rf"((?:/|%2f)calendar(?:/|%2f))(?:{_BREAK}[a-z2-7]){{24}}(\.ics)", r"\1…\2"),
    (r"(\bCode: )\d{4} \d{4}\b", r"\1…"),
)
"""The keys of seats and of calendars and the codes for browsers, and the text shown for them."""


@dataclass(frozen=True, slots=True)
class RegisteredLetter:
    """A line of the register; `digest` names the letter, and `who` is the other side's seat or address.

    A letter in has the SHA-256 of its bytes as its digest, a letter out that of its message id.
    """

    at: datetime
    incoming: bool
    game: str
    who: str
    verdict: str
    digest: str


def letters(office: Office, game: str | None = None, most: int | None = None) -> list[RegisteredLetter]:
    """The letters of a desk or of one game, the oldest first; no more than `most` of the newest.

    An old letter whose file is missing says so; because its game is unknown, it is among those of each. RefereeError
    `unknown-game`.
    """
    if game is not None:
        office.desk.state(game)
    came = _arrivals(office, game)
    seats = cache(partial(_seats, office))
    went = (_posted(one, seats) for one in office.desk.outbox.history(game, most))
    newest = merge(came, went, key=lambda one: one.at, reverse=True)
    return [*islice(newest, most)][::-1]


def letter_text(office: Office, digest: str, *, unseal: bool = False) -> tuple[RegisteredLetter, str]:
    """A letter's line in the register, and its header and text.

    RefereeError `unknown-letter` unless exactly one letter has this digest; `sealed-letter` if it may have a move
    that is still sealed, unless `unseal` is true.
    """
    name = small(digest)
    came = [*islice(office.desk.inbox.history(name), 2)] if re.fullmatch("[0-9a-f]+", name) else []
    went = [one for one in office.desk.outbox.ids() if name and _digest(one).startswith(name)]
    if len(came) + len(went) != 1:
        many = f"more than one letter begins with {shown(digest)}" if came or went else f"no letter {shown(digest)}"
        raise Refusal("unknown-letter", f"{many}; 'referee desk letters' lists them")
    if came:
        from referee.mail.intake.letter import read_letter

        whole = office.desk.inbox.letter(came[0].letter.digest)
        assert whole is not None
        letter = read_letter(whole.raw, office.mailbox)
        line, text = _arrival(office, came[0], letter), _text_of(letter)
        mine = (game for one in letter.senders for game in office.desk.catalogue.games_of(small(one.address)))
        games = [*mine, *filter(office.desk.catalogue.rules, letter.games)]  # it may be about any of these
    else:
        from referee.mail.letters.render import render  # draws boards

        posted = office.desk.outbox.letter(went[0])
        line = _posted(posted, partial(_seats, office))
        # News says only what everybody may know; an answer may repeat what was sealed.
        games = [posted.letter.game] if posted.letter.game and posted.letter.kind != "news" else []
        text = _text_out(render(office, posted.letter, page=False))
    if not unseal:
        _expect_open(office.desk, games, line.at)
    for key, shown_of_it in _KEYS:
        text = re.sub(key, shown_of_it, text, flags=re.IGNORECASE)
    return line, text


def _arrivals(office: Office, game: str | None) -> Iterator[RegisteredLetter]:
    from referee.mail.intake.letter import read_letter

    for one in office.desk.inbox.history():
        line = _arrival(office, one, read_letter(one.letter.raw, office.mailbox))
        if game in (None, line.game) or (one.fault and not line.game):
            yield replace(line, verdict=f"{line.verdict}; {one.fault}") if one.fault else line


def _arrival(office: Office, one: DealtWith, letter: Letter) -> RegisteredLetter:
    """The line of a letter in. The note of one that was handled begins with the seat, or with the kind."""
    sender = letter.senders[0].address if letter.senders else ""
    if one.done is not None and (arranged := _ARRANGED.fullmatch(one.note)):
        game, verdict = arranged["game"], "opened" if arranged["opened"] else "joined"
        seats = {small(address): side for address, side in _seats(office, game).items()}
        who = arranged["side"] or seats.get(small(sender), sender)
        return RegisteredLetter(one.letter.received, True, game, who, verdict, one.letter.digest)
    named = office.desk.game_of(letter.games, small(sender))
    game = named if named and one.note != ABOUT_NO_GAME else ""
    side, _, rest = one.note.partition(": ")
    seated = bool(office.desk.catalogue.playable([game] if game else [])) and side in office.desk.state(game).players
    if one.done is None:
        verdict = f"waits{_after(one.note)}" if one.waits else f"set aside{_after(one.note)}"
    else:
        verdict = rest if seated else one.note
    who = side if seated else sender or "nobody"
    return RegisteredLetter(one.letter.received, True, game, who, verdict, one.letter.digest)


def _posted(one: Posted, seats: Callable[[str], Mapping[str, str]]) -> RegisteredLetter:
    """The line of a letter out; `seats` are the sides of a game by their addresses."""
    letter = one.letter
    who = seats(letter.game).get(letter.recipient, letter.recipient) if letter.game else letter.recipient
    kind = letter.kind.partition("/")[0]
    if one.sent is None:
        verdict = f"{kind}, to be sent{_after(one.note)}" if one.waits else f"{kind}, given up{_after(one.note)}"
    else:
        verdict = f"{kind}, came back: {one.returned}" if one.returned else f"{kind}, sent"
    return RegisteredLetter(one.queued, False, letter.game or "", who, verdict, _digest(letter.id))


def _after(note: str) -> str:
    return f": {note}" if note else ""


def _seats(office: Office, game: str) -> Mapping[str, str]:
    if not office.desk.catalogue.playable([game]):
        return {}
    table = office.desk.table(game)
    return {table.address(side): side for side in table.state.players}


def _digest(identity: str) -> str:
    return sha256(identity.encode()).hexdigest()


def _expect_open(desk: Desk, games: Iterable[str], at: datetime) -> None:
    """Refuse a letter of the ply that is being played, where moves are made at once."""
    for game in games:
        state, log = desk.state(game), desk.log(game)
        began = max((one.at for one in log if isinstance(one.event, Played | Reopened)), default=log[0].at)
        if state.outcome is None and state.simultaneous and at >= began:
            message = f"this letter may hold a move of {game} that is sealed still"
            raise RefereeError("sealed-letter", f"{message}; it can be read once the round is over, or with --unseal")


def _text_of(letter: Letter) -> str:
    fields = {
        "From": ", ".join(str(one.address) for one in letter.senders),
        "To": letter.headers.text("to"),
        "Date": letter.headers.text("date"),
        "Subject": letter.subject,
        "Parts": ", ".join(letter.body.types) if letter.body.types != ("text/plain",) else "",
        "Not read": letter.excess,
    }
    return _page(fields, letter.body.text or letter.body.attached)


def _text_out(raw: bytes) -> str:
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    fields = {name: str(message[name] or "") for name in ("From", "To", "Reply-To", "Date", "Subject")}
    return _page(fields, body.get_content() if body is not None else "")


def _page(fields: dict[str, str], text: str) -> str:
    lines = [f"{name}: {' '.join(value.split())}" for name, value in fields.items() if value]
    return "\n".join([*lines, "", *text.splitlines()]) + "\n"
