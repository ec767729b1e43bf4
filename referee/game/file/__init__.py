"""The game file: its text as data with places, its header and moves, its replay and verdict.

`loader` reads a text, and `explanation` says what is wrong with one that is no game. `dumper` writes a game, `judge`
says whether it holds.
"""
