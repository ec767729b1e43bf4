"""The writer's own lines of a letter, without quotations, their announcements and signatures.

A quotation must never pass for a command. The first guard is that the desk's own letters have no line that could be
one. This is the second guard, and it need not know every mail program: a command that it lets through from a doubtful
place becomes a question.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from referee.mail.addresses import small
from referee.mail.intake.message import announcements
from referee.mail.intake.message.announcements import is_attribution, is_quoted
from referee.mail.intake.message.phrases import greets, is_aside, is_polite, without_lead
from referee.mail.intake.message.text import LetterLine
from referee.mail.intake.openings import begins_opening
from referee.notation.moves import move_text
from referee.notation.typography import plain_text

_LEAD = 3
"""Maximum lines between an address and the marked lines that it announces, empty ones included."""
_LONGEST_MARK, _LONGEST_WORD = 5, 20
_TORN = 3
"""Number of torn lines that show that a program has wrapped the quotation again."""

_MARKS_OF_SPEECH = ":\"'`\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u300c\u300e"
"""Signs before what somebody else may have said."""

_INVITES = re.compile(r"(?:with|against|versus|vs?|and)\b", re.IGNORECASE)
"""Beginning of a line that names a player to invite."""

_BEGIN_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_BEGIN_PGP, _END_PGP = "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"


class OwnText(NamedTuple):
    """The lines that the writer wrote.

    `stop` is the line at which reading stopped, if it did; `quoted` is the first line with the mark of a quotation.
    `torn` are the numbers of lines that may be the ends of quoted ones, and `among` those of all lines below a marked
    one, unless the writer has put a whole answer below the quotation.
    """

    lines: tuple[LetterLine, ...]
    stop: LetterLine | None = None
    quoted: LetterLine | None = None
    torn: frozenset[int] = frozenset()
    among: frozenset[int] = frozenset()


def without_pgp(lines: tuple[LetterLine, ...]) -> tuple[LetterLine, ...]:
    """The lines without the OpenPGP marks, headers and signature of a cleartext signature (RFC 4880, section 7).

    The signature is not checked: it proves no more than the secret address of a seat does.
    """
    if not any(line.text == _BEGIN_SIGNED for line in lines):
        return lines
    kept: list[LetterLine] = []
    place = "outside"
    for line in lines:
        match place:
            case "outside" if line.text == _BEGIN_SIGNED:
                place = "headers"
            case "headers":
                place = "headers" if line.text else "text"
            case "text" if line.text == _BEGIN_PGP:
                place = "signature"
            case "signature":
                place = "outside" if line.text == _END_PGP else "signature"
            case "text":
                written = line.raw.removeprefix("- ")
                kept.append(line if written == line.raw else LetterLine(line.number, plain_text(written), written))
            case _:
                kept.append(line)
    return tuple(kept)


def own_lines(lines: tuple[LetterLine, ...], game: str | None = None) -> OwnText:
    """A letter's lines without quotations and signature; `game` is the one whose moves it may hold.

    Below an announcement, marked lines and answers may take turns. If the next line has no mark, the quotation has no
    marks at all, and reading stops.
    """
    kept: list[LetterLine] = []
    quoted: LetterLine | None = None
    stop: LetterLine | None = None
    at = 0
    while at < len(lines) and stop is None:
        line = lines[at]
        length = announcements.announcement(lines, at)
        if length and game is not None and move_text(game, announcements.below_label(line.text)) != "":
            length = 0  # a move behind a word of the writer's own and a colon: no header has such a field
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
    return OwnText(tuple(kept), stop, quoted, _torn(lines), _among(kept, lines))


def is_strange(text: str, addresses: Collection[str]) -> bool:
    """True if a line holds an address other than the writer's."""
    return "@" in text and any(small(found[0]) not in addresses for found in announcements.ADDRESS.finditer(text))


class Ground(NamedTuple):
    """The numbers of the lines that are surely the writer's own, and of those of them that stand for themselves.

    Below a farewell a signature may follow, and below a quotation its unmarked rest. A line stands for itself if no
    sentence goes on from the line above it or into the one below it, and if nothing announces it. `top` is false if
    all of them are below a quotation.
    """

    own: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()
    top: bool = True


