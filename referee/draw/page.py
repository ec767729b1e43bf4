"""The HTML record of a game: one file that opens from disk and needs no network.

Without script the page has all words, and the picture of the last ply. The script draws the other pictures from the
gallery's table of elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

from referee.draw import drawing, scene_of
from referee.draw.html import html_page, inline_picture, switch_rules, switches, template_text
from referee.draw.scenes.chart import chart, step
from referee.draw.scenes.gallery import Gallery
from referee.draw.scenes.scene import Scene
from referee.draw.scenes.svg import printable, scene_svg, stylesheet
from referee.draw.scenes.value_curve import meaning, value_curve
from referee.draw.text import ending_text, score_after
from referee.draw.words import capital
from referee.game import GameFile, Ply
from referee.game.file.dumper import game_text
from referee.game.file.gamefile import without_addresses, zeroth_ply
from referee.game.valuations import notable, opinions, remarks
from referee.rules import movers


def page(game: GameFile) -> str:
    """The record of a game as an HTML page, without the players' addresses.

    Raises:
        FileError: a move of the game is refused.
        RefereeError: `missing-extra`, without jinja2.
    """
    steps = [_step(ply) for ply in (zeroth_ply(game), *game.replay())]
    gallery = Gallery()
    views = _views(game, steps, gallery)
    pictures = dict(_pictures(steps, next(iter(views))))
    switched = switches(pictures["board"])
    columns = f":root {{\n  --moves: {game.description.moves_per_round};\n}}"
    style = "\n\n".join((*map(template_text, ("page.css", "record.css")), columns, *switch_rules(switched)))
    # A name for the game's file that is allowed on any system.
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", game.id or "").strip(".-") or game.game
    text = game_text(without_addresses(game))
    return html_page(
        "record.html.jinja",
        script="\n".join(map(template_text, ("board.js", "record.js"))),
        sheets=[style, *(stylesheet(scene, name=name) for name, scene in pictures.items()), *sorted(gallery.styles)],
        data={"nodes": gallery.nodes, "views": views, "step": step(len(steps) - 1)},
        game=game,
        seats=game.description.sides,
        steps=steps,
        last=steps[-1],
        rounds=[(one, [step for step in steps if step.ply.round == n]) for n, one in enumerate(game.rounds, 1)],
        views=list(views),
        switches=switched,
        remarks=partial(remarks, game=game.game),
        notable=partial(notable, game=game.game),
        meaning=meaning(game.description),
        ending=ending_text,
        capital=capital,
        pictures={name: inline_picture(scene_svg(scene, name=name)) for name, scene in pictures.items()},
        text=text,
        download=f"data:text/yaml;charset=utf-8,{quote(printable(text))}",
        file=f"{name}.yaml",
    )


class Step(NamedTuple):
    """A ply as the page shows it, in words; `opinions` are those of an engine."""

    ply: Ply
    changes: list[str]
    score: Mapping[str, int]
    due: tuple[str, ...]
    standing: list[tuple[str, str]]
    opinions: list[tuple[str, str]]


def _step(ply: Ply) -> Step:
    draw = drawing(ply.position.game)
    due = () if ply.outcome else movers(ply.position)
    changes = [*map(draw.sentence, ply.events)]
    return Step(ply, changes, score_after(ply), due, draw.standing(ply.position), opinions(ply))


def _views(game: GameFile, steps: list[Step], gallery: Gallery) -> dict[str, list[int]]:
    """The pictures of all steps as each side sees them, without sides that see the same as another."""
    views: dict[str, list[int]] = {}
    for side in game.description.sides:
        pictures = [gallery.hang(scene_of(one.ply, side)) for one in steps]
        if pictures not in views.values():
            views[side] = pictures
    return views


def _pictures(steps: list[Step], view: str) -> Iterator[tuple[str, Scene]]:
    """The pictures in the page by name: the last board, the score if it changes during the game, and values."""
    yield "board", scene_of(steps[-1].ply, view)
    scores = [one.score for one in steps]
    if any(any(score.values()) for score in scores[:-1]):
        yield "chart", chart(scores)
    if (values := value_curve([one.ply for one in steps])) is not None:
        yield "values", values
