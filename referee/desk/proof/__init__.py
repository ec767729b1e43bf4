"""Proof over many games and for players, from logs alone: histories, time stamps, and the keys of players."""