NO_GROUND = Ground()


def ground(
    lines: Sequence[LetterLine],
    doubtful: Collection[int],
    commands: Collection[int],
    names: frozenset[str],
    *,
    top: bool,
) -> Ground:
    """The ground on which a writer's lines stand; `commands` are those that are commands as they are."""
    own, apart = set[int](), set[int]()
    spoken, above = False, ""
    for line, below in zip(lines, (*(one.text for one in lines[1:]), ""), strict=False):
        if not line.text:
            continue
        courteous = line.number not in commands and is_polite(line.text, names)
        if line.number in doubtful or (spoken and courteous and not greets(line.text)):
            break
        own.add(line.number)
        kind = is_polite(below, names) or is_aside(below)
        goes_on = below[:1].islower() and line.number + 1 not in commands and not kind
        ended = not above or above.endswith((".", "!")) or not without_lead(above)
        if ended and not goes_on and line.text[0] not in _MARKS_OF_SPEECH:
            apart.add(line.number)
        spoken = spoken or not courteous
        above = "" if courteous or line.number in commands else line.text
    return Ground(frozenset(own), frozenset(apart), top)


def _ends(lines: tuple[LetterLine, ...], at: int, length: int) -> bool:
    """True if reading stops here: at a signature, or where `length` lines announce a quotation without marks.

    The same goes for a quoted line that announces another quotation.
    """
    text = lines[at].text
    if text == "--":
        return True
    announced = length or (is_quoted(text) and announcements.announces_more(text))
    return bool(announced) and not _quoted_next(lines, at + (length or 1))


def _leads_in(lines: tuple[LetterLine, ...], at: int) -> bool:
    """True if a line with an address, or one that names a writer, announces the marked lines below it.

    One more line of the same announcement may be in between.
    """
    text = lines[at].text
    if is_quoted(text):
        return False
    if is_attribution(text):
        return _quoted_next(lines, at + 1)
    if "@" not in text or _INVITES.match(text) or begins_opening(text):
        return False
    near = [line.text for line in lines[at + 1 : at + 1 + _LEAD] if line.text]
    return bool(near) and (is_quoted(near[0]) or (near[0].endswith(":") and len(near) > 1 and is_quoted(near[1])))


def _quoted_next(lines: tuple[LetterLine, ...], at: int) -> bool:
    below = (lines[index].text for index in range(at, len(lines)))
    return next((is_quoted(text) for text in below if text), False)


def _torn(lines: tuple[LetterLine, ...]) -> frozenset[int]:
    """The unmarked lines whose first word would not have fitted on the quoted line above, if there are several.

    A program that wraps a quotation again leaves such ends of lines: it fills the line above, which the writer of an
    answer does only by chance.
    """
    # Programs do not break the lines of a board, which have long words.
    quoted = (line for line in lines if is_quoted(line.text))
    widths = (_width(one) for one in quoted if max(map(len, one.text.split()), default=0) <= _LONGEST_WORD)
    width = max(widths, default=0)
    found: set[int] = set()
    for above, line in pairwise(lines):
        if not line.text or is_quoted(line.text) or not (is_quoted(above.text) or above.number in found):
            continue
        room = width if is_quoted(above.text) else width - _LONGEST_MARK
        if _width(above) + 1 + len(line.text.split(maxsplit=1)[0]) > room:
            found.add(line.number)
    return frozenset(found) if len(found) >= _TORN else frozenset()


def _among(kept: list[LetterLine], lines: tuple[LetterLine, ...]) -> frozenset[int]:
    """The lines kept below a marked one; none if all are below the last one, behind an empty line."""
    marked = [line.number for line in lines if is_quoted(line.text)]
    said = [line.number for line in kept if line.text]
    if not marked or not said or said[0] > marked[-1] + 1:
        return frozenset()
    return frozenset(number for number in said if number > marked[0])


def _width(line: LetterLine) -> int:
    return len(line.raw.rstrip())
