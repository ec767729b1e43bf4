"""Engines under the law: when one takes a seat, what it may do, and what waits for it (spec/log.md, "Engines")."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from referee.desk.law.admission import Refusals
from referee.desk.law.hands import has_hands
from referee.desk.log import events
from referee.desk.log.events import LogEvent, Texts
from referee.desk.log.log import Came, Entry
from referee.desk.log.seals import digits
from referee.desk.log.secrets import Chance, Secrets, engine_seed_name
from referee.desk.state.engagements import seed_of, seed_promise
from referee.desk.state.state import State
from referee.engine import LEVELS, VERSION, choose
from referee.engine.levels import PROGRAM_LEVEL, level_of
from referee.errors import RefereeError, Refusal
from referee.rules import Game, Position, game_named

ENGINE_FIRST = "engine-first"
"""Code of an act that must wait until an engine has sealed its move."""

EngineSeats = Mapping[str, int]
"""Levels of engines by the sides that they take; 0 is a program of the host's."""


class EngineTurn(NamedTuple):
    """A move due from an engine: all that it follows from, nothing of it sealed except the engine's own seed."""

    game: str
    begun: str
    side: str
    position: Position
    level: int
    version: int
    seed: str
    options: Mapping[str, Any]
    plies: tuple[Texts, ...]


def engine_to_move(state: State) -> str | None:
    """The side of the engine that owes a move, the first in the game's order; None if none does."""
    if not state.engines or state.closed is not None or state.invitation is not None:
        return None
    owing = (state.position.to_move & state.engine_sides) - state.seals.keys()
    return next((side for side in state.position.sides if side in owing), None)


def engine_to_seal(state: State) -> str | None:
    """The side of the engine that must seal its move before others may act; None if there is none."""
    return engine_to_move(state) if state.simultaneous else None


def engine_turn(state: State, secrets: Secrets) -> EngineTurn | None:
    """The move that an engine owes in a game; None if none owes any."""
    side = engine_to_move(state)
    if side is None:
        return None
    engine, drawn = state.engines[side], seed_of(secrets[engine_seed_name(side)], state.ply)
    ply = (state.id, state.begun, side, state.position)
    return EngineTurn(*ply, engine.level, engine.version, drawn, state.options, state.plies)


def found_move(turn: EngineTurn) -> str:
    """The move that an engine finds, in canonical notation; RefereeError `engine-version` if it is not known here."""
    if turn.version != VERSION:
        message = f"version {turn.version} of the engines is not known here, only version {VERSION}"
        raise RefereeError("engine-version", message)
    return str(choose(turn.position, turn.side, turn.level, turn.seed))


def engagements(first: Entry, engines: EngineSeats, chance: Chance) -> tuple[tuple[events.Engaged, ...], Secrets]:
    """The events by which engines take seats, and their seeds, drawn from `chance` and the log's first entry."""
    seeds = {side: chance(f"{first.game}/{engine_seed_name(side)}/{first.digest}").hex() for side in engines}
    taken = (
        events.Engaged(side, level, VERSION, seed_promise(first.game, side, seeds[side]))
        for side, level in engines.items()
    )
    return tuple(taken), {engine_seed_name(side): seed for side, seed in seeds.items()}


def engine_names(engines: EngineSeats) -> dict[str, str]:
    """The names of engines as players, by side."""
    return {
        side: "The host's program" if level == PROGRAM_LEVEL else f"Engine {level}" for side, level in engines.items()
    }


def expect_engines(game: str, engines: EngineSeats) -> None:
    """Refuse engines that cannot take these seats: `level`, `no-engine`, `unknown-side` or `engines`."""
    description = game_named(game)
    for side, level in engines.items():
        if not _can_play(level, description):
            raise Refusal("no-engine", f"no engine plays {description.title} yet")
        if level != PROGRAM_LEVEL:
            level_of(level)
        if side not in description.sides:
            raise Refusal("unknown-side", f"the sides of {description.title} are: {', '.join(description.sides)}")
    if engines.keys() >= {*description.sides}:
        raise Refusal("engines", "engines cannot take all seats: leave one for a person")


