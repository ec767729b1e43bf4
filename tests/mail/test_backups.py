"""Backups of a desk, and desks from backups: nothing in the backup is lost, and old keys open nothing."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from functools import partial
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from referee.desk import acts, sealed_name, seat_token
from referee.desk.law.disclosure import opens_seal
from referee.errors import FileError, RefereeError
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host import host
from referee.mail.host.backups import back_up, restore
from referee.mail.host.metrics import exposition
from referee.mail.host.register import letter_text, letters
from referee.mail.letters.render import render
from referee.mail.office import create_office, office_in
from referee.mail.transport.receipt import receive
from tests.support.correspondence import BEGIN, GAME, Correspondence, address, corresponding, text
from tests.support.friends import ADA, BEN, CLEO, Friends, friends
from tests.support.servers import letter

MOVE, OTHER = "P M1 A2 12", "P M2Y C6 10"
VOUCHED = (
    "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net\n"
    "Received: from a by mx.example.org with ESMTPS; Mon, 01 Mar 2027 12:00:00 +0000"
)


@contextmanager
def restored(backup: Path, folder: Path) -> Iterator[Correspondence]:
    """The desk of a backup in another folder."""
    restore(backup, folder, BEGIN)
    with office_in(folder) as office:
        yield Correspondence(office)


def reply_address(post: Correspondence, side: str) -> str:
    return parseaddr(str(post.letters[address(side)][-1]["Reply-To"]))[1]


@pytest.mark.slow
def test_play_goes_on_where_the_backup_was_made(tmp_path: Path) -> None:
    """A move in a letter that had come in counts, with a nonce that no former key gives."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", MOVE)
        post.write("north", MOVE)
        to = reply_address(post, "south")
        receive(post.office, letter(OTHER, address("south")), post.at, recipient=to)
        back_up(post.office, tmp_path / "backup", post.at)
        former = post.office.desk.key
        handle_waiting(post.office, post.at)
        secret = post.office.desk.games.held(GAME).secrets[sealed_name(post.state.ply, "south")]
        nonce = secret.rsplit(" ", 1)[1]
        assert opens_seal(post.state, "south", OTHER, nonce)
        older = post.letters
    with restored(tmp_path / "backup", tmp_path / "elsewhere") as post:
        assert post.office.desk.key != former
        assert post.kinds == ["opened", "submitted", "submitted", "played", "submitted", "signed"]
        assert not opens_seal(post.state, "south", OTHER, nonce)
        fresh = {side: seat_token(post.office.desk.key, post.state, side) for side in ("south", "north")}
        for one in post.office.desk.outbox.take(post.at, 100):
            post.office.desk.outbox.sent([one], post.at)
        post.letters, post.count = older, 100
        came = post.write("north", OTHER)
        assert "no-token" in text(came[address("north")]), "keys that the old desk gave move nothing"
        post.write("north", OTHER, to=f"desk+{GAME}.{fresh['north']}@example.org")
        assert post.kinds[-2:] == ["submitted", "played"]
        post.holds()


