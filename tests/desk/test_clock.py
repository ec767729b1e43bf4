"""The clock: by example, and against a clock that counts half hours one by one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk import Terms, clock
from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.desk.log.terms import LONGEST_TERM
from referee.desk.state.clock import Clock, DueTurn, Stop, later
from referee.errors import RefereeError
from tests.support.desks import BEGIN, Desk, request
from tests.support.examples import sampled
from tests.support.rows import each

VIENNA = ZoneInfo("Europe/Vienna")
HOUR = timedelta(hours=1)


def started(at: datetime = BEGIN, **terms: Any) -> Clock:  # noqa: ANN401 - of Terms
    return Clock(Terms.read(terms), {"south": DueTurn(at), "north": DueTurn(at)})


def deadline(clock: Clock, side: str = "south") -> datetime:
    due = clock.deadline(side)
    assert due is not None
    return due


@pytest.mark.parametrize(
    ("since", "days", "due"),
    [
        ("2027-03-26T12:00:00+01:00", 2, "2027-03-28T12:00:00+02:00"),  # summer time begins on the way
        ("2027-03-26T02:30:00+01:00", 2, "2027-03-28T03:30:00+02:00"),  # 2:30 does not come on that day
        ("2027-10-29T02:30:00+02:00", 2, "2027-10-31T02:30:00+01:00"),  # 2:30 comes twice on that day
        ("2027-10-29T12:00:00+02:00", 2, "2027-10-31T12:00:00+01:00"),
        ("2027-10-31T02:30:00+02:00", 0, "2027-10-31T02:30:00+02:00"),
    ],
)
def test_days_are_counted_by_the_calendar_of_the_zone(since: str, days: int, due: str) -> None:
    assert later(datetime.fromisoformat(since), days, VIENNA) == datetime.fromisoformat(due)


def test_a_deadline_is_given_in_the_zone() -> None:
    clock = started(datetime(2027, 3, 26, 11, tzinfo=UTC), days=3, zone="Europe/Vienna")
    assert str(clock.at("south", BEGIN).deadline) == "2027-03-29 12:00:00+02:00"


def test_a_bank_is_used_when_the_days_are_over() -> None:
    clock = started(days=1, bank=10, increment=2, most=11)
    assert deadline(clock) == BEGIN + 34 * HOUR
    assert clock.at("south", BEGIN + 24 * HOUR).bank == 10 * HOUR
    assert clock.at("south", BEGIN + 30 * HOUR).bank == 4 * HOUR
    moved = clock.after(events.Submitted(1, "south", ""), BEGIN + 30 * HOUR)
    assert moved.at("south", BEGIN + 99 * HOUR).bank == 6 * HOUR
    assert clock.after(events.Submitted(1, "south", ""), BEGIN).at("south", BEGIN).bank == 11 * HOUR


def test_a_reveal_has_the_time_of_a_move_and_earns_nothing() -> None:
    clock = started(days=1, bank=10, increment=2)
    clock = clock.after(events.Sealed(1, "south", ""), BEGIN)
    clock = clock.after(events.Submitted(1, "north", ""), BEGIN + 20 * HOUR)
    assert deadline(clock) == BEGIN + (20 + 24 + 12) * HOUR
    assert clock.deadline("north") is None
    clock = clock.after(events.Revealed(1, "south", "", ""), BEGIN + 21 * HOUR)
    assert not clock.turns
    assert clock.at("south", BEGIN).bank == 12 * HOUR


def test_a_pause_and_a_vacation_at_once_count_once() -> None:
    clock = started(days=2, vacation=3)
    clock = clock.after(events.VacationTaken("south", "2027-03-02", "2027-03-03"), BEGIN)
    clock = clock.after(events.Paused(""), BEGIN + 24 * HOUR)
    assert clock.deadline("south") is None
    assert clock.paused
    clock = clock.after(events.Resumed(), BEGIN + 48 * HOUR)
    assert deadline(clock) == BEGIN + 96 * HOUR  # two days off, and the pause was within them
    assert deadline(clock, "north") == BEGIN + 72 * HOUR
    assert clock.at("south", BEGIN + 24 * HOUR).away
    assert clock.at("south", BEGIN).vacation == 1


def test_nothing_brings_back_a_deadline_that_has_passed() -> None:
    clock = started(days=1, vacation=9)
    late = BEGIN + 25 * HOUR
    for event in (events.Paused(""), events.VacationTaken("south", "2027-03-02", "2027-03-05")):
        assert clock.after(event, late).overdue(late).keys() >= {"south"}
    assert clock.after(events.Extended("south", 2), late).overdue(late).keys() == {"north"}


def test_a_failed_reveal_ends_a_turn_and_never_makes_it_longer() -> None:
    failed = events.Failed(1, "south", "mismatch", "", "")
    for late, due in ((5, BEGIN + 5 * HOUR), (30, BEGIN + 24 * HOUR)):
        assert started(days=1).after(failed, BEGIN + late * HOUR).deadline("south") == due


@pytest.mark.parametrize("times", sampled([1_000, 40_000], 2))
def test_a_host_who_gives_and_gives(times: int) -> None:
    clock = started(days=1)
    for _ in range(times):
        clock = clock.after(events.Extended("south", 2400), BEGIN)
    assert deadline(clock) == BEGIN + 24 * HOUR + LONGEST_TERM


def test_reminders_come_once_for_each_deadline_and_the_last_one_only() -> None:
    clock = started(days=3, reminders=[12, 48])
    due = deadline(clock)
    assert [*clock.reminders(due - 49 * HOUR)] == []
    assert {(one.side, one.hours) for one in clock.reminders(due - 47 * HOUR)} == {("south", 48), ("north", 48)}
    assert {one.hours for one in clock.reminders(due - HOUR)} == {12}
    assert {one.hours for one in clock.reminders(due)} == {0}
    for one in clock.reminders(due - HOUR):
        clock = clock.after(one, due - HOUR)
    assert [*clock.reminders(due - HOUR)] == []
    clock = clock.after(events.Extended("south", 5), due - HOUR)
    assert [(one.side, one.hours) for one in clock.reminders(due - HOUR)] == [("south", 12)]


NO_TERMS: list[Mapping[str, Any]] = [
    {"days": -1},
    {"days": "3"},
    {"days": True},
    {"days": 0},
    {"bank": 1.5},
    {"most": "all"},
    {"reminders": 12},
    {"reminders": [0]},
    {"timeout": "win"},
    {"zone": "Middle/Earth"},
    {"zone": "../../etc/passwd"},
    {"zone": "Europe"},
    {"zone": 3},
    {"zone": "localtime"},
    {"zone": "posixrules"},
    {"zone": "Factory"},
    {"zone": "posix/Europe/Vienna"},
    {"zone": "right/Europe/Vienna"},
    {"weekends": "off"},
    {"days": 10**6},
]


@each(NO_TERMS)
def test_terms_that_no_game_can_be_played_by(data: Mapping[str, Any]) -> None:
    with pytest.raises(RefereeError, match="clock"):
        Terms.read(data)


def test_terms_come_back_from_their_json() -> None:
    terms = Terms.read({"days": 3, "most": None, "reminders": [1, 5, 5], "zone": "Asia/Tokyo"})
    assert terms.reminders == (5, 1)
    assert Terms.read(terms.as_json()) == terms


def test_the_clock_of_a_log_at_a_time() -> None:
    desk = Desk(clock={"days": 2, "reminders": []})
    desk.ask(request(desk, "south", "submit P M1 A2 12"), after=5)
    before, now = clock(desk.entries, BEGIN + HOUR), clock(desk.entries, BEGIN + 6 * HOUR)
    assert before["south"].deadline == BEGIN + 48 * HOUR
    assert now["south"].deadline is None
    assert now["north"].deadline == BEGIN + 48 * HOUR
    assert clock((), BEGIN) == {}


# Combinations, against a clock that knows nothing but how to count.

ZONES = ("UTC", "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata")
STARTS = (datetime(2027, 3, 26, 23, tzinfo=UTC), datetime(2027, 10, 29, 2, tzinfo=UTC), BEGIN)
HORIZON = 24 * 40


@st.composite
def courses(draw: st.DrawFn) -> tuple[Terms, datetime, list[tuple[int, LogEvent]]]:
    """Terms, a start, and events for south's clock by the hour after it, as the desk would allow them."""
    terms = Terms.read(
        {
            "days": draw(st.integers(0, 4)),
            "bank": draw(st.integers(1, 60)),
            "vacation": 30,
            "zone": draw(st.sampled_from(ZONES)),
        }
    )
    since = draw(st.sampled_from(STARTS)) + draw(st.integers(0, 23)) * HOUR
    zone = ZoneInfo(terms.zone)
    timed: list[tuple[int, LogEvent]] = []
    hour, paused, taken = 0, False, since.astimezone(zone).date() - timedelta(days=1)
    for kind in draw(st.lists(st.sampled_from(("pause", "vacation", "extend")), max_size=6)):
        hour += draw(st.integers(0, 60))
        if kind == "pause":
            timed.append((hour, events.Resumed() if paused else events.Paused("")))
            paused = not paused
        elif kind == "extend":
            timed.append((hour, events.Extended("south", draw(st.integers(1, 40)))))
        else:
            today = (since + hour * HOUR).astimezone(zone).date()
            first = max(today, taken + timedelta(days=1)) + timedelta(days=draw(st.integers(0, 2)))
            taken = first + timedelta(days=draw(st.integers(0, 3)))
            timed.append((hour, events.VacationTaken("south", first.isoformat(), taken.isoformat())))
    return terms, since, timed


