"""The ledger of an import: the fate of every word of the notes.

Each word is a move, a fact of the header, an end, a correction, a comment that is kept, or a plain sign such as a
number or a name. Words that look like a move, a correction or an end, and became none, are unsure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from referee.errors import shown
from referee.notes.reader.comments import is_comment
from referee.notes.reader.lines import LOST, NoteLine
from referee.notes.reader.meanings import kinds
from referee.notes.reader.segments import Segment
from referee.notes.reader.slots import Portion, Remark, Slots
from referee.notes.reader.verdicts import speaks_of_end
from referee.notes.reader.wishes import announces_correction, is_part, without_politeness
from referee.rules import game_named

_ALTERNATIVES = frozenset({"or", "/", "-", "("})
_KEYS = frozenset({"start", "position", "end", "how", "by", "result", "rules", "options", "option"})
"""Keys of a header beside the options of a game."""

_LONGEST_WORD = 6
"""Characters of a word that may be a move with a letter too many."""


class Fate(StrEnum):
    """The fate of some words of the notes."""

    HEADER = "header"
    MOVE = "move"
    CORRECTION = "correction"
    END = "end"
    COMMENT = "comment"
    REPEAT = "repeat"
    TALK = "talk"
    SIGN = "sign"
    UNSURE = "unsure"


class LedgerEntry(NamedTuple):
    """Some words of a line, their fate, and the reason why that is unsure, if it is."""

    line: NoteLine
    text: str
    fate: Fate
    why: str = ""


class Account(NamedTuple):
    """The parts of a reading that its ledger needs.

    `fates` are those of the slots, by their place; `headers` the lines that the facts took; `ends` the lines that
    say how the game ended. `is_over` is true if the moves end the game.
    """

    game: str
    found: Slots
    fates: Mapping[int, Fate]
    headers: Collection[NoteLine]
    ends: Collection[NoteLine]
    is_over: bool


def ledger(account: Account) -> tuple[LedgerEntry, ...]:
    """Account for each part of each line, in the order of the notes; headers come first."""
    headers = sorted(account.headers, key=lambda line: (line.file, line.number))
    found = [LedgerEntry(line, line.text, Fate.HEADER) for line in headers]
    for portion in account.found.portions:
        found += _parts(account, portion)
        found += _open(account, portion)
    lines = [*headers, *(portion.line for portion in account.found.portions)]
    gone = "has characters that are lost, or a formula whose value is not stored"
    found += (LedgerEntry(line, line.text, Fate.UNSURE, gone) for line in lines if LOST in line.text)
    said = "belongs to a second game, which is left out"
    return (*found, *(LedgerEntry(line, line.text, Fate.UNSURE, said) for line in account.found.later))


def open_remarks(entries: Collection[LedgerEntry]) -> Iterator[Remark]:
    """Open entries in words; the lines of a second game together."""
    for (line, why), group in groupby(entries, key=lambda one: (one.line, one.why)):
        if why and not why.startswith("belongs"):
            yield Remark("unsure", f"{shown(' '.join(one.text for one in group))} {why}", line)
    later = [one.line for one in entries if one.why.startswith("belongs")]
    if later:
        said = f"a second game begins here: its {len(later)} lines are left out, import them by themselves"
        yield Remark("unsure", said, later[0])


def _parts(account: Account, portion: Portion) -> Iterator[LedgerEntry]:
    """The parts of a line, each with its fate."""
    moves = iter(_fates(account, portion))
    for place, one in enumerate(portion.segments):
        fate, why = Fate.SIGN, ""
        if one.kind in ("move", "rest"):
            fate = next(moves)
            why = "looks like a move, and became none" if fate is Fate.UNSURE else ""
        elif one.kind == "number" and _is_other_value(account.game, portion.segments, place, {"("}):
            fate, why = Fate.UNSURE, "looks like a part of a move, and became none"
        elif one.kind == "word":
            fate = Fate.CORRECTION if portion.settled else Fate.END if portion.line in account.ends else Fate.COMMENT
            if not portion.settled and _looks_like_move(account.game, portion.segments, place):
                fate, why = Fate.UNSURE, "looks like a move or a part of one, and became none"
        if not is_comment(one.text):
            yield LedgerEntry(portion.line, one.text, fate, why)
    yield from (LedgerEntry(portion.line, text, Fate.COMMENT) for text in portion.comments)


def _fates(account: Account, portion: Portion) -> Iterator[Fate]:
    """The fate of each move of a line."""
    moves = [one for one in portion.segments if one.kind in ("move", "rest")]
    fates = [account.fates.get(place, Fate.UNSURE) for place in portion.places]
    if len(fates) == 1:
        fates *= len(moves)
    rest = Fate.REPEAT if portion.repeats else Fate.CORRECTION if portion.settled else Fate.UNSURE
    yield from (fates[place] if place < len(fates) else rest for place in range(len(moves)))


def _is_other_value(game: str, segments: Sequence[Segment], place: int, signs: Collection[str]) -> bool:
    """True for a part of a move directly behind a whole one and one of some signs."""
    before = segments[max(0, place - 2) : place]
    is_behind = len(before) == 2 and before[0].kind in ("move", "rest") and before[1].text.casefold() in signs
    return is_behind and is_part(game, segments[place].text)


def _looks_like_move(game: str, segments: tuple[Segment, ...], place: int) -> bool:
    """True for a word with a place of the board in it, and for another value of a part, such as `or 12`."""
    text = segments[place].text
    if _is_other_value(game, segments, place, _ALTERNATIVES):
        return True
    if not text[0].isalpha() or len(text) > _LONGEST_WORD:
        return False
    ends = (text[start:] for start in range(len(text) - 1))
    return any(any(map(str.isalpha, end)) and any(map(str.isdigit, end)) and bool(kinds(game, end)) for end in ends)


def _open(account: Account, portion: Portion) -> Iterator[LedgerEntry]:
    """The corrections and ends in a line that had no effect."""
    text = portion.line.text
    if not portion.settled and announces_correction(without_politeness(account.game, text)):
        yield LedgerEntry(portion.line, text, Fate.UNSURE, "may be a correction, and corrects nothing")
    key = text.partition(":")[0].strip().casefold()
    if ":" in text and (key in _KEYS or key in {option.name for option in game_named(account.game).options}):
        yield LedgerEntry(portion.line, text, Fate.UNSURE, "is a line of a header, and its value does not fit")
    if not account.is_over and portion.line not in account.ends and speaks_of_end(text):
        yield LedgerEntry(portion.line, text, Fate.UNSURE, "may be the end of the game, and is not taken for it")
