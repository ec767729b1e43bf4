"""Files that are no stores, and reports about a damaged one."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from referee.desk.errors import StoreError
from referee.desk.records import Change, Preference
from referee.desk.store.store import Store
from referee.desk.store.tables.database import engine_at, make_file
from referee.errors import FileError, RefereeError
from tests.desk import store_worker
from tests.support.desks import BEGIN
from tests.support.examples import is_quick

LETTER = b"Subject: hello\n\nP M1 A2 12\n"
LATER = BEGIN + timedelta(hours=1)


@pytest.fixture
def engine(where: str) -> Iterator[Engine]:
    """An empty database."""
    make_file(where)
    engine = engine_at(where)
    yield engine
    engine.dispose()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a store in SQLite that has a game and a letter."""
    with Store.create(tmp_path / "desk.db") as store:
        store_worker.begin(store, 1)
        store.inbox.receive(LETTER, BEGIN)
    return tmp_path


@pytest.mark.parametrize(
    "tables",
    [
        (),
        ("create table accounts (name text)",),
        ("create table meta (key text)", "create table event (a text)", "create table letter_in (a text)"),
        ("create table meta (name text, value text)", "insert into meta values ('schema', '1')"),
    ],
)
def test_only_what_begins_a_desk_makes_tables(engine: Engine, where: str, tables: tuple[str, ...]) -> None:
    with engine.begin() as connection:
        for statement in tables:
            connection.execute(text(statement))
    with pytest.raises(RefereeError) as raised:
        Store(where)
    assert raised.value.code == "no-desk"
    if "meta" in "".join(tables):
        with pytest.raises(RefereeError, match="something else") as raised:
            Store.create(where)
        assert raised.value.code == "store"


def test_a_foreign_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "music.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table songs (name text)")
    before = path.read_bytes()
    with pytest.raises(RefereeError, match="no-desk"):
        Store(path)
    assert (path.read_bytes(), [one.name for one in tmp_path.iterdir()]) == (before, ["music.db"])


def test_a_file_that_is_gone_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match="store: "):
        Store(tmp_path / "desk.db")
    assert not [*tmp_path.iterdir()]


def test_a_letter_is_known_by_its_bytes_and_its_envelope(where: str) -> None:
    with Store.create(where) as store, Store(where) as another:
        assert len(store.id) == 16
        assert (store.id, store.keys.current) == (another.id, another.keys.current)
        assert store.inbox.receive(LETTER, BEGIN)[1] is True
        assert another.inbox.receive(LETTER, LATER)[1] is False
        assert store.inbox.receive(LETTER, LATER, envelope=b"Delivered-To: <a@b>\n")[1] is True
        assert [one.raw for one in store.inbox.waiting(LATER)] == [LETTER, b"Delivered-To: <a@b>\n" + LETTER]


def test_letters_never_change(where: str) -> None:
    with Store.create(where) as store:
        store.inbox.receive(LETTER, BEGIN)
        for change in (
            "update letter_in set raw = :empty",
            "update letter_in set content = :empty",
            "update content set bytes = :empty",
            "delete from letter_in where raw <> :empty or raw = :empty",
        ):
            with pytest.raises(DBAPIError, match="only added to"), store.database.transaction() as connection:
                connection.execute(text(change), {"empty": b""})
        with pytest.raises(DBAPIError, match="nowhere else"), store.database.transaction() as connection:
            connection.execute(text("delete from content"))


def test_a_choice_is_kept_until_it_is_taken_back(where: str) -> None:
    ada = "ada@example.org"
    with Store.create(where) as store:

        def choose(name: str, value: str | None) -> None:
            store.games.change(None, BEGIN, lambda _: Change(preferences=(Preference(ada, name, value),)))

        choose("pictures", "on")
        choose("pictures", "off")
        choose("letters", "daily")
        assert store.people.preferences(ada) == {"pictures": "off", "letters": "daily"}
        assert store.people.preferences("ben@example.org") == {}
        assert (store.people.preferring("letters", "daily"), store.people.preferring("letters", "each")) == (
            [ada],
            [],
        )
        choose("letters", None)
        assert store.people.preferences(ada) == {"pictures": "off"}


def test_each_store_has_an_id_of_its_own(tmp_path: Path) -> None:
    with Store.create(tmp_path / "one.db") as one, Store.create(tmp_path / "two.db") as two:
        assert one.id != two.id
        assert one.keys.current != two.keys.current


def test_the_bytes_of_a_letter_are_kept_once(where: str) -> None:
    letter = LETTER + b"x" * 100_000
    with Store.create(where) as store:
        for number in range(20):
            envelope = b"Delivered-To: <desk+tag-%d@example.org>\n" % number
            stored, new = store.inbox.receive(letter, BEGIN, envelope=envelope, account="ada@example.org")
            assert new
            assert stored.digest == hashlib.sha256(envelope + letter).hexdigest()
        assert {one.raw for one in store.inbox.waiting(BEGIN)} >= {envelope + letter}
        ((size,),) = store.database.read(text("select sum(length(raw)) from letter_in"))
        ((kept,),) = store.database.read(text("select sum(length(bytes)) from content"))
        assert kept == len(letter)
        assert size < 2000
        assert store.inbox.charged("ada@example.org", BEGIN - timedelta(days=1)) == size + kept
        assert store.inbox.charged("ada@example.org", BEGIN) == 0
        assert store.inbox.charged("ben@example.org", BEGIN - timedelta(days=1)) == 0


