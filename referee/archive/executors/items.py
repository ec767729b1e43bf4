"""Items of work and their results, for all executors."""

from __future__ import annotations

from typing import TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")

AHEAD = 3
"""Items queued per worker ahead of the results."""
