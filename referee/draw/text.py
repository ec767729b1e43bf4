"""The report of a position in plain text, readable in a letter."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import cast

from referee.draw import LowDrawing, PaintedDrawing, PlainDrawing, chair, drawing
from referee.draw.scenes.ink import LegendLine, Line, folded, is_note, plain_lines, unpainted
from referee.game import GameFile, Ply
from referee.game.file.dumper import annotated_text
from referee.rules import Event, Outcome, Position, Termination, movers, score_text, team_text
from referee.terminal import join_words

REPORT_WIDTH = 78
"""Columns of a letter's boards; below this width boards have a narrow form if the game has one."""

NARROW_WIDTH = 45
"""Columns of a telephone, enough for every narrow form."""

BOARD_WIDTH = 70
"""Columns of a text board and its legend: many mail programs break lines at 72, and quote with two signs."""

_DIAGRAM = re.compile(r"diagram(?:: *(?P<caption>.+))?", re.IGNORECASE)

_HEADING = 14
_TIED = "\xa0"
"""A blank that never ends a line."""

_CUT = " ..."


def report_text(game: GameFile, ply: Ply, *, view: str, unicode: bool = False, width: int = REPORT_WIDTH) -> str:
    """The position after a ply: board, score, changes, sides to move."""
    return "\n".join(plain_lines(report_lines(game, ply, view=view, unicode=unicode, width=width)))


def report_lines(game: GameFile, ply: Ply, *, view: str, unicode: bool, width: int) -> list[Line]:
    """The same with the paints of the game's scene."""
    board = board_runs(ply.position, view=view, unicode=unicode, events=ply.events, width=width)
    return [*unpainted(title_lines(game, ply, width)), (), *board, (), *unpainted(summary_lines(ply, width))]


def low_report(
    game: GameFile, plies: Sequence[Ply], *, view: str, unicode: bool, width: int, height: int
) -> list[str]:
    """The report after the last of some plies, with the changes of all of them, in at most `height` lines.

    For this, the legend is left out, then blank lines; in the end, all changes are one text, which may be cut. A
    board that is higher still is drawn whole.
    """
    ply = plies[-1]
    earlier = [
        line for one in plies[:-1] for line in (*textwrap.wrap(made_text(one), width), *change_lines(one, width))
    ]
    whole = plain_lines(report_lines(game, ply, view=view, unicode=unicode, width=width))
    if len(earlier) + len(whole) <= height:
        return [*earlier, *whole]
    board = board_runs(ply.position, view=view, unicode=unicode, events=ply.events, width=width)
    bare = [line for line in board if not is_note(line)]
    tight = [line for line in plain_lines(bare) if line]
    title = list(title_lines(game, ply, width))
    for found in ([*title, "", *plain_lines(bare)], [title[0], *tight]):
        lines = [*earlier, *found, *summary_lines(ply, width)]
        if len(lines) <= height:
            return lines
    low = low_board(ply.position, view, ply.events, unicode=unicode, width=width)
    found = [title[0], *low, *standing_lines(ply, width), *result_lines(ply, width)]
    return [*found, *_cut_story(plies, width, max(1, height - len(found)))]


def change_lines(ply: Ply, width: int) -> Iterator[str]:
    """The changes of a ply, which a later board does not show."""
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


def standing_lines(ply: Ply, width: int) -> list[str]:
    """The score, and the rest of the position in words."""
    lines = headed("score", score_text(score_after(ply)), width)
    for heading, text in drawing(ply.position.game).standing(ply.position):
        lines += headed(heading, text, width)
    return lines


def summary_lines(ply: Ply, width: int) -> list[str]:
    """The position in words, the last ply with its changes, and the sides to move or the result."""
    lines, due = standing_lines(ply, width), headed("to move", turn_text(ply.position), width)
    if ply.number:
        lines += headed("last ply", made_text(ply), width)
        for event in ply.events:
            lines += headed("", f"- {drawing(ply.position.game).sentence(event)}", width)
    return [*lines, *(result_lines(ply, width) or due)]


def result_lines(ply: Ply, width: int) -> list[str]:
    """The end of the game, if it is over."""
    return headed("result", ending_text(ply.outcome, ply.position.sides), width) if ply.outcome else []


def made_text(ply: Ply) -> str:
    """The moves of a ply by side."""
    return "; ".join(f"{side} {annotated_text(noted)}" for side, noted in ply.annotated.items())


def diagram_in(comment: str) -> str | None:
    """The caption of the board that a comment asks for, "" without one; None if it asks for none."""
    asked = _DIAGRAM.fullmatch(comment)
    return None if asked is None else asked["caption"] or ""


def own_plies(line: GameFile) -> Iterator[tuple[str, tuple[str, ...], Ply]]:
    """The plies of a variation, each behind its number, "" within a round, and the comments before it."""
    assert line.branch is not None
    made, label, size = line.branch.made, "{}. \u2026", line.description.moves_per_round
    known = len(line.branch.game.rounds[line.branch.round - 1].comments) if made else 0
    for ply in line.plies[line.first_own_ply - 1 :]:
        before = line.rounds[ply.round - 1].comments[known:] if label else ()
        yield (label if made or not label else "{}.").format(ply.round), before, ply
        made = (made + len(ply.annotated)) % size
        known, label = 0, "" if made else "{}."


