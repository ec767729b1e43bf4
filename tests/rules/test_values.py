"""Positions and their parts are values: equal, hashable, and not changed through anything that they return."""

from __future__ import annotations

import ast
import copy
import enum
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from itertools import islice
from pathlib import PurePath
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest

import referee
from referee.errors import FileError, IllegalMove
from referee.game import (
    AnnotatedMove,
    End,
    GameFile,
    Player,
    Ply,
    Round,
    dumps,
    loads,
    loads_moves,
    new_game,
    rounds_of,
    to_json,
)
from referee.rules import (
    GAMES,
    Event,
    Facts,
    Game,
    Move,
    Moves,
    Outcome,
    Position,
    Termination,
    cursor_at,
    game_named,
    start,
)
from referee.rules.frozen import Frozen, frozen_data
from tests.support import sources
from tests.support.examples import sampled
from tests.support.rows import each
from tests.support.strategies import played, plies, positions

every_game = pytest.mark.parametrize("name", GAMES)
LINE = 80
"""The characters of a line on a screen."""

AGAIN = [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]


def files(name: str) -> Iterator[GameFile]:
    """A game file of random moves, as made, and as read from each format."""
    options, path = played(name)[-1]
    moves = [AnnotatedMove(move, "!?", ("a comment",)) for ply in path for move in ply.moves.values()]
    rounds = rounds_of(moves, game_named(name).moves_per_round)
    game = GameFile(
        name,
        rounds,
        rules=1,
        id="some-game",
        players={side: Player(f"{side} " * 19 + side, "a@example.org") for side in game_named(name).sides},
        options=dict(options),
    )
    yield game
    yield loads(dumps(game))
    yield loads(to_json(game))
    yield loads_moves(" | ".join(map(str, path[0].moves.values())), GameFile(name, options=options))


def values(name: str) -> Iterator[Any]:
    """Values of every kind that a game gives."""
    for position in (start(name), *positions(name)[:40:13], *islice((p for p in positions(name) if p.outcome), 1)):
        yield position
        yield position.outcome or Outcome(None, Termination.AGREEMENT, dict.fromkeys(position.sides, 0))
        for side in position.to_move:
            yield position.legal_moves(side)
            yield from islice(position.legal_moves(side), 3)
    for game in files(name):
        yield game
        for ply in islice(game.replay(), 5):
            yield ply
            yield from ply.events
            yield from ply.annotated.values()
    yield End(Termination.RESIGNATION, "south")
    yield from (frozen_data(option.default) for option in game_named(name).options)


@every_game
@pytest.mark.parametrize("again", sampled(AGAIN, 3))
def test_a_copy_of_a_value_is_the_same_value(name: str, again: Callable[[Any], Any]) -> None:
    for value in values(name):
        twin = again(value)
        assert (type(twin), twin, hash(twin), repr(twin)) == (type(value), value, hash(value), repr(value))


@every_game
def test_positions_that_are_equal_have_the_same_hash(name: str) -> None:
    for ply in plies(name)[::7]:
        again = ply.before.play(ply.moves)
        assert (again, hash(again)) == (ply.after, hash(ply.after))
        assert again in {ply.after}
    assert len(set(positions(name)[:100])) > 10


@every_game
def test_a_game_that_is_read_again_is_the_same_value(name: str) -> None:
    first, yaml, json, _ = files(name)
    assert first == yaml == json
    assert len({first, yaml, json}) == 1
    assert list(yaml.replay()) == list(json.replay())


@every_game
def test_a_value_is_shown_in_two_lines(name: str) -> None:
    for value in values(name):
        if isinstance(value, Position | GameFile | Ply | Outcome) or hasattr(value, "position"):
            assert len(repr(value)) <= 2 * LINE, repr(value)


def test_values_are_shown_by_what_tells_them_apart() -> None:
    position = start("beams")
    assert repr(position) == "<BeamsPosition: south and north to move; south 0, north 0>"
    assert repr(position.legal_moves("south")) == "<LegalMoves of south: P M1 A2 12, P M1 A2 2, P M1 A2 4, …>"
    game = loads("game: beams\nid: b-1\nplayers: {south: {name: Ada}}\nmoves: |\n  P M1 A2 12 | P S A2\n")
    assert repr(game) == "<GameFile beams 'b-1': 1 round, south Ada>"
    (ply,) = game.replay()
    assert repr(ply) == "<Ply 1: south P M1 A2 12, north P S A2>"


# --- To the bottom ----------------------------------------------------------------------------------------------

PLAIN = (str, int, float, bool, type(None), enum.Enum, PurePath)


