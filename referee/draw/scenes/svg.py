"""A scene as SVG: self-contained, without script, styled by classes, on light and on dark paper."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import assert_never
from xml.etree import ElementTree

from referee.draw.scenes.scene import Circle, Group, Label, Paint, Point, Polygon, Polyline, Scene, Shape

NAMESPACE = "http://www.w3.org/2000/svg"
_FONTS = "Referee Sans, DejaVu Sans, Noto Sans, sans-serif"

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Box = tuple[float, float, float, float]
"""A part of a scene: left, top, width and height."""


def scene_svg(
    scene: Scene, *, paper: str = "both", name: str = "board", width: int | None = None, box: Box | None = None
) -> str:
    """The scene, or the part of it in a box, as an SVG document, `width` pixels wide or as wide as there is room.

    The paper is "light", "dark", or "both" to follow the reader's preference. The name makes the ids and classes of
    this picture different from those of others on the same page.
    """
    root = root_element(scene, name=name)
    if width is not None:
        root.set("width", str(width))
    if box is not None:
        root.set("viewBox", " ".join(map(_number, box)))
    ElementTree.SubElement(root, "style").text = stylesheet(scene, paper=paper, name=name)
    _add(root, scene.shapes)
    return ElementTree.tostring(root, encoding="unicode")


def root_element(scene: Scene, *, name: str = "board") -> ElementTree.Element:
    """The root of a scene's picture with the scene in words, still without style and shapes."""
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": NAMESPACE,
            "viewBox": f"0 0 {_number(scene.width)} {_number(scene.height)}",
            "class": f"scene {name}",
            "role": "img",
            "aria-labelledby": f"{name}-title {name}-description",
            "font-family": _FONTS,
        },
    )
    ElementTree.SubElement(root, "title", {"id": f"{name}-title"}).text = printable(scene.title)
    ElementTree.SubElement(root, "desc", {"id": f"{name}-description"}).text = printable(scene.description)
    return root


def printable(text: str) -> str:
    """A text with a replacement for each character that XML forbids."""
    return _UNPRINTABLE.sub("\ufffd", text)


def stylesheet(scene: Scene, *, paper: str = "both", name: str = "board") -> str:
    """The style rules of the scene's classes; the arguments are those of `scene_svg`."""
    rules = [
        f".{name} {{ fill: none; stroke-linecap: round; stroke-linejoin: round }}",
        f".{name} text {{ text-anchor: middle; dominant-baseline: central }}",
        *(f".{name} .{key} {{ {_declarations(one, int(paper == 'dark'))} }}" for key, one in scene.paints.items()),
    ]
    if paper == "both":
        coloured = {key: Paint(fill=one.fill, stroke=one.stroke) for key, one in scene.paints.items()}
        dark = [f"  .{name} .{key} {{ {_declarations(one, 1)} }}" for key, one in coloured.items() if one != Paint()]
        rules += ["@media screen and (prefers-color-scheme: dark) {", *dark, "}"]
    return "\n".join(rules)


def _declarations(paint: Paint, paper: int) -> str:
    opacity = None if paint.opacity is None else _number(paint.opacity)
    declared = {
        "fill": paint.fill and paint.fill[paper],
        "stroke": paint.stroke and paint.stroke[paper],
        "stroke-width": None if paint.width is None else _number(paint.width),
        "stroke-dasharray": None if paint.dash is None else " ".join(map(_number, paint.dash)) or "none",
        # Not "opacity", because a renderer would then put each shape on a layer as large as the picture.
        "fill-opacity": opacity,
        "stroke-opacity": opacity,
        "font-weight": None if paint.bold is None else ("bold" if paint.bold else "normal"),
    }
    return "; ".join(f"{key}: {value}" for key, value in declared.items() if value is not None)


def _add(parent: ElementTree.Element, shapes: tuple[Shape, ...]) -> None:
    for shape in shapes:
        parent.append(child := element(shape))
        if isinstance(shape, Group):
            _add(child, shape.shapes)


def element(shape: Shape) -> ElementTree.Element:
    """A shape as an element; a group has its title and none of its shapes yet."""
    attributes = {"class": " ".join(shape.classes)} if shape.classes else {}
    match shape:
        case Group():
            group = ElementTree.Element("g", attributes)
            if shape.title:
                ElementTree.SubElement(group, "title").text = printable(shape.title)
            return group
        case Polygon():
            return ElementTree.Element("polygon", {**attributes, "points": _points(shape.points)})
        case Polyline():
            width = {} if shape.width is None else {"style": f"stroke-width: {_number(shape.width)}"}
            return ElementTree.Element("polyline", {**attributes, **width, "points": _points(shape.points)})
        case Circle():
            x, y = map(_number, shape.centre)
            return ElementTree.Element("circle", {**attributes, "cx": x, "cy": y, "r": _number(shape.radius)})
        case Label():
            x, y = map(_number, shape.at)
            text = ElementTree.Element("text", {**attributes, "x": x, "y": y, "font-size": _number(shape.size)})
            text.text = printable(shape.text)
            return text
        case _:
            assert_never(shape)


# Cached, because cells, coins and labels are the same in every picture.
@lru_cache(maxsize=4096)
def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


@lru_cache(maxsize=4096)
def _number(value: float) -> str:
    """A number with at most one decimal place, as short as possible."""
    # Zero and negative zero share an entry of the cache, so they must share a text.
    return f"{value + 0.0:.1f}".rstrip("0").rstrip(".") or "0"
