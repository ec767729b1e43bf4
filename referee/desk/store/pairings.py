"""Browsers that may move for an address, in the desk's store (docs/pages.md, "Submit a move")."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Row, delete, select, update

from referee.desk.log.log import read_time, write_time
from referee.desk.store.tables.database import Transactions, insert
from referee.desk.store.tables.records import Pairing
from referee.desk.store.tables.rows import row_faults
from referee.desk.store.tables.schema import PAIRING

CODE_LASTS = timedelta(minutes=30)
"""How long the code of a letter can be typed."""

PAIRING_LASTS = timedelta(days=180)
"""How long a browser may move for an address; then it is paired anew."""


class Pairings(Transactions):
    """The browsers that may move for somebody, and those that have asked to; addresses are in small letters."""

    def pairing(self, token: str, at: datetime) -> Pairing | None:
        """The browser whose token has this digest, if it was paired, and not too long ago."""
        wanted = select(PAIRING).where(PAIRING.c.token == token, PAIRING.c.code.is_(None))
        found = [_pairing_of(row) for row in self._read(wanted)]
        return next((one for one in found if at - one.at < PAIRING_LASTS), None)

    def awaits_code(self, token: str, at: datetime) -> bool:
        """Whether a code can still be typed in the browser whose token has this digest."""
        return any(self._read(select(PAIRING).where(*_waiting(token, at))))

    def try_code(self, token: str, at: datetime) -> Pairing | None:
        """Count an attempt to type a code before it is compared; None if the browser has no attempt left."""
        less = PAIRING.c.tries - 1
        counted = update(PAIRING).where(*_waiting(token, at)).values(tries=less).returning(PAIRING)
        row = self._write(lambda connection: connection.execute(counted).first())
        return None if row is None else _pairing_of(row)

    def unpair(self, token: str) -> None:
        """Forget one browser."""
        mine = delete(PAIRING).where(PAIRING.c.token == token)
        self._write(lambda connection: connection.execute(mine))

    def unpair_all(self, address: str) -> int:
        """Forget all browsers of an address; return how many were paired."""

        def forgotten(connection: Connection) -> int:
            gone = connection.execute(delete(PAIRING).where(PAIRING.c.address == address).returning(PAIRING.c.code))
            return [row.code for row in gone].count(None)

        return self._write(forgotten)

    def _pair(self, connection: Connection, pairing: Pairing) -> None:
        """Keep a browser in a transaction that is under way, and forget codes that nobody can type any more."""
        over = (PAIRING.c.code.is_not(None), PAIRING.c.at <= write_time(pairing.at - CODE_LASTS))
        connection.execute(delete(PAIRING).where(*over))
        values = {**asdict(pairing), "at": write_time(pairing.at)}
        kept = insert(self._engine, PAIRING).values(**values)
        connection.execute(kept.on_conflict_do_update(index_elements=["token"], set_=values))


def _waiting(token: str, at: datetime) -> tuple[ColumnElement[bool], ...]:
    """Of a browser for which a code was sent, not too long ago, and has attempts left."""
    recent = PAIRING.c.at > write_time(at - CODE_LASTS)
    return PAIRING.c.token == token, PAIRING.c.code.is_not(None), PAIRING.c.tries > 0, recent


def _pairing_of(row: Row[tuple[object, ...]]) -> Pairing:
    with row_faults("a paired browser's row"):
        return Pairing(row.token, row.address, read_time(row.at), row.code, row.tries)
