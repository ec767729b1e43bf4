"""Letters in files as lines of notes: the text of each writer, without quotations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from referee.mail.evidence.mailboxes import NO_DESK, letters_of
from referee.mail.intake.letter import Letter, read_letter
from referee.mail.intake.message.limits import unix_lines
from referee.mail.intake.message.phrases import is_polite, signature
from referee.mail.intake.message.text import letter_lines
from referee.mail.intake.quotes import own_lines, without_pgp
from referee.notes import NoteLine, note_lines
from referee.notes.reader.lines import remarked

_ID = re.compile(r"<[^<>\s]{1,998}>")
_MOST_IDS = 100
_LATE = "this letter is dated before the one that it answers; it is read behind it"
_UNDATED = datetime.max.replace(tzinfo=UTC)


def thread_lines(content: bytes, file: str) -> tuple[NoteLine, ...]:
    """The lines that the writers of a mailbox wrote, its letters in the order of their dates.

    An answer with an earlier date still follows its letter, with a remark on its first line.
    """
    letters = [read_letter(one, NO_DESK) for one in letters_of(unix_lines(content))]
    threads = (remarked([*_lines(letter, file)], _LATE if late else "") for letter, late in _in_order(letters))
    return tuple(line for thread in threads for line in thread)


def _in_order(letters: Iterable[Letter]) -> Iterator[tuple[Letter, bool]]:
    """The letters by date, each after those that it answers, with True if its date is before one of theirs."""
    dated = sorted(letters, key=_date)
    known = {name: place for place, letter in reversed(list(enumerate(dated))) for name in _ids(letter, "message-id")}
    answered = [
        [known[name] for key in ("references", "in-reply-to") for name in _ids(letter, key) if name in known]
        for letter in dated
    ]
    begun: set[int] = set()
    for last in range(len(dated)):
        waiting = [] if last in begun else [last]
        while waiting:
            place = waiting[-1]
            begun.add(place)
            before = next((one for one in answered[place] if one not in begun), None)
            if before is not None:
                waiting.append(before)
                continue
            date = _date(dated[waiting.pop()])
            yield dated[place], any(date < _date(dated[one]) < _UNDATED for one in answered[place])


def _ids(letter: Letter, key: str) -> list[str]:
    return _ID.findall(letter.headers.first(key))[:_MOST_IDS]


def _date(letter: Letter) -> datetime:
    try:
        date = parsedate_to_datetime(letter.headers.first("date"))
    except (ValueError, IndexError):
        return _UNDATED
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _lines(letter: Letter, file: str) -> Iterator[NoteLine]:
    """The lines of one letter without greetings; its writer is the author of each."""
    sender = next(iter(letter.senders), None)
    author = f"{sender.name or sender.address} <{sender.address}>" if sender else ""
    names = signature(one.name for one in letter.senders)
    mine = own_lines(without_pgp(letter_lines(letter.body.text)))
    for line in mine.lines:
        if not is_polite(line.text, names):
            for one in note_lines(line.raw, file, author, is_letter=True):
                yield one._replace(number=line.number)
