"""The clock: how long each side has, as a function of the log alone (spec/log.md, "The clock")."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.desk.log.log import Entry, write_time
from referee.desk.log.terms import LONGEST_TERM, Terms, zone_named
from referee.rules.frozen import Frozen

_NOTHING = timedelta(0)
_YEAR = timedelta(days=366)
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class DueTurn:
    """The move due from a side, when its reveal `failed`, and the fewest hours `reminded` of by deadline."""

    since: datetime
    extra: timedelta = _NOTHING
    failed: datetime | None = None
    reminded: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of a clock, without end while it lasts; `before` is the length of earlier pauses."""

    start: datetime
    end: datetime = _NEVER
    before: timedelta = _NOTHING


@dataclass(frozen=True, slots=True)
class Time:
    """The clock of a side at a time; no `deadline` if no move is due, or the clock is stopped without an end."""

    owing: bool
    deadline: datetime | None
    overdue: bool
    bank: timedelta
    away: bool
    vacation: int


@dataclass(frozen=True)
class Clock:
    """All clocks of a game after its last event; without `terms` the only deadline is that of a failed reveal.

    `movers` are the sides that have to move when the ply begins. Time never runs out for `engines`.
    """

    terms: Terms | None
    turns: Mapping[str, DueTurn] = field(default_factory=dict)
    banks: Mapping[str, timedelta] = field(default_factory=dict)
    sealers: frozenset[str] = frozenset()
    vacations: Mapping[str, tuple[events.VacationTaken, ...]] = field(default_factory=dict)
    away: Mapping[str, tuple[Stop, ...]] = field(default_factory=dict)
    pauses: tuple[Stop, ...] = ()
    movers: tuple[str, ...] = ()
    engines: frozenset[str] = frozenset()

    @classmethod
    def start(cls, event: events.Opened | events.Invited, at: datetime) -> Clock:
        """The clocks of a new game; before it is opened, none runs."""
        terms = None if event.clock is None else Terms.kept(event.clock)
        return cls(terms)._next_ply(event.owing if isinstance(event, events.Opened) else (), at)

    @property
    def paused(self) -> bool:
        """True if the host has stopped the game."""
        return bool(self.pauses) and self.pauses[-1].end == _NEVER

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of days."""
        return zone_named(self.terms.zone if self.terms else "UTC")

    def after(self, event: LogEvent, at: datetime) -> Clock:
        """The clocks after an event."""
        match event:
            case events.Submitted(side=side) if side in self.engines:
                return self._move_in(side, at)._awaited(at)
            case events.Submitted(side=side):
                return self._move_in(side, at)
            case events.Sealed(side=side):
                return replace(self, sealers=self.sealers | {side})._move_in(side, at)
            case events.Revealed(side=side):
                return self._move_in(side, at, whole=False)
            case events.Failed(side=side):
                return self._turn(side, failed=at)
            case events.Played(moves=moves, owing=owing):
                movers = self.turns.keys() & moves.keys() if self.terms else ()
                return self._next_ply(owing, at, {side: self._filled(side, at) for side in movers})
            case events.Opened(owing=owing):
                return self._next_ply(owing, at)
            case events.Engaged(side=side):
                return replace(self, engines=self.engines | {side})
            case events.Replaced(side=side) if side in self.engines:
                left = replace(self, engines=self.engines - {side})
                if side not in self.turns:
                    return left
                return replace(left, turns={**self.turns, side: DueTurn(at)})._awaited(at)
            case events.Extended(side=side, hours=hours) | events.Gave(to=side, hours=hours):
                extra = self.turns[side].extra + timedelta(hours=hours)
                return self._turn(side, extra=min(extra, LONGEST_TERM), failed=None)
            case events.Reminded(side=side, hours=hours, deadline=deadline):
                return self._turn(side, reminded={**self.turns[side].reminded, deadline: hours})
            case events.VacationTaken(side=side):
                stop = self._absence(event, at)
                vacations = {**self.vacations, side: (*self.vacations.get(side, ()), event)}
                return replace(self, vacations=vacations, away={**self.away, side: (*self.away.get(side, ()), stop)})
            case events.Paused():
                return replace(self, pauses=(*self.pauses, Stop(at, before=self._pause_total)))
            case events.Resumed():
                return replace(self, pauses=(*self.pauses[:-1], replace(self.pauses[-1], end=at)))
            case events.Closed():
                return replace(self, turns={})
            case events.Reopened():
                return (self.after(events.Resumed(), at) if self.paused else self)._next_ply(self.movers, at)
            case _:
                return self

    def at(self, side: str, at: datetime) -> Time:
        """The clock of a side at a time."""
        deadline = self.deadline(side)
        bank = self._rest(side, at) if side in self.turns else self._bank(side)
        return Time(
            side in self.turns,
            deadline.astimezone(self.zone) if deadline else None,
            deadline is not None and at >= deadline and not self._waits,
            bank,
            any(stop.start <= at < stop.end for stop in self.away.get(side, ())),
            (self.terms.vacation if self.terms else 0) - self._days_off(side),
        )

    def deadline(self, side: str) -> datetime | None:
        """The end of a side's time; None if no move is due, it is stopped, or no clock runs and no reveal failed."""
        turn = self.turns.get(side)
        if turn is None or side in self.engines:
            return None
        if self.terms is None:
            return turn.failed
        due = self._postpone(side, self._free_until(turn) + self._bank(side))
        return due if turn.failed is None else min(turn.failed, due or turn.failed)

    def overdue(self, at: datetime) -> dict[str, datetime]:
        """The sides whose time is over, with their deadlines, the earliest first; none while an engine moves."""
        if self._waits:
            return {}
        deadlines = {side: due for side in self.turns if (due := self.deadline(side)) is not None and due <= at}
        return dict(sorted(deadlines.items(), key=lambda one: one[1]))

    def loser(self, at: datetime) -> str | None:
        """The side whose time was over first; None if several sides' time was over at the same moment."""
        (side, first), *others = self.overdue(at).items()
        return None if any(due == first for _, due in others) else side

    def reminders(self, at: datetime) -> Iterator[events.Reminded]:
        """The reminders due, the last for each deadline, 0 hours once it has passed; none while an engine moves."""
        if self._waits:
            return
        for side in self.turns:
            passed = [one for when, one in self._reminders(side) if at >= when]
            yield from passed[-1:]

    def movable(self, start: datetime, end: datetime) -> frozenset[str]:
        """The sides whose deadline moves if all clocks are stopped between two times; none while an engine moves."""
        if self._waits or self.paused:
            return frozenset()
        stopped = self.after(events.Paused(""), start).after(events.Resumed(), end)
        return frozenset(side for side in self.turns if stopped.deadline(side) != self.deadline(side))

    def next_due(self) -> datetime | None:
        """The time of the next reminder; None if there will be none. The last one is due at the deadline."""
        if self._waits:
            return None
        return min((at for side in self.turns for at, _ in self._reminders(side)), default=None)

    def absence_fault(self, side: str, first: date, last: date, at: datetime) -> tuple[str, str] | None:
        """The reason why a side cannot take these days off: a code and a sentence; None if it can."""
        today = at.astimezone(self.zone).date()
        if last < first:
            return "vacation-dates", f"the last day off, {last}, is before the first one, {first}"
        if not today <= first <= last <= today + _YEAR:
            return "vacation-dates", f"a vacation lies between today, {today}, and a year from today"
        taken = self.vacations.get(side, ())
        if any(first <= date.fromisoformat(one.last) and date.fromisoformat(one.first) <= last for one in taken):
            return "vacation-overlaps", "you have taken some of these days off already"
        left = self.at(side, at).vacation
        if self.terms is None or not self.terms.vacation:
            return "vacation-spent", "this game has no days off"
        if (wanted := (last - first).days + 1) > left:
            days = f"only {left}" if left > 0 else "none"
            return "vacation-spent", f"days off wanted: {wanted}, but you have {days} left in this game"
        return None

    def _reminders(self, side: str) -> Iterator[tuple[datetime, events.Reminded]]:
        """The reminders of a side's deadline that were not sent yet, each with its time."""
        due = self.deadline(side)
        if due is not None and self.terms is not None:
            sent = self.turns[side].reminded.get(write_time(due))
            for hours in (*self.terms.reminders, 0):
                if sent is None or hours < sent:
                    yield due - timedelta(hours=hours), events.Reminded(side, hours, write_time(due))

    def _next_ply(self, owing: tuple[str, ...], at: datetime, paid: Mapping[str, timedelta] = Frozen()) -> Clock:
        """The clocks when a ply begins, with the banks of those who have paid for the last one."""
        turns, banks = {side: DueTurn(at) for side in owing}, {**self.banks, **paid}
        return replace(self, turns=turns, banks=banks, movers=owing, sealers=frozenset())

    def _move_in(self, side: str, at: datetime, *, whole: bool = True) -> Clock:
        """The clocks after a side's move: its bank pays. After the last move, own seals must be revealed."""
        turns = {one: turn for one, turn in self.turns.items() if one != side}
        if whole and not turns:
            turns = {one: DueTurn(at) for one in sorted(self.sealers)}
        if self.terms is None:
            return replace(self, turns=turns)
        bank = self._filled(side, at) if whole else self.terms.filled(self._rest(side, at))
        return replace(self, turns=turns, banks={**self.banks, side: bank})

    def _filled(self, side: str, at: datetime) -> timedelta:
        assert self.terms is not None
        return self.terms.filled(self._rest(side, at) + timedelta(hours=self.terms.increment))

    @property
    def _waits(self) -> bool:
        """True if an engine has to move, so that others who move at the same time cannot act."""
        return bool(self.engines & self.turns.keys())

    def _awaited(self, at: datetime) -> Clock:
        """The clocks with turns that begin now, once no engine has to move: no player could act before."""
        if self._waits:
            return self
        return replace(self, turns={side: replace(turn, since=at) for side, turn in self.turns.items()})

    def _days_off(self, side: str) -> int:
        taken = self.vacations.get(side, ())
        return sum((date.fromisoformat(one.last) - date.fromisoformat(one.first)).days + 1 for one in taken)

    def _turn(self, side: str, **changes: Any) -> Clock:  # noqa: ANN401 - the fields of Turn
        return replace(self, turns={**self.turns, side: replace(self.turns[side], **changes)})

    def _bank(self, side: str) -> timedelta:
        if self.terms is None:
            return _NOTHING
        return self.banks.get(side, self.terms.filled(timedelta(hours=self.terms.bank)))

    def _rest(self, side: str, at: datetime) -> timedelta:
        bank = self._bank(side)
        if not bank:
            return bank
        free = self._postpone(side, self._free_until(self.turns[side]))
        if free is None or at <= free:
            return bank
        stood = sum((_overlap(stop, free, at) for stop in self._stops(side)), _NOTHING)
        return max(_NOTHING, bank - (at - free - stood))

    def _free_until(self, turn: DueTurn) -> datetime:
        """The end of the days for a move, not counting stops: the same time of day, that many days later."""
        return later(turn.since, self.terms.days if self.terms else 0, self.zone) + turn.extra

    def _postpone(self, side: str, due: datetime) -> datetime | None:
        """A time postponed by every stop of a side's clock before it."""
        since = self.turns[side].since
        if not any(stop.end > since for stop in self.away.get(side, ())):
            return self._beyond_pauses(since, due)
        for stop in self._stops(side):
            if stop.start >= due:
                break
            if stop.end == _NEVER:
                return None
            due += _overlap(stop, since, stop.end)
        return due

    def _beyond_pauses(self, since: datetime, due: datetime) -> datetime | None:
        """A time postponed by every pause before it, without a look at each of them: there may be thousands."""
        first = bisect_right(self.pauses, since, key=lambda stop: stop.end)
        if first == len(self.pauses) or self.pauses[first].start >= due:
            return due
        start = max(since, self.pauses[first].start)
        gone = self.pauses[first].before + (start - self.pauses[first].start)
        beyond = bisect_left(self.pauses, due, lo=first + 1, key=lambda stop: stop.start - (stop.before - gone))
        if beyond < len(self.pauses):
            return due + self.pauses[beyond].before - gone
        return None if self.paused else due + self._pause_total - gone

    @property
    def _pause_total(self) -> timedelta:
        if not self.pauses:
            return _NOTHING
        last = self.pauses[-1]
        return last.before if self.paused else last.before + (last.end - last.start)

    def _stops(self, side: str) -> list[Stop]:
        """The stops of a side's clock during its turn, in order; stops that overlap are one."""
        first = bisect_right(self.pauses, self.turns[side].since, key=lambda stop: stop.end)
        merged: list[Stop] = []
        for stop in sorted((*self.pauses[first:], *self.away.get(side, ())), key=lambda one: one.start):
            last = merged[-1] if merged else None
            if last is None or last.end < stop.start:
                merged.append(stop)
            else:
                merged[-1] = Stop(last.start, max(last.end, stop.end))
        return merged

    def _absence(self, vacation: events.VacationTaken, at: datetime) -> Stop:
        """A vacation's stop: from midnight to midnight in the game's zone, not before it was announced."""
        first = _utc(datetime.combine(date.fromisoformat(vacation.first), time()), self.zone)
        last = _utc(datetime.combine(date.fromisoformat(vacation.last) + timedelta(days=1), time()), self.zone)
        return Stop(max(first, at), max(last, at))


def clock(entries: Iterable[Entry], at: datetime) -> dict[str, Time]:
    """The clock of every side at a time, from the entries of a log up to then."""
    running: Clock | None = None
    sides: list[str] = []
    for entry in entries:
        if running is None and isinstance(entry.event, events.Opened | events.Invited):
            running = Clock.start(entry.event, entry.at)
        elif running is not None and entry.at <= at:
            running = running.after(entry.event, entry.at)
        if isinstance(entry.event, events.Opened):
            sides = [*entry.event.players]
    return {side: running.at(side, at) for side in sides} if running else {}


def later(since: datetime, days: int, zone: ZoneInfo) -> datetime:
    """The same time of day a number of days later, in UTC; the later one of two where the clocks change."""
    return _utc(since.astimezone(zone).replace(tzinfo=None) + timedelta(days=days), zone) if days else since


def _utc(local: datetime, zone: ZoneInfo) -> datetime:
    first = local.replace(tzinfo=zone, fold=0)
    return max(first.astimezone(UTC), first.replace(fold=1).astimezone(UTC))


def _overlap(stop: Stop, start: datetime, end: datetime) -> timedelta:
    return max(_NOTHING, min(stop.end, end) - max(stop.start, start))
