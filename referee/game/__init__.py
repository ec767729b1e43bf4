"""Game files: read, written, replayed and added to."""

from referee.game.file.gamefile import AnnotatedMove, End, GameFile, Player, Ply, Round
from referee.game.file.loader import loads, loads_moves, read

__all__ = ["AnnotatedMove", "End", "GameFile", "Player", "Ply", "Round", "loads", "loads_moves", "read"]
