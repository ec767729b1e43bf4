"""The public part of a game on the desk, for its page, lists and feed.

This is the only place where pages read a game's state: it shows no sealed move, hidden part, message or address.
Players have the names that they play under, once they have taken a seat. Of several of the same name, the first one
has it alone, the next one is `Zoe (2)`: the number is given with a seat, and stays when a seat is given up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from referee.desk import ABANDONED, State, Table
from referee.desk.glances import Phase, people_in, phase_of, public_name, public_text
from referee.desk.state.engagements import Engagements
from referee.draw.text import ending_text
from referee.game import Ply, ply_at
from referee.rules import score_text
from referee.terminal import counted, join_words
from referee.web.site.site import Site

_NUMBERED = re.compile(r"(?P<name>.+) \(\d+\)", re.DOTALL)


class Occupant(NamedTuple):
    """A seat: its side, its player's public name, its duty and deadline, and the rest of its bank."""

    side: str
    name: str | None
    does: str
    until: datetime | None
    late: bool
    bank: str

    @property
    def called(self) -> str:
        """The player with the side, or the side alone."""
        return self.side if self.name is None else f"{self.name} ({self.side})"


@dataclass(frozen=True, slots=True)
class Exhibit:
    """The public part of a game at a time.

    The moves of its `engines` can be recomputed from their versions and seeds, which are public at the end.
    """

    id: str
    title: str
    event: str
    phase: Phase
    number: int
    head: str
    changed: datetime
    round: int
    status: str
    score: str
    paused: bool
    occupants: tuple[Occupant, ...]
    engines: Engagements

    @property
    def match(self) -> str:
        """The players, in one line."""
        return join_words(one.name or one.side for one in self.occupants)

    @property
    def next_deadline(self) -> datetime | None:
        """The next deadline."""
        return min((one.until for one in self.occupants if one.until), default=None)


def exhibit_of(site: Site, table: Table) -> Exhibit:
    """The public part of a game now."""
    state, at = table.state, site.now()
    occupants = tuple(_occupant(state, side, name, at) for side, name in names_in(site, table).items())
    return Exhibit(
        state.id,
        state.description.title,
        public_text(state.title or ""),
        phase_of(state),
        state.number,
        state.head,
        state.at,
        state.round,
        _status(state, occupants),
        "" if state.invitation else score_text(state.outcome.score if state.outcome else state.position.score),
        state.clock.paused,
        occupants,
        state.engines,
    )


def names_in(site: Site, table: Table) -> Mapping[str, str | None]:
    """The players of a game by side, with their names on pages, or None without a public name."""
    state = table.state
    numbered = {side: _numbered(site, name, address) for side, name, address in people_in(state, table.secrets)}
    return {side: numbered.get(side, public_name(state, side)) for side in state.position.sides}


def games_of(site: Site, called: str) -> set[str]:
    """The games that may have a player with this name on pages."""
    found = _NUMBERED.fullmatch(called)
    naming = site.desk.catalogue.games_naming
    return naming(called) | (naming(found["name"]) if found else set())


@lru_cache(maxsize=20_000)
def _numbered(site: Site, name: str, address: str) -> str:
    """A name with its player's number, if that is not 1, or the name looks like one with a number."""
    number = site.desk.people.number(name, address)
    return f"{name} ({number})" if number > 1 or _NUMBERED.fullmatch(name) else name


def shown_ply(state: State, number: int | None = None) -> Ply | None:
    """The last ply of a game or an earlier one, or None if it has no board; RefereeError `no-such-ply`."""
    ply = ply_at(state.as_file(), number)
    if state.undrawn or phase_of(state) is Phase.NEVER_BEGUN:
        return None
    return ply._replace(outcome=state.outcome if ply.number == len(state.plies) else None)


def _occupant(state: State, side: str, name: str | None, at: datetime) -> Occupant:
    time = state.clock.at(side, at)
    until, late, does = time.deadline, time.overdue, _DOES[state.standing(side)]
    if (invitation := state.invitation) is not None:
        if side in invitation.engaged:
            does = "is ready"
        if side in invitation.open:
            does = "is open to anyone"
        until, late = (invitation.until if side in invitation.missing else None), False
    elif side in state.engine_sides and state.standing(side) == "to-move":
        until, late, does = None, False, "is thinking"
    if state.closed is not None:
        until, late, does = None, False, ""
    if time.away and until is not None:
        does += ", is on vacation"
    bank = " ".join(counted(number, unit, f"{unit}s") for number, unit in largest_units(time.bank))
    return Occupant(side, name, does, until, late, bank)


_DOES = {
    "to-move": "is to move",
    "to-reveal": "is to reveal a sealed move",
    "sealed": "has moved",
    "waiting": "waits",
    "over": "",
    "invited": "is invited",
    "joined": "has joined",
}


def _status(state: State, occupants: Sequence[Occupant]) -> str:
    phase, called = phase_of(state), {one.side: one.called for one in occupants}
    if phase is Phase.NEVER_BEGUN:
        return "The game was called off before it began."
    if phase is Phase.WAITING:
        return "The game begins once every seat is taken."
    if (outcome := state.outcome) is not None:
        if outcome.termination == ABANDONED:
            return "The game ended without a decision."
        if outcome.winner is not None and outcome.winner in called:
            return f"{called[outcome.winner]} won ({outcome.termination})."
        return f"Over: {ending_text(outcome, state.position.sides)}."
    due = [called[one.side] for one in occupants if one.side in state.owing]
    if not due:
        return "No player has to move."
    if state.owing <= state.engine_sides:
        return f"Round {state.round}: {join_words(due)} {'is' if len(due) == 1 else 'are'} thinking."
    what = "reveal" if state.revealing else "move"
    together = ", at the same time" if state.simultaneous and len(due) > 1 else ""
    return f"Round {state.round}: waiting for {join_words(due)} to {what}{together}."


def largest_units(span: timedelta) -> list[tuple[int, str]]:
    """The two largest units of a length of time, rounded down."""
    minutes = max(0, int(span.total_seconds()) // 60)
    units = (minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")
    return [(number, unit) for number, unit in units if number][:2]
