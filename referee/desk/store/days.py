"""Days of a desk's store: the heads of all games at the end of a day, and the root over them.

The root of a day never changes, although a letter from before its end may be handled later. Only the heads that have
changed since the day before are stored.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import CompoundSelect, Connection, Select, and_, func, select, union_all

from referee.desk.errors import StoreError
from referee.desk.log.heads import Head
from referee.desk.log.log import write_time
from referee.desk.log.roots import Inclusion, Root, inclusion_of, last_day, root_of
from referee.desk.store.tables.database import Part
from referee.desk.store.tables.schema import DAY_HEAD, DAY_ROOT, EVENT, STANDING
from referee.errors import Refusal


class Days(Part):
    """The roots of days; each is made once, after the day, and never changes."""

    def root(self, day: date, now: datetime) -> Root:
        """The root of a day in UTC, made and stored if there is none; RefereeError `no-root` if it cannot be made."""
        return self.database.write(lambda connection: _kept(connection, day) or _made(connection, day, now))

    def end_day(self, now: datetime) -> None:
        """Make the root of the last day that is over, if it has none and there was any game."""
        day = last_day(now)
        if not self.database.read(select(DAY_ROOT.c.day).where(DAY_ROOT.c.day >= str(day))):
            with suppress(Refusal):
                self.root(day, now)

    def inclusion(self, game: str, day: date | None = None) -> Inclusion:
        """The way from a game's head up to the root of a day, or of the newest one; RefereeError `no-root`."""
        with self.database.reading(), self.database.reader() as connection:
            on = day or _newest(connection)
            root = on and _kept(connection, on)
            if on is None or root is None:
                raise Refusal("no-root", f"there is no root of {on or 'any day'}: 'referee desk root' makes one")
            heads = _heads_of(connection, _last_known(on))
        if root_of(on, heads) != root:
            raise StoreError("store", f"the heads of {on} are damaged: restore a backup")
        if game not in {head.game for head in heads}:
            raise Refusal("no-root", f"{game} had not begun on {on}: name a later day")
        return inclusion_of(on, heads, game)


def _kept(connection: Connection, day: date) -> Root | None:
    found = connection.execute(select(DAY_ROOT).where(DAY_ROOT.c.day == str(day))).first()
    return None if found is None else Root(day, found.games, found.root)


def _newest(connection: Connection) -> date | None:
    found = connection.execute(select(func.max(DAY_ROOT.c.day))).scalar()
    return date.fromisoformat(found) if found else None


def _made(connection: Connection, day: date, now: datetime) -> Root:
    end, newest = datetime.combine(day + timedelta(days=1), time(), UTC), _newest(connection)
    if now < end:
        raise Refusal("no-root", f"{day} is not over: a day ends at midnight in UTC")
    if newest is not None and newest > day:
        message = f"no root of {day} was made in time, and {newest} has one: it covers the days before"
        raise Refusal("no-root", message)
    heads = _heads_of(connection, _last_before(write_time(end)))
    if not heads:
        raise Refusal("no-root", f"there was no game before the end of {day}")
    known = {row.game: row.number for row in connection.execute(_last_known(day))}
    changed = [head for head in heads if known.get(head.game) != head.number]
    root = root_of(day, heads)
    connection.execute(DAY_ROOT.insert().values(day=str(day), games=root.games, root=root.digest))
    if changed:
        rows = [{"day": str(day), "game": head.game, "number": head.number} for head in changed]
        connection.execute(DAY_HEAD.insert(), rows)
    return root


def _last_known(day: date) -> Select[tuple[str, int]]:
    """The number of each game's head on the last day up to this one on which it was noted."""
    last = select(DAY_HEAD.c.game, func.max(DAY_HEAD.c.number).label("number")).where(DAY_HEAD.c.day <= str(day))
    return last.group_by(DAY_HEAD.c.game)


def _last_before(end: str) -> CompoundSelect[tuple[str, int]]:
    """The number of each game's last entry before a time. Only logs with later entries are read."""
    ended = select(STANDING.c.game, STANDING.c.number).where(STANDING.c.at < end)
    last = select(EVENT.c.game, func.max(EVENT.c.number).label("number"))
    went_on = last.join(STANDING, STANDING.c.game == EVENT.c.game).where(STANDING.c.at >= end, EVENT.c.at < end)
    return union_all(ended, went_on.group_by(EVENT.c.game))


def _heads_of(connection: Connection, last: Select[tuple[str, int]] | CompoundSelect[tuple[str, int]]) -> list[Head]:
    """The heads with the selected numbers, in the order of the games' ids."""
    numbers = last.subquery()
    same = and_(EVENT.c.game == numbers.c.game, EVENT.c.number == numbers.c.number)
    found = connection.execute(select(EVENT.c.game, EVENT.c.number, EVENT.c.digest).join(numbers, same))
    return sorted((Head(row.game, row.number, row.digest) for row in found), key=lambda head: head.game)
