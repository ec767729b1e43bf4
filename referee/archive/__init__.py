"""Many games: checked, generated, converted and counted, on one machine or on a cluster."""

from referee.archive.judge import Settings, check_lines, check_shard
from referee.archive.shards import Shard
from referee.archive.verdict import GameVerdict, PartReport

__all__ = ["GameVerdict", "PartReport", "Settings", "Shard", "check_lines", "check_shard"]
