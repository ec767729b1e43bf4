"""Hints in letters to players who were not understood, and the fate of their offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.mail.intake.meanings import hint
from tests.support.correspondence import Correspondence, address, corresponding, text
from tests.support.tables import table

HINTS = table(Path(__file__).with_name("hints.yaml"))


def told(post: Correspondence, side: str, body: str) -> dict[str, str]:
    """The letters to all players that a letter of a side causes, each on one line."""
    came = post.write(side, body)
    return {side: " ".join(text(came[address(side)]).split()) for side in post.state.players if address(side) in came}


@pytest.mark.parametrize("game", HINTS)
def test_possible_meanings_of_a_line(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open(game)
        side = next(one for one in post.state.position.sides if one in post.state.position.to_move)
        assert {line: hint(line, post.state, side) for line in HINTS[game]} == HINTS[game]


def test_a_hint_is_below_its_line_and_is_never_carried_out(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        answer = text(
            post.write("blue", "What a day\nZug: d1-d2\n\nVon: Red <red@players.example>\nAn: blue")[address("blue")]
        )
        lines = [line.strip() for line in answer.splitlines()]
        below = lines.index("|     Zug: d1-d2") + 1
        assert lines[below] == "Did you mean [M d1-d2]? To choose, reply yes."
        assert lines[below - 2] == "|     What a day"
        assert "The others do not see these lines" in answer, "what is no command may be for the other player"
        assert "Reply [pass on] to send them" in told(post, "blue", "Hello, what a nice idea!")["blue"]
        assert post.kinds == ["opened"]


@pytest.mark.slow
def test_courtesy_is_not_reported_as_unclear(tmp_path: Path) -> None:
    """Repetitions in other words are accepted, and players are not taught commands that their letter uses."""
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        said = told(post, "blue", "What a day\nmessage\nIt rains.\nend")["blue"]
        assert "What a day" in said
        assert "To write to the others" not in said
        for side, body in (("blue", "Here you go!\nd1-d2"), ("red", "Ich höre auf.\nresign")):
            assert "Not understood" not in told(post, side, body)[side]


@pytest.mark.slow
def test_players_are_not_asked_about_things_that_are_over(tmp_path: Path) -> None:
    """Neither about another move than the one that binds them, nor about an answer without a question."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        assert "Did you mean" not in told(post, "south", "P M1 A2 12\nI thought of P M1 A4 12")["south"]
        post.write("north", "P M1 A2 12")
        assert "Did you mean" not in told(post, "south", "yes")["south"]
        post.write("north", "offer draw")
        assert "Did you mean [accept]?" in told(post, "south", "yes\nWhat a day")["south"]


@pytest.mark.slow
def test_a_team_that_may_not_talk_hears_nothing_of_messages(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("the-beam")
        (side, *_) = post.state.owing
        assert "[message]" not in told(post, side, "What do you think of it?")[side]


@pytest.mark.slow
def test_a_game_that_the_host_has_opened_needs_no_accepting(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        answer = post.write("blue", "accept")[address("blue")]
        assert "The game has begun" in str(answer["Subject"])
        assert text(answer).startswith("The game has begun, so there is nothing to accept.")
        assert "NOT" not in text(answer)
        post.write("blue", "d1-d2")
        assert "(no-offer)" in told(post, "blue", "accept")["blue"]


@pytest.mark.slow
def test_a_team_ends_its_game_together_and_draws_nothing(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("the-beam")
        assert "[offer end]" in told(post, "p1", "help")["p1"]
        came = post.write("p1", "offer end")
        assert str(came[address("p2")]["Subject"]).endswith("Offer to end the game together")
        came |= post.write("p2", "decline") | post.write("p3", "offer to end the game together")
        for side in ("p1", "p2", "p4"):
            came |= post.write(side, "accept")
        assert post.kinds[-2:] == ["accepted", "closed"]
        assert not [line for one in came.values() for line in text(one).splitlines() if "draw" in line.split()]


@pytest.mark.slow
def test_an_offer_next_to_a_move(tmp_path: Path) -> None:
    """It lasts after the player's own move, until another side has moved; all are notified when it ends."""
    ended = "The draw offer is over, because another player has moved."
    with corresponding(tmp_path / "turns") as post:
        post.open("laser-chess")
        said = told(post, "blue", "offer draw\nd1-d2")
        assert "The offer is open until another player moves." in said["blue"]
        assert "[accept] or [decline]" in said["red"]
        said = told(post, "red", "g8-g7")
        assert ended in said["red"]
        assert ended in said["blue"]
    with corresponding(tmp_path / "at-once") as post:
        post.open("beams")
        post.write("south", "P M1 A2 12")
        said = told(post, "north", "offer draw\nP M1 A2 12")
        assert "your move was the last one to come in. All moves were made, and that ended the offer" in said["north"]
        assert "The offer is open" not in said["north"]
        assert ended in said["south"]
