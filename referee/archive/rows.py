"""Games as rows: one for each ply, with the same columns for every game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.errors import FileError
from referee.game import GameFile
from referee.game.file.judge import final_findings, outcome_of
from referee.rules.cursor import cursor


class PlyRow(NamedTuple):
    """One ply of a game; values of the whole game are the same in all of its rows.

    Attributes:
        file: the name of its file; empty if it has none.
        line: its line in an archive, from 1; 0 for a game file.
        id: its id.
        game: the set of rules.
        date: as in the header.
        event: as in the header.
        players: side -> name.
        plies: the number of plies of the game.
        winner: the side or team that won; None for a draw, and while the game runs.
        termination: the kind of end; None while the game runs.
        ply: the number of the ply, from 1.
        round: the line of the move list, from 1.
        side: the side of each move of the ply, in the order of the sides.
        move: the moves in canonical notation.
        piece: the piece of each move, or None.
        score: side or team -> points after the ply.
    """

    file: str
    line: int
    id: str | None
    game: str
    date: str | None
    event: str | None
    players: Mapping[str, str]
    plies: int
    winner: str | None
    termination: str | None
    ply: int
    round: int
    side: tuple[str, ...]
    move: tuple[str, ...]
    piece: tuple[str | None, ...]
    score: Mapping[str, int]


def rows_of(game: GameFile, line: int = 0, *, suggest: bool = False) -> Iterator[PlyRow]:
    """The rows of a game; FileError for a wrong game, whose moves get suggestions with `suggest`."""
    here = cursor(game.start())
    positions = [here.position]
    plies = []
    for ply in game.turns(here, here.play, suggest=suggest):
        plies.append(ply)
        positions.append(here.position)
    outcome = outcome_of(game, positions[-1])
    if findings := final_findings(game, positions[-1]):
        raise FileError(game.file, findings)
    scores = [position.score for position in positions[1:]]
    if outcome:
        scores[-1:] = [outcome.score]
    players = {side: player.name for side, player in game.players.items()}
    for number, ((line_of_moves, _, moves), before, score) in enumerate(
        zip(plies, positions, scores, strict=False), 1
    ):
        yield PlyRow(
            file=game.file,
            line=line,
            id=game.id,
            game=game.game,
            date=game.date,
            event=game.event,
            players=players,
            plies=len(plies),
            winner=outcome.winner if outcome else None,
            termination=str(outcome.termination) if outcome else None,
            ply=number,
            round=line_of_moves,
            side=tuple(moves),
            move=tuple(map(str, moves.values())),
            piece=tuple(before.piece_of(side, move) for side, move in moves.items()),
            score=score,
        )
