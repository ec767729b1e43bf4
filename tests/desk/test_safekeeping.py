"""What a store is never taken for, how an older one goes on, and what is told of a damaged one."""

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

from referee.desk import Key
from referee.desk.store.older_stores import upgrade_store
from referee.desk.store.store import Store, StoreError
from referee.desk.store.tables import schema, upgrades
from referee.desk.store.tables.database import engine_at, make_file
from referee.desk.store.tables.records import Change, Preference
from referee.errors import FileError, RefereeError
from tests.support import store_worker
from tests.support.desks import BEGIN

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
        store.receive(LETTER, BEGIN)
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
    with engine.connect() as connection:
        assert upgrades.version(connection) is None
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


def test_a_store_of_version_1_goes_on_as_before(engine: Engine, where: str) -> None:
    key, digest = Key.drawn(), hashlib.sha256(LETTER).hexdigest()
    with engine.begin() as connection:
        assert upgrades.begin(connection, upgrades.UPGRADES[:1])
        connection.execute(schema.SECRET.insert().values(game="", name="key", value=key.secret.hex()))
        connection.execute(
            text(
                "insert into letter_in (digest, received, raw, next, attempts, note) "
                "values (:digest, :at, :raw, :at, 2, 'tried')"
            ),
            {"digest": digest, "at": "2027-03-01T12:00:00.000000Z", "raw": LETTER},
        )
    for _ in range(2):
        with pytest.raises(RefereeError, match=r"older-desk: .* have version 1, and"):
            Store(where)
    with pytest.raises(ZeroDivisionError):
        upgrade_store(where, lambda older: 1 // 0)
    seen: list[object] = []
    assert upgrade_store(where, lambda older: seen.append((older.version, older.id))) == 1
    assert upgrade_store(where, seen.append) is None
    assert seen == [(1, None)]
    with Store(where) as store, Store(where) as another:
        assert store.key == another.key == key
        assert len(store.id) == 16
        assert store.id == another.id
        (old,) = store.waiting(LATER)
        assert (old.digest, old.raw, old.attempts, old.cut) == (digest, LETTER, 2, False)
        assert store.receive(LETTER, LATER)[1] is False
        assert store.receive(LETTER, LATER, envelope=b"Delivered-To: <a@b>\n")[1] is True
        assert [one.raw for one in store.waiting(LATER)] == [LETTER, b"Delivered-To: <a@b>\n" + LETTER]


def test_letters_of_version_1_can_leave_the_store(engine: Engine, where: str, tmp_path: Path) -> None:
    letters = [b"Subject: %d\n\n\x00\xff" % number for number in range(2)]
    with engine.begin() as connection:
        upgrades.begin(connection, upgrades.UPGRADES[:1])
        connection.execute(schema.SECRET.insert().values(game="", name="key", value=Key.drawn().secret.hex()))
        for raw in letters:
            row = "(:digest, :at, :raw, 1, :at, 'message')"
            connection.execute(
                text(f"insert into letter_in (digest, received, raw, attempts, done, note) values {row}"),
                {"digest": hashlib.sha256(raw).hexdigest(), "at": "2027-03-01T12:00:00.000000Z", "raw": raw},
            )
    upgrade_store(where, lambda _: None)
    with Store(where, tmp_path / "attic") as store:
        assert [one.letter.raw for one in store.letters_in()] == letters[::-1]
        moved = next(store.put_away(LATER + timedelta(days=300), "until"))
        assert moved.letters == 2
        assert store._read(text("select bytes from content")) == []
        assert [one.letter.raw for one in store.letters_in()] == letters[::-1]
        with pytest.raises(DBAPIError, match="only added to"), store._transaction() as connection:
            connection.execute(text("update letter_in set raw = :empty"), {"empty": b""})


def test_what_somebody_chooses_is_kept_until_they_take_it_back(where: str) -> None:
    ada = "ada@example.org"
    with Store.create(where) as store:
        store.prefer(ada, "pictures", "on")
        store.prefer(ada, "pictures", "off")
        store.change(None, BEGIN, lambda _: Change(preferences=(Preference(ada, "letters", "daily"),)))
        assert store.preferences(ada) == {"pictures": "off", "letters": "daily"}
        assert store.preferences("ben@example.org") == {}
        assert (store.preferring("letters", "daily"), store.preferring("letters", "each")) == ([ada], [])
        store.prefer(ada, "letters", None)
        assert store.preferences(ada) == {"pictures": "off"}


def test_each_store_has_an_id_of_its_own(tmp_path: Path) -> None:
    with Store.create(tmp_path / "one.db") as one, Store.create(tmp_path / "two.db") as two:
        assert one.id != two.id
        assert one.key != two.key


def test_the_bytes_of_a_letter_are_kept_once(where: str) -> None:
    letter = LETTER + b"x" * 100_000
    with Store.create(where) as store:
        for number in range(20):
            envelope = b"Delivered-To: <desk+tag-%d@example.org>\n" % number
            stored, new = store.receive(letter, BEGIN, envelope=envelope, account="ada@example.org")
            assert new
            assert stored.digest == hashlib.sha256(envelope + letter).hexdigest()
        assert {one.raw for one in store.waiting(BEGIN)} >= {envelope + letter}
        ((size,),) = store._read(text("select sum(length(raw)) from letter_in"))
        ((kept,),) = store._read(text("select sum(length(bytes)) from content"))
        assert kept == len(letter)
        assert size < 2000
        assert store.charged("ada@example.org", BEGIN - timedelta(days=1)) == size + kept
        assert store.charged("ada@example.org", BEGIN) == 0
        assert store.charged("ben@example.org", BEGIN - timedelta(days=1)) == 0


def test_letters_set_aside_are_brought_back(where: str) -> None:
    with Store.create(where) as store:
        letters = [store.receive(LETTER + bytes([number]), BEGIN)[0] for number in range(3)]
        for letter in letters[:2]:
            store.postpone(letter, None, "hopeless")
        assert store.retry(letters[0].digest[:12], LATER) == 1
        assert store.retry(letters[2].digest, LATER) == 0, "it was not set aside"
        first, third = store.waiting(LATER)
        assert (first.digest, first.attempts, third.digest) == (letters[0].digest, 0, letters[2].digest)
        assert store.retry("", LATER) == 1
        assert store.counts()["aside"] == 0


def test_a_lost_key_is_never_drawn_anew(folder: Path) -> None:
    with Store(folder / "desk.db") as store:
        spoils = [f"update secret set value = {value} where game = ''" for value in ("'zz'", "''", "'00ff'", "x'00'")]
        for spoilt in (*spoils, "delete from secret where game = ''"):
            with store._engine.begin() as connection:
                connection.execute(text(spoilt))
            with pytest.raises(StoreError, match="restore a backup"):
                _ = store.key
            with pytest.raises(StoreError, match="restore a backup"):
                Store(folder / "desk.db")
        assert store._read(text("select count(*) from secret where game = ''"))[0][0] == 0


def told(path: Path) -> str:
    """What is told of a store while it is used in every way; empty if nothing is in the way."""
    try:
        with Store(path) as store:
            store.waiting(LATER)
            store.held("game-0")
            store.log("game-0")
            store.counts()
            store.aside()
            store.receive(LETTER + b"another", BEGIN)
    except RefereeError as error:
        return str(error)
    return ""


def test_a_lost_id_is_told(folder: Path) -> None:
    with Store(folder / "desk.db") as store, store._engine.begin() as connection:
        connection.execute(text("delete from meta where name = 'id'"))
    with pytest.raises(StoreError, match="id is missing"):
        Store(folder / "desk.db")


def test_damage_is_told_with_what_to_do(folder: Path) -> None:
    path = folder / "desk.db"
    whole = path.read_bytes()
    said = set()
    for page in range(0, len(whole), 4096):
        path.write_bytes(whole[:page] + b"\xa5" * 4096 + whole[page + 4096 :])
        said.add(told(path))
        for left in ("desk.db-wal", "desk.db-shm"):
            (folder / left).unlink(missing_ok=True)
    assert {one.partition(":")[0] for one in said} <= {"", "store", "no-desk"}
    assert any("malformed" in one and "restore a backup" in one for one in said)
    assert any("not a database" in one for one in said)


def test_an_entry_that_cannot_be_read_is_damage(folder: Path) -> None:
    with Store(folder / "desk.db") as store:
        with store._engine.begin() as connection:
            connection.execute(text("drop trigger event_changed"))
            connection.execute(text("update event set body = '{'"))
        for read in (store.held, store.log):
            with pytest.raises(StoreError, match="the log of game-0 is damaged"):
                read("game-0")


def test_a_full_disk_is_told(folder: Path) -> None:
    with Store(folder / "desk.db") as store:
        with store._engine.connect() as connection:
            pages = connection.exec_driver_sql("pragma page_count").scalar()
            connection.exec_driver_sql(f"pragma max_page_count = {pages}")
        with pytest.raises(StoreError, match=r"full.*room"):
            store.receive(b"x" * 100_000, BEGIN)


def test_a_copy_is_whole_and_private(folder: Path) -> None:
    with Store(folder / "desk.db") as store:
        store.receive(b"written ahead", BEGIN)
        store.backup(folder / "copy.db")
        with Store(folder / "copy.db") as copy:
            assert (copy.id, copy.key, copy.held("game-0")) == (store.id, store.key, store.held("game-0"))
            assert copy.waiting(LATER) == store.waiting(LATER)
        assert (folder / "copy.db").stat().st_mode & 0o777 == 0o600
        before = (folder / "copy.db").read_bytes()
        with pytest.raises(FileError, match="exists"):
            store.backup(folder / "copy.db")
        with pytest.raises(FileError, match="unwritable"):
            store.backup(folder / "nowhere" / "copy.db")
        assert (folder / "copy.db").read_bytes() == before


@pytest.mark.slow
def test_postgresql_has_a_program_for_copies(server: str, tmp_path: Path) -> None:
    with Store.create(server) as store, pytest.raises(RefereeError, match="pg_dump") as raised:
        store.backup(tmp_path / "copy")
    assert raised.value.code == "backup"
