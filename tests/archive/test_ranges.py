"""Ranges of archives: the games and their places are the same for all borders and all workers."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from unittest import mock

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import referee.archive.files.compression as packing
import referee.archive.files.lines as reading
import referee.archive.files.members as labelling
import referee.archive.files.shards as cutting
from referee.archive.files.compression import writer
from referee.archive.files.members import members
from referee.archive.files.shards import FilePart, Partition, RangePart, partitions
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

    def __init__(self, shard: int = 1 << 18, most: int = 1000, chunk: int = 1 << 16, member: int = 1 << 19) -> None:
        self._patches = [
            mock.patch.object(cutting, "_SHARD", shard),
            mock.patch.object(cutting, "_MOST", most),
            mock.patch.object(cutting, "_HEAD", chunk),
            mock.patch.object(reading, "_CHUNK", chunk),
            mock.patch.object(labelling, "_MEMBER", member),
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


def ranges(parts: list[Partition]) -> Iterator[RangePart]:
    return (part for one in parts for part in one.parts if isinstance(part, RangePart))


def read(parts: list[Partition]) -> list[FilePart]:
    return [part for one in parts for part in pickle.loads(pickle.dumps(one)).shard().parts]


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
    member=st.integers(1, 50),
)
@examples(10)
def test_ranges_have_every_line_once(
    content: bytes, name: str, shard: int, most: int, chunk: int, member: int
) -> None:
    with TemporaryDirectory() as folder, Sizes(shard, most, chunk, member):
        path = Path(folder) / name
        with writer(str(path)) as file:
            for start in range(0, len(content), 13):
                file.write(content[start : start + 13])
        made = list(partitions([str(path)]))
        parts = read(made)
        assert texts(parts) == plainly(content)
        assert all(len(part.texts) <= most for part in parts)
        assert [part.first for part in parts] == [True] + [False] * (len(parts) - 1)
        assert [part.last for part in parts] == [False] * (len(parts) - 1) + [True]
        assert sum(one.read for one in made) == path.stat().st_size
        here = list(partitions([str(path)], here=True))
        assert [one.shard().parts for one in made] == [one.parts for one in here]
        assert not list(ranges(here))


@pytest.mark.parametrize("content", sampled(CONTENTS, len(CONTENTS)))
def test_any_number_of_jobs_says_the_same(tmp_path: Path, content: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(CONTENTS[content])
    alone = referee("check", "-j", 1, "--each", "--format", "jsonl", path)
    for jobs, size in ((2, 100), (5, 1)):
        with Sizes(shard=size):
            assert len(list(partitions([str(path)]))) >= min(2, len(plainly(CONTENTS[content])))
            assert referee("check", "-j", jobs, "--each", "--format", "jsonl", path) == alone


@pytest.mark.slow
@pytest.mark.parametrize("name", ["games.jsonl.zst", "games.jsonl", "games.jsonl.gz"])
@pytest.mark.parametrize("command", ["check --summary", "stats", "convert", "explore --least 1"])
def test_commands_that_share_the_work_say_the_same(tmp_path: Path, name: str, command: str) -> None:
    """Findings have their lines, in any worker."""
    path = tmp_path / name
    said = []
    verb, *options = command.split()
    with Sizes(shard=3000, member=3000):
        with writer(str(path)) as file:
            file.write(b"\n\n".join(GAMES * 4) + b"\n")
        assert sum(len(one.parts) for one in partitions([str(path)])) > 3
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


def test_data_without_a_place_in_a_file_is_read_here(tmp_path: Path) -> None:
    """A pipe, and an archive in one piece."""
    whole = tmp_path / "games.jsonl.gz"
    whole.write_bytes(gzip.compress(b"\n".join(GAMES)))
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    other = Thread(target=pipe.write_bytes, args=[b"\n".join(GAMES)])
    other.start()
    for path in (whole, pipe):
        made = list(partitions([str(path)]))
        assert not list(ranges(made))
        assert texts(read(made)) == plainly(b"\n".join(GAMES))
    other.join()


@pytest.fixture
def labelled(tmp_path: Path) -> Iterator[Path]:
    """A compressed archive of ten members with two lines each."""
    path = tmp_path / "games.jsonl.gz"
    with Sizes(member=30):
        with writer(str(path)) as file:
            file.write(b"".join(b'{"game": %d}\n' % number for number in range(20)))
        yield path


def test_other_programs_read_members_with_labels(labelled: Path) -> None:
    content = gzip.decompress(labelled.read_bytes())
    assert content.count(b"\n") == 20
    other = labelled.with_suffix(".zst")
    with writer(str(other)) as file:
        file.write(content)
    with other.open("rb") as raw:
        assert len(list(members(raw, ".zst"))) > 5
    decompressor = zstandard.ZstdDecompressor().stream_reader(other.read_bytes(), read_across_frames=True)
    assert decompressor.read() == content


def test_games_that_fit_into_one_member_are_written_as_before(tmp_path: Path) -> None:
    path, packed = tmp_path / "games.jsonl.gz", io.BytesIO()
    with writer(str(path)) as file:
        file.write(GAMES[0])
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0, compresslevel=6) as one:
        one.write(GAMES[0])
    assert path.read_bytes() == packed.getvalue()


def test_lines_are_counted_on_after_members_with_labels(labelled: Path) -> None:
    """Another archive was appended to ours."""
    with labelled.open("ab") as file:
        file.write(gzip.compress(b'{"game": 20}\n{"game": 21}'))
    made = list(partitions([str(labelled)]))
    assert [number for number, _ in texts(read(made))] == list(range(1, 23))
    assert len(list(ranges(made))) == 10
    assert sum(one.read for one in made) == labelled.stat().st_size


def test_a_member_that_cannot_be_read_costs_only_its_own_games(labelled: Path) -> None:
    with labelled.open("rb") as raw:
        third = list(members(raw, ".gz"))[2]
    content = bytearray(labelled.read_bytes())
    content[third.end - 6] ^= 1  # in its checksum
    labelled.write_bytes(content)
    parts = read(list(partitions([str(labelled)])))
    assert [line for line, _ in faults(parts)] == [7]
    assert {number for number, text in texts(parts) if text} == {*range(1, 21)}
    assert faults(parts) == faults(
        [part for one in partitions([str(labelled)], here=True) for part in one.shard().parts]
    )


def test_a_file_that_was_cut_in_a_member_is_read_up_to_there(labelled: Path) -> None:
    with labelled.open("rb") as raw:
        last = list(members(raw, ".gz"))[-1]
    labelled.write_bytes(labelled.read_bytes()[: last.end - 8])
    parts = read(list(partitions([str(labelled)])))
    assert [line for line, _ in faults(parts)] == [21]
    assert [number for number, text in texts(parts) if text] == [*range(1, 21)]
    assert parts[-1].last


@pytest.mark.parametrize("member", [100, 1 << 19])
def test_a_zst_file_that_was_cut_is_reported(tmp_path: Path, member: int) -> None:
    """At any place but after a frame: a label is a frame, too."""
    path = tmp_path / "games.jsonl.zst"
    with Sizes(member=member), writer(str(path)) as file:
        file.write(b"".join(b'{"game": %d}\n' % number for number in range(20)))
    whole, label = path.read_bytes(), 24
    with path.open("rb") as raw:
        starts = [one.start for one in members(raw, ".zst")]
    for size in range(1, len(whole)):
        path.write_bytes(whole[:size])
        found = faults(read(list(partitions([str(path)]))))
        assert bool(found) == (size not in {*starts, *(start + label for start in starts)}), size


def test_skippable_frames_of_other_programs_are_passed_over(tmp_path: Path) -> None:
    """Such as the table at the end of a seekable file."""
    path = tmp_path / "games.jsonl.zst"
    frame, skipped = zstandard.ZstdCompressor().compress(b'{"game": 1}\n'), b"\x5e\x2a\x4d\x18\3\0\0\0abc"
    path.write_bytes(skipped + frame + skipped + frame + skipped)
    assert texts(read(list(partitions([str(path)])))) == [(1, b'{"game": 1}'), (2, b'{"game": 1}')]


@pytest.mark.parametrize("place", [0, 12, 16])
def test_text_after_a_false_label_is_not_lost_in_silence(labelled: Path, place: int) -> None:
    """Its magic number, its name, or its size is damaged."""
    with labelled.open("rb") as raw:
        third = list(members(raw, ".gz"))[2]
    content = bytearray(labelled.read_bytes())
    content[third.start + place] ^= 0x10
    labelled.write_bytes(content)
    parts = read(list(partitions([str(labelled)])))
    assert faults(parts) or texts(parts)[-1][0] == 20


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_line_does_not_go_on_in_the_next_member(tmp_path: Path, suffix: str) -> None:
    """Other programs would read one line where two were counted."""
    path = tmp_path / f"games.jsonl{suffix}"
    whole = mock.patch.object(labelling.MemberFile, "_first_lines", lambda one: len(one._waiting))
    with whole, Sizes(member=1), writer(str(path)) as file:
        for line in (b'{"game": 1}\n{"ga', b'me": 2}\n'):
            file.write(line)
    content = bytearray(path.read_bytes())
    lines = 24 if suffix == ".gz" else 20
    content[lines] = 2
    path.write_bytes(content)
    assert faults(read(list(partitions([str(path)])))) == [
        (3, "the file cannot be read: its lines are not those that were counted")
    ]


def test_labels_are_not_believed_blindly(labelled: Path) -> None:
    content = bytearray(labelled.read_bytes())
    content[24:28] = (3).to_bytes(4, "little")  # lines
    labelled.write_bytes(content)
    said = read(list(partitions([str(labelled)])))[0]
    assert faults([said]) == [(3, "the file cannot be read: its lines are not those that were counted")]


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_member_unpacks_to_no_more_than_its_label_says(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games.jsonl{suffix}"
    with Sizes(member=30), writer(str(path)) as file:
        file.write((b'{"game": 1}\n' + b" " * 100_000 + b"\n") * 2)
    content = bytearray(path.read_bytes())
    with path.open("rb") as raw:
        for member in members(raw, suffix):
            place = member.start + (20 if suffix == ".gz" else 16)
            assert content[place : place + 4] == member.size.to_bytes(4, "little")
            content[place : place + 4] = min(member.size, 99_999).to_bytes(4, "little")
    path.write_bytes(content)
    parts = read(list(partitions([str(path)])))
    assert faults(parts) == [
        (line, "the file cannot be read: it unpacks to more than its label says") for line in (2, 4)
    ]


@pytest.mark.parametrize("size", [1 << 21, 1 << 31])
def test_labels_cannot_hide_a_bomb(labelled: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sizes that members claim count like their real ones."""
    content = bytearray(labelled.read_bytes())
    content[20:24] = size.to_bytes(4, "little")
    labelled.write_bytes(content)
    monkeypatch.setattr(packing, "_UNPACKED", 1 << 20)
    said = [text.fault.code for part in read(list(partitions([str(labelled)]))) for text in part.texts if text.fault]
    assert said == (["too-large"] if size == 1 << 21 else [])


