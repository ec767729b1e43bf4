"""A desk set up from nothing, by the commands on the page and no others, on a machine of its own."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import machines
from tests.e2e.machines import Machine, machine
from tests.support import real_servers
from tests.support.page_blocks import blocks

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "setup.md"
UNITS = "/etc/systemd/system"
PORT = 2525
"""The port of the players' mail server."""

MISSING = real_servers.missing("postfix") or machines.missing()
pytestmark = [pytest.mark.slow, pytest.mark.machine, pytest.mark.skipif(MISSING != "", reason=MISSING)]

AWAY = f"""\
echo 'example.com smtp:[127.0.0.1]:{PORT}' >> /etc/postfix/transport
postmap /etc/postfix/transport
postconf -e 'inet_interfaces = loopback-only' 'minimal_backoff_time = 2s' 'queue_run_delay = 2s'
systemctl restart postfix
"""
"""The addition of the test: the players' provider, which is otherwise found in the DNS."""


@pytest.fixture(scope="module")
def debian() -> Iterator[Machine]:
    """A machine on which the steps of the page were done, up to the first game."""
    with machine({ROOT: "/usr/src/referee"}) as found:
        install, *steps, trial = blocks(PAGE, "sh", "On Debian, with systemd and Postfix")
        found.run(install, internet=True)
        for step in steps:
            found.run(step)
        found.run(AWAY)
        said = found.run(trial)
        assert said.startswith("active\nactive\n"), said
        assert "first: the game is open" in said
        assert "listening at 127.0.0.1:8024 for desk@example.org" in said
        yield found


def test_a_game_is_played(debian: Machine) -> None:
    said = debian.run_from_here([sys.executable, "-m", "tests.e2e.setup_players", str(PORT)])
    assert re.findall(r"(\w+)@.* (\d) moves left", said) == [("ada", "0"), ("ben", "0")]


def test_it_runs_without_privileges(debian: Machine) -> None:
    pid = debian.run("systemctl show referee --property MainPID --value").strip()
    shown = debian.run(f"grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/{pid}/status; stat -c %U /proc/{pid}")
    assert shown.split() == ["CapEff:", "0" * 16, "NoNewPrivs:", "1", "Seccomp:", "2", "referee"]
    assert "Read-only file system" in debian.run(f"nsenter --target {pid} --mount touch /etc/x 2>&1 || true")
    debian.run(
        f"systemd-analyze verify {UNITS}/referee.service {UNITS}/referee-backup.service {UNITS}/referee-backup.timer"
    )
    assert debian.run("ls /var/backups/referee").strip().endswith(".backup")
    debian.run(f"systemd-analyze security --offline=true --threshold=15 {UNITS}/referee.service")


def test_it_begins_again_after_it_was_killed_and_ends_cleanly(debian: Machine) -> None:
    debian.run("systemctl kill --signal KILL referee")
    debian.run("until [ $(systemctl show referee --property NRestarts --value) = 1 ]; do sleep 0.2; done")
    debian.run("until systemctl is-active referee; do sleep 0.2; done")
    debian.run("systemctl stop referee")
    assert debian.run("systemctl show referee --property Result --value") == "success\n"
    assert "referee: ended" in debian.run("journalctl --unit referee --no-pager --lines 4")
