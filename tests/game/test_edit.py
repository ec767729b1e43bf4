"""Adding a ply to a game file: judged, byte for byte, and whole or not at all."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from referee.errors import FileError, RefereeError
from referee.game import GameFile, Round, loads, read
from referee.game.amend.amendments import take_back
from referee.game.amend.edit import add_ply
from referee.game.file.dumper import to_json
from referee.game.file.judge import judge
from referee.game.file.loader import dumps
from tests.support.examples import examples
from tests.support.game_files import BRACED, COMMENTS, game_files
from tests.support.rows import each
from tests.support.tables import table

BOTH = {"south": "p m1 b3 12:00", "north": "P S C4"}
GAME = "game: beams\nmoves: |\n  1. P S A2 | P S A2\n"


class Layout(NamedTuple):
    """A file before and after a ply is added: the moves of both sides, or that of south alone."""

    shows: str
    before: str
    after: str
    one: bool = False


def layouts() -> list[Layout]:
    data: list[dict[str, Any]] = table(Path(__file__).with_name("layouts.yaml"))
    return [Layout(**one) for one in data]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    return path


def alone(file: Path) -> bool:
    """True if nothing else is left in the file's folder."""
    return list(file.parent.iterdir()) == [file]


@each(layouts(), name=lambda layout: layout.shows)
def test_only_the_ply_is_added(layout: Layout, file: Path) -> None:
    file.write_bytes(layout.before.encode())
    ply = add_ply(file, {"south": BOTH["south"]} if layout.one else BOTH)
    assert file.read_bytes().decode() == layout.after
    assert (str(ply.moves["south"]), ply.number) == ("P M1 B3 12", judge(read(file)).plies)


def test_a_file_without_its_last_line_end_takes_ply_after_ply(file: Path) -> None:
    file.write_bytes(b"game: beams")
    for cell in ("A2", "A4", "A6", "A8"):
        add_ply(file, {"south": f"P S {cell}", "north": f"P S {cell}"})
    assert judge(read(file)).plies == 4


@each(
    [
        ("{game: beams, moves: P S A2 | P S A2}\n", "layout"),
        ("game: beams\nmoves: P S A2 | P S A2\n", "layout"),
        ('game: beams\nmoves: "P S A2 | P S A2"\n', "layout"),
        ("game: beams\nmoves: >\n  P S A2 | P S A2\n", "layout"),
        ("game: beams\nmoves: null\n", "layout"),
        ("{game: beams}\n", "layout"),
        ('{"game": "beams", "moves": null}\n', "layout"),
        ('{"game": "beams", "moves":\n"P S A2 | P S A2"}\n', "layout"),
        ("game: beams\n...\n", "layout"),
        ("game: beams\nend: {how: agreement}\n", "game-over"),
        ("game: beams\nend: {how: resignation}\n", "end"),
        ("game: beams\nresult: {south: 0, north: 0}\n", "wrong-result"),
        ("game: beams\nresult: {south: 1, north: 0}\n", "wrong-result"),
        ("game: beams\nmoves: |\n  P S A1 | P S A2\n", "unknown-cell"),
        ("game: beams\nmoves: |\n  P S A2\n", "missing-move"),
        ("game: chess\n", "unknown-game"),
        ("", "empty"),
        ("\0", "encoding"),
    ]
)
def test_a_file_that_cannot_take_the_ply_stays_as_it_is(row: tuple[str, str], file: Path) -> None:
    before, code = row
    file.write_bytes(before.encode())
    known = file.stat()
    with pytest.raises(RefereeError) as caught:
        add_ply(file, BOTH)
    assert caught.value.code == code
    assert file.read_bytes() == before.encode()
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (known.st_ino, known.st_mtime_ns)
    assert alone(file)


