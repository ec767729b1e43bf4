"""Game files: read, written, replayed and added to.

`file` reads and judges a game file, and `amend` changes one and leaves everything else in it as it was.
`continuation`, above both, goes on with a game as a value; `foresight` and `valuations` look at what may come.
"""

from referee.game.file.gamefile import AnnotatedMove, End, GameFile, Player, Ply, Round
from referee.game.file.loader import loads, loads_moves, read

__all__ = ["AnnotatedMove", "End", "GameFile", "Player", "Ply", "Round", "loads", "loads_moves", "read"]
