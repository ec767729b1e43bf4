"""Documents to print: score sheets, empty and filled in, books of games, sheets of puzzles, and sets to play with.

All of it is PDF; a book can be a page, too. The boards and pieces of a set come from the room's `kit`.
"""
