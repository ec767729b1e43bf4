"""The move of a plan when its condition holds, and the judgement on a plan before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from referee.notation.plans.plan import Moment, Plan
from referee.rules import Move, Position


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
    """Judge a plan as far as can be known after the side's own move; IllegalMove names line and branch."""
