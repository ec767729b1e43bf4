"""Where a letter's own lines end: quotations, the lines that announce them, and signatures.

Nothing that is quoted may be taken for a command. The first guard is that the desk's own letters hold no line that
could be one; this is the second, and it need not know every mail program's way.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from referee.mail.intake.lines import Line
from referee.mail.intake.phrases import phrases

_QUOTED = re.compile(r"(?:[A-Za-z]{1,4})?>|\|")
_RULE = re.compile(r"_{10,}|-{3,} ?[^-\s](?:.{0,58}[^-\s])? ?-{3,}|begin forwarded message:?", re.IGNORECASE)
_SIGNATURE = "--"
_DESK = re.compile(r"Round [0-9]{1,4}: (?:your|[a-z0-9]+(?:,| and| is| are)) |The game is over: ")
"""How the desk's own letters begin: below that a quotation without marks would be read for the player's words."""

_LABEL = re.compile(r"\*?([^\s:*]{1,14}) ?:\*?(?: |$)")

_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}(?![0-9])")
_DATE = re.compile(r"(?:19|20)[0-9]{2}[-/.年]|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}\b")
_LONGEST = 400
_LONGEST_ATTRIBUTION = 100
_LONGEST_ANNOUNCEMENT = 3


class Own(NamedTuple):
    """The lines that the writer wrote himself, and the line at which the reading stopped, if it did."""

    lines: tuple[Line, ...]
    stop: Line | None = None


def own(lines: tuple[Line, ...]) -> Own:
    """A letter's lines without quotations and signature.

    Below a line that announces a quotation, quoted lines and answers may take turns; but if what comes next bears no
    mark of a quotation, it is one without marks, and nothing below is read.
    """
    kept: list[Line] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.text == _SIGNATURE:
            return Own(tuple(kept), line)
        if length := announcement(lines, at):
            if not _quoted_next(lines, at + length):
                return Own(tuple(kept), line)
            at += length
            continue
        if not is_quoted(line.text):
            kept.append(line)
        at += 1
    return Own(tuple(kept))


def is_quoted(text: str) -> bool:
    """Whether a line bears the mark of a quotation, with the writer's initials or without; or the desk's own bar."""
    return _QUOTED.match(text) is not None


def is_attribution(text: str) -> bool:
    """Whether a line says no more than that somebody wrote something, as mail programs put it above a quotation."""
    named = text.endswith(":") and len(text) <= _LONGEST_ATTRIBUTION
    return named and any(verb in text.casefold() for verb in phrases("wrote"))


def announcement(lines: tuple[Line, ...], at: int) -> int:
    """How many lines from here announce a quotation; 0 if none does."""
    text = lines[at].text
    if not text or is_quoted(text):
        return 0
    if _RULE.fullmatch(text) or _DESK.match(text):
        return 1
    if _is_label(text) and any(_is_label(line.text) for line in lines[at + 1 : at + 3]):
        return 1
    if _announces(text):
        return 1
    if not _opens(text):
        return 0
    for length in range(2, _LONGEST_ANNOUNCEMENT + 1):
        following = lines[at : at + length]
        if any(not line.text or is_quoted(line.text) for line in following):
            return 0
        if _announces(" ".join(line.text for line in following)):
            return length
    return 0


def _announces(text: str) -> bool:
    """Whether a line says who wrote what follows, and when or under which address."""
    if not text.endswith(":") or len(text) > _LONGEST:
        return False
    dated, addressed = _YEAR.search(text) is not None, "@" in text
    wrote = any(verb in text.casefold() for verb in phrases("wrote"))
    return (wrote and (addressed or any(map(str.isdigit, text)))) or (dated and addressed)


def _opens(text: str) -> bool:
    """Whether a line is the first of an announcement that is broken into several: it has the date."""
    words = text.casefold().split(maxsplit=2)
    opening = words[0] in phrases("opening") or " ".join(words[:2]) in phrases("opening")
    return (opening and any(map(str.isdigit, text))) or _DATE.match(text) is not None


def _is_label(text: str) -> bool:
    found = _LABEL.match(text)
    return found is not None and found[1].casefold() in phrases("label")


def _quoted_next(lines: tuple[Line, ...], at: int) -> bool:
    return next((is_quoted(lines[one].text) for one in range(at, len(lines)) if lines[one].text), False)
