"""Where a letter's own lines end: quotations, the lines that announce them, and signatures.

Nothing that is quoted may be taken for a command. The first guard is that the desk's own letters hold no line that
could be one; this is the second, and it need not know every mail program's way. What it lets through is looked at
once more (`Place`): a command in a doubtful place is asked back.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import NamedTuple

from referee.mail.intake.addresses import small
from referee.mail.intake.announcements import ADDRESS, announcement, announces_more, is_attribution, is_quoted
from referee.mail.intake.lines import Line

_SIGNATURE = "--"
_LEAD = 3
"""So many lines may stand between an address and the marked lines that it announces, empty ones among them."""
_LONGEST_MARK, _LONGEST_WORD = 5, 20
_TORN = 3
"""From so many torn lines on, some program has broken the quotation anew."""


class Own(NamedTuple):
    """The lines that the writer wrote, and what is known of their places.

    `stop` is the line at which the reading ended, if it did; `quoted` the first line that bears the mark of a
    quotation. `torn` are the numbers of lines that may be the ends of quoted ones.
    """

    lines: tuple[Line, ...]
    stop: Line | None = None
    quoted: Line | None = None
    torn: frozenset[int] = frozenset()


def own(lines: tuple[Line, ...]) -> Own:
    """A letter's lines without quotations and signature.

    Below a line that announces a quotation, quoted lines and answers may take turns; but if what comes next bears no
    mark of a quotation, it is one without marks, and nothing below is read.
    """
    kept: list[Line] = []
    quoted: Line | None = None
    stop: Line | None = None
    at = 0
    while at < len(lines) and stop is None:
        line = lines[at]
        length = announcement(lines, at)
        if _ends(lines, at, length):
            stop = line
        elif length or _leads_in(lines, at):
            at += length or 1
        else:
            if is_quoted(line.text):
                quoted = quoted or line
            else:
                kept.append(line)
            at += 1
    return Own(tuple(kept), stop, quoted, _torn(lines))


def is_strange(text: str, addresses: Collection[str]) -> bool:
    """Whether a line holds the address of somebody who is not the writer."""
    return "@" in text and any(small(found[0]) not in addresses for found in ADDRESS.finditer(text))


def _ends(lines: tuple[Line, ...], at: int, length: int) -> bool:
    """Whether nothing below is read: a signature, or a quotation without marks that so many lines announce.

    A quoted line that announces another quotation has it below, too, if what comes next bears no mark.
    """
    text = lines[at].text
    if text == _SIGNATURE:
        return True
    announced = length or (is_quoted(text) and announces_more(text))
    return bool(announced) and not _quoted_next(lines, at + (length or 1))


def _leads_in(lines: tuple[Line, ...], at: int) -> bool:
    """Whether a line with an address, or one that says who wrote, has quoted lines next: what it announces is marked.

    Between the two there may be one more line of the same announcement.
    """
    text = lines[at].text
    if is_quoted(text):
        return False
    if is_attribution(text):
        return _quoted_next(lines, at + 1)
    if "@" not in text:
        return False
    near = [line.text for line in lines[at + 1 : at + 1 + _LEAD] if line.text]
    return bool(near) and (is_quoted(near[0]) or (near[0].endswith(":") and len(near) > 1 and is_quoted(near[1])))


def _quoted_next(lines: tuple[Line, ...], at: int) -> bool:
    for index in range(at, len(lines)):
        if lines[index].text:
            return is_quoted(lines[index].text)
    return False


def _torn(lines: tuple[Line, ...]) -> frozenset[int]:
    """The lines without a mark that would not have fitted on the quoted line above them, if there are several.

    A program that breaks a quotation anew leaves the ends of its lines so. It fills the lines above, which the
    writer of an answer does only by chance.
    """
    widths = (_width(line) for line in lines if is_quoted(line.text) and _can_be_broken(line.text))
    width = max(widths, default=0)
    found: set[int] = set()
    for above, line in pairwise(lines):
        if not line.text or is_quoted(line.text) or not (is_quoted(above.text) or above.number in found):
            continue
        room = width if is_quoted(above.text) else width - _LONGEST_MARK
        if _width(above) + 1 + len(line.text.split(maxsplit=1)[0]) > room:
            found.add(line.number)
    return frozenset(found) if len(found) >= _TORN else frozenset()


def _width(line: Line) -> int:
    return len(line.written.rstrip())


def _can_be_broken(text: str) -> bool:
    """Whether a line tells how wide a program makes lines: those of a board stay as wide as they are."""
    return max(map(len, text.split()), default=0) <= _LONGEST_WORD
