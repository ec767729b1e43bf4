"""From text to moves and back; `str(move)` is the way back.

`moves` parses a move, `movelist` a line of them, `positions` a position; each game has a module of its own.
"""
