"""Letters by LMTP: acknowledged once they are stored, and never lost."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.desk import Incoming
from referee.errors import RefereeError
from referee.mail.office import Office, now
from referee.mail.transport import lmtp
from referee.mail.transport.lmtp import listen
from referee.mail.transport.receipt import receive
from tests.support.servers import ADDRESS, Client, desk_at, eventually, free_port, letter, listener


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with desk_at(tmp_path / "desk", listen=free_port()) as office:
        yield office


def stored(office: Office) -> list[bytes]:
    return [letter.raw for letter in office.desk.inbox.waiting(now())]


def test_a_letter_is_acknowledged_once_it_is_stored(office: Office) -> None:
    arrived = threading.Event()
    with listener(office, arrived.set) as port, Client(port) as client:
        assert client.hand_over(letter(), "desk+spring-7.k2x@example.org") == [(250, b"2.0.0 the letter is stored")]
        assert arrived.is_set()
        (raw,) = stored(office)
    head = b"Return-Path: <ada@example.org>\r\nDelivered-To: <desk+spring-7.k2x@example.org>\r\n"
    assert raw == head + letter()


def test_it_is_not_acknowledged_before(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()

    def slowly(*arguments: Any, **envelope: Any) -> Incoming:  # noqa: ANN401
        assert may_go_on.wait(10)
        return receive(*arguments, **envelope)

    monkeypatch.setattr(lmtp, "receive", slowly)
    with listener(office) as port, Client(port) as first, Client(port) as second:
        thread = threading.Thread(target=lambda: first.hand_over(letter()))
        thread.start()
        assert second.noop()[0] == 250, "others are heard in the meantime"
        assert thread.is_alive()
        assert stored(office) == []
        may_go_on.set()
        thread.join(10)
    assert len(stored(office)) == 1


def test_a_letter_that_could_not_be_stored_must_come_again(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(office: Office, *arguments: Any, recipient: str, **envelope: Any) -> Incoming:  # noqa: ANN401
        if recipient != ADDRESS:
            raise OSError("the disk is full\nof what is nobody's business")
        return receive(office, *arguments, recipient=recipient, **envelope)

    monkeypatch.setattr(lmtp, "receive", failing)
    with listener(office) as port, Client(port) as client:
        replies = client.hand_over(letter(), ADDRESS, "desk+game@example.org")
        assert [code for code, _ in replies] == [250, 451], "each recipient has a reply of its own (RFC 2033)"
        assert client.noop()[0] == 250
    assert len(stored(office)) == 1
    assert "the disk is full" in caplog.text
    assert "business" not in caplog.text


def test_only_the_desks_addresses_are_taken(office: Office) -> None:
    with listener(office) as port, Client(port) as client:
        client.mail("ada@example.org")
        assert client.rcpt("someone@example.org") == (550, b"5.1.1 no such mailbox here")
        assert client.rcpt("desk@example.com")[0] == 550
        assert client.rcpt("DESK+Spring-7.ABC@Example.ORG")[0] == 250
        assert client.docmd("DATA")[0] == 354
        client.send(letter() + b".\r\n")
        assert client.getreply()[0] == 250
        assert client.docmd("EHLO", "mx.example.org")[0] == 500, "it is LMTP, not SMTP"


@pytest.mark.slow
def test_too_large_a_letter_is_refused_for_each_recipient(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmtp, "SIZE", 20_000)
    with listener(office) as port, Client(port) as client:
        assert client.mail("ada@example.org", ["SIZE=20001"])[0] == 552
        replies = client.hand_over(letter("x\n" * 10_000), ADDRESS, "desk+game@example.org")
        assert [code for code, _ in replies] == [552, 552]
        assert client.hand_over(letter())[0][0] == 250
    assert len(stored(office)) == 1


def test_a_letter_is_stored_as_it_is(office: Office) -> None:
    body = b"Subject: \xff\r\n\r\n" + b"\xc3\xa4" * 40_000 + b"\r\n.\r\n..\r\nbare\nfeed\x00\rreturn\r\n"
    with listener(office) as port, Client(port) as client:
        assert {"8bitmime", "smtputf8", "pipelining", "enhancedstatuscodes", "size"} <= client.esmtp_features.keys()
        assert client.hand_over(body)[0][0] == 250
    assert stored(office)[0].endswith(b"\r\n" + body)


@pytest.mark.parametrize(("sender", "path"), [("", "<>"), ("grün@exämple.org", "<grün@exämple.org>")])
def test_senders_of_any_kind(office: Office, sender: str, path: str) -> None:
    with listener(office) as port, Client(port) as client:
        client.command_encoding = "utf-8"
        client.putcmd(f"MAIL FROM:<{sender}> SMTPUTF8 BODY=8BITMIME")
        assert client.getreply()[0] == 250
        client.rcpt(ADDRESS)
        client.docmd("DATA")
        client.send(letter() + b".\r\n")
        assert client.getreply()[0] == 250
    assert stored(office)[0].startswith(f"Return-Path: {path}\r\n".encode())


def test_the_banner_tells_no_versions_and_commands_may_come_at_once(office: Office) -> None:
    commands = [b"LHLO mx", b"MAIL FROM:<ada@example.org>", b"RCPT TO:<desk@example.org>", b"DATA"]
    with listener(office) as port, socket.create_connection(("127.0.0.1", port), timeout=10) as sock:
        sock.sendall(b"".join(line + b"\r\n" for line in [*commands, *letter().splitlines(), b".", b"QUIT"]))
        with sock.makefile("rb") as file:
            lines = [line.decode().rstrip("\r\n") for line in file]
    assert lines[0] == "220 example.org LMTP"
    assert [line[:9] for line in lines if line[3] == " "][2:] == [
        "250 2.0.0",  # MAIL
        "250 2.1.5",  # RCPT
        "354 End d",
        "250 2.0.0",  # the letter
        "221 2.0.0",
    ]


def test_limits_of_recipients_and_connections(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmtp, "RECIPIENTS", 2)
    monkeypatch.setattr(lmtp, "CONNECTIONS", 2)
    with listener(office) as port, Client(port) as client:
        client.mail("ada@example.org")
        codes = [client.rcpt(f"desk+{tag}@example.org")[0] for tag in "abc"]
        assert codes == [250, 250, 452]
        with Client(port), socket.create_connection(("127.0.0.1", port), timeout=10) as sock:
            assert sock.recv(100).startswith(b"421 ")
            assert sock.recv(100) == b""


@pytest.mark.slow
def test_a_connection_that_says_nothing_is_closed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmtp, "IDLE", 0.1)
    with listener(office) as port, Client(port) as client:
        assert client.sock is not None
        eventually(lambda: client.sock and client.sock.recv(100) == b"")


def test_half_a_letter_is_none(office: Office) -> None:
    with listener(office) as port:
        with Client(port) as client:
            client.mail("ada@example.org")
            client.rcpt(ADDRESS)
            client.docmd("DATA")
            client.send(letter())
            client.close()
        with Client(port) as client:
            assert client.hand_over(letter("another\n"))[0][0] == 250
    assert len(stored(office)) == 1


@pytest.mark.slow
def test_at_the_end_a_letter_that_is_coming_in_is_still_taken(office: Office) -> None:
    with listener(office) as port:
        client, idle = Client(port).__enter__(), Client(port).__enter__()
        client.mail("ada@example.org")
        client.rcpt(ADDRESS)
        client.docmd("DATA")
        later = threading.Timer(0.3, client.send, [letter() + b".\r\n"])
        later.start()
    assert client.getreply()[0] == 250
    assert len(stored(office)) == 1
    with pytest.raises(OSError, match="refused"):
        Client(port)
    client.close()
    idle.close()


def test_a_port_that_is_taken(office: Office) -> None:
    async def serve() -> None:
        async with listen(office, lambda: None):
            pass

    with listener(office), pytest.raises(RefereeError, match="listen: cannot listen at 127") as told:
        asyncio.run(serve())
    assert told.value.code == "listen"


@pytest.mark.slow
def test_no_more_files_is_one_line_and_the_listener_goes_on(
    office: Office, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    accept, left = socket.socket.accept, [250]

    def scarce(sock: socket.socket) -> Any:  # noqa: ANN401 - a socket and its address
        if left[0]:
            left[0] -= 1
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(sock)

    monkeypatch.setattr(socket.socket, "accept", scarce)
    monkeypatch.setattr("asyncio.constants.ACCEPT_RETRY_DELAY", 0.1)
    with listener(office) as port, Client(port) as client:
        assert client.hand_over(letter())[0][0] == 250
    assert left == [0]
    assert caplog.text.count("Too many open files") == 1
    assert "Traceback" not in caplog.text
