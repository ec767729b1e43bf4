"""After an outage every game of any kind gets its time back, and none is lost by it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from referee.desk import Act, By, State, Terms, acts, kind_of, seal_lines
from referee.errors import RefereeError
from referee.game import GameFile
from referee.mail.host import daemon, host
from referee.mail.host.outages import OUTAGE, confirm, wake
from referee.mail.letters.render import render
from referee.mail.office import Office
from referee.mail.watch import Watch, steady
from tests.oracles.verifier import verify
from tests.support.correspondence import BEGIN, Correspondence, address, corresponding
from tests.support.logs import audit_text, letter
from tests.support.proposals import invite, proposal

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SETTINGS = "host: grace@example.org\n"
SINCE = BEGIN + 20 * HOUR
"""The last time at which the desk looked at its clock; the games of one day have four hours left then."""

LOSS = {"days": 1, "timeout": "loss"}


def opened(post: Correspondence, name: str, game: str, clock: dict[str, object] | None, **engines: int) -> None:
    file = GameFile(game)
    people = {side: address(f"{side}.{name}") for side in file.description.sides if side not in engines}
    terms = None if clock is None else Terms.read(clock)
    host.open_game(post.office, name, file, BEGIN, terms=terms, addresses=people, engines=engines)


def act(office: Office, name: str, side: str, wanted: Act, at: datetime) -> None:
    (answer,) = office.desk.act(name, By(side), [wanted], at, came=letter(f"{side}.{name}", at)).answers
    assert not answer.refused, answer


def sealed(office: Office, name: str) -> None:
    """Both sides have sealed their moves themselves, and owe the reveals."""
    for side, move in (("south", "P M1 A2 12"), ("north", "P S A2")):
        state = office.desk.state(name)
        seal, _ = seal_lines(name, 1, side, state.protocol, move, bytes(32), state.past)
        act(office, name, side, acts.Seal(seal.removeprefix("seal ")), BEGIN)


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Correspondence]:
    """A desk with a game of every kind, which last looked at its clock at `SINCE`."""
    with corresponding(tmp_path / "desk", SETTINGS) as post:
        opened(post, "at-once", "beams", LOSS)
        opened(post, "in-turn", "laser-chess", LOSS)
        opened(post, "four", "the-beam", LOSS)
        opened(post, "engine", "laser-chess", LOSS, red=1)
        opened(post, "engine-seals", "beams", LOSS, north=1)
        opened(post, "claim", "boundary", {"days": 1})
        opened(post, "bank", "laser-chess", {"days": 0, "bank": 30, "timeout": "loss"})
        opened(
            post,
            "bank-runs",
            "beams",
            {"days": 0, "bank": 90, "most": 90, "timeout": "loss", "zone": "Europe/Vienna"},
        )
        opened(post, "away", "laser-chess", {**LOSS, "vacation": 9})
        act(post.office, "away", "blue", acts.Vacation("3"), BEGIN)
        opened(post, "reveals", "beams", LOSS)
        sealed(post.office, "reveals")
        opened(post, "long", "laser-chess", {"days": 30, "timeout": "loss"})
        opened(post, "late", "laser-chess", {"days": 0, "bank": 10})
        opened(post, "paused", "laser-chess", LOSS)
        host.order_by_host(post.office, "paused", acts.Pause("holidays"), BEGIN + HOUR)
        opened(post, "no-clock", "laser-chess", None)
        invite(
            post.office.desk,
            "invited",
            proposal("beams", None),
            BEGIN,
            addresses={one: address(one) for one in ("south", "north")},
        )
        host.tick_games(post.office, SINCE)
        confirm(post.office, SINCE)
        for one in post.office.desk.outbox.take(SINCE, 1000):
            post.office.desk.outbox.sent([one], SINCE)
        yield post


def states(office: Office) -> dict[str, State]:
    return {name: office.desk.state(name) for name in office.desk.catalogue.ids()}


def expect_valid(office: Office) -> None:
    """Both verifiers accept every log."""
    for name in office.desk.catalogue.ids():
        text = "".join(f"{entry.as_line()}\n" for entry in office.desk.log(name))
        assert (name, audit_text(text).findings, verify(text)) == (name, (), [])


def to_host(office: Office, at: datetime) -> list[str]:
    """The letters to the host about the clock."""
    letters = [one for one in office.desk.outbox.take(at, 1000) if one.kind == OUTAGE]
    found = [message_from_bytes(render(office, one), policy=default) for one in letters]
    return [" ".join(str(one.get_content()).split()) for one in found]


def over(office: Office) -> set[str]:
    return {name for name, state in states(office).items() if state.closed}


def end_of(state: State, side: str) -> datetime:
    """The end of a side's time, or of the invitation."""
    due = state.invitation.until if state.invitation is not None else state.clock.deadline(side)
    assert due is not None
    return due


