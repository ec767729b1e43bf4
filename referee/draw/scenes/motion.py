"""Scenes one after another as one picture that moves: SVG for pages, PNG for places that accept nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from referee.draw.scenes.png import scene_png
from referee.draw.scenes.scene import Group, Scene, Shape, every
from referee.draw.scenes.svg import element, root_element, stylesheet
from referee.extras import extra

_SECONDS, _LAST = 1.2, 3
"""Seconds for which a scene is shown, and how many times as long the last one stays."""


def moving_svg(scenes: Sequence[Scene]) -> str:
    """The scenes as an SVG document; it stands at the last one for readers who prefer no motion.

    What several scenes have in common is in it once.
    """
    last = scenes[-1]
    root, counts = root_element(last), Counter[Shape]()
    for scene in scenes:
        counts.update({*every(scene.shapes)})
    whole = (len(scenes) - 1 + _LAST) * _SECONDS
    rules = [
        ".film { visibility: hidden } .film-end { visibility: visible }",
        "@media (prefers-reduced-motion: no-preference) {",
        f"  .film {{ visibility: hidden; animation: shown {whole:g}s step-end infinite }}",
        "  .film-end { animation-name: last }",
        *_keyframes("shown", _SECONDS / whole),
        *_keyframes("last", _LAST * _SECONDS / whole),
        *(f"  .film-{place} {{ animation-delay: {place * _SECONDS:g}s }}" for place in range(len(scenes))),
        "}",
    ]
    # What is used from elsewhere has no ancestors there, so that rules name shapes alone.
    paints = stylesheet(last).replace(".board .", ".").replace(".board text", "text")
    SubElement(root, "style").text = "\n".join((paints, *rules))
    shared, drawer = SubElement(root, "defs"), dict[Shape, str]()

    def add(parent: Element, shape: Shape) -> None:
        if counts[shape] < 2:
            parent.append(_drawn(shape))
            return
        if shape not in drawer:
            drawer[shape] = f"s{len(drawer)}"
            made = _drawn(shape)
            made.set("id", drawer[shape])
            shared.append(made)
        SubElement(parent, "use", {"href": f"#{drawer[shape]}"})

    def _drawn(shape: Shape) -> Element:
        made = element(shape)
        for inside in shape.shapes if isinstance(shape, Group) else ():
            add(made, inside)
        return made

    for place, scene in enumerate(scenes):
        last_one = " film-end" if scene is last else ""
        frame = SubElement(root, "g", {"class": f"film film-{place}{last_one}"})
        for shape in scene.shapes:
            add(frame, shape)
    return tostring(root, encoding="unicode")


def _keyframes(name: str, share: float) -> Iterator[str]:
    yield f"  @keyframes {name} {{ 0% {{ visibility: visible }} {100 * share:.4f}% {{ visibility: hidden }} }}"


def moving_png(scenes: Sequence[Scene], *, width: int = 480) -> bytes:
    """The scenes as an animated PNG picture, which shows the last one where nothing moves.

    Raises:
        RefereeError: `picture-size` or `missing-extra`.
    """
    images = extra("PIL.Image", "pictures")
    frames: list[Any] = [images.open(BytesIO(scene_png(scene, width=width))).convert("RGB") for scene in scenes]
    palette = frames[-1].quantize(256, dither=images.Dither.NONE)
    still, *others = (one.quantize(palette=palette, dither=images.Dither.NONE) for one in (frames[-1], *frames))
    file, times = BytesIO(), [int(1000 * _SECONDS)] * (len(scenes) - 1) + [int(1000 * _SECONDS * _LAST)]
    still.save(file, "PNG", save_all=True, append_images=others, default_image=True, duration=[0, *times], loop=0)
    return file.getvalue()
