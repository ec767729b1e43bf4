"""The game file: its text as data with places, its header and moves, its replay and verdict.

`loader` reads a text, `dumper` writes one, `judge` says whether the game holds.
"""
