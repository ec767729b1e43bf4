"""The lines of people's notes, with plain characters and each with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from referee.game import unreadable
from referee.notation.typography import ARROW, fold_letters, plain_text
from referee.notes.reader.markup import unmarked

MOST_LINES = 10_000
LONGEST_NOTE = 10_000
"""Maximum characters of one line."""

LOST = "\ufffd"
"""Placeholder of lost characters, such as the value of a formula that was never worked out."""

_WIDE = re.compile(r"(?<=\S) {2,}(?=\S)")
_TIME = r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = (
    r"(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]?(?:\d{2,4})?"
    rf"|\d{{1,2}}\.? {_MONTH}(?: \d{{4}})?|{_MONTH} \d{{1,2}}\b)"
)
_DATED = re.compile(r"(?:^|\t)\W*(?:(\d{4})-(\d\d)-(\d\d)|(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d))\b")
"""A date whose day, month and year are sure."""

_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+"
_WHEN = re.compile(rf"\[?(?:{_WEEKDAY})?{_DAY}(?:,?\s+{_TIME})?\]?(?:\s+-(?=\s)|[:,])?\s+", re.IGNORECASE)
_HOUR = re.compile(rf"\[?{_TIME}\]?(?:\s+-(?=\s))?\s+", re.IGNORECASE)
_BULLET = re.compile(r"(?:[*\u2022\u00b7>]|-(?=\s+\S))\s+")

_SPEAKER = r"(?P<name>[^\W\d_][\w.'-]{0,39}(?: [^\W\d_][\w.'-]{0,39}){0,3}?)"
_WROTE = re.compile(
    rf"(?:(?:On|Am|Le|El|Il|Op|Em)\b.{{0,80}}?[,:] )?{_SPEAKER}"
    r" (?:wrote|writes|said|schrieb|a écrit|escribi[oó]|ha scritto|scrisse|schreef|skrev|escreveu|napisał\w*"
    r"|написал\w*)"
    r"\b[^\n]{0,60}",
    re.IGNORECASE,
)
_POSTED = re.compile(
    rf"{_SPEAKER}(?:,| -|:)? ?[\[(]?(?:(?:today|yesterday|{_DAY})(?:,? (?:at )?{_TIME})?|{_TIME})[\])]?:?",
    re.IGNORECASE,
)

_WHOSE = re.compile(
    rf"(?:(?:list|moves|turns) (?:of|by)|züge von|coups de|jugadas de|mosse di|zetten van) {_SPEAKER}(?::|$)"
    rf"|{_SPEAKER.replace('name', 'owner')}'s? (?:list|moves|turns)(?::|$)",
    re.IGNORECASE,
)
"""A name before a list of moves, or above one, with more words than the name."""

_SECOND = re.compile(
    r"^\W*(?:(?:our|the|my|and|now) )*"
    r"(?:second|third|fourth|2nd|3rd|4th|next|new|another|return|other) (?:game|match)\b"
    r"|^\W*(?:game|match|partie|board)\W{1,2}(?:no\.? ?|#)?(?:[2-9]|1\d|II|III|IV|B|two|three)\b|\brematch\b",
    re.IGNORECASE,
)
TAG = re.compile(r'\[(?P<key>\w[\w -]*) "(?P<value>[^"]*)"\]')
"""A header in the form of PGN."""


class NoteLine(NamedTuple):
    """One line of notes: its plain text, in which tabs stay, its file and number, and who wrote it, if known.

    `is_letter` marks a line of a letter, which holds greetings and much else that is about no game. `told` is a
    remark on its place among the lines, if any. `is_quote` marks a quotation. `date` is the year, month and day
    before its words, if they are sure.
    """

    text: str
    file: str
    number: int
    author: str = ""
    is_letter: bool = False
    told: str = ""
    is_quote: bool = False
    date: tuple[int, ...] = ()

    @property
    def place(self) -> str:
        """File and line for people."""
        return f"{self.file}:{self.number}"


def note_lines(text: str, file: str, author: str = "", *, is_letter: bool = False) -> tuple[NoteLine, ...]:
    """The lines of a text that have something to say.

    Raises:
        FileError: `too-large`; the text has too many lines, or one that is too long.
    """
    written = text.splitlines()
    if len(written) > MOST_LINES:
        raise unreadable(file, "too-large", f"notes have at most {MOST_LINES:,} lines")
    for number, line in enumerate(written, 1):
        if len(line) > LONGEST_NOTE:
            message = f"a line of notes has at most {LONGEST_NOTE:,} characters"
            raise unreadable(file, "too-large", message, number, LONGEST_NOTE + 1)
    lines = tuple(
        NoteLine(plain, file, one.number, author, is_letter, "", one.is_quote and not is_letter, _date_in(one.text))
        for one in unmarked(text)
        if (plain := _named(without_date(plain_line(one.text))))
    )
    return lines if author else tuple(_spoken_by(lines))


def _date_in(text: str) -> tuple[int, ...]:
    """Year, month and day of the date before a line's words or in its cells; nothing if they are not sure."""
    found = _DATED.search(text)
    parts = [int(part) for part in found.groups() if part] if found else []
    return tuple(parts if found and found[1] else parts[::-1])


