"""`referee desk doctor` with a real Postfix that is right, and wrong in many ways."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.mail_games import served
from tests.e2e.secure_servers import EXPIRED, GOOD, MISNAMED, UNKNOWN, provider, stripped
from tests.support import real_servers
from tests.support.command_line import referee
from tests.support.real_servers import PASSWORD, Mailboxes
from tests.support.servers import ADDRESS, free_port

MISSING = real_servers.missing("postfix", "dovecot")
pytestmark = [pytest.mark.slow(minutes=1), pytest.mark.skipif(MISSING != "", reason=MISSING)]

LOST, REFUSED = ("letter", "it did not come back within 3 seconds"), "takes no letter: "


@dataclass(frozen=True)
class Postfix:
    """A Postfix that is not as it should be, and the one thing that the doctor finds wrong."""

    shows: str
    about: str
    says: str
    amended: str = ""
    """Lines of its main.cf, with the folder of a file `checks`."""
    checks: str = ""
    desk: str = ADDRESS
    """The addresses whose letters it hands to the desk."""
    settings: str = ""
    """Lines of the desk's settings."""


WRONG = (
    Postfix("it knows no tags", *LOST, "recipient_delimiter =\n"),
    Postfix(
        "it refuses tags",
        "server",
        f"{REFUSED}550",
        "recipient_delimiter =\nvirtual_mailbox_maps = texthash:{checks}\n",
        f"{ADDRESS} x\n",
    ),
    Postfix("it hands the desk's letters to a mailbox", *LOST, desk="club@example.org"),
    Postfix(
        "it drops them", *LOST, "header_checks = regexp:{checks}\n", "/^Subject: A letter of the desk/ DISCARD\n"
    ),
    Postfix(
        "it does not like what is in them",
        "server",
        "550 5.7.1 not here",
        "header_checks = regexp:{checks}\n",
        "/^X-Referee-Desk:/ REJECT not here\n",
    ),
    Postfix(
        "it sends them to somebody whom nobody knows",
        "letter",
        "the mail server cannot deliver it: ",
        "virtual_alias_maps = regexp:{checks}\n",
        "/^desk\\+doctor\\.[0-9a-f]+@/ someone@nowhere.example\n",
    ),
    Postfix(
        "it takes the tags off",
        "letter",
        "its address has lost the tag",
        "canonical_maps = regexp:{checks}\n",
        f"/^desk\\+.*@/ {ADDRESS}\n",
    ),
    Postfix("it serves other people", "server", f"{REFUSED}554", "smtpd_relay_restrictions = reject\n"),
    Postfix(
        "it knows no such sender",
        "server",
        f"{REFUSED}554",
        "smtpd_delay_reject = no\nsmtpd_sender_restrictions = reject\n",
    ),
    Postfix("it takes small letters only", "server", f"{REFUSED}552", "message_size_limit = 400\n"),
    Postfix(
        "it has another name than the settings say",
        "letter",
        "it has no Received line of mx.example.net",
        settings="trust: {received-by: mx.example.net}\n",
    ),
)


@pytest.fixture(scope="module")
def mail() -> Iterator[tuple[Path, Mailboxes]]:
    with real_servers.folder() as base, real_servers.dovecot(base) as mailboxes:
        yield base, mailboxes


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """A desk that is served, and its port."""
    folder, listen = tmp_path_factory.mktemp("desk"), free_port()
    assert referee("desk", "init", folder, "--address", ADDRESS).status == 0
    (folder / "begun.yaml").write_text((folder / "desk.yaml").read_text() + f"listen: {{port: {listen}}}\n")
    (folder / "begun.yaml").replace(folder / "desk.yaml")
    (folder / "desk.yaml").chmod(0o600)
    with served(folder):
        yield folder, listen


def examined(folder: Path, settings: str) -> tuple[int, list[dict[str, str]]]:
    """The exit status of the doctor, with these settings added to the desk's, and its findings."""
    path = folder / "desk.yaml"
    begun = path.read_text()
    try:
        path.write_text(begun + settings)
        done = referee("desk", "doctor", "--desk", folder, "--wait", "3", "--format", "jsonl")
    finally:
        path.write_text(begun)
    found = [json.loads(line) for line in done.lines]
    assert all(one["remedy"] for one in found if one["level"] == "wrong")
    return done.status, [one for one in found if one["level"] == "wrong"]


