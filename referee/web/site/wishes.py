"""The pages for a game with engines or friends, which make the line of a letter and open no game themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from referee.engine import LEVELS, usual_level
from referee.engine.levels import level_of
from referee.errors import OptionError, RefereeError
from referee.rules import Game, all_games, game_named, games
from referee.rules.description import FLIP, value_names
from referee.web.site.markup import page_of
from referee.web.site.site import Answered, EngineOffer, MissingPageError, Site, letter_link

TIMES = (("", "The usual time of this desk"), *((str(days), f"{days} days a move") for days in (3, 7, 14)))
"""The times a move in the form of an invitation, and their words."""

OPTION = "option-"
"""The prefix of an option's name in the address."""


@dataclass(frozen=True, slots=True)
class EngineWish:
    """The wish for a game with engines; `side` is empty for a random side."""

    game: str
    level: int
    side: str
    options: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """The line of a letter that opens this game."""
        engines = "engine" if len(game_named(self.game).sides) == 2 else "engines"
        side = [f"as {self.side}"] if self.side else []
        options = (f"{name} {value}" for name, value in self.options)
        return ", ".join((f"new {self.game} with {engines}:{self.level}", *side, *options))

    @property
    def faults(self) -> list[str]:
        """The faults of options that do not go together."""
        try:
            game_named(self.game).start({name: value for name, value in self.options if value != FLIP})
        except OptionError as error:
            return [text for _, text in error.faults]
        return []


@dataclass(frozen=True, slots=True)
class WishOption:
    """An option of a game in the form, its values, and the usual one; empty if that has no name."""

    name: str
    says: str
    values: Sequence[str]
    usual: str
    chosen: str


def games_with_engines() -> list[Game]:
    """The games that engines play here."""
    return [game for game in games() if game.engine]


def wish_of(offer: EngineOffer, asked: Mapping[str, str]) -> EngineWish:
    """The wish in a form, without the options of another game; MissingPageError if the form cannot give it."""
    games = {game.name: game for game in games_with_engines()}
    game = games.get(asked.get("game", next(iter(games))))
    side = asked.get("side", "")
    try:
        level = level_of(asked.get("level", usual_level(offer.level))).number
    except RefereeError:
        raise MissingPageError("There is no such level.") from None
    if game is None or level > offer.level:
        raise MissingPageError("There is no such page.")
    named = {name.removeprefix(OPTION): value for name, value in asked.items() if name.startswith(OPTION)}
    options = tuple(
        (one.name, value)
        for one in _options(game, named)
        if (value := named.get(one.name, "")) in one.values and value != one.usual
    )
    return EngineWish(game.name, level, side if side in game.sides else "", options)


def wish_page(site: Site, asked: Mapping[str, str]) -> Answered:
    """The page with the form, and with the line that it makes; MissingPageError on a desk without that."""
    offer = site.engines
    if offer is None:
        raise MissingPageError("This desk offers no games with engines here.")
    wish = wish_of(offer, asked)
    game = game_named(wish.game)
    return page_of(
        site,
        "wish.html.jinja",
        heading="Play now, against an engine",
        wish=wish,
        line=str(wish),
        letter=letter_link(offer.mailbox, str(wish)),
        mailbox=offer.mailbox,
        open=offer.open,
        faults=wish.faults,
        sides=game.sides,
        options=[*_options(game, dict(wish.options))],
        form=wish_form(site),
        sees=game.secret is not None,
    )


def invitation_page(site: Site, asked: Mapping[str, str]) -> Answered:
    """The page with the line that invites a friend, whose address is not sent here; MissingPageError without that."""
    game, days = asked.get("game", games()[0].name), asked.get("days", "")
    if not site.invites or game not in all_games() or days not in dict(TIMES):
        raise MissingPageError("There is no such page.")
    rest = f", days {days}" if days else ""
    line = f"new {game} with ADDRESS{rest}"
    return page_of(
        site,
        "wish.html.jinja",
        heading="Play with a friend",
        wish=None,
        line=line,
        letter=letter_link(site.invites, line),
        anyone=letter_link(site.invites, f"new {game}{rest}"),
        mailbox=site.invites,
        faults=[],
        options=[],
        game=game,
        days=days,
        **invitation_form(),
    )


def invitation_form() -> Mapping[str, object]:
    """The content of the form for an invitation: games by name with their titles, and times a move."""
    return {"titles": [(game.name, game.title) for game in games()], "times": TIMES}


def wish_form(site: Site) -> Mapping[str, object] | None:
    """The content of the form: games by name with their titles, and levels; None on a desk without it."""
    if site.engines is None:
        return None
    return {
        "games": [(game.name, game.title) for game in games_with_engines()],
        "levels": [(level.number, f"{level.number} · {level.name}") for level in LEVELS[: site.engines.level]],
        "level": usual_level(site.engines.level),
    }


def _options(game: Game, chosen: Mapping[str, str]) -> Iterator[WishOption]:
    """The options that the players decide, and that a letter can name in a word."""
    for one in game.options:
        values = (*value_names(one), *((FLIP,) if game.takes_flip(one) else ()))
        if values and game.secret is None:
            usual = one.default if one.default in values else ""
            yield WishOption(one.name, one.says, values, str(usual), chosen.get(one.name, str(usual)))
