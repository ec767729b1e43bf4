"""The page of openings: complete without script, closed to the network and to what strangers write."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

import referee
from referee.archives.explorer import explorer_page
from referee.archives.files.shards import Shard
from referee.archives.tree import Explorer, first_steps
from tests.draw.test_page import Page
from tests.support.archives import BAD, archive, lines
from tests.support.command_line import referee as run
from tests.support.records import HOSTILE

LINES = (
    '{"game": "beams", "moves": "P M1 B3 12 | P S A2\\nR B3 L | P S A4"}',
    '{"game": "beams", "moves": "P M1 B3 12 | P S A2", "end": {"how": "resignation", "by": "north"}}',
    '{"game": "laser-chess", "options": {"setup": "mercury"}, "moves": "R d1 R | R b4 L"}',
)


def html(least: int = 1, notes: tuple[str, ...] = ()) -> str:
    explorer = Explorer()
    explorer.add(first_steps(Shard.of_lines(LINES), 10))
    explorer.cut(least, 100)
    return explorer_page(explorer.openings(), least=least, notes=notes)


@cache
def harmless() -> Page:
    return Page(html(notes=("harmless",)))


def test_without_script() -> None:
    shown = harmless()
    assert shown.texts["h3"] == ["Beams, Boosters and Barriers", "Laser Chess, setup: mercury"]
    assert shown.texts["summary"] == [" 2: south wins 1, not over 1", " 1: not over 1"]
    assert "P M1 B3 12 | P S A2" in shown.texts["span"]
    assert shown.texts["figcaption"] == ["To move: south and north, at the same time."]
    assert len(shown.of("svg", **{"class": "scene board"})) == 1
    assert all("hidden" in one for one in [*shown.of("div", **{"class": "live"}), *shown.of("section", id="next")])


def test_every_place_has_a_picture_for_every_view() -> None:
    data = json.loads(harmless().texts["script"][0])
    first, second = data["starts"]
    assert (first["first"], second["first"], len(first["places"]), len(second["places"])) == (0, 3, 3, 3)
    assert {side: len(pictures) for side, pictures in first["views"].items()} == {"south": 3, "north": 3}
    assert [*second["views"]] == ["blue", "red"]
    assert first["places"][1] == [
        "P M1 B3 12 | P S A2",
        "To move: south and north, at the same time.",
        [1, 0, 1],
        [2],
    ]
    roots = {data["nodes"][data["nodes"][number][0]][1]["class"] for number in second["views"]["blue"]}
    assert roots == {"scene board-1"}


def test_text_of_strangers_stays_text() -> None:
    known, given = harmless(), Page(html(notes=(" ".join(HOSTILE),)))
    assert [tag for tag, _ in given.tags] == [tag for tag, _ in known.tags]
    assert given.texts["li"][-1] == " ".join(HOSTILE)
    assert given.texts["script"] == known.texts["script"]


def test_nothing_is_fetched_and_no_other_script_runs() -> None:
    shown = harmless()
    for tag, attributes in shown.tags:
        assert not {key for key in attributes if key.startswith("on") or key in ("src", "style")}, tag
        assert attributes.get("href", "data:").startswith("data:"), tag
    assert not re.search(r"url\(|@import", "".join(shown.texts["style"]))
    (policy,) = shown.of("meta", **{"http-equiv": "Content-Security-Policy"})
    digest = b64encode(sha256(shown.texts["script"][1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy["content"]
    for style in shown.texts["style"]:
        assert b64encode(sha256(style.encode()).digest()).decode() in policy["content"]


def test_the_lack_of_common_moves_is_reported() -> None:
    shown = Page(html(least=5))
    assert "No start was played in 5 games or more" in "".join(shown.texts["p"])
    assert shown.of("script") == []


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    source, target = archive(tmp_path / "a.jsonl", [*LINES, BAD[0]]), tmp_path / "a.html"
    done = run("explore", source, "--least", 1, "--depth", 1, "-o", target)
    assert (done.status, done.out, done.err[:8]) == (1, "", "left out")
    shown = Page(target.read_text(encoding="utf-8"))
    assert shown.texts["li"][-2:] == [
        "left out because something is wrong with them: 1 game (unknown-cell 1)",
        f"{source}: 1 game",
    ]
    again = run("explore", source, "--least", 1, "--depth", 1, "-o", "-", "-j", 1)
    assert again.out == target.read_text(encoding="utf-8")
    for wrong in ("a.txt", "a.jsonl"):
        assert run("explore", source, "-o", tmp_path / wrong).status == 2
    lost = run("explore", tmp_path / "none.jsonl", "-o", tmp_path / "b.html")
    assert (lost.status, lost.out, (tmp_path / "b.html").exists()) == (2, "", False)
    assert "1 game (unreadable 1)" in lost.err


def test_a_filter_that_leaves_no_game_is_named(tmp_path: Path) -> None:
    source = archive(tmp_path / "a.jsonl", [LINES[0]])
    for least in (1, 2):
        done = run("explore", source, "--least", least, "--since", "2027", "-o", "-")
        assert (done.status, done.err) == (
            0,
            "left out: 1 game has no date that can be compared, such as 2027-03-05\n",
        )
        shown = Page(done.out)
        assert shown.texts["p"][-1] == "No game is in this selection: from 2027."
        assert shown.texts["li"] == ["left out: 1 game has no date that can be compared, such as 2027-03-05"]


@pytest.mark.parametrize(
    ("option", "wrong", "says"),
    [
        ("--result", "souht", "draw or not over, not 'souht'"),
        ("--result", "resignation", "expected south, north, team"),
        ("--since", "2027-13", "expected a year, a month or a day, such as 2026-05, not '2027-13'"),
        ("--until", "2027-02-32", "expected a year, a month or a day"),
    ],
)
def test_a_result_or_date_that_no_game_has_is_refused(tmp_path: Path, option: str, wrong: str, says: str) -> None:
    done = run("explore", archive(tmp_path / "a.jsonl", [*LINES]), option, wrong, "-o", tmp_path / "a.html")
    assert (done.status, [*tmp_path.glob("*.html")]) == (2, [])
    assert says in " ".join(done.err.split())


@pytest.mark.parametrize("result", ["South", "south wins", "Draw", "not over"])
def test_a_result_may_be_written_in_any_case_and_as_in_statistics(tmp_path: Path, result: str) -> None:
    assert run("explore", archive(tmp_path / "a.jsonl", [*LINES]), "--result", result, "-o", "-").status == 0


def test_a_start_elsewhere_is_named() -> None:
    text = "board 6 / 6 / 6 / 6 / 6 / GLMS 3 rS 1 | turn north"
    explorer = Explorer()
    line = json.dumps({"game": "boundary", "start": text, "moves": "P e1-e2"})
    explorer.add(first_steps(Shard.of_lines([line]), 10))
    (title,) = Page(explorer_page(explorer.openings(), least=1)).texts["h3"]
    assert title == f"Boundary, start: {text[:40]}..."
    assert referee.start("boundary", position=text).to_move == {"north"}


def test_a_page_of_which_no_move_is_frequent_says_how_to_see_more() -> None:
    made = [json.dumps({"game": "beams", "moves": f"P S {cell} | P S A2"}) for cell in ("A4", "B3")]
    explorer = Explorer()
    explorer.add(first_steps(Shard.of_lines(made), 10))
    explorer.cut(2, 100)
    shown = Page(explorer_page(explorer.openings(), least=2))
    hint = "To see what they played, make the page with a smaller --least or a larger --depth."
    assert hint in shown.texts["p"]
    assert json.loads(shown.texts["script"][0])["hint"] == hint


def test_a_team_wins_like_a_side_and_a_deal_is_described_in_words() -> None:
    explorer = Explorer()
    explorer.add(first_steps(Shard.of_lines(lines("the-beam", 1, 3)), 1))
    html = explorer_page(explorer.openings(), least=1)
    (start,) = json.loads(Page(html).texts["script"][0])["starts"]
    assert (start["winners"], start["results"][0]) == (1, "team wins")
    assert Page(html).texts["h3"] == ["The Beam, deal: seed test-1"]
