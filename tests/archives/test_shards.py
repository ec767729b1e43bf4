"""Shards: every line once and in order, from any kind of file; unreadable files are in them too."""

from __future__ import annotations

import gzip
import pickle
import random
from pathlib import Path

import pytest

import referee.archives.files.lines as reading
import referee.archives.files.shards as cutting
from referee.archives.files.compression import writer
from referee.archives.files.files import expand, size
from referee.archives.files.shards import FilePart, Shard, shards
from tests.support.examples import sampled


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards and reads so small that every border is crossed."""
    monkeypatch.setattr(cutting, "BLOCK_SIZE", 300)
    monkeypatch.setattr(reading, "BLOCK_SIZE", 64)
    monkeypatch.setattr(cutting, "HEAD_SIZE", 32)
    monkeypatch.setattr(cutting, "MOST_IN_A_SHARD", 5)


def texts(made: list[Shard]) -> list[tuple[str, int, bytes]]:
    return [(part.file, text.line, text.content) for shard in made for part in shard.parts for text in part.texts]


def some_lines(seed: int) -> list[bytes]:
    chance = random.Random(seed)
    return [bytes(chance.choice(b"ab{} ") for _ in range(chance.choice((0, 1, 50, 400)))) for _ in range(60)]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz", "games.jsonl.zst"])
@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("seed", sampled(range(5), 5))
def test_every_line_is_in_a_shard(tmp_path: Path, name: str, end: bytes, seed: int) -> None:
    lines = some_lines(seed)
    path = str(tmp_path / name)
    with writer(path) as file:
        file.write(b"\n".join(lines) + end)
    made = list(shards([path]))
    assert texts(made) == [(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    assert [shard.number for shard in made] == list(range(len(made)))
    assert all(len(list(part.texts)) <= 5 for shard in made for part in shard.parts)
    borders = [(part.first, part.last) for shard in made for part in shard.parts]
    assert [first for first, _ in borders] == [True] + [False] * (len(borders) - 1)
    assert [last for _, last in borders] == [False] * (len(borders) - 1) + [True]
    assert sum(shard.read for shard in made) == Path(path).stat().st_size == size([path])
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.usefixtures("small")
def test_a_line_that_is_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST", 100)
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"a\n" + b"b" * 101 + b"\n" + b"c" * 100 + b"\n" + b"d" * 5000 + b"\ne\n" + b"f" * 500)
    made = [text for shard in shards([str(path)]) for part in shard.parts for text in part.texts]
    assert [(text.line, text.content[:1], text.fault and text.fault.code) for text in made] == [
        (1, b"a", None),
        (2, b"", "too-large"),
        (3, b"c", None),
        (4, b"", "too-large"),
        (5, b"e", None),
        (6, b"", "too-large"),
    ]


@pytest.mark.usefixtures("small")
def test_many_small_files_share_a_shard(tmp_path: Path) -> None:
    names = []
    for number in range(12):
        path = tmp_path / f"{number}.yaml"
        path.write_text(f"game: beams\nid: a{number}\n")
        names.append(str(path))
    made = list(shards(names))
    assert [len(shard.parts) for shard in made] == [5, 5, 2]
    assert [part for shard in made for part in shard.parts] == [
        FilePart(name, False, (cutting.GameText(0, Path(name).read_bytes()),)) for name in names
    ]
    assert sum(shard.read for shard in made) == size(names)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("missing.jsonl", None, "no such file or directory"),
        (
            "cut.jsonl.gz",
            gzip.compress(b"{}\n" * 100, mtime=0)[:-9],
            "file ended before the end-of-stream marker",
        ),
        ("no.jsonl.gz", b"{}", "not a gzipped file"),
        ("no.jsonl.zst", b"{}{}{}{}{}", "zstd"),
    ],
)
def test_unreadable_files_are_reported(tmp_path: Path, name: str, content: bytes | None, says: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    *_, last = [part for shard in shards([str(path)]) for part in shard.parts]
    assert last.last
    *_, text = last.texts
    fault = text.fault
    assert fault is not None
    assert (fault.code, says in fault.message) == ("unreadable", True)


def test_a_file_that_was_cut_is_read_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 5, mtime=0)[:-8])
    texts = [text for shard in shards([str(path)]) for part in shard.parts for text in part.texts]
    assert [(text.line, text.fault is None) for text in texts] == [
        *((line, True) for line in range(1, 6)),
        (6, False),
    ]
    assert texts[-1].fault is not None
    assert texts[-1].fault.line == 6


def test_a_folder_is_its_games_in_the_order_of_their_names(tmp_path: Path) -> None:
    names = "g10.yaml", "g9.yaml", "a/x.jsonl.gz", "a/y.txt", ".hidden.yaml", "b.moves", "a/.git/z.yaml", "p.png"
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "empty").mkdir()
    expected = ["a/x.jsonl.gz", "b.moves", "g9.yaml", "g10.yaml"]
    assert list(expand([str(tmp_path)])) == [str(tmp_path / name) for name in expected]
    others = ["-", str(tmp_path / "p.png"), str(tmp_path / "empty"), "x" * 300]
    assert list(expand(others)) == others


def test_the_checksum_tells_contents_apart() -> None:
    one, two = Shard.of_lines(["a", "b"]), Shard.of_lines(["a", "c"])
    assert one.checksum == Shard.of_lines([b"a", "b"]).checksum != two.checksum
    assert Shard.of_lines(["a"], first=2).checksum != Shard.of_lines(["a"]).checksum


def test_the_checksum_tells_the_end_of_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blank lines in a shard of their own are no reason to take the one before them for the last."""
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"{}\n" * 5 + b"\n" * 9)
    (whole,) = shards([str(path)])
    monkeypatch.setattr(cutting, "MOST_IN_A_SHARD", 5)
    first, *_, last = shards([str(path)])
    assert [text.line for part in first.parts for text in part.texts] == [1, 2, 3, 4, 5]
    assert (first.parts[0].last, last.parts[0].last) == (False, True)
    assert first.checksum != whole.checksum


def test_damage_behind_blank_lines_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n") + b"x")
    (shard,) = shards([str(path)])
    ((text,),) = [part.texts for part in shard.parts]
    assert (text.line, text.fault is not None) == (0, True)
