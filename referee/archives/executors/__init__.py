"""Executors of the work on shards: this process, several processes, or a cluster. Here is what they share."""

from typing import TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

AHEAD = 3
"""Items queued per worker ahead of the results."""
