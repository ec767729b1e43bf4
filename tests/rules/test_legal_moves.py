"""The legal moves of a position, and its reading of a move's text."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from referee.errors import IllegalMove, NotationError, RefereeError
from referee.rules import GAMES, LegalMoves, Position, start
from tests.support.strategies import plies, positions

every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_listed_files_are_in_it_and_counted(name: str) -> None:
    for position in positions(name)[::40]:
        for side in position.sides:
            moves = position.legal_moves(side)
            assert len(moves) == len(list(moves))
            assert bool(moves) == (side in position.to_move)
            assert all(move in moves for move in islice(moves, 50))


@every_game
def test_in_judges_and_does_not_walk(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ply = plies(name)[3]
    moves = {side: ply.before.legal_moves(side) for side in ply.moves}
    monkeypatch.setattr(type(ply.before), "_generate", None)
    assert all(move in moves[side] for side, move in ply.moves.items())
    assert not any(wrong in moves[side] for side in moves for wrong in ("P M1 B3 12", None, 7, object()))


@every_game
def test_without_a_side_it_is_the_one_that_is_to_move(name: str) -> None:
    for position in positions(name)[::25]:
        if len(position.to_move) > 1:
            with pytest.raises(ValueError, match="several sides are to move: name one of"):
                position.legal_moves()
        else:
            assert position.legal_moves() == position.legal_moves(next(iter(position.to_move), position.sides[0]))


def test_legal_moves_are_shown_by_the_first_three() -> None:
    position = start("boundary")
    assert repr(position.legal_moves("south")) == "<LegalMoves of south: P a1-a2, P a1-b2, P a1-b1, …>"
    assert repr(position.legal_moves("north")) == "<LegalMoves of north: >"
    assert isinstance(position.legal_moves(), LegalMoves)


@every_game
def test_a_text_is_read_as_the_legal_move_that_it_says(name: str) -> None:
    for ply in plies(name)[::40]:
        for side, move in ply.moves.items():
            assert ply.before.parse(side, str(move).lower()) == move


def refusal(position: Position, side: Any, text: Any) -> RefereeError:  # noqa: ANN401 - also wrong ones
    with pytest.raises((NotationError, IllegalMove)) as caught:
        position.parse(side, text)
    return caught.value


@every_game
def test_a_text_that_is_no_legal_move_is_refused_with_legal_ones(name: str) -> None:
    position = start(name)
    side = min(position.to_move)
    error = refusal(position, side, "nonsense")
    assert isinstance(error, NotationError)
    assert all(position.parse(side, suggestion) for suggestion in error.suggestions)
    wrong: Any
    for wrong in (3, None, b"nonsense"):
        with pytest.raises(TypeError, match="expected the text of a move, not "):
            position.parse(side, wrong)


def test_a_move_that_is_not_legal_here_is_refused_with_legal_ones() -> None:
    error = refusal(start("beams"), "south", "P M1 A1 12")
    assert (type(error), error.code) == (IllegalMove, "unknown-cell")
    assert error.suggestions[0].startswith("P M1 A")
