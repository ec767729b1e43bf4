"""Different names for players of the same name: the first one has it alone, the next one is `Zoe (2)`.

A number is given with a seat. Players keep it, even if they or others give up a seat.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from referee.desk import Table
from referee.desk.glances import people_in, public_name
from referee.web.site.exhibits import Exhibit, exhibit
from referee.web.site.site import Site

_NUMBERED = re.compile(r"(?P<name>.+) \(\d+\)", re.DOTALL)


def names_in(site: Site, table: Table) -> Mapping[str, str | None]:
    """The players of a game by side, with their names on pages, or None without a public name."""
    state = table.state
    numbered = {side: _numbered(site, name, address) for side, name, address in people_in(state, table.secrets)}
    return {side: numbered.get(side, public_name(state, side)) for side in state.position.sides}


def exhibit_of(site: Site, table: Table) -> Exhibit:
    """The public part of a game now."""
    return exhibit(table.state, site.now(), names_in(site, table))


def games_of(site: Site, called: str) -> set[str]:
    """The games that may have a player with this name on pages."""
    found = _NUMBERED.fullmatch(called)
    naming = site.desk.catalogue.games_naming
    return naming(called) | (naming(found["name"]) if found else set())


@lru_cache(maxsize=20_000)
def _numbered(site: Site, name: str, address: str) -> str:
    """A name with its player's number, if that is not 1, or the name looks like one with a number."""
    number = site.desk.people.number(name, address)
    return f"{name} ({number})" if number > 1 or _NUMBERED.fullmatch(name) else name
