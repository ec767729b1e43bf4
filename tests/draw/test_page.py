"""The HTML record: complete without script, closed to the network and to what players write into it."""

from __future__ import annotations

import json
import re
import sys
import time
from base64 import b64encode
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import referee
from referee.draw.page import page
from referee.errors import FileError, RefereeError
from referee.game import GameFile, Player, dumps
from tests.support.examples import sampled
from tests.support.playthroughs import sampled_examples
from tests.support.records import BEGINNERS, HOSTILE, hostile, long_game

VOID = {"meta", "link", "input"}
VALUED = """\
game: boundary
moves: |
  1. P a1-a2 {value +0.40} | P f1-e1 ? {better: P a1-b2; P f1-f2} {value +1.60}
"""


class Page(HTMLParser):
    """The content of a page; it refuses an element that is closed in the wrong place."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {key: value or "" for key, value in attrs}))
        self.texts.setdefault(tag, []).append("")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1]][-1] += data

    def of(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        return [
            attributes
            for one, attributes in self.tags
            if one == tag and all(attributes.get(key) == value for key, value in wanted.items())
        ]


@cache
def beginners() -> Page:
    """The record of the beginners' game."""
    return Page(page(referee.read(BEGINNERS)))


@cache
def harmless() -> Page:
    return Page(page(hostile("harmless")))


@pytest.mark.slow
@pytest.mark.parametrize("text", sampled(HOSTILE, len(HOSTILE)))
def test_text_of_players_stays_text(text: str) -> None:
    known, given = harmless(), Page(page(hostile(text)))
    assert [tag for tag, _ in given.tags] == [tag for tag, _ in known.tags]
    assert [set(attributes) for _, attributes in given.tags] == [set(attributes) for _, attributes in known.tags]
    assert given.texts["bdi"][0] == text
    assert given.texts["p"].count(text) == known.texts["p"].count("harmless") > 60
    assert given.texts["script"][1] == known.texts["script"][1]


@pytest.mark.slow
def test_characters_that_no_text_can_have_are_replaced() -> None:
    html = page(hostile("a\x00b\ud800c", Path("games/beams/opening.yaml")))
    assert "<bdi>a\ufffdb\ufffdc</bdi>" in html
    html.encode()


@pytest.mark.slow
def test_without_script() -> None:
    game = referee.read(BEGINNERS)
    shown = beginners()
    assert len(shown.of("svg", **{"class": "scene board"})) == 1
    assert "After ply 34 of 34 (south R B9 R): south 6, north 4" in shown.texts["figcaption"]
    assert [one for one in shown.of("article") if "hidden" not in one] == [shown.of("article")[-1]]
    moves = [text for text, attributes in zip(shown.texts["span"], shown.of("span"), strict=True) if attributes]
    for line in game.rounds:
        assert all(str(one.move) in moves for one in line.moves)
    assert [one for one in shown.of("a") if "href" in one] == shown.of("a", download="first-steps.yaml")
    assert all("hidden" in one or one.get("type") == "checkbox" for one in shown.of("div", **{"class": "live"}))


@pytest.mark.slow
def test_every_ply_tells_what_it_changed() -> None:
    shown = beginners()
    assert [one["data-ply"] for one in shown.of("article")] == [str(number) for number in range(35)]
    assert "south's beam from B9 (2 o'clock) now scores in north's column 9" in shown.texts["li"]


def test_nothing_is_fetched() -> None:
    shown = beginners()
    for tag, attributes in shown.tags:
        assert not {key for key in attributes if key.startswith("on")}, tag
        assert "src" not in attributes, tag
        assert attributes.get("href", "data:").startswith("data:"), tag
    assert not re.search(r"url\(|@import", "".join(shown.texts["style"]))


def test_the_policy_allows_exactly_what_is_there() -> None:
    shown = beginners()
    (policy,) = (one["content"] for one in shown.of("meta", **{"http-equiv": "Content-Security-Policy"}))
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    (script,) = [
        text for text, one in zip(shown.texts["script"], shown.of("script"), strict=True) if "type" not in one
    ]
    nodes = json.loads(shown.texts["script"][0])["nodes"]
    styles = {
        *shown.texts["style"],
        *(one[1]["style"] for one in nodes if len(one) > 1 and isinstance(one[1], dict) and "style" in one[1]),
    }
    assert {one["style"] for _, one in shown.tags if "style" in one} <= styles
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == hashed(script)
    assert set(rules["style-src"].split()) == {"'unsafe-hashes'", *map(hashed, styles)}


def hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_ids_and_what_refers_to_them() -> None:
    shown = beginners()
    ids = [one["id"] for _, one in shown.tags if "id" in one]
    assert len(ids) == len(set(ids))
    referred = {name for _, one in shown.tags for name in one.get("aria-labelledby", "").split()}
    assert referred <= set(ids)


@pytest.mark.slow
def test_the_game_file_is_in_it_without_addresses() -> None:
    game = referee.read("games/beams/resignation.yaml")
    addressed = replace(
        game, players={side: Player(one.name, "me@example.org") for side, one in game.players.items()}
    )
    html = page(addressed)
    shown = Page(html)
    assert "example.org" not in html
    assert shown.texts["textarea"] == [dumps(game)]
    (link,) = shown.of("a", download="facing-3.yaml")
    assert unquote(link["href"].partition(",")[2]) == dumps(game)


@pytest.mark.parametrize(
    ("name", "file"), sampled([("../../x<>", "x.yaml"), ("...", "beams.yaml"), ("陳", "beams.yaml")], 3)
)
def test_the_name_of_the_download(name: str, file: str) -> None:
    shown = Page(page(GameFile("beams", id=name)))
    assert shown.of("a", download=file)


def test_a_game_that_has_not_begun() -> None:
    shown = Page(page(GameFile("beams")))
    assert "Before the first of 0 plies" in shown.texts["figcaption"]
    assert len(shown.of("article")) == 1


def test_a_score_is_charted_where_there_is_one() -> None:
    assert beginners().of("svg", **{"class": "scene chart"})
    assert not Page(page(referee.read("games/laser-chess/puzzle.yaml"))).of("svg", **{"class": "scene chart"})


def test_values_are_charted_and_told_with_their_ply() -> None:
    shown = Page(page(referee.loads(VALUED)))
    assert shown.of("svg", **{"class": "scene values"})
    assert [one for one in shown.texts["p"] if one.startswith("By how many points south")]
    assert [one for one in shown.texts["dt"] if one in ("value", "line", "better")] == ["value", "better", "value"]
    assert [one for one in shown.texts["p"] if one.startswith("better: ")] == ["better: P a1-b2; P f1-f2"]
    assert "value +0.40" not in shown.texts["p"]


@pytest.mark.slow
def test_a_score_and_values_have_a_place_each() -> None:
    game = referee.read(BEGINNERS)
    first = game.rounds[0]
    noted = first.moves[-1]._replace(comments=("value +0.40",))
    shown = page(replace(game, rounds=(first._replace(moves=(*first.moves[:-1], noted)), *game.rounds[1:])))
    (curves,) = re.findall(r'<div class="curves">.*?</div>', shown, re.DOTALL)
    assert curves.count("<section") == 2
    assert shown.count("grid-area: curves") == 1


@pytest.mark.parametrize("file", sampled_examples(referee.GAMES[:1]))
def test_every_example(file: Path) -> None:
    shown = Page(page(referee.read(file)))
    data = json.loads(shown.texts["script"][0])
    plies = len(list(referee.read(file).replay()))
    assert all(len(pictures) == plies + 1 for pictures in data["views"].values())


def test_a_refused_move_is_no_record() -> None:
    game = referee.read(BEGINNERS)
    with pytest.raises(FileError):
        page(replace(game, rounds=(game.rounds[0], *game.rounds)))


def test_without_jinja(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(RefereeError, match=r"pip install 'referee\[pictures\]'"):
        page(GameFile("beams"))


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("plies", [12, 46])
def test_size_and_time(plies: int) -> None:
    game = long_game(plies)
    start = time.process_time()
    html = page(game)
    taken = time.process_time() - start
    assert len(html.encode()) <= 300_000
    assert taken <= 2.0, "the goal is 1.0 s; a busy machine may need longer"


def test_a_comment_on_moves_made_at_once_says_whose_it_is() -> None:
    game = referee.loads("game: beams\nmoves: |\n  1. P S A2 {mine} | P S A4\n  2. P S A4 | P S A6 {yours}\n")
    assert [re.sub(r"<.*?>", "", one) for one in re.findall(r'<p class="comment".*?</p>', page(game))][-2:] == [
        "south: mine",
        "north: yours",
    ]
