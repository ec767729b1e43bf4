"""The reception of a desk: letters that are about no game, or from nobody in it.

A player gets the list of their games, with an address for each; somebody else gets a short note.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from referee.desk import acts
from referee.desk.records import Change, Incoming, Outgoing
from referee.mail.allowance import NOTE, Allowance, allowance, may_note
from referee.mail.intake import Classification, Letter, Reading, Tag
from referee.mail.intake.addresses import RETURNED, is_reachable
from referee.mail.letters.agenda import Listing, agenda_lines, listings
from referee.mail.letters.draft import Note, Thread, as_bytes
from referee.mail.letters.questions import taught
from referee.mail.letters.text import moment, silent, wrap
from referee.mail.office import Office
from referee.mail.sender import NO_TOKEN

_MOST_ASKED = 5
"""Maximum commands of a letter whose answers it gets."""


def attend(office: Office, letter: Letter, stored: Incoming, verdict: Classification, at: datetime) -> None:
    """Deal with a letter that is about no game, or that must not be answered."""
    letters = notes(office, letter, verdict, at)
    note = f"{verdict.kind.value}: {verdict.reason or 'about no game'}{_about(letter.tag)}"
    office.store.handle(stored, None, at, lambda _: Change(letters=letters, note=note))


def notes(office: Office, letter: Letter, verdict: Classification, at: datetime) -> tuple[Outgoing, ...]:
    """The answer to a letter from no seat: a player gets a list of their games, a stranger one note a day."""
    if not verdict.answers(commands=False) or not letter.senders or not is_reachable(letter.senders[0].address):
        return ()
    address = letter.senders[0].address
    if len(letter.senders) == 1 and (listed := listings(office, address, at)):
        allowed = allowance(office, address, NO_TOKEN, at)
        reading = letter.reading(None) if verdict.treatment.reads else Reading()
        return (_to_player(office, letter, reading, listed, allowed, at),) if allowed.left > 0 else ()
    return (_to_stranger(office, letter, at),) if may_note(office, address, at) else ()


def _to_player(
    office: Office, letter: Letter, reading: Reading, listed: list[Listing], allowed: Allowance, at: datetime
) -> Outgoing:
    """What a player asked to see, and the list of their games, to the registered address whoever wrote the letter."""
    asked = [one for said in reading.commands[:_MOST_ASKED] for one in taught(said.command)]
    lines = [
        *wrap(_outcome(reading)),
        "",
        *agenda_lines(office, listed, at),
        "",
        *wrap(
            "To move in one of them, write to the address below it, or reply to the newest letter of that game. "
            "These addresses are for you alone, and change with every ply."
        ),
        *wrap(f"This is the last note of this kind until {moment(allowed.until)}." if allowed.last else ""),
        *(line for heading, said in asked for line in ("", heading, "-" * len(heading), *said)),
    ]
    for game in {one.state.game for one in listed}:
        lines = [*silent(lines, game)]
    return _note(office, letter, listed[0].address, at, "Your games", lines, NO_TOKEN)


def _outcome(reading: Reading) -> str:
    """What came of a letter that names no game: it can show something, and nothing else."""
    shown = [isinstance(said.command, acts.Games | acts.Rules | acts.HowToWrite) for said in reading.commands]
    if shown and all(shown) and not (reading.failed or reading.unknown or reading.questions):
        return "Here is what you asked for. Your games here are:"
    return "Your letter names none of your games, so nothing was done. Your games here are:"


def _to_stranger(office: Office, letter: Letter, at: datetime) -> Outgoing:
    """A short note to somebody whose letter is about no game, or from no seat of it."""
    lines = wrap(
        "Your letter reached a referee of correspondence games, but it does not come from a player of a game here. "
        "If you do play here, please reply to a letter of your game, from the address that it was sent to. Nothing "
        "was done. There are no more answers to letters like this today."
    )
    return _note(office, letter, letter.senders[0].address, at, "Your letter to the referee", lines, NOTE)


def _note(
    office: Office, letter: Letter, address: str, at: datetime, subject: str, lines: Iterable[str], kind: str
) -> Outgoing:
    note = Note(at, subject, tuple(lines), Thread(letter.message_id, letter.digest))
    return Outgoing(office.mailbox.notice_id(letter.digest), address, as_bytes(note), kind=kind)


def _about(tag: Tag | None) -> str:
    """The game that a letter came to, and the seat of an undeliverable one; it shows no seat's key."""
    if tag is None:
        return ""
    return f" ({tag.game}{', to ' + tag.key.removeprefix(RETURNED) if tag.key.startswith(RETURNED) else ''})"