def remarked(lines: Sequence[NoteLine], told: str) -> tuple[NoteLine, ...]:
    """The lines, with a remark on the first one."""
    return (lines[0]._replace(told=told), *lines[1:]) if lines and told else tuple(lines)


def _named(text: str) -> str:
    """A line that begins with `Ada's moves` or the like, with the name alone and a colon."""
    found = _WHOSE.match(text)
    return f"{found['name'] or found['owner']}:{text[found.end() :]}" if found else text


def _spoken_by(lines: Sequence[NoteLine]) -> Iterator[NoteLine]:
    """The lines of a thread, each with its writer where headings name the writers; without quotes of other lines.

    `Kofi wrote:` is above a quote, or above a post: above a quote if earlier lines say the same.
    """
    own = "\n".join(_squashed(line.text) for line in lines if not line.is_quote)
    many = sum(_POSTED.fullmatch(line.text) is not None for line in lines) > 1
    before, author, quoting = "", "", False
    for line, below in zip_longest(lines, lines[1:]):
        text = _squashed(line.text)
        found = None if line.is_quote or below is None else _WROTE.fullmatch(line.text)
        if found and (below.is_quote or _squashed(below.text) in before):
            quoting = not below.is_quote
            author = "" if found["name"] == author else author
        elif found or (many and (found := _POSTED.fullmatch(line.text))):
            author, quoting = found["name"], False
        elif not line.is_quote:
            quoting = quoting and text in before
            if not quoting:
                before += f"{text}\n"
                yield line._replace(author=author)
        elif text not in own:
            yield line


def _squashed(text: str) -> str:
    """The letters and digits of a text, to compare with those of other texts."""
    return "".join(char for char in text.casefold() if char.isalnum())


def plain_line(text: str) -> str:
    """A line with plain characters; tabs and wide gaps are single tabs."""
    columns = (plain_text(part) for part in _WIDE.sub("\t", fold_letters(text)).split("\t"))
    return ARROW.sub("-", "\t".join(columns)).strip(" ").rstrip("\t")


def without_date(text: str) -> str:
    """A line without the bullet, the date and the time before its words; one with nothing else stays."""
    if "\t" in text:
        return "\t".join("" if is_date(field) else field for field in text.split("\t"))
    if is_date(text):
        return text
    rest = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    for pattern in (_WHEN, _HOUR):
        if found := pattern.match(rest):
            rest = rest[found.end() :]
    return rest or text


def is_date(field: str) -> bool:
    """True for a text that is a date or a time and nothing else."""
    return any(pattern.fullmatch(f"{field} ") for pattern in (_WHEN, _HOUR))


def first_number(text: str) -> int | None:
    """Return the number of a round at the beginning of a line, if there is one."""
    found = re.match(r"\W*(?:(?:round|move|turn|ply|rd|no|nr)\W*)?(\d{1,4})\b", text, re.IGNORECASE)
    return int(found[1]) if found else None


def first_game(
    lines: Sequence[NoteLine], holds_moves: Callable[[str], bool]
) -> tuple[Sequence[NoteLine], Sequence[NoteLine]]:
    """The lines of the first game, and those of later ones.

    A second game begins with a heading that says so, or with a tag that the first one has too; moves precede it and
    follow it.
    """
    known: set[str] = set()
    begun = False
    last: int | None = None
    for place, line in enumerate(lines):
        tag = TAG.fullmatch(line.text)
        is_heading = tag["key"] in known if tag else _SECOND.search(line.text) is not None
        if begun and is_heading:
            if last is None:
                last = next(at for at in reversed(range(len(lines))) if holds_moves(lines[at].text))
            if last > place:
                return lines[:place], lines[place:]
        if tag:
            known.add(tag["key"])
        elif not begun:
            begun = holds_moves(line.text)
    return lines, ()
