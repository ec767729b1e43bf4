"""A desk with an ordinary mailbox (docs/setup.md): letters in by IMAP, letters out by SMTP, both over TLS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from yaml import dump, safe_load

from referee.errors import RefereeError
from referee.game import read
from referee.mail.office import now, office_in
from referee.mail.transport.imap import fetch_imap
from referee.mail.transport.smtp import deliver
from tests.e2e.mail_games import moves_of, open_game, play, served
from tests.e2e.players import player
from tests.e2e.scripts import RESIGN
from tests.e2e.secure_servers import EXPIRED, GOOD, MISNAMED, UNKNOWN, Provider, provider, stripped
from tests.support import real_servers
from tests.support.command_line import referee
from tests.support.page_blocks import blocks
from tests.support.real_servers import PASSWORD
from tests.support.servers import ADDRESS, free_port, queue

MISSING = real_servers.missing("postfix", "dovecot")
pytestmark = [pytest.mark.slow(minutes=1), pytest.mark.skipif(MISSING != "", reason=MISSING)]

PAGE = Path(__file__).parents[2] / "docs" / "setup.md"
GAME = Path(__file__).parents[2] / "games" / "laser-chess" / "repetition.yaml"
HIDDEN = "offers no STARTTLS, or the offer is hidden on the way; use its port for 'security: tls', if it has one"


@pytest.fixture(scope="module")
def mail() -> Iterator[Provider]:
    with real_servers.folder() as base, provider(base, ADDRESS) as found:
        yield found


def desk(
    folder: Path, mail: Provider, security: str, ports: tuple[int, int], host: str = GOOD, password: str = PASSWORD
) -> Path:
    """A desk with the settings of the page; it fetches its letters from one port and hands them over at the other."""
    given = map(safe_load, blocks(PAGE, "yaml", "With an ordinary mailbox"))
    (shown,) = (one for one in given if one["imap"]["security"] == security)
    for server, port in zip(("imap", "send"), ports, strict=True):
        shown[server] |= {"host": host, "port": port, "ca-file": "authority.pem"}
    shown["imap"]["every"] = 1
    assert referee("desk", "init", folder, "--address", ADDRESS).status == 0
    with (folder / "desk.yaml").open("a") as file:
        file.write(dump({**shown, "listen": {"port": free_port()}, "pictures": False}))
    (folder / "password").write_text(f"{password}\n")
    (folder / "password").chmod(0o600)
    (folder / "authority.pem").write_bytes(mail.authority.read_bytes())
    return folder


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_game_through_a_mailbox(mail: Provider, tmp_path: Path, security: str) -> None:
    ports = (mail.imaps, mail.smtps) if security == "tls" else (mail.imap, mail.submission)
    folder, game = desk(tmp_path / "desk", mail, security, ports), read(GAME)
    with ExitStack() as around:
        players = []
        for side, moves in moves_of(game).items():
            players.append(player(mail.servers, f"{security}.{side}@players.example", [*moves[:2], RESIGN]))
            around.enter_context(players[-1].mailbox)
        around.enter_context(served(folder))
        open_game(folder, tmp_path, game, security)
        play(mail.servers, players)
    assert referee("desk", "audit", security, "--desk", folder).status == 0
    assert [one.moves for one in players] == [[], [RESIGN]], "every move was made, and one resigned"
    assert [one.twice() for one in players] == [[]] * len(players), "every letter came once"


def refusals(folder: Path) -> list[str]:
    """The desk's errors about the mailbox, and about the server for its letters; the letter still waits."""
    said = []
    with office_in(folder) as office:
        queue(office, "ada@players.example")
        for work in (fetch_imap, deliver):
            with pytest.raises(RefereeError) as refusal:
                work(office, now())
            said.append(str(refusal.value))
        assert office.desk.upkeep.counts()["to-send"] == 1
    return said


@pytest.mark.parametrize(
    ("host", "why"),
    [
        (EXPIRED, "certificate has expired"),
        (MISNAMED, f"IP address mismatch, certificate is not valid for '{MISNAMED}'"),
        (UNKNOWN, "unable to get local issuer certificate"),
    ],
)
def test_a_certificate_that_does_not_count(mail: Provider, tmp_path: Path, host: str, why: str) -> None:
    for security, ports in (("tls", (mail.imaps, mail.smtps)), ("starttls", (mail.imap, mail.submission))):
        imap, send = (f"{host}:{port}" for port in ports)
        assert refusals(desk(tmp_path / security, mail, security, ports, host)) == [
            f"imap: {imap}: the server's certificate cannot be trusted: {why}",
            f"send: {send} accepts no letters now: the server's certificate cannot be trusted: {why}",
        ]


def test_a_password_that_is_wrong(mail: Provider, tmp_path: Path) -> None:
    imap, send = refusals(desk(tmp_path / "desk", mail, "tls", (mail.imaps, mail.smtps), password="hunter2"))
    assert imap == f"imap: {GOOD}:{mail.imaps}: [AUTHENTICATIONFAILED] Authentication failed."
    assert send.startswith(f"send: {GOOD}:{mail.smtps} accepts no letters now: 535 5.7.8 ")
    assert "hunter2" not in imap + send


def test_a_hidden_offer_of_encryption(mail: Provider, tmp_path: Path) -> None:
    with stripped(mail.imap) as imap, stripped(mail.submission) as send:
        said = refusals(desk(tmp_path / "desk", mail, "starttls", (imap, send)))
    assert said == [f"imap: {GOOD}:{imap} {HIDDEN}", f"send: {GOOD}:{send} {HIDDEN}"]


@pytest.mark.parametrize(("text", "said"), [(None, "no such file"), ("a key", "holds no certificate")])
def test_certificates_that_cannot_be_read(mail: Provider, tmp_path: Path, text: str | None, said: str) -> None:
    folder = desk(tmp_path / "desk", mail, "tls", (mail.imaps, mail.smtps))
    file = folder / "authority.pem"
    file.unlink() if text is None else file.write_text(text)
    for told in refusals(folder):
        assert told.startswith("ca-file: ")
        assert said in told
