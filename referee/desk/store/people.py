"""Choices of people: what they want of their letters, and the browsers that may move for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, func, literal, select, update

from referee.desk.log.log import read_time, write_time
from referee.desk.records import CODE_LASTS, PAIRING_LASTS, Pairing, Preference
from referee.desk.store.tables.database import Part, insert, keeping
from referee.desk.store.tables.rows import row_faults
from referee.desk.store.tables.schema import NAMESAKE, PAIRING, PREFERENCE

_CHOSEN = select(PREFERENCE.c.name, PREFERENCE.c.value).where(PREFERENCE.c.address == bindparam("whose"))


class People(Part):
    """Preferences and paired browsers by address; addresses are in small letters."""

    def preferences(self, address: str) -> Mapping[str, str]:
        """The choices of an address, by name."""
        return {row.name: row.value for row in self.database.read(_CHOSEN, {"whose": address})}

    def preferring(self, name: str, value: str) -> list[str]:
        """The addresses with this choice, in order."""
        chosen = select(PREFERENCE.c.address).where(PREFERENCE.c.name == name, PREFERENCE.c.value == value)
        return [row.address for row in self.database.read(chosen.order_by(PREFERENCE.c.address))]

    def chosen(self, name: str) -> list[tuple[str, str]]:
        """All choices of a name: the addresses and their values."""
        found = select(PREFERENCE.c.address, PREFERENCE.c.value).where(PREFERENCE.c.name == name)
        return [(row.address, row.value) for row in self.database.read(found)]

    def number(self, name: str, address: str) -> int:
        """The number that keeps a player apart from others of the same name; it never changes."""
        mine = (NAMESAKE.c.name == name, NAMESAKE.c.address == address)
        return next((row.number for row in self.database.read(select(NAMESAKE.c.number).where(*mine))), 1)

    def keep_number(self, connection: Connection, name: str, address: str) -> None:
        """Give the next number of a name to an address that has none, in a transaction that is under way."""
        following = func.coalesce(func.max(NAMESAKE.c.number), 0) + 1
        found = select(literal(name), following, literal(address)).where(NAMESAKE.c.name == name)
        given = insert(self.database.engine, NAMESAKE).from_select(["name", "number", "address"], found)
        connection.execute(given.on_conflict_do_nothing(index_elements=["name", "address"]))

    def keep_choice(self, connection: Connection, chosen: Preference) -> None:
        """Keep a choice in a transaction that is under way."""
        if chosen.value is None:
            mine = (PREFERENCE.c.address == chosen.address, PREFERENCE.c.name == chosen.name)
            connection.execute(delete(PREFERENCE).where(*mine))
            return
        connection.execute(keeping(self.database.engine, PREFERENCE), asdict(chosen))

    def pairing(self, token: str, at: datetime) -> Pairing | None:
        """The browser whose token has this digest, if it was paired, and not too long ago."""
        wanted = select(PAIRING).where(PAIRING.c.token == token, PAIRING.c.code.is_(None))
        found = [_pairing_of(row) for row in self.database.read(wanted)]
        return next((one for one in found if at - one.at < PAIRING_LASTS), None)

    def browsers(self, address: str, at: datetime) -> list[Pairing]:
        """The browsers that are paired with an address, the first one first."""
        wanted = select(PAIRING).where(PAIRING.c.address == address, PAIRING.c.code.is_(None))
        found = [_pairing_of(row) for row in self.database.read(wanted.order_by(PAIRING.c.at, PAIRING.c.token))]
        return [one for one in found if at - one.at < PAIRING_LASTS]

    def awaits_code(self, token: str, at: datetime) -> bool:
        """True if a code can still be typed in the browser whose token has this digest."""
        return any(self.database.read(select(PAIRING).where(*_waiting(token, at))))

    def try_code(self, token: str, at: datetime) -> Pairing | None:
        """Count an attempt to type a code before it is compared; None if the browser has no attempt left."""
        counted = update(PAIRING).where(*_waiting(token, at)).values(tries=PAIRING.c.tries - 1).returning(PAIRING)
        row = self.database.write(lambda connection: connection.execute(counted).first())
        return None if row is None else _pairing_of(row)

    def unpair(self, token: str) -> None:
        """Forget one browser."""
        self.database.execute(delete(PAIRING).where(PAIRING.c.token == token))

    def unpair_all(self, connection: Connection, address: str) -> None:
        """Forget all browsers of an address in a transaction that is under way."""
        connection.execute(delete(PAIRING).where(PAIRING.c.address == address))

    def keep_pairing(self, connection: Connection, pairing: Pairing) -> None:
        """Keep a browser in a transaction that is under way, and forget codes that have expired."""
        over = (PAIRING.c.code.is_not(None), PAIRING.c.at <= write_time(pairing.at - CODE_LASTS))
        connection.execute(delete(PAIRING).where(*over))
        connection.execute(keeping(self.database.engine, PAIRING), {**asdict(pairing), "at": write_time(pairing.at)})


def _waiting(token: str, at: datetime) -> tuple[ColumnElement[bool], ...]:
    recent = PAIRING.c.at > write_time(at - CODE_LASTS)
    return PAIRING.c.token == token, PAIRING.c.code.is_not(None), PAIRING.c.tries > 0, recent


def _pairing_of(row: Row[tuple[object, ...]]) -> Pairing:
    with row_faults("a paired browser's row"):
        return Pairing(row.token, row.address, read_time(row.at), row.code, row.tries)