@pytest.mark.slow
@each(
    [
        ({"south": "P S A2", "north": "P S A4"}, "occupied", "south"),
        ({"south": "P S A4", "north": "P S A3"}, "unknown-cell", "north"),
        ({"south": "P S A4", "north": "P M1 B3"}, "syntax", "north"),
        ({"south": "P S A4 ; x", "north": "P S A4"}, "syntax", "south"),
        ({"south": "P S A4 | P S A4\n", "north": "P S A4"}, "syntax", "south"),
        ({"south": "", "north": "P S A4"}, "syntax", "south"),
        ({"south": "P S A4"}, "missing-move", None),
        ({}, "missing-move", None),
        ({"west": "P S A4"}, "unknown-side", None),
        ({"south": "P S A4", "north": "P S A4", "west": "P S A4"}, "unknown-side", None),
    ]
)
def test_a_move_that_is_refused_leaves_the_file_as_it_is(
    row: tuple[Mapping[str, str], str, str | None], file: Path
) -> None:
    texts, code, helped = row
    with pytest.raises(RefereeError) as caught:
        add_ply(file, texts)
    assert caught.value.code == code
    position = judge(read(file)).position
    legal = {str(move) for move in position.legal_moves(helped)} if helped else set()
    assert len(caught.value.suggestions) == (3 if helped else 0)
    assert legal.issuperset(caught.value.suggestions)
    assert file.read_text(encoding="utf-8") == GAME
    assert alone(file)


def test_a_result_that_would_no_longer_hold_is_reported_with_its_place(file: Path) -> None:
    text = "game: beams\nresult: {south: 0, north: 0}\nmoves: |\n  P S A2 | P S A2\n"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        add_ply(file, BOTH)
    assert str(caught.value).startswith(f"{file}:2:1: wrong-result: the moves give a different result")
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o660, 0o755])
def test_permissions_are_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    add_ply(file, BOTH)
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_link_stays_a_link(file: Path) -> None:
    link = file.with_name("link.yaml")
    link.symlink_to(file.name)
    add_ply(link, BOTH)
    assert link.is_symlink()
    assert judge(read(file)).plies == 2


def test_a_link_to_nowhere_is_no_file(file: Path) -> None:
    link = file.with_name("link.yaml")
    link.symlink_to("nowhere.yaml")
    with pytest.raises(FileError, match="no such file") as caught:
        add_ply(link, BOTH)
    assert caught.value.unreadable


