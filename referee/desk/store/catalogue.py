"""A desk's games at once: the end of each log, the players, and the addresses."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TypeVar

from sqlalchemy import ColumnElement, bindparam, exists, func, select, text

from referee.desk.errors import BrokenGameError
from referee.desk.glances import NOT_OVER, Glance, Phase, Standing
from referee.desk.log.log import GAME_ID, read_time, write_time
from referee.desk.store.projections.projections import glance_in
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Database
from referee.desk.store.tables.schema import EVENT, IS_ADDRESS, SECRET, STANDING
from referee.errors import PackageFault, shown
from referee.rules import game_fault

Value = TypeVar("Value")

_SOME_BEGINNINGS = select(EVENT.c.game, EVENT.c.body).where(
    EVENT.c.number == 0, EVENT.c.game.in_(bindparam("games", expanding=True))
)
"""The first entries of some logs, found by their keys."""

_FIRST_SEAT = select(SECRET.c.value).where(rows.HAS_ADDRESS).order_by(SECRET.c.game, SECRET.c.name).limit(1)

_OPENED_SEAT = (
    select(SECRET.c.game)
    .join(STANDING, STANDING.c.game == SECRET.c.game)
    .where(rows.HAS_ADDRESS, STANDING.c.phase.in_((Phase.RUNNING, Phase.FINISHED)))
    .limit(1)
)

_AT_ONCE = 500
"""Logs to look for at a time."""

_HAS_LOG = exists().where(EVENT.c.game == STANDING.c.game, EVENT.c.number == 0)
"""A row of a game that is not there must not stop the clocks of all others."""


class Catalogue:
    """All games of a desk, by what was written together with each log, so that no log has to be read."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._rules: dict[str, str] = {}
        """Rules of games by their ids, as far as they were needed; they never change."""
        self._broken: dict[str, BrokenGameError] = {}
        """The games with a fault in their package; the next start tries them again."""

    def ids(self, *, running: bool = False) -> list[str]:
        """The ids of all games, or of those that are not over, in order."""
        return self._games(STANDING.c.phase.in_(NOT_OVER)) if running else self._games()

    def rules(self, game: str) -> str | None:
        """The rules of the game with an id; None if there is no such game."""
        if not GAME_ID.fullmatch(game):
            return None
        self._learn([game])
        return self._rules.get(game)

    def playable(self, games: Iterable[str]) -> list[str]:
        """These games, without those whose package is missing or broken."""
        names = list(games)
        self._learn(names)
        return [name for name in names if self._package_fault(name) is None]

    def unplayable(self) -> list[BrokenGameError]:
        """The games that are not over and wait for their package, each with the reason."""
        names = self.ids(running=True)
        self._learn(names)
        return [fault for fault in map(self._package_fault, names) if fault is not None]

    def each(self, games: Iterable[str], work: Callable[[str], Value]) -> Iterator[Value]:
        """The results of some work on each of these games, without those that wait, or that fail in it."""
        for name in self.playable(games):
            with suppress(BrokenGameError), self.waiting_if_broken(name):
                yield work(name)

    def each_running(self, work: Callable[[str], Value]) -> Iterator[Value]:
        """The results of some work on each game that is not over, as `each` gives them."""
        return self.each(self.ids(running=True), work)

    @contextmanager
    def waiting_if_broken(self, game: str | None) -> Iterator[None]:
        """Raise a fault of a game's package that shows only now as BrokenGameError; from then on the game waits."""
        try:
            yield
        except PackageFault as error:
            if game is None or isinstance(error, BrokenGameError):
                raise
            self._broken[game] = BrokenGameError(game, error.message)
            raise self._broken[game] from error

    def _package_fault(self, game: str) -> BrokenGameError | None:
        if game in self._broken:
            return self._broken[game]
        rules = self._rules.get(game)
        if rules is None or (fault := game_fault(rules)) is None:
            return None
        missing = f"the package that offers {shown(rules)} is missing: install it, and start the desk again"
        return BrokenGameError(game, missing if fault.code == "unknown-game" else fault.message)

    def expect_playable(self, game: str) -> None:
        """Raise BrokenGameError if the package of a game is missing or broken."""
        self._learn([game])
        if (fault := self._package_fault(game)) is not None:
            raise fault

    def _learn(self, games: Iterable[str]) -> None:
        unknown = [game for game in games if game not in self._rules]
        for first in range(0, len(unknown), _AT_ONCE):
            for row in self.database.read(_SOME_BEGINNINGS, {"games": unknown[first : first + _AT_ONCE]}):
                with suppress(ValueError, TypeError, KeyError):  # a damaged log is reported when its game is opened
                    self._rules[row.game] = str(json.loads(row.body)["game"])

    def in_phase(self, phase: Phase) -> list[str]:
        """The games in a phase."""
        return self._games(STANDING.c.phase == phase)

    def paused(self) -> list[str]:
        """The games that are not over and whose clocks the host has stopped."""
        return self._games(STANDING.c.phase.in_(NOT_OVER), STANDING.c.paused)

    def games_of(self, address: str) -> list[str]:
        """The running games with an address (in small letters) on a seat; if there are none, the others."""
        seats = rows.SEATS.subquery()
        wanted = select(STANDING.c.game, STANDING.c.phase).join(seats, seats.c.game == STANDING.c.game)
        found = {row.game: row.phase for row in self.database.read(wanted, {"address": address})}
        found = {game: found[game] for game in self.playable(found)}
        return sorted(game for game, phase in found.items() if phase in NOT_OVER) or sorted(found)

    def known_glances(self, *, running: bool = False) -> dict[str, Glance | None]:
        """Glances of all games, or of those that are not over; None for one that must be looked at first."""
        wanted = select(STANDING.c.game, STANDING.c.value).order_by(STANDING.c.game)
        found = self.database.read(wanted.where(STANDING.c.phase.in_(NOT_OVER)) if running else wanted)
        return {row.game: glance_in(row.value) for row in found}

    def standings(self, among: Collection[str] | None = None) -> list[Standing]:
        """The standing of every game, or of each of these, the last one to change first."""
        wanted = select(STANDING.c.game, STANDING.c.number, STANDING.c.at, STANDING.c.phase)
        found = self.database.read(wanted if among is None else wanted.where(STANDING.c.game.in_([*among])))
        with rows.row_faults("where a game stands"):
            standings = [Standing(row.game, row.number, read_time(row.at), Phase(row.phase)) for row in found]
        return sorted(standings, key=lambda one: (one.at, one.game), reverse=True)

    def newest(self, phase: Phase, most: int, beyond: int = 0) -> list[str]:
        """The games in a phase that changed last, the newest first, after `beyond` of them."""
        order = (STANDING.c.at.desc(), STANDING.c.game.desc())
        wanted = select(STANDING.c.game).where(STANDING.c.phase == phase).order_by(*order)
        return self.playable(row.game for row in self.database.read(wanted.limit(most).offset(beyond)))

    def numbers(self) -> dict[Phase, int]:
        """Number of games in each phase."""
        found = self.database.read(select(STANDING.c.phase, func.count().label("number")).group_by(STANDING.c.phase))
        with rows.row_faults("where a game stands"):
            return dict.fromkeys(Phase, 0) | {Phase(row.phase): row.number for row in found}

    def last_numbers(self, games: Collection[str]) -> dict[str, int]:
        """The number of the last entry of each of these games, those that there are."""
        wanted = select(STANDING.c.game, STANDING.c.number).where(STANDING.c.game.in_([*games]))
        return {row.game: row.number for row in self.database.read(wanted)} if games else {}

    def games_naming(self, name: str) -> set[str]:
        """The games with a player of a name, and any with that name for something else."""
        quoted = json.dumps(name, ensure_ascii=False)
        wanted = select(STANDING.c.game).where(STANDING.c.value.contains(quoted, autoescape=True))
        return {*self.playable(row.game for row in self.database.read(wanted))}

    def is_seated(self, address: str) -> bool:
        """True if an address (in small letters) has or had a seat in a game that was opened, not only in an offer."""
        return bool(self.database.read(_OPENED_SEAT, {"address": address}))

    def addresses(self) -> list[str]:
        """The addresses (in small letters) of all seats, each once."""
        seats = select(func.lower(SECRET.c.value).label("address")).where(text(IS_ADDRESS))
        return [row.address for row in self.database.read(seats.distinct())]

    def _games(self, *which: ColumnElement[bool]) -> list[str]:
        found = self.database.read(select(STANDING.c.game).where(*which).order_by(STANDING.c.game))
        return [row.game for row in found]

    def all_games_of(self, address: str) -> list[str]:
        """All games with an address (in small letters) on a seat, running or not."""
        return self.database.once(("seats", address), lambda: self._seats(address))

    def _seats(self, address: str) -> list[str]:
        return self.playable(sorted(row.game for row in self.database.read(rows.SEATS, {"address": address})))

    def spelled(self, address: str) -> str | None:
        """An address (in small letters) with the capitals that a seat's has; None if no seat has it."""
        return next((row.value for row in self.database.read(_FIRST_SEAT, {"address": address})), None)

    def games_changed_by(self, letter: str, address: str) -> list[str]:
        """The games of an address (in small letters) that a letter of this digest has changed."""
        acts = select(EVENT.c.game).where(EVENT.c.game.in_(rows.SEATS), EVENT.c.came.contains(letter))
        found = self.database.read(acts.group_by(EVENT.c.game), {"address": address})
        return self.playable(row.game for row in found)

    def seats_in(self, domain: str) -> list[tuple[str, str]]:
        """The game and the address of every seat whose address is in a domain (in small letters)."""
        theirs = func.lower(SECRET.c.value).endswith(f"@{domain}", autoescape=True)
        seats = select(SECRET.c.game, SECRET.c.value).where(text(IS_ADDRESS), theirs)
        found = self.database.read(seats.order_by(SECRET.c.game))
        usable = {*self.playable({row.game for row in found})}
        return [(row.game, row.value) for row in found if row.game in usable]

    def all_rules(self) -> dict[str, str]:
        """The rules of each game."""
        names = self.ids()
        self._learn(names)
        return {name: self._rules[name] for name in names if name in self._rules}

    def first_opened(self) -> datetime | None:
        """The time at which the first game was opened; None if there is none."""
        ((first,),) = self.database.read(select(func.min(EVENT.c.at)).where(EVENT.c.number == 0))
        return first and read_time(first)

    def due(self, at: datetime) -> list[str]:
        """The games whose clock has to act by a time, or may have to."""
        return self._games(STANDING.c.due <= write_time(at), _HAS_LOG)
