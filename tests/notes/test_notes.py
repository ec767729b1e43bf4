"""Notes with their readings, questions and remarks (cases.yaml); no text makes the reader raise."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import read
from referee.archives.generate import Generation, random_game
from referee.cli.notes import lines_of
from referee.errors import FileError
from referee.game import dumps, loads
from referee.notes import Imported, NoteLine, import_notes, note_lines
from referee.notes.reader.facts import facts_of
from referee.notes.reader.lines import LONGEST_NOTE, MOST_LINES
from referee.notes.reader.reader import slots_of
from referee.rules import GAMES
from tests.support.examples import sampled
from tests.support.strategies import mutated
from tests.support.tables import table

CASES = table(Path(__file__).with_name("cases.yaml"))
ORIGINALS = [path for path in (Path(__file__).parent / "originals").glob("*.txt") if path.stat().st_size < 300]

GAME_FILES = [path for path in sorted(Path("games").glob("*/*.yaml")) if isinstance(table(path).get("moves"), str)]


def told(found: Imported) -> str:
    """Everything that is reported about notes, in words."""
    return "\n".join([*(one.message for one in found.remarks), *(one.as_text() for one in found.findings)])


@pytest.mark.parametrize("case", sampled(CASES, 3), ids=lambda case: case["shows"])
def test_notes_are_read_as_they_are_meant(case: dict[str, Any]) -> None:
    found = import_notes(note_lines(case["text"], "notes"))
    moves = [str(one.move) for each in found.game.rounds for one in each.moves]
    assert moves == case.get("moves", moves)
    assert found.is_sure == case.get("sure", True)
    assert case.get("says", "") in told(found)
    if "choices" in case:
        assert list(found.doubts[0].choices) == case["choices"]


def test_unsure_moves_are_marked_in_the_file() -> None:
    found = import_notes(note_lines("P M3 E6 10 | P M3 E10 10\nnarrow double A8 10 | P M2V E12 10\n", "notes"))
    assert "2. P M2V A8 10 {unsure: or P R2V A8 10} | P M2V E12 10" in dumps(found.game)


def test_words_beside_moves_are_kept_as_comments() -> None:
    text = "A quiet game\n1. P S B3 (hm) | P S A2 -- so far\n2. P S B5 | P S A4\nto be continued\n"
    game = import_notes(note_lines(text, "notes")).game
    assert game.rounds[0].comments == ("A quiet game",)
    assert game.rounds[0].moves[0].comments == ("hm",)
    assert game.rounds[0].moves[1].comments == ("so far",)
    assert game.trailing_comments == ("to be continued",)


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_the_bare_list_of_an_example_keeps_every_comment_at_its_place(path: Path) -> None:
    game = read(path)
    found = import_notes(note_lines(table(path)["moves"], "notes"), game.game, game.options).game
    assert (found.rounds, found.trailing_comments) == (game.rounds, game.trailing_comments)


def test_options_can_be_given() -> None:
    found = import_notes(note_lines("M g6-g7", "notes"), "laser-chess", {"setup": "curiosity"})
    assert found.game.options == {"setup": "curiosity"}


def test_an_option_that_is_given_is_not_asked_about() -> None:
    text = "We take turns at the stove this week.\n1. P M3 E6 10 | P M3 E10 10\n"
    assert import_notes(note_lines(text, "notes"), "beams").doubts
    found = import_notes(note_lines(text, "notes"), "beams", {"mode": "synchronous"})
    assert (found.is_sure, found.game.options) == (True, {"mode": "synchronous"})


@pytest.mark.parametrize(
    ("text", "code"),
    [("Dear Ben,\nsee you at 10.", "no-moves"), ("", "no-moves"), ("P S A2\n" * 20_001, "too-large")],
)
def test_unreadable_notes_give_the_reason(text: str, code: str) -> None:
    with pytest.raises(FileError) as caught:
        import_notes(note_lines(text, "notes"))
    assert (caught.value.code, caught.value.unreadable) == (code, True)


def test_long_notes_are_refused_before_they_are_read() -> None:
    with pytest.raises(FileError, match="too-large"):
        note_lines("x\n" * (MOST_LINES + 1), "notes")
    with pytest.raises(FileError, match="too-large"):
        note_lines("x" * (LONGEST_NOTE + 1), "notes")


def attempt(text: str, game: str | None = None) -> None:
    """Read a text as notes; if the result is valid, its file can be read again."""
    found = None
    with suppress(FileError):
        found = import_notes(note_lines(text, "notes"), game)
    if found is not None and not found.findings:
        assert loads(dumps(found.game)) == found.game


@pytest.mark.slow
@given(mutated(st.sampled_from(ORIGINALS).map(lambda path: path.read_text(encoding="utf-8"))))
def test_no_slip_in_notes_raises(text: str) -> None:
    attempt(text)


@given(st.text(max_size=200), st.sampled_from(GAMES))
def test_no_text_raises(text: str, game: str) -> None:
    attempt(text, game)


WORDS = [
    "P",
    "M1",
    "R",
    "B3",
    "10",
    "|",
    "\t",
    "\n",
    "1.",
    "north",
    "Ada:",
    "a1-b2",
    "resigns",
    "sorry",
    "(",
    "}",
    "0-1",
]


@given(st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join))
def test_no_mixture_of_words_raises(text: str) -> None:
    attempt(text)


@given(st.binary(max_size=300), st.sampled_from([".csv", ".eml", ".mbox", ".xlsx", ".txt"]))
def test_no_file_raises(tmp_path_factory: pytest.TempPathFactory, content: bytes, suffix: str) -> None:
    path = tmp_path_factory.mktemp("notes") / f"notes{suffix}"
    path.write_bytes(content)
    with suppress(FileError):
        lines_of(str(path), path.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "P M1 A2 12 " * 900,
        " ".join(f"{'abcdefghij'[at % 10]}{at % 8 + 1}-{'cdefghijab'[at % 10]}{at % 7 + 1}" for at in range(1500)),
    ],
    ids=["one move again and again", "moves that differ"],
)
def test_a_line_of_ten_kilobytes_takes_little_time(text: str) -> None:
    import_notes(note_lines("1. P M1 A2 12\n", "notes"))
    begun = time.process_time()
    sum(number * number for number in range(3_000_000))
    unit, begun = time.process_time() - begun, time.process_time()
    import_notes(note_lines(text[:9_900] + "\n", "notes"))
    assert time.process_time() - begun < 5 * unit


def test_moves_count_wherever_in_a_long_line_they_begin() -> None:
    talk = "We sat down for tea and spoke of the weather, as one does. " * 12
    found = import_notes(note_lines(f"{talk}P M1 A2 12, P M1 B2 12\n", "notes"))
    assert found.game.game == "beams"


DENSE = {
    "moves": "{0}, ",
    "corrections": "{0} sorry, I meant {1}. ",
    "talk": "I think {0} is good but ",
    "marks": "{0} *{2} ",
}


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("name", sampled(GAMES, 4))
@pytest.mark.parametrize("said", DENSE.values(), ids=DENSE)
def test_time_grows_no_faster_than_a_line(name: str, said: str) -> None:
    games = (random_game(Generation(name, "dense", plies=60), number) for number in range(1, 9))
    moves = [str(one.move) for game in games for each in game.rounds for one in each.moves]
    pairs = [said.format(one, two, two.split()[-1]) for one, two in pairwise(moves)]

    def cost(size: int, first: int = 0) -> float:
        line = NoteLine("".join(pairs[first:])[:size], "notes", 1)
        begun = time.process_time()
        slots_of(facts_of(name, [line], lambda _: True), [line])
        return time.process_time() - begun

    cost(1_000)
    # A second line where the machine was busy elsewhere during the first.
    assert any(cost(9_800, first) < 9 * max(cost(2_500, first), 0.02) for first in (0, 7))


IMPORTED = {
    "plain": "{0}, ",
    "parts": "{0} sorry, I meant {2}. ",
    "marks": "{0} *{2} ",
    "numbered": "{3}. {0} sorry, I meant {1}. ",
    "brackets": "{0} (",
    "answers": "{0} ({1}) ",
    "prose": "then I played {0} and you answered with {1}, which was good. ",
    "quotes": "[b]{0}[/b] [quote]{1}[/quote] ",
    "unfinished": "{4} ",
}


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("said", IMPORTED.values(), ids=IMPORTED)
def test_a_dense_line_is_imported_in_little_time(name: str, said: str) -> None:
    def line(seed: int) -> str:
        games = (random_game(Generation(name, f"dense {seed}", plies=60), number) for number in range(1, 41))
        moves = [str(one.move) for game in games for each in game.rounds for one in each.moves]
        pairs = enumerate(pairwise(moves))
        parts = (said.format(one, two, two.split()[-1], at // 2 + 1, one[:-2]) for at, (one, two) in pairs)
        return "".join(parts)[:9_900]

    def loop() -> float:
        begun, total = time.process_time(), 0
        for number in range(3_000_000):
            total += number
        return time.process_time() - begun

    def cost(text: str) -> float:
        begun = time.process_time()
        import_notes(note_lines(text, "notes"))
        return time.process_time() - begun

    cost(line(0)[:1_000])
    assert min(cost(line(seed)) for seed in range(1, 4)) < 8 * min(loop() for _ in range(5))


@pytest.mark.slow
@pytest.mark.timing
def test_time_grows_no_faster_than_the_notes() -> None:
    def cost(lines: int) -> float:
        text = "".join(f"{'P M1 A2 12 ' * 400} {lines}{number:02}\n" for number in range(lines))
        begun = time.process_time()
        import_notes(note_lines(text, "notes"))
        return time.process_time() - begun

    cost(1)
    assert cost(12) < 5 * cost(4)


ENCODINGS = {
    "word.docx": ("word/document.xml", "a Word document: save it as text"),
    "open.odt": ("content.xml", "an OpenDocument file: save it as text, or as .xlsx"),
    "some.zip": ("notes.txt", "a ZIP archive: unpack it first"),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_a_file_that_is_no_text_is_named(name: str, tmp_path: Path) -> None:
    part, said = ENCODINGS[name]
    with ZipFile(tmp_path / name, "w") as packed:
        packed.writestr(part, "x")
    with pytest.raises(FileError) as caught:
        lines_of(str(tmp_path / name), (tmp_path / name).read_bytes())
    assert said in caught.value.findings[0].message


@pytest.mark.parametrize(
    "content",
    [b"\xcf\xf0\xe8\xe2\xe5\xf2 c4-d5", b"\x81\x8d c4-d5", b"\xff\xfe\0\0c"],
    ids=["cyrillic", "undefined", "utf-32"],
)
def test_other_encodings_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(content)
    with pytest.raises(FileError) as caught:
        lines_of(str(tmp_path / "notes.txt"), (tmp_path / "notes.txt").read_bytes())
    assert caught.value.findings[0].code == "encoding"