def test_a_postfix_that_is_right(mail: tuple[Path, Mailboxes], desk: tuple[Path, int]) -> None:
    with real_servers.folder() as base, real_servers.postfix(base, mail[1], ADDRESS, desk[1]) as servers:
        right = f"send: {{port: {servers.smtp}}}\ntrust: {{received-by: mx.example.org}}\n"
        assert examined(desk[0], right) == (0, [])
        status, wrong = examined(desk[0], f"send: {{port: {free_port()}}}\n")
        assert (status, [one["about"] for one in wrong]) == (1, ["server"])
        status, wrong = examined(desk[0], f"send: {{port: {servers.smtp}, security: tls}}\n")
        assert (status, [one["about"] for one in wrong]) == (1, ["server"])
        status, wrong = examined(desk[0], f"send: {{port: {servers.smtp}, user: desk, password-file: desk.yaml}}\n")
        assert (status, [one["about"] for one in wrong]) == (1, ["server"])


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.shows)
def test_a_postfix_that_is_wrong(mail: tuple[Path, Mailboxes], desk: tuple[Path, int], case: Postfix) -> None:
    folder, listen = desk
    with real_servers.folder() as base:
        (base / "checks").write_text(case.checks)
        amended = case.amended.format(checks=base / "checks")
        with real_servers.postfix(base, mail[1], case.desk, listen, amended=amended) as servers:
            status, wrong = examined(folder, f"send: {{port: {servers.smtp}}}\n{case.settings}")
    assert (status, [one["about"] for one in wrong]) == (1, [case.about]), wrong
    assert case.says in wrong[0]["says"]


def test_the_desk_is_not_served(mail: tuple[Path, Mailboxes], tmp_path: Path) -> None:
    folder, listen = tmp_path / "desk", free_port()
    assert referee("desk", "init", folder, "--address", ADDRESS).status == 0
    with real_servers.folder() as base, real_servers.postfix(base, mail[1], ADDRESS, listen) as servers:
        status, wrong = examined(folder, f"send: {{port: {servers.smtp}}}\nlisten: {{port: {listen}}}\n")
    assert (status, [(one["about"], one["says"]) for one in wrong]) == (1, [LOST])


def test_a_provider_that_wants_tls_and_a_login(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    assert referee("desk", "init", folder, "--address", ADDRESS).status == 0
    for name, word in (("word", PASSWORD), ("wrong-word", "open")):
        (folder / name).write_text(word)
        (folder / name).chmod(0o600)
    with real_servers.folder() as base, provider(base, ADDRESS) as found, stripped(found.submission) as hidden:
        (folder / "authority.pem").write_bytes(found.authority.read_bytes())
        imap = (
            f"imap: {{host: 127.0.0.1, port: {found.imaps}, user: {ADDRESS}, password-file: word, "
            "ca-file: authority.pem}\n"
        )
        assert examined(folder, imap + sending(found.smtps)) == (0, [])
        for says, settings in {
            "has expired": sending(found.smtps, host=EXPIRED),
            "IP address mismatch": sending(found.smtps, host=MISNAMED),
            "unable to get local issuer": sending(found.smtps, host=UNKNOWN),
            "authentication failed": sending(found.smtps, word="wrong-word"),
            "offers no STARTTLS": sending(hidden, security="starttls"),
            "Must issue a STARTTLS command first": f"send: {{host: 127.0.0.1, port: {found.submission}}}\n",
            "the password in": sending(found.smtps, word="no-word"),
        }.items():
            status, wrong = examined(folder, settings)
            assert (status, wrong[-1]["about"]) == (1, "server"), (says, wrong)
            assert says in wrong[-1]["says"]
        status, wrong = examined(folder, imap.replace("word,", "wrong-word,") + sending(found.smtps))
        assert (status, wrong[-1]["about"]) == (1, "mailbox")


def sending(port: int, host: str = GOOD, security: str = "tls", word: str = "word") -> str:
    """Settings of a server that wants a login."""
    login = f"user: {ADDRESS}, password-file: {word}, ca-file: authority.pem"
    return f"send: {{host: {host}, port: {port}, security: {security}, {login}}}\n"