STOPPED = {"paused", "no-clock", "engine-seals", "late"}
"""Games without a running clock, which lose nothing by an outage."""

RUN = ["at-once", "bank", "bank-runs", "claim", "engine", "four", "in-turn", "invited", "long", "reveals"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("away", "run"),
    [
        (HOUR + timedelta(minutes=1), RUN),
        (25 * HOUR, RUN),
        (10 * DAY, sorted([*RUN, "away"])),
        (99 * DAY, sorted([*RUN, "away"])),
    ],
)
def test_no_game_of_any_kind_is_lost_by_an_outage(post: Correspondence, away: timedelta, run: list[str]) -> None:
    before, at = states(post.office), SINCE + away
    confirm(post.office, at)
    host.tick_games(post.office, at)
    after = states(post.office)
    assert over(post.office) == set()
    assert sorted(name for name in after if after[name].clock.pauses and name != "paused") == run
    for name in run:
        for side in after[name].owing or ("",):
            left = end_of(before[name], side) - SINCE
            assert end_of(after[name], side) - at >= (DAY if name == "away" else max(DAY, left)), (name, side)
    assert after["paused"].number == before["paused"].number
    (told,) = to_host(post.office, at)
    listed = [name for name in sorted(after) if f"{name}: clocks stopped for" in told]
    assert listed == run
    assert "and 20 hours more for" in told
    host.tick_games(post.office, at + DAY - timedelta(minutes=1))
    assert over(post.office) == set()
    expect_valid(post.office)


@pytest.mark.slow
def test_players_read_that_the_clocks_are_running_again(post: Correspondence) -> None:
    confirm(post.office, SINCE + 10 * DAY)
    letters = [one for one in post.office.desk.outbox.take(SINCE + 10 * DAY, 1000) if one.game in ("long", "in-turn")]
    found = [message_from_bytes(render(post.office, one), policy=default) for one in letters]
    subjects = {str(one["Subject"]).partition("] ")[2] for one in found}
    assert subjects == {"The clocks are running again", "You have more time", "blue has more time"}
    for one in found:
        told = " ".join(str(one.get_content()).split())
        assert "The desk was not running, and no letter could reach it" in told


@pytest.mark.slow
def test_the_clock_goes_on_after_an_outage(post: Correspondence) -> None:
    at = SINCE + 3 * DAY
    confirm(post.office, at)
    for hours in range(0, 24 * 8, 4):
        post.office.desk.upkeep.see(at + hours * HOUR)
        host.tick_games(post.office, at + hours * HOUR)
    lost = {"at-once", "in-turn", "four", "engine", "bank", "bank-runs", "reveals", "away", "invited"}
    assert over(post.office) == lost
    expect_valid(post.office)


@pytest.mark.slow
def test_an_outage_that_the_settings_tolerate_counts_as_time(post: Correspondence) -> None:
    numbers = {name: state.number for name, state in states(post.office).items()}
    for minutes in (60, 120, 180):
        confirm(post.office, SINCE + timedelta(minutes=minutes))
    assert {name: state.number for name, state in states(post.office).items()} == numbers
    assert to_host(post.office, SINCE) == []


@pytest.mark.slow
def test_a_side_out_of_time_before_the_outage_has_lost(post: Correspondence) -> None:
    post.office.desk.upkeep.see(BEGIN + DAY)
    confirm(post.office, BEGIN + 5 * DAY)
    closed = states(post.office)["in-turn"].closed
    assert closed is not None
    assert closed.how == "timeout"
    late = states(post.office)["late"]
    assert late.claims("red", BEGIN + 5 * DAY) == ["timeout"]


@pytest.mark.slow
@pytest.mark.parametrize("jump", [2 * HOUR, 25 * HOUR, 10 * DAY])
def test_no_game_is_lost_by_a_clock_that_was_ahead_between_two_runs(post: Correspondence, jump: timedelta) -> None:
    confirm(post.office, SINCE + jump)
    host.tick_games(post.office, SINCE + jump)
    for right in (timedelta(minutes=10), 4 * HOUR, 20 * HOUR):
        confirm(post.office, SINCE + right)
        host.tick_games(post.office, SINCE + right)
    assert over(post.office) == set()
    expect_valid(post.office)


