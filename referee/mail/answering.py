"""The answer to a letter: what became of each of its lines, and what it wanted to see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from referee.desk import Answer, Carried, State
from referee.desk.store import Outgoing
from referee.mail.asking import Wish
from referee.mail.composing.answers import answered, asked_back, not_understood, refused
from referee.mail.composing.draft import Note, Report, Thread, as_bytes
from referee.mail.composing.sections import help_lines, history, legal
from referee.mail.composing.text import items, wrapped
from referee.mail.desk import Desk
from referee.mail.intake import Failed, Letter, Reading, Verdict
from referee.mail.intake.commands import Help, History, Legal
from referee.mail.seating import NO_TOKEN, NOT_VOUCHED, OTHER_ADDRESS, Seating
from referee.mail.telling import drafted
from referee.notation import is_spoken_move, suggested

_MOST_WEIGHED = 50
"""Lines in which a move in everyday words is looked for."""

UNASKED = "unasked"
"""The kind of answers to letters in which nothing was understood, or which somebody else may have written."""


@dataclass(frozen=True, slots=True)
class Written:
    """A letter as it was read."""

    letter: Letter
    reading: Reading
    verdict: Verdict

    def asks(self, seating: Seating) -> bool:
        """Whether anything in it was meant for the desk, and by somebody who can ask for it."""
        return self.heard and not seating.doubt

    @property
    def heard(self) -> bool:
        """Whether anything in it was meant for the desk."""
        return bool(self.reading.commands or self.reading.failed or self.reading.question)


def answer(
    desk: Desk,
    before: State,
    carried: Carried,
    seating: Seating,
    written: Written,
    wishes: Sequence[Wish],
    at: datetime,
) -> Outgoing:
    """The one answer to a player's letter, to the address that is registered for the seat."""
    state, side = carried.state, seating.side
    report = Report(
        at,
        side,
        before.number,
        state.number,
        answers=tuple(_answers(before, carried, seating, written, wishes)),
        asked=tuple(_asked(state, side, written.reading)),
        thread=Thread(written.letter.message_id, written.letter.digest),
    )
    return drafted(desk, state.id, seating.address, report, "answer" if written.asks(seating) else UNASKED)


def note_to_stranger(desk: Desk, letter: Letter, at: datetime) -> Outgoing:
    """A short note to somebody whose letter is about no game, or from no seat of it."""
    lines = wrapped(
        "Your letter reached a referee of correspondence games, but it belongs to no seat of a game here. If you "
        "play, reply to a letter of your game, from the address that it was sent to. Nothing was done; to further "
        "letters like this there is no answer today."
    )
    note = Note(at, "Your letter to the referee", tuple(lines), Thread(letter.message_id, letter.digest))
    identity = desk.mailbox.notice_id(letter.digest)
    return Outgoing(identity, letter.senders[0].address, as_bytes(note), kind=UNASKED)


def _answers(
    before: State, carried: Carried, seating: Seating, written: Written, wishes: Sequence[Wish]
) -> Iterator[str]:
    """What became of the letter, line by line; of one that anybody could have written no line is shown."""
    reading = written.reading
    if written.letter.excess:
        yield from items([f"NOT read: {written.letter.excess}."])
    if seating.doubt:
        yield from items([_doubted(seating)])
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
    if reading.question is not None:
        yield from asked_back(reading.question)
    yield from not_understood(
        [line.written.strip() for line in reading.unknown], _meant(before, seating.side, reading)
    )
    if not (written.heard or reading.unknown or written.letter.excess):
        yield from items(["There is nothing in your letter that I could do."])


def _failure(state: State, side: str, failed: Failed) -> Answer:
    """The refusal of a line that is no move, with the legal moves nearest to it; of a seal there are none."""
    if failed.line.text.casefold().startswith(("seal", "reveal")):
        return Answer.refusal(failed.error)
    moves = state.position.legal_moves(side)
    return Answer.refusal(failed.error.with_suggestions(suggested(state.game, failed.error.text, moves)))


def _meant(state: State, side: str, reading: Reading) -> tuple[str, ...]:
    """The legal moves nearest to the first line that is a move in everyday words, which is never carried out."""
    lines = (line.text for line in islice(reading.unknown, _MOST_WEIGHED))
    said = next((text for text in lines if is_spoken_move(state.game, text)), None)
    return () if said is None else suggested(state.game, said, state.position.legal_moves(side))


def _doubted(seating: Seating) -> str:
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