@pytest.mark.slow
def test_each_player_gets_one_letter_with_a_fresh_address(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("the-beam")
        back_up(post.office, tmp_path / "backup", post.at)
        older = {side: reply_address(post, side) for side in post.state.players}
    with restored(tmp_path / "backup", tmp_path / "elsewhere") as post:
        letters = post.collect()
        assert {*letters} == {*map(address, older)}
        for side, before in older.items():
            told = text(letters[address(side)])
            assert told.startswith("This desk was restored from a backup. Everything newer is lost.")
            assert "This desk has a new key" in told
            assert reply_address(post, side) != before
        assert post.collect() == {}


@pytest.mark.slow
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
        back_up(post.office, tmp_path / "backup", post.at)
        coming.join()
    assert (tmp_path / "backup").stat().st_mode & 0o777 == 0o600
    with restored(tmp_path / "backup", tmp_path / "elsewhere") as post:
        assert post.office.desk.upkeep.counts()["waiting"] == post.office.desk.upkeep.counts()["aside"] == 0
        assert {*before} <= {one.letter.digest for one in post.office.desk.inbox.history() if one.done}


@pytest.mark.slow
def test_settings_and_files_that_are_there_already(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "send: {user: me, password-file: secret}\n") as post:
        post.open("beams")
        back_up(post.office, tmp_path / "backup", post.at)
        post.office.desk.upkeep.backup(tmp_path / "bare")
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


@pytest.mark.slow
def test_a_store_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It appears there at once, and is always private; if there is no such folder, nothing is done."""
    with corresponding(tmp_path / "desk") as post:
        back_up(post.office, tmp_path / "backup", post.at)
    own, away = tmp_path / "own", tmp_path / "disk" / "desk.sqlite"
    own.mkdir(mode=0o700)
    settings = (tmp_path / "desk" / "desk.yaml").read_text()
    (own / "desk.yaml").write_text(f"{settings}\nstore: {away}\n")
    refused("unwritable", tmp_path / "backup", own)
    away.parent.mkdir()
    modes, copyfile = [], shutil.copyfile

    def copied(source: Path, target: Path) -> None:
        copyfile(source, target)
        modes.append((target.stat().st_mode & 0o777, away.exists()))

    monkeypatch.setattr(shutil, "copyfile", copied)
    restore(tmp_path / "backup", own, BEGIN)
    assert modes == [(0o600, False)]
    assert away.stat().st_mode & 0o777 == 0o600
    assert [*away.parent.iterdir()] == [away]


def test_a_file_that_is_no_backup_leaves_nothing_behind(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        back_up(post.office, tmp_path / "backup", post.at)
        post.office.desk.upkeep.backup(tmp_path / "bare")
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
    """Expect that no desk can be made from this backup there, with the code of the reason."""
    with pytest.raises(RefereeError) as raised:
        restore(backup, folder, BEGIN)
    error = raised.value
    assert (error.findings[0].code if isinstance(error, FileError) else error.code) == code


@pytest.mark.slow
def test_invitations_go_on_too(tmp_path: Path) -> None:
    """Invited players get the invitation again; an answer to the older one that had come in counts."""
    with friends(tmp_path) as post:
        for other in (BEN, CLEO):
            post.write(ADA, f"new boundary with {other}")
        older = str(post.letters[CLEO][-1]["Reply-To"])
        raw = f"From: {CLEO}\nTo: {older}\nMessage-ID: <a@b>\n{VOUCHED}\n\naccept\n".replace("\n", "\r\n")
        receive(post.office, raw.encode(), post.at)
        invited = {state.id: state.invitation for state in map(post.office.desk.state, post.games)}
        assert None not in invited.values()
        found = letters(post.office)
        assert [one.verdict.split()[0] for one in found if one.incoming] == ["opened", "opened", "waits"]
        assert all(letter_text(post.office, one.digest, unseal=True)[1] for one in found)
        assert 'games{rules="boundary",state="invited"} 2' in exposition(post.office, post.at)
        back_up(post.office, tmp_path / "backup", post.at)
    restore(tmp_path / "backup", tmp_path / "elsewhere", BEGIN)
    with office_in(tmp_path / "elsewhere") as office:
        again = Friends(office)
        for letter in office.desk.outbox.take(BEGIN, 100):
            message = message_from_bytes(render(office, letter), policy=default)
            assert isinstance(message, EmailMessage)
            again.letters.setdefault(letter.recipient, []).append(message)
            office.desk.outbox.sent([letter], BEGIN)
        assert again.letters.keys() == {ADA, BEN, CLEO}
        kinds = sorted(again.kinds(name) for name in again.games)
        assert kinds == [["invited", "joined", "joined", "opened", "signed"], ["invited", "joined", "signed"]]
        again.answer(BEN, "accept")
        assert all("opened" in again.kinds(name) for name in again.games)
        again.holds()


@pytest.mark.slow
def test_a_restore_that_is_killed_before_it_writes_the_settings_can_be_done_again(tmp_path: Path) -> None:
    """An empty file of settings would block every other attempt."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        back_up(post.office, tmp_path / "backup", post.at)

    def killed_at_writing() -> None:
        with patch.object(os, "link", lambda *_, **__: os._exit(0)):
            restore(tmp_path / "backup", tmp_path / "new", BEGIN)

    killed(killed_at_writing, 60)
    assert not (tmp_path / "new" / "desk.sqlite").exists()
    restore(tmp_path / "backup", tmp_path / "new", BEGIN)
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"desk.yaml", "desk.sqlite"}


