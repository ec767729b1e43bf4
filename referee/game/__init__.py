"""Game files: read, written, replayed and added to.

`file` reads and judges a game file, and `amend` changes one and leaves everything else in it as it was.
`continuation`, above both, goes on with a game as a value; `foresight` and `valuations` look at what may come.
"""

from referee.game.file.document import decode_utf8, read_bytes, read_input, unreadable, unwritten
from referee.game.file.dumper import game_text, to_json
from referee.game.file.gamefile import (
    AnnotatedMove,
    End,
    GameFile,
    Player,
    Ply,
    Round,
    new_game,
    ply_at,
    rounds_of,
    without_addresses,
    zeroth_ply,
)
from referee.game.file.header import is_address, is_text
from referee.game.file.judge import judge
from referee.game.file.loader import dumps, loads, loads_moves, read
from referee.game.file.syntax import parse_document

__all__ = [
    "AnnotatedMove",
    "End",
    "GameFile",
    "Player",
    "Ply",
    "Round",
    "decode_utf8",
    "dumps",
    "game_text",
    "is_address",
    "is_text",
    "judge",
    "loads",
    "loads_moves",
    "new_game",
    "parse_document",
    "ply_at",
    "read",
    "read_bytes",
    "read_input",
    "rounds_of",
    "to_json",
    "unreadable",
    "unwritten",
    "without_addresses",
    "zeroth_ply",
]
