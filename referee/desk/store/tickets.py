"""Tickets of a desk's store: no two workers use up the same rest of a limit.

A worker draws a ticket, looks at what a limit leaves, and stores a change with that ticket. If another worker has
stored one meanwhile, the change is not stored, and the worker looks again.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from referee.desk.store.tables.database import OvertakenError, StoreError, Transactions, insert
from referee.desk.store.tables.schema import META

_NAME = "ticket"
_LAST = select(META.c.value).where(META.c.name == _NAME)


class Tickets(Transactions):
    """How many changes with a ticket have been stored; each ticket is the number of those before it."""

    def ticket(self) -> int:
        """The ticket for a change that has to keep within limits; draw it before you look at what they leave."""
        (kept,) = [row.value for row in self._read(_LAST)] or ["0"]
        if not (kept.isascii() and kept.isdigit()):
            raise StoreError("store", "the number of the last ticket is damaged: restore a backup")
        return int(kept)

    def _use(self, connection: Connection, ticket: int) -> None:
        """Use up a ticket in a transaction that is under way; OvertakenError if another one has."""
        following = str(ticket + 1)
        row = insert(self._engine, META).values(name=_NAME, value=following)
        mine = META.c.value == str(ticket)
        used = row.on_conflict_do_update(index_elements=["name"], set_={"value": following}, where=mine)
        if connection.execute(used.returning(META.c.value)).first() is None:
            raise OvertakenError
