"""Three Crows in plain text and as a picture; every player sees the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

from referee.plugin import Circle, Event, Group, Label, Paint, Point, Scene, Shape
from referee_crows.position import ROUNDS, TREES, CrowsPosition, Landed

SIZE = 400.0
PAINTS = {
    "tree": Paint(fill=("#dcefdc", "#203320"), stroke=("#2e6b2e", "#81c995"), width=2),
    "amber": Paint(fill=("#ffd27f", "#8a5a00")),
    "jade": Paint(fill=("#a8e6cf", "#0b6b4f")),
    "violet": Paint(fill=("#d7c4f2", "#5b3a8c")),
    "label": Paint(fill=("#1b1b1b", "#ffffff")),
}


def board(position: CrowsPosition, *, view: str, unicode: bool, events: tuple[Event, ...]) -> list[str]:
    """The trees in a row, their nuts, and each crow's letter; tree 12 stands beside tree 1."""
    trees, crows = range(1, TREES + 1), position.perches.items()
    letters = ["".join(side[0].upper() for side, at in crows if at == tree) for tree in trees]
    rows = {"tree": trees, "nuts": position.nuts, "crow": letters}
    return [heading + "".join(f"{cell!s:>5}" for cell in cells) for heading, cells in rows.items()]


def standing(position: CrowsPosition) -> list[tuple[str, str]]:
    """The round."""
    return [("round", f"{min(position.round, ROUNDS)} of {ROUNDS}")]


def sentence(event: Event) -> str:
    """An event in words."""
    assert isinstance(event, Landed)
    if len(event.sides) > 1:
        return f"{' and '.join(event.sides)} met on tree {event.tree} and took nothing"
    return f"{event.sides[0]} {'took a nut' if event.nut else 'found no nut'} on tree {event.tree}"


def scene(position: CrowsPosition, *, view: str, events: tuple[Event, ...] = ()) -> Scene:
    """The ring of trees, clockwise from the top, and the crows outside it; what happened is told in words."""
    nuts = ", ".join(map(str, position.nuts))
    places = ", ".join(f"{side} on tree {tree}" for side, tree in position.perches.items())
    said = "; ".join((f"nuts on trees 1 to {TREES}: {nuts}", places, *map(sentence, events)))
    trees = (_disc(_at(tree, 110), 22, str(left), "tree") for tree, left in enumerate(position.nuts, 1))
    flock = enumerate(position.perches.items(), 8)
    crows = (_disc(_at(tree, 18 * place), 10, side[0].upper(), side) for place, (side, tree) in flock)
    shapes = Group(("trees",), tuple(chain(*trees))), *(Group(("piece",), tuple(crow)) for crow in crows)
    return Scene(SIZE, SIZE, "Three Crows", said, shapes, PAINTS)


def _at(tree: int, radius: float) -> Point:
    angle = math.tau * (tree - 1) / TREES
    return SIZE / 2 + radius * math.sin(angle), SIZE / 2 - radius * math.cos(angle)


def _disc(centre: Point, radius: float, text: str, name: str) -> Iterator[Shape]:
    yield Circle(centre, radius, (name,))
    yield Label(centre, text, radius, ("label",))
