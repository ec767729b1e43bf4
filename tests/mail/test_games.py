"""Whole games by letters: every letter is checked on its way, and the log is audited at the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk.law.seat_addresses import token_of
from referee.game import is_text
from referee.mail.intake.commands import speaks
from referee.mail.letters.format.blocks import Depiction, TextBoard
from referee.mail.letters.format.plain import silent
from referee.mail.letters.sections import board_blocks
from referee.rules import GAMES, Event, Position, start
from tests.support.correspondence import KEY, address, corresponding, text
from tests.support.examples import examples, sampled
from tests.support.tables import table

HEADS: dict[str, str] = table(Path(__file__).with_name("heads.yaml"))["games"]
"""The log head of each whole game, recorded once and for all."""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES[::-1])
def test_a_game_is_played_to_its_end_by_letters(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", key=KEY) as post:
        post.open(game, {"days": 5})
        chance = random.Random(7)
        letters = 0
        while post.state.closed is None and letters < 60:
            side = min(post.state.owing)
            move = post.state.position.any_move(side, chance.randrange)
            answer = post.write(side, f"{move}\n\nBest wishes")[address(side)]
            assert f"- You [{move}]" in text(answer), text(answer)
            letters += 1
            post.pass_time(0.1)
        if post.state.closed is None:
            post.write(min(post.state.players), "resign")
        assert post.state.closed is not None
        assert "The game is over" in text(post.letters[address(max(post.state.players))][-1])
        post.holds()
        assert post.state.head == HEADS.get(game, post.state.head), "the bytes of logs never change"


@pytest.mark.slow
def test_every_letter_of_an_event_has_its_own_message_id(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        for side in ("south", "north"):
            post.write(side, "P M1 A2 12")
            post.write(side, "P M1 A2 12")
        found = [message["Message-ID"] for letters in post.letters.values() for message in letters]
        assert len(found) == len(set(found)) == 8


@pytest.mark.slow
def test_a_thread_begins_with_the_invitation(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", "P M1 A2 12")
        invitation, answer = post.letters[address("south")]
        assert answer["References"].split()[0] == invitation["Message-ID"]
        assert answer["In-Reply-To"] == "<1@players.example>"
        assert answer["List-Id"] == "Game spring-7 <spring-7.example.org>"


@pytest.mark.slow
def test_a_quoted_letter_of_the_desk_asks_for_nothing(tmp_path: Path) -> None:
    """In any style of quotation: with marks or without, above or below, wrapped or not."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", "P M1 A2 12")
        post.write("north", "history\nhelp\nlegal\nP M9 A2 12")
        for quoted in _quotations(text(post.letters[address("north")][-1])):
            before = post.state.number
            post.write("north", quoted)
            assert post.state.number == before
            post.pass_time(25)


def _quotations(letter: str) -> Iterator[str]:
    lines = letter.splitlines()
    yield letter
    yield "\n".join(f"> {line}" for line in lines)
    yield "\n".join(f"  {line}" for line in lines)
    yield "\n".join(line.strip() for line in lines)
    yield "\n".join(piece for line in lines for piece in (line[:60], line[60:]))
    yield "\n".join(f"|{line}" for line in lines)


@given(st.lists(st.text(max_size=40), max_size=8))
@examples(2)
def test_no_line_is_a_command_with_any_text_of_players(lines: list[str]) -> None:
    written = [line for whole in lines for line in whole.splitlines()]
    commands = ["P M1 A2 12", "resign", " - resign", "12. P M1 A2 12", "help", "message", "end", "| resign"]
    for line in silent([*written, *commands], "beams"):
        assert not speaks(line, "beams")


def test_a_token_is_bound_to_game_side_holder_and_ply() -> None:
    tokens = {
        token_of(secret, game, root, side, holder, ply)
        for secret in (b"k" * 32, b"l" * 32)
        for root in ("ab" * 32, "cd" * 32)
        for game in ("a", "b")
        for side in ("south", "north")
        for holder in (0, 1)
        for ply in (1, 2)
    }
    assert len(tokens) == 64
    assert all(is_text(token) and token.islower() for token in tokens)


def test_a_low_board_explains_its_signs_as_a_tall_one_does() -> None:
    shown, names = Depiction(start("laser-chess"), "blue"), {"blue": "you", "red": "Ben"}
    _, board, _ = board_blocks(shown, names, in_words=False)
    assert isinstance(board, TextBoard)
    assert [*board.lines][-4:] == [*board.low()][-4:]
    assert "+ your helix, - Ben's helix" in board.low()


def _board(position: Position, side: str, events: tuple[Event, ...]) -> tuple[str, ...]:
    _, board, _ = board_blocks(Depiction(position, side, events), {side: "resign"}, in_words=False)
    assert isinstance(board, TextBoard)
    return *board.lines, *board.low()


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_no_line_of_a_board_is_a_command(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open(game)
        chance = random.Random(3)
        state, marks = post.state, tuple[Event, ...]()
        for _ in range(40):
            for side in state.position.sides:
                assert not [line for line in _board(state.position, side, marks) if speaks(line, game)]
            if not state.position.to_move:
                break
            position = state.position
            moves = {side: position.any_move(side, chance.randrange) for side in position.to_move}
            state = replace(state, position=position.play(moves))
            marks = position.events(moves, state.position)
