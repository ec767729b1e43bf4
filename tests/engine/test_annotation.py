"""An engine's eye on a game: a value and a line for each ply, and marks that the values bear out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

import pytest

import referee
from referee.engine import choose, ponder
from referee.engine.annotation import BAD, LINE, Insight, Occasion, annotated, look_at
from referee.game import AnnotatedMove, GameFile, new_game, rounds_of
from referee.game.valuations import CERTAIN, kept_value, opinion_in, opinions, remarks
from referee.rules import movers

KINDS: Mapping[str, Mapping[str, object]] = {
    "laser-chess": {},
    "boundary": {},
    "the-beam": {"deal": {"seed": "annotated"}},
    "asynchronous beams": {"mode": "asynchronous"},
    "synchronous beams": {"mode": "synchronous"},
}


def played(kind: str, plies: int) -> GameFile:
    """The first plies of a game between beginners."""
    name = kind.split()[-1]
    game = new_game(name, KINDS[kind])
    position, moves = game.start(), list[AnnotatedMove]()
    for number in range(plies):
        made = {side: choose(position, side, 1, f"{number}") for side in movers(position)}
        moves += [AnnotatedMove(made[side]) for side in movers(position)]
        position = position.play(made)
    return replace(game, rounds=rounds_of(moves, game.description.moves_per_round))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_each_ply_has_a_value_and_each_other_move_its_line(kind: str) -> None:
    game = played(kind, 5)
    noted = annotated(game, 2)
    assert [ply.moves for ply in noted.replay()] == [ply.moves for ply in game.replay()]
    for ply in noted.replay():
        assert kept_value(ply) is not None
        for side, one in ply.annotated.items():
            words = [opinion[0] for text in one.comments if (opinion := opinion_in(text, game.game)) is not None]
            best = ponder(ply.before, side, 2, sober=True)
            told = f"{'better' if 'better' in words else 'line'}: {'; '.join(map(str, best.line[:LINE]))}"
            if one.mark:
                assert told.startswith("better: ")
                assert told in one.comments
            elif len(ply.moves) == 1 and one.move != best.move:
                assert told in one.comments
            else:
                assert not {"line", "better"} & {*words}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_is_annotated_again_is_the_same(kind: str) -> None:
    once = annotated(played(kind, 4), 1)
    assert annotated(once, 1) == once


@pytest.mark.slow
def test_marks_are_where_the_curve_falls() -> None:
    noted = annotated(referee.read("games/laser-chess/curiosity.yaml"), 2)
    values = [0, *(kept_value(ply) or 0 for ply in noted.replay())]
    marked: list[int] = []
    for ply, (before, after) in zip(noted.replay(), pairwise(values), strict=True):
        ((side, one),) = ply.annotated.items()
        fell = before - after if side == "blue" else after - before
        if one.mark:
            marked.append(ply.number)
            assert fell >= BAD
    assert marked


def test_people_keep_their_marks_and_comments() -> None:
    text = "game: laser-chess\nmoves: |\n  1. R j1 L !? {better: think first} {value +9.00} {line: R h8 L}\n"
    ((one,),) = [part.moves for part in annotated(referee.loads(text), 1).rounds]
    assert one.mark == "!?"
    assert remarks(one.comments, "laser-chess") == ("better: think first",)
    assert "value +9.00" not in one.comments
    assert "line: R h8 L" not in one.comments


def test_an_engines_mark_goes_with_its_line_and_a_persons_stays() -> None:
    moves = "R j1 L ?? {better: M c1-c2} {value -3.00} | R a8 L ?"
    ((blue, red),) = [
        part.moves for part in annotated(referee.loads(f"game: laser-chess\nmoves: |\n  {moves}\n"), 1).rounds
    ]
    assert (blue.mark, red.mark) == ("", "?")
    assert not any(one.startswith("better: ") for one in blue.comments)


@pytest.mark.slow
def test_the_work_can_be_done_elsewhere_and_in_order() -> None:
    game, asked = played("laser-chess", 3), list[Occasion]()

    def each(look: Callable[[Occasion], Insight], choices: Iterable[Occasion]) -> Iterator[Insight]:
        for choice in choices:
            asked.append(choice)
            yield look(choice)

    assert annotated(game, 1, each) == annotated(game, 1)
    assert len(asked) == 4


REPEATED = """\
game: laser-chess
start: board l2 1 k0 2 d3 m1 3 / 5 m1 1 s0 2 / 4 S1 3 M2 M2 / 9 M2 / 10 / 2 s0 7 / 1 S1 M0 1 m1 5 / \
m0 3 m3 1 D3 K0 1 L0 | turn blue
moves: |
  1. M e6-d5 | M c8-b7
  2. M d5-c5 | M a1-a2
  3. M c5-d5 | M a2-a1
  4. M d5-c5 | M a1-a2
  5. M c5-d5 | M a2-a1
  6. M d5-c5
"""


@pytest.mark.slow
@pytest.mark.parametrize("end", ["", "end: {how: repetition, by: red}\n"], ids=["a draw to claim", "a draw"])
def test_no_win_is_seen_where_a_draw_can_be_claimed(end: str) -> None:
    """Blue, who moves a king to and fro, could win; red may claim after the sixth move."""
    *_, before, last = annotated(referee.loads(REPEATED + end), 4).replay()
    assert last.position.claims("red")
    assert kept_value(before) == CERTAIN
    assert kept_value(last) == 0


def test_the_engines_own_move_costs_nothing() -> None:
    position = referee.read("games/laser-chess/puzzle.yaml").start()
    (side,) = position.to_move
    best = ponder(position, side, 4, sober=True)
    look = look_at(4, (position, {side: best.move}))
    assert (look.found[side].move, dict(look.costs)) == (best.move, {})


def test_a_game_without_moves_stays_as_it_is() -> None:
    game = new_game("boundary", {})
    assert annotated(game, 1) == game
    assert not [one for ply in game.replay() for one in opinions(ply)]