@pytest.mark.slow
def test_a_restore_that_is_killed_can_be_done_again(tmp_path: Path) -> None:
    """At any moment: the folder has a whole desk, or another attempt makes one."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", MOVE)
        receive(post.office, letter(MOVE, address("north")), post.at, recipient=reply_address(post, "north"))
        back_up(post.office, tmp_path / "backup", post.at)
    chance, whole = Random(7), 0
    took = killed(partial(restore, tmp_path / "backup", tmp_path / "first", BEGIN), 60)
    for number in range(40):
        folder = tmp_path / f"desk-{number}"
        for _ in range(2):
            killed(partial(restore, tmp_path / "backup", folder, BEGIN), chance.uniform(0, 1.5 * took))
        survived = (folder / "desk.sqlite").exists()
        took *= 0.95 if survived else 1.05  # the machine may be busier than it was, or less busy
        if survived:
            whole += 1
            refused("exists", tmp_path / "backup", folder)
        else:
            restore(tmp_path / "backup", folder, BEGIN)
        assert {path.name for path in folder.iterdir()} == {"desk.yaml", "desk.sqlite"}
        with office_in(folder) as office:
            post = Correspondence(office)
            assert post.kinds == ["opened", "submitted", "submitted", "played", "signed"]
            assert {one.recipient for one in office.desk.outbox.take(BEGIN, 100)} >= {
                address("south"),
                address("north"),
            }
            post.holds()
        shutil.rmtree(folder)
    assert 4 < whole < 36, "some were killed, and some were not"


@pytest.mark.slow
def test_a_reopening_that_is_killed_is_reported_or_has_not_happened(tmp_path: Path) -> None:
    chance, done = Random(8), 0
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        host.order_by_host(post.office, GAME, acts.Adjudicate("south"), post.at)
        post.office.desk.upkeep.backup(tmp_path / "ended")
    took = killed(partial(reopen, shutil.copytree(tmp_path / "desk", tmp_path / "first")), 60)
    for number in range(40):
        folder = tmp_path / f"desk-{number}"
        folder.mkdir(mode=0o700)
        shutil.copy(tmp_path / "desk" / "desk.yaml", folder)
        shutil.copy(tmp_path / "ended", folder / "desk.sqlite")
        killed(partial(reopen, folder), chance.uniform(0, 1.5 * took))
        with office_in(folder) as office:
            post = Correspondence(office)
            reopened = post.kinds[-1] == "reopened"
            took *= 0.95 if reopened else 1.05
            assert len([*office.desk.outbox.history()]) == (6 if reopened else 4)
            post.holds()
        done += reopened
        shutil.rmtree(folder)
    assert 2 < done < 38, "some were killed, and some were not"


def reopen(folder: Path) -> None:
    with office_in(folder) as office:
        host.order_by_host(office, GAME, acts.Reopen("It was a mistake"), BEGIN)


def killed(work: Callable[[], object], seconds: float) -> float:
    """Do something in a process that is killed after some seconds, unless it has ended; return its duration."""
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    while os.waitpid(pid, os.WNOHANG) == (0, 0):
        if time.monotonic() - began > seconds:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            break
        time.sleep(0.0005)
    return time.monotonic() - began
