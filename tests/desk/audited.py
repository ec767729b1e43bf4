"""Logs of an honest desk, and of a dishonest one, for the audit."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

from referee.desk import Entry
from referee.desk.log import acts, events
from referee.desk.log.bodies import canonical, event_data, event_of
from referee.desk.log.events import kind_of
from referee.desk.log.log import START, new_entry
from tests.support.desks import Desk, request, resign, sides, submit
from tests.support.logs import audit_text, chain
from tests.support.strategies import any_move


@cache
def whole(game: str) -> Desk:
    """A game to its end, with random other events."""
    desk, chance = Desk(game, clock={"days": 2, "vacation": 9, "reminders": [20]}), random.Random(5)
    for word in ("offer", "vacation 2027-03-02 2027-03-03"):
        desk.ask(request(desk, sides(game)[0], word))
    for word in ("pause now", "resume", "extend 5", "replace " + sides(game)[1] + " Grace"):
        desk.ask(request(desk, "host", word), after=1)
    while desk.state.closed is None and len(desk.entries) < 120:
        side = sorted(desk.state.owing)[0]
        desk.ask(submit(side, str(any_move(desk.state.position, side, chance))), after=30)
        desk.ask(acts.Tick())
    if desk.state.closed is None:
        desk.ask(resign(sides(game)[0]))
    return desk


def forged(entries: list[Entry], change: Callable[[int, dict[str, Any]], dict[str, Any]]) -> str:
    """The log with changed bodies and new digests."""
    lines, before = [], START
    for entry in entries:
        data = change(entry.number, json.loads(canonical(event_data(entry.event))))
        event = event_of(kind_of(entry.event), data)
        made = new_entry(entry.game, entry.number, entry.at, event, before, came=entry.came)
        lines.append(f"{made.as_line()}\n")
        before = made.digest
    return "".join(lines)


def codes(exported: str) -> set[str]:
    return {finding.code for finding in audit_text(exported).findings}


def logged(desk: Desk, *events: events.LogEvent, hours: int = 0) -> str:
    """The log with more events entered after it, as a dishonest desk might do it."""
    last = desk.entries[-1]
    bound = [replace(one, head=desk.state.begun) if isinstance(one, SEALS) else one for one in events]
    more = chain(last.game, last.number, last.digest, last.at + timedelta(hours=hours), bound)
    return desk.exported + "".join(f"{entry.as_line()}\n" for entry in more)


SEALS = (events.Submitted, events.Sealed)
