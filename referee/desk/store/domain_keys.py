"""DKIM keys of letters as DNS returned them: once they are gone, it cannot be shown who signed a letter."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, select, update

from referee.desk.log.log import read_time, write_time
from referee.desk.records import DomainKey
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Part, insert
from referee.desk.store.tables.schema import DOMAIN_KEY

MOST_ATTEMPTS = 5
"""Maximum attempts to ask DNS for a key on one day."""


class DomainKeys(Part):
    """Answers of DNS about the names of keys."""

    def to_ask(self, most: int) -> list[tuple[str, str]]:
        """The names of keys to ask DNS for, each with its day; no more than `most`."""
        unknown = (DOMAIN_KEY.c.at.is_(None), DOMAIN_KEY.c.attempts < MOST_ATTEMPTS)
        order = (DOMAIN_KEY.c.attempts, DOMAIN_KEY.c.day, DOMAIN_KEY.c.name)
        wanted = select(DOMAIN_KEY.c.name, DOMAIN_KEY.c.day).where(*unknown).order_by(*order).limit(most)
        return [(row.name, row.day) for row in self.database.read(wanted)]

    def keep(self, name: str, day: str, at: datetime, record: str | None) -> None:
        """Keep what DNS has said of a name, empty if there is no such record; None if it has not answered."""
        told = {} if record is None else {"at": write_time(at), "record": record}
        mine = (DOMAIN_KEY.c.name == name, DOMAIN_KEY.c.day == day, DOMAIN_KEY.c.at.is_(None))
        self.database.execute(update(DOMAIN_KEY).where(*mine).values(attempts=DOMAIN_KEY.c.attempts + 1, **told))

    def of(self, names: Collection[str]) -> list[DomainKey]:
        """The keys of these names, each record of a name once, with the first time at which DNS had it."""
        known = select(DOMAIN_KEY).where(DOMAIN_KEY.c.name.in_(sorted(names)), DOMAIN_KEY.c.record > "")
        found = self.database.read(known.order_by(DOMAIN_KEY.c.name, DOMAIN_KEY.c.at))
        first: dict[tuple[str, str], DomainKey] = {}
        with rows.row_faults("what DNS has said of keys"):
            for row in found:
                first.setdefault((row.name, row.record), DomainKey(row.name, read_time(row.at), row.record))
        return [*first.values()]

    def want(self, connection: Connection, names: Collection[str], at: datetime) -> None:
        """Note keys that DNS is to be asked for, in a transaction that is under way."""
        wanted = [{"name": name, "day": write_time(at)[: len("2027-03-01")], "attempts": 0} for name in names]
        if wanted:
            once = insert(self.database.engine, DOMAIN_KEY).on_conflict_do_nothing(index_elements=["name", "day"])
            connection.execute(once, wanted)
