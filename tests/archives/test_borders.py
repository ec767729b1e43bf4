"""Archives in shards: the games and their places are the same for all borders and all workers."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from unittest import mock

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import referee.archives.files.lines as reading
import referee.archives.files.shards as cutting
from referee.archives.files.compression import writer
from referee.archives.files.shards import FilePart, Shard, shards
from tests.support.archives import BAD, lines
from tests.support.command_line import referee
from tests.support.examples import examples, sampled

BOM = "\ufeff".encode()
GAMES = [line.encode() for line in (*lines("beams", 3), *BAD[:3], *lines("the-beam", 2), *BAD[6:])]
CONTENTS = {
    "nothing": b"",
    "a blank file": b"\n \r\n\t\n\n",
    "one line without an end": GAMES[0],
    "lines": b"".join(game + b"\n" for game in GAMES),
    "no end at the last line": b"\n".join(GAMES),
    "CRLF": b"".join(game + b"\r\n" for game in GAMES),
    "a BOM": BOM + b"\n".join(GAMES),
    "empty lines": b"\n\n" + b"\n \n\r\n\n".join(GAMES) + b"\n\n\n",
    "names beyond ASCII": b"\n".join(
        game.replace(b'"game"', '"event": "Zürich ♜", "game"'.encode()) for game in GAMES
    ),
    "not UTF-8": b"\n".join([GAMES[0], b'{"game": "\xff\xc3"}', GAMES[1]]),
}
SIZES = [1, 7, 100, 1000, 1 << 18]

Text = tuple[int, bytes]


class Sizes:
    """The sizes of shards and reads."""

    def __init__(self, shard: int = 1 << 18, most: int = 1000, chunk: int = 1 << 16) -> None:
        self._patches = [
            mock.patch.object(cutting, "BLOCK_SIZE", shard),
            mock.patch.object(cutting, "MOST_IN_A_SHARD", most),
            mock.patch.object(cutting, "HEAD_SIZE", chunk),
            mock.patch.object(reading, "BLOCK_SIZE", chunk),
        ]

    def __enter__(self) -> None:
        with ExitStack() as stack:
            for one in self._patches:
                stack.enter_context(one)
            self._stack = stack.pop_all()

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def plainly(content: bytes) -> list[Text]:
    """The lines of an archive that are not blank, with their numbers, by hand."""
    return [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]


def read(made: list[Shard]) -> list[FilePart]:
    return [part for one in made for part in pickle.loads(pickle.dumps(one)).parts]


def read_whole(path: Path) -> list[FilePart]:
    return read(list(shards([str(path)])))


def texts(parts: list[FilePart]) -> list[Text]:
    return [(text.line, text.content) for part in parts for text in part.texts]


def faults(parts: list[FilePart]) -> list[tuple[int, str]]:
    return [(text.line, text.fault.message) for part in parts for text in part.texts if text.fault]


some_content = st.lists(st.sampled_from([b"{}", b"\n", b"\r\n", b" ", BOM, "ü♜".encode(), b"\xff", b"a" * 40])).map(
    b"".join
)


@pytest.mark.slow
@given(
    content=some_content,
    name=st.sampled_from(["a.jsonl", "a.jsonl.gz", "a.jsonl.zst"]),
    shard=st.integers(1, 60),
    most=st.integers(1, 6),
    chunk=st.integers(1, 50),
)
@examples(10)
def test_shards_have_every_line_once(content: bytes, name: str, shard: int, most: int, chunk: int) -> None:
    with TemporaryDirectory() as folder, Sizes(shard, most, chunk):
        path = Path(folder) / name
        with writer(str(path)) as file:
            for start in range(0, len(content), 13):
                file.write(content[start : start + 13])
        made = list(shards([str(path)]))
        parts = read(made)
        assert texts(parts) == plainly(content)
        assert all(len(list(part.texts)) <= most for part in parts)
        assert [part.first for part in parts] == [True] + [False] * (len(parts) - 1)
        assert [part.last for part in parts] == [False] * (len(parts) - 1) + [True]
        assert sum(one.read for one in made) == path.stat().st_size


@pytest.mark.parametrize("content", sampled(CONTENTS, len(CONTENTS)))
def test_any_number_of_jobs_says_the_same(tmp_path: Path, content: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(CONTENTS[content])
    alone = referee("check", "-j", 1, "--each", "--format", "jsonl", path)
    for jobs, size in ((2, 100), (5, 1)):
        with Sizes(shard=size, chunk=size):
            assert len(list(shards([str(path)]))) >= min(2, len(plainly(CONTENTS[content])))
            assert referee("check", "-j", jobs, "--each", "--format", "jsonl", path) == alone


@pytest.mark.slow
@pytest.mark.parametrize("name", ["games.jsonl.zst", "games.jsonl", "games.jsonl.gz"])
@pytest.mark.parametrize("command", ["check --summary", "stats", "convert", "explore --least 1"])
def test_commands_that_share_the_work_say_the_same(tmp_path: Path, name: str, command: str) -> None:
    """Findings have their lines, in any worker."""
    path = tmp_path / name
    said = []
    verb, *options = command.split()
    with Sizes(shard=3000, chunk=3000):
        with writer(str(path)) as file:
            file.write(b"\n\n".join(GAMES * 4) + b"\n")
        assert sum(len(one.parts) for one in shards([str(path)])) > 3
        for jobs in (1, 2, 5):
            made = tmp_path / f"made-{jobs}{'.jsonl' if verb == 'convert' else '.html'}"
            target: tuple[object, ...] = ()
            if verb in ("convert", "explore"):
                target = (made,) if verb == "convert" else ("-o", made)
            run = referee(verb, "-j", jobs, *options, path, *target)
            said.append((run, made.read_bytes() if target else b""))
    assert said[0] == said[1] == said[2]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "skipped"), sampled([("-", 0), ("-", 2), ("/dev/stdin", 0)], 3))
def test_the_standard_input_is_read_from_where_it_is(tmp_path: Path, name: str, skipped: int) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n".join(GAMES * 3))
    with path.open("rb", buffering=0) as file:
        for line in GAMES[:skipped]:
            file.seek(len(line) + 1, os.SEEK_CUR)
        command = [sys.executable, "-m", "referee", "check", "-j", "2", "--each", "--format", "jsonl", name]
        run = subprocess.run(command, stdin=file, capture_output=True, text=True, check=False)
    path.write_bytes(b"\n".join((GAMES * 3)[skipped:]))
    alone = referee("check", "-j", 1, "--each", "--format", "jsonl", path)
    assert (run.returncode, run.stdout, run.stderr) == (1, alone.out.replace(str(path), name), "")


def test_pipes_and_archives_of_other_programs_are_read(tmp_path: Path) -> None:
    whole = tmp_path / "games.jsonl.gz"
    whole.write_bytes(gzip.compress(b"\n".join(GAMES)))
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    other = Thread(target=pipe.write_bytes, args=[b"\n".join(GAMES)])
    other.start()
    for path in (whole, pipe):
        assert texts(read_whole(path)) == plainly(b"\n".join(GAMES))
    other.join()


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A compressed archive of twenty lines."""
    path = tmp_path / "games.jsonl.gz"
    with writer(str(path)) as file:
        file.write(b"".join(b'{"game": %d}\n' % number for number in range(20)))
    return path


