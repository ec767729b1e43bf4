"""Engines of a desk in processes of their own, up to the number in the settings, which never delay a letter."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from multiprocessing import get_context
from typing import Any, Self

from referee.children import end_with_parent, shielded
from referee.desk import BrokenGameError, EngineTurn, engine_turn, found_move
from referee.engine.levels import PROGRAM_LEVEL
from referee.mail.handlers.notifications import notifications
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.program_seat import program_move
from referee.mail.log import LOG, reason
from referee.mail.office import Office, now

_GLANCE = 5.0
"""Seconds after which a worker looks for new moves to make, and renews its claims."""

_PAUSE = timedelta(minutes=5)
"""Pause before a program that has failed in a game is asked again."""

_NICE = 10
"""Niceness of engines, so that they never delay the desk's own work (nice(2))."""


class _Processes(ProcessPoolExecutor):
    """Processes of this machine with low priority; at the end they are killed while they think."""

    def __init__(self, number: int) -> None:
        super().__init__(number, mp_context=get_context("spawn"), initializer=_begin)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Kill all processes."""
        for process in list((self._processes or {}).values()):
            process.kill()
        super().shutdown(wait, cancel_futures=cancel_futures)


def _begin() -> None:
    end_with_parent()
    os.nice(_NICE)


class EngineRoom:
    """The engines of a desk, with a limit on those that think at a time."""

    def __init__(self, cores: int, workers: Callable[[int], Executor] = _Processes) -> None:
        """Open a room for a number of `workers`; they are started for the first move."""
        self._cores, self._workers = cores, workers
        self._pool: Executor | None = None
        self._closing: Future[None] = Future()
        self._paused: dict[str, datetime] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End its processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def close(self) -> None:
        """End `play` at once; the next worker makes the moves that engines are thinking about."""
        if not self._closing.done():
            self._closing.set_result(None)

    def play(self, office: Office, clock: Callable[[], datetime] = now) -> int:
        """Have engines make all moves that they owe; return the number of moves."""
        made = 0
        thinking: dict[Future[str], EngineTurn] = {}
        while True:
            if self._closing.done():
                office.desk.engine_turns.free([turn.game for turn in thinking.values()])
                return made
            if len(thinking) < self._cores:
                for turn in self._taken(office, clock(), self._cores - len(thinking)):
                    thinking[self._begun(office, turn)] = turn
            if not thinking:
                return made
            waited: list[Future[Any]] = [*thinking, self._closing]
            wait(waited, timeout=_GLANCE, return_when=FIRST_COMPLETED)
            for future in [one for one in thinking if one.done()]:
                made += self._made(office, thinking.pop(future), future, clock())
            office.desk.engine_turns.keep([turn.game for turn in thinking.values()], clock())

    def _taken(self, office: Office, at: datetime, most: int) -> list[EngineTurn]:
        """Claim up to `most` engine moves for this worker."""
        turns: list[EngineTurn] = []
        while len(turns) < most and (games := office.desk.engine_turns.take(at, most - len(turns))):
            ready = (game for game in games if game not in self._paused or self._paused[game] <= at)
            turns += (turn for game in ready if (turn := self._turn(office, game)) is not None)
        return turns

    @staticmethod
    def _turn(office: Office, game: str) -> EngineTurn | None:
        """The move due from an engine in a game; note if there is none."""
        try:
            table = office.desk.table(game)
            turn = engine_turn(table.state, table.secrets)
            if turn is None:
                office.desk.games.note(table.state)
            return turn
        except BrokenGameError:
            return None
        except Exception as error:  # a game that is damaged must not stop the engines of all others
            LOG.error("engine in %s: %s", game, reason(error))
            return None

    def _made(self, office: Office, turn: EngineTurn, found: Future[str], at: datetime) -> bool:
        """True if the move could be made; otherwise it is tried again a while later."""
        try:
            with office.desk.catalogue.waiting_if_broken(turn.game):
                return office.desk.play_engine(turn, found.result(), at, writer=partial(notifications, office, at=at))
        except Exception as error:  # an engine that fails in one game must not stop those of all others
            LOG.error("engine of %s in %s: %s", turn.side, turn.game, reason(error))
            if turn.level == PROGRAM_LEVEL:
                self._paused[turn.game] = at + _PAUSE
            return False

    def _begun(self, office: Office, turn: EngineTurn) -> Future[str]:
        """Begin a thought, in new processes if one was killed."""
        find: Callable[[EngineTurn], str] = found_move
        if turn.level == PROGRAM_LEVEL:
            find = partial(program_move, office.settings.engines.program, office.folder)
        with shielded():  # the processes begin here
            if self._pool is not None:
                with suppress(BrokenProcessPool):
                    return self._pool.submit(find, turn)
            self._pool = self._workers(self._cores)
            return self._pool.submit(find, turn)


def play_on(room: EngineRoom, office: Office, clock: Callable[[], datetime] = now) -> int:
    """Make all moves that engines owe, and handle the letters that waited for them; return the number of moves."""
    made = 0
    while moves := room.play(office, clock):
        made += moves
        handle_waiting(office, clock())
    return made
