"""Browsers of players at a desk's pages: a code in a letter pairs one, and what it sends is handled as a letter.

A browser that is paired with an address may act in all seats of that address, until it is forgotten. The secret in
its cookie identifies the address, because the code for it was sent there.
"""
