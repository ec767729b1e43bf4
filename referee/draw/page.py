"""The HTML record of a game: one file that opens from disk, needs no network, and tells the essential without script.

The page has all words as text, and the picture of the last ply. The script draws the other pictures from the
gallery's table of elements.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from xml.etree.ElementTree import Element

from referee.draw import drawing
from referee.draw.chart import chart, step
from referee.draw.scene import Group, Scene, Shape
from referee.draw.svg import element, frame, printable, scene_svg, stylesheet
from referee.draw.text import score_after
from referee.extras import extra
from referee.game import GameFile, Ply
from referee.game.dumper import dumps
from referee.game.gamefile import without_addresses, zeroth_ply
from referee.rules import Event, movers

_TEMPLATES = Path(__file__).parent / "templates"


def page(game: GameFile) -> str:
    """The record of a game as an HTML page, without the players' addresses.

    Raises:
        FileError: a move of the game is refused.
        RefereeError: `missing-extra`, without jinja2.
    """
    jinja, markup = extra("jinja2", "pictures"), extra("markupsafe", "pictures").Markup
    loader = jinja.FileSystemLoader(_TEMPLATES)
    environment = jinja.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, loader=loader)
    steps = [_step(ply) for ply in (zeroth_ply(game), *game.replay())]
    gallery = Gallery()
    views = _views(game, steps, gallery)
    pictures = dict(_pictures(steps, next(iter(views))))
    script, style = ((_TEMPLATES / name).read_text(encoding="utf-8") for name in ("record.js", "record.css"))
    groups = (shape for shape in pictures["board"].shapes if isinstance(shape, Group) and shape.switch)
    switches = {group.classes[0]: group.switch for group in groups}  # what a reader can switch off
    style += f"\n\n:root {{\n  --moves: {game.description.moves_per_round};\n}}"
    style += "".join(f"\n\nbody:has(#{name}:not(:checked)) svg .{name} {{\n  display: none;\n}}" for name in switches)
    sheets = [style, *(stylesheet(scene, name=name) for name, scene in pictures.items()), *sorted(gallery.styles)]
    table = {"nodes": gallery.nodes, "views": views, "step": step(len(steps) - 1)}
    # No text in it can close the script element.
    data = json.dumps(table, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    # A name for the game's file that is allowed on any system.
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", game.id or "").strip(".-") or game.game
    text = dumps(without_addresses(game))
    html: str = environment.get_template("record.html.jinja").render(
        game=game,
        seats=game.description.sides,
        steps=steps,
        last=steps[-1],
        rounds=[(one, [step for step in steps if step.ply.round == n]) for n, one in enumerate(game.rounds, 1)],
        views=list(views),
        switches=switches,
        pictures={name: markup(scene_svg(scene, name=name)) for name, scene in pictures.items()},
        policy=_policy([script], sheets),
        script=markup(script),
        style=markup(style),
        data=markup(data),
        text=text,
        download=f"data:text/yaml;charset=utf-8,{quote(printable(text))}",
        file=f"{name}.yaml",
    )
    return printable(html)


class _Node(NamedTuple):
    """An element; `children` are the numbers of earlier nodes."""

    name: str
    attributes: dict[str, str]
    text: str
    children: tuple[int, ...]


class Gallery:
    """Many pictures of one game as a table of elements; equal elements share an entry."""

    def __init__(self) -> None:
        self.nodes: list[_Node] = []
        self._numbers: dict[str, int] = {}
        self._shapes: dict[Shape, int] = {}

    def hang(self, scene: Scene) -> int:
        """The number of the root of a scene's picture, which is that of `scene_svg` without its style."""
        return self._number(frame(scene), map(self._shape, scene.shapes))

    @property
    def styles(self) -> set[str]:
        """The style attributes of the elements."""
        return {node.attributes["style"] for node in self.nodes if "style" in node.attributes}

    def _shape(self, shape: Shape) -> int:
        if shape not in self._shapes:
            inside = shape.shapes if isinstance(shape, Group) else ()
            self._shapes[shape] = self._number(element(shape), map(self._shape, inside))
        return self._shapes[shape]

    def _number(self, drawn: Element, inside: Iterable[int] = ()) -> int:
        """The number of an element with its own children and, after them, the nodes `inside`."""
        node = _Node(drawn.tag, drawn.attrib, drawn.text or "", (*map(self._number, drawn), *inside))
        number = self._numbers.setdefault(repr(node), len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number


class Step(NamedTuple):
    """A ply as the page shows it, in words: what it changed, the score, who is to move, and the rest."""

    ply: Ply
    events: tuple[Event, ...]
    changes: list[str]
    score: Mapping[str, int]
    due: tuple[str, ...]
    standing: list[tuple[str, str]]


def _step(ply: Ply) -> Step:
    draw, events = drawing(ply.position.game), ply.events
    due = () if ply.outcome else movers(ply.position)
    return Step(ply, events, [*map(draw.sentence, events)], score_after(ply), due, draw.standing(ply.position))


def _scene(step: Step, view: str) -> Scene:
    return drawing(step.ply.position.game).scene(step.ply.position, view=view, events=step.events)


def _views(game: GameFile, steps: list[Step], gallery: Gallery) -> dict[str, list[int]]:
    """The pictures of all steps as each side sees them; a side that sees what another one sees is left out."""
    views: dict[str, list[int]] = {}
    for side in game.description.sides:
        pictures = [gallery.hang(_scene(one, side)) for one in steps]
        if pictures not in views.values():
            views[side] = pictures
    return views


def _pictures(steps: list[Step], view: str) -> Iterator[tuple[str, Scene]]:
    """The pictures in the page by name: the last board, and the score where points are counted on the way."""
    yield "board", _scene(steps[-1], view)
    scores = [one.score for one in steps]
    if any(any(score.values()) for score in scores[:-1]):
        yield "chart", chart(scores)


def _policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """A content security policy that allows only these; style attributes need `unsafe-hashes`."""
    return (
        f"default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src {' '.join(map(_hash, scripts))}; style-src 'unsafe-hashes' {' '.join(map(_hash, styles))}"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
