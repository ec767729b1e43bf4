"""Random games: legal, to their end, and the same ones for the same seed everywhere."""

from __future__ import annotations

import zlib
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from referee.archives.files.compression import reader, writer
from referee.archives.generate import GAMES_PER_BATCH, Generation, generate_batch, random_game
from referee.errors import OptionError
from referee.game import judge
from referee.rules import GAMES, Position
from tests.support.strategies import played

CHECKSUMS = {"beams": 2344110306, "boundary": 3255291136, "the-beam": 1200378698, "laser-chess": 2811602917}
"""Checksums of five games of each kind, from seed 7: they must never change."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_seed_gives_the_same_games_everywhere(name: str) -> None:
    made = generate_batch(Generation(name, "7", plies=60), (1, 6))
    assert zlib.crc32(made.encode()) == CHECKSUMS[name]


@pytest.mark.parametrize("name", GAMES)
def test_it_makes_no_difference_how_the_games_are_shared_out(name: str) -> None:
    generation = Generation(name, "x", plies=12)
    batches = list(generation.batches(GAMES_PER_BATCH + 7))
    assert batches == [(1, GAMES_PER_BATCH + 1), (GAMES_PER_BATCH + 1, GAMES_PER_BATCH + 8)]
    whole = generate_batch(generation, (1, 12))
    assert whole == generate_batch(generation, (1, 5)) + generate_batch(generation, (5, 12))
    assert len(set(whole.splitlines())) == 11
    assert whole != generate_batch(Generation(name, "y", plies=12), (1, 12))


@pytest.mark.parametrize("name", [name for name in GAMES if name != "boundary"])
def test_games_go_to_their_end_and_say_its_result(name: str) -> None:
    game = random_game(Generation(name, "end", plies=5000), 1)
    verdict = judge(game)
    assert verdict.findings == ()
    assert verdict.outcome is not None
    assert game.result == verdict.outcome.score


def test_a_game_is_left_after_a_number_of_plies() -> None:
    assert [judge(random_game(Generation("boundary", plies=plies), 1)).plies for plies in (0, 1, 7)] == [0, 1, 7]


def test_options_are_kept_and_those_that_do_not_hold_are_refused() -> None:
    game = random_game(Generation("beams", options={"mode": "synchronous", "columns": 21}, plies=3), 1)
    assert (game.options["mode"], game.options["columns"], len(game.rounds)) == ("synchronous", 21, 2)
    with pytest.raises(OptionError):
        random_game(Generation("beams", options={"columns": 8}), 1)


def test_every_game_of_the_beam_has_a_deal_of_its_own() -> None:
    deals = [random_game(Generation("the-beam", "s", plies=0), number).options["deal"] for number in (1, 2)]
    assert deals == [{"seed": "s-1"}, {"seed": "s-2"}]
    given = random_game(Generation("the-beam", "s", {"deal": {"seed": "mine"}}, plies=0), 1)
    assert given.options["deal"] == {"seed": "mine"}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_each_legal_move_is_as_likely_as_any_other(name: str) -> None:
    """All numbers of chance are tried: they lead to each legal move equally often."""
    for _, plies in played(name):
        for ply in plies[:: max(1, len(plies) // 2)]:
            for side in ply.before.to_move:
                made = Counter(drawn(ply.before, side))
                assert made.keys() == set(ply.before.legal_moves(side))
                assert len(set(made.values())) == 1


class _RefusedError(Exception):
    """The proposed move is not legal: chance is asked again."""


def drawn(position: Position, side: str) -> list[object]:
    """The moves from one number of chance, for every possible number."""
    moves: list[object] = []
    number, choices = 0, 1
    while number < choices:
        asked = 0

        def below(most: int) -> int:
            nonlocal asked, choices
            asked, choices = asked + 1, most
            if asked > 1:
                raise _RefusedError
            return number  # noqa: B023 - called in this turn of the loop only

        with suppress(_RefusedError):
            moves.append(position.any_move(side, below))
        number += 1
    return moves


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz", "games.jsonl.zst"])
def test_a_file_is_compressed_if_its_name_says_so(tmp_path: Path, name: str) -> None:
    content = b"a line\n" * 1000
    sizes = []
    for number in (1, 2):
        path = tmp_path / f"{number}-{name}"
        with writer(str(path)) as file:
            file.write(content)
        with reader(str(path)) as source:
            assert source.content.read(len(content) + 1) == content
        sizes.append(path.read_bytes())
    assert sizes[0] == sizes[1]
    assert (len(sizes[0]) < 1000) == (name != "games.jsonl")


def test_a_file_takes_its_place_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(b"before")

    def interrupted() -> None:
        with writer(str(path)) as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"before"]