def _can_play(level: int, game: Game) -> bool:
    """True if an engine of a level plays a game; programs play all games without hidden hands."""
    return not has_hands(game) if level == PROGRAM_LEVEL else bool(game.engine)


def undisclosed(state: State) -> str | None:
    """The side of an engine whose seed must be revealed, once the game is over; None if there is none."""
    if state.closed is None or state.invitation is not None:
        return None
    return next((side for side, engine in state.engines.items() if engine.seed is None), None)


def engine_refusals(state: State, event: LogEvent, at: datetime, came: Came | None) -> Refusals:
    """Reasons against an event because of an engine."""
    match event:
        case events.Engaged():
            yield from _taking(state, event, at)
        case events.Disclosed(side=side, seed=seed):
            if side != undisclosed(state):
                message = "engines reveal their seeds in the order of their seats, once the game is over"
                yield "order", "order", message
            elif digits(seed) != seed or seed_promise(state.id, side, seed) != state.engines[side].promise:
                yield "secret", "secret", f"this is not the seed that {side}'s engine was promised to follow"
        case events.Submitted(side=side) if side in state.engine_sides:
            if side != engine_to_seal(state):
                yield "order", "order", "another engine seals its move first"
            if came is not None:
                yield "came", "came", "an engine writes no letters"
        case events.Played(moves=moves) if not state.simultaneous and came is not None:
            if moves.keys() & state.engine_sides:
                yield "came", "came", "an engine writes no letters"
        case _ if getattr(event, "side", None) in state.engine_sides and isinstance(event, _ACTS):
            yield "order", "engine", "an engine has this seat: it moves, and does nothing else"
        case events.Offered() if state.alone:
            yield "order", "engine", "an engine agrees to no draw"
    own_seal = isinstance(event, events.Submitted) and event.side in state.engine_sides
    if isinstance(event, _ACTS | events.Played) and not own_seal and engine_to_seal(state) is not None:
        yield "order", ENGINE_FIRST, "an engine seals its move for this ply before any player acts"


_ACTS = events.Own | events.Failed | events.Keyed
"""Acts of people only. `Noted` is not among them: it follows from a ply made before the engine owed its next seal."""


def _taking(state: State, event: events.Engaged, at: datetime) -> Refusals:
    """Reasons why an engine cannot take a seat: it can only where a game begins."""
    invitation, first = state.invitation, state.last
    proposed = isinstance(first, events.Joined) and state.origin is not None and first.side == state.origin.by
    begins = isinstance(first, events.Opened | events.Invited | events.Engaged) or (proposed and state.number == 1)
    if not begins or state.plies or at != state.at or (state.origin is not None and invitation is None):
        yield "order", "order", "an engine takes its seat where a game begins, at the same time"
    elif event.side in state.engines or (invitation is not None and event.side in invitation.joined):
        yield "order", "seat-taken", f"{event.side} has a player already"
    elif invitation is not None and invitation.seats[event.side] is None:
        yield "invitation", "invitation", "the seat of an engine has a name"
    elif state.engines.keys() | {event.side} >= state.players.keys():
        yield "order", "engines", "engines cannot take all seats: one is for a person"
    if not _can_play(event.level, state.description):
        yield "engine", "no-engine", f"no engine plays {state.description.title}"
    if not PROGRAM_LEVEL <= event.level <= len(LEVELS) or event.version < 1:
        yield "engine", "level", f"an engine has a level from 1 to {len(LEVELS)}, and a version from 1 on"
    if event.level == PROGRAM_LEVEL and state.origin is not None and state.origin.by is not None:
        yield "engine", "level", "only the host gives seats to programs: open a new game to play with an engine"


class EngineFirstError(Exception):
    """A player acts before an engine has sealed its move: the letter must wait for a moment."""

    def __init__(self, game: str) -> None:
        super().__init__(f"{ENGINE_FIRST}: {game}")
        self.game = game


def expect_sealed(state: State) -> None:
    """Raise EngineFirstError while an engine has to seal its move."""
    if engine_to_seal(state) is not None:
        raise EngineFirstError(state.id)
