"""Pictures as one table of elements, from which a page's script draws them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from xml.etree.ElementTree import Element

from referee.draw.scenes.scene import Group, Scene, Shape
from referee.draw.scenes.svg import element, root_element

Node = str | tuple[str, dict[str, str]] | tuple[int, ...]
"""A text; an element without content; or the number of one, and the numbers of what is in it."""

_SENTENCES = re.compile(r"(?<=[.;] )")
"""The words of neighbouring positions differ in few sentences."""


class Gallery:
    """Many pictures of one game as a table of elements; equal ones, and equal sentences, share an entry."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._numbers: dict[Hashable, int] = {}
        self._shapes: dict[Shape, int] = {}
        self._seen: dict[int, tuple[Shape, int]] = {}

    def hang(self, scene: Scene, *, name: str = "board") -> int:
        """Add a scene, as in `scene_svg` without its style; return the number of its root."""
        return self._number(root_element(scene, name=name), map(self._shape, scene.shapes))

    @property
    def styles(self) -> set[str]:
        """The style attributes of the elements."""
        attributes = (node[1] for node in self.nodes if not isinstance(node, str) and len(node) > 1)
        return {one["style"] for one in attributes if isinstance(one, dict) and "style" in one}

    def _shape(self, shape: Shape) -> int:
        # The hash of a shape is that of all that is in it: one that is seen again is known by itself.
        if (seen := self._seen.get(id(shape))) is not None:
            return seen[1]
        number = self._shapes.get(shape)
        if number is None:
            inside = shape.shapes if isinstance(shape, Group) else ()
            number = self._shapes[shape] = self._number(element(shape), map(self._shape, inside))
        self._seen[id(shape)] = shape, number
        return number

    def _number(self, drawn: Element, inside: Iterable[int] = ()) -> int:
        """The number of an element with its own content and, after it, the nodes `inside`."""
        texts = map(self._entry, filter(None, _SENTENCES.split(drawn.text or "")))
        content = (*texts, *map(self._number, drawn), *inside)
        number = self._entry((drawn.tag, drawn.attrib), (drawn.tag, *drawn.attrib.items()))
        return self._entry((number, *content)) if content else number

    def _entry(self, node: Node, key: Hashable = None) -> int:
        """The number of a node; the key is equal for equal ones, by default the node itself."""
        number = self._numbers.setdefault(key or node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number
