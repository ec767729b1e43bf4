"""A text has one verdict with PyYAML's loader in C and with its loader in Python, which needs no libyaml."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec
from unittest import mock

import pytest
import yaml

from referee.game.file import yaml_document
from referee.game.file.document import Document
from tests.game.findings import cases
from tests.support.playthroughs import ROOT

PIECES = (
    *(":", "{", "}", "[", "]", ",", "#", "-", "?", "|", ">", "'", '"', "&", "*", "!", "%", "@", "`", " ", "\n", "\t"),
    *("  ", "\n  ", ": ", ":{", ":[", ", ", "- ", "? ", "---", "...", "\\", "\r", "~", "<<", "=", "a", "1", "\xa0"),
    *(
        "\u2028",
        "\x85",
        "\ufeff",
        "\x07",
        "é",
        "\U0001f600",
        "\\x41",
        "\\ud800",
        "key: v\n",
        "{}",
        "[]",
        "|2\n",
        "|+\n",
    ),
)
BEGINNINGS = (
    "{game: boundary, options:{}, moves: '1. P a1-a2 | P f1-f2'}",
    "game: boundary\nplayers:{south: {name: A}}\n",
    "game: beams\nplayers: {south: {name: Who?}}\n",
    "game:\tbeams\n",
    "game: beams\nmoves: |\t\n  1. P S A2\n",
    "game: beams\nmoves: |#\n  1. P S A2\n",
    "game: beams\nmoves: |\n \t1. P S A2\n",
    'game: beams\nid: "\\ud800"\n',
    "game: beams # a\ttab in a comment\nevent: 'a\ttab'\nmoves: |\n  1. P S A2\t| P S A4\n",
    "{a: b, c: [d, e: f], g: {h: 'i', \"j\": k}}\n",
)


def parser_in_python() -> Callable[[str], Document]:
    """The parser of YAML as it is where PyYAML has no loader in C."""
    spec = find_spec(yaml_document.__name__)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with mock.patch.object(yaml, "CSafeLoader", yaml.SafeLoader, create=True):
        spec.loader.exec_module(module)
    parse: Callable[[str], Document] = module.parse_yaml
    return parse


PARSERS = (yaml_document.parse_yaml, parser_in_python())


def verdict(document: Document) -> object:
    """The data of a text, or its refusal, without the words of that."""
    return "refused" if document.findings else document.data


def agree(text: str) -> None:
    first, *others = (verdict(parse(text)) for parse in PARSERS)
    assert all(one == first for one in others), text


def corpus() -> list[str]:
    found = [
        *BEGINNINGS,
        *(case.file for case in cases()),
        *(path.read_text("utf-8") for path in (ROOT / "games").glob("*/*.yaml")),
    ]
    return [text for text in found if len(text) < 2000]


def changed(text: str, chance: random.Random) -> str:
    """A text with some of its characters left out, doubled or replaced by signs that mean something in YAML."""
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(text) + 1)
        match chance.randrange(4):
            case 0:
                text = text[:at] + chance.choice(PIECES) + text[at:]
            case 1:
                text = text[:at] + chance.choice(PIECES) + text[at + 1 :]
            case 2:
                text = text[:at] + text[at + chance.choice((1, 2, 5)) :]
            case _:
                there = chance.randrange(len(text) + 1)
                text = text[:at] + text[there : there + 5] + text[at:]
    return text


@pytest.mark.parametrize("text", BEGINNINGS)
def test_a_text_that_one_loader_takes_and_the_other_does_not(text: str) -> None:
    agree(text)


@pytest.mark.parametrize("count", [500, pytest.param(15_000, marks=pytest.mark.slow)])
def test_all_files_and_their_mutations_have_one_verdict(count: int) -> None:
    chance, texts = random.Random(1), corpus()
    for text in texts:
        agree(text)
    for _ in range(count):
        agree(changed(chance.choice(texts), chance))
