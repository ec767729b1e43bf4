"""Strict YAML: no repeated key, alias, tag or silent conversion passes."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import yaml

from referee.errors import LONGEST_SHOWN, Finding, Span, shown
from referee.game.file.document import DEEPEST, MOST_FINDINGS, MOST_VALUES, Document, KeyPath
from referee.rules.frozen import Frozen

_TAG = "tag:yaml.org,2002:"
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")
_NESTING = ("[", "{", "- ", "? ")
_SUSPECT = ("&", "*", "!", "\n" + " " * DEEPEST)
"""Without any of these a text has no alias, no tag and no deep indentation."""

_STRANGE = re.compile("[\x85\u2028\u2029\ud800-\udfff\ufeff]")
_STRANGE_NAMES = {
    "\x85": "a next-line sign",
    "\u2028": "a line separator",
    "\u2029": "a paragraph separator",
    "\ufeff": "a byte order mark",
}
_HALF = re.compile("[\ud800-\udfff]")
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*", re.MULTILINE)
_BLOCK = re.compile(r"[|>][0-9+-]{0,2}(?: +#.*| *)$", re.MULTILINE)
_TAB = re.compile("\t")
_DISPUTED = re.compile(r"\?|:(?=[\[\]{},])")
"""Signs within brackets that the loaders read differently."""
_BECOMES = {
    "bool": "a truth value",
    "int": "another number",
    "float": "another number",
    "timestamp": "a date",
    "null": "nothing at all",
    "merge": "a merge of mappings",
    "value": "a default value",
}

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""PyYAML's loader in C, or in Python where it has no other; we use only its nodes, as these have places."""


def parse_yaml(text: str) -> Document:
    """The data of a YAML text, with every finding about the text itself."""
    reading = _Reading(text)
    data = None
    try:
        if reading.is_safe() and (root := yaml.compose(text, Loader=_LOADER)) is not None:
            data = reading.value(root, ())
            reading.find_disputed()
    except yaml.YAMLError as error:
        reading.findings.append(_syntax(text, error))
    findings = tuple(reading.findings)
    return Document(text, data, findings, "yaml", reading.place, reading.inside, parse_yaml, reading.extent)


_DEEPER = "while increasing flow level"
"""Context in the error of a parser that found brackets nested too deep."""


