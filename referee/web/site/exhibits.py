"""The public part of a game on the desk, for its page, lists and feed.

This is the only place where pages read a game's state: it shows no sealed move, hidden part, message or address.
Players have the names that they play under, once they have taken a seat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from referee.desk import State
from referee.desk.glances import Phase, phase_of
from referee.desk.state.state import ABANDONED, moves_of, position_after
from referee.draw.text import ending_text
from referee.errors import Refusal
from referee.rules import Event, Outcome, Position, score_text
from referee.terminal import counted, join_words

_ADDRESS = re.compile(r"[^\s<>()\"',;]*@[^\s<>()\"',;]*")
_HIDDEN = "…"


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


class EngineExhibit(NamedTuple):
    """An engine of a game, with the data from which its moves can be recomputed.

    `promise` binds its seed from the start, and `seed` is public at the end. `left` is true if it lost its seat.
    """

    side: str
    level: int
    version: int
    promise: str
    seed: str | None
    left: bool


class Snapshot(NamedTuple):
    """A game after one of its plies: the ply's number, round and moves, the position, and the ply's events."""

    number: int
    round: int
    moves: Mapping[str, str]
    position: Position
    events: tuple[Event, ...]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Exhibit:
    """The public part of a game at a time."""

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
    engines: tuple[EngineExhibit, ...]

    @property
    def match(self) -> str:
        """The players, in one line."""
        return join_words(one.name or one.side for one in self.occupants)

    @property
    def next_deadline(self) -> datetime | None:
        """The next deadline."""
        return min((one.until for one in self.occupants if one.until), default=None)


def exhibit(state: State, at: datetime, names: Mapping[str, str | None]) -> Exhibit:
    """The public part of a game at a time; `names` are its players by their sides."""
    occupants = tuple(_occupant(state, side, names[side], at) for side in state.position.sides)
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
        _score(state),
        state.clock.paused,
        occupants,
        tuple(
            EngineExhibit(side, one.level, one.version, one.promise, one.seed, one.left)
            for side, one in state.engines.items()
        ),
    )


def public_text(text: str) -> str:
    """A user's text without anything that looks like an e-mail address."""
    return _ADDRESS.sub(_HIDDEN, text).strip()


def public_name(state: State, side: str) -> str | None:
    """The name of a side's player, who must have taken the seat; None if there is none to show."""
    if state.invitation is not None and side not in state.invitation.joined.keys() | state.invitation.engaged:
        return None
    name = public_text(state.players[side])
    return name if name not in ("", _HIDDEN, side) else None


def snapshot(state: State, number: int | None = None) -> Snapshot | None:
    """A game after its last ply or an earlier one, or None if it has no board; RefereeError `no-such-ply`."""
    last = len(state.plies)
    number = last if number is None else number
    if not 0 <= number <= last:
        raise Refusal("no-such-ply", f"there is no ply {number}: the game has {last}")
    if state.undrawn or phase_of(state) is Phase.NEVER_BEGUN:
        return None
    before = position_after(state.game, state.options, state.plies[: max(0, number - 1)])
    if number == 0:
        return Snapshot(0, 0, {}, before, (), state.outcome if last == 0 else None)
    moves = moves_of(state.game, state.plies[number - 1])
    after = state.position if number == last else before.play_unchecked(moves)
    size, made = state.description.moves_per_round, sum(map(len, state.plies[: number - 1]))
    outcome = state.outcome if number == last else None
    texts = _in_order(state, state.plies[number - 1])
    return Snapshot(number, made // size + 1, texts, after, tuple(before.events(moves, after)), outcome)


def rounds(state: State) -> Iterator[tuple[int, Sequence[tuple[int, Mapping[str, str]]]]]:
    """The plies played, round by round: each with its number and its moves by side, in the order of the sides."""
    size, made = state.description.moves_per_round, 0
    line: list[tuple[int, Mapping[str, str]]] = []
    for number, moves in enumerate(state.plies, 1):
        line.append((number, _in_order(state, moves)))
        made += len(moves)
        if made % size == 0:
            yield made // size, line
            line = []
    if line:
        yield made // size + 1, line


def _in_order(state: State, moves: Mapping[str, str]) -> Mapping[str, str]:
    """The moves of a ply in the order of the sides, which a log has in alphabetical order."""
    return {side: moves[side] for side in state.position.sides if side in moves}


def _occupant(state: State, side: str, name: str | None, at: datetime) -> Occupant:
    time = state.clock.at(side, at)
    until, late, does = time.deadline, time.overdue, _DOES[state.standing(side)]
    if (invitation := state.invitation) is not None:
        does = "has joined" if side in invitation.joined else "is invited"
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
    return Occupant(side, name, does, until, late, _length(time.bank))


_DOES = {
    "to-move": "owes a move",
    "to-reveal": "owes the reveal of a sealed move",
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
    if state.outcome is not None:
        return _ending(state, state.outcome, called)
    due = [called[one.side] for one in occupants if one.side in state.owing]
    if not due:
        return "No player has to move."
    if state.owing <= state.engine_sides:
        return f"Round {state.round}: {join_words(due)} {'is' if len(due) == 1 else 'are'} thinking."
    what = "reveal" if state.revealing else "move"
    together = ", at the same time" if state.simultaneous and len(due) > 1 else ""
    return f"Round {state.round}: waiting for {join_words(due)} to {what}{together}."


def _ending(state: State, outcome: Outcome, called: Mapping[str, str]) -> str:
    if outcome.termination == ABANDONED:
        return "The game ended without a decision."
    if outcome.winner is not None and outcome.winner in called:
        return f"{called[outcome.winner]} won ({outcome.termination})."
    return f"Over: {ending_text(outcome, state.position.sides)}."


def _score(state: State) -> str:
    if state.invitation is not None:
        return ""
    return score_text(state.outcome.score if state.outcome else state.position.score)


def _length(span: timedelta) -> str:
    """A length of time in its two largest units, rounded down; empty if there is none."""
    minutes = max(0, int(span.total_seconds()) // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    parts = (
        counted(days, "day", "days") if days else "",
        counted(hours, "hour", "hours") if hours else "",
        counted(minutes % 60, "minute", "minutes") if minutes % 60 else "",
    )
    return " ".join([part for part in parts if part][:2])
