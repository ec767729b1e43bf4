"""Any bad input: a clear message with its place, status 1 or 2, no traceback, no changed file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.command_line import Run, process, referee
from tests.support.examples import sampled
from tests.support.rows import each

GAME = b"game: beams\nmoves: |\n  1. P S A2 | P S A2\n"
MOVES = ("south", "P M1 B3 12", "north", "P S C4")
COMMANDS = ("check", "report", "legal", "move")


class Bad(NamedTuple):
    """A file's content, the exit status, and the beginning of its first finding."""

    shows: str
    content: bytes
    status: int
    says: str


BAD = [
    Bad("an empty file", b"", 1, "1:1: empty: this is empty"),
    Bad("a binary file", bytes(range(256)) * 8, 2, "2:118: encoding: the file is not UTF-8 text: byte 0x80"),
    Bad("zeros", bytes(5000), 2, "1:1: encoding: the file is not text: it has a zero byte"),
    Bad("a picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 2, "1:1: encoding: the file is not UTF-8 text: byte 0x89"),
    Bad("a zero byte further down", GAME + b"id: a\0b\n", 2, "4:6: encoding: the file is not text"),
    Bad("broken UTF-8", GAME + b"id: a\xffb\n", 2, "4:6: encoding: the file is not UTF-8 text: byte 0xFF"),
    Bad("an umlaut of another encoding", b"id: \xc3\xa4\xe4\ngame: beams\n", 2, "1:6: encoding"),
    Bad("UTF-16", GAME.decode().encode("utf-16"), 2, "1:1: encoding: the file is not UTF-8 text: byte 0xFF"),
    Bad("a letter", b"Dear Ada,\n\nI move: P S A2.\n\nBen\n", 1, "3:7: yaml: this is not YAML"),
    Bad("HTML", b"<html>\n<body>&amp; {a: b}</p>\n", 1, "2:15: yaml: this is not YAML"),
    Bad(
        "smart quotes",
        GAME.replace(b"P S A2\n", b"P S \xe2\x80\x9cA2\xe2\x80\x9d\n"),
        1,
        "3:19: syntax: no notation uses this character",
    ),
    Bad("blanks that do not break", GAME.replace(b"1. P S", b"1. P\xc2\xa0S"), 1, "3:7: syntax: a special blank"),
    Bad("a bomb", b"a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", 1, "1:1: missing-key"),
    Bad("repeated keys", GAME + b"game: beams\n", 1, "4:1: repeated-key"),
    Bad("an unknown game", b"id: x\ngame: chess\n", 1, "2:1: unknown-game: there is no game 'chess'"),
    Bad("an impossible board", b"game: beams\noptions: {columns: 8}\n", 1, "2:11: option: columns must be odd"),
    Bad("a half round", GAME + b"  2. P S A4\n", 1, "4:6: missing-move: north owes a move: these moves are made"),
    Bad("an illegal move", GAME + b"  2. P S A4 | P S A2\n", 1, "4:15: occupied: S stands on A2 already"),
    Bad(
        "a comment without its end",
        GAME + b"  2. P S A4 | P S A4 {so\n",
        1,
        "4:22: syntax: the comment is not closed",
    ),
    Bad("a line end of two kinds", GAME.replace(b"\n", b"\r\n") + b"  foo\r\n", 1, "4:3: syntax: 'foo' does not fit"),
    Bad("a byte order mark", b"\xef\xbb\xbf" + GAME + b"idd: x\n", 1, "4:1: unknown-key"),
    Bad("a very long line", b"game: beams\nmoves: |\n  " + b"P S A2 | " * 100_000 + b"\n", 1, "3:100003: too-large"),
    Bad("a very long word", b"game: beams\nmoves: |\n  P S " + b"x" * 1_000_000 + b"\n", 1, "3:"),
    Bad("a very long key", b"game: beams\n? " + b"x" * 100_000 + b"\n: 1\n", 1, "2:3: unknown-key"),
    Bad("a very long value", b"game: beams\nend: {how: " + b"x" * 100_000 + b"}\n", 1, "2:7: wrong-value"),
    Bad("a huge number", b'{"game": "beams", "rules": ' + b"9" * 5000 + b"}", 1, "1:19: wrong-type"),
    Bad("a large number", b'{"game": "beams", "rules": ' + b"9" * 4000 + b"}", 1, "1:19: unknown-rules"),
    Bad("no number", b'{"game": "beams", "rules": NaN}', 1, "1:19: wrong-type"),
    Bad("half a surrogate pair", b'{"game": "beams", "id": "\\ud800"}', 1, "1:26: json: half of a surrogate pair"),
    Bad(
        "half a surrogate pair as a key",
        b'{"game": "beams", "\\udfff": 1}',
        1,
        "1:20: json: half of a surrogate pair",
    ),
    Bad(
        "a terminal's commands",
        b'{"game": "beams", "moves": "{\\u001b[2J}"}',
        1,
        "1:19: syntax: an invisible control character",
    ),
    Bad("JSON cut off", b'{"game": "beams", "moves": "1. P', 1, "1:33: yaml"),
    Bad("many mistakes", b"game: beams\nmoves: |\n" + b"  foo | bar\n" * 500, 1, "3:3: syntax"),
]
JUDGED = [
    Bad(
        "a wrong result", GAME + b"result: {south: 3, north: 0}\n", 1, "4:1: wrong-result: the moves give a different"
    ),
    Bad("an end without its side", GAME + b"end: {how: timeout}\n", 1, "4:1: end: say whose timeout it is"),
    Bad("a repetition", GAME + b"end: {how: repetition, by: north}\n", 1, "4:1: end: north cannot claim"),
]
DEEP = [
    Bad("brackets", b"[" * 200_000, 1, "1:41: too-deep"),
    Bad("braces", b"{" * 200_000, 1, "1:41: too-deep"),
    Bad("dashes", b"- " * 200_000, 1, "1:81: too-deep"),
    Bad("question marks", b"? " * 200_000, 1, "1:81: too-deep"),
    Bad("lines", b"".join(b" " * depth + b"a:\n" for depth in range(3000)), 1, "41:41: too-deep"),
    Bad("JSON that is not closed", b'{"a":' * 200_000, 1, "1:201: too-deep"),
    Bad("JSON", b'{"game": "beams", "id": ' + b"[" * 3000 + b"]" * 3000 + b"}", 1, "1:1: too-deep"),
    Bad("JSON that Python reads", b'{"game": "beams", "id": ' + b"[" * 500 + b"]" * 500 + b"}", 1, "1:1: too-deep"),
]
# A report shows positions; it judges neither the end nor the result.
PAIRS = [(bad, command) for bad in (*BAD, *JUDGED) for command in COMMANDS if bad in BAD or command != "report"]
QUICK = [pair for number, pair in enumerate(PAIRS) if pair[1] == "check" or not number % 15]


def arguments(command: str, path: Path) -> tuple[object, ...]:
    return (command, path, *(MOVES if command == "move" else ()))


def told(run: Run) -> str:
    assert "Traceback" not in run.err
    return run.out or run.err


def pair_name(pair: tuple[Bad, str]) -> str:
    bad, command = pair
    return f"{command}: {bad.shows}"


def is_told(pair: tuple[Bad, str], folder: Path) -> None:
    """Expect that a command reports a bad file, which stays as it is."""
    bad, command = pair
    path = folder / "game.yaml"
    path.write_bytes(bad.content)
    run = referee(*arguments(command, path))
    assert (run.status, told(run)[: len(f"{path}:{bad.says}")]) == (bad.status, f"{path}:{bad.says}")
    assert (not run.out) == (command != "check")
    assert all(len(line) < 400 for line in told(run).splitlines())
    assert path.read_bytes() == bad.content
    assert list(folder.iterdir()) == [path]


@pytest.mark.slow
@each(QUICK, name=pair_name, every=3)
def test_a_bad_file_is_reported_and_stays_as_it_is(pair: tuple[Bad, str], tmp_path: Path) -> None:
    is_told(pair, tmp_path)


@pytest.mark.slow
@each(PAIRS, name=pair_name)
def test_every_command_tells_a_bad_file(pair: tuple[Bad, str], tmp_path: Path) -> None:
    is_told(pair, tmp_path)


@pytest.mark.slow
@each([*BAD, *JUDGED], name=lambda bad: bad.shows, every=3)
def test_a_bad_file_is_a_line_of_json_too(bad: Bad, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(bad.content)
    run = referee("check", "--format", "jsonl", path)
    (report,) = run.objects
    first = report["findings"][0]
    assert (run.status, run.err, report["ok"]) == (bad.status, "", False)
    assert f"{first['line']}:{first['column']}: {first['code']}: {first['message']}".startswith(bad.says)


@pytest.mark.slow
def test_deep_nesting_does_not_crash_the_process(tmp_path: Path) -> None:
    files = {tmp_path / f"{number}.yaml": bad for number, bad in enumerate(DEEP)}
    for path, bad in files.items():
        path.write_bytes(bad.content)
    run = process("check", *files)
    for path, bad in files.items():
        assert f"{path}:{bad.says}" in run.out
    assert (run.status, run.err) == (1, "")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "move"])
