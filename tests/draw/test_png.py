"""Pictures as PNG: the size, the paper, and the text, which must really be there."""

from __future__ import annotations

import sys
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, features

from referee.draw import drawing
from referee.draw.scenes.png import scene_png
from referee.draw.scenes.scene import MISSING, Circle, Group, Label, Paint, Polygon, Polyline, Scene, legible
from referee.errors import RefereeError
from referee.rules import GAMES, start
from tests.support.examples import sampled

EMPTY = Scene(300, 60, "", "", (), {"text": Paint(fill=("#1b1b1b", "#f1f1f1")), "bold": Paint(bold=True)})
NAMES = ("Ada Lovelace", "Łukasz", "Ελένη", "Дарья", "عربى", "עברית", "\u9673", "\U0001f9d9")


def lettered(text: str, *classes: str) -> Scene:
    return replace(EMPTY, shapes=(Label((150, 30), text, 30, ("text", *classes)),))


def picture(file: bytes) -> Image.Image:
    return Image.open(BytesIO(file)).convert("RGB")


def ink(scene: Scene, paper: str = "light") -> int:
    """The number of pixels that differ from the paper."""
    image = picture(scene_png(scene, width=300, paper=paper))
    paper_alone = image.getpixel((0, 0))
    return sum(number for number, colour in image.getcolors(1 << 20) or () if colour != paper_alone)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("width", sampled([400, 16], 2))
def test_every_game_at_any_size(game: str, width: int) -> None:
    position = start(game)
    scene = drawing(game).scene(position, view=position.sides[0])
    image = picture(scene_png(scene, width=width))
    assert image.width == width
    assert image.height == pytest.approx(width * scene.height / scene.width, abs=1)


@pytest.mark.slow
@pytest.mark.parametrize("paper", sampled(["light", "dark"], 2))
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_a_picture_has_a_palette_with_the_colours_of_its_paints(game: str, paper: str) -> None:
    scene = drawing(game).scene(start(game), view=start(game).sides[0])
    file = scene_png(scene, paper=paper)
    image = Image.open(BytesIO(file))
    assert (image.mode, image.width) == ("P", 1000)
    assert len(file) < 90_000
    ground = "#ffffff" if paper == "light" else "#202124"
    assert image.convert("RGB").getpixel((0, 0)) == tuple(bytes.fromhex(ground[1:]))


@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_what_is_still_is_drawn_once_and_looks_the_same(game: str) -> None:
    scene = drawing(game).scene(start(game), view=start(game).sides[-1])
    moving = tuple(replace(one, still=False) if isinstance(one, Group) else one for one in scene.shapes)
    assert moving != scene.shapes or game not in GAMES
    drawn = {scene_png(one, width=500) for one in (scene, scene, replace(scene, shapes=moving))}
    assert len(drawn) == 1


@pytest.mark.parametrize("paper", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_text_is_there(name: str, paper: str) -> None:
    assert ink(EMPTY, paper) == 0
    assert ink(lettered(name), paper) > 100


BLUE, PINK, RED = ("#2e5db8",) * 2, ("#ff5aa8",) * 2, ("#cc0000", "none")


def test_what_shows_through_a_mark_has_its_colour_mixed_with_the_mark() -> None:
    both = ((0.0, 0.0), (300.0, 0.0), (300.0, 60.0), (0.0, 60.0))
    scene = replace(
        EMPTY,
        shapes=(Polygon(both, ("ground",)), Circle((150, 30), 20, ("glow",))),
        paints={"ground": Paint(fill=BLUE), "glow": Paint(fill=PINK, opacity=0.25)},
    )
    mixed = picture(scene_png(scene, width=300)).getpixel((150, 30))
    assert mixed == pytest.approx((98, 92, 180), abs=4)


def test_a_line_has_no_spikes_where_it_turns_sharply() -> None:
    turn = Polyline(((20, 10), (220, 30), (20, 50)), ("line",))
    scene = replace(EMPTY, shapes=(turn,), paints={"line": Paint(stroke=RED, width=10, opacity=0.6)})
    image = picture(scene_png(scene, width=300))
    assert {image.getpixel((x, 30)) for x in range(230, 300)} == {(255, 255, 255)}


@pytest.mark.parametrize("paper", ["light", "dark"])
def test_a_colour_can_be_for_one_paper_alone(paper: str) -> None:
    scene = replace(EMPTY, shapes=(Circle((150, 30), 20, ("spot",)),), paints={"spot": Paint(fill=RED)})
    assert (ink(scene, paper) > 0) == (paper == "light")


@pytest.mark.parametrize("dash", [(0.0, 0.0), (0.0,)])
def test_a_dash_without_length_is_a_whole_line(dash: tuple[float, ...]) -> None:
    scene = replace(EMPTY, shapes=(Polyline(((20, 30), (220, 30)), ("line",)),))
    lines = [replace(scene, paints={"line": Paint(stroke=RED, width=4, dash=one)}) for one in (dash, ())]
    assert ink(lines[0]) == ink(lines[1]) > 700


def test_bold_text_is_bolder() -> None:
    assert ink(lettered("quarter", "bold")) > 1.2 * ink(lettered("quarter"))


@pytest.mark.slow
def test_the_labels_of_a_board_are_there() -> None:
    scene = drawing("beams").scene(start("beams"), view="south")
    without = replace(scene, shapes=tuple(one for one in scene.shapes if "labels" not in one.classes))
    assert ink(scene) > ink(without) + 500


@pytest.mark.skipif(not features.check("fribidi"), reason="needs the system's FriBiDi")
def test_letters_join_where_they_are_joined() -> None:
    assert scene_png(lettered("محمد")) != scene_png(lettered("م\u200cح\u200cم\u200cد"))


@pytest.mark.parametrize(
    ("text", "shown"), [("\u9673", "\u25a1"), ("Jan \u9673\u5143 !", "Jan \u25a1\u25a1 !"), ("\x07", "\u25a1")]
)
def test_a_character_without_a_glyph_is_a_square(text: str, shown: str) -> None:
    assert legible(text) == shown
    if text.isprintable():
        assert scene_png(lettered(text)) == scene_png(lettered(shown))


def test_characters_with_a_glyph_stay() -> None:
    assert MISSING not in "".join(map(legible, NAMES[:6]))


@pytest.mark.slow
def test_a_picture_is_always_the_same() -> None:
    scene = drawing("beams").scene(start("beams"), view="south")
    assert scene_png(scene, width=200) == scene_png(scene, width=200)


@pytest.mark.parametrize(
    ("width", "paper", "code"),
    [(15, "light", "picture-size"), (10_001, "light", "picture-size"), (100, "a4", "unknown-paper")],
)
def test_values_that_cannot_be_drawn(width: int, paper: str, code: str) -> None:
    with pytest.raises(RefereeError) as raised:
        scene_png(EMPTY, width=width, paper=paper)
    assert raised.value.code == code


def test_a_picture_has_64_million_pixels_at_most() -> None:
    tall = replace(EMPTY, width=100, height=6_400)
    with pytest.raises(RefereeError, match=r"16 to 1000 pixels wide, not 1001") as raised:
        scene_png(tall, width=1001)
    assert raised.value.code == "picture-size"


@pytest.mark.parametrize("library", ["PIL.Image", "aggdraw"])
def test_without_a_library_the_error_says_how_to_get_it(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(RefereeError, match=r"pip install 'referee\[pictures\]'") as raised:
        scene_png(EMPTY)
    assert raised.value.code == "missing-extra"