def handed_out(value: object, way: str = "", seen: set[int] | None = None) -> Iterator[tuple[str, Any]]:
    """Everything that can be reached from a value by its public names, each with the way there."""
    seen = set() if seen is None else seen
    if id(value) in seen or isinstance(value, PLAIN) or callable(value):
        return
    seen.add(id(value))
    yield way, value
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from handed_out(key, f"{way}[key {key!r}]", seen)
            yield from handed_out(inner, f"{way}[{key!r}]", seen)
    elif isinstance(value, tuple | list | set | frozenset):
        for inner in value:
            yield from handed_out(inner, f"{way}[...]", seen)
    names = {one.name for one in fields(value)} if is_dataclass(value) else set()
    names |= {one for one in dir(type(value)) if isproperty(value, one)}
    for name in sorted(name for name in names if not name.startswith("_")):
        yield from handed_out(getattr(value, name), f"{way}.{name}", seen)


def isproperty(value: object, name: str) -> bool:
    return hasattr(getattr(type(value), name, None), "__get__") and not callable(getattr(type(value), name))


def is_fixed(value: object) -> bool:
    """True if a value itself cannot be changed."""
    if isinstance(value, Frozen | tuple | frozenset | bytes):
        return True
    if is_dataclass(value):
        return bool(vars(type(value))["__dataclass_params__"].frozen)
    return False


@every_game
def test_nothing_that_a_value_holds_or_hands_out_can_be_changed(name: str) -> None:
    seen: set[int] = set()
    kept = list(values(name))
    for value in kept:
        for way, one in handed_out(value, type(value).__name__, seen):
            kept.append(one)
            assert is_fixed(one), f"{way} is a {type(one).__name__}"


MUTATORS: dict[str, Callable[[Any], object]] = {
    "clear": lambda one: one.clear(),
    "pop": lambda one: one.pop("a"),
    "popitem": lambda one: one.popitem(),
    "setdefault": lambda one: one.setdefault("b", 1),
    "update": lambda one: one.update(b=1),
    "|=": lambda one: one.__ior__({"b": 1}),
    "[]=": lambda one: one.__setitem__("b", 1),
    "del": lambda one: one.__delitem__("a"),
    "attribute": lambda one: setattr(one, "b", 1),
}


@each(MUTATORS)
def test_a_frozen_mapping_refuses_every_change(change: str) -> None:
    mapping = Frozen({"a": 1})
    with pytest.raises((TypeError, AttributeError)):
        MUTATORS[change](mapping)
    assert mapping == {"a": 1}


def test_a_frozen_mapping_is_made_once() -> None:
    mapping, nothing = Frozen({"a": 1}), Frozen[str, int]()
    for one in (mapping, nothing):
        one.__init__({"b": 2})  # type: ignore[misc]
    assert (mapping, nothing) == ({"a": 1}, {})
    assert type(mapping.copy()) is dict
    assert type(mapping | {"b": 2}) is dict


def test_a_value_does_not_change_with_its_arguments() -> None:
    options: dict[str, Any] = {"deal": {"discs": {"red": [1, 2, 3]}}}
    players, score = {"p1": Player("Ada")}, {"team": 3}
    game, outcome = GameFile("the-beam", options=options, players=players), Outcome(None, Termination.SCORE, score)
    before = repr((game.options, game.players, outcome))
    options["deal"]["discs"]["red"].append(4)
    players.clear()
    score["team"] = 4
    assert repr((game.options, game.players, outcome)) == before
    assert hash(game) == hash(GameFile("the-beam", options=game.options, players=game.players))


@every_game
def test_the_description_of_a_game_cannot_be_changed(name: str) -> None:
    description = game_named(name)
    handed = [description.presets, *description.presets.values(), *(one.default for one in description.options)]
    for value in [*handed, *new_game(name, {}).options.values()]:
        for way, one in handed_out(value):
            assert is_fixed(one), way


# --- Modules ----------------------------------------------------------------------------------------------------

ROOMS = ("referee.rules", "referee.game")


def modules(rooms: Iterable[str] = ROOMS) -> Iterator[ModuleType]:
    for room in rooms:
        package = import_module(room)
        yield package
        yield from (import_module(one.name) for one in walk_packages(package.__path__, f"{room}."))


def test_no_module_hands_out_what_can_be_changed() -> None:
    for module in modules():
        for name, value in vars(module).items():
            if not name.startswith("_") and isinstance(value, dict | list | set):
                assert isinstance(value, Frozen), f"{module.__name__}.{name}"


def test_no_code_writes_into_a_frozen_value() -> None:
    for file in sources.modules_with("__setattr__", "__dict__"):
        for node in sources.nodes(file):
            if isinstance(node, ast.Attribute) and node.attr == "__setattr__":
                raise AssertionError(f"{file.name}:{node.lineno} sets an attribute behind a class's back")
            if isinstance(node, ast.Attribute) and node.attr == "__dict__" and file.name != "errors.py":
                raise AssertionError(f"{file.name}:{node.lineno} reaches into a __dict__")