@pytest.mark.parametrize("bad", DEEP, ids=lambda bad: bad.shows)
def test_deep_nesting_crashes_no_command(tmp_path: Path, bad: Bad, command: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(bad.content)
    run = process(*arguments(command, path))
    assert (run.status, told(run)[: len(f"{path}:{bad.says}")]) == (1, f"{path}:{bad.says}")
    assert path.read_bytes() == bad.content


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_not_there(tmp_path: Path, command: str) -> None:
    path = tmp_path / "missing.yaml"
    run = referee(*arguments(command, path))
    assert (run.status, told(run)) == (
        2,
        f"{path}:1:1: unreadable: the file cannot be read: no such file or directory\n",
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder(tmp_path: Path, command: str) -> None:
    run = referee(*arguments(command, tmp_path))
    holds = "this folder holds no game file, move list or archive"
    says = holds if command == "check" else "the file cannot be read: is a directory"
    assert (run.status, told(run)) == (2, f"{tmp_path}:1:1: unreadable: {says}\n")


@pytest.mark.parametrize("name", ["x" * 300, "missing/game.yaml", "game.yaml/game.yaml"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_that_no_file_has(tmp_path: Path, command: str, name: str) -> None:
    (tmp_path / "game.yaml").write_bytes(GAME)
    run = referee(*arguments(command, tmp_path / name))
    assert (run.status, "unreadable: the file cannot be read" in told(run)) == (2, True)


@pytest.mark.parametrize("name", ["game.yaml", "list.moves", "archive.jsonl"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_of_50_megabytes_is_not_read(tmp_path: Path, command: str, name: str) -> None:
    path = tmp_path / name
    with path.open("wb") as file:
        file.write(b"game: beams #")
        file.truncate(50 << 20)
    start = time.process_time()
    run = referee(*arguments(command, path))
    assert run.status == 2
    assert "too-large: " in told(run)
    assert time.process_time() - start < 2
    assert path.stat().st_size == 50 << 20


def test_a_large_standard_input_is_not_read() -> None:
    run = referee("check", "-", stdin=b"#" * (17 << 20))
    assert (run.status, run.out) == (2, "-:1:1: too-large: the input is larger than 16 MiB\n")


@pytest.mark.parametrize("end", sampled([b"\r\n", b"\r", b"\n"], 3))
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_marks_are_no_mistakes(tmp_path: Path, mark: bytes, end: bytes) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(mark + GAME.replace(b"\n", end))
    assert [referee(*arguments(command, path)).status for command in COMMANDS] == [0, 0, 0, 0]


def test_moves_after_the_end_of_the_game(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "games" / "beams" / "asynchronous.yaml"
    text = example.read_text(encoding="utf-8").rstrip() + "\n  R B3 L | R B3 L\n"
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")
    for command in COMMANDS:
        run = referee(*arguments(command, path))
        line = text.count("\n")
        assert (run.status, told(run).startswith(f"{path}:{line}:3: game-over: the game is over")) == (1, True)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.slow
@pytest.mark.parametrize("count", [1000, 20_000])
def test_many_mistakes_take_no_quadratic_time(tmp_path: Path, count: int) -> None:
    files = {
        "keys.yaml": b"game: beams\n" + b"".join(b"key%d: 12:30\n" % number for number in range(count)),
        "aliases.yaml": b"game: &a beams\noptions:\n"
        + b"".join(b"  key%d: *a\n" % number for number in range(count)),
        "keys.json": b'{"game": "beams"' + b"".join(b', "key%d": 1' % number for number in range(count)) + b"}",
        "repeated.json": b'{"game": "beams"' + b', "id": "x"' * count + b"}",
    }
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        start = time.process_time()
        (report,) = referee("check", "--format", "jsonl", path).objects
        assert len(report["findings"]) >= count - 1
        assert time.process_time() - start < 5
