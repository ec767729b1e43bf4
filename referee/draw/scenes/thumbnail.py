"""A small picture of a board for lists: its cells and pieces, without what is written around them."""

from __future__ import annotations

from dataclasses import replace

from referee.draw.scenes.scene import Group, Scene, extent, switched, without
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
    cells = [one for one in shapes if isinstance(one, Group) and one.shapes and not _CELLS.isdisjoint(one.classes)]
    if not cells:
        return replace(scene, shapes=shapes), (0.0, 0.0, scene.board_width or scene.width, scene.height)
    left, top, right, bottom = extent(cells)
    box = (left - _ROOM, top - _ROOM, right - left + 2 * _ROOM, bottom - top + 2 * _ROOM)
    return replace(scene, shapes=shapes), box
