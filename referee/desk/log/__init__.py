"""The log of a game: its events and their bodies, digests, seals, signatures and heads.

It knows nothing of the desk: who holds a log can verify it with this part and the rules.
"""
