"""The report of a position in plain text, readable in a letter."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from referee.draw import drawing
from referee.game import GameFile, Ply
from referee.game.dumper import annotated_text
from referee.rules import Outcome, Position, movers, score_text
from referee.terminal import join_words

REPORT_WIDTH = 78
_HEADING = 14


def report_text(game: GameFile, ply: Ply, *, view: str, unicode: bool = False) -> str:
    """The position after a ply: board, score, what changed, who is to move."""
    draw = drawing(game.game)
    position, events, outcome = ply.position, ply.events, ply.outcome
    lines = [*_title(game, ply), "", *draw.board(position, view=view, unicode=unicode, events=events), ""]
    lines += _told("score", score_text(score_after(ply)))
    for heading, text in draw.standing(position):
        lines += _told(heading, text)
    if ply.number:
        made = (f"{side} {annotated_text(noted)}" for side, noted in ply.annotated.items())
        lines += _told("last ply", "; ".join(made))
        for event in events:
            lines += _told("", f"- {draw.sentence(event)}")
    lines += _told("result", ending_text(outcome, position.sides)) if outcome else _told("to move", _turn(position))
    return "\n".join(line.rstrip() for line in lines)


def _title(game: GameFile, ply: Ply) -> Iterator[str]:
    place = f"round {ply.round}, after ply {ply.number}" if ply.number else "before the first ply"
    yield f"{game.description.title}: {place}"
    about = [text for text in (game.event, game.date, game.id) if text]
    if about:
        yield from textwrap.wrap(", ".join(about), REPORT_WIDTH)
    if game.players:
        named = (f"{side}: {player.name}" for side, player in game.players.items())
        yield from textwrap.wrap("   ".join(named), REPORT_WIDTH)


def _told(heading: str, text: str) -> list[str]:
    """A heading and its text, wrapped beside it."""
    return textwrap.wrap(
        text,
        REPORT_WIDTH,
        initial_indent=heading.ljust(_HEADING),
        subsequent_indent=" " * (_HEADING + (2 if text.startswith("- ") else 0)),
    )


def score_after(ply: Ply) -> Mapping[str, int]:
    """The points of every side or team that has a score."""
    return ply.outcome.score if ply.outcome else ply.position.score


def ending_text(outcome: Outcome, sides: Sequence[str]) -> str:
    """How a game ended: the winner and the reason."""
    nobody = "a draw" if len(sides) == 2 else "nobody wins"
    return f"{f'{outcome.winner} wins' if outcome.winner else nobody} ({outcome.termination})"


def duel_text(winner: str | None, mover: str) -> str:
    """The state of a game of two who take turns: who has won, or who is to move."""
    return f"{winner} has won" if winner else f"{mover} to move"


def _turn(position: Position) -> str:
    due = movers(position)
    if not due:
        return "nobody, until the referee reveals what comes next"
    return f"{join_words(due)}{', at the same time' if len(due) > 1 else ''}"
