"""Backups of a desk, and desks from backups: nothing that the backup had is lost, and no old key opens anything."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parseaddr
from pathlib import Path

import pytest

from referee.desk.records import sealed_name
from referee.desk.seals import opens
from referee.errors import FileError, RefereeError
from referee.mail.backups import back_up, restore
from referee.mail.office import create_office, office_in
from referee.mail.pipeline import handle_waiting, receive
from tests.support.correspondence import BEGIN, GAME, Correspondence, address, corresponding, text
from tests.support.servers import letter

MOVE, OTHER = "P M1 A2 12", "P M2Y C6 10"


@contextmanager
def restored(backup: Path, folder: Path) -> Iterator[Correspondence]:
    """The desk of a backup in another folder."""
    restore(backup, folder, BEGIN)
    with office_in(folder) as office:
        yield Correspondence(office)


def reply_address(post: Correspondence, side: str) -> str:
    return parseaddr(str(post.letters[address(side)][-1]["Reply-To"]))[1]


def test_play_goes_on_where_the_backup_was_made(tmp_path: Path) -> None:
    """A move that had come in by letter counts, with a nonce that no former key gives."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", MOVE)
        post.write("north", MOVE)
        to = reply_address(post, "south")
        receive(post.office, letter(OTHER, address("south")), post.at, recipient=to)
        back_up(post.office, tmp_path / "backup")
        former = post.office.store.key
        handle_waiting(post.office, post.at)
        (seal,) = post.state.seals.values()
        secret = post.office.store.held(GAME).secrets[sealed_name(post.state.ply, "south")]
        nonce = bytes.fromhex(secret.rsplit(" ", 1)[1])
        assert opens(seal.commitment, GAME, post.state.ply, "south", post.state.protocol, OTHER, nonce)
        older = post.letters
    with restored(tmp_path / "backup", tmp_path / "elsewhere") as post:
        assert post.office.store.key != former
        assert post.kinds == ["opened", "submitted", "submitted", "played", "submitted"]
        (seal,) = post.state.seals.values()
        assert not opens(seal.commitment, GAME, post.state.ply, "south", post.state.protocol, OTHER, nonce)
        fresh = {side: post.office.store.key.token(GAME, side, 0, post.state.turn) for side in ("south", "north")}
        for one in post.office.store.take(post.at, 100):
            post.office.store.sent(one, post.at)
        post.letters = older
        came = post.write("north", OTHER)
        assert "no-token" in text(came[address("north")]), "keys that the old desk gave move nothing"
        post.write("north", OTHER, to=f"desk+{GAME}.{fresh['north']}@example.org")
        assert post.kinds[-2:] == ["submitted", "played"]
        post.holds()


def test_each_player_gets_one_letter_with_a_fresh_address(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("the-beam")
        back_up(post.office, tmp_path / "backup")
        older = {side: reply_address(post, side) for side in post.state.players}
    with restored(tmp_path / "backup", tmp_path / "elsewhere") as post:
        letters = post.collect()
        assert {*letters} == {*map(address, older)}
        for side, before in older.items():
            assert "This desk has a new key" in text(letters[address(side)])
            assert reply_address(post, side) != before
        assert post.collect() == {}


def test_a_backup_while_letters_come_in_lacks_none_that_came_before(tmp_path: Path) -> None:
    came: list[str] = []
    begun = threading.Event()
    with corresponding(tmp_path / "desk") as post:

        def come() -> None:
            for number in range(40):
                stored = receive(post.office, letter(f"help {number}"), post.at, recipient="desk@example.org")
                came.append(stored.digest)
                if number == 10:
                    begun.set()
                if number % 3:
                    handle_waiting(post.office, post.at)

        coming = threading.Thread(target=come)
        coming.start()
        begun.wait()
        before = [*came]
        back_up(post.office, tmp_path / "backup")
        coming.join()
    assert (tmp_path / "backup").stat().st_mode & 0o777 == 0o600
    with restored(tmp_path / "backup", tmp_path / "elsewhere") as post:
        assert post.office.store.counts()["waiting"] == post.office.store.counts()["aside"] == 0
        assert {*before} <= {one.letter.digest for one in post.office.store.letters_in() if one.done}


def test_settings_and_files_that_are_there_already(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "send: {user: me, password-file: secret}\n") as post:
        post.open("beams")
        back_up(post.office, tmp_path / "backup")
        post.office.store.backup(tmp_path / "bare")
    done = restore(tmp_path / "backup", tmp_path / "whole", BEGIN)
    assert (done.letters, done.passwords) == (2, (tmp_path / "whole" / "secret",))
    for name in ("desk.yaml", "desk.sqlite"):
        assert (tmp_path / "whole" / name).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "whole" / "desk.yaml").read_bytes() == (tmp_path / "desk" / "desk.yaml").read_bytes()
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    shutil.copy(tmp_path / "desk" / "desk.yaml", own)
    assert restore(tmp_path / "bare", own, BEGIN).letters == 2
    refused("exists", tmp_path / "backup", own)
    create_office(tmp_path / "other", "desk@example.org", "desk.sqlite")
    (tmp_path / "other" / "desk.sqlite").unlink()
    refused("other-desk", tmp_path / "backup", tmp_path / "other")
    (tmp_path / "other" / "desk.yaml").write_text("address: desk@example.org\nstore: postgresql://a@b/c\n")
    refused("backup", tmp_path / "backup", tmp_path / "other")


def test_what_is_no_backup_leaves_nothing_behind(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        back_up(post.office, tmp_path / "backup")
        post.office.store.backup(tmp_path / "bare")
    (tmp_path / "text").write_text("a text")
    whole = (tmp_path / "backup").read_bytes()
    (tmp_path / "damaged").write_bytes(whole[:8192] + b"\xff" * 4096 + whole[12288:])
    new = tmp_path / "new"
    for code, name in (
        ("unreadable", "nowhere"),
        ("no-desk", "text"),
        ("store", "damaged"),
        ("unreadable", "bare"),
    ):
        refused(code, tmp_path / name, new)
        assert [*new.iterdir()] == []
    new.chmod(0o755)
    (new / "a-file").touch()
    refused("folder", tmp_path / "backup", new)


def refused(code: str, backup: Path, folder: Path) -> None:
    """That no desk can be made of this there, and why."""
    with pytest.raises(RefereeError) as raised:
        restore(backup, folder, BEGIN)
    error = raised.value
    assert (error.findings[0].code if isinstance(error, FileError) else error.code) == code
