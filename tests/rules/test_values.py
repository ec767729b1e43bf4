"""Positions are values: equal, hashable, and nothing that they hand out changes another game."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import pytest

import referee
from referee.errors import FileError, IllegalMove
from referee.game import AnnotatedMove, GameFile, Round
from referee.game.new import opened
from referee.rules import GAMES, Facts, Game, Moves, Outcome, Position, game_named, start
from tests.support.strategies import plies, positions

every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_positions_that_are_equal_have_the_same_hash(name: str) -> None:
    for ply in plies(name)[::7]:
        again = ply.before.play(ply.moves)
        assert (again, hash(again)) == (ply.after, hash(ply.after))
        assert again in {ply.after}
    assert len(set(positions(name)[:100])) > 10


@every_game
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_of_a_position_is_the_same_value(name: str, again: Callable[[Any], Any]) -> None:
    for position in positions(name)[:40:13]:
        twin = again(position)
        assert (twin, hash(twin), twin.facts()) == (position, hash(position), position.facts())


def handed_out(value: object, way: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, Any]]:
    """Everything that can be reached from a value by its public names, each with the way there."""
    seen = set() if seen is None else seen
    if id(value) in seen or isinstance(value, str | int | type(None)):
        return
    seen.add(id(value))
    yield way, value
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from handed_out(inner, f"{way}[{key!r}]", seen)
    elif isinstance(value, tuple | list | set | frozenset):
        for inner in value:
            yield from handed_out(inner, f"{way}[...]", seen)
    if is_dataclass(value):
        names = {one.name for one in fields(value)} | {one for one in dir(type(value)) if isproperty(value, one)}
        for name in sorted(name for name in names if not name.startswith("_")):
            yield from handed_out(getattr(value, name), f"{way}.{name}", seen)


def isproperty(value: object, name: str) -> bool:
    return hasattr(getattr(type(value), name, None), "__get__") and not callable(getattr(type(value), name))


CACHE = ".board.fans"
"""What is remembered of a board, and nothing that anybody is told."""


@every_game
def test_nothing_that_a_position_holds_can_be_changed(name: str) -> None:
    """Whatever can be changed is made anew each time, so that the position stays as it is."""
    for position in (start(name), positions(name)[9], plies(name)[9].before.play_unchecked(plies(name)[9].moves)):
        said, facts = repr(position), position.facts()
        for way, value in handed_out(position):
            if way.startswith(CACHE):
                continue
            for change in ("clear", "popitem", "pop", "sort"):
                try:
                    getattr(value, change)()
                except (AttributeError, TypeError, KeyError, IndexError):
                    continue
            assert (repr(position), position.facts()) == (said, facts), way


def test_no_hand_can_be_emptied() -> None:
    hands = start("beams").hands  # type: ignore[attr-defined]
    for change in (hands["south"].clear, hands.clear, lambda: hands["south"].update({"M1": 7}), hands.popitem):
        with pytest.raises(TypeError, match="a position is a value"):
            change()
    with pytest.raises(TypeError, match="a position is a value"):
        hands |= {}
    with pytest.raises(TypeError, match="only a copy of it"):
        start("beams").light.change(())  # type: ignore[attr-defined]
    assert start("beams").facts()["hands"]["south"]["M1"] == 3


@every_game
def test_what_a_game_says_of_itself_cannot_be_changed(name: str) -> None:
    description = game_named(name)
    handed = [description.presets, *description.presets.values(), *(one.default for one in description.options)]
    for value in [*handed, *opened(name, {}).options.values()]:
        if isinstance(value, dict) and value:
            with pytest.raises(TypeError):
                value.clear()


@every_game
def test_a_position_that_is_only_moved_forward_is_the_same_in_the_end(name: str) -> None:
    for ply in plies(name)[::11]:
        scratch = ply.before.scratch()
        assert scratch.advance(ply.moves) == ply.after
        assert ply.before.play(ply.moves) == ply.after


# --- What is no move, no side, no text at all ------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("wrong", [3, None, "P S A2", object(), ("P", "S")])
def test_what_is_no_move_is_a_mistake_of_the_program(name: str, wrong: object) -> None:
    position = start(name)
    (side, *_) = position.to_move
    with pytest.raises(TypeError, match="expected a move of this game"):
        position.check(side, wrong)
    with pytest.raises(TypeError, match="expected a move of this game"):
        position.play(dict.fromkeys(position.to_move, wrong))


@pytest.mark.parametrize("wrong", [3, None, ["beams"], b"beams", {}])
def test_other_types_are_told_what_was_expected(wrong: Any) -> None:  # noqa: ANN401 - whatever is wrong
    position = start("beams")
    move = next(position.legal_moves("south"))
    with pytest.raises(TypeError, match="expected the name of a game, not "):
        referee.start(wrong)
    with pytest.raises(TypeError, match="expected the name of a game, not "):
        referee.parse_move(wrong, "P S A2")
    with pytest.raises(TypeError, match="expected the text of a move, not "):
        referee.parse_move("beams", wrong)
    with pytest.raises(TypeError, match="expected the path of a file, not "):
        referee.read(wrong)
    with pytest.raises(TypeError, match="expected the text of a game file, not "):
        referee.loads(wrong)
    with pytest.raises(TypeError, match="expected the name of a side, not "):
        position.check(wrong, move)
    with pytest.raises(TypeError, match="expected the name of a side, not "):
        position.legal_moves(wrong)
    if wrong != {}:
        with pytest.raises(TypeError, match="expected a mapping of sides to their moves, not "):
            position.play(wrong)


# --- Three sides at once ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trio(Position):
    """A game of one ply, in which three sides move at once."""

    sides = ("a", "b", "c")
    kinds = (str,)
    made: tuple[tuple[str, str], ...] = ()

    @property
    def to_move(self) -> frozenset[str]:
        return frozenset(() if self.made else self.sides)

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(None, "made", {}) if self.made else None

    def refuse(self, side: str, move: str) -> None:
        if move == "bad":
            raise IllegalMove("bad", f"{side}'s move is bad")

    def play_unchecked(self, moves: Moves) -> Trio:
        return Trio(tuple(moves.items()))

    def listed(self, side: str) -> Iterator[str]:
        return iter(("good",))

    def facts(self) -> Facts:
        return dict(self.made)

    def events(self, moves: Moves, after: Position) -> tuple[()]:
        return ()


def trio(*made: str) -> GameFile:
    file = GameFile("trio", (Round(tuple(map(AnnotatedMove, made))),))
    file.__dict__["_start"] = Trio()
    return file


def test_no_move_of_three_sides_is_lost() -> None:
    (ply,) = trio("x", "y", "z").replay()
    assert ply.moves == {"a": "x", "b": "y", "c": "z"}
    assert ply.position == Trio((("a", "x"), ("b", "y"), ("c", "z")))


@pytest.mark.parametrize(("made", "code"), [(("x", "y"), "missing-move"), (("x", "y", "bad"), "bad")])
def test_a_move_of_three_sides_that_is_missing_or_wrong_is_told(made: tuple[str, ...], code: str) -> None:
    with pytest.raises(FileError) as caught:
        list(trio(*made).replay())
    assert caught.value.code == code


def test_a_game_is_described_by_a_value() -> None:
    assert isinstance(game_named("beams"), Game)
