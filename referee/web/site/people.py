"""Different names for players of the same name: the first one has it alone, the next one is `Zoe (2)`.

Players keep their number, even if they or others give up a seat.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from referee.desk.log import events
from referee.desk.service import Table
from referee.web.site.exhibits import public_name
from referee.web.site.site import Site

_NUMBERED = re.compile(r"(?P<name>.+) \(\d+\)", re.DOTALL)


class _Seat(NamedTuple):
    """A seat whose player has agreed to the game: their public name, and their address in small letters."""

    side: str
    name: str
    address: str


def names_in(site: Site, table: Table) -> Mapping[str, str | None]:
    """The players of a game by side, with their names on pages, or None without a public name.

    Different players have different registered addresses, which are not shown.
    """
    known = {seat.side: _called(site, seat) for seat in _seats_of(table)}
    return {side: known.get(side, public_name(table.state, side)) for side in table.state.position.sides}


def games_of(site: Site, called: str) -> set[str]:
    """The games that may have a player with this name on pages."""
    found = _NUMBERED.fullmatch(called)
    naming = site.desk.catalogue.games_naming
    return naming(called) | (naming(found["name"]) if found else set())


def _called(site: Site, seat: _Seat) -> str:
    # Others may have a name once the number of games of a phase has changed.
    numbers = _numbers(site, seat.name, tuple(site.desk.catalogue.numbers().values()))
    if seat.address not in numbers:  # a seat has changed hands since
        numbers = _numbers.__wrapped__(site, seat.name, ())
    number = numbers.get(seat.address, 1)
    return f"{seat.name} ({number})" if number > 1 or _NUMBERED.fullmatch(seat.name) else seat.name


@lru_cache(maxsize=2_000)
def _numbers(site: Site, name: str, _moment: tuple[int, ...]) -> Mapping[str, int]:
    """The numbers of all who have played under a name, by address, stored once they have been shown."""
    return site.desk.people.numbered(name, _people(site, name))


def _people(site: Site, name: str) -> tuple[str, ...]:
    games = site.desk.catalogue.last_numbers(site.desk.catalogue.games_naming(name))
    mine = [
        (game, number, seat)
        for game, number in games.items()
        for seat in _seats(site, game, number)
        if seat.name == name
    ]
    if len({seat.address for *_, seat in mine}) < 2:
        return tuple({seat.address for *_, seat in mine})
    since = sorted((_since(site, game, number, seat.side), seat.address) for game, number, seat in mine)
    return tuple(dict.fromkeys(address for _, address in since))


@lru_cache(maxsize=20_000)
def _seats(site: Site, game: str, _number: int) -> tuple[_Seat, ...]:
    return _seats_of(site.desk.table(game))


def _seats_of(table: Table) -> tuple[_Seat, ...]:
    state = table.state
    named = ((side, public_name(state, side)) for side in state.position.sides if side not in state.engine_sides)
    return tuple(
        _Seat(side, name, address.lower()) for side, name in named if name and (address := table.address(side))
    )


@lru_cache(maxsize=20_000)
def _since(site: Site, game: str, _number: int, side: str) -> datetime:
    """The time when the player of a side took the seat."""
    log = site.desk.log(game)
    taken = [
        one.at for one in log if isinstance(one.event, events.Joined | events.Replaced) and one.event.side == side
    ]
    return taken[-1] if taken else log[0].at
