"""Removed code does not come back: each thing is done in one place, which the table names."""

from __future__ import annotations

from tests.support.rows import each
from tests.support.sources import PACKAGE, texts

PLACES: dict[str, tuple[str, set[str]]] = {
    "a second chart": ("viewBox", {"draw/scenes/svg.py"}),
    "a second codec of typed values": ("get_type_hints", {"rules/codec.py"}),
    "Ed25519 by hand outside the page": ("sha512", {"web/onepage/curve.py"}),
    "a lazy table of a module": ("def __getattr__(name: str)", {"__init__.py"}),
    "a page with a composer alone": ("composer_page", set()),
    "a twin of dataclasses": ("referee.values", set()),
    "a reader of plain YAML": ("plain_yaml", set()),
}


@each(PLACES)
def test_a_thing_is_done_in_one_place(thing: str) -> None:
    word, places = PLACES[thing]
    assert {path.as_posix() for path, text in texts().items() if word in text} == places


def test_nothing_is_compiled() -> None:
    build = PACKAGE.with_name("pyproject.toml").read_text(encoding="utf-8").casefold()
    assert not [word for word in ("cython", "mypyc", "setuptools", "build.hooks") if word in build]
