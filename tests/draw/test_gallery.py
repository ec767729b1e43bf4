"""Pictures in a gallery are those that `scene_svg` makes one by one."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest

import referee
from referee.draw import drawing
from referee.draw.scenes.gallery import Gallery
from referee.draw.scenes.svg import NAMESPACE, scene_svg

BEGINNERS = Path("games/beams/beginners.yaml")


def grown(gallery: Gallery, number: int) -> ElementTree.Element:
    first, *content = cast(Any, gallery.nodes[number])
    named = isinstance(first, str)
    element = ElementTree.Element(*((first, *content) if named else cast(Any, gallery.nodes[first])))
    for child in () if named else content:
        if isinstance(text := gallery.nodes[child], str):
            element.text = (element.text or "") + text
        else:
            element.append(grown(gallery, child))
    return element


@pytest.mark.slow
@pytest.mark.parametrize(("view", "most"), [("south", 15), ("south", 99), ("north", 99)])
def test_a_picture_grows_again(view: str, most: int) -> None:
    gallery = Gallery()
    scenes = [
        drawing("beams").scene(ply.position, view=view, events=ply.events)
        for ply in islice(referee.read(BEGINNERS).replay(), most)
    ]
    numbers = [gallery.hang(scene) for scene in scenes]
    for scene, number in zip(scenes, numbers, strict=True):
        whole = ElementTree.fromstring(scene_svg(scene).replace(f' xmlns="{NAMESPACE}"', ""))
        whole.remove(next(whole.iter("style")))
        again = grown(gallery, number)
        del again.attrib["xmlns"]
        assert ElementTree.tostring(again) == ElementTree.tostring(whole)


def test_equal_elements_are_there_once() -> None:
    gallery = Gallery()
    scene = drawing("beams").scene(referee.start("beams"), view="south")
    first = gallery.hang(scene)
    held = len(gallery.nodes)
    assert gallery.hang(scene) == first
    assert len(gallery.nodes) == held == len(set(map(repr, gallery.nodes)))
