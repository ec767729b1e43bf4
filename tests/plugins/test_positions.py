"""A game of another package writes positions as text if its notation module says how."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import NotationError, RefereeError
from referee.game import loads
from referee.notation.moves import notation
from referee.notation.positions import parse_position, position_text
from referee.rules import start
from tests.plugins.test_broken import offered

GAME = "three-crows"


def test_positions_are_read_back() -> None:
    position = start(GAME)
    assert str(position) == "nuts 2 2 2 2 2 2 2 2 2 2 2 2 | crows 1 5 9 | taken 0 0 0 | round 1"
    assert start(GAME, position=str(position)) == position


def test_a_game_file_begins_at_a_position() -> None:
    begin = "nuts 2 0 0 0 0 0 0 0 0 0 0 0 | crows 1 1 9 | taken 4 5 6 | round 3"
    game = loads(f"game: three-crows\nstart: {begin}\nmoves: |\n  W | F 2 | W\n")
    (ply,) = game.replay()
    assert str(ply.position) == "nuts 1 0 0 0 0 0 0 0 0 0 0 0 | crows 1 2 9 | taken 5 5 6 | round 4"


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("nuts 2 | crows 1 5 9 | taken 0 0 0 | round 1", 6, "expected 12 numbers"),
        ("nuts 2 2 2 2 2 2 2 2 2 2 2 x", 28, "expected a number from 0 to 9, not 'x'"),
        ("trees 1 5 9", 1, "expected a field: nuts, crows, taken, round"),
    ],
)
def test_faults_of_a_position_are_reported_at_their_places(text: str, column: int, says: str) -> None:
    with pytest.raises(NotationError, match=says) as caught:
        parse_position(GAME, text)
    assert caught.value.span is not None
    assert caught.value.span.column == column


@pytest.mark.parametrize(
    "missing", [("FIELDS", "position_fields", "position_options", "position_from"), ("position_fields",)]
)
def test_a_game_without_such_a_notation_says_so(missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in missing:
        monkeypatch.delattr(notation(GAME), name)
    position = start(GAME)
    assert str(position) == repr(position)
    with pytest.raises(RefereeError, match="position: the positions of three-crows have no notation"):
        position_text(position)
    with pytest.raises(RefereeError, match="position: the positions of three-crows have no notation"):
        loads("game: three-crows\nstart: round 1\n")


def test_a_notation_module_that_writes_no_positions_leaves_them_to_the_dataclass(tmp_path: Path) -> None:
    renamed = {
        "FIELDS = (": "NAMES = (",
        "zip(FIELDS,": "zip(NAMES,",
        "def position_fields": "def as_fields",
        "def position_options": "def as_options",
        "def position_from": "def as_position",
    }
    cases = [{"file": "notation.py", "from": old, "to": new} for old, new in renamed.items()]
    option = {"file": "__init__.py", "from": 'Number("nuts"', "to": 'Number("each"'}
    cases += [option, {**option, "from": 'options["nuts"]', "to": 'options["each"]'}]
    with offered(tmp_path / "site", 498, *cases):
        assert str(start("hop")) == "nuts 2 2 2 2 2 2 2 2 2 2 2 2 | crows 1 5 9 | taken 0 0 0 | round 1"
        assert start("hop", position=str(start("hop"))) == start("hop")
