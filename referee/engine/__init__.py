"""Programs that play by the contract of the games.

`search` finds moves, with the evaluations in the module of each game, `choice` takes one at a level, and `program`
asks another's program in a `sandbox`. `players`, `practice`, `match`, `annotation` and `puzzles` stand on these.
"""

from __future__ import annotations

from referee.engine.choice import VERSION, choose, ponder
from referee.engine.levels import LEVELS, USUAL_LEVEL, EngineLevel, usual_level
from referee.engine.search.prospect import GameSearch, Prospect

__all__ = [
    "LEVELS",
    "USUAL_LEVEL",
    "VERSION",
    "EngineLevel",
    "GameSearch",
    "Prospect",
    "choose",
    "ponder",
    "usual_level",
]
