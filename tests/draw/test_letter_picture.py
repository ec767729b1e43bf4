"""The picture of a letter: small, sharp on a telephone, and in the colours of the board."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image

import referee
from referee.draw import drawing
from referee.draw.record import LETTER_BYTES, letter_picture
from referee.rules import Event, Position
from tests.support.examples import sampled
from tests.support.playthroughs import examples
from tests.support.strategies import random_play

LARGEST: tuple[dict[str, int], ...] = (
    {},
    {"columns": 51, "rows": 26},
    {"columns": 51, "rows": 5},
    {"columns": 7, "rows": 26},
)
ACCENTS = {
    "beams": ("#0b57d0", "#fbbc04", "#d93025", "#188038"),
    "boundary": ("#1b7a3c", "#1d4ca3", "#f4a79f", "#fbd65a"),
    "the-beam": ("#c2185b", "#1e8a44", "#2a63c4", "#c5221f"),
    "laser-chess": ("#174ea6", "#e6007e", "#d93025", "#a50e0e"),
}
"""Colours with a meaning."""


def drawn(file: bytes) -> Image.Image:
    return Image.open(BytesIO(file))


def last_of(game: str) -> tuple[Position, tuple[Event, ...]]:
    """A position of an example from the middle of the game, and the events before it."""
    plies = [*referee.read(examples(game)[0]).replay()]
    ply = plies[len(plies) // 2]
    return ply.position, ply.events


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(referee.GAMES, 4))
def test_a_picture_is_small_and_sharp_and_has_the_colours_of_the_game(game: str) -> None:
    position, events = last_of(game)
    file = letter_picture(position, position.sides[-1], events)
    image = drawn(file)
    assert len(file) <= LETTER_BYTES
    assert image.mode == "P"
    assert 520 <= image.width <= 720, "a letter shows it at most 400 wide"
    assert image.height < 1200
    full = image.convert("RGB")
    assert full.getpixel((0, 0)) == (255, 255, 255)
    found = {colour for _, colour in full.getcolors(256) or ()}
    wanted = {tuple(bytes.fromhex(colour[1:])) for colour in ACCENTS[game]}
    # A beam is not quite opaque.
    assert len(wanted - found) <= (game == "beams")


@pytest.mark.slow
def test_parts_next_to_the_board_are_left_out() -> None:
    position, events = last_of("the-beam")
    scene = drawing("the-beam").scene(position, view="p1")
    assert scene.board_width is not None
    image = drawn(letter_picture(position, "p1", events))
    assert image.height == pytest.approx(image.width * scene.height / scene.board_width, abs=1)
    right = image.convert("RGB").crop((image.width - 6, 0, image.width, image.height))
    assert right.getcolors() == [(6 * image.height, (255, 255, 255))]


@pytest.mark.slow
def test_each_side_gets_its_own_view_and_the_last_move_is_marked() -> None:
    position, events = last_of("laser-chess")
    pictures = {letter_picture(position, side, marks) for side in position.sides for marks in ((), events)}
    assert len(pictures) == 4
    with pytest.raises(referee.RefereeError, match="unknown-side"):
        letter_picture(position, "south")


def crowded() -> Iterator[tuple[Position, tuple[Event, ...]]]:
    """The ends of games on the largest boards, and every example."""
    for options in LARGEST:
        *_, last = random_play("beams", 5, options, 70)
        yield last.after, last.before.events(last.moves, last.after)
    for game in referee.GAMES:
        for file in examples(game):
            *_, ply = referee.read(file).replay()
            yield ply.position, ply.events


@pytest.mark.slow
def test_crowded_and_large_boards_stay_small() -> None:
    for position, events in crowded():
        for side in position.sides[:2]:
            file = letter_picture(position, side, events)
            image = drawn(file)
            assert len(file) <= LETTER_BYTES, position
            assert image.width >= 310 or image.height >= 1000, (image.size, position)


@pytest.mark.slow
def test_a_picture_that_is_too_large_gets_narrower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.draw.record.LETTER_BYTES", 8_000)
    position, events = last_of("laser-chess")
    image = drawn(letter_picture(position, "blue", events))
    assert 120 <= image.width < 720
    assert image.height == pytest.approx(
        image.width * (scene := drawing("laser-chess").scene(position, view="blue")).height / scene.width, abs=1
    )
