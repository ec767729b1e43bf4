"""The HTML record of a game: one file that opens from disk, needs no network, and tells the essential without script.

The page has all words as text, and the picture of the last ply. The script draws the other pictures from the
gallery's table of elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote

from referee.draw import drawing
from referee.draw.chart import chart, step
from referee.draw.gallery import Gallery
from referee.draw.html import html_page, switch_rules, switches, template_text
from referee.draw.scene import Scene
from referee.draw.svg import printable, scene_svg, stylesheet
from referee.game import AnnotatedMove, GameFile, Ply, Round
from referee.game.dumper import dumps
from referee.rules import Event, Outcome, Position


def page(game: GameFile) -> str:
    """The record of a game as an HTML page, without the players' addresses.

    Raises:
        FileError: a move of the game is refused.
        RefereeError: `missing-extra`, without jinja2.
    """
    steps = [_step(game, ply) for ply in (None, *game.replay())]
    gallery = Gallery()
    views = _views(game, steps, gallery)
    pictures = dict(_pictures(game, steps, next(iter(views))))
    switched = switches(pictures["board"])
    style = "\n\n".join(
        (
            *map(template_text, ("page.css", "record.css")),
            f":root {{\n  --moves: {game.description.moves_per_round};\n}}",
            *switch_rules(switched),
        )
    )
    text = dumps(_without_addresses(game))
    return html_page(
        "record.html.jinja",
        script="\n".join(map(template_text, ("board.js", "record.js"))),
        sheets=[style, *(stylesheet(scene, name=name) for name, scene in pictures.items()), *sorted(gallery.styles)],
        data={"nodes": gallery.nodes, "views": views, "step": step(len(steps) - 1)},
        game=game,
        seats=game.description.sides,
        steps=steps,
        last=steps[-1],
        rounds=list(_rounds(game, steps)),
        views=list(views),
        switches=switched,
        pictures={name: scene_svg(scene, name=name) for name, scene in pictures.items()},
        text=text,
        download=f"data:text/yaml;charset=utf-8,{quote(printable(text))}",
        file=f"{_file_name(game)}.yaml",
    )


@dataclass(frozen=True)
class Step:
    """A ply as the page shows it; the start has the number 0."""

    number: int
    round: int
    noted: Mapping[str, AnnotatedMove]
    position: Position
    outcome: Outcome | None
    events: tuple[Event, ...]
    changes: tuple[str, ...]
    standing: tuple[tuple[str, str], ...]

    @property
    def score(self) -> Mapping[str, int]:
        """The points of every side or team that has a score."""
        return self.outcome.score if self.outcome else self.position.score

    @property
    def due(self) -> list[str]:
        """The sides to move next."""
        return [] if self.outcome else [side for side in self.position.sides if side in self.position.to_move]


def _step(game: GameFile, ply: Ply | None) -> Step:
    draw = drawing(game.game)
    if ply is None:
        position = game.start()
        outcome = position.outcome if game.rounds else game.outcome_at(position)
        return Step(0, 0, {}, position, outcome, (), (), tuple(draw.standing(position)))
    events = ply.events
    changes, standing = tuple(map(draw.sentence, events)), tuple(draw.standing(ply.position))
    return Step(ply.number, ply.round, ply.annotated, ply.position, ply.outcome, events, changes, standing)


def _scene(game: GameFile, one: Step, view: str) -> Scene:
    return drawing(game.game).scene(one.position, view=view, events=one.events)


def _views(game: GameFile, steps: list[Step], gallery: Gallery) -> dict[str, list[int]]:
    """The pictures of all steps as each side sees them; a side that sees what another one sees is left out."""
    views: dict[str, list[int]] = {}
    for side in game.description.sides:
        pictures = [gallery.hang(_scene(game, one, side)) for one in steps]
        if pictures not in views.values():
            views[side] = pictures
    return views


def _pictures(game: GameFile, steps: list[Step], view: str) -> Iterator[tuple[str, Scene]]:
    """The pictures in the page by name: the last board, and the score where points are counted on the way."""
    yield "board", _scene(game, steps[-1], view)
    scores = [one.score for one in steps]
    if any(any(score.values()) for score in scores[:-1]):
        yield "chart", chart(scores)


def _rounds(game: GameFile, steps: list[Step]) -> Iterator[tuple[Round, list[Step]]]:
    """The rounds of the move list with their plies."""
    for number, written in enumerate(game.rounds, 1):
        yield written, [one for one in steps if one.round == number]


def _without_addresses(game: GameFile) -> GameFile:
    return replace(game, players={side: replace(player, email=None) for side, player in game.players.items()})


def _file_name(game: GameFile) -> str:
    """A name for the game's file that is allowed on any system."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", game.id or "").strip(".-") or game.game
