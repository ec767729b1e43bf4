"""The games of the player who looks, for whom alone they are put into a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.web.site.exhibits import exhibit
from referee.web.site.markup import markup_of, pages_version
from referee.web.site.people import names_in
from referee.web.site.site import HTML, Answered, Site, tag_of

MOST = 60
"""Maximum seats of a player that are shown, those that owe a move first."""


def me_page(site: Site) -> Answered:
    """The page for a player's games, the same for everybody: its script asks for what is the player's own."""
    return Answered(
        HTML, tag_of("me", pages_version(), site.url, site.name), lambda: markup_of(site, "me.html.jinja")
    )


def own_games(site: Site, player: Mapping[str, Any]) -> str:
    """The games of a player, as `Intake.look` has it, as cards; empty for a reader who is none."""
    at, found = site.now(), []
    for game, side in player["seats"][:MOST]:
        table = site.desk.table(game)
        found.append((exhibit(table.state, at, names_in(site, table)), side))
    return markup_of(site, "mine.html.jinja", player=player, seats=found).decode() if player["players"] else ""
