"""The fold of a log: the state after many entries, with successive plies applied at once.

Most of a log are plies where moves are not secret, and a worker that meets a long game needs the last state alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import groupby

from referee.desk.log.events import Played
from referee.desk.log.log import Entry
from referee.desk.state.state import State


def fold(entries: Iterable[Entry], state: State | None = None) -> State | None:
    """The state after trusted entries, from a state or the start, if any; RefereeError `log` for a wrong start."""
    coming = iter(entries)
    if state is None:
        if (first := next(coming, None)) is None:
            return None
        state = State.start(first)
    for plies, run in groupby(coming, lambda entry: isinstance(entry.event, Played)):
        following = [*run]
        state = _after_plies(state, following) if plies else reduce(State.after, following, state)
    return state


def _after_plies(state: State, entries: Sequence[Entry]) -> State:
    """The state after plies alone, all but the last applied at once: nothing is sealed between them."""
    *earlier, last = entries
    if not earlier:
        return state.after(last)
    played = [entry.event for entry in earlier if isinstance(entry.event, Played)]
    clock = state.clock
    for entry in earlier if clock.terms else earlier[-1:]:
        clock = clock.after(entry.event, entry.at)
    return replace(
        state.with_plies(played, [entry.digest for entry in earlier[:-1]]),
        begun=earlier[-1].digest,
        clock=clock,
        letters={**state.letters, **{entry.came.letter: entry.came.server for entry in earlier if entry.came}},
    ).after(last)
