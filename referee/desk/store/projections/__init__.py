"""Projections of the logs, in one table with one writer: glances of games, and snapshots of their states."""
