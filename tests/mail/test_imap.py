"""Letters from a mailbox by IMAP, kept by a real Dovecot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from imap_tools import BaseMailBox, MailBoxUnencrypted

from referee.errors import RefereeError
from referee.mail.host.checks.servers import mailbox_diagnoses
from referee.mail.intake.message.limits import LIMITS
from referee.mail.office import Office, now, office_in
from referee.mail.transport import imap
from referee.mail.transport.imap import fetch_imap
from tests.support import real_servers
from tests.support.real_servers import PASSWORD, Mailboxes
from tests.support.servers import folder_of, free_port, letter

pytestmark = pytest.mark.skipif(real_servers.missing("dovecot") != "", reason=real_servers.missing("dovecot"))


@pytest.fixture(scope="module")
def server() -> Iterator[Mailboxes]:
    with real_servers.folder() as base, real_servers.dovecot(base) as server:
        yield server


@pytest.fixture
def user(request: pytest.FixtureRequest) -> str:
    """A mailbox of its own for every test."""
    return f"{request.node.name.replace('_', '-')}@example.org"


@pytest.fixture
def box(server: Mailboxes, user: str) -> Iterator[BaseMailBox]:
    with MailBoxUnencrypted("127.0.0.1", server.imap).login(user, PASSWORD) as box:
        yield box


@pytest.fixture
def office(tmp_path: Path, server: Mailboxes, user: str) -> Iterator[Office]:
    with office_in(settings(tmp_path / "desk", server.imap, user)) as office:
        yield office


def settings(folder: Path, port: int, user: str, password: str = PASSWORD) -> Path:
    path = folder_of(folder)
    keys = f"{{host: 127.0.0.1, port: {port}, security: none, user: {user}, password-file: password}}"
    with (path / "desk.yaml").open("a") as file:
        file.write(f"imap: {keys}\n")
    (path / "password").write_text(f"{password}\n")
    (path / "password").chmod(0o600)
    return path


def seen(box: BaseMailBox) -> list[bool]:
    return [r"\Seen" in message.flags for message in box.fetch(mark_seen=False)]


def test_unseen_letters_are_stored_then_marked(office: Office, box: BaseMailBox) -> None:
    hour = timedelta(hours=1)
    box.append(letter("first\n"), dt=now() - hour)
    box.append(letter("old\n"), flag_set=[r"\Seen"])
    box.append(letter("second\n"), flag_set=[r"\Flagged"])
    assert fetch_imap(office, now()) == 2
    assert seen(box) == [True, True, True]
    first, second = office.desk.inbox.waiting(now())
    assert [first.raw, second.raw] == [letter("first\n"), letter("second\n")]
    assert timedelta(0) <= now() - hour - first.received < timedelta(minutes=1), "when the mailbox had it"
    assert fetch_imap(office, now()) == 0


def test_letters_that_could_not_be_stored_stay_unseen(
    office: Office, box: BaseMailBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> None:  # noqa: ANN401
        raise RuntimeError("the disk is full")

    box.append(letter())
    with monkeypatch.context() as broken:
        broken.setattr(imap, "receive", failing)
        with pytest.raises(RuntimeError):
            fetch_imap(office, now())
    assert seen(box) == [False]
    assert fetch_imap(office, now()) == 1


def test_a_letter_that_is_fetched_again_is_stored_once(office: Office, box: BaseMailBox) -> None:
    box.append(letter())
    assert fetch_imap(office, now()) == 1
    box.flag(box.uids(), r"\Seen", False)
    assert fetch_imap(office, now()) == 1
    assert len(office.desk.inbox.waiting(now())) == 1


def test_letters_that_are_deleted_by_others_are_left_to_them(office: Office, box: BaseMailBox) -> None:
    box.append(letter("first\n"), flag_set=[r"\Deleted", r"\Seen"])
    box.append(letter("second\n"))
    assert fetch_imap(office, now()) == 1
    assert len(box.uids()) == 2


def test_only_the_beginning_of_too_large_a_letter_is_fetched(office: Office, box: BaseMailBox) -> None:
    box.append(letter("x\n" * LIMITS.size))
    assert fetch_imap(office, now()) == 1
    assert len(office.desk.inbox.waiting(now())[0].raw) == LIMITS.size + 1


@pytest.mark.slow
def test_a_mailbox_that_cannot_be_reached(tmp_path: Path, server: Mailboxes) -> None:
    refused = f"imap: 127.0.0.1:{server.imap}: [AUTHENTICATIONFAILED] Authentication failed."
    for number, (port, password, told) in enumerate(
        [(server.imap, "wrong", refused), (free_port(), PASSWORD, "Connection refused")]
    ):
        path = settings(tmp_path / str(number), port, "desk@example.org", password)
        with office_in(path) as office, pytest.raises(RefereeError) as error:
            fetch_imap(office, now())
        assert error.value.code == "imap"
        assert told in str(error.value)
        assert "wrong" not in str(error.value)


@pytest.mark.slow
def test_the_doctor_logs_in_and_takes_nothing(tmp_path: Path, server: Mailboxes, user: str, box: BaseMailBox) -> None:
    box.append(letter("one"), "INBOX")
    with office_in(settings(tmp_path / "right", server.imap, user)) as office:
        assert [(one.level, one.about) for one in mailbox_diagnoses(office)] == [("ok", "mailbox")]
        assert office.desk.upkeep.counts()["waiting"] == 0
    assert seen(box) == [False]
    imap_settings = office.settings.imap
    assert imap_settings is not None
    (tmp_path / "right" / "wrong").write_text("wrong\n")
    (tmp_path / "right" / "wrong").chmod(0o600)
    (tmp_path / "right" / "no.pem").write_text("nothing\n")
    for change, words in (
        ({"port": free_port()}, "refused"),
        ({"password_file": "wrong"}, "AUTHENTICATIONFAILED"),
        ({"password_file": "missing"}, "cannot be read"),
        ({"security": "tls"}, "SSL"),
        ({"security": "tls", "ca_file": "no.pem"}, "no.pem"),
        ({"folder": "Nowhere"}, "Nowhere"),
    ):
        changed = replace(imap_settings, **change)
        wrong = replace(office.settings, imap=changed)
        (found,) = mailbox_diagnoses(Office(office.folder, wrong, office.desk))
        assert (found.level, words.casefold() in found.says.casefold()) == ("wrong", True), found
