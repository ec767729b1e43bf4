"""Where the notes of one game end and those of a second one begin."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from referee.game.notes.lines import NoteLine

_HEADING = re.compile(
    r"^\W*(?:(?:our|the|my|and|now) )*"
    r"(?:second|third|fourth|2nd|3rd|4th|next|new|another|return|other) (?:game|match)\b"
    r"|^\W*(?:game|match|partie|board)\W{1,2}(?:no\.? ?|#)?(?:[2-9]|1\d|II|III|IV|B|two|three)\b|\brematch\b",
    re.IGNORECASE,
)
_TAG = re.compile(r'\[(?P<key>\w[\w -]*) "[^"]*"\]')


def first_game(
    lines: Sequence[NoteLine], holds_moves: Callable[[str], bool]
) -> tuple[Sequence[NoteLine], Sequence[NoteLine]]:
    """The lines of the first game, and those of later ones.

    A second game begins with a heading that says so, or with a tag that the first one has too; moves precede it and
    follow it.
    """
    known: set[str] = set()
    begun = False
    for place, line in enumerate(lines):
        tag = _TAG.fullmatch(line.text)
        is_heading = tag["key"] in known if tag else _HEADING.search(line.text) is not None
        if begun and is_heading and any(holds_moves(one.text) for one in lines[place + 1 :]):
            return lines[:place], lines[place:]
        if tag:
            known.add(tag["key"])
        elif not begun:
            begun = holds_moves(line.text)
    return lines, ()
