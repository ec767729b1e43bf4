"""The desk's own key, the source of tokens, marks and chance results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import update

from referee.desk.errors import StoreError
from referee.desk.log.seals import Key, digits
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Database
from referee.desk.store.tables.schema import SECRET


class DeskKeys:
    """The key of a desk, and for a while the one before."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._former: Key | None = None

    @property
    def current(self) -> Key:
        """The desk's key as it is now: another process may have had a new one drawn."""
        return Key(self.database.once(("key",), self._secret), self._former)

    def _secret(self) -> bytes:
        kept = [row.value for row in self.database.read(rows.KEY)]
        secret = digits(kept[0]) if kept and isinstance(kept[0], str) else None
        if secret is None:
            raise StoreError("store", "the desk's key is missing from its store: restore a backup")
        return bytes.fromhex(secret)

    def renew(self, key: Key) -> None:
        """Take another key: everything that followed from the one before is void."""
        mine = (SECRET.c.game == "", SECRET.c.name == "key")
        self.database.execute(update(SECRET).where(*mine).values(value=key.secret.hex()))

    @contextmanager
    def honouring(self, former: Key) -> Iterator[None]:
        """Let the tokens of the key before count meanwhile, for letters that came in its time."""
        self._former = former
        try:
            yield
        finally:
            self._former = None
