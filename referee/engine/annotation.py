"""An engine's eye on a game: what each ply was worth, and marks for what opponents could have punished."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from referee.engine.choice import dice_for, ponder, search_of
from referee.engine.evaluation import SURE, lead
from referee.engine.levels import level_of
from referee.engine.prospect import Prospect
from referee.game import GameFile, Ply
from referee.game.gamefile import AnnotatedMove
from referee.game.valuations import CERTAIN, value_comment, value_in
from referee.rules import Move, Position, game_named, movers

BAD, TERRIBLE = 100, 300
"""What a move costs that is marked `?`, and one that is marked `??`, in hundredths of a point."""

_BETTER = "better: "


def annotated(game: GameFile, level: int = 6) -> GameFile:
    """The game with values, better lines and marks from an engine of a level.

    What an engine said before is replaced; marks and comments of people stay.

    Raises:
        FileError: a move of the game is refused.
        RefereeError: `level`, or `no-engine`.
    """
    plies = list(game.replay())
    found = [_findings(ply.before, level) for ply in plies]
    noted: list[AnnotatedMove] = []
    for place, ply in enumerate(plies):
        value = _value_after(ply, found[place + 1] if place + 1 < len(plies) else None, level)
        noted += _noted(ply, found[place], value, level)
    waiting = iter(noted)
    rounds = tuple(one._replace(moves=tuple(next(waiting) for _ in one.moves)) for one in game.rounds)
    return replace(game, rounds=rounds)


def _findings(position: Position, level: int) -> dict[str, Prospect]:
    """What each side that is to move would do."""
    return {side: ponder(position, side, level, sober=True) for side in movers(position)}


def _value_after(ply: Ply, following: Mapping[str, Prospect] | None, level: int) -> int:
    """The value of the position after a ply for the first side, or for the team."""
    position, first = ply.position, ply.position.sides[0]
    found = following or _findings(position, level)
    if game_named(position.game).scored:
        return next(iter(found.values())).value if found else 100 * sum(position.score.values())
    if not found:
        outcome = ply.outcome
        won = 0 if outcome is None or outcome.winner is None else CERTAIN if outcome.winner == first else -CERTAIN
        return won or lead(position.score, first)
    side, finding = next(iter(found.items()))
    return finding.value if side == first else -finding.value


def _noted(ply: Ply, found: Mapping[str, Prospect], value: int, level: int) -> Iterator[AnnotatedMove]:
    """The moves of a ply with what the engine says of them; the value stands with the last one."""
    *_, last = ply.annotated
    for side, noted in ply.annotated.items():
        comments = [one for one in noted.comments if value_in(one) is None and not one.startswith(_BETTER)]
        mark = noted.mark
        cost = _cost(ply.before, side, noted.move, level) if found[side].move != noted.move else 0
        if cost >= BAD:
            mark = mark or ("??" if cost >= TERRIBLE else "?")
            comments.append(_BETTER + " ".join(map(str, found[side].line[:1])))
        if side == last:
            comments.append(value_comment(_capped(value)))
        yield AnnotatedMove(noted.move, mark, tuple(comments))


def _cost(position: Position, side: str, move: Move, level: int) -> int:
    """What a move costs its side, in hundredths of a point."""
    nodes, dice = level_of(level).nodes, dice_for(position, side, level, "cost")
    return search_of(position).cost(position, side, move, nodes, dice)


def _capped(value: int) -> int:
    return CERTAIN if value >= SURE else -CERTAIN if value <= -SURE else value
