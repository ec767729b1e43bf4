"""The inbox of a desk's store: letters as they came, those that wait, and those that were set aside."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, or_, select, text, update

from referee.desk.errors import StoreError
from referee.desk.law.engine_seats import ENGINE_FIRST
from referee.desk.log.log import read_time, write_time
from referee.desk.records import DealtWith, Incoming, TallyIn
from referee.desk.store.attic import Attic
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Database, insert, store_faults
from referee.desk.store.tables.group_commit import GroupCommit
from referee.desk.store.tables.schema import CONTENT, FILED, LETTER_IN
from referee.errors import RefereeError

MOST_NOTED = 20
"""Maximum filed letters that are listed."""

ASIDE = (LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_(None))
"""The condition for letters that were set aside."""

MOST_TIMED = 10_000
"""Maximum letters whose times are looked at."""

MOST_RECENT = 20
"""Maximum letters of an account among which a copy is looked for."""

_BATCH = 20
"""Letters read at a time, with all their bytes."""

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
"""Beginning of the note of a letter that waits for an engine; the id of the game follows."""

_WAITS_FOR = "broken-game: "
"""Beginning of the note of a letter that waits for the package of a game; the id of the game follows."""

_WAKE = (
    update(LETTER_IN)
    .where(LETTER_IN.c.done.is_(None), LETTER_IN.c.next > bindparam("at"), LETTER_IN.c.note == bindparam("said"))
    .values(next=bindparam("at"))
)


class Inbox:
    """The letters to a desk, each stored before anything of it is read."""

    def __init__(self, database: Database, attic: Attic) -> None:
        self.database = database
        self._attic = attic
        self._add_letter, self._add_content = (
            insert(self.database.engine, table)
            .on_conflict_do_nothing(index_elements=["digest"])
            .returning(table.c.digest)
            for table in (LETTER_IN, CONTENT)
        )
        self._fresh: dict[str, None] = {}
        self._counting = Lock()
        self._take_in = GroupCommit[tuple[Mapping[str, Any], bytes], bool](
            lambda arrivals: self.database.write(lambda connection: [self._add(connection, *one) for one in arrivals])
        )

    def receive(
        self, raw: bytes, at: datetime, *, envelope: bytes = b"", account: str | None = None, cut: bool = False
    ) -> tuple[Incoming, bool]:
        """Store a letter before it is read; return it, and True if it is new, not the same bytes again.

        `raw` are the letter's own bytes, which are stored only once, `envelope` the header lines before it. The
        `account` is charged for the bytes; `cut` is true if this is only the letter's beginning. Letters that threads
        bring at the same time share a transaction. This process's first attempt to handle it counts at once, so
        `begin` need not write it.
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
        new = self._take_in((row, raw))
        if new:
            self.spare(letter)
        return letter, new

    def _add(self, connection: Connection, row: Mapping[str, Any], raw: bytes) -> bool:
        first = connection.execute(self._add_content, {"digest": row["content"], "bytes": raw}).first()
        size = len(row["raw"]) + (len(raw) if first else 0)
        return connection.execute(self._add_letter, {**row, "size": size}).first() is not None

    def spare(self, letter: Incoming) -> None:
        """Take back the attempt that was counted last: the letter was not at fault."""
        with self._counting:
            self._fresh[letter.digest] = None
            if len(self._fresh) > FRESH:
                self._fresh.pop(next(iter(self._fresh)))

    def charged(self, account: str, since: datetime) -> int:
        """The bytes that an account's letters have added to the store since a time."""
        which = (LETTER_IN.c.account == account, LETTER_IN.c.received > write_time(since))
        ((size,),) = self.database.read(select(func.sum(LETTER_IN.c.size)).where(*which))
        return int(size or 0)

    def waiting(self, at: datetime, most: int = 100) -> list[Incoming]:
        """The letters to handle now, in order: the first ones, up to `MOST_HELD` bytes, and at least one."""
        when = {"at": write_time(at), "beyond": write_time(at + LONGEST_WAIT)}
        found = self.database.read(rows.WAITING, {**when, "most": most, "held": MOST_HELD})
        return [replace(letter, received=min(letter.received, at)) for letter in map(self._attic.letter, found)]

    @contextmanager
    def lanes(self) -> Iterator[Callable[[str, Incoming], bool]]:
        """Share the waiting letters with other workers: True if one of a lane is this worker's, and still waits.

        The letters of a lane stay in order, because it belongs to one worker until that leaves this, or its
        connection to PostgreSQL ends. SQLite has one writer at a time, so it needs no lanes.
        """
        if self.database.engine.dialect.name == "sqlite":
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

        with (
            store_faults(),
            self.database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection,
        ):
            try:
                yield mine
            finally:
                connection.execute(_ALL_LANES)

    def begin(self, letter: Incoming) -> int:
        """Count an attempt before it is made, as it may kill the process; return its number, 0 if handled already."""
        with self._counting:
            if letter.digest in self._fresh:
                del self._fresh[letter.digest]
                return letter.attempts
        waits = (LETTER_IN.c.digest == letter.digest, LETTER_IN.c.done.is_(None))
        count = update(LETTER_IN).where(*waits).values(attempts=LETTER_IN.c.attempts + 1)
        counted = count.returning(LETTER_IN.c.attempts)
        return self.database.write(lambda connection: connection.execute(counted).scalar_one_or_none()) or 0

    def postpone(self, letter: Incoming, until: datetime | None, note: str) -> None:
        """Note what went wrong with a letter, and try it again at a time, or set it aside."""
        self._mark(letter, until, rows.plain(note))

    def postponed(self, at: datetime) -> bool:
        """True if a letter is to be tried again later by the desk's own fault."""
        soon = (LETTER_IN.c.next > write_time(at), LETTER_IN.c.next <= write_time(at + LONGEST_WAIT))
        ours = (LETTER_IN.c.note.not_like(f"{note}%") for note in (_WAITS_IN, _WAITS_FOR))
        later = select(LETTER_IN.c.number).where(LETTER_IN.c.done.is_(None), *ours, *soon)
        return bool(self.database.read(later.limit(1)))

    def await_engine(self, letter: Incoming, game: str, until: datetime) -> None:
        """Try a letter again once an engine has sealed its move, or at a time; the attempt does not count."""
        self._mark(letter, until, _WAITS_IN + game, attempts=LETTER_IN.c.attempts - 1)

    def await_package(self, letter: Incoming, game: str, until: datetime) -> None:
        """Try a letter again at a time, or once the package of a game is back; the attempt does not count."""
        self._mark(letter, until, _WAITS_FOR + game, attempts=LETTER_IN.c.attempts - 1)

    def awaited_packages(self) -> set[str]:
        """The games for whose packages letters wait."""
        waits = (LETTER_IN.c.done.is_(None), LETTER_IN.c.note.like(f"{_WAITS_FOR}%"))
        found = self.database.read(select(LETTER_IN.c.note).where(*waits).distinct())
        return {row.note.removeprefix(_WAITS_FOR) for row in found}

    def wake(self, games: Iterable[str], at: datetime) -> None:
        """Have the letters tried now that wait for the packages of games."""

        def woken(connection: Connection) -> None:
            for game in games:
                connection.execute(_WAKE, {"said": _WAITS_FOR + game, "at": write_time(at)})

        self.database.write(woken)

    def _mark(self, letter: Incoming, until: datetime | None, note: str, **more: object) -> None:
        mark = update(LETTER_IN).where(LETTER_IN.c.digest == letter.digest, LETTER_IN.c.done.is_(None))
        self.database.execute(mark.values(next=until and write_time(until), note=note, **more))

    def waits_behind(self, letter: Incoming, game: str) -> bool:
        """True if a letter that came before this one still waits for an engine in a game."""
        number = select(LETTER_IN.c.number).where(LETTER_IN.c.digest == letter.digest).scalar_subquery()
        before = (LETTER_IN.c.note == _WAITS_IN + game, LETTER_IN.c.number < number)
        earlier = select(LETTER_IN.c.number).where(LETTER_IN.c.done.is_(None), *before)
        return bool(self.database.read(earlier.limit(1)))

    def wake_for_engine(self, connection: Connection, game: str, at: datetime) -> None:
        """Have the letters that wait for an engine in a game tried at once, in a transaction that is under way."""
        connection.execute(_WAKE, {"said": _WAITS_IN + game, "at": write_time(at)})

    def acknowledge(self, digest: str, at: datetime) -> int:
        """Note that the host has seen the filed letters whose digests begin like this; return how many are new."""
        mine = (text(FILED), rows.begins(LETTER_IN.c.digest, digest), LETTER_IN.c.acknowledged.is_(None))
        seen = update(LETTER_IN).where(*mine).values(acknowledged=write_time(at))
        return self.database.write(lambda connection: connection.execute(seen).rowcount)

    def retry(self, digest: str, at: datetime) -> int:
        """Try letters again that were set aside and whose digest begins like this; return how many."""
        mark = update(LETTER_IN).where(*ASIDE, rows.begins(LETTER_IN.c.digest, digest))
        waits = mark.values(next=write_time(at), attempts=0)
        return self.database.write(lambda connection: connection.execute(waits).rowcount)

    def aside(self) -> list[tuple[Incoming, str]]:
        """The letters that were set aside, and why."""
        return [(self._attic.letter(row), row.note) for row in self.database.read(rows.LETTERS.where(*ASIDE))]

    def filed(self, kinds: Iterable[str]) -> list[tuple[str, str]]:
        """Digest and note of letters filed as `list`, `junk` or `bounce` and not acknowledged, newest first."""
        of = or_(*(LETTER_IN.c.note.startswith(f"{kind}:", autoescape=True) for kind in kinds))
        which = (text(FILED), of, LETTER_IN.c.acknowledged.is_(None))
        newest = select(LETTER_IN.c.digest, LETTER_IN.c.note).where(*which).order_by(LETTER_IN.c.number.desc())
        return [(row.digest, row.note) for row in self.database.read(newest.limit(MOST_NOTED))]

    def history(self, digest: str = "") -> Iterator[DealtWith]:
        """The letters that came, or whose digest begins like this, newest first; unreadable ones have a `fault`."""
        newest = rows.LETTERS.order_by(LETTER_IN.c.number.desc()).limit(_BATCH)
        if digest:
            newest = newest.where(rows.begins(LETTER_IN.c.digest, digest))
        found = self.database.read(newest)
        while found:
            yield from map(self._dealt_with, found)
            found = self.database.read(newest.where(LETTER_IN.c.number < found[-1].number))

    def _dealt_with(self, row: Row[Any]) -> DealtWith:
        with rows.row_faults("a letter's row"):
            known = DealtWith(rows.letter_of(row), row.done and read_time(row.done), row.next is not None, row.note)
        try:
            return replace(known, letter=self._attic.letter(row))
        except StoreError:
            raise
        except RefereeError as error:
            return replace(known, fault=error.message)

    def letter(self, digest: str) -> Incoming | None:
        """The letter with this digest, if any; RefereeError `attic` if its bytes are missing there, or damaged."""
        found = self.database.read(rows.LETTERS.where(LETTER_IN.c.digest == digest))
        return self._attic.letter(found[0]) if found else None

    def recent(self, account: str, since: datetime, said: bytes) -> list[Incoming]:
        """The handled letters of an account since a time, with these bytes in their beginning."""
        begun = self.database.read(rows.RECENT, {"of": account, "since": write_time(since), "most": MOST_RECENT})
        found = (row for row in begun if row.moved or said in (row.envelope or b"") + (row.content or b""))
        letters = (self.letter(row.digest) for row in found)
        return [one for one in letters if one is not None]

    def tally(self) -> list[TallyIn]:
        """The letters that came, counted by state."""
        ended, waits = LETTER_IN.c.done.is_not(None).label("ended"), LETTER_IN.c.next.is_not(None).label("waits")
        columns = (LETTER_IN.c.note, ended, waits, LETTER_IN.c.cut)
        found = self.database.read(select(*columns, func.count().label("number")).group_by(*columns))
        return [TallyIn(row.note, bool(row.ended), bool(row.waits), bool(row.cut), row.number) for row in found]

    def handling_seconds(self, since: datetime) -> list[float]:
        """The times that the newest letters since a time waited until they were handled."""
        newest = select(LETTER_IN.c.received, LETTER_IN.c.done).order_by(LETTER_IN.c.number.desc()).limit(MOST_TIMED)
        handled = (row for row in self.database.read(newest) if row.done is not None)
        times = ((read_time(row.received), read_time(row.done)) for row in handled)
        return [max(0.0, (done - came).total_seconds()) for came, done in times if came > since]
