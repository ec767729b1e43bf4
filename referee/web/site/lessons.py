"""The pages that teach the games: a lesson of two minutes with pictures, how to write a move, and the rules."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from referee.draw import scene_of
from referee.draw.lessons import alt_of, cover_ply, shown_steps
from referee.draw.scenes.svg import scene_svg
from referee.draw.scenes.thumbnail import thumbnail
from referee.engine.levels import LEVELS
from referee.errors import PackageFault, RefereeError
from referee.notation.lesson import lesson_of
from referee.rules import Game, all_games, first_position, game_named, games, movers
from referee.terminal import counted
from referee.web.site.markup import markup_of, pages_version
from referee.web.site.site import HTML, Answered, MissingPageError, Site, tag_of

SMALL = "small"
"""The name of a game's picture in lists."""


class GameCard(NamedTuple):
    """A game in a list: what it is, in a sentence or two, and for whom."""

    name: str
    title: str
    short: str
    about: tuple[str, ...]


def game_cards() -> list[GameCard]:
    """All games that can be learned here, without games of other packages that fail."""
    found = []
    for game in games():
        with suppress(RefereeError, PackageFault):
            found.append(_card(game))
    return found


def lesson_page(site: Site, name: str) -> Answered:
    """The lesson of a game and its rules; MissingPageError if there is no such game."""
    game = _known(name)

    def made() -> bytes:
        lesson, begun = lesson_of(game, {}), first_position(game.name, {})
        side = next(iter(movers(begun)), None)
        return markup_of(
            site,
            "lesson.html.jinja",
            card=_card(game),
            lesson=lesson,
            steps=[(step, alt_of(ply)) for step, ply in shown_steps(game)],
            examples=lesson.examples(begun, side) if side else [None] * len(lesson.forms),
            engines=site.engines and game.engine,
            easiest=LEVELS[0],
        )

    return Answered(HTML, tag_of("lesson", pages_version(), site.url, site.name, bool(site.engines), name), made)


def lesson_picture(name: str, picture: str) -> Answered:
    """The picture of a step as SVG, or that of a game in lists; MissingPageError if there is none."""
    game = _known(name)
    plies = {SMALL: cover_ply(game)} | {str(number): ply for number, (_, ply) in enumerate(shown_steps(game), 1)}
    if picture not in plies:
        raise MissingPageError("There is no such picture.")

    def drawn() -> bytes:
        scene = scene_of(plies[picture], plies[picture].position.sides[0])
        return (thumbnail(scene) if picture == SMALL else scene_svg(scene)).encode()

    return Answered("image/svg+xml", tag_of("lesson", pages_version(), name, picture), drawn)


def _known(name: str) -> Game:
    if name not in all_games():
        raise MissingPageError("There is no such game here.")
    return game_named(name)


def _card(game: Game) -> GameCard:
    begun, lesson = first_position(game.name, {}), lesson_of(game, {})
    about = (
        f"{len(game.sides)} players, one team" if game.scored else counted(len(game.sides), "player", "players"),
        "all move at once" if len(begun.to_move) > 1 else "in turn",
    )
    first = next(iter(lesson.aim), "").split(". ")[0].rstrip(".")
    return GameCard(game.name, game.title, lesson.short or (first and f"{first}."), about)
