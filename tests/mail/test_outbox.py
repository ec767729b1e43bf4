"""Letters out by SMTP: sent at least once, always with the same bytes, and given up in the end."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import accumulate, takewhile
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import select

from referee.desk import LEASE, Change, Outgoing, StoreError, acts
from referee.desk.store.outbox import Outbox
from referee.desk.store.tables.schema import OUTBOX
from referee.errors import RefereeError
from referee.game import GameFile
from referee.mail.host.host import open_game, order_by_host
from referee.mail.letters import page, render
from referee.mail.office import Office, office_in
from referee.mail.transport import smtp
from referee.mail.transport.smtp import HANDOVERS, deliver, pause_after
from tests.support.command_line import referee
from tests.support.correspondence import corresponding
from tests.support.servers import BEGIN, Sink, desk_at, free_port, queue, sink

MINUTE = timedelta(minutes=1)


@pytest.fixture
def server() -> Iterator[Sink]:
    with sink() as server:
        yield server


@pytest.fixture
def office(tmp_path: Path, server: Sink) -> Iterator[Office]:
    with desk_at(tmp_path / "desk", send=server.port) as office:
        yield office


def notes(office: Office) -> dict[str, tuple[str | None, str]]:
    """The next attempt at each unsent letter, and the reason why it was not sent."""
    rows = office.desk.games.database.read(select(OUTBOX).where(OUTBOX.c.sent.is_(None)))
    return {row.recipient: (row.next and row.next[11:16], row.note) for row in rows}


@pytest.mark.slow
def test_many_letters_go_out_in_one_connection(office: Office, server: Sink) -> None:
    letters = queue(office, *(f"player-{number}@example.org" for number in range(25)))
    assert deliver(office, BEGIN) == 25
    assert server.connections == 1
    assert {(sender, recipient) for sender, recipient, _ in server.taken} == {
        (office.mailbox.return_address(letter.id), letter.recipient) for letter in letters
    }
    assert {raw for _, _, raw in server.taken} == {render.render(office, letter) for letter in letters}
    assert deliver(office, BEGIN) == 0
    assert server.connections == 1, "where nothing waits, nobody is called"


def test_the_envelope_names_where_a_letter_comes_back_to(office: Office, server: Sink) -> None:
    queue(office, "ada@example.org")
    deliver(office, BEGIN)
    assert server.taken[0][0].startswith("desk+game-1.")


def test_a_server_that_is_away_costs_no_letter_an_attempt(tmp_path: Path) -> None:
    port = free_port()
    with desk_at(tmp_path / "desk", send=port) as office:
        queue(office, "ada@example.org")
        for number in range(HANDOVERS + 1):
            with pytest.raises(RefereeError, match=f"{port} accepts no letters now: ConnectionRefused"):
                deliver(office, BEGIN + number * MINUTE)
        with sink(port) as server:
            assert deliver(office, BEGIN + timedelta(days=9)) == 1
        assert len(server.taken) == 1


def test_a_letter_refused_for_now_is_tried_again_later(office: Office, server: Sink) -> None:
    server.refusals["ben@example.org"] = "451 4.7.1 greylisted"
    queue(office, "ada@example.org", "ben@example.org", "cy@example.org")
    assert deliver(office, BEGIN) == 2
    assert notes(office) == {"ben@example.org": ("12:01", "451 4.7.1 greylisted")}
    assert deliver(office, BEGIN) == 0
    assert deliver(office, BEGIN + MINUTE) == 0
    assert notes(office) == {"ben@example.org": ("12:03", "451 4.7.1 greylisted")}
    server.refusals.clear()
    assert deliver(office, BEGIN + 3 * MINUTE) == 1
    assert notes(office) == {}


def test_a_store_that_fails_meanwhile_gets_the_other_letters_back(
    office: Office, server: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when another program locks the database; only the letters in hand wait for the end of their lease."""
    server.refusals["ben@example.org"] = "451 4.7.1 greylisted"
    queue(office, "ada@example.org", "ben@example.org", "cy@example.org")

    def locked(*_: object) -> None:
        raise StoreError("store", "the desk's database fails: database is locked")

    with monkeypatch.context() as patched:
        patched.setattr(office.desk.outbox, "sent", locked)
        patched.setattr(office.desk.outbox, "unsent", locked)
        with pytest.raises(StoreError):
            deliver(office, BEGIN)
    server.refusals.clear()
    assert deliver(office, BEGIN) == 1
    assert [recipient for _, recipient, _ in server.taken] == ["ada@example.org", "cy@example.org"]
    assert deliver(office, BEGIN + 2 * LEASE) == 2
    attempts = office.desk.games.database.read(select(OUTBOX.c.recipient, OUTBOX.c.attempts))
    assert {row.recipient: row.attempts for row in attempts} == {
        "ada@example.org": 2,
        "ben@example.org": 2,
        "cy@example.org": 1,
    }


