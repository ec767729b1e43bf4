"""Repairs: the smallest changes that make a list of moves legal.

They try changes on a draft of the game, and know nothing of notes.
"""
