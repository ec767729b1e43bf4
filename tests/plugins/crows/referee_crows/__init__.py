"""Three Crows: a game for three.

Twelve trees stand in a ring, each with nuts. Three crows sit on trees 1, 5 and 9. In every round all three players
secretly write down where their crow flies: at most three trees either way, or it waits. Then all fly at once. A crow
that is alone on its tree takes one nut from it; crows that meet on a tree quarrel and take none. After twelve rounds,
or when no nut is left, the crow with the most nuts wins; if two have as many, nobody does.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.plugin import Game, Number
from referee_crows.position import SIDES, TREES, CrowsPosition


def _begin(options: Mapping[str, Any]) -> CrowsPosition:
    return CrowsPosition(nuts=(options["nuts"],) * TREES)


GAME = Game(
    api=1,
    name="three-crows",
    title="Three Crows",
    designer="the referee developers",
    sides=SIDES,
    options=(Number("nuts", 2, 1, 9, "how many nuts each tree has"),),
    begin=_begin,
    notation="referee_crows.notation",
    drawing="referee_crows.drawing",
    examples=Path(__file__).parent / "games",
    moves_per_round=3,
)
