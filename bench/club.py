"""A club with months of letters: its history is copied into PostgreSQL as fast as rows can be made.

Some processes share its slots; each slot plays one game after another.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from heapq import heapify, heapreplace
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, NamedTuple

from bench.chronicle import COLUMNS, Game, Pace, Rows
from bench.playouts import Playout, playouts

if TYPE_CHECKING:
    from psycopg import Connection as Database

GAMES = ("beams", "boundary", "laser-chess")
"""The games that the club plays, in turn."""

AT_ONCE = 4_000
"""Letters whose rows are copied in one transaction."""

_NEWER = {
    table: ", ".join(f"{column} = excluded.{column}" for column in columns.split(", ")[1:])
    for table, columns in COLUMNS.items()
    if table in ("standing", "due")
}
"""Tables whose rows replace older ones of the same game."""


class Charter(NamedTuple):
    """The facts of a club: its database, its slots and their pace, its beginning, and the desk's public key."""

    url: str
    games: int
    pace: Pace
    begin: datetime
    desk: str | None


class Club:
    """Some slots of a club; `rows` are those that have not been copied yet."""

    def __init__(self, charter: Charter, slots: Sequence[int]) -> None:
        """A club whose slots open their first games when it begins."""
        self._charter, self._numbers = charter, dict.fromkeys(slots, 0)
        self._playouts = [playouts(rules, random.Random(rules)) for rules in GAMES]
        self.rows: Rows = {table: [] for table in COLUMNS}
        self.running: dict[str, Game] = {}
        self.letters = 0
        self._changed: dict[str, Game] = {}
        self._lives = {slot: self._life(slot, charter.begin) for slot in slots}
        self._next = [(charter.begin, slot) for slot in slots]
        heapify(self._next)

    def live(self, until: datetime, copy: Callable[[Rows], None]) -> None:
        """Write everything before a time, which is the end of a day, and the state of the games then."""
        while self._next[0][0] < until:
            slot = self._next[0][1]
            heapreplace(self._next, (next(self._lives[slot]), slot))
            if len(self.rows["letter_in"]) >= AT_ONCE:
                copy(self.rows)
        for game in self._changed.values():
            game.end_day()
            self.rows["standing"].append(game.standing_row())
            self.rows["due"].append(game.due_row())
        self._changed.clear()
        copy(self.rows)

    def forget(self, games: Collection[str], at: datetime) -> None:
        """Drop these games, which others have gone on with; new ones begin in their slots."""
        for slot in [self.running.pop(name).slot for name in games if name in self.running]:
            self._lives[slot] = self._life(slot, at)

    def _life(self, slot: int, begin: datetime) -> Iterator[datetime]:
        chance, at = random.Random(f"{slot} {begin}"), begin
        while True:
            yield at
            game = self._opened(slot, chance.choice(self._playouts[slot % len(GAMES)]), at)
            written = 0
            for following in game.course(chance):
                self._changed[game.id] = game
                self.letters, written = self.letters + game.letters - written, game.letters
                yield following
            self._changed[game.id] = game
            self.letters += game.letters - written
            del self.running[game.id]
            at = game.at

    def _opened(self, slot: int, playout: Playout, at: datetime) -> Game:
        self._numbers[slot] += 1
        name = f"{playout.rules}-{slot}-{self._numbers[slot]}"
        game = Game(name, slot, playout, self._charter.pace, self._charter.desk, self.rows, at)
        self.running[name] = game
        return game


class Members:
    """The processes that fill in the history of a club."""

    def __init__(self, pipes: Sequence[Connection]) -> None:
        """The ends of the pipes to them."""
        self._pipes = pipes

    def live(self, until: datetime, forgotten: Collection[str] = ()) -> int:
        """Write everything before a time, without games that others have gone on with; return the letters so far."""
        for pipe in self._pipes:
            pipe.send((until, forgotten))
        return sum(pipe.recv() for pipe in self._pipes)


@contextmanager
def members(charter: Charter, processes: int) -> Iterator[Members]:
    """Processes that fill in a club, each some of its slots, until they are no longer needed."""
    pipes, running = [], []
    for first in range(processes):
        here, there = multiprocessing.Pipe()
        order = (charter, range(first, charter.games, processes), there)
        running.append(multiprocessing.Process(target=_fill, args=order, daemon=True))
        running[-1].start()
        there.close()  # so that the end of a process is noticed here
        pipes.append(here)
    try:
        yield Members(pipes)
    finally:
        for process in running:
            process.terminate()


def _fill(charter: Charter, slots: Sequence[int], orders: Connection) -> None:
    """Write the events of some slots before each requested time."""
    import psycopg

    os.nice(10)
    gc.disable()  # there are no reference cycles here, and searching all games again and again takes long
    club, at = Club(charter, slots), charter.begin
    with psycopg.connect(charter.url) as connection, ThreadPoolExecutor(1) as copying:
        copied = copying.submit(lambda: None)

        def copy(rows: Rows) -> None:
            """Copy rows while the next ones are made."""
            nonlocal copied
            texts = {table: "".join(some) for table, some in rows.items() if some}
            for some in rows.values():
                some.clear()
            copied.result()
            copied = copying.submit(_copy, connection, texts)

        while True:
            until, forgotten = orders.recv()
            club.forget(forgotten, at)
            club.live(until, copy)
            copied.result()
            at = until
            orders.send(club.letters)


def _copy(connection: Database[tuple[object, ...]], texts: Mapping[str, str]) -> None:
    """Copy rows into their tables."""
    with connection.transaction(), connection.cursor() as cursor:
        for table, text in texts.items():
            target, columns = table, COLUMNS[table]
            if table in _NEWER:
                target = f"new_{table}"
                cursor.execute(f"create temporary table {target} (like {table}) on commit drop")
            with cursor.copy(f"copy {target} ({columns}) from stdin") as copy:
                copy.write(text)
            if target != table:
                newer = f"on conflict (game) do update set {_NEWER[table]}"
                cursor.execute(f"insert into {table} ({columns}) select {columns} from {target} {newer}")
