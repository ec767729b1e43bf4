"""Hex: two sides put stones on a rhombus of hexagons; whoever connects the two edges of their colour wins."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.plugin import Game, Number
from referee_hex.position import CONNECTION, SIDES, HexPosition

HERE = Path(__file__).parent


def _begin(options: Mapping[str, Any]) -> HexPosition:
    return HexPosition(options["size"])


GAME = Game(
    api=1,
    name="hex",
    title="Hex",
    designer="Piet Hein and John Nash",
    sides=SIDES,
    options=(Number("size", 11, 3, 13, "how many cells an edge has"),),
    begin=_begin,
    drawing="referee_hex.drawing",
    examples=HERE / "games",
    ends=(CONNECTION,),
    refusals=HERE / "refusals.yaml",
    lesson=HERE / "lesson.yaml",
)
