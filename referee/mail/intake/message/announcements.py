"""Lines that announce a quotation: writer and time, header fields, or a rule with words in it.

Mail programs announce in every language, so structure decides where it can: an address, a date, a time, a colon at
the end, a label at the beginning. Phrases (phrases.toml) only decide the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from referee.mail.intake.message.phrases import phrases
from referee.mail.intake.message.text import LetterLine

ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,9}")
"""An e-mail address within a line."""

_QUOTED = re.compile(r"(?:[A-Za-z]{1,4})?>|\|(?![^|]{1,40}\|[^|]{1,300}\|$)")
"""The mark of a quotation; a row of a table, such as `| From | Ben <ben@example.org> |`, is a field of a header."""

_MARKS = re.compile(r"(?:(?:[A-Za-z]{1,4})?> ?)+")
_RULE = re.compile(
    r"[*_ ]{0,2}(?:[-=~#\u2501\u2500\u2550]{3,}|\*{4,})[ *]{0,3}[^-=~#\u2501\u2500\u2550* ].{0,200}?"
    r"(?:[-=~#\u2501\u2500\u2550]{2}|\*{2})"
    r"|_{10,}|begin forwarded message:?$",
    re.IGNORECASE,
)
_DESK = re.compile(
    r"Round [0-9]{1,4}: (?:your|[a-z0-9]{1,40}(?:,| and| is| are))(?: |$)"
    r"|The game is over:(?: |$)|Your (?:move|reveal) is (?:NOT )?in[.,:] "
    r"|It is (?:still )?your turn: round [0-9]|Your reveal is (?:still )?due: the sealed"
    r"|Round [0-9]{1,4} is over\. |.{1,80} moved\. (?:It is your turn|Waiting for )"
    r"|(?:.{1,80}[.] )?(?:It is (?:still )?your turn, |Please reveal your sealed move(?:[.:]| by)(?: |$))"
    r"|You have nothing (?:more )?to do (?:now|in round [0-9])|You are invited to a game of .{1,80} with "
    r"|Something in your letter was NOT done[.:] |I did not understand your letter[.:] [Pp]lease see below"
    r"|Here is what you asked for\.(?: It is |$)"
)
"""Beginnings of the desk's own letters: what follows is the desk's, even without marks."""

_LABEL = re.compile(r"\*?([^\W\d_][^:@<>*\d]{0,24}?) ?:\*?(?: |$)")
_MOST_LABEL_WORDS = 3

_FOUR_DIGITS = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")
_DATE = re.compile(r"(?:19|20)[0-9]{2}[-/.年]|[0-9]{1,2}[./-] ?[0-9]{1,2}[./-] ?[0-9]{2,4}(?![0-9])")
_TIME = re.compile(r"(?<![0-9])[0-2]?[0-9](?::[0-5][0-9]|h[0-5][0-9]|[時时点시])")
_DIGITS_OF_A_DATE = 6

_LONGEST, _LONGEST_ATTRIBUTION = 400, 100
_LONGEST_ANNOUNCEMENT, _FARTHEST = 5, 8
"""Maximum lines of a broken announcement, without and with the empty lines between them."""


def is_quoted(text: str) -> bool:
    """True if a line has the mark of a quotation, with or without initials, or the desk's own bar."""
    return _QUOTED.match(text) is not None


def is_attribution(text: str) -> bool:
    """True if a line says only who wrote, as mail programs put it above a quotation."""
    return text.endswith(":") and len(text) <= _LONGEST_ATTRIBUTION and _wrote(text)


def below_label(text: str) -> str:
    """The text after a word and a colon, such as `Move: d4-d5`; empty for a field of a letter's header."""
    found = _LABEL.match(text)
    return "" if found is None or _label(text) in phrases("label") else text[found.end() :].strip()


def announces_more(text: str) -> bool:
    """True if a quoted line announces a quotation within the quotation."""
    inner = _MARKS.sub("", text, count=1)
    return bool(inner) and not is_quoted(inner) and len(inner) <= _LONGEST and _announces(inner)


