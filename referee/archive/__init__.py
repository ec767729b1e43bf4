"""Many games: checked, generated, converted and counted, on one machine or on a cluster."""

from referee.archive.judge import CheckSettings, check_lines, check_shard
from referee.archive.shards import Shard
from referee.archive.verdict import GameVerdict, PartReport

__all__ = ["CheckSettings", "GameVerdict", "PartReport", "Shard", "check_lines", "check_shard"]
