"""A desk with its mail servers and its database, by the commands on the page about containers and no others.

Docker is not needed: the files in deploy/ are carried out on a machine for this test.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import machines
from tests.e2e.compositions import Composition
from tests.e2e.machines import Machine, machine
from tests.support import postgres, real_servers
from tests.support.page_blocks import blocks

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "setup.md"
FOLDER = "/usr/src/referee/deploy"

MISSING = real_servers.missing("postfix", "dovecot") or postgres.missing() or machines.missing()
pytestmark = [pytest.mark.slow, pytest.mark.machine, pytest.mark.skipif(MISSING != "", reason=MISSING)]

OUTSIDE = """\
import smtplib
for sender, recipient in (
    ("ada@example.org", "desk@example.org"),
    ("eve@example.net", "eve@example.com"),
    ("eve@example.net", "nobody@example.org"),
    ("eve@example.net", "desk+first.key@example.org"),
):
    with smtplib.SMTP("192.0.2.1", 25, source_address=("192.0.2.1", 0)) as mail:
        mail.ehlo()
        mail.mail(sender)
        print(*mail.rcpt(recipient))
"""
"""A stranger's session with Postfix, from another network and without a login."""


@pytest.fixture(scope="module")
def debian() -> Iterator[Machine]:
    """A machine on which the steps of the page were done, up to the first game."""
    with machine({ROOT: "/usr/src/referee"}) as found:
        found.run("systemctl stop postfix dovecot")  # of this machine: no container has them
        composition, before, said = Composition(found, ROOT / "deploy", FOLDER), "", ""
        for line in "".join(blocks(PAGE, "sh", "In containers")).splitlines():
            if line.startswith("docker compose "):
                said += composition.do(line)
            elif line.startswith(("cd ", "umask ")):  # for all lines that follow
                before += f"{line}\n"
            else:
                found.run(before + line)
        assert "desk: healthy" in said
        assert "first: the game is open" in said
        yield found


def test_a_game_is_played_from_the_mailboxes(debian: Machine) -> None:
    certificate = f"/proc/{debian.leader}/root{FOLDER}/certificates/mail.pem"
    said = debian.run_from_here([sys.executable, "-m", "tests.e2e.setup_players", certificate])
    assert re.findall(r"(\w+)@.* (\d) moves left", said) == [("ada", "0"), ("ben", "0")]
    tables = debian.run("cd /; runuser -u postgres -- psql --dbname desk --command '\\dt'")
    assert "| referee" in tables, "the games are in PostgreSQL"


def test_strangers_cannot_write_for_others(debian: Machine) -> None:
    debian.run("ip address add 192.0.2.1/32 dev lo")
    codes = [line.partition(" ")[0] for line in debian.run(f"python3 -c '{OUTSIDE}'").splitlines()]
    assert codes == ["553", "554", "550", "250"], "not in Ada's name, no relay, no such mailbox, and to the desk"


def test_the_desk_runs_without_rights(debian: Machine) -> None:
    pid = debian.run("systemctl show compose-desk --property MainPID --value").strip()
    shown = debian.run(f"grep -E '^(CapEff|NoNewPrivs):' /proc/{pid}/status; stat -c %U /proc/{pid}")
    assert shown.split() == ["CapEff:", "0" * 16, "NoNewPrivs:", "1", "referee"]
