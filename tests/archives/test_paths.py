"""The quick ways give the same results as the plain ones: lists read at once, positions changed in place."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import FileError, IllegalMove
from referee.game import GameFile, judge, loads
from referee.game.file import rounds
from referee.game.file.judge import Verdict
from referee.notation.movelist import parse_move_line_by_grammar, parse_plain_list
from referee.rules import GAMES, beams, boundary, cursor_at, laser_chess, the_beam
from referee.rules.boundary.pieces import SQUARES
from referee.rules.laser_chess.pieces import SQUARES as SQUARES_OF_CHESS
from tests.support.archives import BAD, lines
from tests.support.examples import examples, sampled
from tests.support.game_files import game_files
from tests.support.strategies import mutated, played


@cache
def every_line() -> tuple[str, ...]:
    return tuple(line for name in GAMES for line in lines(name, 12)) + BAD


@cache
def move_lists() -> tuple[str, ...]:
    return tuple(
        json.loads(line)["moves"] for line in every_line() if line.startswith('{"game": ') and "moves" in line
    )


ALL: st.SearchStrategy[str] = st.deferred(lambda: st.sampled_from(every_line()))
MOVE_LISTS: st.SearchStrategy[str] = st.deferred(lambda: st.sampled_from(move_lists()))


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(GAMES, 4))
def test_a_cursor_that_changes_in_place_comes_where_play_comes(name: str) -> None:
    for _, plies in played(name):
        here = cursor_at(plies[0].before)
        start = plies[0].before.facts()
        for ply in plies:
            here.play(ply.moves)
            assert here.to_move == ply.after.to_move
            assert here.position == ply.after
            assert here.position.facts() == ply.after.facts()
        assert plies[0].before.facts() == start


def piece(before: Any, side: str, move: Any) -> str | None:  # noqa: ANN401 - any game's
    """The piece of a move, as the position before it shows it."""
    match move:
        case beams.Place():
            return str(move.piece)
        case beams.Rotate():
            return str(before.stones[before.board.sites[side][move.cell]].piece)
        case boundary.Walk() | boundary.Momentum():
            how = " by momentum" if isinstance(move, boundary.Momentum) else ""
            return f"{before.stacks[SQUARES.index(move.origin)][-1]}{how}"
        case laser_chess.Step() | laser_chess.Rotate():
            square = move.square if isinstance(move, laser_chess.Rotate) else move.origin
            return str(before.squares[SQUARES_OF_CHESS.index(square)].kind.name.lower())
        case the_beam.Allocate():
            return None
    return f"mirror {move.slash if isinstance(move, the_beam.PlaceMirror) else before.mirrors[move.square]}"


@pytest.mark.parametrize("name", sampled(GAMES, 4))
def test_pieces_are_those_of_the_positions_on_the_way(name: str) -> None:
    for _, plies in played(name):
        moves = [
            (ply.before, side, ply.moves[side]) for ply in plies for side in ply.before.sides if side in ply.moves
        ]
        found = [*plies[0].before.pieces(move for *_, move in moves)]
        assert found == [(side, piece(before, side, move)) for before, side, move in moves]


@pytest.mark.parametrize("name", GAMES)
def test_a_refused_ply_leaves_a_cursor_where_it_was(name: str) -> None:
    """Moves of other plies are tried: each is refused for the same reason as by a position that is kept."""
    for _, plies in played(name):
        here = cursor_at(plies[0].before)
        for ply, other in zip(plies, plies[7:], strict=False):
            before = ply.before.facts()
            kept = refusal(ply.before, other.moves)
            if kept is not None:
                assert refusal(here, other.moves) == kept
                assert here.position.facts() == before
            here.play(ply.moves)


def refusal(position: Any, moves: Any) -> tuple[str, str] | None:  # noqa: ANN401
    try:
        position.play(moves)
    except IllegalMove as error:
        return error.code, error.message
    return None


def by_replay(game: GameFile) -> tuple[Any, ...]:
    """The verdict from kept positions, each played from the one before."""
    position, plies = game.start(), 0
    try:
        for ply in game.replay():
            position, plies = ply.position, ply.number
    except FileError as error:
        return plies, error.findings, position.facts()
    return plies, (), position.facts()


def by_judging(verdict: Verdict) -> tuple[Any, ...]:
    findings = tuple(one for one in verdict.findings if one.code not in ("end", "wrong-result"))
    return verdict.plies, findings, verdict.position.facts()


@pytest.mark.slow
@given(st.one_of(ALL, mutated(ALL)))
@examples(3)
def test_judging_in_place_is_judging_ply_by_ply(text: str) -> None:
    try:
        game = loads(text, suggest=False)
    except FileError:
        return
    assert by_judging(judge(game)) == by_replay(game)


def outcome(text: str) -> object:
    try:
        return loads(text, suggest=False)
    except FileError as error:
        return error.findings


@pytest.mark.slow
@given(
    st.one_of(
        MOVE_LISTS,
        mutated(MOVE_LISTS),
        st.lists(MOVE_LISTS, max_size=3).map("".join),
    ),
    st.sampled_from(GAMES),
)
@examples(4)
def test_a_list_read_at_once_is_the_list_read_line_by_line(moves: str, name: str) -> None:
    text = json.dumps({"game": name, "moves": moves})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rounds, "parse_plain_list", lambda *_: None)
        expected = outcome(text)
    assert outcome(text) == expected


@given(game_files())
def test_so_it_is_with_marks_and_comments(game: GameFile) -> None:
    from referee.game import to_json

    assert outcome(to_json(game)) == game


@pytest.mark.slow
@given(st.one_of(MOVE_LISTS, mutated(MOVE_LISTS)))
@examples(3)
def test_lines_taken_at_once_are_those_of_the_grammar(text: str) -> None:
    found = parse_plain_list(text)
    if found is None:
        return
    lines = [parse_move_line_by_grammar(line) for line in text.removesuffix("\n").split("\n")]
    assert [tuple(one.text for one in line.moves) for line in lines] == [
        (first, second) if second else (first,) for _, first, second in found
    ]
    assert [line.number for line in lines] == [int(number.rstrip(".):")) if number else None for number, *_ in found]
    assert not any(line.comments or move.mark or move.comments for line in lines for move in line.moves)
