"""The clocks of a game, as spec/log.md has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from tests.oracles.verifier.form import Json

HOUR = timedelta(hours=1)
MOST = timedelta(days=3660)


@dataclass
class Turn:
    """The time of a move that is due from a side, or of the reveal of one."""

    begin: datetime
    hours: int = 0  # given by the host
    failure: datetime | None = None  # of a reveal, unless more time was given since
    reminders: list[tuple[str, int]] = field(default_factory=list)  # deadline and hours


Stop = tuple[datetime, datetime | None]  # None: no end yet


def later(local: datetime, zone: ZoneInfo) -> datetime:
    """The later reading of a local time that comes once, twice or not at all."""
    return max(local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def joined(stops: list[Stop]) -> list[Stop]:
    """Stops by their beginning, those that overlap or touch being one."""
    result: list[Stop] = []
    for begin, end in sorted(stops, key=lambda stop: stop[0]):
        last = result[-1] if result else None
        if last and (last[1] is None or begin <= last[1]):
            result[-1] = (last[0], None if last[1] is None or end is None else max(last[1], end))
        else:
            result.append((begin, end))
    return result


class Clocks:
    """The clocks of all sides at the time `now`."""

    def __init__(self, terms: Json | None, sides: Iterable[str], now: datetime) -> None:
        self.clock, self.now = terms, now
        self.zone = ZoneInfo(terms["zone"] if terms else "UTC")
        self.most = MOST if not terms or terms["most"] is None else terms["most"] * HOUR
        bank = min(terms["bank"] * HOUR, self.most) if terms else timedelta()
        self.banks = dict.fromkeys(sides, bank)
        self.pauses: list[Stop] = []
        self.vacations: dict[str, list[tuple[date, date, datetime]]] = {side: [] for side in sides}
        self.turns: dict[str, Turn] = {}
        self.timeless: set[str] = set()  # sides of engines, for which no time runs out

    def stops(self, side: str) -> list[Stop]:
        """All times in which the clock of a side is stopped."""
        stops = list(self.pauses)
        for first, last, announced in self.vacations[side]:
            begin = later(datetime(first.year, first.month, first.day), self.zone)
            end = last + timedelta(days=1)
            stops.append((max(begin, announced), later(datetime(end.year, end.month, end.day), self.zone)))
        return joined(stops)

    def reckoned(self, side: str, bank: timedelta) -> datetime | None:
        """Steps 1 to 4 of the deadline, with this part of the bank; None while the clock is stopped."""
        assert self.clock
        turn, days = self.turns[side], timedelta(days=self.clock["days"])
        deadline = turn.begin
        if days:
            deadline = later(turn.begin.astimezone(self.zone).replace(tzinfo=None) + days, self.zone)
        deadline += min(turn.hours * HOUR, MOST) + bank
        for begin, end in self.stops(side):
            if begin < deadline:
                if end is None:
                    return None
                deadline += max(end - max(begin, turn.begin), timedelta())
        return deadline

    def deadline(self, side: str) -> datetime | None:
        """The deadline of a side with a duty."""
        if side in self.timeless:
            return None
        deadline, failure = self.reckoned(side, self.banks[side]) if self.clock else None, self.turns[side].failure
        return min(deadline, failure) if deadline and failure else deadline or failure

    def left(self, side: str) -> timedelta:
        """The rest of a side's bank now."""
        free = self.reckoned(side, timedelta())
        if free is None or free >= self.now:
            return self.banks[side]
        used = self.now - free
        for begin, end in self.stops(side):
            used -= max(min(end or self.now, self.now) - max(begin, free), timedelta())
        return max(self.banks[side] - used, timedelta())

    def moved(self, side: str) -> None:
        """A side's move is in, and its turn is over."""
        if self.clock:
            self.banks[side] = min(self.left(side) + self.clock["increment"] * HOUR, self.most)
        del self.turns[side]

    def over(self) -> dict[str, datetime]:
        """The sides whose time is over, with their deadlines; none while an engine owes its move."""
        if self.timeless & set(self.turns):
            return {}
        deadlines = {side: self.deadline(side) for side in self.turns}
        return {side: deadline for side, deadline in deadlines.items() if deadline and deadline <= self.now}

    def first_over(self) -> str | None:
        """The side whose time was over first, if it was one alone."""
        over = self.over()
        first = [side for side in over if over[side] == min(over.values())]
        return first[0] if len(first) == 1 else None

    def begin_again(self) -> None:
        """Begin the turns of the others once no engine has to move."""
        if not self.timeless & set(self.turns):
            for turn in self.turns.values():
                turn.begin = self.now

    @property
    def is_loss(self) -> bool:
        """True if a timeout is a loss at once."""
        return self.clock is not None and self.clock["timeout"] == "loss"

    def reminders(self, sides: Iterable[str]) -> dict[str, tuple[str, int]]:
        """The reminders that are possible now: of each side the deadline and the hours."""
        result: dict[str, tuple[str, int]] = {}
        if not self.clock or self.timeless & set(self.turns):
            return result
        for side in sides:
            deadline = self.deadline(side)
            if deadline is None:
                continue
            written = deadline.isoformat(timespec="microseconds").replace("+00:00", "Z")
            passed = [hours for hours in (*self.clock["reminders"], 0) if deadline - hours * HOUR <= self.now]
            told = [hours for of, hours in self.turns[side].reminders if of == written]
            if passed and all(min(passed) < hours for hours in told) and not (self.is_loss and min(passed) == 0):
                result[side] = (written, min(passed))
        return result

    @property
    def paused(self) -> bool:
        """True if the host has stopped the clocks."""
        return bool(self.pauses) and self.pauses[-1][1] is None