def counted(terms: Terms, since: datetime, timed: list[tuple[int, LogEvent]]) -> datetime | None:
    """The deadline, by counting half hours until none is left; None if the clock has stopped for good."""
    zone = ZoneInfo(terms.zone)
    step = HOUR / 2
    left = later(since, terms.days, zone) - since + terms.bank * HOUR
    paused, absences, waiting = False, list[tuple[date, date]](), list(timed)
    now = since
    while now < since + HORIZON * HOUR:
        while waiting and since + waiting[0][0] * HOUR <= now:
            _, event = waiting.pop(0)
            match event:
                case events.Extended(hours=hours):
                    left += hours * HOUR
                case events.VacationTaken(first=first, last=last):
                    absences.append((date.fromisoformat(first), date.fromisoformat(last)))
                case _:
                    paused = not paused
        if left <= timedelta(0):
            return now
        today = now.astimezone(zone).date()
        stands = paused or any(first <= today <= last for first, last in absences)
        if not stands:
            left -= step
        now += step
    return None


@given(courses())
def test_the_clock_agrees_with_one_that_counts(course: tuple[Terms, datetime, list[tuple[int, LogEvent]]]) -> None:
    terms, since, timed = course
    running = Clock(terms, {"south": DueTurn(since)})
    passed = False
    for hour, event in timed:
        at = since + hour * HOUR
        passed = passed or bool(running.overdue(at))
        running = running.after(event, at)
    due = running.deadline("south")
    if passed:
        return  # examples above show the time after a deadline
    assert due == counted(terms, since, timed)


