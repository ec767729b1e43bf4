"""Duels: two players, no server, and every move proved (docs/duel.md).

All functions are pure, from a player's `Duel` and a text to another `Duel` and remarks. Files, clocks and random
numbers are the caller's business.
"""
