"""Games as rows: one for each ply, with the same columns for every game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.errors import FileError
from referee.game import GameFile
from referee.game.file.judge import ending
from referee.rules import cursor_at


class PlyRow(NamedTuple):
    """One ply of a game; values of the whole game are the same in all of its rows.

    `file` is empty without a file, and `line` is that of an archive, from 1, or 0 for a game file. `players` are side
    -> name, `score` is side or team -> points after the ply. `winner` is None for a draw, and while the game runs;
    then `termination` is None too. `side`, `move` and `piece` have the ply's moves in the order of the sides, and
    `round` is its line in the move list, from 1.
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
    here = cursor_at(game.start())
    plies, scores = [], []
    for ply in game.turns(here, suggest=suggest):
        plies.append(ply)
        scores.append(here.position.score)
    outcome, findings = ending(game, here.position)
    if findings:
        raise FileError(game.file, findings)
    pieces = game.start().pieces(move for *_, moves in plies for move in moves.values())
    if outcome:
        scores[-1:] = [outcome.score]
    players = {side: player.name for side, player in game.players.items()}
    for number, ((line_of_moves, _, moves), score) in enumerate(zip(plies, scores, strict=True), 1):
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
            piece=tuple(next(pieces, (side, None))[1] for side in moves),
            score=score,
        )
