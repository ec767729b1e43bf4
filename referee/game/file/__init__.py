"""The game file: its text as data with places, its header and moves, its replay and verdict.

`loader` reads a text, and `explanation` finds the faults of one that is no game. `dumper` writes a game, `judge`
checks whether it holds.
"""
