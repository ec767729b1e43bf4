"""Names of people in games to come: as they wish, as their letters say, or by their addresses."""

from __future__ import annotations

from collections.abc import Iterator

from referee.mail.addresses import person, small
from referee.mail.handlers.seat_names import UNNAMED, is_wish, look_alike, seat_name
from referee.mail.intake.requests import NAME
from referee.mail.office import Office


def name_of_sender(office: Office, address: str, written: str) -> str:
    """The name of a player who writes a letter; `written` is the name in its From."""
    return _wish(office, address) or seat_name(written, address, office.settings.name, UNNAMED)


def name_of_invited(office: Office, address: str) -> str:
    """The name of an invited player; who invites an address must not learn by that under which name it plays here."""
    return _wish(office, address) or seat_name("", address, office.settings.name)


def can_be_called(office: Office, address: str, name: str) -> bool:
    """True if a player can choose a name: it looks like none of the desk, its host, an engine or another player."""
    if not is_wish(name, office.settings.name):
        return False
    host = office.settings.host
    if host is not None and person(host) != person(address) and look_alike(name, host.partition("@")[0]):
        return False
    return not any(person(other) != person(address) for other in _namesakes(office, name))


def _wish(office: Office, address: str) -> str:
    """The name that a player has chosen; empty if there is none, or if the desk has that name by now."""
    chosen = office.desk.people.preferences(small(address)).get(NAME, "")
    return chosen if is_wish(chosen, office.settings.name) else ""


def _namesakes(office: Office, name: str) -> Iterator[str]:
    """The addresses of all who have chosen a name that looks like this one, or play under it in a running game."""
    yield from (address for address, chosen in office.desk.people.chosen(NAME) if look_alike(name, chosen))
    for glance in office.desk.games.glances(running=True):
        for side, seat in glance.seats.items():
            if seat.player is not None and look_alike(name, seat.player):
                yield office.desk.table(glance.id).address(side)