@pytest.mark.slow
@pytest.mark.parametrize("jump", [HOUR, 25 * HOUR, 10 * DAY])
def test_no_game_is_lost_by_a_clock_that_goes_back(post: Correspondence, jump: timedelta) -> None:
    confirm(post.office, SINCE - jump)
    host.tick_games(post.office, SINCE - jump)
    assert post.office.desk.upkeep.seen() == SINCE - jump
    (told,) = to_host(post.office, SINCE)
    assert "The desk carries on" in told
    confirm(post.office, SINCE + HOUR)
    host.tick_games(post.office, SINCE + HOUR)
    assert over(post.office) == set()
    expect_valid(post.office)


@pytest.mark.slow
def test_a_killed_attempt_gives_nothing_twice(post: Correspondence, monkeypatch: pytest.MonkeyPatch) -> None:
    at, make_up = SINCE + 10 * DAY, post.office.desk.make_up
    left = [4]

    def killed(game: str, *given: Any, **ways: Any) -> object:  # noqa: ANN401 - as `Desk.make_up`
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return make_up(game, *given, **ways)

    monkeypatch.setattr(post.office.desk, "make_up", killed)
    with pytest.raises(KeyboardInterrupt):
        confirm(post.office, at)
    assert to_host(post.office, at) == []
    confirm(post.office, at + timedelta(minutes=5))
    for name in RUN:
        assert len(states(post.office)[name].clock.pauses) == 1
    (told,) = to_host(post.office, at + HOUR)
    assert [name for name in RUN if f"{name}: clocks stopped for 10 days" in told] == RUN
    expect_valid(post.office)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "order"),
    [
        ("in-turn", acts.Extend(96)),
        ("engine", acts.Pause()),
        ("four", acts.Extend(5)),
        ("invited", acts.Pause()),
    ],
)
def test_the_first_order_of_the_host_after_an_outage_works(
    post: Correspondence, game: str, order: acts.Order
) -> None:
    host.order_by_host(post.office, game, order, SINCE + 3 * DAY)
    confirm(post.office, SINCE + 3 * DAY + HOUR / 2)
    assert over(post.office) == set()
    expect_valid(post.office)


@pytest.mark.slow
def test_a_new_key_after_an_outage_costs_no_time(post: Correspondence) -> None:
    host.renew_key(post.office, SINCE + 200 * DAY)
    host.tick_games(post.office, SINCE + 200 * DAY + HOUR)
    assert over(post.office) == set()
    expect_valid(post.office)


@pytest.mark.slow
def test_a_machine_that_slept_while_the_desk_ran(post: Correspondence) -> None:
    """The steady clock goes on meanwhile, so the watch finds nothing wrong."""
    at = SINCE + 10 * DAY
    watch = Watch(SINCE, steady() - (10 * DAY).total_seconds())
    worked: list[int] = []

    def work(office: Office, _: datetime) -> int:
        worked.append(sum(len(state.clock.pauses) for state in states(office).values()))
        return 1

    daemon.while_right(work, watch)(post.office, at)
    assert worked == [len([*RUN, "away", "paused"])]
    assert over(post.office) == set()


@pytest.mark.slow
def test_a_pause_keeps_an_invitation_from_lapsing(post: Correspondence) -> None:
    host.order_by_host(post.office, "invited", acts.Pause(), SINCE)
    host.tick_games(post.office, SINCE + 30 * DAY)
    assert "invited" not in over(post.office)
    post.office.desk.upkeep.see(SINCE + 30 * DAY)
    host.order_by_host(post.office, "invited", acts.Resume(), SINCE + 30 * DAY)
    invitation = states(post.office)["invited"].invitation
    assert invitation is not None
    assert invitation.until >= SINCE + 31 * DAY
    for number, side in enumerate(("south", "north")):
        at = SINCE + (30 * DAY + (number + 1) * HOUR)
        act(post.office, "invited", side, acts.Accept(), at)
    kinds = [kind_of(entry.event) for entry in post.office.desk.log("invited")]
    assert kinds[-1] == "opened"
    expect_valid(post.office)


@pytest.mark.slow
def test_an_outage_of_a_year_waits_for_the_host(post: Correspondence) -> None:
    with pytest.raises(RefereeError, match="--trust-clock") as refused:
        wake(post.office, SINCE + 366 * DAY)
    assert refused.value.code == "clock-jump"
    confirm(post.office, SINCE + 366 * DAY, trusted=True)
    assert over(post.office) == set()
    expect_valid(post.office)
