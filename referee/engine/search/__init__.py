"""Searches for the best move, by kind of game: in turn, at once, with chance.

They know a game only by its evaluation, and no levels, players or matches.
"""
