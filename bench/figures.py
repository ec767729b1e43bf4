"""A figure: what was measured, what came out, and what was asked for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One line of the table; `ours` and `peer` say absolute figures, `ratio` is what the goal is about."""

    name: str
    ours: str
    peer: str
    ratio: float
    goal: str

    def as_line(self) -> str:
        """The line as the table shows it."""
        return f"{self.name:<48} {self.ours:>16} {self.peer:>16} {self.ratio:>8.2f}   {self.goal}"


HEADING = f"{'what':<48} {'ours':>16} {'beside it':>16} {'ratio':>8}   goal"


def rate(number: float) -> str:
    """Units per second, for people."""
    return f"{number:,.0f}/s"
