"""A clock that jumps while the desk runs, or is probably wrong when it starts: the desk does nothing by it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.errors import RefereeError
from referee.mail.host import daemon
from referee.mail.host.daemon import Routine
from referee.mail.host.outages import confirm
from referee.mail.office import Office, now, office_in
from referee.mail.watch import LONGEST_OUTAGE, TOLERANCE, Watch, expect_steady, steady
from tests.support.command_line import referee
from tests.support.examples import sampled
from tests.support.servers import Client, desk_at, folder_of, free_port, letter, listener

BEGIN = datetime(2027, 3, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with desk_at(tmp_path / "desk", listen=free_port()) as office:
        yield office


@pytest.mark.parametrize(
    ("later", "refused"),
    [
        (LONGEST_OUTAGE, False),
        (LONGEST_OUTAGE + SECOND, True),
        (-LONGEST_OUTAGE, False),
        (-LONGEST_OUTAGE - SECOND, True),
        (SECOND, False),
    ],
)
def test_a_time_that_can_hardly_be_right_is_refused_until_the_host_confirms_it(
    office: Office, later: timedelta, refused: bool
) -> None:
    confirm(office, BEGIN)
    at = BEGIN + later
    if refused:
        for _ in range(2):
            with pytest.raises(RefereeError, match=r"2027-03-01 12:00:00 UTC.*--trust-clock") as raised:
                confirm(office, at)
            assert raised.value.code == "clock-jump"
        assert office.desk.upkeep.seen() == BEGIN
        confirm(office, at, trusted=True)
    confirm(office, at)
    assert office.desk.upkeep.seen() == (at if abs(later) > SECOND else BEGIN)


@pytest.mark.parametrize("later", [-2 * TOLERANCE, timedelta(hours=1, seconds=1), timedelta(days=10)])
def test_no_page_moves_before_the_desk_has_looked_at_its_clock(office: Office, later: timedelta) -> None:
    confirm(office, BEGIN)
    with pytest.raises(RefereeError, match="has to look first"):
        expect_steady(office, BEGIN + later)
    confirm(office, BEGIN + later)
    expect_steady(office, BEGIN + later)


def test_a_jump_is_reported_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "referee.mail")
    watch = Watch(BEGIN, 1000.0)
    hour, seconds = timedelta(hours=1), 3600.0
    assert watch.agrees(BEGIN + hour, 1000 + seconds)
    assert watch.agrees(BEGIN + hour + TOLERANCE, 1000 + seconds)
    assert caplog.messages == []
    for jump in (2 * hour, 2 * hour, -hour, timedelta(0), timedelta(0)):
        assert watch.agrees(BEGIN + hour + jump, 1000 + seconds) is (not jump)
    told = ["set forward by 2:00:00 to 2027-03-01 15:00:00 UTC", "it is right again"]
    assert [part in said for part, said in zip(told, caplog.messages, strict=True)] == [True, True]


def test_no_work_is_done_while_the_clock_is_in_doubt(office: Office) -> None:
    worked: list[datetime] = []
    watch = Watch(now(), steady())
    work = daemon.while_right(lambda _, at: worked.append(at) or 1, watch)  # type: ignore[func-returns-value]
    assert work(office, now() + timedelta(hours=1)) == 0
    assert work(office, now() - timedelta(hours=1)) == 0
    assert worked == []
    assert work(office, now()) == 1

    async def once() -> None:
        ended = asyncio.Event()
        part = Routine("part", lambda one, at: ended.set() or work(one, at), 0.01, "{}")  # type: ignore[func-returns-value]
        await daemon.run(part, office, (asyncio.Event(),), ended)

    asyncio.run(once())
    assert len(worked) == 2


def test_the_desk_looks_for_an_outage_once_a_minute(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[datetime] = []
    monkeypatch.setattr(daemon, "wake", lambda _, at: looked.append(at))
    work = daemon.while_right(lambda *_: 1, Watch(BEGIN, steady()))
    for later in (0, 59, 60, 61, 30):
        work(office, BEGIN + later * SECOND)
    assert looked == [BEGIN, BEGIN + 60 * SECOND, BEGIN + 30 * SECOND]


def test_the_mail_server_keeps_letters_meanwhile(office: Office) -> None:
    right = [False]
    with listener(office, timely=lambda _: right[0]) as port, Client(port) as client:
        ((code, said),) = client.hand_over(letter())
        assert (code, b"clock" in said) == (451, True)
        assert office.desk.upkeep.counts()["waiting"] == 0
        right[0] = True
        assert client.hand_over(letter())[0][0] == 250
    assert office.desk.upkeep.counts()["waiting"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "status"),
    sampled([(("receive",), 75), (("receive", "--maildir", "."), 75), (("tick",), 1), (("serve",), 1)], 2),
)
def test_commands_refuse_a_clock_that_can_hardly_be_right(
    command: tuple[str, ...], status: int, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path / "desk")
    for wrong in (timedelta(days=200), -timedelta(days=200)):
        with office_in(folder) as office:
            office.desk.upkeep.see(now() - wrong, reset=True)
        run = referee("desk", command[0], "--desk", folder, *command[1:], stdin=letter())
        assert (run.status, "clock-jump: " in run.err, run.out) == (status, True, "")
        with office_in(folder) as office:
            assert office.desk.upkeep.counts()["waiting"] == 0
        assert referee("desk", "tick", "--desk", folder, "--trust-clock").status == 0
        assert referee("desk", "tick", "--desk", folder).status == 0


@pytest.mark.slow
@pytest.mark.parametrize("away", [timedelta(days=3), -timedelta(days=3)])
def test_a_letter_comes_in_after_an_outage(away: timedelta, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "desk")
    with office_in(folder) as office:
        office.desk.upkeep.see(now() - away, reset=True)
    assert referee("desk", "receive", "--desk", folder, stdin=letter()).status == 0
    assert referee("desk", "receive", "--desk", folder, stdin=letter("board\n")).status == 0