def announcement(lines: tuple[LetterLine, ...], at: int) -> int:
    """The number of lines from here that announce a quotation; 0 if none does."""
    text = lines[at].text
    if not text or is_quoted(text):
        return 0
    if _RULE.match(text) or _DESK.match(text) or _is_header(lines, at):
        return 1
    return _broken_announcement(lines, at)


def _broken_announcement(lines: tuple[LetterLine, ...], at: int) -> int:
    """The length of an announcement on one line or several, up to one that ends with a colon, or 0."""
    found, joined, opens = 0, "", False
    for length, more in _next_lines(lines, at):
        joined = f"{joined} {more}" if joined else more
        if len(joined) > _LONGEST or (found and not lines[at + length - 2].text):
            return found
        if joined.count("<") > joined.count(">"):
            continue
        if _announces(joined):
            if _ends(joined):
                return length
            found = found or length
        opens = opens or _opens(joined)
        if not (found or opens):
            return 0
    return found


def _next_lines(lines: tuple[LetterLine, ...], at: int) -> Iterator[tuple[int, str]]:
    """The next lines that have text and no mark, each with the number of lines up to it.

    A line that begins with the closing bracket of an address only looks marked.
    """
    count, opened = 0, 0
    for length, line in enumerate(lines[at : at + _FARTHEST], 1):
        if not line.text:
            continue
        if count == _LONGEST_ANNOUNCEMENT or (is_quoted(line.text) and not (opened > 0 and line.text[0] == ">")):
            return
        count += 1
        opened += line.text.count("<") - line.text.count(">")
        yield length, line.text


def _announces(text: str) -> bool:
    """True if these words name a writer, and a time or an address."""
    addressed = "@" in text
    if _ends(text):
        return addressed or _is_timed(text) or (any(map(str.isdigit, text)) and _wrote(text))
    said = text.casefold().endswith(_verbs())
    if not (addressed or said) or not _is_dated(text):
        return False
    return _opens(text) or (addressed and (_wrote(text) or _TIME.search(_with_plain_digits(text)) is not None))


def _wrote(text: str) -> bool:
    small = text.casefold()
    return any(verb in small for verb in phrases("wrote"))


@cache
def _verbs() -> tuple[str, ...]:
    return tuple(verb.rstrip(":") for verb in phrases("wrote"))


def _is_timed(text: str) -> bool:
    """True if a line has a time, and enough digits for a date next to it."""
    text = _with_plain_digits(text)
    return _TIME.search(text) is not None and sum(map(str.isdigit, text)) >= _DIGITS_OF_A_DATE


def _opens(text: str) -> bool:
    """True if a line may begin an announcement that is broken into several lines."""
    text = _with_plain_digits(text)
    words = text.casefold().split(maxsplit=2)
    opening = words[0] in phrases("opening") or " ".join(words[:2]) in phrases("opening")
    if opening and any(map(str.isdigit, text)):
        return True
    return _DATE.match(text) is not None or (_TIME.search(text) is not None and _is_dated(text))


def _is_header(lines: tuple[LetterLine, ...], at: int) -> bool:
    """True if a block of header fields begins here, in any language."""
    label = _label(lines[at].text)
    if not label:
        return False
    known = label in phrases("label")
    if known and ADDRESS.search(lines[at].text):
        return True
    near = [line.text for line in lines[at + 1 : at + 5] if line.text][:2]
    labels = [found for found in map(_label, near) if found]
    if known and any(found in phrases("label") for found in labels):
        return True
    # Only the header of a letter has fields with an address, or with a date and a time.
    fields = (lines[at].text, *near) if labels else ()
    return any(ADDRESS.search(one) is not None or (_is_dated(one) and _is_timed(one)) for one in fields)


def _label(text: str) -> str:
    """The label that a line begins with, such as `from` or `reply to`; empty if it has none."""
    found = _LABEL.match(text)
    return found[1].casefold() if found and len(found[1].split()) <= _MOST_LABEL_WORDS else ""


def _ends(text: str) -> bool:
    return text.rstrip("*_ ").endswith(":")


def _is_dated(text: str) -> bool:
    text = _with_plain_digits(text)
    return _FOUR_DIGITS.search(text) is not None or _DATE.search(text) is not None


def _with_plain_digits(text: str) -> str:
    """The text with ASCII digits for those of other scripts."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)
