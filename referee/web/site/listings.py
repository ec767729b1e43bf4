"""The lists of games: on the first page, of one phase, of one player, and of the player who looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from referee.desk.glances import Phase
from referee.game import is_text
from referee.web.site.exhibits import Exhibit, exhibit_of, games_of, names_in
from referee.web.site.lessons import game_cards
from referee.web.site.markup import markup_of, page_of
from referee.web.site.site import Answered, MissingPageError, Site
from referee.web.site.wishes import invitation_form, wish_form

FIRST_PAGE = 6
"""Maximum games of each phase on the first page."""

PAGE = 50
"""Maximum games on a page of a list."""

MOST_SEATS = 60
"""Maximum seats of a player that are shown, those that owe a move first."""

PHASES = {Phase.RUNNING: "Running", Phase.WAITING: "Waiting for a player", Phase.FINISHED: "Finished"}
"""The phases with lists, and their headings; games that never began have none."""


@dataclass(frozen=True, slots=True)
class ListSection:
    """A part of a list: its games, and the total number."""

    heading: str
    games: tuple[Exhibit, ...]
    total: int
    link: str


def first_page(site: Site) -> Answered:
    """The running, waiting and finished games, the last changed first."""
    catalogue = site.desk.catalogue
    numbers = catalogue.numbers()
    sections = {
        phase.value: ListSection(
            heading,
            _exhibits(site, catalogue.newest(phase, FIRST_PAGE)),
            numbers[phase],
            site.path("games", phase),
        )
        for phase, heading in PHASES.items()
    }
    watched = next(iter(sections[Phase.RUNNING].games), None)
    return page_of(
        site,
        "index.html.jinja",
        sections=sections,
        watched=watched,
        cards=game_cards(),
        form=wish_form(site),
        **invitation_form(),
    )


def phase_page(site: Site, phase: str, number: int) -> Answered:
    """A page of all games of a phase, counted from 1; MissingPageError if there is none."""
    if phase not in PHASES:
        raise MissingPageError("The list has no such page.")
    catalogue, of = site.desk.catalogue, ("games", phase)
    total = catalogue.numbers()[Phase(phase)]
    return _list(site, phase.capitalize(), of, number, total, lambda at: catalogue.newest(Phase(phase), PAGE, at))


def player_page(site: Site, name: str, number: int) -> Answered:
    """A page of the games of a player by their name on pages; MissingPageError if there is none."""
    wanted = games_of(site, name) if is_text(name) and "@" not in name else set()
    standings = site.desk.catalogue.standings(wanted) if wanted else ()
    found = [one for one in standings if one.phase is not Phase.NEVER_BEGUN]
    playing = [one.game for one in found if name in _names(site, one.game, one.number)]
    if not playing:
        raise MissingPageError("No player has this name here.")
    return _list(site, name, ("p", name), number, len(playing), lambda at: playing[at : at + PAGE])


def _list(
    site: Site, heading: str, of: tuple[str, str], number: int, total: int, games: Callable[[int], Sequence[str]]
) -> Answered:
    pages = max(1, -(-total // PAGE))
    if not 1 <= number <= pages:
        raise MissingPageError("The list has no such page.")
    section = ListSection(heading, _exhibits(site, games((number - 1) * PAGE)), total, "")
    return page_of(site, "list.html.jinja", section=section, page=number, pages=pages, of=of)


def own_games(site: Site, player: Mapping[str, Any]) -> str:
    """The games of a player, as `Intake.look` has it, as cards; empty for a reader who is none."""
    found = [(exhibit_of(site, site.desk.table(game)), side) for game, side in player["seats"][:MOST_SEATS]]
    return markup_of(site, "mine.html.jinja", player=player, seats=found).decode() if player["players"] else ""


def _exhibits(site: Site, names: Sequence[str]) -> tuple[Exhibit, ...]:
    return tuple(site.desk.catalogue.each(names, lambda name: exhibit_of(site, site.desk.table(name))))


@lru_cache(maxsize=20_000)
def _names(site: Site, game: str, _number: int) -> frozenset[str | None]:
    """The players of a game whose log has this many entries; cached for players with many games."""
    return frozenset(names_in(site, site.desk.table(game)).values())