@pytest.mark.parametrize("name", ["a b.yaml", "\u00e9.json", "-", ".hidden", "x" * 230])
def test_a_file_may_be_called_anything(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(GAME, encoding="utf-8")
    add_ply(path, BOTH)
    assert judge(read(path)).plies == 2
    assert alone(path)


@pytest.mark.slow
@given(game=game_files(), comment=COMMENTS | BRACED, as_json=st.booleans(), end=st.sampled_from(("\n", "\r\n")))
@examples(1.5, quick=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_ply_is_inserted_at_one_place_of_any_file(
    file: Path, game: GameFile, comment: str, as_json: bool, end: str
) -> None:
    game = GameFile(
        "beams",
        game.rounds,
        players=game.players,
        options=game.options,
        trailing_comments=(*game.trailing_comments, comment),
    )
    before = (to_json(game) if as_json else dumps(game)).replace("\n", end)
    file.write_bytes(before.encode())
    position = judge(game).position
    add_ply(file, {side: str(next(iter(position.legal_moves(side)))) for side in position.to_move})
    after = file.read_bytes().decode()
    longer = loads(after.replace("\r\n", "\n"))
    assert judge(longer).plies == judge(game).plies + 1
    assert is_inserted(before, after) or any("}" in text for text in game.rounds[-1].moves[-1].comments)
    assert [with_comments(one) for one in longer.undo().rounds] == [with_comments(one) for one in game.rounds]


def is_inserted(before: str, after: str) -> bool:
    """True if `after` is `before` with something put in at one place."""
    begun = len(os.path.commonprefix([before, after]))  # noqa: RUF071 - texts, not paths
    return after.endswith(before[begun:])


def with_comments(one: Round) -> list[tuple[str, ...]]:
    """The comments of a round and its moves, as they can stand before more."""
    return [one.comments, *(tuple(text.replace("}", ")") for text in noted.comments) for noted in one.moves)]


@each(["", "{a} {b}", "; b", "{a} ;  b { c", "{ a }", "{;b}"])
def test_a_comment_stays_with_its_move_and_undo_gives_the_file_back(comment: str, file: Path) -> None:
    before = f"game: beams\r\noptions: {{mode: synchronous}}\r\nmoves: |\r\n  P S A2 ! {comment}".rstrip(" ")
    file.write_bytes(f"{before}\r\n  ; c\r\n".encode())
    known = read(file)
    add_ply(file, {"north": "P S A2"})
    longer = read(file)
    assert longer.rounds[0].moves[0] == known.rounds[0].moves[0]
    assert (longer.rounds[0].moves[1].comments, longer.trailing_comments) == ((), ("c",))
    take_back(file)
    assert file.read_bytes() == f"{before}\r\n  ; c\r\n".encode()


WITH_END = {"game": "boundary", "end": {"how": "resignation", "by": "north"}, "result": {"south": 1, "north": 0}}
ENDED = {
    "lines": "game: boundary\nend:\n  how: resignation\n  by: north\nresult: {south: 1, north: 0}\nmoves: P a1-b2\n",
    "an object in one line": json.dumps({**WITH_END, "moves": "1. P a1-b2\n"}),
    "an object in many lines": json.dumps({**WITH_END, "moves": "1. P a1-b2\n"}, indent=2),
    "an object with the moves first": json.dumps({"moves": "1. P a1-b2\n", **WITH_END}, indent=2),
    "a flow over two lines": "game: boundary\nend: {how: resignation,\n  by: north}\nmoves: |\n  1. P a1-b2\n",
}


@each([*ENDED])
def test_undo_takes_the_end_and_the_result_too(name: str, file: Path) -> None:
    file.write_text(ENDED[name], encoding="utf-8")
    wanted = read(file).undo()
    take_back(file)
    assert read(file) == wanted
    assert not [line for line in file.read_text(encoding="utf-8").splitlines() if not line.strip()]


def test_a_comment_before_a_round_stays_when_its_move_is_taken_back(file: Path) -> None:
    file.write_text("game: boundary\nmoves: |\n  {opening} 1. P a1-b2\n", encoding="utf-8")
    wanted = read(file).undo()
    take_back(file)
    assert read(file) == wanted
    assert file.read_text(encoding="utf-8") == "game: boundary\nmoves: |\n  {opening}\n"


def test_a_closing_brace_is_written_as_a_round_one_before_more_moves(file: Path) -> None:
    file.write_text("game: beams\noptions: {mode: synchronous}\nmoves: |\n  P S A2 ; a } b\n", encoding="utf-8")
    add_ply(file, {"north": "P S A2"})
    assert file.read_text(encoding="utf-8").splitlines()[-1] == "  P S A2 { a ) b} | P S A2"


STEPS = ("os.fdopen", "os.fchmod", "os.fsync", "os.link", "pathlib.Path.replace", "os.access")


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt(), MemoryError()], ids=repr
)
@pytest.mark.parametrize("step", STEPS)
def test_the_file_is_the_old_one_after_any_failed_step(
    file: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: BaseException
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(step, fail)
    with pytest.raises(FileError if isinstance(error, OSError) else type(error)) as caught:
        add_ply(file, BOTH)
    if isinstance(caught.value, FileError):
        assert str(caught.value) == f"{file}:1:1: unwritable: the file cannot be written: no space left on device"
        assert caught.value.unreadable
    assert file.read_text(encoding="utf-8") == GAME
    assert alone(file)


def test_a_folder_that_cannot_be_made_durable_does_not_undo_the_move(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "fsync", fail)
    add_ply(file, BOTH)
    assert judge(read(file)).plies == 2


def test_the_new_content_is_durable_before_it_takes_the_place_of_the_old(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def noted(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any) -> Any:  # noqa: ANN401
            done.append(name)
            return step(*arguments)

        return wrapped

    monkeypatch.setattr(os, "fsync", noted("fsync", os.fsync))
    monkeypatch.setattr(Path, "replace", noted("replace", Path.replace))
    add_ply(file, BOTH)
    assert done == ["fsync", "replace", "fsync"]
