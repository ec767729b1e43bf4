"""Scenes: the content of the picture of any position, well-formed SVG, and its look when tiny."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import referee
from referee.draw import drawing
from referee.draw.scenes.scene import NONE, Circle, Group, Label, Paint, Point, Polygon, Polyline, Scene, Shape
from referee.draw.scenes.svg import NAMESPACE, scene_svg
from referee.rules import Event, Position
from referee.rules.beams import BeamsPosition
from tests.draw.golden_scenes import KEPT, picture, text
from tests.draw.test_beams_text import changed_beams, changed_counters, some_game
from tests.support.playthroughs import examples, sampled_examples
from tests.support.positions import the_beam
from tests.support.strategies import plies

TAGS = {"svg", "title", "desc", "style", "g", "polygon", "polyline", "circle", "text"}
TURNED = ("beams", "boundary", "laser-chess")
HOSTILE = (
    "<script>alert(1)</script>",
    "]]></title><script>",
    "\"quotes' & &amp; <!-- --> \x00\x1b\ud800",
    "\u0141ukasz \u9673 \u0639\u0631\u0628\u0649",
)


@cache
def shown(file: Path) -> tuple[tuple[Position, tuple[Event, ...]], ...]:
    """Every position of an example with the events before it."""
    game = referee.read(file)
    return ((game.start(), ()), *((ply.position, ply.events) for ply in game.replay()))


def views(game: str) -> tuple[str, ...]:
    """The views of a game that are different pictures."""
    sides = referee.start(game).sides
    return sides if game in TURNED else sides[:1]


@pytest.mark.slow
@pytest.mark.parametrize("file", sampled_examples())
def test_every_position_of_an_example_is_a_well_formed_picture(file: Path) -> None:
    game = file.parent.name
    for position, events in shown(file):
        for view in views(game):
            scene = drawing(game).scene(position, view=view, events=events)
            assert_painted(scene)
            assert_inside(scene)
            assert_plain(scene_svg(scene), scene)


def assert_plain(picture: str, scene: Scene) -> None:
    """The SVG parses, has its title and description, and nothing in it runs or is fetched."""
    root = ElementTree.fromstring(picture)
    found = [element.tag.removeprefix(f"{{{NAMESPACE}}}") for element in root.iter()]
    assert set(found) <= TAGS
    assert found[:3] == ["svg", "title", "desc"]
    assert (root[0].text, root[1].text) == (scene.title, scene.description)
    assert scene.title
    assert scene.description.endswith(".")
    for element in root.iter():
        assert not [name for name in element.attrib if name.startswith("on") or "href" in name]
    assert "url(" not in picture
    assert "@import" not in picture


def walked(shapes: Iterable[Shape], around: tuple[str, ...] = ()) -> Iterator[tuple[Shape, tuple[str, ...]]]:
    """Every shape that is no group, with the classes of the groups around it."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from walked(shape.shapes, (*around, *shape.classes))
        else:
            yield shape, around


def paint_of(scene: Scene, *classes: str) -> Paint:
    """The paint of a shape with these classes."""
    ((_, paint),) = replace(scene, shapes=(Circle((0, 0), 1, classes),)).marks()
    return paint


def assert_painted(scene: Scene) -> None:
    """Every shape is visible, and all its classes are defined."""
    worn = {(isinstance(shape, Label), around, shape.classes) for shape, around in walked(scene.shapes)}
    for is_label, around, classes in worn:
        assert set(classes) <= set(scene.paints)
        paint = paint_of(scene, *around, *classes)
        assert paint.fill != NONE or paint.stroke != NONE, classes
        assert paint.fill != NONE or not is_label, classes
    assert all(shape.text.strip() for shape, _ in walked(scene.shapes) if isinstance(shape, Label))


def assert_inside(scene: Scene) -> None:
    """No point lies outside the picture."""
    for shape, _ in walked(scene.shapes):
        for x, y in points(shape):
            assert -0.01 <= x <= scene.width + 0.01, shape
            assert -0.01 <= y <= scene.height + 0.01, shape


def points(shape: Shape) -> list[Point]:
    match shape:
        case Circle(centre, radius):
            return [(centre[0] + away, centre[1] + away) for away in (-radius, radius)]
        case Label(at, written, size):
            half = len(written) * size * 0.3
            return [(at[0] - half, at[1] - size / 2), (at[0] + half, at[1] + size / 2)]
        case Group():
            return []
        case _:
            return list(shape.points)


