"""Small files that unpack to huge ones: reading stops at a limit, reports it, and fills neither memory nor disk."""

from __future__ import annotations

import gzip
import io
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
import zstandard

import referee.archives.files.compression as packing
import referee.archives.files.lines as reading
from referee.archives.files.shards import GameText, shards
from referee.archives.generate import Generation, generate_batch
from tests.support.command_line import measured, referee
from tests.support.examples import sampled

GIGABYTE = 1 << 30
CHUNK = 1 << 20


def gz(block: bytes, size: int) -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        for _ in range(size // len(block)):
            file.write(block)
    return packed.getvalue()


def gz_members(block: bytes, size: int) -> bytes:
    """Many members, one after the other."""
    return gzip.compress(block, mtime=0) * (size // len(block))


def zst(block: bytes, size: int) -> bytes:
    packed = zstandard.ZstdCompressor().compressobj()
    return b"".join([*(packed.compress(block) for _ in range(size // len(block))), packed.flush()])


def zst_frames(block: bytes, size: int) -> bytes:
    return zstandard.ZstdCompressor().compress(block) * (size // len(block))


PACKERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gz": gz,
    "members.gz": gz_members,
    "zst": zst,
    "frames.zst": zst_frames,
}
BLOCKS = {
    "one endless line": b"a" * CHUNK,
    "lines that say nothing": (b"{}" + 125 * b" " + b"\n") * (CHUNK // 128),
    "blanks": b"\n" * CHUNK,
}


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "UNPACKED", CHUNK // 2)


def texts(path: Path) -> Iterator[GameText]:
    return (text for shard in shards([str(path)]) for part in shard.parts for text in part.texts)


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize(("packer", "block"), sampled(product(PACKERS, BLOCKS), 5))
def test_an_archive_is_read_up_to_the_limit(tmp_path: Path, packer: str, block: str) -> None:
    path = tmp_path / f"games.jsonl.{packer}"
    path.write_bytes(PACKERS[packer](BLOCKS[block], 8 * CHUNK))
    *_, last = texts(path)
    assert last.fault is not None
    assert (last.fault.code, last.fault.line >= 1) == ("too-large", True)
    assert "unpacks to more than 200 times its size" in last.fault.message


@pytest.mark.slow
@pytest.mark.parametrize("packer", ["gz", "zst"])
@pytest.mark.parametrize("command", ["check", "convert", "stats"])
def test_ten_gigabytes_of_one_line_stop_soon_in_little_memory(tmp_path: Path, packer: str, command: str) -> None:
    path = tmp_path / f"games.jsonl.{packer}"
    path.write_bytes(PACKERS[packer](b"a" * CHUNK, 10 * GIGABYTE if packer == "zst" else GIGABYTE))
    run, cost = measured(command, path, *([tmp_path / "out.jsonl"] if command == "convert" else []), "-j", 1)
    assert cost.seconds < 20
    assert cost.megabytes < 400
    assert sum(one.stat().st_size for one in tmp_path.glob("out*")) < CHUNK
    if command != "stats":
        assert (run.status, "too-large" in run.out + run.err) == (2, True)


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("packer", sampled(["zst", "gz"], 2))
def test_a_game_file_is_read_up_to_its_largest_size(tmp_path: Path, packer: str) -> None:
    path = tmp_path / f"game.yaml.{packer}"
    path.write_bytes(PACKERS[packer](b"a" * CHUNK, 64 * CHUNK))
    run = referee("check", path)
    assert (run.status, f"{path}:1:1: too-large: " in run.out) == (2, True)


def test_a_frame_that_needs_very_much_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.zst"
    parameters = zstandard.ZstdCompressionParameters(window_log=30, enable_ldm=False)
    packed = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    path.write_bytes(packed.compress(b"{}\n") + packed.flush())
    *_, last = texts(path)
    assert last.fault is not None
    assert (last.fault.code, "memory" in last.fault.message) == ("unreadable", True)


def test_nothing_after_an_endless_line_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST", 1000)
    monkeypatch.setattr(reading, "ENDLESS", 100_000)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"{}\n" + b"a" * 1_000_000 + b"\n{}\n")
    first, last = texts(path)
    assert (first.line, first.fault) == (1, None)
    assert last.fault is not None
    assert (last.line, last.fault.code) == (2, "too-large")


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("level", [3, pytest.param(19, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("game", "plies"), [("boundary", 0), pytest.param("beams", 300, marks=pytest.mark.slow)])
def test_honest_archives_stay_far_below_the_limit(tmp_path: Path, game: str, plies: int, level: int) -> None:
    """Even those of games without a single move."""
    content = "".join(generate_batch(Generation(game, plies=plies), (1, 500)) for _ in range(1)).encode()
    packed = zstandard.ZstdCompressor(level=level).compress(content)
    assert len(content) / len(packed) < packing.RATIO / 1.5
    path = tmp_path / "games.jsonl.zst"
    path.write_bytes(packed)
    assert all(text.fault is None for text in texts(path))


@pytest.mark.usefixtures("tight")
def test_verdicts_of_an_earlier_run_are_read_up_to_the_limit_too(tmp_path: Path) -> None:
    games, verdicts = tmp_path / "games.jsonl", tmp_path / "verdicts.jsonl.zst"
    games.write_text('{"game": "beams"}\n', encoding="utf-8")
    with packing.writer(str(verdicts)) as file:
        file.write(referee("check", "--each", "--format", "jsonl", games).out.encode())
    assert referee("check", games, "--against", verdicts).status == 0
    start = time.process_time()
    verdicts.write_bytes(zst(b"a" * CHUNK, 64 * CHUNK))
    run = referee("check", games, "--against", verdicts)
    assert (run.status, "too-large: the file unpacks" in run.err) == (2, True)
    assert time.process_time() - start < 3
