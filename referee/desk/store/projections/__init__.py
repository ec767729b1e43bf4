"""Projections of the logs, in one table with one writer: glances of games, and snapshots of their states.

`projections` writes them all, and can rebuild them from the logs; it stands on `snapshots`.
"""
