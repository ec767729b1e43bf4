"""Stores whose tables are of an older version: they are upgraded when the host wants it, and never silently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from referee.desk.store.copies import write_backup
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import engine_at, store_faults
from referee.desk.store.tables.upgrades import UPGRADES, expect_known, prepare


@dataclass(frozen=True, slots=True)
class OlderStore:
    """A store before its upgrade; a store of version 1 has no `id`."""

    engine: Engine
    version: int
    id: str | None

    def backup(self, path: Path, settings: str) -> None:
        """Write a copy of the store as it is; `write_backup` says what is raised."""
        write_backup(self.engine, path, settings, lambda _: None)


def upgrade_store(where: str | Path, before: Callable[[OlderStore], object]) -> int | None:
    """Upgrade the tables of a store; return the version they had, or None if they are up to date.

    `before` is called before anything changes; if it raises, nothing does.

    Raises:
        RefereeError: `store`, `no-desk` or `newer-desk`, as when a store is opened.
    """
    engine = engine_at(where)
    try:
        with store_faults(), engine.execution_options(reads=True).begin() as connection:
            had = expect_known(connection)
            named = connection.execute(rows.IDENTITY).scalar_one_or_none()
        if had == len(UPGRADES):
            return None
        before(OlderStore(engine, had, named))
        with store_faults(), engine.begin() as connection:
            prepare(connection)
        return had
    finally:
        engine.dispose()