def test_other_programs_read_archives(packed: Path) -> None:
    content = gzip.decompress(packed.read_bytes())
    assert content.count(b"\n") == 20
    other = packed.with_suffix(".zst")
    with writer(str(other)) as file:
        file.write(content)
    assert zstandard.ZstdDecompressor().stream_reader(other.read_bytes()).read() == content


def test_a_compressed_archive_has_neither_name_nor_time(tmp_path: Path) -> None:
    path, packed = tmp_path / "games.jsonl.gz", io.BytesIO()
    with writer(str(path)) as file:
        file.write(GAMES[0])
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0, compresslevel=6) as one:
        one.write(GAMES[0])
    assert path.read_bytes() == packed.getvalue()


def test_lines_are_counted_on_in_an_archive_that_was_appended(packed: Path) -> None:
    with packed.open("ab") as file:
        file.write(gzip.compress(b'{"game": 20}\n{"game": 21}'))
    made = list(shards([str(packed)]))
    assert [number for number, _ in texts(read(made))] == list(range(1, 23))
    assert sum(one.read for one in made) == packed.stat().st_size


def test_an_archive_that_was_cut_is_read_up_to_there(packed: Path) -> None:
    packed.write_bytes(packed.read_bytes()[:-8])
    parts = read_whole(packed)
    assert [line for line, _ in faults(parts)] == [21]
    assert [number for number, text in texts(parts) if text] == [*range(1, 21)]
    assert parts[-1].last


def test_a_damaged_archive_is_reported(packed: Path) -> None:
    content = bytearray(packed.read_bytes())
    content[-6] ^= 1  # in its checksum
    packed.write_bytes(content)
    assert len(faults(read_whole(packed))) == 1


def test_a_zst_file_that_was_cut_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.zst"
    with writer(str(path)) as file:
        file.write(b"".join(b'{"game": %d}\n' % number for number in range(20)))
    whole = path.read_bytes()
    for size in range(1, len(whole)):
        path.write_bytes(whole[:size])
        assert faults(read_whole(path)), size


def test_skippable_frames_of_other_programs_are_passed_over(tmp_path: Path) -> None:
    """Such as the table at the end of a seekable file."""
    path = tmp_path / "games.jsonl.zst"
    frame, skipped = zstandard.ZstdCompressor().compress(b'{"game": 1}\n'), b"\x5e\x2a\x4d\x18\3\0\0\0abc"
    path.write_bytes(skipped + frame + skipped + frame + skipped)
    assert texts(read_whole(path)) == [(1, b'{"game": 1}'), (2, b'{"game": 1}')]


def test_a_line_that_is_too_long_is_reported_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b'{"game": 1}\n' + b"a" * 500 + b"\n{}\n")
    with mock.patch.object(reading, "LARGEST", 100), Sizes(shard=1, chunk=10):
        parts = read_whole(path)
    assert [line for line, _ in faults(parts)] == [2]
    assert [number for number, _ in texts(parts)] == [1, 2, 3]


@pytest.mark.parametrize(("name", "stored"), [("a.jsonl.gz", "b"), ("a.jsonl", "b.gz")])
def test_the_name_that_was_given_tells_how_a_file_is_compressed(tmp_path: Path, name: str, stored: str) -> None:
    """A link may have another name than its file."""
    content = b"".join(game + b"\n" for game in GAMES)
    with writer(str(tmp_path / name)) as file:
        file.write(content)
    (tmp_path / name).rename(tmp_path / stored)
    (tmp_path / name).symlink_to(stored)
    assert texts(read_whole(tmp_path / name)) == plainly(content)
