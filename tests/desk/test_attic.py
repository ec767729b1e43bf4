"""The attic: old letters leave the store for files, are read there, and are never lost."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DBAPIError

from referee.desk.log.events import MessageSent
from referee.desk.log.log import Came, new_entry, write_time
from referee.desk.play.setup import set_up
from referee.desk.records import Change, Held, Outgoing
from referee.desk.store import attic
from referee.desk.store.store import Store
from referee.desk.store.tables.database import Database
from referee.desk.store.tables.schema import ATTIC, CONTENT, OUTBOX
from referee.errors import FileError, RefereeError
from referee.game import GameFile
from tests.support.desks import BEGIN

STEPS = {"writestr": zipfile.ZipFile, "fsync": os, "rename": Path, "decompress": zlib, "write": Database}
"""The steps of letters to the attic, in order, each with its place in the code."""

KILLED = """
import os, sys
from pathlib import Path
from referee.desk.store import attic
from referee.desk.store.store import Store
from tests.desk.test_attic import LATER, STEPS

where, folder, step = sys.argv[1:]
store = Store(where, Path(folder))
attic.AT_ONCE = 1
leave = store.database.write

def killed(*_, **__):
    os._exit(9)

def once(*some):
    leave(*some)
    os._exit(9)

if step == "commit":
    store.database.write = once
else:
    setattr(STEPS[step], step, killed)
