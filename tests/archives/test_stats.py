"""Statistics: the counts, which do not depend on the shards, and their output."""

from __future__ import annotations

import json
import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from referee.archives import stats as counting
from referee.archives.files.shards import Shard
from referee.archives.judge import CheckSettings, check_shard
from referee.archives.page import MOST_BARS, as_page, intervals
from referee.archives.stats import GameStats, Stats, stats_shard
from referee.game import loads
from referee.rules import GAMES
from tests.support.archives import BAD, lines, mixed

SMALL = (
    '{"game": "beams", "moves": "P M1 B3 12 | P S A2\\nR B3 L | P S A4"}',
    '{"game": "beams", "options": {"columns": 17}, "end": {"how": "resignation", "by": "north"}, "moves": ""}',
    '{"game": "beams", "end": {"how": "agreement"}, "options": {"columns": 17}, "moves": "P M1 B3 12 | P S A2"}',
)


def counted(made: list[str], shard: int = 1000, opening: int = 2) -> Stats:
    stats = Stats()
    for start in range(0, len(made), shard):
        stats.add(stats_shard(Shard.of_lines(made[start : start + shard], "a.jsonl"), opening))
    return stats


def test_counts() -> None:
    assert counted([*SMALL, BAD[0]], opening=1).as_json(5) == {
        "wrong": 1,
        "left_out": {"codes": {"unknown-cell": 1}, "files": {"a.jsonl": 1}},
        "games": {
            "beams": {
                "games": 3,
                "plies": {"least": 0, "median": 1, "mean": 1.0, "most": 2, "games": {"0": 1, "1": 1, "2": 1}},
                "results": {"not over": 1, "south wins": 1, "draw": 1},
                "ends": {"not over": 1, "resignation": 1, "agreement": 1},
                "by_option": {"columns: 17": {"south wins": 1, "draw": 1}},
                "openings": {"P M1 B3 12 | P S A2": 2},
                "pieces": {"north": {"S": 3}, "south": {"M1": 3}},
            }
        },
    }


@pytest.mark.slow
def test_the_games_that_are_left_out_are_those_with_findings() -> None:
    made = [*mixed(60), *BAD]
    (report,) = check_shard(Shard.of_lines(made), CheckSettings(suggest=False))
    stats = counted(made)
    assert (stats.left.games, sum(one.games for one in stats.games.values())) == (
        report.wrong,
        report.games - report.wrong,
    )
    assert sum((one.ends for one in stats.games.values()), Counter[str]()) == report.ends


def test_it_makes_no_difference_how_the_games_are_shared_out() -> None:
    made = mixed(60)
    assert counted(made, 7).as_json(1000) == counted(made).as_json(1000)


@pytest.mark.parametrize("name", GAMES)
def test_every_move_is_about_a_piece(name: str) -> None:
    made = list(lines(name, 20))
    (one,) = counted(made).games.values()
    moves = sum(len(played.moves) for line in made for played in loads(line).rounds)
    allocations = moves / 2 if name == "the-beam" else 0
    assert sum(counts.total() for counts in one.pieces.values()) == moves - allocations


def test_of_many_openings_the_rarer_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_OPENINGS", 4)
    stats = GameStats()
    stats.add(GameStats(openings=Counter(a=5, b=4, c=1, d=1)))
    assert len(stats.openings) == 4
    stats.add(GameStats(openings=Counter(a=1, e=1)))
    assert stats.openings == Counter(a=6, b=4)


def test_the_text_names_what_was_counted() -> None:
    text = counted([*SMALL, BAD[0]], opening=1).as_text(5)
    assert text.splitlines() == [
        "beams: 3 games",
        "  results: not over 1 (33%), south wins 1 (33%), draw 1 (33%)",
        "  ends: not over 1 (33%), resignation 1 (33%), agreement 1 (33%)",
        "  plies: 0 to 2, median 1, mean 1.0; nine in ten between 0 and 2",
        "  columns: 17: south wins 1 (50%), draw 1 (50%)",
        "  north moves: S 3 (100%)",
        "  south moves: M1 3 (100%)",
        "  opening: 2 x P M1 B3 12 | P S A2",
        "left out because something is wrong with them: 1 game (unknown-cell 1)",
        "  a.jsonl: 1 game",
    ]
    assert Stats().as_text(5) == "left out because something is wrong with them: 0 games"


def test_the_page_stands_alone_and_is_well_formed() -> None:
    page = as_page(counted(mixed(60)), 3)
    body = page.partition("<body>")[2].partition("</body>")[0]
    ElementTree.fromstring(f"<body>{body}</body>")
    assert all(f"<h2>{name}: " in page for name in GAMES)
    assert re.findall(r"(?:src|href|url)\b", page) == []
    assert "wrong with them" in page


def test_text_of_players_is_shown_as_text() -> None:
    stats = Stats({"beams": GameStats(1, Counter([3]), Counter(["draw"]), by_option={"<b>": Counter(draw=1)})})
    assert "<b>" not in as_page(stats, 3)
    assert "&lt;b&gt;" in as_page(stats, 3)


@pytest.mark.parametrize("most", [1, MOST_BARS - 1, MOST_BARS, MOST_BARS + 1, 1000])
def test_every_length_is_in_one_interval(most: int) -> None:
    found = intervals(Counter(range(most)))
    assert len(found) <= MOST_BARS
    assert sum(found.values()) == most


def test_lengths_are_listed_by_their_share() -> None:
    stats = GameStats(10, Counter({3: 1, 5: 8, 40: 1}))
    assert [stats.length(share) for share in (0.05, 0.5, 0.9, 0.95)] == [3, 5, 5, 40]
    assert stats.mean == 8.3
    assert json.loads(json.dumps(Stats({"x": stats}).as_json(1)))["games"]["x"]["plies"]["median"] == 5
