"""Engine moves made again: they follow from the revealed seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.desk.log import events
from referee.desk.log.events import Texts
from referee.desk.log.log import Entry
from referee.desk.state.engagements import seed_of
from referee.desk.state.state import State
from referee.engine import VERSION, choose
from referee.errors import Finding
from referee.rules import Position


class EngineMove(NamedTuple):
    """A move of the engine on a side, its line and ply, and the public position before it."""

    line: int
    ply: int
    position: Position
    side: str
    move: str


@dataclass(slots=True)
class EngineMoves:
    """The engine moves in a log, in order, also those never made; `sealed` are the sides of engines with a seal."""

    made: list[EngineMove] = field(default_factory=list)
    sealed: set[str] = field(default_factory=set)

    def note(self, state: State | None, entry: Entry, line: int) -> None:
        """Look at an entry that can have happened; `state` is the one before it."""
        if state is None or not state.engines:
            return
        event = entry.event
        if isinstance(event, events.Submitted) and event.side in state.engine_sides:
            self.sealed.add(event.side)
        theirs = self.sealed if state.simultaneous else state.engine_sides
        self.made += [
            EngineMove(line, state.ply, state.position, side, move)
            for side, move in moves_told(event).items()
            if side in theirs
        ]
        if isinstance(event, events.Played | events.Closed):
            self.sealed.clear()

    def findings(self, state: State, advance: Callable[[int], object]) -> Iterator[Finding]:
        """Findings by line, once the seeds are revealed; `advance` is called after each recomputed move."""
        for line, ply, position, side, move in self.made:
            engine = state.engines[side]
            if engine.seed is None or engine.is_program:
                continue
            if engine.version != VERSION:
                message = f"version {engine.version} of the engines is not known here, so its moves cannot be checked"
                yield Finding("engine", message, line)
                return
            if str(found := choose(position, side, engine.level, seed_of(engine.seed, ply))) != move:
                yield Finding("engine", f"from its seed, the engine on {side} had to play {found}, not {move}", line)
            advance(1)

    def recomputed(self, state: State) -> int:
        """The number of moves that can be recomputed."""
        engines = (state.engines[one.side] for one in self.made)
        return sum(engine.seed is not None and not engine.is_program for engine in engines)

    def by_programs(self, state: State) -> int:
        """The number of moves of the host's programs, which cannot be recomputed."""
        return sum(state.engines[one.side].is_program for one in self.made)


def moves_told(event: events.LogEvent) -> Texts:
    """The moves by side that an event makes public."""
    match event:
        case events.Played(moves=moves):
            return moves
        case events.Closed(unplayed=unplayed):
            return {side: one["move"] for side, one in unplayed.items()}
        case _:
            return {}
