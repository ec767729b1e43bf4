"""What a desk's store has of all games at once: where each log ends, who plays, and which addresses there are."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, case, func, or_, select, text

from referee.desk import rows
from referee.desk.database import Transactions
from referee.desk.log import read_time
from referee.desk.schema import EVENT, IS_ADDRESS, SECRET


class Phase(StrEnum):
    """How far a game has come; one that was called off before it began is `never-begun`."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    NEVER_BEGUN = "never-begun"


class Standing(NamedTuple):
    """The last entry of a game's log: its number, and when it was made."""

    game: str
    number: int
    at: datetime
    phase: Phase


def _last(kind: str) -> ColumnElement[int]:
    """The number of a game's last entry of a kind; -1 if it has none."""
    return func.max(case((EVENT.c.kind == kind, EVENT.c.number), else_=-1)).label(kind)


_STANDINGS = select(
    EVENT.c.game,
    func.max(EVENT.c.number).label("number"),
    func.max(EVENT.c.at).label("at"),
    _last("opened"),
    _last("closed"),
    _last("reopened"),
).group_by(EVENT.c.game)

_NAMING = ("opened", "joined", "replaced")
"""The kinds of events that put somebody on a seat."""

_ADDRESSES = select(func.lower(SECRET.c.value).label("address")).where(text(IS_ADDRESS)).distinct()


class Catalogue(Transactions):
    """All games of a desk, without the states of each; nothing here changes any."""

    def standings(self) -> list[Standing]:
        """Where every game stands, the last one to change first."""
        with rows.row_faults("the time of an entry"):
            found = [
                Standing(row.game, row.number, read_time(row.at), _phase(row.opened >= 0, row.closed > row.reopened))
                for row in self._read(_STANDINGS)
            ]
        return sorted(found, key=lambda one: (one.at, one.game), reverse=True)

    def last_numbers(self, games: Collection[str]) -> dict[str, int]:
        """The number of the last entry of each of these games, those that there are."""
        wanted = select(EVENT.c.game, func.max(EVENT.c.number).label("number")).where(EVENT.c.game.in_([*games]))
        return {row.game: row.number for row in self._read(wanted.group_by(EVENT.c.game))} if games else {}

    def games_naming(self, name: str) -> set[str]:
        """The games in whose logs somebody of a name sits down; the log may speak of another thing by that name."""
        quoted = json.dumps(name, ensure_ascii=False)
        within = or_(*(EVENT.c.kind == kind for kind in _NAMING))
        wanted = select(EVENT.c.game).where(within, EVENT.c.body.contains(quoted, autoescape=True)).distinct()
        return {row.game for row in self._read(wanted)}

    def addresses(self) -> list[str]:
        """The addresses (in small letters) of all seats, each once."""
        return [row.address for row in self._read(_ADDRESSES)]


def _phase(opened: bool, over: bool) -> Phase:
    if opened:
        return Phase.FINISHED if over else Phase.RUNNING
    return Phase.NEVER_BEGUN if over else Phase.WAITING
