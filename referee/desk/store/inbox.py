"""The inbox of a desk's store: letters as they came, those that wait, and those that were set aside."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, text, update

from referee.desk.law.engine_seats import ENGINE_FIRST
from referee.desk.log.log import write_time
from referee.desk.store.attic import Attic
from referee.desk.store.survey import ASIDE
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import insert, store_faults
from referee.desk.store.tables.group_commit import GroupCommit
from referee.desk.store.tables.records import Incoming
from referee.desk.store.tables.schema import CONTENT, FILED, LETTER_IN

FRESH = 1_000
"""Maximum letters remembered as stored by this process but not yet tried."""

MOST_HELD = 16 << 20
"""Bytes of letters that wait, after which no further one is read at the same time."""

LONGEST_WAIT = timedelta(hours=1)
"""Maximum time until a letter is tried again; a longer one comes from a clock that was ahead."""

_LANE = text(
    "select pg_try_advisory_lock(hashtextextended(current_schema() || ' ' || :lane, 0)) as ours, "
    "exists (select 1 from letter_in where digest = :letter and done is null) as waits"
)
_ALL_LANES = text("select pg_advisory_unlock_all()")

_WAITS_IN = f"{ENGINE_FIRST}: "
"""How the note of a letter begins that waits for an engine; the id of the game follows."""

_WAITS_FOR = "broken-game: "
"""How the note of a letter begins that waits for the package of a game; the id of the game follows."""

_WAKE = (
    update(LETTER_IN)
    .where(LETTER_IN.c.done.is_(None), LETTER_IN.c.next > bindparam("at"), LETTER_IN.c.note == bindparam("said"))
    .values(next=bindparam("at"))
)


class _Arrival(NamedTuple):
    """A letter to be stored: its row, its own bytes, and the number of bytes before them."""

    row: Mapping[str, object]
    raw: bytes
    envelope: int


class Inbox(Attic):
    """The letters to a desk, each stored before anything of it is read."""

    def __init__(self, where: str | Path) -> None:
        """Open a store; `Transactions` says what is raised."""
        super().__init__(where)
        self._add_letter, self._add_content = (
            insert(self._engine, table).on_conflict_do_nothing(index_elements=["digest"]).returning(table.c.digest)
            for table in (LETTER_IN, CONTENT)
        )
        self._fresh: dict[str, None] = {}
        self._counting = Lock()
        self._take_in = GroupCommit(self._add_all)

    def receive(
        self, raw: bytes, at: datetime, *, envelope: bytes = b"", account: str | None = None, cut: bool = False
    ) -> tuple[Incoming, bool]:
        """Store a letter before it is read; return it, and whether it is new, not the same bytes once more.

        Letters that threads bring at the same time share a transaction.
        This process's first attempt to deal with it counts at once, so that `begin` need not write it.

        Args:
            raw: the letter's own bytes, which are stored once however often they come.
            at: when it came.
            envelope: header lines that stand before it.
            account: who is charged for the bytes.
            cut: whether this is only the letter's beginning.
        """
        letter = Incoming(hashlib.sha256(envelope + raw).hexdigest(), at, envelope + raw, attempts=1, cut=cut)
        content = hashlib.sha256(raw).hexdigest()
        row = {
            "digest": letter.digest,
            "received": write_time(at),
            "raw": envelope,
            "content": content,
            "next": write_time(at),
            "attempts": letter.attempts,
            "note": "",
            "account": account,
            "cut": cut,
        }
        new = self._take_in(_Arrival(row, raw, len(envelope)))
        if new:
            self.spare(letter)
        return letter, new

    def _add_all(self, arrivals: Sequence[_Arrival]) -> list[bool]:
        """Store letters in one transaction; return which of them are new."""
        return self._write(lambda connection: [self._add(connection, one) for one in arrivals])

    def _add(self, connection: Connection, arrival: _Arrival) -> bool:
        content = {"digest": arrival.row["content"], "bytes": arrival.raw}
        first = connection.execute(self._add_content, content).first()
        size = arrival.envelope + (len(arrival.raw) if first else 0)
        return connection.execute(self._add_letter, {**arrival.row, "size": size}).first() is not None

    def spare(self, letter: Incoming) -> None:
        """Take back the attempt that was counted last: the letter was not at fault."""
        with self._counting:
            self._fresh[letter.digest] = None
            if len(self._fresh) > FRESH:
                self._fresh.pop(next(iter(self._fresh)))

    def charged(self, account: str, since: datetime) -> int:
        """The bytes that somebody's letters have added to the store since a time."""
        ((size,),) = self._read(rows.CHARGED, {"to": account, "since": write_time(since)})
        return int(size)

    def waiting(self, at: datetime, most: int = 100) -> list[Incoming]:
        """The letters that are to be dealt with now, in the order in which they came.

        They are the first ones, as many as `MOST_HELD` bytes may come to, but one in any case.
        """
        when = {"at": write_time(at), "beyond": write_time(at + LONGEST_WAIT), "most": most}
        found = self._read(rows.WAITING, when)
        before = accumulate((row.size for row in found), initial=0)
        numbers = [row.number for row, size in zip(found, before, strict=False) if size < MOST_HELD]
        letters = self._read(rows.NUMBERED, {"numbers": numbers}) if numbers else ()
        return [replace(letter, received=min(letter.received, at)) for letter in map(self._letter, letters)]

    @contextmanager
    def lanes(self) -> Iterator[Callable[[str, Incoming], bool]]:
        """Share the letters that wait with other workers: whether one of a lane is this worker's, and still waits.

        The letters of a lane stay in order, as it belongs to one worker until that leaves this, or its connection to
        PostgreSQL ends. SQLite has one writer at a time, so there everything is everybody's.
        """
        if self._engine.dialect.name == "sqlite":
            yield lambda _lane, _letter: True
            return
        others: set[str] = set()

        def mine(lane: str, letter: Incoming) -> bool:
            if lane in others:
                return False
            found = connection.execute(_LANE, {"lane": lane, "letter": letter.digest}).one()
            if not found.ours:
                others.add(lane)
            return bool(found.ours and found.waits)

        with store_faults(), self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            try:
                yield mine
            finally:
                connection.execute(_ALL_LANES)

    def letters(self, digest: str) -> list[Incoming]:
        """The letters whose digests begin like this, the newest first."""
        like = rows.begins(LETTER_IN.c.digest, digest)
        newest = rows.LETTERS.where(like).order_by(LETTER_IN.c.number.desc())
        return [self._letter(row) for row in self._read(newest)]

    def begin(self, letter: Incoming) -> int:
        """Count an attempt to deal with a letter before it is made: it may kill the process.

        Returns:
            How many attempts have begun, including this one; 0 if the letter was dealt with meanwhile.
        """
        with self._counting:
            if letter.digest in self._fresh:
                del self._fresh[letter.digest]
                return letter.attempts
        waits = (LETTER_IN.c.digest == letter.digest, LETTER_IN.c.done.is_(None))
        count = update(LETTER_IN).where(*waits).values(attempts=LETTER_IN.c.attempts + 1)
        counted = count.returning(LETTER_IN.c.attempts)
        return self._write(lambda connection: connection.execute(counted).scalar_one_or_none()) or 0

    def postpone(self, letter: Incoming, until: datetime | None, note: str) -> None:
        """Note what went wrong with a letter, and try it again at a time, or set it aside."""
        mark = update(LETTER_IN).where(LETTER_IN.c.digest == letter.digest, LETTER_IN.c.done.is_(None))
        values = {"next": until and write_time(until), "note": rows.plain(note)}
        self._write(lambda connection: connection.execute(mark.values(values)))

    def postponed(self, at: datetime) -> bool:
        """Whether a letter is to be tried again later by the desk's own fault."""
        soon = (LETTER_IN.c.next > write_time(at), LETTER_IN.c.next <= write_time(at + LONGEST_WAIT))
        ours = (LETTER_IN.c.note.not_like(f"{note}%") for note in (_WAITS_IN, _WAITS_FOR))
        later = select(LETTER_IN.c.number).where(LETTER_IN.c.done.is_(None), *ours, *soon)
        return bool(self._read(later.limit(1)))

    def await_engine(self, letter: Incoming, game: str, until: datetime) -> None:
        """Try a letter again once an engine has sealed its move in a game, and at a time in any case.

        The attempt does not count: the letter may wait for longer than this process runs.
        """
        self._await(letter, _WAITS_IN + game, until)

    def await_package(self, letter: Incoming, game: str, until: datetime) -> None:
        """Try a letter again at a time, or once the package of a game is back; the attempt does not count."""
        self._await(letter, _WAITS_FOR + game, until)

    def awaited_packages(self) -> set[str]:
        """The games for whose packages letters wait."""
        waits = (LETTER_IN.c.done.is_(None), LETTER_IN.c.note.like(f"{_WAITS_FOR}%"))
        return {
            row.note.removeprefix(_WAITS_FOR) for row in self._read(select(LETTER_IN.c.note).where(*waits).distinct())
        }

    def wake_letters(self, games: Iterable[str], at: datetime) -> None:
        """Have the letters tried now that wait for the packages of games."""

        def woken(connection: Connection) -> None:
            for game in games:
                connection.execute(_WAKE, {"said": _WAITS_FOR + game, "at": write_time(at)})

        self._write(woken)

    def _await(self, letter: Incoming, note: str, until: datetime) -> None:
        mark = update(LETTER_IN).where(LETTER_IN.c.digest == letter.digest, LETTER_IN.c.done.is_(None))
        waits = {"next": write_time(until), "note": note, "attempts": LETTER_IN.c.attempts - 1}
        self._write(lambda connection: connection.execute(mark.values(waits)))

    def waits_behind(self, letter: Incoming, game: str) -> bool:
        """Whether a letter that came before this one still waits for an engine in a game."""
        number = select(LETTER_IN.c.number).where(LETTER_IN.c.digest == letter.digest).scalar_subquery()
        before = (LETTER_IN.c.note == _WAITS_IN + game, LETTER_IN.c.number < number)
        earlier = select(LETTER_IN.c.number).where(LETTER_IN.c.done.is_(None), *before)
        return bool(self._read(earlier.limit(1)))

    def _wake(self, connection: Connection, game: str, at: datetime) -> None:
        """Have the letters that wait for an engine in a game tried at once, in a transaction that is under way."""
        connection.execute(_WAKE, {"said": _WAITS_IN + game, "at": write_time(at)})

    def acknowledge_filed(self, digest: str, at: datetime) -> int:
        """Note that the host has seen the filed letters whose digests begin like this; return how many are new."""
        mine = (text(FILED), rows.begins(LETTER_IN.c.digest, digest), LETTER_IN.c.acknowledged.is_(None))
        seen = update(LETTER_IN).where(*mine).values(acknowledged=write_time(at))
        return self._write(lambda connection: connection.execute(seen).rowcount)

    def retry(self, digest: str, at: datetime) -> int:
        """Try letters again that were set aside and whose digest begins like this; return how many."""
        mark = update(LETTER_IN).where(*ASIDE, rows.begins(LETTER_IN.c.digest, digest))
        waits = mark.values(next=write_time(at), attempts=0)
        return self._write(lambda connection: connection.execute(waits).rowcount)
