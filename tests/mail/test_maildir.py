"""Letters from a Maildir."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.errors import RefereeError
from referee.mail.office import Office
from referee.mail.transport import maildir
from referee.mail.transport.maildir import fetch_maildir
from tests.support.servers import BEGIN, desk_at, letter


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with desk_at(tmp_path / "desk") as office:
        yield office


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("cur", "new", "tmp"):
        (tmp_path / "mail" / name).mkdir(parents=True)
    return tmp_path / "mail"


def put(folder: Path, name: str, raw: bytes = letter(), hours: int = 0) -> None:
    path = folder / "new" / name
    path.write_bytes(raw)
    written = (BEGIN - timedelta(hours=hours)).timestamp()
    os.utime(path, (written, written))


def test_letters_are_stored_then_moved(office: Office, folder: Path) -> None:
    put(folder, "2.mx", letter("second\n"), hours=1)
    put(folder, "1.mx", letter("first\n"), hours=2)
    put(folder, "3.mx", letter("third\n"), hours=-1)
    assert fetch_maildir(office, folder, BEGIN) == 3
    assert list((folder / "new").iterdir()) == []
    assert sorted(path.name for path in (folder / "cur").iterdir()) == ["1.mx:2,S", "2.mx:2,S", "3.mx:2,S"]
    found = office.desk.inbox.waiting(BEGIN)
    assert [one.raw for one in found] == [letter("first\n"), letter("second\n"), letter("third\n")]
    assert [(BEGIN - one.received) / timedelta(hours=1) for one in found] == [2, 1, 0], "never later than now"
    assert fetch_maildir(office, folder, BEGIN) == 0


def test_letters_that_could_not_be_stored_stay(office: Office, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> None:  # noqa: ANN401
        raise RuntimeError("the disk is full")

    put(folder, "1.mx")
    with monkeypatch.context() as broken:
        broken.setattr(maildir, "receive", failing)
        with pytest.raises(RuntimeError):
            fetch_maildir(office, folder, BEGIN)
    assert [path.name for path in (folder / "new").iterdir()] == ["1.mx"]
    assert fetch_maildir(office, folder, BEGIN) == 1


def test_a_letter_that_was_stored_but_not_moved_is_stored_once(office: Office, folder: Path) -> None:
    put(folder, "1.mx")
    (folder / "cur").rmdir()
    assert fetch_maildir(office, folder, BEGIN) == 1
    (folder / "cur").mkdir()
    assert fetch_maildir(office, folder, BEGIN) == 1
    assert len(office.desk.inbox.waiting(BEGIN)) == 1


def test_a_file_that_is_no_letter_stops_nothing(
    office: Office, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    new = folder / "new"
    (new / "1.folder").mkdir()
    (new / "2.dangling").symlink_to("nowhere")
    (new / "3.link").symlink_to("/etc/passwd")
    os.mkfifo(new / "4.pipe")
    (new / ".hidden").write_bytes(b"")
    put(folder, "5.mx")
    assert fetch_maildir(office, folder, BEGIN) == 1
    assert [path.name for path in (folder / "cur").iterdir()] == ["5.mx:2,S"]
    assert caplog.text.count("cannot be read") == 4


def test_a_folder_that_is_no_maildir(office: Office, tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match="is not a Maildir: no such file or directory: new/") as told:
        fetch_maildir(office, tmp_path, BEGIN)
    assert told.value.code == "maildir"
