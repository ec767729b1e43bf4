"""What people have chosen for the letters to their address, in the desk's store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from sqlalchemy import Connection, bindparam, delete, select

from referee.desk.store.tables.database import Transactions, insert
from referee.desk.store.tables.records import Preference
from referee.desk.store.tables.schema import PREFERENCE

_NUMBER = "number/"
"""Before a name, the number that tells its player from others of that name."""

_CHOSEN = select(PREFERENCE.c.name, PREFERENCE.c.value).where(PREFERENCE.c.address == bindparam("whose"))


class Preferences(Transactions):
    """The choices of everybody who gets letters from a desk; addresses are in small letters."""

    def preferences(self, address: str) -> Mapping[str, str]:
        """What somebody has chosen, by name; whatever they have not chosen is not in it."""
        return {row.name: row.value for row in self._read(_CHOSEN, {"whose": address})}

    def preferring(self, name: str, value: str) -> list[str]:
        """The addresses of everybody who has chosen this, in order."""
        chosen = select(PREFERENCE.c.address).where(PREFERENCE.c.name == name, PREFERENCE.c.value == value)
        return [row.address for row in self._read(chosen.order_by(PREFERENCE.c.address))]

    def chosen(self, name: str) -> list[tuple[str, str]]:
        """Everybody's choice of a name: the addresses, and what they have chosen."""
        found = select(PREFERENCE.c.address, PREFERENCE.c.value).where(PREFERENCE.c.name == name)
        return [(row.address, row.value) for row in self._read(found)]

    def numbered(self, name: str, addresses: Sequence[str]) -> Mapping[str, int]:
        """The number of everybody who has played under a name, once these addresses have one as well.

        The first has number 1. Nobody's number changes, or goes to another player.
        """
        kept = f"{_NUMBER}{name}"
        if {*addresses} - {address for address, _ in self.chosen(kept)}:
            self._write(lambda connection: self._number(connection, kept, addresses))
        return {address: int(number) for address, number in self.chosen(kept)}

    def _number(self, connection: Connection, kept: str, addresses: Sequence[str]) -> None:
        found = connection.execute(select(PREFERENCE.c.address, PREFERENCE.c.value).where(PREFERENCE.c.name == kept))
        known = {row.address: int(row.value) for row in found}
        new = [address for address in addresses if address not in known]
        for number, address in enumerate(new, max(known.values(), default=0) + 1):
            self._prefer(connection, Preference(address, kept, str(number)))

    def prefer(self, address: str, name: str, value: str | None) -> None:
        """Keep what somebody chooses; None takes the choice back."""
        self._write(lambda connection: self._prefer(connection, Preference(address, name, value)))

    def _prefer(self, connection: Connection, chosen: Preference) -> None:
        """Keep a choice in a transaction that is under way."""
        if chosen.value is None:
            mine = (PREFERENCE.c.address == chosen.address, PREFERENCE.c.name == chosen.name)
            connection.execute(delete(PREFERENCE).where(*mine))
            return
        choice = insert(self._engine, PREFERENCE).values(**asdict(chosen))
        replaced = choice.on_conflict_do_update(index_elements=["address", "name"], set_={"value": chosen.value})
        connection.execute(replaced)