class _Reading:
    """One walk over the nodes: their plain data, their places, and the findings about them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        self.findings: list[Finding] = []
        self._seen: set[int] = set()
        self._nodes: dict[KeyPath, tuple[yaml.Node, yaml.Node]] = {}
        self._split: dict[KeyPath, list[str]] = {}
        self._texts: list[tuple[int, int]] = []
        self._flows: list[tuple[int, int]] = []

    def is_safe(self) -> bool:
        """True if the text can be composed: no strange line ends, not too deep. This also finds aliases and tags."""
        if _STRANGE.search(self.text):
            self._find_strange()
            return False
        if (
            len(self.text) < MOST_VALUES // 2  # a character makes two values at most
            and sum(map(self.text.count, _NESTING)) < DEEPEST
            and not any(sign in self.text for sign in _SUSPECT)
        ):
            return True
        return self._events_are_safe()

    def _find_strange(self) -> None:
        strange = ((number, found) for number, line in enumerate(self.lines, 1) for found in _STRANGE.finditer(line))
        for number, found in islice(strange, MOST_FINDINGS + 1):
            name = _STRANGE_NAMES.get(found[0], "half of a surrogate pair")
            place = Span(number, found.start() + 1)
            self._found("yaml", f"{name} does not belong here (U+{ord(found[0]):04X})", place)

    def _events_are_safe(self) -> bool:
        """True if the parser's events are neither too deep nor too many, as far as its own limit lets it read."""
        try:
            return self._are_safe(self.text)
        except yaml.scanner.ScannerError as error:
            if error.context != _DEEPER or error.problem_mark is None:
                raise
            return self._are_safe(self.text[: error.problem_mark.index])

    def _are_safe(self, text: str) -> bool:
        depth = values = 0
        for event in yaml.parse(text, Loader=_LOADER):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            elif isinstance(event, yaml.AliasEvent):
                self._find("alias", "aliases (*...) are not allowed in game files: write the value out", event)
            if getattr(event, "tag", None) is not None:
                self._find("tag", "tags (!...) are not allowed in game files", event)
            if depth > DEEPEST:
                self._find("too-deep", f"lists and mappings are nested more than {DEEPEST} deep", event)
                return False
            values += isinstance(event, yaml.NodeEvent)
            if values > MOST_VALUES:
                self._find("too-large", f"a game file holds at most {MOST_VALUES:,} keys and values", event)
                return False
        return True

    def value(self, node: yaml.Node, key: KeyPath, name: yaml.Node | None = None) -> Any:  # noqa: ANN401 - plain data
        """The data of the node at a key; the targets of aliases are left out."""
        self._nodes[key] = node, name or node
        if id(node) in self._seen:
            return None
        self._seen.add(id(node))
        if isinstance(node, yaml.CollectionNode) and node.flow_style:
            self._flows.append((node.start_mark.index, node.end_mark.index))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, key)
        if isinstance(node, yaml.SequenceNode):
            return tuple(self.value(item, (*key, place)) for place, item in enumerate(node.value))
        assert isinstance(node, yaml.ScalarNode)
        return self._scalar(node, key)

    def _mapping(self, node: yaml.MappingNode, key: KeyPath) -> Frozen[str, Any]:
        data: dict[str, Any] = {}
        for name_node, value_node in node.value:
            if not isinstance(name_node, yaml.ScalarNode):
                self._find("wrong-type", "a key must be a word", name_node)
                continue
            name = str(name_node.value)
            self._note(name_node)
            if name_node.tag == _TAG + "merge":
                self._find("alias", "merge keys (<<) are not allowed in game files", name_node)
                continue
            if name in data:
                self._find("repeated-key", f"the key {shown(name)} is written twice", name_node)
            data[name] = self.value(value_node, (*key, name), name_node)
        return Frozen(data)

    def _scalar(self, node: yaml.ScalarNode, key: KeyPath) -> Any:  # noqa: ANN401 - text, number, truth or None
        text = str(node.value)
        self._note(node)
        kind = node.tag.removeprefix(_TAG)
        if node.style or kind == "str" or (key == ("date",) and text):
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
            message = (
                f"programs that read YAML turn {shown(text)} into {_BECOMES[kind]}: put it in quotes if it is text"
            )
            self._find("ambiguous", message, node, (f'"{text}"',) if len(text) < LONGEST_SHOWN else ())
        return text

    def find_disputed(self) -> None:
        """Find tabs, signs in brackets and half characters, which PyYAML's loaders read differently."""
        if "\t" not in self.text and not any(_DISPUTED.search(self.text, *flow) for flow in self._flows):
            return
        between = self._without_texts()
        disputed = [(found.start(), "a tab; only blanks may stand between words") for found in _TAB.finditer(between)]
        for start, end in self._flows:
            for found in _DISPUTED.finditer(between, start, end):
                said = f"{found[0]!r} here needs quotes around its word, or a blank behind it"
                disputed.append((found.start(), said))
        for index, problem in disputed:
            before = self.text[:index]
            place = Span(before.count("\n") + 1, index - before.rfind("\n"))
            self._found("yaml", f"this is not YAML: {problem}", place)

    def _without_texts(self) -> str:
        """The text with blanks for everything in quotes, in blocks and in comments."""
        parts, done = [], 0
        for start, end in sorted(self._texts):
            parts += [self.text[done:start], re.sub(r"[^\n]", " ", self.text[start:end])]
            done = end
        return _COMMENT.sub(lambda found: " " * len(found[0]), "".join((*parts, self.text[done:])))

    def _note(self, node: yaml.ScalarNode) -> None:
        """Keep where a text in quotes or in a block is, and find half a character in it."""
        if node.style:
            self._texts.append((node.start_mark.index, node.end_mark.index))
        if node.style in ("|", ">") and not (
            _BLOCK.match(self.text, node.start_mark.index) and not node.value.lstrip("\n").startswith("\t")
        ):
            said = f"this is not YAML: the line ends behind {node.style}, and only blanks may indent the next one"
            self._find("yaml", said, node)
        if _HALF.search(node.value):
            self._find("yaml", "this is not YAML: half of a surrogate pair does not belong here", node)

    def place(self, key: KeyPath) -> Span:
        """The place of the value at a key; that of the key's name for an entry of a mapping."""
        while key and key not in self._nodes:
            key = key[:-1]
        return _span(self._nodes[key][1]) if key in self._nodes else Span(1, 1)

    def extent(self, key: KeyPath) -> tuple[Span, Span]:
        node = self._nodes[key][0]
        assert node.end_mark is not None
        return _span(node), Span(node.end_mark.line + 1, node.end_mark.column + 1)

    def inside(self, key: KeyPath, span: Span) -> Span:
        """The place of a line and column within a text value: exact in a block, else where the value starts."""
        if key not in self._nodes:
            return Span(1, 1)
        node = self._nodes[key][0]
        start = _span(node)
        if not isinstance(node, yaml.ScalarNode) or node.style != "|":
            return start
        written = self.lines[start.line + span.line - 1 : start.line + span.line]
        if key not in self._split:
            self._split[key] = node.value.split("\n")
        content = self._split[key][span.line - 1 : span.line]
        if not written or not content or not written[0].endswith(content[0]):
            return start
        return Span(start.line + span.line, len(written[0]) - len(content[0]) + span.column)

    def _find(self, code: str, message: str, node: yaml.Node | yaml.Event, suggestions: tuple[str, ...] = ()) -> None:
        self._found(code, message, _span(node), suggestions)

    def _found(self, code: str, message: str, place: Span, suggestions: tuple[str, ...] = ()) -> None:
        excerpt = self.lines[place.line - 1] if place.line <= len(self.lines) else ""
        self.findings.append(Finding(code, message, place.line, place.column, suggestions, excerpt))


def _span(node: yaml.Node | yaml.Event) -> Span:
    mark = node.start_mark
    assert mark is not None
    return Span(mark.line + 1, mark.column + 1)


def _syntax(text: str, error: yaml.YAMLError) -> Finding:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        problem = getattr(error, "problem", None) or "it is not YAML"
        written = text.rstrip().split("\n")
        # A text that is cut short is reported past its last character.
        line, column = (mark.line, mark.column) if mark.line < len(written) else (len(written) - 1, len(written[-1]))
        if written[line][column : column + 1] == "\t":
            problem = "a tab; only blanks may indent a line"
        return Finding("yaml", f"this is not YAML: {problem}", line + 1, column + 1, (), written[line])
    position = getattr(error, "position", 0)
    before = text.encode()[:position].decode("utf-8", "replace").split("\n")
    reason = getattr(error, "reason", "it is not YAML")
    return Finding("yaml", f"this is not YAML: {reason}", len(before), len(before[-1]) + 1)
