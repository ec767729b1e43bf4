"""Pictures as one table of elements, from which a page's script draws them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from xml.etree.ElementTree import Element

from referee.draw.scenes.scene import Group, Scene, Shape
from referee.draw.scenes.svg import element, root_element


class _Node(NamedTuple):
    """An element; `children` are the numbers of earlier nodes."""

    name: str
    attributes: dict[str, str]
    text: str
    children: tuple[int, ...]


class Gallery:
    """Many pictures of one game as a table of elements; equal elements share an entry."""

    def __init__(self) -> None:
        self.nodes: list[_Node] = []
        self._numbers: dict[str, int] = {}
        self._shapes: dict[Shape, int] = {}

    def hang(self, scene: Scene, *, name: str = "board") -> int:
        """Add a scene, as in `scene_svg` without its style; return the number of its root."""
        return self._number(root_element(scene, name=name), map(self._shape, scene.shapes))

    @property
    def styles(self) -> set[str]:
        """The style attributes of the elements."""
        return {node.attributes["style"] for node in self.nodes if "style" in node.attributes}

    def _shape(self, shape: Shape) -> int:
        # Looked up once: the hash of a shape is that of all that is in it.
        number = self._shapes.get(shape)
        if number is None:
            inside = shape.shapes if isinstance(shape, Group) else ()
            number = self._shapes[shape] = self._number(element(shape), map(self._shape, inside))
        return number

    def _number(self, drawn: Element, inside: Iterable[int] = ()) -> int:
        """The number of an element with its own children and, after them, the nodes `inside`."""
        node = _Node(drawn.tag, drawn.attrib, drawn.text or "", (*map(self._number, drawn), *inside))
        number = self._numbers.setdefault(repr(node), len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number