@pytest.mark.parametrize(("seconds", "together"), [(0.1, [3]), (3, [1, 1, 1])])
def test_accepted_letters_are_marked_together_for_some_seconds(
    office: Office, server: Sink, monkeypatch: pytest.MonkeyPatch, seconds: float, together: list[int]
) -> None:
    """If the desk stopped, it would hand over those again that were accepted in the last seconds, and no others.

    Each letter that the server takes needs this many `seconds`.
    """
    marked: list[int] = []

    def sent(letters: list[Outgoing], at: datetime) -> None:
        marked.append(len(letters))
        Outbox.sent(office.desk.outbox, letters, at)

    monkeypatch.setattr(smtp, "time", SimpleNamespace(monotonic=lambda: seconds * len(server.taken)))
    monkeypatch.setattr(office.desk.outbox, "sent", sent)
    server.refusals["ben@example.org"] = "451 4.7.1 greylisted"
    queue(office, "ada@example.org", "ben@example.org", "cy@example.org", "dee@example.org")
    assert deliver(office, BEGIN) == len(server.taken) == 3
    assert marked == together


def test_the_pauses_grow_and_end_after_four_days() -> None:
    pauses = list(takewhile(bool, map(pause_after, range(1, 100))))
    assert [rest / MINUTE for rest in pauses if rest is not None][:10] == [1, 2, 4, 8, 16, 32, 64, 128, 240, 240]
    assert 3.9 < max(accumulate(rest / timedelta(days=1) for rest in pauses if rest is not None)) < 4.1


def test_a_letter_refused_for_good_is_given_up(
    office: Office, server: Sink, caplog: pytest.LogCaptureFixture
) -> None:
    server.refusals["ben@example.org"] = "550 5.1.1 no such user"
    queue(office, "ben@example.org", "ada@example.org")
    assert deliver(office, BEGIN) == 1
    assert notes(office) == {"ben@example.org": (None, "550 5.1.1 no such user")}
    assert office.desk.upkeep.counts()["unsent"] == 1
    assert "<game-1.0.south.referee@example.org> was not taken: 550 5.1.1 no such user; given up" in caplog.text


@pytest.mark.slow
def test_a_refused_address_is_shown_until_a_letter_is_taken(tmp_path: Path, server: Sink) -> None:
    """With its seat and the reason, in the status of the game and of all games."""
    folder = tmp_path / "desk"
    with corresponding(folder, f"send: {{port: {server.port}}}\n") as post:
        addresses = {"south": "ada@example.org", "north": "ben@example.org"}
        open_game(post.office, "spring-7", GameFile("boundary"), BEGIN, terms=None, addresses=addresses)
        assert status(folder) == []
        server.refusals["ben@example.org"] = "550 5.1.1 no such user"
        assert deliver(post.office, BEGIN) == 1
        line = "  NOT DELIVERED to north, ben@example.org: 550 5.1.1 no such user"
        assert status(folder) == status(folder, "spring-7") == [line]
        seen = json.loads(referee("desk", "status", "--desk", folder, "--format", "json").out)
        seat = {"game": "spring-7", "side": "north", "address": "ben@example.org", "reason": "550 5.1.1 no such user"}
        assert seen["undelivered"] == [seat]
        order_by_host(post.office, "spring-7", acts.Pause(), BEGIN + MINUTE)
        assert status(folder) == [line], "a letter that waits says nothing"
        server.refusals.clear()
        assert deliver(post.office, BEGIN + MINUTE) == 2
        assert status(folder) == []


def status(folder: Path, *games: str) -> list[str]:
    """The lines of `status` about letters that were not delivered."""
    lines = referee("desk", "status", "--desk", folder, *games).out.splitlines()
    return [line for line in lines if "NOT DELIVERED" in line]


