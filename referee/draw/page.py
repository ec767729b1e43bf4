"""The HTML record of a game: one file that opens from disk and needs no network.

Without script the page has all words, and the picture of the last ply. The script draws the other pictures from the
gallery's table of elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple
from urllib.parse import quote

from referee.draw import drawing, scene_of
from referee.draw.html import html_page, inline_picture, switch_rules, switches, template_text
from referee.draw.scenes.chart import chart, meaning, step, value_curve
from referee.draw.scenes.gallery import Gallery
from referee.draw.scenes.scene import Scene
from referee.draw.scenes.svg import printable, scene_svg, stylesheet
from referee.draw.text import diagram_in, ending_text, own_plies, score_after
from referee.draw.words import capital
from referee.game import GameFile, Ply, game_text, without_addresses, zeroth_ply
from referee.game.valuations import notable, opinions, remarks
from referee.rules import Event, movers


def page(game: GameFile) -> str:
    """The record of a game as an HTML page, without the players' addresses.

    Raises:
        FileError: a move of the game is refused.
        RefereeError: `missing-extra`, without jinja2.
    """
    steps = [_step(ply, ply.number) for ply in (zeroth_ply(game), *game.plies)]
    shown, before = [*steps], [*range(-1, len(steps) - 1)]
    lines = [_line(one, [*range(len(steps))], shown, before) for one in game.lines]
    gallery = Gallery()
    views = _views(game, shown, gallery)
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
        data={"nodes": gallery.nodes, "views": views, "step": step(len(steps) - 1), "before": before},
        game=game,
        seats=game.description.sides,
        steps=shown,
        last=steps[-1],
        rounds=[
            (
                one,
                [step for step in steps if step.ply.round == number],
                [line for line in lines if line.round == number],
            )
            for number, one in enumerate(game.rounds, 1)
        ],
        later=[line for line in lines if line.round > len(game.rounds)],
        views=list(views),
        switches=switched,
        remarks=partial(remarks, game=game.game),
        notable=partial(notable, game=game.game),
        plain=_plain,
        meaning=meaning(game.description),
        ending=ending_text,
        capital=capital,
        pictures={name: inline_picture(scene_svg(scene, name=name)) for name, scene in pictures.items()},
        text=text,
        download=f"data:text/yaml;charset=utf-8,{quote(printable(text))}",
        file=f"{name}.yaml",
    )


def _plain(comments: Iterable[str]) -> Iterator[str]:
    """Comments; of those that ask for a board, which the page has anyway, their captions."""
    captions = ((diagram_in(one), one) for one in comments)
    return (text for caption, one in captions if (text := one if caption is None else caption))


class PagePly(NamedTuple):
    """A ply as the page shows it, in words; `opinions` are those of an engine.

    `number` is that of its article: the ply's in the game, and a higher one in a variation.
    """

    ply: Ply
    number: int
    events: tuple[Event, ...]
    changes: list[str]
    score: Mapping[str, int]
    due: tuple[str, ...]
    standing: list[tuple[str, str]]
    opinions: list[tuple[str, str]]


class Line(NamedTuple):
    """A variation as the page shows it, from a round on; each step has its number and the comments before it."""

    round: int
    steps: list[tuple[str, tuple[str, ...], PagePly]]
    comments: tuple[str, ...]
    lines: list[Line]


def _line(game: GameFile, path: list[int], shown: list[PagePly], before: list[int]) -> Line:
    """A variation, whose steps are added to those shown; `path` has the numbers of those that lead to it."""
    assert game.branch is not None
    path, steps = path[: game.first_own_ply], list[tuple[str, tuple[str, ...], PagePly]]()
    for label, comments, ply in own_plies(game):
        steps.append((label, comments, made := _step(ply, len(shown))))
        shown.append(made)
        before.append(path[-1])
        path.append(made.number)
    inner = [_line(one, path, shown, before) for one in game.lines]
    return Line(game.branch.round, steps, game.trailing_comments, inner)


def _step(ply: Ply, number: int) -> PagePly:
    draw = drawing(ply.position.game)
    due = () if ply.outcome else movers(ply.position)
    events = ply.events  # found out by comparing two positions, so only once
    changes = [*map(draw.sentence, events)]
    return PagePly(ply, number, events, changes, score_after(ply), due, draw.standing(ply.position), opinions(ply))


def _views(game: GameFile, steps: list[PagePly], gallery: Gallery) -> dict[str, list[int]]:
    """The pictures of all steps as each side sees them, without sides that see the same as another."""
    pictures: dict[str, list[int]] = {side: [] for side in game.description.sides}
    draw = drawing(game.game)
    for one in steps:
        for side, views in pictures.items():
            views.append(gallery.hang(draw.scene(one.ply.position, view=side, events=one.events)))
    different = {tuple(views): side for side, views in reversed(pictures.items())}
    return {side: views for side, views in pictures.items() if side in different.values()}


def _pictures(steps: list[PagePly], view: str) -> Iterator[tuple[str, Scene]]:
    """The pictures in the page by name: the last board, the score if it changes during the game, and values."""
    yield "board", scene_of(steps[-1].ply, view)
    scores = [one.score for one in steps]
    if any(any(score.values()) for score in scores[:-1]):
        yield "chart", chart(scores)
    if (values := value_curve([one.ply for one in steps])) is not None:
        yield "values", values
