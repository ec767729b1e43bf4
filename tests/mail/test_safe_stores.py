"""Backups of a damaged store, and stores of another version: a copy is called one only if it can be restored."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from referee.mail.office import now
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


@pytest.mark.slow
def test_every_backup_can_be_restored(folder: Path, tmp_path: Path) -> None:
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


@pytest.mark.slow
def test_a_paused_game_is_a_note(folder: Path) -> None:
    assert referee("desk", "pause", "g0", "--desk", folder).status == 0
    done = referee("desk", "doctor", "--no-letter", "--desk", folder)
    assert "note  clocks    the clocks of the game g0 are stopped" in done.out
    assert "ok    games     nothing waits for you" in done.out
    assert "wrong" not in done.out.replace("nothing is wrong", "")
    assert done.status == 0


@pytest.mark.slow
def test_a_store_of_another_version_is_refused_and_stays_as_it_is(folder: Path, tmp_path: Path) -> None:
    assert referee("desk", "backup", tmp_path / "copy", "--desk", folder).status == 0
    for path in (folder / "desk.sqlite", tmp_path / "copy"):
        with closing(sqlite3.connect(path)) as store, store:
            store.execute("update meta set value = '2' where name = 'schema'")
        with closing(sqlite3.connect(path)) as store:
            store.execute("pragma wal_checkpoint(truncate)")
    before = (folder / "desk.sqlite").read_bytes()
    for command in (["status"], ["tick"], ["backup", tmp_path / "other"], ["letters"], ["resend", "g0"], ["serve"]):
        refused = referee("desk", *command, "--desk", folder)
        assert refused.status == 1
        assert "newer-desk: the tables of this desk have version 2, and this referee knows version 1" in refused.err
    assert referee("desk", "receive", "--desk", folder, stdin=b"Subject: hello\n\nhelp\n").status == 75
    assert "newer-desk" in referee("desk", "doctor", "--no-letter", "--desk", folder).out.replace("\n", " ")
    assert (folder / "desk.sqlite").read_bytes() == before
    assert "newer-desk" in referee("desk", "restore", tmp_path / "copy", tmp_path / "again").err
    assert not [*(tmp_path / "again").iterdir()]


def test_backups_are_noted_only_if_they_are_there(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        assert post.office.desk.upkeep.backed_up() is None
        (tmp_path / "copy").write_text("mine")
        assert referee("desk", "backup", tmp_path / "copy", "--desk", tmp_path / "desk").status == 2
        assert (post.office.desk.upkeep.backed_up(), (tmp_path / "copy").read_text()) == (None, "mine")
        (tmp_path / "link").symlink_to("nowhere")
        assert referee("desk", "backup", tmp_path / "link", "--desk", tmp_path / "desk").status == 2
        assert referee("desk", "backup", tmp_path / "other", "--desk", tmp_path / "desk").status == 0
        noted = post.office.desk.upkeep.backed_up()
        assert noted is not None
        assert abs((noted - now()).total_seconds()) < 60
