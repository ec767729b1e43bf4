"""Backups of a damaged store, and stores of an older version: a copy is called one only if it can be restored."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from referee.desk.store.tables.database import engine_at
from referee.desk.store.tables.upgrades import UPGRADES
from referee.mail.office import create_office, now
from tests.support.command_line import referee
from tests.support.correspondence import corresponding

PAGE = 4096
GAME = "--player", "south=Ada <ada@example.org>", "--player", "north=Ben <ben@example.org>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A desk with some games, whose store is one file."""
    folder = tmp_path / "desk"
    assert referee("desk", "init", folder, "--address", "desk@example.org").status == 0
    for number in range(3):
        assert referee("desk", "open", "beams", "--desk", folder, "--id", f"g{number}", *GAME).status == 0
    with closing(sqlite3.connect(folder / "desk.sqlite")) as store:
        store.execute("pragma wal_checkpoint(truncate)")
    return folder


def damaged(raw: bytes, number: int) -> bytes:
    """The bytes of a store with one page of zeros, or of noise, or with one bit changed."""
    random, found = Random(number), bytearray(raw)
    at = random.randrange(1, len(raw) // PAGE) * PAGE
    match number % 3:
        case 0:
            found[at : at + PAGE] = bytes(PAGE)
        case 1:
            found[at : at + PAGE] = random.randbytes(PAGE)
        case _:
            found[at + random.randrange(2000, PAGE)] ^= 0x10
    return bytes(found)


def test_what_backup_calls_a_copy_can_be_restored(folder: Path, tmp_path: Path) -> None:
    raw, refused = (folder / "desk.sqlite").read_bytes(), 0
    for number in range(15):
        for companion in folder.glob("desk.sqlite-*"):
            companion.unlink()
        (folder / "desk.sqlite").write_bytes(damaged(raw, number))
        copy, restored = tmp_path / "copy", tmp_path / "restored"
        done = referee("desk", "backup", copy, "--desk", folder)
        assert done.status == (0 if copy.exists() else 1), done
        assert not [*tmp_path.glob(".copy*")]
        if copy.exists():
            assert referee("desk", "restore", copy, restored).status == 0
            shutil.rmtree(restored)
            copy.unlink()
        else:
            refused += 1
            assert done.err.startswith("store: ")
    assert refused > 5


def test_a_paused_game_is_a_note(folder: Path) -> None:
    assert referee("desk", "pause", "g0", "--desk", folder).status == 0
    done = referee("desk", "doctor", "--no-letter", "--desk", folder)
    assert "note  clocks    the clocks of the game g0 are stopped" in done.out
    assert "ok    games     nothing waits for you" in done.out
    assert "wrong" not in done.out.replace("nothing is wrong", "")
    assert done.status == 0


OLDER = (
    "drop index outbox_returned",
    "alter table outbox drop column returned",
    "alter table outbox drop column acknowledged",
    "alter table letter_in drop column acknowledged",
    f"update meta set value = '{len(UPGRADES) - 1}' where name = 'schema'",
)
"""What gives a store the tables of the version before."""


def make_older(folder: Path) -> None:
    """Give the store the tables of the version before."""
    with closing(sqlite3.connect(folder / "desk.sqlite")) as store, store:
        for statement in OLDER:
            store.execute(statement)
    with closing(sqlite3.connect(folder / "desk.sqlite")) as store:
        store.execute("pragma wal_checkpoint(truncate)")


def test_an_older_store_is_upgraded_only_when_the_host_says_so(folder: Path, tmp_path: Path) -> None:
    make_older(folder)
    before = (folder / "desk.sqlite").read_bytes()
    for command in (["status"], ["tick"], ["backup", tmp_path / "copy"], ["letters"], ["resend", "g0"]):
        refused = referee("desk", *command, "--desk", folder)
        assert refused.status == 1
        assert f"older-desk: the tables of this desk have version {len(UPGRADES) - 1}" in refused.err
    assert referee("desk", "receive", "--desk", folder, stdin=b"Subject: hello\n\nhelp\n").status == 75
    assert "older-desk" in referee("desk", "doctor", "--no-letter", "--desk", folder).out.replace("\n", " ")
    assert (folder / "desk.sqlite").read_bytes() == before
    done = referee("desk", "upgrade", "--desk", folder)
    assert done.status == 0
    (backup,) = folder.glob("desk.sqlite.*.backup")
    assert done.out.endswith(f"a backup from before: {backup}\n")
    assert backup.stat().st_mode & 0o777 == 0o600
    assert referee("desk", "status", "--desk", folder).status == 0
    assert referee("desk", "upgrade", "--desk", folder).out == "the store is up to date\n"
    assert [*folder.glob("desk.sqlite.*.backup")] == [backup]
    assert referee("desk", "restore", backup, tmp_path / "again").status == 0
    assert referee("desk", "status", "--desk", tmp_path / "again").out.count("round 1") == 3


def test_serve_upgrades_with_a_backup_and_a_line_in_the_log(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make_older(folder)
    monkeypatch.setattr("referee.mail.host.daemon.serve", lambda *_, **__: None)
    assert referee("desk", "serve", "--desk", folder).status == 0
    (backup,) = folder.glob("desk.sqlite.*.backup")
    (line,) = [one for one in caplog.messages if "upgraded" in one]
    assert line.endswith(str(backup))
    caplog.clear()
    assert referee("desk", "serve", "--desk", folder).status == 0
    assert not [one for one in caplog.messages if "upgraded" in one]


def test_a_store_of_another_desk_is_not_upgraded(folder: Path) -> None:
    make_older(folder)
    path = folder / "desk.yaml"
    text = path.read_text().replace('\nid: "', '\nid: "0123456789abcdef" # "')
    path.write_text(text)
    assert "other-desk" in referee("desk", "upgrade", "--desk", folder).err
    assert not [*folder.glob("*.backup")]


def test_backups_are_noted_only_if_they_are_there(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        assert post.office.store.backed_up() is None
        (tmp_path / "copy").write_text("mine")
        assert referee("desk", "backup", tmp_path / "copy", "--desk", tmp_path / "desk").status == 2
        assert (post.office.store.backed_up(), (tmp_path / "copy").read_text()) == (None, "mine")
        (tmp_path / "link").symlink_to("nowhere")
        assert referee("desk", "backup", tmp_path / "link", "--desk", tmp_path / "desk").status == 2
        assert referee("desk", "backup", tmp_path / "other", "--desk", tmp_path / "desk").status == 0
        noted = post.office.store.backed_up()
        assert noted is not None
        assert abs((noted - now()).total_seconds()) < 60


@pytest.mark.slow
@pytest.mark.parametrize("where", ["postgres"], indirect=True)
def test_a_desk_in_postgresql_is_upgraded_once_it_was_copied(where: str, tmp_path: Path) -> None:
    create_office(tmp_path / "desk", "desk@example.org", where)
    engine = engine_at(where)
    with engine.begin() as store:
        for statement in OLDER:
            store.execute(text(statement))
    engine.dispose()
    for command in ("upgrade", "serve"):
        refused = referee("desk", command, "--desk", tmp_path / "desk")
        assert (refused.status, "upgrade --copied" in refused.err) == (1, True)
    assert "older-desk" in referee("desk", "status", "--desk", tmp_path / "desk").err
    assert referee("desk", "upgrade", "--copied", "--desk", tmp_path / "desk").status == 0
    assert referee("desk", "status", "--desk", tmp_path / "desk").status == 0
