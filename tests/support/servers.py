"""The surroundings of a desk: its folder, the mail server that hands letters to it, and the one that takes them."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from referee.desk import Change, Outgoing
from referee.mail.letters.format.blocks import sole_paragraph
from referee.mail.letters.story.draft import GeneralLetter, Thread, as_bytes
from referee.mail.office import Office, create_office, office_in
from referee.mail.transport.lmtp import listen

ADDRESS = "desk@example.org"
BEGIN = datetime(2027, 3, 1, 12, tzinfo=UTC)


def free_port() -> int:
    """A free port."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def folder_of(path: Path, **ports: int) -> Path:
    """A desk's folder; its settings name a port to `listen` at, and one to `send` to."""
    create_office(path, ADDRESS, "desk.sqlite")
    lines = [f"{name}: {{port: {port}}}\n" for name, port in ports.items()]
    with (path / "desk.yaml").open("a", encoding="utf-8") as file:
        file.writelines([*lines, "pictures: false\n"])
    return path


@contextmanager
def desk_at(path: Path, **ports: int) -> Iterator[Office]:
    with office_in(folder_of(path, **ports)) as office:
        yield office


def letter(text: str = "help\n", sender: str = "ada@example.org", **fields: str) -> bytes:
    """A letter as a mail server hands it over; `fields` are header fields, their hyphens written as `_`."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, ADDRESS, "a letter"
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return message.as_bytes(policy=default.clone(linesep="\r\n"))


def queue(office: Office, *recipients: str, text: str = "a letter") -> tuple[Outgoing, ...]:
    """Letters that wait to be sent."""
    note = as_bytes(GeneralLetter(BEGIN, "a note", sole_paragraph(text), Thread()))
    letters = tuple(
        Outgoing(f"<game-1.{number}.south.referee@example.org>", recipient, note)
        for number, recipient in enumerate(recipients)
    )
    office.desk.games.change(None, BEGIN - timedelta(days=365), lambda _: Change(letters=letters))
    return letters


def eventually(what: Callable[[], Any], seconds: float = 60) -> Any:  # noqa: ANN401 - whatever is waited for
    """The first true result of a function."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "this did not happen in time"
        time.sleep(0.01)
    return found


@contextmanager
def listener(
    office: Office, arrived: Callable[[], None] = lambda: None, timely: Callable[[datetime], bool] = lambda _: True
) -> Iterator[int]:
    """A desk that takes letters by LMTP, in a thread; the port."""
    loop, ready, ended = asyncio.new_event_loop(), threading.Event(), asyncio.Event()

    async def serve() -> None:
        async with listen(office, arrived, timely):
            ready.set()
            await ended.wait()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run)
    thread.start()
    assert ready.wait(10)
    try:
        yield office.settings.listen.port
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(20)
        assert not thread.is_alive()


class Client(smtplib.LMTP):
    """A mail server that hands letters over; it reads one reply for each recipient."""

    def __init__(self, port: int) -> None:
        super().__init__("127.0.0.1", port, local_hostname="mx.example.org", timeout=10)

    def __enter__(self) -> Client:
        self.ehlo()
        return self

    def hand_over(self, raw: bytes, *recipients: str, sender: str = "ada@example.org") -> list[tuple[int, bytes]]:
        """The replies to the letter, one for each recipient that was taken."""
        self.mail(sender)
        taken = [self.rcpt(recipient)[0] for recipient in recipients or (ADDRESS,)].count(250)
        assert self.docmd("DATA")[0] == 354
        self.send(b"".join(b"." * line.startswith(b".") + line for line in raw.splitlines(keepends=True)) + b".\r\n")
        return [self.getreply() for _ in range(taken)]


@dataclass
class Sink:
    """A mail server that takes letters; some it refuses, some it drops the connection for."""

    taken: list[tuple[str, str, bytes]] = field(default_factory=list)
    """Sender, recipient and the bytes of each letter, in order."""
    refusals: dict[str, str] = field(default_factory=dict)
    """Replies to letters for a recipient; an empty one drops the connection."""
    connections: int = 0
    port: int = 0

    @property
    def letters(self) -> list[EmailMessage]:
        found = [message_from_bytes(raw, policy=default) for _, _, raw in self.taken]
        return [one for one in found if isinstance(one, EmailMessage)]

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, name: str, replies: list[str]
    ) -> list[str]:
        self.connections += 1
        session.host_name = name
        return replies

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        refusal = self.refusals.get(address, "250 OK")
        if refusal.startswith("250"):
            envelope.rcpt_tos.append(address)
        if not refusal:
            assert server.transport is not None
            server.transport.close()
        return refusal

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.original_content, bytes)
        for recipient in envelope.rcpt_tos:
            self.taken.append((str(envelope.mail_from), recipient, envelope.original_content))
        return "250 OK"


@contextmanager
def sink(port: int = 0, kind: type[Sink] = Sink, **settings: Any) -> Iterator[Sink]:  # noqa: ANN401 - aiosmtpd's
    """A mail server that takes letters, in a thread."""
    found = kind(port=port or free_port())
    controller = Controller(found, "127.0.0.1", found.port, server_hostname="mx.example.org", **settings)
    controller.start()
    try:
        yield found
    finally:
        controller.stop()
