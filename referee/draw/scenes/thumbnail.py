"""A small picture of a board for lists: its cells and pieces, without what is written around them."""

from __future__ import annotations

from dataclasses import replace

from referee.draw.scenes.scene import Group, Polygon, Scene, switched, without
from referee.draw.scenes.svg import Box, scene_svg

_ASIDE = frozenset({"labels", "hands", "counters", "tasks", "collected"})
"""Classes of groups beside the board."""

_CELLS = frozenset({"cell", "cells"})
_ROOM = 4.0
"""Space around the cells."""


def thumbnail(scene: Scene) -> str:
    """A scene as SVG, cropped to its cells, without labels and what can be switched off; whole if it has none."""
    shown, box = cropped(scene)
    return scene_svg(replace(shown, description=""), box=box)


def cropped(scene: Scene) -> tuple[Scene, Box]:
    """A scene without what is around its cells and what can be switched off, and the part of it with the cells."""
    shapes = without(scene.shapes, lambda one: switched(one) or not _ASIDE.isdisjoint(one.classes))
    cells = [one for one in shapes if isinstance(one, Group) and not _CELLS.isdisjoint(one.classes)]
    points = [point for group in cells for one in group.shapes if isinstance(one, Polygon) for point in one.points]
    box = (0.0, 0.0, scene.board_width or scene.width, scene.height)
    if points:
        left, top = (min(one) - _ROOM for one in zip(*points, strict=True))
        right, bottom = (max(one) + _ROOM for one in zip(*points, strict=True))
        box = (left, top, right - left, bottom - top)
    return replace(scene, shapes=shapes), box
