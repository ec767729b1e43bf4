"""Words among the moves that say how a game ended, which belongs in the header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from referee.errors import shown
from referee.rules import Termination

BY_A_SIDE = frozenset((Termination.RESIGNATION, Termination.TIMEOUT, Termination.REPETITION))
"""The ends that need the name of a side."""

_SAID = {
    Termination.RESIGNATION: r"resign(?:s|ed|ation)?|concede[sd]?|(?:gives?|gave|given) (?:up|in)|surrender(?:s|ed)?",
    Termination.AGREEMENT: r"drawn?|draw agreed|draw by agreement|agreed draw|tie|remis|agreement|1/2(?: ?- ?1/2)?",
    Termination.TIMEOUT: r"time ?out|timed out|(?:lost |loses |out )(?:on |of )?time|flag(?:ged)?|overtime"
    r"|flag fell|(?:exceed|overstep)(?:s|ed|ped) (?:the |their |his |her )?time(?: limit)?",
    Termination.REPETITION: r"repetition|draw by repetition|threefold",
    Termination.ADJUDICATION: r"adjudicat(?:ed|ion)",
}
_EITHER = r"forfeit(?:s|ed)?|default(?:s|ed)?"
_RESULT = re.compile(r"(?P<first>\d+) ?[-:] ?(?P<second>\d+)")
_PASS = r"pass(?:es|ed)?|skips?|no move|null|-{1,3}"
_LONGEST = 60


def ends_in(text: str) -> tuple[Termination, ...]:
    """The ends of a game that a sentence speaks of."""
    return tuple(how for how, said in _SAID.items() if re.search(rf"(?<!\w)(?:{said})(?!\w)", text.casefold()))


class Ending(NamedTuple):
    """Words instead of a move: the reason why they are none, and the header lines that say the same."""

    message: str
    lines: tuple[str, ...] = ()


def spoken_ending(text: str, sides: Sequence[str], side: str | None) -> Ending | None:
    """The end of a game that a text names where a move should be, perhaps one of a side's; None if none."""
    if len(text) > _LONGEST:
        return None
    words = " ".join(text.casefold().strip(" .!").split())
    named = "|".join(map(re.escape, sides))
    spoken = re.fullmatch(rf"(?:(?P<side>{named}|i|we) )?(?:(?:offers?|claims?) (?:a )?)?(?P<said>.+)", words)
    said = spoken["said"] if spoken else words
    loser = spoken["side"] if spoken and spoken["side"] in sides else side
    if re.fullmatch(_PASS, said):
        return Ending(f"{shown(text)} is not a move: the side to move has to make one")
    if found := _RESULT.fullmatch(said):
        return _with_result(text, sides, int(found["first"]), int(found["second"]))
    hows = [how for how, pattern in _SAID.items() if re.fullmatch(pattern, said)]
    if re.fullmatch(_EITHER, said):
        hows = [Termination.RESIGNATION, Termination.TIMEOUT]
    return _told(text, hows, loser) if hows else None


def termination_said(text: str) -> Termination | None:
    """The end that a text names in other words, such as `draw` for an agreement."""
    words = " ".join(text.casefold().strip(" .!").split())
    return next(
        (how for how, pattern in _SAID.items() if len(text) <= _LONGEST and re.fullmatch(pattern, words)), None
    )


def _with_result(text: str, sides: Sequence[str], first: int, second: int) -> Ending | None:
    """A result such as 1-0: the side with less resigned or ran out of time, unless the moves show the end."""
    if len(sides) != 2:
        return None
    if first == second:
        return _told(text, [Termination.AGREEMENT], None)
    return _told(text, [Termination.RESIGNATION, Termination.TIMEOUT], sides[0] if first < second else sides[1])


def _told(text: str, hows: Sequence[Termination], loser: str | None) -> Ending:
    by = {how: f", by: {loser}" if how in BY_A_SIDE else "" for how in hows if loser or how not in BY_A_SIDE}
    lines = tuple(f"end: {{how: {how}{side}}}" for how, side in by.items())
    return Ending(f"{shown(text)} is not a move: the key 'end' in the header says how a game ended", lines)
