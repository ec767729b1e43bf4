"""The move of a plan when its condition holds, and the judgement on a plan before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from referee.errors import IllegalMove, Span
from referee.notation.plans.plan import Branch, Moment, Plan, Reply, Square, standing
from referee.rules import Move, Position

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
    first conditions are judged, and names of places.

    Raises:
        IllegalMove: for a condition or a move that is impossible, with its line of `str(plan)`.
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
    after = [one for one in _replies(branch, position, side) if branch.terms]
    move = (
        next((move for move in branch.moves if move in after[0].legal_moves(side)), None) if len(after) == 1 else None
    )
    found = after[0].play_unchecked({side: move}) if move else None
    return found if found and (found.to_move or found.outcome) else None


def _replies(branch: Branch, position: Position | None, side: str) -> list[Position]:
    """The positions after each reply for which a branch is asked, where one of two sides moves at a time."""
    if position is None or len(position.sides) > 2 or len(position.to_move) != 1 or side in position.to_move:
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
        if isinstance(term, Square) and term.cell not in standing(start, side):
            yield IllegalMove("unknown-cell", f"{term.cell} is no cell that a condition can name")
        if isinstance(term, Reply) and term.side == side:
            yield IllegalMove("not-your-turn", "a condition is about moves of other sides")
        makers = [one for one in here.to_move - {side} if isinstance(term, Reply) and term.side in ("", one)]
        for move in term.moves if isinstance(term, Reply) else ():
            refused = [_refusal(here, one, move) for one in makers]
            yield from (one for one in refused if one and all(refused) and (is_certain or _is_off_board(one)))
    after = [one for one in _replies(branch, known, side) if side in one.to_move or (one.outcome and _named(branch))]
    answers = [[_refusal(one, side, move) for move in branch.moves] for one in after]
    hopeless = [refused for refused in answers if refused and all(refused)]
    if hopeless and (_named(branch) or len(hopeless) == len(answers)):
        yield from (one for one in hopeless[0] if one)
    own = _own_turn(start, side)
    yield from (one for move in branch.moves if own and (one := _refusal(own, side, move)) and _is_off_board(one))


def _own_turn(position: Position, side: str) -> Position | None:
    """A position in which a side is to move, on the same board; None if none follows soon."""
    for _ in position.sides:
        if side in position.to_move or not position.to_move:
            break
        position = position.play_unchecked({one: next(iter(position.legal_moves(one))) for one in position.to_move})
    return position if side in position.to_move else None


def _is_off_board(refused: IllegalMove) -> bool:
    return refused.code.startswith("unknown-")


def _refusal(position: Position, side: str, move: Move) -> IllegalMove | None:
    try:
        position.check(side, move)
    except IllegalMove as error:
        return error
    return None
