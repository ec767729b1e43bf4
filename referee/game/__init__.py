"""Game files: read, written, replayed and added to."""

from referee.game.gamefile import End, GameFile, Noted, Player, Ply, Round
from referee.game.reading import loads, loads_moves, read

__all__ = ["End", "GameFile", "Noted", "Player", "Ply", "Round", "loads", "loads_moves", "read"]
