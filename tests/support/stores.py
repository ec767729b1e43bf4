"""A place for a store, in SQLite and in PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from sqlalchemy import Engine, create_engine

from referee.desk.store.tables import database
from tests.support import postgres

_FIRST: list[Engine] = []
"""The engine of SQLite that was made first in this process."""


def compiling_once(*place: Any, **options: Any) -> Engine:  # noqa: ANN401 - as `create_engine`
    """A new engine; those of SQLite share their compiled statements, of which each would compile all again."""
    engine = create_engine(*place, **options)
    if engine.dialect.name == "sqlite":
        if not _FIRST:
            _FIRST.append(engine)
        (first,) = _FIRST
        engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
    return engine


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Have the stores of all tests share their compiled statements."""
    with mock.patch.object(database, "create_engine", compiling_once):
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a PostgreSQL; if there can be none, its tests are skipped, with the reason."""
    if reason := postgres.missing():
        pytest.skip(reason)
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A place for a store of its own; in PostgreSQL a schema that is dropped afterwards."""
    if request.param == "sqlite":
        yield str(tmp_path / "desk.db")
        return
    from sqlalchemy import make_url, text

    url, name = make_url(request.getfixturevalue("server")), f"test_{uuid.uuid4().hex}"
    engine = create_engine(url.set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(text(f"create schema {name}"))
    own = url.update_query_dict({"options": f"-csearch_path={name}"})
    yield own.render_as_string(hide_password=False)
    with engine.begin() as connection:
        connection.execute(text(f"drop schema {name} cascade"))
    engine.dispose()
