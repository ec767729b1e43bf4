"""A game of another package writes positions as text if its notation module says how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from referee.errors import NotationError, RefereeError
from referee.game import loads
from referee.notation import parse_position, position_text
from referee.notation.fields import Fields, Part
from referee.notation.moves import notation
from referee.rules import Position, start

GAME = "three-crows"


class Texts:
    """What the notation module of Three Crows would have besides."""

    FIELDS = ("round", "trees", "nuts")

    @staticmethod
    def position_fields(position: Any) -> Mapping[str, str]:  # noqa: ANN401 - of a game that is installed here
        texts = (position.round,), position.crows, position.nuts
        return {name: " ".join(map(str, text)) for name, text in zip(Texts.FIELDS, texts, strict=True)}

    @staticmethod
    def position_options(fields: Fields) -> Mapping[str, tuple[object, Part]]:
        return {"nuts": (2, fields["nuts"])}

    @staticmethod
    def position_from(fields: Fields, begun: Any) -> Position:  # noqa: ANN401 - as above
        crows, nuts = (
            tuple(word.number(0, most, "a number") for word in fields[name].words())
            for name, most in (("trees", 12), ("nuts", 9))
        )
        position: Position = replace(begun, crows=crows, nuts=nuts, round=fields["round"].number(1, 12, "a round"))
        return position


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIELDS", "position_fields", "position_options", "position_from"):
        monkeypatch.setattr(notation(GAME), name, getattr(Texts, name), raising=False)


@pytest.mark.usefixtures("texts")
def test_positions_are_read_back() -> None:
    position = start(GAME)
    assert str(position) == "round 1 | trees 1 5 9 | nuts 2 2 2 2 2 2 2 2 2 2 2 2"
    assert start(GAME, position=str(position)) == position
    game = loads(
        "game: three-crows\nstart: round 3 | trees 1 1 9 | nuts 2 0 0 0 0 0 0 0 0 0 0 0\nmoves: |\n  W | F 2 | W\n"
    )
    (ply,) = game.replay()
    assert str(ply.position) == "round 4 | trees 1 2 9 | nuts 1 0 0 0 0 0 0 0 0 0 0 0"
    with pytest.raises(NotationError, match="expected a number from 0 to 12, not 'x'"):
        parse_position(GAME, "round 1 | trees x | nuts 2")
    with pytest.raises(NotationError, match="the position says nuts 2, the options say 3"):
        parse_position(GAME, "round 1", {"nuts": 3})


def test_a_game_without_such_a_notation_says_so() -> None:
    position = start(GAME)
    assert str(position) == repr(position)
    with pytest.raises(RefereeError, match="position: the positions of three-crows have no notation"):
        position_text(position)
    with pytest.raises(RefereeError, match="position: the positions of three-crows have no notation"):
        loads("game: three-crows\nstart: round 1\n")
