"""Work for other processes: some that succeeds, some that fails, and some that kills the process."""

from __future__ import annotations

import os
import time
from pathlib import Path

from referee.archives.files.shards import Shard
from referee.archives.judge import CheckSettings, check_shard
from referee.archives.verdict import ShardReport


def doubled(number: int) -> int:
    """Some work."""
    return 2 * number


def refused(number: int) -> int:
    """Work that fails at one item."""
    if number == 7:
        raise ValueError("seven")
    return number


def dying_once(task: tuple[str, int]) -> int:
    """Work during which the process dies, the first time it is asked for number 5."""
    folder, number = task
    if number == 5:
        try:
            Path(folder, "died").mkdir()
        except FileExistsError:
            return number
        os._exit(9)
    return number


def dying(number: int) -> int:
    """Work that kills every process."""
    os._exit(number)


def checked_slowly(shard: Shard) -> tuple[int, ShardReport]:
    """A shard checked, slowly enough to be interrupted, and the process that did it."""
    time.sleep(0.05)
    return os.getpid(), check_shard(shard, CheckSettings(each=True))
