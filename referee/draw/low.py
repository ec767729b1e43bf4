"""The report of a position for a terminal of few lines, so that nothing important scrolls away."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from referee.draw import drawing
from referee.draw.scenes.ink import is_note, plain_lines
from referee.draw.text import (
    board_of,
    headed,
    low_board,
    made_text,
    report_lines,
    result_lines,
    standing_lines,
    summary_lines,
    title_lines,
)
from referee.game import GameFile, Ply

_CUT = " ..."


def low_report(
    game: GameFile, plies: Sequence[Ply], *, view: str, unicode: bool, width: int, height: int
) -> list[str]:
    """The report after the last of some plies, with the changes of all of them, in at most `height` lines.

    For this, the legend is left out, then blank lines; in the end, all changes are one text, which may be cut. A
    board that is higher still is drawn whole.
    """
    ply = plies[-1]
    earlier = [line for one in plies[:-1] for line in _story(one, width)]
    whole = plain_lines(report_lines(game, ply, view=view, unicode=unicode, width=width))
    if len(earlier) + len(whole) <= height:
        return [*earlier, *whole]
    bare = [line for line in board_of(ply, view=view, unicode=unicode, width=width) if not is_note(line)]
    tight = [line for line in plain_lines(bare) if line]
    title = list(title_lines(game, ply, width))
    for found in ([*title, "", *plain_lines(bare)], [title[0], *tight]):
        lines = [*earlier, *found, *summary_lines(ply, width)]
        if len(lines) <= height:
            return lines
    low = low_board(ply.position, view, ply.events, unicode=unicode, width=width)
    found = [title[0], *low, *standing_lines(ply, width), *result_lines(ply, width)]
    return [*found, *_cut_story(plies, width, max(1, height - len(found)))]


def _story(ply: Ply, width: int) -> Iterator[str]:
    """An earlier ply with its changes, which the board does not show."""
    yield from textwrap.wrap(made_text(ply), width)
    for event in ply.events:
        sentence = drawing(ply.position.game).sentence(event)
        yield from textwrap.wrap(f"- {sentence}", width, initial_indent="  ", subsequent_indent="    ")


def _cut_story(plies: Sequence[Ply], width: int, most: int) -> list[str]:
    """The plies and their changes as one text; the changes of earlier plies only if there is room."""
    known = [one for one in plies if one.number]
    if not known:
        return []
    heading = "last ply" if len(known) == 1 else "last plies"
    whole = " ".join(f"{_told(one)}." for one in known)
    last = "; ".join([*map(made_text, known[:-1]), _told(known[-1])])
    for text in (whole, last):
        lines = headed(heading, text, width)
        if len(lines) <= most:
            return lines
    return [*lines[: most - 1], lines[most - 1][: width - len(_CUT)].rstrip() + _CUT]


def _told(ply: Ply) -> str:
    sentence = drawing(ply.position.game).sentence
    events = "; ".join(map(sentence, ply.events))
    return f"{made_text(ply)}: {events}" if events else made_text(ply)