def test_only_rules_games_notes_and_archives_use_the_cursor() -> None:
    for file in sources.modules_with("cursor"):
        uses = any(
            isinstance(node, ast.ImportFrom)
            and (node.module == "referee.rules.cursor" or any(alias.name == "cursor_at" for alias in node.names))
            for node in sources.nodes(file)
        )
        assert not uses or file.parts[0] in ("rules", "game", "notes", "archives", "plugin.py", "testing"), file


@every_game
def test_a_cursor_comes_where_play_comes(name: str) -> None:
    for ply in plies(name)[::11]:
        here = cursor_at(ply.before)
        here.play(ply.moves)
        assert here.position == ply.after
        assert ply.before.play(ply.moves) == ply.after


# --- What is no move, no side, no text at all ------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("wrong", [3, None, "P S A2", object(), ("P", "S")])
def test_a_value_that_is_no_move_is_a_mistake_of_the_program(name: str, wrong: Any) -> None:  # noqa: ANN401 - whatever is wrong
    position = start(name)
    (side, *_) = position.to_move
    with pytest.raises(TypeError, match=r"expected a move of this game .*such as parse or parse_move gives"):
        position.check(side, wrong)
    assert wrong not in position.legal_moves(side)
    with pytest.raises(TypeError, match="expected a move of this game"):
        position.play(dict.fromkeys(position.to_move, wrong))


@pytest.mark.parametrize("wrong", [3, None, ["beams"], b"beams", {}])
def test_errors_about_other_types_name_the_expected_one(wrong: Any) -> None:  # noqa: ANN401 - whatever is wrong
    position = start("beams")
    move = next(iter(position.legal_moves("south")))
    with pytest.raises(TypeError, match="expected the name of a game, not "):
        referee.start(wrong)
    with pytest.raises(TypeError, match="expected the name of a game, not "):
        referee.parse_move(wrong, "P S A2")
    with pytest.raises(TypeError, match="expected the text of a move, not "):
        referee.parse_move("beams", wrong)
    with pytest.raises(TypeError, match="expected the path of a file, or an open file, not "):
        referee.read(wrong)
    with pytest.raises(TypeError, match="expected the text of a game file, not "):
        referee.loads(wrong)
    with pytest.raises(TypeError, match="expected the name of a side, not "):
        position.check(wrong, move)
    if wrong is not None:
        with pytest.raises(TypeError, match="expected the name of a side, not "):
            position.legal_moves(wrong)
    if wrong != {}:
        with pytest.raises(TypeError, match="expected a mapping of sides to their moves, not "):
            position.play(wrong)


# --- Three sides at once ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Word(Move):
    """A move that is a word."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False)
class Trio(Position[Word]):
    """A game of one ply, in which three sides move at once."""

    game = "trio"
    sides = ("a", "b", "c")
    kinds = (Word,)
    made: Moves = field(default_factory=Frozen)

    @property
    def to_move(self) -> frozenset[str]:
        return frozenset(() if self.made else self.sides)

    @property
    def outcome(self) -> Outcome | None:
        return Outcome(None, Termination.SCORE, {}) if self.made else None

    def _check(self, side: str, move: Word) -> None:
        if move.text == "bad":
            raise IllegalMove("bad", f"{side}'s move is bad")

    def play_unchecked(self, moves: Mapping[str, Word]) -> Trio:
        return Trio(Frozen(moves))

    def _generate(self, side: str) -> Iterator[Word]:
        return iter((Word("good"),))

    def facts(self) -> Facts:
        return {side: str(move) for side, move in self.made.items()}

    def events(self, moves: Mapping[str, Word], after: Position) -> tuple[Event, ...]:
        return ()


class TrioFile(GameFile):
    """A file of a game that is not installed."""

    def start(self) -> Trio:
        return Trio()


def trio(*made: str) -> GameFile:
    return TrioFile("trio", (Round(tuple(AnnotatedMove(Word(one)) for one in made)),))


def test_no_move_of_three_sides_is_lost() -> None:
    (ply,) = trio("x", "y", "z").replay()
    assert ply.moves == {side: Word(text) for side, text in zip("abc", "xyz", strict=True)}
    assert ply.position == Trio(ply.moves)


@pytest.mark.parametrize(("made", "code"), [(("x", "y"), "missing-move"), (("x", "y", "bad"), "bad")])
def test_a_missing_or_wrong_move_of_three_sides_is_reported(made: tuple[str, ...], code: str) -> None:
    with pytest.raises(FileError) as caught:
        list(trio(*made).replay())
    assert caught.value.code == code


def test_a_game_is_described_by_a_value() -> None:
    assert isinstance(game_named("beams"), Game)
