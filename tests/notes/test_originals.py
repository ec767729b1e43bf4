"""Notes as people write them (originals/), each with its right game: read surely, or with the right question."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.cli.notes import lines_of
from referee.game import GameFile, read
from referee.notes import Doubt, import_notes
from tests.support.examples import sampled

ORIGINALS = sorted(path for path in (Path(__file__).parent / "originals").iterdir() if path.suffix != ".yaml")
SHARE = 0.95


def content(game: GameFile) -> tuple[Any, ...]:
    """The parts that make two games the same: start, moves, players and end."""
    return game.start(), [one.move for each in game.rounds for one in each.moves], dict(game.players), game.ending


def verdict(path: Path) -> str:
    """The verdict on an original: `right`, `asked` with the right answer among the choices, `wrong` or `unread`."""
    right = read(path.with_suffix(".yaml"))
    found = import_notes(lines_of(str(path), path.read_bytes()))
    if found.is_sure:
        return "right" if content(found.game) == content(right) else "wrong"
    known = {str(one.move) for each in right.rounds for one in each.moves}
    known.add(", ".join(f"{side} {player.name}" for side, player in right.players.items()))

    def choose(doubt: Doubt) -> int:
        fits = [place for place, choice in enumerate(doubt.choices) if choice in known]
        return fits[0] if fits else doubt.taken

    answered = import_notes(lines_of(str(path), path.read_bytes()), choose=choose)
    asked = bool(found.doubts) and answered.is_sure and content(answered.game) == content(right)
    return "asked" if asked else "unread"


@pytest.mark.parametrize("path", sampled(ORIGINALS[::6], 2), ids=lambda path: path.name)
def test_an_original_is_read_right_or_with_the_right_question(path: Path) -> None:
    assert verdict(path) in ("right", "asked")


@pytest.mark.slow
def test_nearly_all_originals_are_read_and_none_wrongly_in_silence() -> None:
    figures = Counter(verdict(path) for path in ORIGINALS)
    print(f"\n{len(ORIGINALS)} originals: {dict(figures)}")
    assert len(ORIGINALS) >= 60
    assert figures["wrong"] == 0
    assert figures["right"] + figures["asked"] >= SHARE * len(ORIGINALS)


def test_each_original_has_its_game() -> None:
    assert [path.name for path in ORIGINALS if not path.with_suffix(".yaml").exists()] == []