def test_a_server_that_goes_away_in_between(office: Office, server: Sink) -> None:
    server.refusals["ben@example.org"] = ""
    queue(office, "ada@example.org", "ben@example.org", "cy@example.org")
    with pytest.raises(RefereeError, match="accepts no letters now: SMTPServerDisconnected"):
        deliver(office, BEGIN)
    assert {when for when, _ in notes(office).values()} == {"12:01"}
    server.refusals["ben@example.org"] = "421 4.3.0 shutting down"
    with pytest.raises(RefereeError, match=r"now: 421 4\.3\.0 shutting down"):
        deliver(office, BEGIN + MINUTE)
    assert notes(office)["cy@example.org"] == ("12:02", "421 4.3.0 shutting down")
    server.refusals.clear()
    assert deliver(office, BEGIN + 2 * MINUTE) == 2
    assert [recipient[:3] for _, recipient, _ in server.taken] == ["ada", "ben", "cy@"]


@pytest.mark.slow
def test_a_letter_that_cannot_be_written_holds_up_no_other(office: Office, server: Sink) -> None:
    broken = Outgoing("<game-1.9.south.referee@example.org>", "ben@example.org", b"no draft")
    office.desk.games.change(None, BEGIN - MINUTE, lambda _: Change(letters=(broken,)))
    queue(office, "ada@example.org", "cy@example.org")
    assert deliver(office, BEGIN) == 2
    ((when, note),) = notes(office).values()
    assert when == "12:01"
    assert note.startswith("our own fault: JSONDecodeError (")


@pytest.mark.parametrize(
    "recipient",
    ["ada@example.org\r\nRCPT TO:<eve@example.org>", "ada", "ada@example.org eve@x.org"],
)
def test_a_text_that_is_no_address_is_never_sent_to_a_server(office: Office, server: Sink, recipient: str) -> None:
    queue(office, recipient, "ben@example.org")
    assert deliver(office, BEGIN) == 1
    assert notes(office) == {recipient: (None, "this is not an e-mail address")}
    assert [recipient for _, recipient, _ in server.taken] == ["ben@example.org"]


@pytest.mark.slow
def test_addresses_and_letters_beyond_ascii(tmp_path: Path) -> None:
    for utf8, sent in ((True, 2), (False, 1)):
        with sink(enable_SMTPUTF8=utf8) as server, desk_at(tmp_path / str(utf8), send=server.port) as office:
            queue(office, "jürgen@example.org", "ben@example.org", text="Grüße")
            assert deliver(office, BEGIN) == sent
            assert {str(one.get_content()).splitlines()[0] for one in server.letters} == {"Grüße"}
            assert office.desk.upkeep.counts()["unsent"] == 2 - sent


def test_a_picture_is_never_worth_a_letter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(page, "paged", lambda *_: 1 // 0)
    with corresponding(tmp_path / "desk", "pictures: true\n") as post:
        post.open("beams")
    assert len(post.letters) == 2
    assert "goes without its picture: ZeroDivisionError" in caplog.text


@pytest.mark.slow
def test_logging_in(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """With a private password, which no line of the log shows."""
    caplog.set_level(logging.DEBUG)
    folder, password = tmp_path / "desk", tmp_path / "desk" / "password"
    with desk_at(folder) as office:
        queue(office, "ada@example.org")
    with guarded_sink() as server:
        with (folder / "desk.yaml").open("a") as file:
            file.write(f"send: {{port: {server.port}, user: desk, password-file: password}}\n")
        with office_in(folder) as office:
            with pytest.raises(RefereeError, match="cannot be read: no such file"):
                deliver(office, BEGIN)
            password.write_text("wrong\n")
            with pytest.raises(RefereeError, match="chmod 600"):
                deliver(office, BEGIN)
            password.chmod(0o600)
            with pytest.raises(RefereeError, match="now: 535 ") as refused:
                deliver(office, BEGIN)
            assert "wrong" not in str(refused.value)
            password.write_text("secret\n")
            assert deliver(office, BEGIN) == 1
    assert "wrong" not in caplog.text
    assert "secret" not in caplog.text


@contextmanager
def guarded_sink() -> Iterator[Sink]:
    """A server that wants a password."""

    def known(mechanism: str, login: bytes, password: bytes) -> bool:
        return (login, password) == (b"desk", b"secret")

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Requiring AUTH while not requiring TLS")
        with sink(auth_required=True, auth_require_tls=False, auth_callback=known) as server:
            yield server