@given(st.lists(st.integers(0, 20), max_size=40), st.integers(0, 300), st.integers(0, 300))
def test_pauses_are_skipped_as_if_they_were_looked_at_one_by_one(hours: list[int], since: int, moved: int) -> None:
    running, at = Clock(Terms.read({"days": 2, "bank": 30, "vacation": 9}), {"south": DueTurn(BEGIN)}), BEGIN
    turn = DueTurn(BEGIN + since * HOUR, moved * HOUR)
    for number, hour in enumerate(hours):
        at += hour * HOUR
        running = running.after(events.Resumed() if number % 2 else events.Paused(""), at)
    running = replace(running, turns={"south": turn})
    looked = replace(running, away={"south": (Stop(BEGIN + 9999 * HOUR, BEGIN + 10000 * HOUR),)})
    assert running.deadline("south") == looked.deadline("south")


@given(courses(), st.integers(0, 500), st.integers(1, 9))
def test_more_time_is_never_less(
    course: tuple[Terms, datetime, list[tuple[int, LogEvent]]], at: int, more: int
) -> None:
    terms, since, timed = course

    def due(terms: Terms, *last: LogEvent) -> datetime:
        running = Clock(terms, {"south": DueTurn(since)})
        for hour, event in timed:
            running = running.after(event, since + hour * HOUR)
        for event in last:
            running = running.after(event, since + (timed[-1][0] if timed else 0) * HOUR)
        return running.deadline("south") or datetime.max.replace(tzinfo=UTC)

    now = due(terms)
    assert due(Terms.read({**terms.as_json(), "days": terms.days + more})) >= now
    assert due(Terms.read({**terms.as_json(), "bank": terms.bank + more})) >= now
    assert due(terms, events.Extended("south", more)) >= now


@given(courses(), st.lists(st.integers(0, 900), min_size=2, max_size=6))
def test_a_bank_only_ever_runs_out(
    course: tuple[Terms, datetime, list[tuple[int, LogEvent]]], hours: list[int]
) -> None:
    terms, since, timed = course
    running = Clock(terms, {"south": DueTurn(since)})
    for hour, event in timed:
        running = running.after(event, since + hour * HOUR)
    times = [running.at("south", since + hour * HOUR) for hour in sorted(hours)]
    banks = [time.bank for time in times]
    assert banks == sorted(banks, reverse=True)
    assert all(timedelta(0) <= bank <= terms.bank * HOUR for bank in banks)
    assert all((time.bank == timedelta(0)) >= time.overdue for time in times)
