"""Letters that a far server refuses after Postfix has taken them: its reports mark the seats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.mail.host.nondelivery import undelivered
from referee.mail.office import office_in
from tests.e2e.mail_games import served
from tests.support import real_servers
from tests.support.command_line import referee
from tests.support.real_servers import Mailboxes
from tests.support.servers import ADDRESS, eventually, sink

MISSING = real_servers.missing("postfix")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(MISSING != "", reason=MISSING)]

JO, BOB, EVE = (f"{name}@far.example" for name in ("jo", "bob", "eve"))
GAME = "a" * 32


def test_a_far_server_that_refuses_a_player(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    assert referee("desk", "init", folder, "--address", ADDRESS).status == 0
    listen = real_servers.free_port()
    with sink() as far, real_servers.folder() as base:
        far.refusals = {JO: "550 5.1.1 no such user here", BOB: "450 4.2.1 try again later"}
        amended = (
            f"transport_maps = texthash:{base}/postfix/transport, "
            f"inline:{{ {{far.example = smtp:[127.0.0.1]:{far.port}}} }}\ndelay_warning_time = 1s\n"
        )
        with real_servers.postfix(base, Mailboxes(1, 1), ADDRESS, listen, amended=amended) as servers:
            with (folder / "desk.yaml").open("a") as file:
                file.write(f"listen: {{port: {listen}}}\nsend: {{port: {servers.smtp}}}\npictures: false\n")
            with served(folder):
                seats = [f"--player={side}={side} <{to}>" for side, to in (("blue", JO), ("red", BOB))]
                opened = referee("desk", "open", "laser-chess", "--id", GAME, *seats, "--desk", folder)
                assert opened.status == 0
                lines = eventually(lambda: _filed(folder, 2))
                assert f"  NOT DELIVERED to blue, {JO}: 5.1.1 550 5.1.1 no such user here" in lines
                assert not [line for line in lines if "NOT DELIVERED to red" in line]
                shown = json.loads(referee("desk", "status", "--format", "json", "--desk", folder).out)
                assert [one["side"] for one in shown["undelivered"]] == ["blue"]
                assert "referee_seats_unreached 1\n" in referee("desk", "metrics", "--desk", folder).out
                doctor = referee("desk", "doctor", "--no-letter", "--desk", folder)
                assert f"no letter reaches blue in the game {GAME}" in doctor.out
                eve = ("blue", "Eve", "--address", EVE)
                assert referee("desk", "replace", GAME, *eve, "--desk", folder).status == 0
                eventually(lambda: [one for one in far.taken if one[1] == EVE])
                assert "NOT DELIVERED" not in referee("desk", "status", "--desk", folder).out
            senders = [sender for sender, _, _ in far.taken]
            assert all(len(sender.partition("@")[0]) <= 64 for sender in senders), "as RFC 5321 wants it"
        with office_in(folder) as office:
            later = max(office.desk.outbox.history(), key=lambda one: one.queued).queued
            (late,) = undelivered(office, GAME, later.replace(year=later.year + 1))
            assert (late.side, late.reason[:6]) == ("red", "4.2.1 ")


def _filed(folder: Path, number: int) -> list[str]:
    """The lines of the status, once `number` reports have come; none before."""
    lines = referee("desk", "status", "--desk", folder).lines
    return lines if sum(line.startswith("filed: ") for line in lines) >= number else []
