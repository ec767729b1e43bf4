"""The answer to a letter: what became of each of its lines, and what it wanted to see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from hashlib import sha256
from itertools import islice

from referee.desk import Answer, Carried, State
from referee.desk.acts import Help, History, Legal
from referee.desk.store import Outgoing
from referee.mail.allowance import NOTE, Allowance, kind_of
from referee.mail.asking import Wish
from referee.mail.composing.answers import answered, asked_back, not_understood, refused
from referee.mail.composing.draft import Note, Report, Thread, as_bytes
from referee.mail.composing.moments import moment
from referee.mail.composing.sections import choices, help_lines, history, legal
from referee.mail.composing.text import fenced, items, shortened, wrapped
from referee.mail.desk import Desk
from referee.mail.intake import Failed, Letter, Reading, Verdict
from referee.mail.sender import NO_TOKEN, NOT_VOUCHED, OTHER_ADDRESS, Seating
from referee.mail.telling import drafted
from referee.notation import is_spoken_move, suggested
from referee.rules import game_named

_MOST_WEIGHED = 50
"""Lines in which a move in everyday words is looked for."""

_MOST_NAMED = 10
"""So many of a player's games are named in a note."""


@dataclass(frozen=True, slots=True)
class Written:
    """A letter as it was read."""

    letter: Letter
    reading: Reading
    verdict: Verdict

    @property
    def heard(self) -> bool:
        """Whether anything in it was meant for the desk."""
        return bool(self.reading.commands or self.reading.failed or self.reading.questions)

    def kind(self, seating: Seating) -> str:
        """The kind of the answer to it."""
        return kind_of(seating.doubt, None if self.heard else self._words)

    @property
    def _words(self) -> str:
        """A digest of the lines that were not understood: that of a program is the same every time."""
        lines = "\n".join(line.text.casefold() for line in self.reading.unknown)
        return sha256(lines.encode(errors="replace")).hexdigest()[:16]


def answer(
    desk: Desk,
    before: State,
    carried: Carried,
    seating: Seating,
    written: Written,
    wishes: Sequence[Wish],
    allowed: Allowance,
    at: datetime,
) -> Outgoing:
    """The one answer to a player's letter, to the address that is registered for the seat."""
    state, side = carried.state, seating.side
    last = [_last(seating, written, allowed, state.clock.zone)] if allowed.last else []
    report = Report(
        at,
        side,
        before.number,
        state.number,
        answers=(*_answers(before, carried, seating, written, wishes), *items(last)),
        asked=tuple(_asked(state, side, written.reading)),
        thread=Thread(written.letter.message_id, written.letter.digest),
    )
    return drafted(desk, state.id, seating.address, report, written.kind(seating))


def note_to_player(desk: Desk, letter: Letter, games: Sequence[str], allowed: Allowance, at: datetime) -> Outgoing:
    """A note to a player whose letter is from no seat of theirs: how to write to one of their games."""
    rules = {name: desk.store.rules(name) for name in games[:_MOST_NAMED]}
    named = [f"{name} ({game_named(game).title})" for name, game in rules.items() if game]
    more = [f"and {len(games) - _MOST_NAMED} more"] if len(games) > _MOST_NAMED else []
    lines = [
        *wrapped("Your letter names no game in which you have a seat, and nothing was done. Your games here are:"),
        *items([*named, *more]),
        *wrapped(
            "Please reply to the newest letter of the game that you mean. If you no longer have it, write to this "
            f"address with the game's id in the subject, such as [{games[0]}]: the answer can be replied to."
        ),
        *wrapped(f"This is the last note of this kind until {moment(allowed.until)}." if allowed.last else ""),
    ]
    note = Note(at, "Which game do you mean?", tuple(lines), Thread(letter.message_id, letter.digest))
    identity = desk.mailbox.notice_id(letter.digest)
    return Outgoing(identity, letter.senders[0].address, as_bytes(note), kind=NO_TOKEN)


def note_to_stranger(desk: Desk, letter: Letter, at: datetime) -> Outgoing:
    """A short note to somebody whose letter is about no game, or from no seat of it."""
    lines = wrapped(
        "Your letter reached a referee of correspondence games, but it belongs to no seat of a game here. If you "
        "play, reply to a letter of your game, from the address that it was sent to. Nothing was done; to further "
        "letters like this there is no answer today."
    )
    note = Note(at, "Your letter to the referee", tuple(lines), Thread(letter.message_id, letter.digest))
    identity = desk.mailbox.notice_id(letter.digest)
    return Outgoing(identity, letter.senders[0].address, as_bytes(note), kind=NOTE)


