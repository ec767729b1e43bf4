"""The words of notes that are left over: they look like a move, a correction or an end, and became none."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
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


class Account(NamedTuple):
    """The result of reading notes, by which what is left over is found.

    `settled` are the places of the slots that are moves, or are surely none; `headers` the lines that the facts took;
    `ends` the lines that say how the game ended. `is_over` is true if the moves end the game.
    """

    game: str
    found: Slots
    settled: Collection[int]
    headers: Collection[NoteLine]
    ends: Collection[NoteLine]
    is_over: bool


def leftovers(account: Account) -> Iterator[Remark]:
    """Remarks on all words that are left over, in the order of the notes; the lines of a second game together."""
    for portion in account.found.portions:
        for why, group in groupby(_parts(account, portion), key=lambda one: one[1]):
            if why:
                yield Remark("unsure", f"{shown(' '.join(text for text, _ in group))} {why}", portion.line)
        for why in _without_effect(account, portion):
            yield Remark("unsure", f"{shown(portion.line.text)} {why}", portion.line)
    headers = sorted(account.headers, key=lambda line: (line.file, line.number))
    for line in (*headers, *(portion.line for portion in account.found.portions)):
        if LOST in line.text:
            said = f"{shown(line.text)} has characters that are lost, or a formula whose value is not stored"
            yield Remark("unsure", said, line)
    if later := account.found.later:
        said = "a second game begins here: the rest is left out, import it by itself"
        yield Remark("unsure", said, later[0])


def _parts(account: Account, portion: Portion) -> Iterator[tuple[str, str]]:
    """The parts of a line, each with the reason why it is left over, or nothing."""
    moves = iter(_are_settled(account, portion))
    for place, one in enumerate(portion.segments):
        why = ""
        if one.kind in ("move", "rest"):
            why = "" if next(moves) else "looks like a move, and became none"
        elif one.kind == "number" and _is_other_value(account.game, portion.segments, place, {"("}):
            why = "looks like a part of a move, and became none"
        elif one.kind == "word" and not portion.settled:
            is_like_one = _looks_like_move(account.game, portion.segments, place)
            why = "looks like a move or a part of one, and became none" if is_like_one else ""
        if not is_comment(one.text):
            yield one.text, why


def _are_settled(account: Account, portion: Portion) -> Iterator[bool]:
    """True for each move of a line that became one, or surely is none."""
    moves = [one for one in portion.segments if one.kind in ("move", "rest")]
    known = [place in account.settled for place in portion.places]
    if len(known) == 1:
        known *= len(moves)
    rest = portion.repeats or portion.settled
    yield from (known[place] if place < len(known) else rest for place in range(len(moves)))


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


def _without_effect(account: Account, portion: Portion) -> Iterator[str]:
    """Why a line may be a correction, a header or an end that had no effect."""
    text = portion.line.text
    if not portion.settled and announces_correction(without_politeness(account.game, text)):
        yield "may be a correction, and corrects nothing"
    key = text.partition(":")[0].strip().casefold()
    if ":" in text and (key in _KEYS or key in {option.name for option in game_named(account.game).options}):
        yield "is a line of a header, and its value does not fit"
    if not account.is_over and portion.line not in account.ends and speaks_of_end(text):
        yield "may be the end of the game, and is not taken for it"
