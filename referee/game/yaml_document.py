"""YAML, strictly: nothing repeated, aliased, tagged, or turned into something else passes silently."""

from __future__ import annotations

import re
from typing import Any

import yaml

from referee.errors import Finding, Span
from referee.game.document import DEEPEST, Document, Key

_TAG = "tag:yaml.org,2002:"
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")
_KEPT_AS_TEXT = {("date",)}
_BECOMES = {
    "bool": "a truth value",
    "int": "another number",
    "float": "another number",
    "timestamp": "a date",
    "null": "nothing at all",
    "merge": "a merge of mappings",
    "value": "a default value",
}


class StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """PyYAML's C loader; only its nodes are used, so that every value keeps its place."""


def parse(text: str) -> Document:
    """The data of a YAML text, with every finding about the text itself."""
    try:
        fault = _too_deep(text)
        root = None if fault else yaml.compose(text, Loader=StrictLoader)
    except yaml.YAMLError as error:
        root, fault = None, _syntax(text, error)
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        root, fault = None, Finding("yaml", "a half of a surrogate pair is not a character", line)
    reading = _Reading(text)
    data = reading.value(root, ()) if root is not None else None
    findings = (fault,) if fault else tuple(reading.findings)
    places = _Places(text, root)
    return Document(text, data, findings, "yaml", places.place, places.inside)


class _Reading:
    """One walk over the nodes: their plain data, and what is wrong with them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.findings: list[Finding] = []
        self._seen: set[int] = set()

    def value(self, node: yaml.Node, key: Key) -> Any:  # noqa: ANN401 - plain data of any shape
        """The data of a node."""
        if id(node) in self._seen:
            alias = next(one for one in yaml.parse(self.text, StrictLoader) if isinstance(one, yaml.AliasEvent))
            self._find("alias", "aliases (*...) are not allowed in game files: write the value out", alias)
            return None
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            self._tagged(node, "map")
            return self._mapping(node, key)
        if isinstance(node, yaml.SequenceNode):
            self._tagged(node, "seq")
            return [self.value(item, (*key, place)) for place, item in enumerate(node.value)]
        assert isinstance(node, yaml.ScalarNode)
        return self._scalar(node, key)

    def _mapping(self, node: yaml.MappingNode, key: Key) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for name_node, value_node in node.value:
            if not isinstance(name_node, yaml.ScalarNode):
                self._find("wrong-type", "a key must be a word", name_node)
                continue
            name = str(name_node.value)
            if name_node.tag == _TAG + "merge":
                self._find("alias", "merge keys (<<) are not allowed in game files", name_node)
                continue
            if name in data:
                self._find("repeated-key", f"the key {name!r} stands here for the second time", name_node)
            data[name] = self.value(value_node, (*key, name))
        return data

    def _scalar(self, node: yaml.ScalarNode, key: Key) -> Any:  # noqa: ANN401 - text, number, truth or None
        text = str(node.value)
        if node.style:
            self._tagged(node, "str")
            return text
        kind = node.tag.removeprefix(_TAG)
        if kind == "str" or key in _KEPT_AS_TEXT:
            return text
        if kind == "int" and _WHOLE.fullmatch(text):
            return int(text)
        if kind == "float" and _FRACTION.fullmatch(text):
            return float(text)
        if kind == "bool" and text in ("true", "false"):
            return text == "true"
        if kind == "null" and text in ("", "null"):
            return None
        if kind in _BECOMES:
            message = f"programs that read YAML make {_BECOMES[kind]} of {text!r}: put it in quotes if it is text"
            self._find("ambiguous", message, node, (f'"{text}"',))
        else:
            self._find("tag", "tags (!...) are not allowed in game files", node)
        return text

    def _tagged(self, node: yaml.Node, kind: str) -> None:
        if node.tag != _TAG + kind:
            self._find("tag", "tags (!...) are not allowed in game files", node)

    def _find(self, code: str, message: str, node: yaml.Node | yaml.Event, suggestions: tuple[str, ...] = ()) -> None:
        mark = node.start_mark
        assert mark is not None
        excerpt = self.text.split("\n")[mark.line : mark.line + 1] or [""]
        self.findings.append(Finding(code, message, mark.line + 1, mark.column + 1, suggestions, excerpt[0]))


class _Places:
    """Where the values of a composed text stand."""

    def __init__(self, text: str, root: yaml.Node | None) -> None:
        self._text = text
        self._root = root

    def place(self, key: Key) -> Span:
        """The place of the value at a key; that of the key's name for an entry of a mapping."""
        node, named = self._find(key)
        mark = (named or node).start_mark if node is not None else None
        return Span(mark.line + 1, mark.column + 1) if mark is not None else Span(1, 1)

    def inside(self, key: Key, span: Span) -> Span:
        """The place of a line and column within a text value: exact in a block, else where the value starts."""
        node, _ = self._find(key)
        if node is None:
            return Span(1, 1)
        start = Span(node.start_mark.line + 1, node.start_mark.column + 1)
        if not isinstance(node, yaml.ScalarNode) or node.style != "|":
            return start
        number = node.start_mark.line + span.line
        written = self._text.split("\n")[number : number + 1]
        content = node.value.split("\n")[span.line - 1 : span.line]
        if not written or not content or not written[0].endswith(content[0]):
            return start
        return Span(number + 1, len(written[0]) - len(content[0]) + span.column)

    def _find(self, key: Key) -> tuple[yaml.Node | None, yaml.Node | None]:
        node, named = self._root, None
        for step in key:
            if isinstance(node, yaml.MappingNode):
                entries = [entry for entry in node.value if entry[0].value == step]
                if not entries:
                    break
                named, node = entries[-1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                named, node = None, node.value[step]
        return node, named


def _too_deep(text: str) -> Finding | None:
    """A finding if the text nests too deep to be read safely; most texts are far too short of brackets for that."""
    if sum(map(text.count, ("[", "{", "- ", "? "))) < DEEPEST:
        return None
    depth = 0
    for event in yaml.parse(text, Loader=StrictLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            mark = event.start_mark
            assert mark is not None
            message = f"lists and mappings are nested more than {DEEPEST} deep"
            return Finding("too-deep", message, mark.line + 1, mark.column + 1)
    return None


def _syntax(text: str, error: yaml.YAMLError) -> Finding:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        problem = getattr(error, "problem", None) or "it is not YAML"
        excerpt = text.split("\n")[mark.line : mark.line + 1] or [""]
        return Finding("yaml", f"this is not YAML: {problem}", mark.line + 1, mark.column + 1, (), excerpt[0])
    position = getattr(error, "position", 0)
    before = text.encode()[:position].decode("utf-8", "replace").split("\n")
    reason = getattr(error, "reason", "it is not YAML")
    return Finding("yaml", f"this is not YAML: {reason}", len(before), len(before[-1]) + 1)