def test_letters_set_aside_are_brought_back(where: str) -> None:
    with Store.create(where) as store:
        letters = [store.inbox.receive(LETTER + bytes([number]), BEGIN)[0] for number in range(3)]
        for letter in letters[:2]:
            store.inbox.postpone(letter, None, "hopeless")
        assert store.inbox.retry(letters[0].digest[:12], LATER) == 1
        assert store.inbox.retry(letters[2].digest, LATER) == 0, "it was not set aside"
        first, third = store.inbox.waiting(LATER)
        assert (first.digest, first.attempts, third.digest) == (letters[0].digest, 0, letters[2].digest)
        assert store.inbox.retry("", LATER) == 1
        assert store.upkeep.counts()["aside"] == 0


@pytest.mark.slow
def test_a_lost_key_is_never_replaced(folder: Path) -> None:
    with Store(folder / "desk.db") as store:
        spoils = [f"update secret set value = {value} where game = ''" for value in ("'zz'", "''", "'00ff'", "x'00'")]
        for spoilt in (*spoils, "delete from secret where game = ''"):
            with store.database.engine.begin() as connection:
                connection.execute(text(spoilt))
            with pytest.raises(StoreError, match="restore a backup"):
                _ = store.keys.current
            with pytest.raises(StoreError, match="restore a backup"):
                Store(folder / "desk.db")
        assert store.database.read(text("select count(*) from secret where game = ''"))[0][0] == 0


def told(path: Path) -> str:
    """The error of a store that is used in every way; empty if there is none."""
    try:
        with Store(path) as store:
            store.inbox.waiting(LATER)
            store.games.held("game-0")
            store.games.log("game-0")
            store.upkeep.counts()
            store.inbox.aside()
            store.inbox.receive(LETTER + b"another", BEGIN)
    except RefereeError as error:
        return str(error)
    return ""


def test_a_lost_id_is_reported(folder: Path) -> None:
    with Store(folder / "desk.db") as store, store.database.engine.begin() as connection:
        connection.execute(text("delete from meta where name = 'id'"))
    with pytest.raises(StoreError, match="id is missing"):
        Store(folder / "desk.db")


@pytest.mark.slow
def test_damage_is_reported_with_a_remedy(folder: Path) -> None:
    path = folder / "desk.db"
    whole = path.read_bytes()
    said = set()
    # Quickly, every third page is damaged, and with them the first, by which SQLite knows its files.
    for page in range(0, len(whole), 3 * 4096 if is_quick() else 4096):
        path.write_bytes(whole[:page] + b"\xa5" * 4096 + whole[page + 4096 :])
        said.add(told(path))
        for left in ("desk.db-wal", "desk.db-shm"):
            (folder / left).unlink(missing_ok=True)
    assert {one.partition(":")[0] for one in said} <= {"", "store", "no-desk"}
    assert any("malformed" in one and "restore a backup" in one for one in said)
    assert any("not a database" in one for one in said)


def test_an_entry_that_cannot_be_read_is_damage(folder: Path) -> None:
    with Store(folder / "desk.db") as store:
        with store.database.engine.begin() as connection:
            connection.execute(text("drop trigger event_changed"))
            connection.execute(text("update event set body = '{'"))
        for read in (store.games.held, store.games.log):
            with pytest.raises(StoreError, match="the log of game-0 is damaged"):
                read("game-0")


def test_a_full_disk_is_reported(folder: Path) -> None:
    with Store(folder / "desk.db") as store:
        with store.database.engine.connect() as connection:
            pages = connection.exec_driver_sql("pragma page_count").scalar()
            connection.exec_driver_sql(f"pragma max_page_count = {pages}")
        with pytest.raises(StoreError, match=r"full.*room"):
            store.inbox.receive(b"x" * 100_000, BEGIN)


def test_a_copy_is_whole_and_private(folder: Path) -> None:
    with Store(folder / "desk.db") as store:
        store.inbox.receive(b"written ahead", BEGIN)
        store.upkeep.backup(folder / "copy.db")
        with Store(folder / "copy.db") as copy:
            assert (copy.id, copy.keys.current, copy.games.held("game-0")) == (
                store.id,
                store.keys.current,
                store.games.held("game-0"),
            )
            assert copy.inbox.waiting(LATER) == store.inbox.waiting(LATER)
        assert (folder / "copy.db").stat().st_mode & 0o777 == 0o600
        before = (folder / "copy.db").read_bytes()
        with pytest.raises(FileError, match="exists"):
            store.upkeep.backup(folder / "copy.db")
        with pytest.raises(FileError, match="unwritable"):
            store.upkeep.backup(folder / "nowhere" / "copy.db")
        assert (folder / "copy.db").read_bytes() == before


@pytest.mark.slow
def test_postgresql_has_a_program_for_copies(server: str, tmp_path: Path) -> None:
    with Store.create(server) as store, pytest.raises(RefereeError, match="pg_dump") as raised:
        store.upkeep.backup(tmp_path / "copy")
    assert raised.value.code == "backup"
