"""The store of a desk: logs, letters in and out, and secrets, in SQLite or PostgreSQL.

A letter is stored before anything of it is read. All its effects (events, secrets, letters out, the mark that it is
handled) are one transaction: after a crash either all of it is there or nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Self

from referee.desk.log.seals import Key
from referee.desk.store.attic import Attic
from referee.desk.store.catalogue import Catalogue
from referee.desk.store.days import Days
from referee.desk.store.domain_keys import DomainKeys
from referee.desk.store.engine_turns import EngineTurns
from referee.desk.store.games import StoredGames
from referee.desk.store.inbox import Inbox
from referee.desk.store.keys import DeskKeys
from referee.desk.store.outbox import Outbox
from referee.desk.store.people import People
from referee.desk.store.projections.projections import Projections
from referee.desk.store.tables.creation import create_tables, expect_version
from referee.desk.store.tables.database import Database, engine_at, log_ahead, make_file, store_faults
from referee.desk.store.tables.schema import SECRET
from referee.desk.store.upkeep import Upkeep


class Store:
    """A desk's store, for any number of threads and processes."""

    def __init__(self, where: str | Path, attic: Path | None = None) -> None:
        """Open a store: a path for SQLite, or a URL such as `postgresql://...`; and the folder of its attic.

        RefereeError `store`, `no-desk`, or `newer-desk` for tables of a version that is not known here.
        """
        database = Database(where)
        self.database = database
        self.projections = Projections(database)
        self.catalogue = Catalogue(database)
        self.attic = Attic(database, attic)
        self.inbox = Inbox(database, self.attic)
        self.outbox = Outbox(database, self.attic)
        self.people = People(database)
        self.domain_keys = DomainKeys(database)
        self.games = StoredGames(
            database, self.projections, self.catalogue, self.inbox, self.outbox, self.people, self.domain_keys
        )
        self.engine_turns = EngineTurns(database)
        self.days = Days(database)
        self.keys = DeskKeys(database)
        self.upkeep = Upkeep(database, _expect_whole)
        try:
            self._look_through()
        except BaseException:
            database.close()
            raise

    @classmethod
    def create(cls, where: str | Path) -> Self:
        """Create a desk in a database, or open the one that is there; RefereeError `store` if that is impossible."""
        make_file(where)
        engine = engine_at(where)
        try:
            with store_faults(), engine.begin() as connection:
                if create_tables(connection):
                    connection.execute(SECRET.insert().values(game="", name="key", value=Key.drawn().secret.hex()))
        finally:
            engine.dispose()
        return cls(where)

    def _look_through(self) -> None:
        """Expect a whole desk of this version; anything else stays as it is."""
        with store_faults():
            with self.database.reader() as connection:
                expect_version(connection)
            log_ahead(self.database.engine)
        self.id = self.upkeep.identity()
        _ = self.keys.current  # a desk that has lost its key is not opened

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close all connections."""
        self.database.close()


def _expect_whole(copy: Path) -> None:
    with Store(copy) as store:
        for _ in store.catalogue.each_running(store.games.held):
            pass
