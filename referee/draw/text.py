"""The report of a position in plain text, readable in a letter."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from referee.draw import PaintedDrawing, PlainDrawing, chair, drawing
from referee.draw.scenes.ink import Line, folded, plain_lines, unpainted
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

_HEADING = 14
_TIED = "\xa0"
"""A blank that never ends a line."""


def report_text(game: GameFile, ply: Ply, *, view: str, unicode: bool = False, width: int = REPORT_WIDTH) -> str:
    """The position after a ply: board, score, changes, sides to move."""
    return "\n".join(plain_lines(report_lines(game, ply, view=view, unicode=unicode, width=width)))


def report_lines(game: GameFile, ply: Ply, *, view: str, unicode: bool, width: int) -> list[Line]:
    """The same with the paints of the game's scene."""
    draw = drawing(game.game)
    position, events, outcome = ply.position, ply.events, ply.outcome
    lines = [*_headed("score", score_text(score_after(ply)), width)]
    for heading, text in draw.standing(position):
        lines += _headed(heading, text, width)
    if ply.number:
        made = (f"{side} {annotated_text(noted)}" for side, noted in ply.annotated.items())
        lines += _headed("last ply", "; ".join(made), width)
        for event in events:
            lines += _headed("", f"- {draw.sentence(event)}", width)
    if outcome:
        lines += _headed("result", ending_text(outcome, position.sides), width)
    else:
        lines += _headed("to move", turn_text(position), width)
    board = _board(position, view=view, unicode=unicode, events=events, width=width)
    return [*unpainted(_title(game, ply, width)), (), *board, (), *unpainted(lines)]


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
    lines = plain_lines(_board(position, view=chair(position, view), unicode=unicode, events=events, width=width))
    if not explained and isinstance(drawing(position.game), PaintedDrawing):
        return lines[: len(lines) - 1 - lines[::-1].index("")]
    return lines


def _board(position: Position, *, view: str, unicode: bool, events: tuple[Event, ...], width: int) -> list[Line]:
    """The board with its paints if the game gives them, else in plain text, in parts if it is too wide."""
    draw = drawing(position.game)
    if isinstance(draw, PaintedDrawing):
        return draw.board_lines(position, view=view, unicode=unicode, events=events, width=width)
    return unpainted(
        folded(cast(PlainDrawing, draw).board(position, view=view, unicode=unicode, events=events), width)
    )


def _title(game: GameFile, ply: Ply, width: int) -> Iterator[str]:
    place = f"round {ply.round}, after ply {ply.number}" if ply.number else "before the first ply"
    yield from textwrap.wrap(f"{game.description.title}: {place}", width)
    about = [text for text in (game.event, game.date, game.id) if text]
    if about:
        yield from textwrap.wrap(", ".join(about), width, break_on_hyphens=False)
    if game.players:
        named = (f"{side}: {player.name}" for side, player in game.players.items())
        yield from textwrap.wrap("   ".join(named), width)


def _headed(heading: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=heading.ljust(_HEADING),
        subsequent_indent=" " * (_HEADING + (2 if text.startswith("- ") else 0)),
    )


def legend(lines: Sequence[str], width: int) -> list[str]:
    """The meaning of a board's signs, wrapped between two of them; at most as wide as a board in a letter."""
    signs = "; ".join(one if len(one) > width else one.replace(" ", _TIED) for one in " ".join(lines).split("; "))
    wrapped = textwrap.wrap(signs, min(width, BOARD_WIDTH), break_on_hyphens=False)
    return [line.replace(_TIED, " ") for line in wrapped]


def score_after(ply: Ply) -> Mapping[str, int]:
    """The points of every side or team that has a score."""
    return ply.outcome.score if ply.outcome else ply.position.score


def ending_text(outcome: Outcome, sides: Sequence[str]) -> str:
    """The end of a game: the winner, or the score of the only team, and the reason."""
    if (scored := team_text(outcome.score)) is not None:
        return scored if outcome.termination == Termination.SCORE else f"{scored} ({outcome.termination})"
    tie = "a draw" if len(sides) == 2 else "no winner"
    return f"{f'{outcome.winner} wins' if outcome.winner else tie} ({outcome.termination})"


def duel_text(winner: str | None, mover: str) -> str:
    """The state of a game of two sides in turn: the winner, or the side to move."""
    return f"{winner} has won" if winner else f"{mover} to move"


def turn_text(position: Position) -> str:
    """The sides to move."""
    due = movers(position)
    if not due:
        return "no player, until the referee reveals what comes next"
    return f"{join_words(due)}{', at the same time' if len(due) > 1 else ''}"
