"""The reply to a letter: what became of each of its lines, in words, and what it asked to see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from hashlib import sha256
from itertools import islice

from referee.desk import Answer, Progress, State
from referee.desk.acts import Help, History, Legal, Try
from referee.desk.records import Outgoing
from referee.errors import pointed
from referee.mail.allowance import Allowance, answer_kind
from referee.mail.intake import Classification, CommandLine, FailedLine, Letter, Question, Reading
from referee.mail.letters.agenda import agenda_lines, listings
from referee.mail.letters.draft import LetterContent, Thread
from referee.mail.letters.questions import sections
from referee.mail.letters.sections import choices, help_lines, history, legal_section
from referee.mail.letters.text import break_lines, fence, items, moment, quote, shorten, wrap
from referee.mail.notifications import report_letter
from referee.mail.office import Office
from referee.mail.sender import NO_TOKEN, NOT_VOUCHED, OTHER_ADDRESS, Sender
from referee.notation import is_spoken_move, suggested

_MOST_WEIGHED = 50
"""Maximum lines searched for a move in everyday words."""

_MOST_SHOWN = 10
"""Maximum lines listed that were not understood."""

_DONE = {
    "moved": "Your move was read as [{move}] and is accepted.",
    "sealed": (
        "Your sealed move is in and binds you. Keep the move and its nonce to yourself: once every move is in, you "
        "are asked to reveal them. Commitment: {commitment}"
    ),
    "revealed": "You have revealed [{move}], and it is what you sealed.",
    "resigned": "You have resigned.",
    "claimed": "You have claimed: {what}.",
    "offered": "You offer a draw. The offer stands until another side has moved.",
    "accepted": "You agree to a draw.",
    "declined": "You decline the draw.",
    "message": "Your message has been passed on.",
    "vacation": "You are on vacation from {first} to {last}, both days included.",
}
"""What came of an act, by the code of its answer."""

_KEPT_SECRET = (
    " It is sealed: nobody else sees it until every move of this round is in, and it cannot be changed. "
    "Commitment: {commitment}"
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A letter as it was read, and who it is from."""

    letter: Letter
    reading: Reading
    verdict: Classification
    sender: Sender

    @property
    def heard(self) -> bool:
        """Whether anything in it was meant for the desk."""
        return bool(self.reading.commands or self.reading.failed or self.reading.questions)

    @property
    def kind(self) -> str:
        """The kind of the answer to it."""
        return answer_kind(self.sender.doubt, None if self.heard else self._words)

    @property
    def _words(self) -> str:
        """A digest of the lines that were not understood: a program sends the same ones every time."""
        lines = "\n".join(line.text.casefold() for line in self.reading.unknown)
        return sha256(lines.encode(errors="replace")).hexdigest()[:16]


def reply(
    office: Office, arrival: Arrival, result: Progress, said: Sequence[CommandLine], allowed: Allowance, at: datetime
) -> Outgoing:
    """The one answer to a player's letter, to the registered address of the seat.

    `said` are the lines that `result.answers` answer.
    """
    state, sender = result.state, arrival.sender
    assert result.before is not None
    last = [_last(arrival, allowed, state.clock.zone)] if allowed.last else []
    content = LetterContent(
        at,
        sender.side,
        result.before.number,
        state.number,
        answers=(*_answers(result.before, arrival, zip(said, result.answers, strict=True)), *items(last)),
        asked=(*_shows(state, sender.side, arrival.reading), *_questions(office, state, sender, arrival.reading, at)),
        thread=Thread(arrival.letter.message_id, arrival.letter.digest),
    )
    return report_letter(office, state.id, sender.address, content, arrival.kind)


def _answers(before: State, arrival: Arrival, given: Iterable[tuple[CommandLine, Answer]]) -> Iterator[str]:
    """What became of the letter, line by line; if anybody could have written it, no line is shown."""
    letter, reading, sender = arrival.letter, arrival.reading, arrival.sender
    if letter.excess:
        yield from items([f"NOT read: {letter.excess}."])
    if sender.doubt:
        yield from items([_doubt_text(sender, reading)])
        return
    if sender.ply <= len(before.plies):
        yield from items(
            ["Your letter answers an older one of mine, whose key moves nothing now. Please reply to this one."]
        )
    for said, answer in given:
        yield from _answer_lines(said, answer)
    if any(isinstance(said.command, Try) for said in reading.commands):
        yield from items(["NOT made: what you tried changes nothing, and nobody else sees it. It is shown below."])
    for failed in reading.failed:
        yield from _refusal_lines(failed.line.text, _failure(before, sender.side, failed))
    for question in reading.questions:
        yield from _question_lines(question)
    yield from _unknown_lines([line.raw.strip() for line in reading.unknown], _meaning(before, sender.side, reading))
    if not (arrival.heard or reading.unknown or letter.excess):
        yield from items(["I found nothing to do in your letter."])
    if reading.stop is not None and not arrival.heard:
        yield from items(["I stopped reading at this line, which seems to begin a quotation or a signature:"])
        yield from fence([f"    {shorten(reading.stop.raw.strip())}"])


