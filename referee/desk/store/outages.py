"""Time in which the desk was not running: no player could act then, so every clock that ran gets it back.

All clocks are stopped for that time, and nobody's time is over within a day of its end.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from math import ceil

from referee.desk.log import events
from referee.desk.log.secrets import Secrets
from referee.desk.play.progress import Progress, enter, settle
from referee.desk.state.state import State

RESPITE = timedelta(days=1)
"""Minimum time that everybody has after an outage, and the host to look at the games."""

REASON = "The desk was not running, and no letter could reach it"
"""The reason in the log and in letters to the players."""

_HOUR = timedelta(hours=1)


def give_back(state: State, since: datetime, at: datetime, secrets: Secrets, least: timedelta) -> Progress:
    """Give the time of an outage back to a game; nothing happens to one whose clocks did not run.

    It lasted from `since`, when the desk last looked at its clock, until now, which is `at`. Where the log has an
    entry of that time, as after a killed attempt, only what follows it counts, if it is longer than `least`.
    """
    start = max(state.at, since)
    result = settle(Progress(state, state), start, secrets)
    sides = result.state.clock.movable(start, at)
    invited = result.state.invitation is not None and not result.state.clock.paused
    if result.state.closed or at - start <= least or not (sides or invited):
        return result
    result = enter(enter(result, (events.Paused(REASON),), start), (events.Resumed(),), at)
    deadlines = ((side, result.state.clock.deadline(side)) for side in result.state.position.sides if side in sides)
    lacking = {side: at + RESPITE - due for side, due in deadlines if due is not None and due < at + RESPITE}
    return enter(result, (events.Extended(side, ceil(time / _HOUR)) for side, time in lacking.items()), at)