@pytest.mark.parametrize(
    ("change", "says"), [("cut", "it has become shorter"), ("gone", "no such file or directory")]
)
def test_a_file_that_changes_meanwhile_is_reported(labelled: Path, change: str, says: str) -> None:
    made = list(partitions([str(labelled)]))
    whole = labelled.read_bytes()
    labelled.unlink()
    if change == "cut":
        labelled.write_bytes(whole[: next(ranges(made)).member.end - 1])
    assert faults(read(made))[0] == (1, f"the file cannot be read: {says}")


def test_a_label_or_a_line_that_is_too_long_is_reported_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b'{"game": 1}\n' + b"a" * 500 + b"\n{}\n")
    with mock.patch.object(reading, "LARGEST", 100), Sizes(shard=1, chunk=10):
        parts = read(list(partitions([str(path)])))
    assert [line for line, _ in faults(parts)] == [2]
    assert [number for number, _ in texts(parts)] == [1, 2, 3]


@pytest.mark.parametrize(("name", "stored"), [("a.jsonl.gz", "b"), ("a.jsonl", "b.gz")])
def test_the_name_that_was_given_tells_how_a_file_is_compressed(tmp_path: Path, name: str, stored: str) -> None:
    """A link may have another name than its file."""
    content = b"".join(game + b"\n" for game in GAMES)
    with Sizes(member=1000), writer(str(tmp_path / name)) as file:
        file.write(content)
    (tmp_path / name).rename(tmp_path / stored)
    (tmp_path / name).symlink_to(stored)
    made = list(partitions([str(tmp_path / name)]))
    assert bool(list(ranges(made))) == name.endswith(".gz")
    assert texts(read(made)) == plainly(content)


def test_ranges_are_opened_by_their_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker may have another folder; names in findings stay as they were given."""
    with Sizes(member=1), writer(str(tmp_path / "games.jsonl.gz")) as file:
        file.write(GAMES[0] + b"\n")
        file.write(GAMES[1] + b"\n")
    monkeypatch.chdir(tmp_path)
    made = list(partitions(["games.jsonl.gz"]))
    monkeypatch.chdir("/")
    assert list(ranges(made))
    assert {part.file for part in read(made)} == {"games.jsonl.gz"}
    assert texts(read(made)) == [(1, GAMES[0]), (2, GAMES[1])]