def text_board(
    position: Position,
    view: str | None = None,
    events: tuple[Event, ...] = (),
    *,
    unicode: bool = False,
    width: int = REPORT_WIDTH,
    explained: bool = True,
) -> list[str]:
    """The board in plain text, with marks for `events`, and without blanks at the ends of its lines.

    The width is at least 45 columns; below 78 the board is narrow, or in parts. A board with paints has the meaning
    of its signs if it is `explained`.

    Raises:
        RefereeError: `unknown-side`.
    """
    lines = plain_lines(board_runs(position, view=chair(position, view), unicode=unicode, events=events, width=width))
    if not explained and "" in lines and isinstance(drawing(position.game), PaintedDrawing):
        return lines[: len(lines) - 1 - lines[::-1].index("")]
    return lines


def low_board(
    position: Position,
    view: str,
    events: tuple[Event, ...],
    *,
    explained: bool = False,
    unicode: bool = False,
    width: int = REPORT_WIDTH,
) -> list[str]:
    """The board in as few lines as possible, and its legend below an empty line if it is `explained`."""
    draw = drawing(position.game)
    drawn = draw.low_board_lines if isinstance(draw, LowDrawing) else board_runs
    lines = drawn(position, view=view, unicode=unicode, events=events, width=width)
    legend = plain_lines(filter(is_note, lines))
    board = [line for line in plain_lines(one for one in lines if not is_note(one)) if line]
    return [*board, "", *legend] if legend and explained else board


def board_runs(position: Position, *, view: str, unicode: bool, events: tuple[Event, ...], width: int) -> list[Line]:
    """The board with its paints if the game gives them, else in plain text, in parts if it is too wide."""
    draw = drawing(position.game)
    if isinstance(draw, PaintedDrawing):
        return draw.board_lines(position, view=view, unicode=unicode, events=events, width=width)
    return unpainted(
        folded(cast(PlainDrawing, draw).board(position, view=view, unicode=unicode, events=events), width)
    )


def title_lines(game: GameFile, ply: Ply, width: int) -> Iterator[str]:
    """The game, its round and ply; in further lines its event and its players."""
    place = f"round {ply.round}, after ply {ply.number}" if ply.number else "before the first ply"
    yield from textwrap.wrap(f"{game.description.title}: {place}", width)
    about = [text for text in (game.event, game.date, game.id) if text]
    if about:
        yield from textwrap.wrap(", ".join(about), width, break_on_hyphens=False)
    if game.players:
        named = (f"{side}: {player.name}" for side, player in game.players.items())
        yield from textwrap.wrap("   ".join(named), width)


def headed(heading: str, text: str, width: int) -> list[str]:
    """A text behind its heading."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=heading.ljust(_HEADING),
        subsequent_indent=" " * (_HEADING + (2 if text.startswith("- ") else 0)),
    )


@lru_cache
def legend(lines: tuple[str, ...], width: int) -> tuple[Line, ...]:
    """The meaning of a board's signs, wrapped between two of them; at most as wide as a board in a letter."""
    signs = "; ".join(one if len(one) > width else one.replace(" ", _TIED) for one in " ".join(lines).split("; "))
    wrapped = textwrap.wrap(signs, min(width, BOARD_WIDTH), break_on_hyphens=False)
    return tuple((LegendLine(line.replace(_TIED, " ")),) for line in wrapped)


def score_after(ply: Ply) -> Mapping[str, int]:
    """The points of every side or team that has a score."""
    return ply.outcome.score if ply.outcome else ply.position.score


def ending_text(outcome: Outcome, sides: Sequence[str]) -> str:
    """The end of a game: the winner, or the score of the only team, and the reason."""
    if (scored := team_text(outcome.score)) is not None:
        return scored if outcome.termination == Termination.SCORE else f"{scored} ({outcome.termination})"
    tie = "a draw" if len(sides) == 2 else "no winner"
    return f"{f'{outcome.winner} wins' if outcome.winner else tie} ({outcome.termination})"


def result_text(ply: Ply) -> str:
    """The score after the last ply of a game, and its end if it is over."""
    end = ending_text(ply.outcome, ply.position.sides) if ply.outcome else "not over yet"
    return f"{score_text(score_after(ply))} \u2013 {end}"


def duel_text(winner: str | None, mover: str) -> str:
    """The state of a game of two sides in turn: the winner, or the side to move."""
    return f"{winner} has won" if winner else f"{mover} to move"


def turn_text(position: Position) -> str:
    """The sides to move."""
    due = movers(position)
    if not due:
        return "no player, until the referee reveals what comes next"
    return f"{join_words(due)}{', at the same time' if len(due) > 1 else ''}"
