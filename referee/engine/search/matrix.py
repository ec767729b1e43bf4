"""Mixed strategies for two sides that choose at once, by regret matching."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import mul

from referee.engine.search.dice import added


@dataclass(frozen=True, slots=True)
class Solution:
    """The share of each row and of each column, and the expectation of the rows' side."""

    rows: tuple[float, ...]
    columns: tuple[float, ...]
    value: float


def solved(payoffs: Sequence[Sequence[float]], turns: int) -> Solution:
    """The solution of a zero-sum game, by regret matching plus with linear averaging.

    In each turn both sides play in proportion to their positive regrets; the average of their play, with later turns
    weighted more, approaches the equilibrium.
    """
    columns = list(zip(*payoffs, strict=True))
    row_means, column_means = _means(columns), _means(payoffs)
    row_regrets, column_regrets = [0.0] * len(payoffs), [0.0] * len(columns)
    row_sums, column_sums, value = [0.0] * len(payoffs), [0.0] * len(columns), 0.0
    for turn in range(1, turns + 1):
        row_mix, column_mix = _mix(row_regrets), _mix(column_regrets)
        gains, losses = row_means(column_mix), column_means(row_mix)
        value = added(map(mul, gains, row_mix))
        row_regrets = [max(0.0, regret + gain - value) for regret, gain in zip(row_regrets, gains, strict=True)]
        column_regrets = [
            max(0.0, regret + value - loss) for regret, loss in zip(column_regrets, losses, strict=True)
        ]
        row_sums = [total + turn * share for total, share in zip(row_sums, row_mix, strict=True)]
        column_sums = [total + turn * share for total, share in zip(column_sums, column_mix, strict=True)]
    rows, others = _mix(row_sums), _mix(column_sums)
    value = added(map(mul, row_means(others), rows))
    return Solution(tuple(rows), tuple(others), value)


def _means(lines: Sequence[Sequence[float]]) -> Callable[[Sequence[float]], list[float]]:
    """The function from shares to the mean of some lines, each weighted by its share; it adds as `added`."""
    places = list(zip(*lines, strict=True))
    # Many moves are worth the same against all others: their mean is found once.
    numbers = {place: number for number, place in enumerate(dict.fromkeys(places))}
    order, shorter = [numbers[place] for place in places], list(zip(*numbers, strict=True))

    def means(shares: Sequence[float]) -> list[float]:
        totals = [0.0] * len(numbers)
        for line, share in zip(shorter, shares, strict=True):
            # After a few turns most shares are 0.
            if share:
                totals = [total + payoff * share for total, payoff in zip(totals, line, strict=True)]
        return [totals[number] for number in order]

    return means


def _mix(weights: Sequence[float]) -> list[float]:
    """Shares in proportion to weights; equal ones if all weights are 0."""
    total = added(weights)
    if not total:
        return [1 / len(weights)] * len(weights)
    return [weight / total for weight in weights]
