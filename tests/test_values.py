"""Frozen classes are those of the standard library, made in less time."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import cached_property
from typing import Any, ClassVar

import pytest

from referee import values
from referee.errors import Span
from referee.game.file.document import move_list
from referee.rules.frozen import Frozen, freezing

FROZEN = {"frozen": True, "slots": True}
OPTIONS = [FROZEN, {"frozen": True}]


def declared(decorator: Callable[..., Any], options: dict[str, bool]) -> list[type]:
    """A few classes, made by a decorator with these options."""

    @decorator(**options)
    class Nothing:
        """No field at all."""

    @decorator(**options)
    class Point:
        """Fields with and without defaults."""

        limit: ClassVar[int] = 9
        x: int
        y: int = 2
        names: dict[str, int] = dataclasses.field(default_factory=dict, hash=False)
        note: str = dataclasses.field(default="", compare=False, repr=False)

    @decorator(**options)
    class Checked:
        """A field that is checked."""

        x: int

        def __post_init__(self) -> None:
            if self.x < 0:
                raise ValueError("x")

    @decorator(**options)
    class Own:
        """Methods of its own."""

        x: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

    @decorator(**options)
    class Derived(Point):
        """A field more."""

        z: int = 3

    return [Nothing, Point, Checked, Own, Derived]


PAIRS = [
    pair
    for options in OPTIONS
    for pair in zip(declared(values.dataclass, options), declared(dataclasses.dataclass, options), strict=True)
]
every_pair = pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=lambda kind: kind.__name__)


def said(work: Callable[[], object]) -> tuple[str, str]:
    """What comes of some work: a value or an error, in words."""
    try:
        return "value", repr(work())
    except Exception as error:  # whatever it is
        return type(error).__name__, str(error)


def calls() -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    yield (), {}
    yield (1,), {}
    yield (1, 5), {"note": "n"}
    yield (1, 5, {"a": 1}, "n"), {}
    yield (-1,), {}
    yield (1,), {"x": 2}
    yield (), {"q": 2}


@every_pair
def test_values_are_made_and_shown_alike(ours: type, theirs: type) -> None:
    for given, named in calls():
        assert said(lambda: ours(*given, **named)) == said(lambda: theirs(*given, **named))  # noqa: B023


@every_pair
def test_values_are_compared_and_hashed_alike(ours: type, theirs: type) -> None:
    made = [[kind(*args) for args in ((), (1,), (1, 2), (2,)) if said(lambda: kind(*args))[0] == "value"]  # noqa: B023
            for kind in (ours, theirs)]  # fmt: skip
    mine, others = ([[one == other for other in kind] for one in kind] for kind in made)
    assert mine == others
    assert [said(lambda: hash(one)) for one in made[0]] == [said(lambda: hash(one)) for one in made[1]]  # noqa: B023
    assert all(one != other for one, other in zip(*made, strict=True)) or ours.__name__ == "Own"


@every_pair
def test_values_cannot_be_changed(ours: type, theirs: type) -> None:
    change: Callable[[Any], None]
    for change in (lambda one: setattr(one, "x", 2), lambda one: delattr(one, "x")):
        mine, others = (said(lambda: change(kind(1))) for kind in (ours, theirs))  # noqa: B023
        assert mine == others
        assert mine[0] != "value"
    one = ours(*[1] * bool(dataclasses.fields(ours)))
    assert said(lambda: setattr(one, "q", 2))[0] != "value"


@every_pair
def test_classes_describe_themselves_alike(ours: type, theirs: type) -> None:
    for look in (
        dataclasses.fields,
        inspect.signature,
        lambda kind: kind.__match_args__,
        lambda kind: kind.__slots__,
    ):
        assert said(lambda: look(ours)) == said(lambda: look(theirs))  # noqa: B023
    assert ours.__init__.__annotations__ == theirs.__init__.__annotations__  # type: ignore[misc]
    assert dataclasses.is_dataclass(ours)
    assert vars(ours)["__dataclass_params__"].frozen


@every_pair
def test_values_are_replaced_alike(ours: type, theirs: type) -> None:
    for changes in ({}, {"x": 5}, {"x": 5, "y": 3}, {"x": -1}, {"q": 1}):
        mine, others = (
            said(lambda: change(kind(*[1] * bool(dataclasses.fields(kind))), **changes))  # noqa: B023
            for kind, change in ((ours, values.replace), (theirs, dataclasses.replace))
        )
        assert mine == others


def test_what_is_kept_of_a_value_is_not_kept_of_its_successor() -> None:
    @values.dataclass(frozen=True)
    class Square:
        side: int

        @cached_property
        def area(self) -> int:
            return self.side**2

    square = Square(2)
    assert square.area == 4
    assert values.replace(square, side=3).area == 9


def test_a_class_that_is_made_otherwise_is_replaced_otherwise() -> None:
    """One that freezes what it is made of must do so each time."""

    @freezing
    @values.dataclass(frozen=True)
    class Hand:
        pieces: Mapping[str, int]

    assert type(values.replace(Hand({}), pieces={"S": 2}).pieces) is Frozen


def test_values_are_copied_replaced_and_pickled() -> None:
    span = Span(1, 2)
    document = move_list("P a1-b2")
    assert dataclasses.replace(document, text="").text == ""
    assert [copy(span), pickle.loads(pickle.dumps(span)), dataclasses.replace(span, line=1)] == [span] * 3
    assert dataclasses.asdict(span) == {"line": 1, "column": 2}


def test_a_field_that_is_no_parameter_is_refused() -> None:
    with pytest.raises(TypeError, match="must be a parameter"):
        values.dataclass(**FROZEN)(type("A", (), {"__annotations__": {"x": int}, "x": dataclasses.field(init=False)}))


def test_other_options_are_those_of_the_standard_library() -> None:
    @values.dataclass
    class Plain:
        x: int

    plain = Plain(1)
    plain.x = 2
    assert plain == Plain(2)
