"""An engine's comments on a game: the value of each ply, and marks for moves that opponents could have punished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from referee.engine.choice import dice_for, ponder, search_of
from referee.engine.levels import level_of
from referee.engine.search.evaluation import SURE, lead
from referee.engine.search.prospect import CostSearch, Prospect
from referee.game import AnnotatedMove, GameFile, Ply
from referee.game.valuations import CERTAIN, line_comment, notable, remarks, value_comment
from referee.rules import Move, Moves, Outcome, Position, Termination, game_named, movers

if TYPE_CHECKING:
    from referee.engine.program import Program

BAD, TERRIBLE = 100, 300
"""Minimum costs of a move that is marked `?`, and of one that is marked `??`, in hundredths of a point."""

ORDINARY = 2
"""The level of an ordinary opponent."""

LINE = 4
"""Maximum plies of a line in a comment."""

Occasion = tuple[Position, Moves]
"""A position, and the moves that were made there."""


class Insight(NamedTuple):
    """An engine's view of a position.

    Attributes:
        found: the engine's move for each side that is to move.
        costs: the cost of another move that was made, in hundredths of a point, against an ordinary opponent.
    """

    found: Mapping[str, Prospect]
    costs: Mapping[str, int]


Each = Callable[[Callable[[Occasion], Insight], Iterable[Occasion]], Iterable[Insight]]
"""A function like `map`, which applies a function to items in order."""


def annotated(game: GameFile, level: int = 6, each: Each = map, program: Program | None = None) -> GameFile:
    """The game with values, lines and marks from an engine of a level, or from a program.

    They replace those of an engine, but not people's marks and comments. A `?` or `??` with a better line counts as
    an engine's. `each` can use other processes.

    Raises:
        FileError: a move of the game is refused.
        RefereeError: `level`, `no-engine`, or `program`.
    """
    plies = list(game.replay())
    if not plies:
        return game
    occasions: list[Occasion] = [*((ply.before, ply.moves) for ply in plies), (plies[-1].position, {})]
    if program is None:
        looks = each(partial(look_at, level_of(level).number), occasions)
    else:
        history = [ply.moves for ply in plies]
        looks = (_opinions(program, one, history[:number]) for number, one in enumerate(occasions))
    noted = [
        one
        for ply, (look, following) in zip(plies, pairwise(looks), strict=True)
        for one in _noted(ply, look, following)
    ]
    waiting = iter(noted)
    rounds = tuple(one._replace(moves=tuple(next(waiting) for _ in one.moves)) for one in game.rounds)
    return replace(game, rounds=rounds)


def look_at(level: int, occasion: Occasion) -> Insight:
    """The view of an engine of a level on a position and the moves that were made there."""
    position, moves = occasion
    found = {side: ponder(position, side, level, sober=True) for side in movers(position)}
    others = {side: move for side, move in moves.items() if move != found[side].move}
    return Insight(found, {side: _cost(position, side, move, found[side], level) for side, move in others.items()})


def _opinions(program: Program, occasion: Occasion, history: Sequence[Moves]) -> Insight:
    """The view of a program. A move costs what its own view of the next position says, which `_proven_cost` finds."""
    position, moves = occasion
    found = {side: program.ponder(position, side, history).prospect() for side in movers(position)}
    others = {} if _has_own_cost(position) else {side for side, move in moves.items() if move != found[side].move}
    return Insight(found, dict.fromkeys(others, 2 * CERTAIN))


def _has_own_cost(position: Position) -> bool:
    """True if the position after a move does not show its cost."""
    return bool(game_named(position.game).engine) and isinstance(search_of(position), CostSearch)


def _cost(position: Position, side: str, move: Move, best: Prospect, level: int) -> int:
    """The cost of a move for its side against an ordinary opponent, in hundredths of a point."""
    search = search_of(position)
    if isinstance(search, CostSearch):
        return search.cost(position, side, move, level_of(level).nodes, dice_for(position, side, level, "cost"))
    after = position.play_unchecked({side: move})
    found = {one: ponder(after, one, min(level, ORDINARY), sober=True) for one in movers(after)}
    return _capped(best.value) - _value(after, after.outcome, found, side)


def _value(position: Position, outcome: Outcome | None, found: Mapping[str, Prospect], side: str) -> int:
    """The value of a position for a side, or for the team, by the moves that were found there."""
    if game_named(position.game).scored:
        return next(iter(found.values())).value if found else 100 * sum(position.score.values())
    if outcome is not None and outcome.termination == Termination.REPETITION:
        return 0
    if found:
        mover, finding = next(iter(found.items()))
        value = max(0, _capped(finding.value)) if position.claims(mover) else _capped(finding.value)
        return value if mover == side else -value
    if outcome is None or outcome.winner is None:
        return lead(position.score, side)
    return CERTAIN if outcome.winner == side else -CERTAIN


def _noted(ply: Ply, look: Insight, following: Insight) -> Iterator[AnnotatedMove]:
    """The moves of a ply with the engine's marks and comments; the last one has the value."""
    *_, last = ply.annotated
    for side, noted in ply.annotated.items():
        mark, comments = _own(noted, ply.position.game)
        cost = _proven_cost(ply, side, look, following)
        won = ply.outcome is not None and ply.outcome.winner == side
        if cost is not None and (cost >= BAD or (len(ply.moves) == 1 and not won)):
            comments.append(line_comment(look.found[side].line[:LINE], better=cost >= BAD))
        if cost is not None and cost >= BAD:
            mark = mark or ("??" if cost >= TERRIBLE else "?")
        if side == last:
            first = ply.position.sides[0]
            comments.append(value_comment(_value(ply.position, ply.outcome, following.found, first)))
        yield AnnotatedMove(noted.move, mark, tuple(comments))


def _own(noted: AnnotatedMove, game: str) -> tuple[str, list[str]]:
    """A move's mark and comments without those of an engine, whose marks go with a better line."""
    comments = [*remarks(noted.comments, game)]
    is_engines = noted.mark in ("?", "??") and len(notable(noted.comments, game)) > len(comments)
    return "" if is_engines else noted.mark, comments


def _proven_cost(ply: Ply, side: str, look: Insight, following: Insight) -> int | None:
    """The cost of a move against both a beginner and the engine itself; None for the engine's own choice."""
    cost = look.costs.get(side)
    if cost is None or _has_own_cost(ply.before):
        return cost
    return min(cost, _capped(look.found[side].value) - _value(ply.position, ply.outcome, following.found, side))


def _capped(value: int) -> int:
    return CERTAIN if value >= SURE else -CERTAIN if value <= -SURE else value
