"""Games as people write them down (kinds/*.yaml): none is wrong in silence, most are right without a question."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from referee.cli.notes import lines_of
from referee.errors import FileError
from referee.notes import Imported, game_file, import_notes
from tests.support.examples import sampled
from tests.support.tables import table

FOLDER = Path(__file__).with_name("kinds")
KINDS = [kind for path in sorted(FOLDER.glob("*.yaml")) for kind in table(path)]
SHARE = 0.85

GAMES = {
    "laser": ["M c4-d5", "M f5-e6", "M c1-d2", "M e5-d4", "R d2 L", "M c7-b7", "M d2-e2", "M b7-c6"],
    "beams": ["P M3 E6 10", "P M3 E10 10", "P M2V A8 10", "P M2V E12 10"],
    "wide": ["P M3 D13 10", "P M3 E10 10"],
    "boundary": ["S d4-e5 P f6-e6", "S c4-f4 P a6-a3", "S e5-a5 P e6-a2", "S d3-b1 P f1-d3"],
    "beam": ["A M3 B6", "P \\ 3,6", "A M4 B4", "P \\ 4,4"],
}
"""The moves of a game by its name in the data."""

WRITERS = ("Ada Fox <ada@example.org>", "Ben Oak <ben@example.org>")


def written(kind: dict[str, Any], folder: Path) -> Path:
    """The file of a kind."""
    path = folder / f"notes.{kind.get('as', 'txt')}"
    text = kind["text"]
    if path.suffix in (".mbox", ".eml"):
        text = "\n".join(letter(place, one, path.suffix) for place, one in enumerate(text))
    path.write_bytes(workbook(text) if path.suffix == ".xlsx" else text.encode(kind.get("encoding", "utf-8")))
    return path


def letter(place: int, text: str, form: str) -> str:
    """A letter of a thread, the writers in turn."""
    begin = "From nobody Mon Mar  1 12:00:00 2027\n" if form == ".mbox" else ""
    headers = f"From: {WRITERS[place % 2]}\nDate: {place + 1} Mar 2027 12:00:00 +0000"
    return f"{begin}{headers}\nMessage-ID: <{place}@example.org>\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"


def workbook(text: str) -> bytes:
    """A workbook of tabs and lines; a form feed begins a sheet."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for place, sheet in enumerate(text.split("\f")):
        page = book.worksheets[0] if not place else book.create_sheet()
        for row in sheet.splitlines():
            page.append([int(cell) if cell.isdecimal() else cell or None for cell in row.split("\t")])
    content = BytesIO()
    book.save(content)
    return content.getvalue()


def faults(kind: dict[str, Any], found: Imported) -> list[str]:
    """The differences between a game that was read and the right one."""
    name, many = kind["moves"].split()
    moves = [str(one.move) for each in found.game.rounds for one in each.moves]
    end = found.game.ending
    told = f"{end.how} by {end.by}" if end and end.by else str(end.how) if end else None
    players = [player.name for player in found.game.players.values()]
    right = GAMES[name][: int(many)]
    is_short = len(moves) == len(right) - 1 and any("alone: " in one for one in found.game.trailing_comments)
    return [
        *([f"moves {moves}"] if moves != right and not (is_short and moves == right[:-1]) else []),
        *([f"end {told}"] if told != kind.get("end") else []),
        *([f"players {players}"] if "players" in kind and players != kind["players"] else []),
        *(f"without {text}" for text in kind.get("keeps", ()) if text not in found.text),
    ]


def verdict(kind: dict[str, Any], folder: Path) -> tuple[str, str]:
    """A kind's verdict and faults: `right`, `asked`, `flagged` if wrong and unsure, `wrong` or `refused`."""
    try:
        path = written(kind, folder)
        file = game_file(path.read_text(), str(path)) if path.suffix == ".moves" else None
        found = file or import_notes(lines_of(str(path), path.read_bytes()), kind.get("game"))
    except FileError as error:
        return "refused", error.findings[0].message
    wrong = "; ".join(faults(kind, found))
    if wrong:
        return ("wrong" if found.is_sure else "flagged"), wrong
    messages = [one.message for one in found.remarks] + [f"{one.message} {one.choices}" for one in found.doubts]
    if "asks" in kind and not any(kind["asks"] in one for one in messages):
        return "wrong", "nothing is asked"
    return ("right" if found.is_sure else "asked"), ""


@pytest.mark.parametrize("kind", sampled(KINDS, 6), ids=lambda kind: kind["shows"])
def test_a_kind_is_read_right_or_asked_about(kind: dict[str, Any], tmp_path: Path) -> None:
    name, said = verdict(kind, tmp_path)
    assert name in ("right", "asked"), said


@pytest.mark.slow
def test_no_kind_is_wrong_in_silence_and_most_are_right_without_a_question(tmp_path: Path) -> None:
    found = [(kind["shows"], *verdict(kind, tmp_path)) for kind in KINDS]
    figures = Counter(name for _, name, _ in found)
    print(f"\n{len(KINDS)} kinds: {dict(figures)}")
    print("\n".join(f"{name}: {shows}: {said}" for shows, name, said in found if name not in ("right",)))
    assert len(KINDS) >= 92
    assert figures["wrong"] == 0
    assert figures["right"] >= SHARE * len(KINDS)
