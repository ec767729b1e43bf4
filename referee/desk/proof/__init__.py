"""Proof over many games and for players: histories, time stamps, and the keys of players.

It reads logs, and asks the desk for nothing.
"""
