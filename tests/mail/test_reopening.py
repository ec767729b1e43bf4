"""A game that was lost by a wrong clock goes on, and all players are notified."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from referee.desk import acts, heads_in
from referee.desk.proof.histories import chain_of
from referee.errors import RefereeError
from referee.mail.host.host import order_by_host, renew_key, tick_games
from tests.support.correspondence import GAME, address, corresponding, proofs, text

CLOCK = {"days": 5, "timeout": "loss", "reminders": []}


@pytest.mark.slow
def test_a_game_lost_by_a_clock_that_was_ahead_goes_on(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", CLOCK)
        post.write("south", "P M1 A2 12")
        right = post.at
        tick_games(post.office, right + timedelta(days=6))
        assert post.kinds == ["opened", "submitted", "closed"]
        assert post.office.desk.catalogue.ids(running=True) == []
        post.at = right + timedelta(days=6)
        (over,) = {text(one).count("P M1 A2 12") for one in post.collect().values()}
        assert over, "the end tells what was sealed"
        order_by_host(post.office, GAME, acts.Reopen("Our clock was ahead"), right)
        told = post.collect()
        assert {address("south"), address("north")} == set(told)
        for letter in told.values():
            words = " ".join(text(letter).split())
            assert "The host has reopened the game. It goes on from the last move." in words
            assert "The reason: Our clock was ahead." in words
            assert letter["Subject"] == f"[{GAME}] The game goes on"
            assert "It is your turn, until" in words
        assert post.office.desk.catalogue.ids(running=True) == [GAME]
        tick_games(post.office, post.at)
        assert post.kinds[3:] == ["reopened"]
        first, nonces = post.office.desk.games.held(GAME).secrets["move/1/south"], []
        post.write("south", "P M1 A2 12", last=0)
        assert post.kinds[4:] == [], "the addresses from before the end count no more"
        post.write("south", "P M1 A2 12")
        nonces = [one.rsplit(" ", 1)[1] for one in (first, post.office.desk.games.held(GAME).secrets["move/1/south"])]
        assert nonces[0] != nonces[1], "the nonce of the first seal is known to everybody"
        post.write("north", "P M2Y B3 10")
        assert post.kinds[4:] == ["submitted", "submitted", "played"]
        post.holds()


@pytest.mark.slow
def test_a_game_that_was_over_when_the_key_changed_goes_on_with_the_new_one(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary", CLOCK)
        tick_games(post.office, post.at + timedelta(days=6))
        assert renew_key(post.office, post.at + timedelta(days=6)) == 0
        post.collect()
        order_by_host(post.office, GAME, acts.Reopen("Our clock was ahead"), post.at)
        assert post.kinds == ["opened", "closed", "reopened", "signed"]
        key, told = post.office.desk.key.signer.public, proofs(post.collect()[address("south")])
        assert key in told
        (shown,) = heads_in(told)
        assert shown.is_signed(key)
        assert chain_of(post.exported.splitlines()).keys[-1] == key
        post.holds()


@pytest.mark.parametrize(("clock", "code"), [(None, "not-over"), (CLOCK, "not-over")])
def test_a_refusal_changes_nothing(clock: dict[str, object] | None, code: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", clock)
        with pytest.raises(RefereeError) as raised:
            order_by_host(post.office, GAME, acts.Reopen("No"), post.at)
        assert raised.value.code == code
        assert post.kinds == ["opened"]
        assert post.collect() == {}


def test_a_letter_taken_by_a_clock_that_was_ahead_stops_no_other_game(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", CLOCK)
        right, to = post.at, str(post.letters[address("south")][-1]["Reply-To"])
        raw = f"From: {address('south')}\nTo: {to}\n\nP M1 A2 12\n".encode()
        post.office.desk.inbox.receive(raw, right + timedelta(days=300))
        tick_games(post.office, right)
        assert post.kinds == ["opened", "submitted"]
        assert post.office.desk.log(GAME)[1].at == right
        assert tick_games(post.office, right + timedelta(days=5)) == 1
        assert post.state.outcome is not None
        assert post.state.outcome.winner == "south"
