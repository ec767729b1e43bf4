"""A figure: the measurement, its result, and its goal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One line of the table; `ours` and `peer` are absolute figures, and the goal is about `ratio`."""

    name: str
    ours: str
    peer: str
    ratio: float
    goal: str

    def as_line(self) -> str:
        """The line in the table."""
        return f"{self.name:<48} {self.ours:>16} {self.peer:>16} {self.ratio:>8.2f}   {self.goal}"


HEADING = f"{'what':<48} {'ours':>16} {'beside it':>16} {'ratio':>8}   goal"


def rate(number: float) -> str:
    """Units per second, for people."""
    return f"{number:,.0f}/s"
