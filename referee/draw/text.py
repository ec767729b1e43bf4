"""The report of a position in plain text, readable in a letter."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from referee.draw import PaintedDrawing, chair, drawing
from referee.draw.scenes.ink import Line, folded, plain_lines, unpainted
from referee.game import GameFile, Ply
from referee.game.file.dumper import annotated_text
from referee.rules import Event, Outcome, Position, Termination, movers, score_text, team_text
from referee.terminal import join_words

REPORT_WIDTH = 78
"""Columns of a letter: from here on boards are drawn as in letters, below in a narrow form if the game has one."""

NARROW_WIDTH = 45
"""Columns of a telephone: every narrow form fits into them."""

BOARD_WIDTH = 70
"""Columns of a text board and its legend: many mail programs break lines at 72, and quote with two signs."""

_HEADING = 14
_TIED = "\xa0"
"""A blank at which no line ends."""


def report_text(game: GameFile, ply: Ply, *, view: str, unicode: bool = False, width: int = REPORT_WIDTH) -> str:
    """The position after a ply: board, score, what changed, who is to move."""
    return "\n".join(plain_lines(report_lines(game, ply, view=view, unicode=unicode, width=width)))


def report_lines(game: GameFile, ply: Ply, *, view: str, unicode: bool, width: int) -> list[Line]:
    """The same with the paints of the game's scene."""
    draw = drawing(game.game)
    position, events, outcome = ply.position, ply.events, ply.outcome
    lines = [*_told("score", score_text(score_after(ply)), width)]
    for heading, text in draw.standing(position):
        lines += _told(heading, text, width)
    if ply.number:
        made = (f"{side} {annotated_text(noted)}" for side, noted in ply.annotated.items())
        lines += _told("last ply", "; ".join(made), width)
        for event in events:
            lines += _told("", f"- {draw.sentence(event)}", width)
    if outcome:
        lines += _told("result", ending_text(outcome, position.sides), width)
    else:
        lines += _told("to move", turn_text(position), width)
    board = _board(position, view=view, unicode=unicode, events=events, width=width)
    return [*unpainted(_title(game, ply, width)), (), *board, (), *unpainted(lines)]


def text_board(
    position: Position,
    view: str | None = None,
    events: tuple[Event, ...] = (),
    *,
    unicode: bool = False,
    width: int = REPORT_WIDTH,
) -> list[str]:
    """The board in plain text, without blanks at the ends of its lines.

    Args:
        position: of any game.
        view: the side whose view is shown, by default the first.
        events: what the last ply changed, to be marked.
        unicode: whether arrows and lines may be used beside ASCII.
        width: in columns, 45 at least; below 78 the board is narrow, or in parts.

    Raises:
        RefereeError: `unknown-side`.
    """
    return plain_lines(_board(position, view=chair(position, view), unicode=unicode, events=events, width=width))


def _board(position: Position, *, view: str, unicode: bool, events: tuple[Event, ...], width: int) -> list[Line]:
    """The board with its paints if the game gives them, else in plain text, in parts if it is too wide."""
    draw = drawing(position.game)
    if isinstance(draw, PaintedDrawing):
        return draw.board_lines(position, view=view, unicode=unicode, events=events, width=width)
    return unpainted(folded(draw.board(position, view=view, unicode=unicode, events=events), width))


def _title(game: GameFile, ply: Ply, width: int) -> Iterator[str]:
    place = f"round {ply.round}, after ply {ply.number}" if ply.number else "before the first ply"
    yield from textwrap.wrap(f"{game.description.title}: {place}", width)
    about = [text for text in (game.event, game.date, game.id) if text]
    if about:
        yield from textwrap.wrap(", ".join(about), width, break_on_hyphens=False)
    if game.players:
        named = (f"{side}: {player.name}" for side, player in game.players.items())
        yield from textwrap.wrap("   ".join(named), width)


def _told(heading: str, text: str, width: int) -> list[str]:
    """A heading and its text, wrapped beside it."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=heading.ljust(_HEADING),
        subsequent_indent=" " * (_HEADING + (2 if text.startswith("- ") else 0)),
    )


def legend(lines: Sequence[str], width: int) -> list[str]:
    """The meaning of a board's signs, wrapped between two of them; as wide as a board is in a letter, or less."""
    signs = "; ".join(one if len(one) > width else one.replace(" ", _TIED) for one in " ".join(lines).split("; "))
    told = textwrap.wrap(signs, min(width, BOARD_WIDTH), break_on_hyphens=False)
    return [line.replace(_TIED, " ") for line in told]


def score_after(ply: Ply) -> Mapping[str, int]:
    """The points of every side or team that has a score."""
    return ply.outcome.score if ply.outcome else ply.position.score


def ending_text(outcome: Outcome, sides: Sequence[str]) -> str:
    """How a game ended: the winner, or what the only team has scored, and the reason."""
    if (scored := team_text(outcome.score)) is not None:
        return scored if outcome.termination == Termination.SCORE else f"{scored} ({outcome.termination})"
    nobody = "a draw" if len(sides) == 2 else "nobody wins"
    return f"{f'{outcome.winner} wins' if outcome.winner else nobody} ({outcome.termination})"


def duel_text(winner: str | None, mover: str) -> str:
    """The state of a game of two who take turns: who has won, or who is to move."""
    return f"{winner} has won" if winner else f"{mover} to move"


def turn_text(position: Position) -> str:
    """Who is to move."""
    due = movers(position)
    if not due:
        return "nobody, until the referee reveals what comes next"
    return f"{join_words(due)}{', at the same time' if len(due) > 1 else ''}"
