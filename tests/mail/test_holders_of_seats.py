"""A new player of a seat changes its address: a second program follows that, and no letter fits the former one."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.desk import Close, Reopen, Replace
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.evidence.testimony import audit_letters
from referee.mail.host.host import order_by_host
from tests.support.correspondence import GAME, address
from tests.support.friends import ADA, BEN, CLEO, DAN, friends
from tests.support.signed_letters import known_keys, move, playing
from tests.support.witnesses import expect_tokens, mailbox


@pytest.mark.slow
def test_another_program_follows_the_players_of_a_seat(tmp_path: Path) -> None:
    """Another player takes a seat twice, and the game ends twice."""
    with playing(tmp_path / "desk", "boundary") as post:
        for side in ("south", "north", "south"):
            order_by_host(post.office, GAME, Replace(side, "Eve", address(side)), post.at)
            post.collect()
            move(post, "south" if "south" in post.state.owing else "north")
        for _ in range(2):
            order_by_host(post.office, GAME, Close(), post.at)
            post.collect()
            order_by_host(post.office, GAME, Reopen("It goes on"), post.at)
            post.collect()
            move(post, next(iter(post.state.owing)))
        post.write("north", "resign")
        assert expect_tokens(post.office, GAME) == 6


@pytest.mark.slow
def test_another_program_follows_an_open_seat(tmp_path: Path) -> None:
    """Players come and go before it begins."""
    with friends(tmp_path) as post:
        post.write(ADA, "new the-beam, as p1")
        (name,) = post.games
        for sender in (BEN, CLEO):
            post.write(sender, f"join {name}")
            assert post.said(sender).startswith("You have accepted")
            post.answer(sender, "decline")
        for sender in (BEN, CLEO, DAN):
            post.write(sender, f"join {name}")
        assert post.kinds(name)[-1] == "opened"
        seats = {"p1": ADA, "p2": BEN, "p3": CLEO, "p4": DAN}
        for _ in seats:
            (side,) = post.state.owing
            post.answer(seats[side], str(next(iter(post.state.position.legal_moves(side)))))
        assert expect_tokens(post.office, name) == 4


@pytest.mark.slow
@pytest.mark.parametrize("several", [False, True])
def test_several_mailboxes_of_a_running_game_are_named(tmp_path: Path, *, several: bool) -> None:
    """A desk can move, so only the end shows whether both are its own."""
    with playing(tmp_path / "desk", "boundary", "formerly: [club@example.org]\n") as post:
        move(post, "south")
        to = post.office.seat_address(post.state, "north")
        made = next(iter(post.state.position.legal_moves("north")))
        post.write("north", str(made), to=to.replace("desk+", "club+") if several else to)
        assert post.kinds[-1] == "played"

        def audited() -> tuple[str, ...]:
            witness = LetterEvidence([mailbox(post.office)], known_keys())
            found = audit_letters(post.exported.splitlines(), "log", witness=witness)
            assert not found.failed
            return found.lines

        said = (
            "letters to seats of this game went to club@example.org and desk@example.org: only its end shows which "
            "of these are the desk's"
        )
        assert (said in audited()) == several
        post.write("north", "resign")
        assert said not in audited()
