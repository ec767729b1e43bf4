"""A correspondence of three who move at once: sealed by the desk or by the players, and audited at the end."""

from __future__ import annotations

from email.message import EmailMessage
from importlib import import_module
from pathlib import Path

import pytest

import referee
from referee.desk import commitment
from referee.draw.text import text_board
from referee.mail.host.metrics import exposition
from referee.mail.host.register import letters
from tests.support.correspondence import GAME, Correspondence, address, corresponding, text
from tests.support.desks import Desk, holds, request
from tests.support.examples import sampled
from tests.support.friends import ADA, BEN, CLEO, DAN, friends
from tests.support.keyed_games import play_with_key
from tests.support.letter_kinds import every_kind

SIDES = ("amber", "jade", "violet")
NONCES = {side: bytes([number]) * 32 for number, side in enumerate(SIDES)}


def said(post: Correspondence, side: str, body: str) -> str:
    """The answer to a side, on one line."""
    return " ".join(text(post.write(side, body)[address(side)]).split())


def sealed(post: Correspondence, side: str, move: str) -> str:
    """The line of a letter that seals a move for the next ply."""
    return f"seal {commitment(GAME, post.state.ply, side, post.state.protocol, move, NONCES[side], post.state.past)}"


@pytest.mark.slow
def test_three_letters_make_a_ply_and_no_move_is_known_before(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("three-crows")
        assert "You [F 12]" in said(post, "violet", "F 12")
        assert "You [F 2]" in said(post, "amber", "F 2")
        assert post.state.owing == {"jade"}
        assert 'games{rules="three-crows",state="running"} 1' in exposition(post.office, post.at)
        assert [one.verdict for one in letters(post.office, GAME) if one.incoming] == ["moved", "moved"]
        others = [text(letter) for side in ("amber", "jade") for letter in post.letters[address(side)]]
        assert not any("F 12" in letter for letter in others)
        post.write("jade", "F 7")
        assert post.state.ply == 2
        last = {side: " ".join(text(post.letters[address(side)][-1]).split()) for side in SIDES}
        assert all("[F 2] took a nut on tree 2." in letter for letter in last.values())
        assert all("ade [F 7] " in letter or "You [F 7] " in letter for letter in last.values())
        post.holds()


@pytest.mark.slow
def test_one_of_three_has_a_key(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        play_with_key(post, "three-crows", "jade")


@pytest.mark.slow
def test_every_kind_of_letter_has_its_words_and_its_page(tmp_path: Path) -> None:
    letters = [letter for _, letter in every_kind("three-crows", tmp_path / "desk", "pictures: true")]
    assert {letter.get_content_type() for letter in letters} == {"multipart/alternative"}
    assert len({str(letter["Subject"]) for letter in letters}) > 20


@pytest.mark.slow
def test_players_seal_and_reveal_their_moves_themselves(tmp_path: Path) -> None:
    moves = {"amber": "F 3", "jade": "F 3", "violet": "W"}
    with corresponding(tmp_path / "desk") as post:
        post.open("three-crows")
        for side in ("amber", "jade"):
            assert "sealed" in said(post, side, sealed(post, side, moves[side]))
        assert "You [W]" in said(post, "violet", "W")
        assert post.state.revealing
        post.write("jade", f"reveal F 3 {NONCES['jade'].hex()}")
        assert post.state.ply == 1
        post.write("amber", f"reveal F 3 {NONCES['amber'].hex()}")
        assert post.state.ply == 2
        assert "Amber and jade met on tree 3 and took nothing." in " ".join(
            text(post.letters[address("violet")][-1]).split()
        )
        assert dict(post.state.position.score) == {"amber": 0, "jade": 0, "violet": 1}
        post.holds()


@pytest.mark.slow
@pytest.mark.parametrize("plies", sampled([2, 100], 2))
def test_a_correspondence_to_the_end_with_seals_of_both_kinds(tmp_path: Path, plies: int) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("three-crows", {"days": 5}, {"nuts": 1})
        while post.state.closed is None and post.state.ply <= plies:
            ply = post.state.ply
            own = SIDES[ply % 3]
            for side in SIDES:
                legal = list(post.state.position.legal_moves(side))
                move = str(legal[(ply * 5 + SIDES.index(side)) % len(legal)])
                if side == own:
                    post.write(side, sealed(post, side, move))
                    shown = f"reveal {move} {NONCES[side].hex()}"
                else:
                    post.write(side, move)
            post.write(own, shown)
            post.pass_time(1)
        if plies < 100:
            post.write("jade", "resign")
        assert post.state.closed is not None
        assert post.state.closed.how == ("score" if plies == 100 else "resignation")
        for side in SIDES:
            assert "The game is over" in text(post.letters[address(side)][-1])
        post.holds()


@pytest.mark.slow
def test_a_line_of_the_moves_so_far_has_three_moves(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("three-crows")
        for _ in range(2):
            for side in SIDES:
                post.write(side, str(next(iter(post.state.position.legal_moves(side)))))
        assert [len(one.moves) for one in post.state.as_file().rounds] == [3, 3]
        history = text(post.write("jade", "history")[address("jade")]).splitlines()
        assert history[0] == "Here is what you asked for. It is your turn."
        for number, ply in enumerate(post.state.plies, 1):
            assert f"|   {number}.  {' | '.join(ply[side] for side in SIDES)}" in history
        post.holds()


@pytest.mark.slow
def test_answers_about_a_game_without_a_lesson(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("three-crows")
        assert "Three Crows: the referee developers." in said(post, "amber", "rules")
        told = said(post, "amber", "notation three crows")
        assert "A move is made of these: F to fly; W to wait; a tree: 1 to 12. For example: [" in told
        told = said(post, "jade", "try 1. F 2 | F 6 | F 10\nF 3 | F 7")
        assert "NOT made: nothing has changed." in told
        assert "| 1. F 2 | F 6 | F 10 tree 1 2 3" in told
        assert "The trial ends here: violet owes a move: these moves are made at once. (missing-move)" in told
        assert "crow" in said(post, "jade", "board 0")
        assert post.kinds == ["opened"]


@pytest.mark.slow
def test_a_draw_needs_all_three(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("three-crows")
        told = post.write("amber", "offer draw")
        asked = " ".join(text(told[address("violet")]).split())
        assert "amber's draw offer: reply [accept] or [decline]." in asked
        assert "Every player has to accept it." in asked
        post.write("jade", "accept")
        assert post.state.closed is None
        post.write("violet", "offer draw")
        assert post.state.closed is not None
        assert (post.state.closed.how, post.state.closed.winner) == ("agreement", None)
        post.holds()


@pytest.mark.slow
def test_a_timeout_of_one_ends_the_game_when_another_claims_it(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("three-crows", {"days": 1})
        post.write("amber", "F 2")
        post.write("violet", "F 7")
        post.pass_time(25)
        assert "any other player can end the game" in " ".join(
            text(post.write("violet", "status")[address("violet")]).split()
        )
        assert "no-claim" in said(post, "jade", "claim timeout")
        post.write("violet", "claim timeout")
        assert post.state.closed is not None
        assert (post.state.closed.how, post.state.closed.by, post.state.closed.winner) == ("timeout", "jade", None)
        post.holds()


@pytest.mark.slow
@pytest.mark.parametrize("side", sampled(SIDES, 3))
def test_a_resignation_loses_and_no_other_side_wins(side: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("three-crows")
        post.write(side, "resign")
        assert post.state.closed is not None
        assert post.state.outcome is not None
        assert post.state.outcome.winner is None
        post.holds()


@pytest.mark.slow
def test_three_open_a_game_by_letter_and_play_it_again(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        assert "takes at most 2 others" in told(post.write(ADA, f"new three-crows with {BEN}, {CLEO}, {DAN}")[ADA])
        assert post.write(ADA, f"new three-crows with {BEN}, {CLEO} as jade, nuts 1").keys() == {ADA, BEN, CLEO}
        assert "Three Crows. You would be amber." in post.said(BEN)
        assert "(not-open)" in told(post.answer(BEN, "F 2")[BEN]), "Cleo has to accept, too"
        post.answer(BEN, "accept")
        assert post.answer(CLEO, "F 7").keys() == {ADA, BEN, CLEO}, "the first move of the last one accepts"
        assert post.kinds() == ["invited", "joined", "joined", "joined", "opened", "submitted"]
        post.answer(BEN, "resign")
        assert "to play again with everyone on a new side" in post.said(ADA)
        (first,) = post.games
        for who in (CLEO, ADA, BEN):
            post.answer(who, "rematch")
        (again,) = {*post.games} - {first}
        assert "with everyone on a new side" in told(post.letters[ADA][-3])
        players = {"amber": "Cleo", "jade": "Ben", "violet": "Ada Lovelace"}
        assert (post.office.desk.state(again).players, post.kinds(again)[-1]) == (players, "opened")
        post.write(ADA, f"new three-crows with {BEN}, as jade")
        assert post.answer(BEN, "decline").keys() == {ADA, BEN}
        post.holds()


def told(letter: EmailMessage) -> str:
    """The text of a letter on one line."""
    return " ".join(text(letter).split())


def test_three_are_invited_and_the_last_of_them_answers_with_a_move() -> None:
    desk = Desk.invited("three-crows", "jade", open_to=["violet"])
    assert desk.ask(request(desk, "amber", "submit F 2"))[0].code == "not-open", "violet's seat still waits"
    desk.ask(request(desk, "guest", "seat violet Corvina"), after=1)
    desk.ask(request(desk, "amber", "submit F 2"), after=1)
    assert desk.kinds == ["invited", "joined", "joined", "joined", "opened", "submitted"]
    assert desk.state.players["violet"] == "Corvina"
    desk.ask(request(desk, "jade", "abort"))
    assert desk.kinds[-2:] == ["aborted", "closed"]
    holds(desk)


def test_a_board_without_a_legend_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("referee_hex.drawing").HexDrawing, "legend", "")
    start = referee.start("hex")
    assert text_board(start, explained=False) == text_board(start)