@pytest.mark.parametrize("game", referee.GAMES)
def test_a_tiny_picture_is_as_it_is_kept(game: str) -> None:
    golden = KEPT / f"{game}.txt"
    assert golden.is_file(), "no scene is kept: python -m tests.draw.golden_scenes writes it"
    assert text(picture(game)) == golden.read_text(encoding="utf-8")


def test_the_scenes_that_are_kept_are_small_and_each_has_its_game() -> None:
    assert {file.stem for file in KEPT.glob("*.txt")} == set(referee.GAMES)
    assert all(file.stat().st_size < 6144 for file in KEPT.glob("*.txt"))


@pytest.mark.parametrize("game", referee.GAMES)
def test_paints_are_for_light_paper_for_dark_paper_or_for_both(game: str) -> None:
    scene = picture(game)
    light, dark, both = (scene_svg(scene, paper=paper) for paper in ("light", "dark", "both"))
    assert ("@media" in light, "@media" in dark, "@media" in both) == (False, False, True)
    paints = [colour for paint in scene.paints.values() for colour in (paint.fill, paint.stroke) if colour]
    for first, second in paints:
        assert first in light
        assert second in dark
        assert first in both
        assert second in both
    assert all(re.fullmatch("#[0-9a-f]{6}|none", colour) for pair in paints for colour in pair)
    for one in (light, dark, both):
        ElementTree.fromstring(one)


@pytest.mark.parametrize("game", referee.GAMES)
def test_labels_can_be_read_on_light_and_on_dark_paper(game: str) -> None:
    scene = picture(game)
    for paper, back in enumerate(("#ffffff", "#121417")):
        colour = paint_of(scene, "label").fill
        assert colour is not None
        assert contrast(colour[paper], back) >= 7


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 counts it, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_text_stays_text(hostile: str) -> None:
    shapes = (Label((5, 5), hostile, 8, ("a",)), Group(("a",), (), hostile))
    scene = Scene(10, 10, hostile, hostile, shapes, {"a": Paint(fill=("#000000", "#ffffff"))})
    root = ElementTree.fromstring(scene_svg(scene))
    texts = [element.text for element in root.iter() if element.tag.endswith(("}title", "}desc", "}text"))]
    seen = re.sub("[\x00\x1b\ud800]", "\ufffd", hostile)
    assert texts == [seen] * 4
    assert {element.tag.removeprefix(f"{{{NAMESPACE}}}") for element in root.iter()} <= TAGS


@pytest.mark.parametrize("game", TURNED)
def test_the_other_seat_sees_the_board_turned_by_half_a_turn(game: str) -> None:
    first, second = views(game)
    here, there = (picture(game, view) for view in (first, second))
    spots = [sorted(middles(scene)) for scene in (here, there)]
    turned = sorted((round(here.width - x, 1), round(here.height - y, 1)) for x, y in middles(here))
    assert (here.width, here.height) == (there.width, there.height)
    assert spots[1] == turned
    assert spots[0] != spots[1]


def middles(scene: Scene) -> Iterator[Point]:
    """The places of coins, tiles and stones."""
    for shape, _ in walked(scene.shapes):
        if isinstance(shape, Circle) and {"coin", "stone"} & {*shape.classes}:
            yield round(shape.centre[0], 1), round(shape.centre[1], 1)
        elif isinstance(shape, Polygon) and "tile" in shape.classes:
            xs, ys = zip(*shape.points, strict=True)
            yield round(sum(xs) / len(xs), 1), round(sum(ys) / len(ys), 1)


def test_the_beam_is_the_same_picture_for_all_players() -> None:
    assert {text(picture("the-beam", player)) for player in ("p1", "p2", "p3", "p4")} == {text(picture("the-beam"))}


def test_cards_that_are_not_turned_over_are_in_no_picture() -> None:
    known, more = ([[2, 3], [4, 5]], [[2, 3, 6, 6], [4, 5, 1, 1]])
    scenes = [picture_of([deck[:cards] for deck in decks]) for decks, cards in ((known, 1), (known, 2), (more, 4))]
    assert scenes[0] == scenes[1] == scenes[2]