def _answers(
    before: State, carried: Carried, seating: Seating, written: Written, wishes: Sequence[Wish]
) -> Iterator[str]:
    """What became of the letter, line by line; of one that anybody could have written no line is shown."""
    reading = written.reading
    if written.letter.excess:
        yield from items([f"NOT read: {written.letter.excess}."])
    if seating.doubt:
        yield from items([_doubted(seating, written.reading)])
        return
    if seating.ply <= len(before.plies):
        yield from items(
            ["Your letter answers an older one of mine, whose key moves nothing any more. Please reply to this one."]
        )
    given = iter(carried.answers)
    for wish in wishes:
        yield from answered(wish.said, wish.refusal if wish.refusal is not None else next(given))
    for failed in reading.failed:
        yield from refused(failed.line.text, _failure(before, seating.side, failed))
    for question in reading.questions:
        yield from asked_back(question)
    yield from not_understood(
        [line.written.strip() for line in reading.unknown], _meant(before, seating.side, reading)
    )
    if not (written.heard or reading.unknown or written.letter.excess):
        yield from items(["There is nothing in your letter that I could do."])
    if reading.stop is not None and not written.heard:
        yield from items(["I read no further than this line, below which I expect a quotation or a signature:"])
        yield from fenced([f"    {shortened(reading.stop.written.strip())}"])


def _failure(state: State, side: str, failed: Failed) -> Answer:
    """The refusal of a line that is no move, with the legal moves nearest to it; for a seal there are none."""
    if state.closed or failed.line.text.casefold().startswith(("seal", "reveal")):
        return Answer.refusal(failed.error)
    near = suggested(state.game, failed.error.text, choices(state.position, side))
    return Answer.refusal(failed.error.with_suggestions(near))


def _meant(state: State, side: str, reading: Reading) -> tuple[str, ...]:
    """The legal moves nearest to the first line that is a move in everyday words, which is never carried out."""
    if state.closed:
        return ()
    lines = (line.text for line in islice(reading.unknown, _MOST_WEIGHED))
    said = next((text for text in lines if is_spoken_move(state.game, text)), None)
    return () if said is None else suggested(state.game, said, choices(state.position, side))


def _last(seating: Seating, written: Written, allowed: Allowance, zone: tzinfo) -> str:
    """That no more answers of this kind follow for a while, and which letters are answered all the same."""
    until = moment(allowed.until.astimezone(zone))
    if seating.doubt in (OTHER_ADDRESS, NOT_VOUCHED):
        return f"This is the last warning of this kind until {until}."
    if allowed.alike:
        return f"This is the last answer to letters that say just this until {until}; to any other there is one."
    if seating.doubt:
        return (
            f"This is the last answer to letters without the key of your seat until {until}. A reply to this letter "
            "has the key, and is answered."
        )
    if written.heard:
        return (
            f"This is the last answer until {until}, except to letters that move, resign or claim. Until then no "
            "messages and no draw offers are passed on."
        )
    return f"This is the last answer to letters that I do not understand until {until}."


def _doubted(seating: Seating, reading: Reading) -> str:
    if seating.doubt == NO_TOKEN and reading.commands and not (reading.acting or reading.failed or reading.question):
        return (
            "Here is what you asked for. Your letter did not come to the secret address of your seat, so no line of "
            f"it could do more than that. Please reply to this letter to do anything else. ({NO_TOKEN})"
        )
    why = {
        NO_TOKEN: (
            "NOT done: your letter did not come to the secret address of your seat, so anybody could have "
            "written it. Please reply to this letter; then it counts."
        ),
        OTHER_ADDRESS: (
            "NOT done: a letter with the key of your seat came from another address than this one, which is the "
            "one that is registered. If it was yours, please send it again from here; if not, somebody was "
            "shown a letter of yours."
        ),
        NOT_VOUCHED: (
            "NOT done: the mail server does not vouch for the sender of your letter (DMARC), which this desk "
            "requires. Please send it through your provider's own server."
        ),
    }
    return f"{why[seating.doubt]} ({seating.doubt})"


def _asked(state: State, side: str, reading: Reading) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the letter wanted to see beyond the board and the clocks, which are in every letter."""
    for said in reading.commands:
        match said.command:
            case History():
                yield "The moves so far", tuple(history(state))
            case Legal(prefix=prefix):
                yield "Your legal moves", tuple(legal(state, side, prefix))
            case Help():
                yield "What you can write, each on a line of its own", tuple(help_lines(state))
