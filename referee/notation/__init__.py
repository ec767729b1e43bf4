"""From text to moves and back; `str(move)` is the way back.

`moves` parses a move, `movelist` a line of them, `positions` a position; each game has a module of its own, and
`forms` is for games without one. `plans` has moves for later, and the rest explains text that is no move.
"""