def picture_of(decks: list[list[int]]) -> str:
    return scene_svg(drawing("the-beam").scene(the_beam({"decks": decks}), view="p1"))


@pytest.mark.slow
def test_a_full_position_of_beams_is_at_most_60_kilobytes() -> None:
    full = [ply for ply in plies("beams") if not ply.after.to_move or crowded(ply.after)]
    sizes = [
        len(scene_svg(drawing("beams").scene(ply.after, view="south")).encode()) for ply in full[:: len(full) // 12]
    ]
    assert sizes
    assert max(sizes) <= 60_000


@pytest.mark.slow
def test_the_changes_of_a_ply_glow() -> None:
    """The lines of the changed beams, and no others, have a glow below them; rings are around their counters."""
    game = some_game(15, 13, plies=30, seed=5)
    for ply in game.replay():
        scene = drawing("beams").scene(ply.position, view="north", events=ply.events)
        shapes = {one.classes[0]: one.shapes for one in scene.shapes if isinstance(one, Group)}
        marks = shapes.get("moves", ())
        lines = [one.shapes for one in shapes["beams"] if isinstance(one, Group)]
        changed = [lines[ply.position.beams.index(beam)] for beam in changed_beams(ply)]  # type: ignore[attr-defined]
        wanted = [one.points for group in changed for one in group if isinstance(one, Polyline)]
        assert [one.points for one in marks if isinstance(one, Polyline)] == wanted
        assert sum(isinstance(one, Circle) for one in marks) == len(changed_counters(ply))


def test_a_beam_that_leaves_has_a_head_and_one_that_stops_has_none() -> None:
    ends = set()
    for ply in plies("beams")[::40]:
        groups = {one.classes[0]: one.shapes for one in picture_after(ply.after).shapes if isinstance(one, Group)}
        for beam, drawn in zip(ply.after.beams, groups["beams"], strict=True):
            assert isinstance(drawn, Group)
            heads = [one.points[0] for one in drawn.shapes if isinstance(one, Polygon)]
            lines = [one.points for one in drawn.shapes if isinstance(one, Polyline)]
            assert heads == [lines[-1][-1]] * (beam.exit is not None)
            ends.add(bool(heads))
    assert ends == {True, False}


def picture_after(position: BeamsPosition) -> Scene:
    return drawing("beams").scene(position, view="north")


def test_hands_lie_before_their_owners() -> None:
    for ply in plies("beams")[::40]:
        groups = {one.classes[0]: one.shapes for one in picture_after(ply.after).shapes if isinstance(one, Group)}
        held = {(side, str(piece)): n for side, hand in ply.after.hands.items() for piece, n in hand.items() if n}
        told = {}
        for coin in groups["hands"]:
            assert isinstance(coin, Group)
            (label,) = (one for one in coin.shapes if isinstance(one, Label))
            piece, _, number = label.text.partition(" \u00d7")
            told[coin.classes[1].removeprefix("piece-"), piece] = int(number or 1)
        assert told == held


def test_the_lines_of_coins_stand_out_on_light_and_on_dark_paper() -> None:
    scene = picture("beams")
    for side in ("south", "north"):
        coin, line, edge = (paint_of(scene, name) for name in (f"coin-{side}", f"line-{side}", "barrier-line"))
        assert coin.fill is not None
        assert line.stroke is not None
        assert edge.stroke is not None
        for paper in (0, 1):
            assert contrast(line.stroke[paper], coin.fill[paper]) >= 4.5
            assert contrast(edge.stroke[paper], coin.fill[paper]) >= 7


def crowded(position: Position) -> bool:
    """True if both hands are empty."""
    assert isinstance(position, BeamsPosition)
    return not any(number for hand in position.hands.values() for number in hand.values())


@pytest.mark.slow
def test_every_example_of_beams_is_at_most_60_kilobytes() -> None:
    for file in examples("beams"):
        position, events = shown(file)[-1]
        for view in ("south", "north"):
            assert len(scene_svg(drawing("beams").scene(position, view=view, events=events)).encode()) <= 60_000


def test_a_colour_alone_is_no_pair() -> None:
    with pytest.raises(TypeError, match="expected a pair of colours, for light and for dark paper, not '#888888'"):
        Paint(stroke="#888888")  # type: ignore[arg-type] # on purpose
