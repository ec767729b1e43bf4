"""Games in another form are the same games: nothing is lost, and the order stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.archives.conversion import GAME_FORMS, convert_shard, to_text
from referee.archives.files.forms import read_text
from referee.archives.files.shards import FilePart, GameText, Shard
from referee.errors import FileError
from referee.game import GameFile, loads
from referee.game.file.dumper import as_mapping, list_text
from referee.game.file.syntax import is_headed
from tests.support.archives import lines
from tests.support.examples import examples
from tests.support.game_files import game_files


def read_again(text: str, form: str) -> GameFile:
    return read_text(FilePart(f"game.{form}", False, ()), GameText(0, text.encode()))


@pytest.mark.slow
@given(game_files(), st.lists(st.sampled_from(GAME_FORMS), min_size=1, max_size=3))
@examples(1.5)
def test_nothing_of_a_game_gets_lost(game: GameFile, forms: list[str]) -> None:
    """Through one form or several: header, moves, marks, comments, end and result."""
    now = game
    for form in forms:
        text = to_text(now, form)
        now = read_again(text, form)
        assert now == game
        assert to_text(now, form) == text


def test_the_order_is_kept_and_a_bad_game_does_not_stop_the_rest() -> None:
    good = lines("laser-chess", 5)
    made = convert_shard(Shard.of_lines([*good[:2], "no game", *good[2:]], "a.jsonl"), "json")
    assert [one.content.rstrip("\n") for one in made if not one.fault] == list(good)
    (fault,) = (one for one in made if one.fault)
    assert fault.fault.startswith("a.jsonl:3:1: wrong-type: ")
    assert not fault.unreadable


def test_bare_move_lists_are_read_as_the_caller_says() -> None:
    shard = Shard(0, (FilePart("x.moves", False, (GameText(0, b"P S A2 | P S A4\n"),)),))
    bare = GameFile("beams", options={"columns": 17})
    assert convert_shard(shard, "json", bare)[0].content == (
        '{"game": "beams", "options": {"columns": 17}, "moves": "1. P S A2 | P S A4\\n"}\n'
    )
    assert convert_shard(shard, "json")[0].fault.startswith("x.moves:1:1: unknown-game: ")


def test_a_list_without_a_header_has_none() -> None:
    assert not is_headed("1. P S A2\n")
    assert not is_headed("; game: beams\n1. P S A2\n")


def test_findings_in_a_list_are_at_their_places() -> None:
    text = list_text(as_mapping(loads(lines("beams", 1)[0])))
    spoilt = text.replace("\n2.", "\n9.", 1)
    with pytest.raises(FileError) as caught:
        loads(spoilt)
    first = caught.value.findings[0]
    assert (first.code, spoilt.splitlines()[first.line - 1][:2]) == ("round-number", "9.")
