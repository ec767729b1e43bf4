"""How many engines people may have who ask for them by letter."""

from __future__ import annotations

from referee.desk.law.engine_seats import EngineSeats
from referee.errors import Refusal
from referee.mail.addresses import person, small
from referee.mail.handlers.responses import say
from referee.mail.office import Office


def expect_engines_free(office: Office, address: str, engines: EngineSeats) -> None:
    """Refuse engines of which there are none at this desk, or more than a person may have at a time.

    Raises:
        RefereeError: `no-engines`, `level` or `engine-limit`.
    """
    allowed = office.settings.engines
    if not engines:
        return
    if not allowed.cores:
        raise Refusal("no-engines", say("no-engines"))
    if max(engines.values()) > allowed.level:
        raise Refusal("level", say("engine-level", level=allowed.level))
    states = map(office.desk.state, _games_of_person(office, address))
    if sum(state.closed is None and bool(state.engine_sides) for state in states) >= allowed.each:
        raise Refusal("engine-limit", say("limit-engines", number=allowed.each))


def _games_of_person(office: Office, address: str) -> set[str]:
    """The games of all addresses that are this person's, as limits count them."""
    seats = office.desk.catalogue.seats_in(small(address).rpartition("@")[2])
    theirs = {small(one) for _, one in seats if person(one) == person(address)}
    return {game for one in theirs for game in office.desk.catalogue.games_of(one)}
