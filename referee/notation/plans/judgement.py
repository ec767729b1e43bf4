"""The move of a plan when its condition holds, and the judgement on a plan before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from referee.errors import IllegalMove, Span
from referee.notation.plans.plan import Branch, Moment, Plan, Reply, SquareCondition, standing
from referee.rules import Move, Position, game_named

_MOST_REPLIES = 150
"""Maximum replies after which a move for all cases is tried."""


def follow(
    plan: Plan, side: str, before: Position, plies: Sequence[Mapping[str, Move]], after: Position
) -> tuple[Move, Plan] | None:
    """The move that a plan has for a side that owes one, and the plan from then on; None if the plan is spent.

    `before` is the position in which the side last moved, `plies` are the moves by side of each ply since, its own
    included, and `after` is the position now.
    """
    alone = bool(plies) and plies[0].keys() == {side}
    left = before.play_unchecked(plies[0]) if alone else before
    made = frozenset((one, move) for ply in plies for one, move in ply.items() if one != side)
    moment = Moment(side, left, made, after)
    if any(all(term.holds(moment) for term in terms) for terms in plan.stops):
        return None
    branch = next((one for one in plan.branches if all(term.holds(moment) for term in one.terms)), None)
    legal = after.legal_moves(side)
    move = next((one for one in branch.moves if one in legal), None) if branch else None
    return None if branch is None or move is None else (move, replace(plan, branches=branch.branches))


def judge(plan: Plan, position: Position, side: str) -> None:
    """Judge a plan as far as possible, given the position after the side's own move, or the one in which all move.

    With two sides that move in turn, the lines are played out as long as the position is certain. Otherwise only the
    first conditions are judged, and names of places. IllegalMove for a condition or a move that is impossible, with
    its line of `str(plan)`.
    """
    position.expect_side(side)
    known = chain([None] * len(plan.stops), _known(plan.branches, position, side))
    for number, ((text, branch), here) in enumerate(zip(plan.lines(), known, strict=False), 1):
        if (fault := next(_faults(branch, here, position, side), None)) is not None:
            said = f"line {number}, '{text.strip()}': {fault.message}"
            raise IllegalMove(fault.code, said, span=Span(number, 1))


def _known(branches: tuple[Branch, ...], position: Position | None, side: str) -> Iterator[Position | None]:
    """The position before the others' reply in which each branch is asked, in order; None where it is not certain."""
    for branch in branches:
        yield position
        yield from _known(branch.branches, _after(branch, position, side), side)


def _after(branch: Branch, position: Position | None, side: str) -> Position | None:
    """The position after a reply and the move for it, if both are certain."""
    replies = _replies(branch, position, side) if branch.terms else []
    if len(replies) != 1:
        return None
    move = next((move for move in branch.moves if move in replies[0].legal_moves(side)), None)
    after = replies[0].play_unchecked({side: move}) if move else None
    return after if after and (after.to_move or after.outcome) else None


def _replies(branch: Branch, position: Position | None, side: str) -> list[Position]:
    """The positions after each reply for which a branch is asked, where one of two sides moves at a time."""
    if (
        position is None
        or not game_named(position.game).trials
        or len(position.sides) > 2
        or len(position.to_move) != 1
        or side in position.to_move
    ):
        return []
    (rival,) = position.to_move
    moves = _named(branch) or [*islice(position.legal_moves(rival), _MOST_REPLIES + 1)]
    return [position.play_unchecked({rival: move}) for move in moves if len(moves) <= _MOST_REPLIES]


def _named(branch: Branch) -> list[Move]:
    """The moves of others that a branch names."""
    return [move for term in branch.terms if isinstance(term, Reply) for move in term.moves]


def _faults(branch: Branch, known: Position | None, start: Position, side: str) -> Iterator[IllegalMove]:
    """The reasons why a branch is impossible: in the position in which it is asked, or at least on this board."""
    here = known or start
    is_certain = known is not None and (len(start.sides) == 2 or side in here.to_move)
    if here.outcome:
        yield here.out_of_turn()
    for term in branch.terms:
        if isinstance(term, SquareCondition) and term.cell not in standing(start, side):
            yield IllegalMove("unknown-cell", f"{term.cell} is no cell that a condition can name")
        if isinstance(term, Reply) and term.side == side:
            yield IllegalMove("not-your-turn", "a condition is about moves of other sides")
        if isinstance(term, Reply):
            makers = [one for one in here.to_move - {side} if term.side in ("", one)]
            refused = ([_refusal(here, one, move) for one in makers] for move in term.moves)
            yield from (one[0] for one in refused if one and one[0] and all(one) and (is_certain or _is_off(one[0])))
    yield from _hopeless(branch, known, side)
    own = _own_turn(start, side)
    refusals = (_refusal(own, side, move) for move in branch.moves if own)
    yield from (one for one in refusals if one and _is_off(one))


def _hopeless(branch: Branch, known: Position | None, side: str) -> Iterator[IllegalMove]:
    """The refusal of a branch's moves if none is legal, after a reply that it names or after each of all replies."""
    named = _named(branch)
    after = [one for one in _replies(branch, known, side) if side in one.to_move or (one.outcome and named)]
    answers = [[_refusal(one, side, move) for move in branch.moves] for one in after]
    failed = [refused[0] for refused in answers if refused and refused[0] and all(refused)]
    if failed and (named or len(failed) == len(answers)):
        yield failed[0]


def _own_turn(position: Position, side: str) -> Position | None:
    """A position in which a side is to move, on the same board; None if none follows soon."""
    for _ in position.sides:
        if side in position.to_move or not position.to_move:
            break
        position = _going_on(position)
    return position if side in position.to_move else None


def _going_on(position: Position) -> Position:
    """A position after the next ply, one that does not end the game if any does not."""
    last, *others = sorted(position.to_move)
    first = {one: next(iter(position.legal_moves(one))) for one in others}
    plies = [{**first, last: move} for move in islice(position.legal_moves(last), _MOST_REPLIES)]
    return next(
        (after for ply in plies if (after := position.play_unchecked(ply)).to_move), position.play_unchecked(plies[0])
    )


def _is_off(refused: IllegalMove) -> bool:
    return refused.code.startswith("unknown-")


def _refusal(position: Position, side: str, move: Move) -> IllegalMove | None:
    try:
        position.check(side, move)
    except IllegalMove as error:
        return error
    return None
