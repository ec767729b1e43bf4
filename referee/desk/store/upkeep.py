"""Upkeep of a desk's store: its id, backups, the time that it last saw, and counts of letters for the host."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import ColumnElement, Table, func, select

from referee.desk.errors import StoreError
from referee.desk.log.log import read_time, write_time
from referee.desk.store.copies import damage_of, write_backup
from referee.desk.store.inbox import ASIDE
from referee.desk.store.outbox import GIVEN_UP
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Database, insert, keeping
from referee.desk.store.tables.schema import LETTER_IN, META, OUTBOX

GLANCE = timedelta(minutes=1)
"""Minimum time between two records of the current time."""


class Upkeep:
    """The store as a whole, for its host."""

    def __init__(self, database: Database, check: Callable[[Path], object]) -> None:
        """`check` raises if a desk cannot be restored from a backup."""
        self.database = database
        self._check = check

    def identity(self) -> str:
        """The desk's id."""
        found = self.database.read(select(META.c.value).where(META.c.name == "id"))
        if not found:
            raise StoreError("store", "the desk's id is missing from its store: restore a backup")
        return str(found[0].value)

    def backup(self, path: Path, settings: str | None = None) -> None:
        """Write a copy of the store as it is now, while others go on with it; arguments as of `write_backup`."""
        write_backup(self.database.engine, path, settings, self._check)

    def backed_up(self) -> datetime | None:
        """The time of the last backup; None if there is none."""
        return self._noted("backed up")

    def note_backup(self, at: datetime) -> None:
        """Note that a backup was made."""
        self.database.execute(keeping(self.database.engine, META).values(name="backed up", value=write_time(at)))

    def seen(self) -> datetime | None:
        """The last time that was noted; None if there is none."""
        return self._noted("seen")

    def _noted(self, name: str) -> datetime | None:
        found = self.database.read(select(META.c.value).where(META.c.name == name))
        with rows.row_faults("a time that the desk has noted"):
            return read_time(found[0].value) if found else None

    def see(self, at: datetime, *, reset: bool = False) -> None:
        """Note the time. Unless `reset`, a noted time stays if it is later, or less than `GLANCE` earlier."""
        last = None if reset else self.seen()
        if last is not None and at - last < GLANCE:
            return
        note = insert(self.database.engine, META).values(name="seen", value=write_time(at))
        newer = None if reset else META.c.value <= write_time(at - GLANCE)
        noted = note.on_conflict_do_update(index_elements=["name"], set_={"value": write_time(at)}, where=newer)
        self.database.execute(noted)

    def counts(self) -> dict[str, int]:
        """Number of letters that wait, were set aside, are to be sent, and were given up and not acknowledged."""
        wanted: dict[str, tuple[Table, tuple[ColumnElement[bool], ...]]] = {
            "waiting": (LETTER_IN, (LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_not(None))),
            "aside": (LETTER_IN, ASIDE),
            "to-send": (OUTBOX, (OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_not(None))),
            "unsent": (OUTBOX, (*GIVEN_UP, OUTBOX.c.acknowledged.is_(None))),
        }
        found = {}
        for name, (table, which) in wanted.items():
            ((number,),) = self.database.read(select(func.count()).select_from(table).where(*which))
            found[name] = number
        return found

    def oldest_waiting(self) -> tuple[datetime | None, datetime | None]:
        """The arrival of the oldest waiting letter in, and the queueing of the oldest letter out to be sent."""
        came = select(func.min(LETTER_IN.c.received)).where(LETTER_IN.c.done.is_(None), LETTER_IN.c.next.is_not(None))
        queued = select(func.min(OUTBOX.c.queued)).where(OUTBOX.c.sent.is_(None), OUTBOX.c.next.is_not(None))
        ((first,), (second,)) = (self.database.read(one)[0] for one in (came, queued))
        return first and read_time(first), second and read_time(second)

    def damage(self) -> list[str]:
        """The faults that the database finds in itself; empty if it is whole."""
        return damage_of(self.database.engine)