next(store.attic.put_away(LATER, "until"))
"""
"""A process that is killed at a step of a move."""

OLD, NEW = BEGIN, BEGIN + timedelta(days=30)
LATER = BEGIN + timedelta(days=60)


@contextmanager
def stored(where: str, folder: Path) -> Iterator[Store]:
    """A store with an old letter in and one out, with new ones of each, and with one that waits."""
    Store.create(where).__exit__()
    with Store(where, folder / "attic") as store:
        for number, at in enumerate((OLD, NEW)):
            letter, _ = store.inbox.receive(b"Subject: %d\n\nhello" % number, at, envelope=b"Return-Path: <a@b>\n")
            out = Outgoing(f"{number}@desk", "ada@example.org", b'{"number": %d}' % number)
            change = Change(letters=(out,), note="message")
            store.games.handle(letter, None, at, partial(answered, change))
            store.outbox.sent([out], at)
        store.inbox.receive(b"Subject: waits\n\n", OLD)
        yield store


def answered(change: Change, _: Held) -> Change:
    return change


def everything(store: Store) -> tuple[object, ...]:
    """All letters with all their bytes."""
    letters = sorted((one.letter.digest, one.letter.raw) for one in store.inbox.history())
    drafts = [(name, store.outbox.letter(name).letter.draft) for name in sorted(store.outbox.ids())]
    return letters, drafts, [one.raw for one in store.inbox.waiting(LATER)]


def rows(store: Store) -> tuple[int, list[str]]:
    """The number of contents in the store, and the ids of the letters out whose drafts it has."""
    drafts = store.database.read(select(OUTBOX.c.id).where(OUTBOX.c.moved.is_(None)).order_by(OUTBOX.c.id))
    return len(store.database.read(select(CONTENT.c.digest))), [row.id for row in drafts]


def test_old_letters_leave_the_store_and_are_read_as_before(where: str, tmp_path: Path) -> None:
    with stored(where, tmp_path) as store:
        before = everything(store)
        moved = next(store.attic.put_away(BEGIN + timedelta(days=1), "until-2027"))
        assert (moved.letters, moved.file) == (2, tmp_path / "attic" / "until-2027.zip")
        assert moved.size == len(b"Subject: 0\n\nhello") + len(b'{"number": 0}')
        assert rows(store) == (2, ["1@desk"])
        assert everything(store) == before
        assert [(one.letters, one.fault) for one in store.attic.files()] == [(2, "")]
        assert next(store.attic.put_away(BEGIN + timedelta(days=1), "until-2027"), None) is None
    with Store(where, tmp_path / "attic") as store:
        assert everything(store) == before


def test_a_file_is_a_zip_of_letters_that_only_its_owner_may_read(tmp_path: Path) -> None:
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        moved = next(store.attic.put_away(LATER, "until"))
        with zipfile.ZipFile(moved.file) as file:
            assert file.testzip() is None
            found = {name: file.read(name) for name in file.namelist()}
    assert sorted(name.partition(".")[2] for name in found) == ["eml", "eml", "json", "json"]
    assert all(sha256(content).hexdigest() == name.partition(".")[0] for name, content in found.items())
    assert moved.file.stat().st_mode & 0o077 == 0
    assert moved.file.parent.stat().st_mode & 0o077 == 0
    assert sorted(one.name for one in moved.file.parent.iterdir()) == [".lock", "until.zip"]


def test_the_store_gives_up_no_bytes_that_are_nowhere_else(where: str, tmp_path: Path) -> None:
    with stored(where, tmp_path) as store, pytest.raises(DBAPIError, match="nowhere else"):
        store.database.write(lambda connection: connection.execute(delete(CONTENT)))


def test_a_letter_that_comes_again_is_stored_again(where: str, tmp_path: Path) -> None:
    with stored(where, tmp_path) as store:
        next(store.attic.put_away(LATER, "until"))
        again, new = store.inbox.receive(b"Subject: 0\n\nhello", LATER)
        assert new
        assert again.raw in [one.raw for one in store.inbox.waiting(LATER)]
        store.games.handle(again, None, LATER, lambda _: Change(note="message"))
        moved = next(store.attic.put_away(LATER + timedelta(days=1), "until"))
        assert (moved.letters, moved.file.name) == (1, "until-2.zip")
        assert [(one.file.name, one.letters, one.fault) for one in store.attic.files()] == [
            ("until-2.zip", 1, ""),
            ("until.zip", 3, ""),
        ]


@pytest.mark.parametrize(("most", "files"), [(4, [3, 1]), (2, [2, 2]), (3, [3, 1])])
def test_the_letters_of_a_file_and_of_a_search_are_limited(
    most: int, files: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attic, "MOST_IN_A_FILE", 3)
    monkeypatch.setattr(attic, "MOST_IN_A_SEARCH", most)
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        before = everything(store)
        moved = [*store.attic.put_away(LATER, "until")]
        assert [one.letters for one in moved] == files
        assert [one.file.name for one in moved] == ["until.zip", "until-2.zip"]
        assert everything(store) == before


@pytest.mark.parametrize("fault", ["missing", "empty", "cut", "end", "changed", "other"])
def test_a_file_that_is_missing_or_damaged_is_named(fault: str, tmp_path: Path) -> None:
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        moved = next(store.attic.put_away(LATER, "until"))
        content = moved.file.read_bytes()
        moved.file.unlink()
        if fault == "other":
            with zipfile.ZipFile(moved.file, "w") as file:
                file.writestr("letter.eml", b"Subject: 0\n\nhello")
        elif fault != "missing":
            changed = content[:100] + bytes([content[100] ^ 1, content[101] ^ 255]) + content[102:]
            damaged = {"empty": b"", "cut": content[:200], "end": content[:-30], "changed": changed}
            moved.file.write_bytes(damaged[fault])
        (shelf,) = store.attic.files()
        assert shelf.letters == 4
        assert str(moved.file) in shelf.fault
        assert len([*store.inbox.history()]) == 3
        if fault in ("end", "changed"):  # of those, the other letters can be read still
            assert store.outbox.letter("0@desk").letter.draft == b'{"number": 0}'
        else:
            with pytest.raises(RefereeError, match=r"until\.zip") as raised:
                store.outbox.letter("0@desk")
            assert raised.value.code == "attic"


@pytest.mark.parametrize("step", STEPS)
def test_a_move_that_stops_loses_nothing_and_can_be_made_again(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        pass

    def killed(*_: Any, **__: Any) -> None:  # noqa: ANN401
        raise KilledError

    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        before = everything(store)
        with monkeypatch.context() as patch:
            patch.setattr(STEPS[step], step, killed)
            with pytest.raises(KilledError):
                next(store.attic.put_away(LATER, "until"))
        assert rows(store) == (3, ["0@desk", "1@desk"])
        assert everything(store) == before
        moved = next(store.attic.put_away(LATER, "until"))
        assert moved.letters == 4
        assert everything(store) == before


@pytest.mark.slow
@pytest.mark.parametrize("step", [*STEPS, "commit"])
def test_a_process_that_is_killed_loses_nothing(step: str, where: str, tmp_path: Path) -> None:
    """After a kill nothing is tidied up. At `commit` the first of four transactions is over."""
    with stored(where, tmp_path) as store:
        before = everything(store)
    (tmp_path / "attic").mkdir(0o700)
    ended = subprocess.run([sys.executable, "-c", KILLED, where, str(tmp_path / "attic"), step], check=False)
    assert ended.returncode == 9
    with Store(where, tmp_path / "attic") as store:
        assert everything(store) == before
        assert [one.fault for one in store.attic.files()] == ([""] if step == "commit" else [])
        strays = [path.name for path in store.attic.strays()]
        unfinished, whole = step in ("writestr", "fsync", "rename"), step in ("decompress", "write")
        assert strays == ["unfinished"] * unfinished + ["until.zip"] * whole
        moved = next(store.attic.put_away(LATER, "until"))
        assert moved.letters == (3 if step == "commit" else 4)
        assert everything(store) == before
        assert [one.fault for one in store.attic.files()] == [""] * (2 if step == "commit" else 1)
        assert [path.name for path in store.attic.strays()] == ["until.zip"] * whole
        assert next(store.attic.put_away(LATER, "until"), None) is None


@pytest.mark.slow
def test_those_who_move_letters_at_the_same_time_take_turns(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attic, "MOST_IN_A_FILE", 1)
    with stored(where, tmp_path) as store, Store(where, tmp_path / "attic") as another:
        before = everything(store)
        with ThreadPoolExecutor(2) as threads:
            moved = [*threads.map(lambda one: [*one.attic.put_away(LATER, "until")], (store, another))]
        files = [one.file.name for one in chain(*moved)]
        assert sorted(files) == ["until-2.zip", "until-3.zip", "until-4.zip", "until.zip"]
        assert [(one.letters, one.fault) for one in store.attic.files()] == [(1, "")] * 4
        assert everything(another) == before


def test_a_copy_that_is_new_or_waits_keeps_the_bytes_in_the_store(tmp_path: Path) -> None:
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        store.inbox.receive(b"Subject: 0\n\nhello", NEW, envelope=b"Delivered-To: <desk@example.org>\n")
        moved = next(store.attic.put_away(BEGIN + timedelta(days=1), "until"))
        assert moved.letters == 1
        assert rows(store) == (3, ["1@desk"])


def test_the_name_of_a_file_that_is_missing_is_not_given_again(tmp_path: Path) -> None:
    """It may be put back from a backup, and must not take the place of another one."""
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        before = everything(store)
        first = next(store.attic.put_away(BEGIN + timedelta(days=1), "until"))
        first.file.rename(tmp_path / "away.zip")
        second = next(store.attic.put_away(LATER, "until"))
        assert second.file.name == "until-2.zip"
        (tmp_path / "away.zip").rename(first.file)
        assert everything(store) == before


def test_bytes_that_were_changed_in_the_store_stay_there(tmp_path: Path) -> None:
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        with store.database.transaction() as connection:
            connection.execute(text("drop trigger content_changed"))
            connection.execute(update(CONTENT).values(bytes=b"forged"))
        with pytest.raises(RefereeError, match="was changed in the store") as raised:
            next(store.attic.put_away(LATER, "until"))
        assert raised.value.code == "store"
        assert rows(store) == (3, ["0@desk", "1@desk"])
        assert (store.attic.files(), store.attic.strays()) == ([], [])


@pytest.mark.slow
def test_a_draft_with_the_bytes_of_a_letter_is_found(tmp_path: Path) -> None:
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        next(store.attic.put_away(LATER, "until"))
        same = b"Subject: 0\n\nhello"
        store.games.change(None, NEW, lambda _: Change(letters=(Outgoing("same@desk", "ada@example.org", same),)))
        store.outbox.sent([store.outbox.letter("same@desk").letter], NEW)
        before = everything(store)
        moved = next(store.attic.put_away(LATER, "until"))
        assert moved.letters == 1
        assert everything(store) == before


@pytest.mark.slow
def test_a_move_that_stops_between_two_transactions_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attic, "AT_ONCE", 1)
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        before, leave, done = everything(store), store.database.write, list[object]()

        def once(*some: Any) -> None:  # noqa: ANN401
            if done:
                raise KeyboardInterrupt
            done.append(leave(*some))

        monkeypatch.setattr(store.database, "write", once)
        with pytest.raises(KeyboardInterrupt):
            next(store.attic.put_away(LATER, "until"))
        monkeypatch.setattr(store.database, "write", leave)
        assert everything(store) == before
        moved = next(store.attic.put_away(LATER, "until"))
        assert (moved.letters, moved.file.name) == (3, "until-2.zip")
        assert everything(store) == before


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "attic").touch()
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        before = everything(store)
        with pytest.raises(FileError, match="unwritable"):
            next(store.attic.put_away(LATER, "until"))
        assert everything(store) == before


def test_without_a_folder_the_letters_are_named_as_missing(tmp_path: Path) -> None:
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        next(store.attic.put_away(LATER, "until"))
        assert len(store.database.read(select(ATTIC))) == 4
    with Store(tmp_path / "desk.sqlite") as store, pytest.raises(RefereeError, match="folder"):
        store.outbox.letter("0@desk")


@pytest.mark.parametrize("wanted", ["a copy", "a game"])
def test_letters_wanted_again_during_a_move_stay(
    wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of a letter comes, or its game goes on, after the search and before its own file is made."""
    monkeypatch.setattr(attic, "MOST_IN_A_FILE", 1)
    with stored(str(tmp_path / "desk.sqlite"), tmp_path) as store:
        moving = store.attic.put_away(LATER, "until")
        assert next(moving).letters == 1
        if wanted == "a copy":
            store.inbox.receive(b"Subject: 1\n\nhello", LATER, envelope=b"Delivered-To: <desk@example.org>\n")
        else:
            acted = sha256(b"Return-Path: <a@b>\nSubject: 1\n\nhello").hexdigest()
            entries = set_up("game-0", GameFile("boundary"), OLD).entries
            said, came, last = MessageSent("south", "hello"), Came(acted, write_time(OLD)), entries[-1]
            entries += (new_entry("game-0", last.number + 1, OLD, said, last.digest, came=came),)
            store.games.change("game-0", OLD, lambda _: Change(entries))
        assert sum(one.letters for one in moving) == 2, "the letters out"
        assert rows(store)[0] == 2
