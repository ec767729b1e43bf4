"""The tree of moves: its counts, which do not depend on the shards, and its dropped branches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.archives import tree as trees
from referee.archives.files.shards import Shard
from referee.archives.judge import CheckSettings, check_shard
from referee.archives.tree import Explorer, MoveTree, Wanted, first_steps
from tests.support.archives import BAD, mixed

SMALL = (
    '{"game": "beams", "moves": "P M1 B3 12 | P S A2\\nR B3 L | P S A4"}',
    '{"game": "beams", "moves": "P M1 B3 12 | P S A2", "end": {"how": "resignation", "by": "north"}}',
    '{"game": "beams", "options": {"columns": 15}, "moves": "P M1 B3 12 | P S A4"}',
    '{"game": "beams", "options": {"mode": "synchronous", "first": "north"}, "moves": "P S A2 | P M1 B3 12"}',
    '{"game": "boundary", "moves": "P a1-a2 | P f6-f5", "start": null}',
)


def explored(lines: list[str], shard: int = 1000, depth: int = 10) -> Explorer:
    explorer = Explorer()
    for start in range(0, len(lines), shard):
        explorer.add(first_steps(Shard.of_lines(lines[start : start + shard], "a.jsonl"), depth))
    return explorer


def as_data(tree: MoveTree) -> dict[str, object]:
    """A tree as plain data."""
    return {"results": dict(tree.results), **{step: as_data(reply) for step, reply in tree.replies.items()}}


def told(explorer: Explorer) -> list[tuple[str, dict[str, object]]]:
    """All trees as plain data, in an order of their own."""
    found = [
        (f"{game.game} {dict(game.options)} {game.start_text}", as_data(tree)) for game, tree in explorer.openings()
    ]
    return sorted(found, key=lambda one: one[0])


def test_moves_made_at_once_are_one_step_and_defaults_make_no_other_start() -> None:
    explorer = explored(list(SMALL[:4]))
    (_, simultaneous), (game, alternating) = explorer.openings()
    assert as_data(simultaneous) == {
        "results": {"not over": 2, "south wins": 1},
        "P M1 B3 12 | P S A2": {
            "results": {"not over": 1, "south wins": 1},
            "R B3 L | P S A4": {"results": {"not over": 1}},
        },
        "P M1 B3 12 | P S A4": {"results": {"not over": 1}},
    }
    assert game.options["mode"] == "synchronous"
    assert [*alternating.replies] == ["P S A2"]


def test_only_the_first_steps_are_followed() -> None:
    (_, tree) = explored(list(SMALL[:1]), depth=1).openings()[0]
    assert as_data(tree) == {"results": {"not over": 1}, "P M1 B3 12 | P S A2": {"results": {"not over": 1}}}


def test_the_games_that_are_left_out_are_those_with_findings() -> None:
    made = [*mixed(8), *BAD]
    (report,) = check_shard(Shard.of_lines(made), CheckSettings(suggest=False))
    explorer = explored(made)
    assert (explorer.left.games, explorer.games) == (report.wrong, report.games - report.wrong)
    assert explorer.left.exit_status == 1
    assert explorer.notes()[0].startswith(f"left out because something is wrong with them: {report.wrong} games")


@given(st.lists(st.sampled_from(SMALL[:4]), min_size=1, max_size=12), st.integers(1, 12))
def test_shards_make_no_difference(lines: list[str], shard: int) -> None:
    whole = explored(lines)
    assert told(explored(lines, shard)) == told(whole)
    for _, tree in whole.openings():
        for _, _, place in tree.places():
            assert place.games >= sum(reply.games for reply in place.replies.values())


def test_rare_steps_are_dropped_and_counted() -> None:
    explorer = explored([SMALL[0]] * 3 + [SMALL[1]] * 2 + [SMALL[2], SMALL[3]])
    explorer.cut(2, 100)
    ((_, tree),) = explorer.openings()
    assert [*tree.replies] == ["P M1 B3 12 | P S A2"]
    assert explorer.notes() == ["rare starts: 1 game begins with options or a position that fewer than 2 games share"]


def test_of_many_places_the_most_frequent_and_earliest_stay() -> None:
    explorer = explored([SMALL[0], SMALL[1], SMALL[2]])
    explorer.cut(1, 3)
    ((_, tree),) = explorer.openings()
    assert {step: [*reply.replies] for step, reply in tree.replies.items()} == {
        "P M1 B3 12 | P S A2": [],
        "P M1 B3 12 | P S A4": [],
    }
    assert explorer.notes() == ["rare moves: 1 position beyond the most frequent"]


def test_memory_is_bounded_by_forgetting_the_rarest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MOST_PLACES", 3)
    explorer = explored([SMALL[0]] * 2 + [SMALL[2]])
    ((_, tree),) = explorer.openings()
    assert tree.games == 3
    assert sum(1 for _ in tree.places()) < 4
    (said,) = explorer.notes()
    assert said.startswith("rare moves: 3 positions were forgotten to save memory")


@pytest.mark.parametrize(
    ("wanted", "games"),
    [
        (Wanted(), 3),
        (Wanted(player="ada"), 1),
        (Wanted(since="2026-05"), 1),
        (Wanted(until="2025"), 1),
        (Wanted(since="2025", until="2026-04"), 1),
        (Wanted(result="South"), 1),
        (Wanted(result="not over"), 2),
    ],
)
def test_games_are_chosen_by_player_date_and_result(wanted: Wanted, games: int) -> None:
    lines = [
        '{"game": "beams", "date": "2026-05-02", "players": {"south": {"name": "Ada"}}, '
        '"moves": "1. P S A2 | P S A2\\n"}',
        '{"game": "beams", "date": "2025-12", "moves": "P S A2 | P S A2"}',
        SMALL[1],
    ]
    assert sum(tree.games for _, tree in _of(first_steps(Shard.of_lines(lines), 2, wanted)).openings()) == games


@pytest.mark.parametrize("date", ["", '"date": "2027.03.05", ', '"date": "spring", ', '"date": "2027-13", '])
def test_a_game_without_a_date_that_can_be_compared_is_counted(date: str) -> None:
    shard = Shard.of_lines(['{"game": "beams", ' + date + '"moves": "P S A2 | P S A2"}'])
    said = ["left out: 1 game has no date that can be compared, such as 2027-03-05"]
    for period in (Wanted(since="2026"), Wanted(until="2028-01-31")):
        explorer = _of(first_steps(shard, 2, period))
        assert (explorer.games, explorer.notes()) == (0, said)
    for others in (Wanted(), Wanted(player="Ada", since="2026"), Wanted(until="2028", result="draw")):
        assert _of(first_steps(shard, 2, others)).notes() == []


def test_a_second_archive_is_counted_beside_the_first() -> None:
    explorer = _of(first_steps(Shard.of_lines(SMALL[:1]), 2))
    explorer.add(first_steps(Shard.of_lines(SMALL[:2]), 2), beside=True)
    ((_, tree),) = explorer.openings()
    assert (tree.games, dict(tree.results), dict(tree.beside)) == (
        3,
        {"not over": 1},
        {"not over": 1, "south wins": 1},
    )


def _of(more: trees.FirstSteps) -> Explorer:
    explorer = Explorer()
    explorer.add(more)
    return explorer
