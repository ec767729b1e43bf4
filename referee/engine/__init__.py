"""Programs that play, over the contract of the games alone."""

from __future__ import annotations

from referee.engine.choice import VERSION, choose, ponder
from referee.engine.levels import LEVELS, EngineLevel
from referee.engine.prospect import GameSearch, Prospect

__all__ = ["LEVELS", "VERSION", "EngineLevel", "GameSearch", "Prospect", "choose", "ponder"]
