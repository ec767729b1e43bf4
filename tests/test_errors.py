"""Errors keep all their data when they go from one process to another."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pkgutil import walk_packages

import pytest

import referee
from referee.desk import BrokenGameError, StoreError
from referee.errors import (
    FileError,
    Finding,
    IllegalMove,
    NotationError,
    OptionError,
    PackageFault,
    RefereeError,
    Refusal,
    Span,
)
from referee.game import GameFile
from referee.game.file.explanation import DraftError
from tests.support.rows import each

MADE: dict[type[Exception], RefereeError | PackageFault] = {
    RefereeError: RefereeError("code", "a sentence", span=Span(2, 3), suggestions=("a", "b")),
    NotationError: NotationError("a sentence", text="P S", span=Span(1, 4), suggestions=("P S A2",), code="other"),
    Refusal: Refusal("stale", "a sentence"),
    IllegalMove: IllegalMove("occupied", "a sentence", span=Span(5, 6), suggestions=("R A2 L",)),
    OptionError: OptionError((("columns", "wrong"), ("rows", "wrong, too"))),
    BrokenGameError: BrokenGameError("spring-7", "its package is missing"),
    PackageFault: PackageFault("a sentence"),
    StoreError: StoreError("store", "a sentence", span=Span(1, 1), suggestions=("c",)),
    FileError: FileError("a.yaml", (Finding("a", "b", 3, 4, ("c",), "d", 5), Finding("e", "f")), unreadable=True),
    DraftError: DraftError(GameFile("beams", file="a.yaml"), (Finding("a", "b", 3, 4),)),
}


def kinds(of: type[Exception]) -> Iterator[type[Exception]]:
    """The class and all its subclasses in the package."""
    yield of
    for one in of.__subclasses__():
        yield from kinds(one)


def thrown(number: int) -> None:
    """Raise one of the errors."""
    raise list(MADE.values())[number]


def test_every_error_is_made_here() -> None:
    for module in walk_packages(referee.__path__, "referee."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    assert {*kinds(RefereeError), *kinds(PackageFault)} == set(MADE)


def test_a_fault_of_a_package_is_no_refusal() -> None:
    assert not issubclass(PackageFault, RefereeError)


AGAIN = [copy.copy, copy.deepcopy, *(lambda one, p=p: pickle.loads(pickle.dumps(one, p)) for p in (0, 2, 5))]


@each(MADE.values(), name=lambda error: type(error).__name__)
def test_an_error_keeps_what_it_carries(error: RefereeError | PackageFault) -> None:
    for again in AGAIN:
        twin = again(error)
        assert twin is not error
        assert (type(twin), twin.args, vars(twin), str(twin)) == (type(error), error.args, vars(error), str(error))


@pytest.mark.slow
def test_errors_come_back_from_another_process() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for number, error in enumerate(MADE.values()):
            with pytest.raises(type(error)) as caught:
                pool.submit(thrown, number).result(timeout=60)
            assert vars(caught.value).keys() >= vars(error).keys()
            assert {name: vars(caught.value)[name] for name in vars(error)} == vars(error)
