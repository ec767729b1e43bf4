"""A book of games: its boards, its indexes, and the pictures that move."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

import referee
from referee.draw.paper.book import Block, book_page, indexes, sections
from referee.draw.paper.book_pdf import book_pdf
from referee.draw.record import moving_record
from tests.draw.pdf_pages import beside_their_rounds, pages
from tests.draw.test_page import Page
from tests.support.command_line import referee as run
from tests.support.records import HOSTILE, VARIED, hostile

TRAP = """\
game: boundary
players: {south: {name: Ada}, north: {name: Ben}}
moves: |
  1. P a1-b2 | P f1-e2 {diagram: A trap} {lost}
  {diagram}
  2. P b2-b3 | P e2-e1 ? {better: P e2-e3}
"""
BETTER = "board: After P e2-e1 of north, round 2"


def test_a_comment_asks_for_a_diagram_and_so_does_a_better_line() -> None:
    assert rows_of(TRAP) == [
        ((), ("P a1-b2", "P f1-e2"), ("board: A trap", "north: lost")),
        (("board: After round 1",), ("P b2-b3", "P e2-e1 ?"), ("north: better: P e2-e3", BETTER)),
    ]


def rows_of(text: str) -> list[tuple[tuple[str, ...], ...]]:
    """What is told before each round, its moves, and what is told after it."""
    (section,) = sections([referee.loads(text)])
    assert [row.number for row in section.rows] == [1, 2]
    assert section.last.text == "not over yet"
    return [(told(row.before), row.moves, told(row.after)) for row in section.rows]


def told(blocks: tuple[Block, ...]) -> tuple[str, ...]:
    return tuple(f"board: {block.text}" if block.scene else block.text for block in blocks)


def test_variations_are_behind_their_round_with_those_in_them() -> None:
    first = "(1. \u2026 P f1-e1 !? safer 2. P b2-b1 (or 2. P b2-c2 bold))"
    assert rows_of(VARIED) == [
        ((), ("P a1-b2", "P f1-e2"), (first,)),
        ((), ("P b2-b3",), ("(2. \u2026 P e2-e1)",)),
    ]


def test_the_indexes_lead_to_the_games() -> None:
    game = referee.loads(TRAP)
    players, openings = indexes(sections([game, replace(game, rounds=game.rounds[:1])]))
    assert players.entries == (("Ada", (1, 2)), ("Ben", (1, 2)))
    assert openings.entries == (("Boundary: P a1-b2; P f1-e2", (1, 2)),)


def test_moves_of_changing_players_name_them_in_a_book() -> None:
    (section,) = sections([referee.read("games/the-beam/running.yaml")])
    assert [move.split()[0] for move in section.rows[0].moves] == ["p2", "p3"]


def test_text_of_players_stays_text_in_a_book() -> None:
    known, given = (Page(book_page([hostile(text)])) for text in ("harmless", " ".join(HOSTILE)))
    assert [tag for tag, _ in given.tags] == [tag for tag, _ in known.tags]
    assert not given.of("script")


def test_a_book_on_paper_has_all_moves_and_the_same_bytes() -> None:
    pypdf = pytest.importorskip("pypdf")
    games = [referee.loads(TRAP), referee.read("games/laser-chess/puzzle.yaml")]
    made = book_pdf(games)
    assert made == book_pdf(games)
    read = pypdf.PdfReader(BytesIO(made))
    text = " ".join(" ".join(page.extract_text() for page in read.pages).split())
    assert all(words in text for words in ("1. Ada", "P b2-b3 P e2-e1 ?", "A trap", "Players", "Openings"))
    marks = {one.title: read.get_destination_page_number(one) for one in read.outline if not isinstance(one, list)}
    assert next(iter(marks)) == "2 games"
    assert marks["1. Ada \u2013 Ben"] == 1
    assert re.search(r"^1\. Ada \u2013 Ben *2$", read.pages[0].extract_text(), re.MULTILINE)
    kept = {name: referee.loads(content.decode()) for name, (content, *_) in read.attachments.items()}
    assert [kept[name].rounds for name in ("1-boundary.yaml", "2-laser-chess.yaml")] == [one.rounds for one in games]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_comment_stays_with_its_round_in_a_book(paper: str) -> None:
    pytest.importorskip("pypdf")
    game = referee.read("games/laser-chess/curiosity.yaml")
    noted = [
        one._replace(moves=(one.moves[0]._replace(comments=("thinking about the king " * 8,)), *one.moves[1:]))
        for one in game.rounds
    ]
    told = beside_their_rounds(book_pdf([replace(game, rounds=tuple(noted))], paper=paper), "blue: thinking")
    assert told == [True] * len(game.rounds)


@pytest.mark.parametrize("form", ["svg", "png"])
def test_a_moving_picture_has_every_ply(form: str) -> None:
    game = referee.loads(TRAP)
    made = moving_record(game, form, view="south")
    if form == "svg":
        frames = [one for one in ElementTree.fromstring(made).iter() if "film" in one.get("class", "").split()]
        assert len(frames) == len(game.plies) + 1
    else:
        images = pytest.importorskip("PIL.Image")
        assert images.open(BytesIO(made)).n_frames == len(game.plies) + 2  # with the still one


@pytest.mark.slow
def test_the_command_makes_a_book_of_several_games(tmp_path: Path) -> None:
    files = sorted(map(str, Path("games/boundary").glob("*.yaml")))[:2]
    for names in (files, ["games/boundary"]):
        assert run("record", *names, "-o", tmp_path / "book.html").status == 0
    for paper, width in (("a4", 595), ("letter", 612), ("a3", 842)):
        assert run("record", *files, "-o", tmp_path / "book.pdf", "--paper", paper).status == 0
        assert pages((tmp_path / "book.pdf").read_bytes())[0].mediabox.width == pytest.approx(width, abs=1)
    assert run("record", *files, "-o", tmp_path / "book.html", "--paper", "a4").status == 2
    refused = run("record", *files, "-o", tmp_path / "book.png")
    assert refused.status == 2
    assert "several games are a book" in refused.err
    assert run("record", files[0], "-o", tmp_path / "a.pdf", "--animated").status == 2