def _failure(state: State, side: str, failed: FailedLine) -> Answer:
    """The refusal of a line that is not a move, with the nearest legal moves; for a seal there are none."""
    if state.closed or failed.line.text.casefold().startswith(("seal", "reveal")):
        return Answer.refusal(failed.error)
    near = suggested(state.game, failed.error.text, choices(state.position, side))
    return Answer.refusal(failed.error.with_suggestions(near))


def _meaning(state: State, side: str, reading: Reading) -> tuple[str, ...]:
    """The legal moves nearest to the first line that is a move in everyday words, which is never carried out."""
    if state.closed:
        return ()
    lines = (line.text for line in islice(reading.unknown, _MOST_WEIGHED))
    said = next((text for text in lines if is_spoken_move(state.game, text)), None)
    return () if said is None else suggested(state.game, said, choices(state.position, side))


def _last(arrival: Arrival, allowed: Allowance, zone: tzinfo) -> str:
    """Says that no more answers of this kind follow for a while, and which letters still get one."""
    until = moment(allowed.until.astimezone(zone))
    if arrival.sender.doubt in (OTHER_ADDRESS, NOT_VOUCHED):
        return f"This is the last warning of this kind until {until}."
    if allowed.alike:
        return f"This is the last answer to letters that say just this until {until}; I still answer any other."
    if arrival.sender.doubt:
        return (
            f"This is the last answer to letters without the key of your seat until {until}. A reply to this letter "
            f"has the key, and I answer it."
        )
    if arrival.heard:
        return (
            f"This is the last answer until {until}, except to letters that move, resign or claim. Until then I pass "
            f"on no messages and no draw offers."
        )
    return f"This is the last answer to letters that I do not understand until {until}."


def _doubt_text(sender: Sender, reading: Reading) -> str:
    if sender.doubt == NO_TOKEN and reading.commands and not (reading.acting or reading.failed or reading.question):
        return (
            "Here is what you asked for. Your letter did not come to the secret address of your seat, so it could do "
            f"no more than that. To do anything else, please reply to this letter. ({NO_TOKEN})"
        )
    why = {
        NO_TOKEN: (
            "NOT done: your letter did not come to the secret address of your seat, so anybody could have written "
            "it. Please send it again as a reply to this letter; then it counts."
        ),
        OTHER_ADDRESS: (
            "NOT done: a letter with the key of your seat did not come from this address, which is the registered "
            "one. If it was yours, please send it again from here; if not, somebody else has seen a letter of "
            "yours."
        ),
        NOT_VOUCHED: (
            "NOT done: the mail server does not vouch for the sender of your letter (DMARC), which this desk "
            "requires. Please send it through your provider's own server."
        ),
    }
    return f"{why[sender.doubt]} ({sender.doubt})"


def _shows(state: State, side: str, reading: Reading) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the letter asked to see beyond the board and the clocks, which are in every letter."""
    for said in reading.commands:
        match said.command:
            case History():
                yield "The moves so far", tuple(history(state))
            case Legal(prefix=prefix):
                yield "Your legal moves", tuple(legal_section(state, side, prefix))
            case Help():
                yield "What you can write, each on a line of its own", tuple(help_lines(state))


def _questions(
    office: Office, state: State, sender: Sender, reading: Reading, at: datetime
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the letter asked about games, rules, earlier boards and moves that nobody has made."""

    def games() -> list[str]:
        return agenda_lines(office, listings(office, sender.address, at), at)

    return sections(state, sender.side, (said.command for said in reading.commands), games)


def _answer_lines(said: CommandLine, answer: Answer) -> list[str]:
    """What came of one line of the letter."""
    if answer.refused:
        return _refusal_lines(said.line.text, answer)
    text = _DONE[answer.code].format(**answer.data)
    if answer.code == "moved" and answer.data["commitment"] is not None:
        text += _KEPT_SECRET.format(**answer.data)
    if answer.repeated:
        text += " It was so already; nothing has changed."
    return items([text])


def _refusal_lines(line: str, answer: Answer) -> list[str]:
    """Why a line was refused: a caret below its place, the reason, and what could be tried."""
    lines = wrap(f"NOT done: {answer.message} ({answer.code})", first="- ")
    if answer.span is not None and line:
        lines += fence(pointed(line, answer.span.column, 60))
    elif line:
        lines += fence(f"    {piece}" for piece in break_lines(line))
    return lines + [f"    try {quote(move)}" for move in answer.suggestions]


def _question_lines(question: Question) -> list[str]:
    """A question about lines that do not agree."""
    again = "Please write again, with just one of them." if len(question.lines) > 1 else "Please write again."
    text = f"NOT done: {question.message}. {again} ({question.code})"
    return wrap(text, first="- ") + fence(f"    {shorten(line.raw.strip())}" for line in question.lines[:4])


def _unknown_lines(lines: Iterable[str], suggestions: Iterable[str] = ()) -> list[str]:
    """Lines that are not commands, as they were written, and what could be tried instead; they change nothing."""
    written = [line for line in lines if line]
    if not written:
        return []
    told = wrap("Not understood, so nothing was done with it:", first="- ")
    shown = [f"    {shorten(line)}" for line in written[:_MOST_SHOWN]]
    more = [f"    ... and {len(written) - _MOST_SHOWN} more lines"] if len(written) > _MOST_SHOWN else []
    return told + fence(shown + more) + [f"    try {quote(move)}" for move in suggestions]
