"""Large archives on several cores: two jobs beside one, workers of Dask, and memory at a million games."""

from __future__ import annotations

import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bench.archive import LARGE, QUIET, greatest_memory, write_large
from bench.figures import Figure, rate
from referee.archives.executors.executors import processes
from referee.archives.files.compression import writer
from referee.archives.files.shards import Shard, shards
from referee.archives.judge import check_shard

MILLION = 1_000_000
PAIRS = 3


def figures() -> Iterator[Figure]:
    """The gain of more cores. All times are those of whole commands, from their start to their end."""
    with tempfile.TemporaryDirectory() as folder:
        large, million = Path(folder) / "large.jsonl", Path(folder) / "million.jsonl"
        write_large(large)
        with million.open("wb") as file:
            for _ in range(MILLION // LARGE):
                file.write(large.read_bytes())
        yield _at_once(large)
        yield _two_jobs("games, two jobs beside one", million, MILLION, ">= 1.95", pairs=1)
        yield _two_jobs("games, two jobs beside one", large, LARGE, "none of its own")
        for suffix in (".gz", ".zst"):
            packed = large.with_name(large.name + suffix)
            with writer(str(packed)) as file:
                file.write(large.read_bytes())
            yield _two_jobs(f"the same, from a {suffix} archive", packed, LARGE, "none of its own")
        yield _two_jobs("games, two workers of Dask beside one", large, LARGE, ">= 1.85", "--executor", "dask")
        yield _memory(million)


def _seconds(path: Path, *options: str, at_once: int = 1) -> float:
    """The time of the command, or of several of them at once."""
    command = [sys.executable, "-m", "referee", "check", "--no-suggest", *options, str(path)]
    start = time.perf_counter()
    begun = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(at_once)]
    assert [one.wait() for one in begun] == [0] * at_once
    return time.perf_counter() - start


def _two_jobs(what: str, path: Path, games: int, goal: str, *options: str, pairs: int = PAIRS) -> Figure:
    """A command with two jobs beside the same with one."""
    times = [(_seconds(path, "-j", "2", *options), _seconds(path, "-j", "1", *options)) for _ in range(pairs)]
    two, one = (statistics.median(each) for each in zip(*times, strict=True))
    ratio = statistics.median(alone / both for both, alone in times)
    return Figure(f"{what}, {games:,} of them", rate(games / two), rate(games / one), ratio, goal)


def _at_once(path: Path) -> Figure:
    """Two commands with one job each at once, beside one alone: the most that the machine gives to two processes."""
    times = [(_seconds(path, "-j", "1", at_once=2), _seconds(path, "-j", "1")) for _ in range(PAIRS)]
    two, one = (statistics.median(each) for each in zip(*times, strict=True))
    ratio = statistics.median(2 * alone / both for both, alone in times)
    return Figure(
        "two commands at once beside one", rate(2 * LARGE / two), rate(LARGE / one), ratio, "none of its own"
    )


def _memory(path: Path) -> Figure:
    """The memory of all processes of two jobs, at a tenth of a million games and at the end."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        early, late = (size / 1024 for size in pool.submit(_peaks, str(path)).result())
    said = f"memory of two jobs, {MILLION:,} games beside {MILLION // 10:,}"
    return Figure(said, f"{late:.1f} MiB", f"{early:.1f} MiB", late / early, "<= 1.05")


def _peaks(path: str) -> tuple[int, int]:
    """The greatest memory of this process and its two workers in KiB, after a tenth of the games and after all."""
    games = early = 0
    peaks: dict[int, int] = {}
    for _, (number, worker, peak) in processes(_quiet_peak, shards([path]), 2):
        games += number
        peaks[worker] = peak
        if not early and games >= MILLION // 10:
            early = greatest_memory() + sum(peaks.values())
    assert games == MILLION
    return early, greatest_memory() + sum(peaks.values())


def _quiet_peak(shard: Shard) -> tuple[int, int, int]:
    return sum(part.games for part in check_shard(shard, QUIET)), os.getpid(), greatest_memory()
