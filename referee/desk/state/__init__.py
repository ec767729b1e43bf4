"""The state of a game: a fold of its log, with its clock, keys, talk and invitations.

It says how things are, and never what may happen next.
"""
