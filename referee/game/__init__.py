"""Game files: read, written, replayed and added to."""

from referee.game.gamefile import AnnotatedMove, End, GameFile, Player, Ply, Round
from referee.game.loader import loads, loads_moves, read

__all__ = ["AnnotatedMove", "End", "GameFile", "Player", "Ply", "Round", "loads", "loads_moves", "read"]
