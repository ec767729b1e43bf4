"""Changes to a game file that leave everything else in it as it was.

`gate` proves each change before it is written. Amendments read files through `referee.game.file`.
"""
