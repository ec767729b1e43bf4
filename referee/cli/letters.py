"""Letters kept as files, as lines of notes: what each writer wrote, without what they quote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from referee.game.notes import NoteLine, note_lines
from referee.mail.intake import Letter, Mailbox, read_letter
from referee.mail.intake.limits import unix_lines
from referee.mail.intake.phrases import is_polite, signature
from referee.mail.intake.quotes import own_lines, without_pgp
from referee.mail.intake.text import letter_lines

_NOBODY = Mailbox("nobody@invalid", "invalid")
_BEGINS = re.compile(rb"^From \S.*\n(?=[!-9;-~]+:)", re.MULTILINE)
_UNDATED = datetime.max.replace(tzinfo=UTC)


def thread_lines(content: bytes, file: str) -> tuple[NoteLine, ...]:
    """The lines that the writers of a mailbox wrote, its letters in the order of their dates."""
    letters = [read_letter(one, _NOBODY) for one in _letters(unix_lines(content))]
    return tuple(line for letter in sorted(letters, key=_date) for line in _lines(letter, file))


def _letters(content: bytes) -> Iterator[bytes]:
    """The letters of a mailbox file; a file without its marks is one letter."""
    starts = [found.start() for found in _BEGINS.finditer(content)]
    if not starts or starts[0] != 0:
        yield content
        return
    for start, end in zip(starts, [*starts[1:], len(content)], strict=True):
        yield content[content.index(b"\n", start) + 1 : end]


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
