"""Commands for playing: against engines, against a person by messages, in matches and puzzles.

`programs` has the options of engines that several share; `play` reads lines by `keyboard` and keeps a `kept_game`.
"""
