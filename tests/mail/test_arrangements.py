"""Games that people arrange by letter, from the first letter to the last, with the desk's letters to all of them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from referee.desk import Terms
from referee.game import GameFile
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game
from referee.mail.letters.format.taste import INVITATIONS, NEVER
from referee.mail.transport.receipt import receive
from tests.support.command_line import referee
from tests.support.correspondence import text
from tests.support.friends import ADA, BEN, CLEO, DAN, SETTINGS, Friends, begun, friends


@pytest.mark.slow
def test_a_game_in_one_letter(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        came = post.write(
            ADA, f"Hi,\n\nnew laser chess with {BEN}\nas red, setup grail, 3 days a move\n\nThanks, Ada"
        )
        assert came.keys() == {ADA, BEN}
        for words in ("You are red", "setup grail", "3 days a move", BEN):
            assert words in post.said(ADA), "what was read is said back"
        assert "Ada Lovelace" in post.said(BEN)
        assert (post.kinds(), post.state.owing) == (["invited", "joined"], frozenset()), "no clock runs yet"
        assert post.answer(BEN, "accept").keys() == {ADA, BEN}
        assert post.kinds() == ["invited", "joined", "joined", "opened"]
        assert post.state.options["setup"] == "grail"
        assert post.state.players == {"blue": "Ben", "red": "Ada Lovelace"}
        post.answer(BEN, "M d1-d2")
        post.answer(ADA, "resign")
        assert post.kinds()[-3:] == ["played", "resigned", "closed"]
        post.holds()


@pytest.mark.slow
def test_every_term_of_the_clock_by_letter(tmp_path: Path) -> None:
    terms = "2 days a move, bank 9, increment 1, most 20, vacation 5, reminders 12 and 24, timeout loss"
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}, {terms}, zone Europe/Vienna")
        assert post.state.clock.terms == Terms(2, 9, 1, 20, 5, (24, 12), "loss", "Europe/Vienna")
        assert all("8 Mar, 13:00 CET" in post.said(who) and "UTC," not in post.said(who) for who in (ADA, BEN))
        post.write(CLEO, "new boundary, " + "x" * 200)
        assert "not understood" in post.said(CLEO)


@pytest.mark.slow
def test_a_player_who_has_not_accepted_is_reminded_of_it(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}")
        post.answer(BEN, "offer draw")
        assert "you have not accepted the invitation yet (not-open)" in post.said(BEN)


@pytest.mark.slow
def test_a_first_move_accepts(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new laser-chess with {BEN} as red")
        post.answer(BEN, "M d1-d2")
        assert post.kinds() == ["invited", "joined", "joined", "opened", "played"]
        post.holds()


def test_nothing_is_opened_while_something_is_unclear(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        assert post.write(ADA, f"new laser-chess with {BEN}\nwith three kings").keys() == {ADA}
        assert "not understood: three kings" in post.said(ADA)
        assert post.write(BEN, "new laser-chess\nhelp").keys() == {BEN}
        assert "(apart)" in post.said(BEN)
        assert post.games == []


@pytest.mark.slow
def test_the_clock_of_a_game_is_judged_with_what_the_host_has_set(tmp_path: Path) -> None:
    with friends(tmp_path, f"{SETTINGS}clock: {{bank: 24}}\n") as post:
        post.write(ADA, "new laser-chess 0 days a move")
        assert len(post.games) == 1
        post.write(ADA, "new laser-chess 0 days a move, bank 0 hours")
        assert "(unclear-opening)" in post.said(ADA)
    (other := tmp_path / "other").mkdir()
    with friends(other) as post:
        post.write(ADA, "new laser-chess 0 days a move")
        assert "no side could ever move in time. (clock)" in post.said(ADA)
        assert post.games == []


@pytest.mark.slow
def test_invited_players_are_notified_once_of_the_end(tmp_path: Path) -> None:
    """Not those who have declined or joined, and not those whom the host forbids to write to."""
    with friends(tmp_path) as post:
        post.write(ADA, f"new the beam with {BEN}, {CLEO} and {DAN}")
        post.answer(CLEO, "accept with word blue elephant")
        assert "part in what chance decides: 'blue elephant'" in post.said(CLEO)
        own = next(one for one in reversed(post.letters[ADA]) if "+" in str(one["Reply-To"]))
        told = post.write(ADA, "withdraw", to=str(own["Reply-To"]))
        assert told.keys() == {ADA, BEN, CLEO, DAN}
        assert ["taken back" in " ".join(text(told[one]).split()) for one in (BEN, CLEO, DAN)] == [True, False, True]
        post.holds()


@pytest.mark.slow
def test_a_game_waits_with_open_seats(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, "new the beam with " + BEN)
        (name,) = post.games
        assert "The Beam takes 4 players, each on one side, so 2 seats are still open." in post.said(ADA)
        assert f"[join {name}]" in post.said(ADA)
        assert f"[join {name}]" in " ".join(text(post.write(CLEO, "games")[CLEO]).split())
        post.write(CLEO, "join the-beam")
        assert f"write [join {name}]. (no-seat)" in post.said(CLEO)
        post.write(CLEO, f"join {name}")
        assert post.kinds() == ["invited", "joined", "joined"]
        post.write("cleo+again@example.net", f"join {name}")
        assert "(own-game)" in post.said("cleo+again@example.net")
        post.answer(CLEO, f"join {name}")
        assert "(own-game)" in post.said(CLEO)
        post.write(DAN, f"join {name}")
        post.answer(BEN, "accept with word blue elephant")
        assert post.kinds() == ["invited", *["joined"] * 4, "opened"]
        post.write("eve@example.net", f"join {name}")
        assert "(no-seat)" in post.said("eve@example.net")
        post.holds()


def given_up(post: Friends) -> str:
    """A game whose open seat Cleo has taken and given up; its id."""
    post.write(ADA, "new the beam")
    (name,) = post.games
    post.write(CLEO, f"join {name}")
    post.answer(CLEO, "withdraw")
    return name


@pytest.mark.slow
def test_a_player_who_gave_up_an_open_seat_can_take_it_again(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        name = given_up(post)
        post.write(CLEO, f"join {name}")
        assert post.kinds() == ["invited", "joined", "joined", "left", "joined"]
        post.holds()


@pytest.mark.slow
def test_a_player_who_gave_up_an_open_seat_has_no_key_of_the_next_one(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        name = given_up(post)
        kept = str(post.letters[CLEO][-1]["Reply-To"])
        post.write(DAN, f"join {name}")
        assert str(post.letters[DAN][-1]["Reply-To"]) != kept
        post.write(DAN, "withdraw", to=kept, vouched=False)
        assert post.kinds()[-1] == "joined", "somebody else wrote in Dan's name"


@pytest.mark.slow
def test_a_player_who_takes_an_open_seat_again_has_their_own_name(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new the beam with {BEN}")
        (name,) = post.games
        post.write(CLEO, f"join {name}")
        (side,) = (one for one, who in post.state.players.items() if who == "Cleo")
        post.answer(CLEO, "withdraw")
        assert post.state.players[side] == side
        post.answer(CLEO, "accept")
        assert post.state.players[side] == "Cleo"
        post.answer(CLEO, "withdraw")
        post.write(DAN, f"join {name}")
        post.answer(CLEO, "accept")
        assert post.state.players[side] == "Dan", "the seat is no longer Cleo's"
        post.holds()


@pytest.mark.slow
def test_no_seat_can_be_taken_in_a_game_that_has_lapsed(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, "new boundary")
        (name,) = post.games
        post.at += timedelta(days=8)
        assert post.write(BEN, f"join {name}").keys() == {BEN}
        assert "(invitation-over)" in post.said(BEN)
        assert "+boundary" not in str(post.letters[BEN][-1]["Reply-To"])


@pytest.mark.slow
def test_answers_to_an_invitation(tmp_path: Path) -> None:
    """The proposer is notified of each; those who decline get no more letters."""
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}")
        assert post.answer(BEN, "decline").keys() == {ADA, BEN}
        post.write(ADA, f"new boundary with {BEN}")
        assert post.answer(ADA, "withdraw").keys() == {ADA, BEN}
        assert "Ada Lovelace has taken back the invitation to a game of Boundary." in post.said(BEN)
        post.write(ADA, f"new boundary with {BEN}")
        assert post.pass_time(8).keys() == {ADA}, "the invitation has lapsed"
        post.write(ADA, f"new boundary with {BEN}")
        assert post.answer(BEN, "never").keys() == {ADA, BEN}
        assert post.office.desk.people.preferences(BEN) == {INVITATIONS: NEVER}
        assert "no more invitations from this desk" in post.said(BEN)
        post.answer(BEN, "never")
        assert "(invitation-over)" not in post.said(BEN)
        for who in (ADA, CLEO):
            assert post.write(who, f"new boundary with {BEN}").keys() == {who}
            assert "(not-invited)" in post.said(who)
        post.answer(BEN, "set invitations on")
        assert "You can be invited again." in post.said(BEN)
        assert BEN in post.write(CLEO, f"new boundary with {BEN}")
        post.answer(BEN, "Never!")
        assert post.office.desk.people.preferences(BEN) == {}, "a cry is no choice for good"
        post.answer(BEN, "decline")
        assert {post.kinds(name)[-1] for name in post.games} == {"closed"}
        post.holds()


@pytest.mark.slow
def test_a_game_opened_by_the_host_can_be_declined(tmp_path: Path) -> None:
    """Its letter says how, until the first move; `never` is kept as in the answer to an invitation."""
    with friends(tmp_path) as post:
        for name, word in (("one", "decline"), ("two", "never")):
            addresses = {"south": ADA, "north": BEN}
            open_game(post.office, name, GameFile("beams"), post.at, terms=Terms(), addresses=addresses)
            assert post.collect().keys() == {ADA, BEN}
            assert "reply [decline] until your first move: no one loses" in post.said(BEN)
            assert post.answer(BEN, word).keys() == {ADA, BEN}
            assert "You have called the game off" in post.said(BEN)
            assert post.kinds(name) == ["opened", "aborted", "closed"]
        assert "no more invitations from this desk" in post.said(BEN)
        assert post.office.desk.people.preferences(BEN) == {INVITATIONS: NEVER}
        open_game(post.office, "three", GameFile("beams"), post.at, terms=Terms(), addresses=addresses)
        post.collect()
        post.answer(ADA, "P M1 A2 12")
        assert "to play this game" not in post.said(ADA)
        post.holds()


@pytest.mark.slow
def test_rematch_swaps_the_sides(tmp_path: Path) -> None:
    """The player who asks second accepts."""
    with friends(tmp_path) as post:
        first = begun(post)
        assert "(not-over)" in " ".join(text(post.answer(ADA, "rematch")[ADA]).split())
        post.write(BEN, "resign", to=str(post.letters[BEN][-1]["Reply-To"]))
        assert "What you can do now" not in text(post.answer(BEN, "board")[BEN]), "only the last letter says it"
        post.answer(ADA, "rematch")
        (second,) = {*post.games} - {first}
        assert "You have played Boundary here before. [rules] sends" in post.said(BEN)
        assert "How this works" not in post.said(BEN)
        former = next(one for one in reversed(post.letters[BEN]) if first in str(one["Subject"]))
        post.write(BEN, "rematch", to=str(former["Reply-To"]))
        assert post.kinds(second) == ["invited", "joined", "joined", "opened"]
        assert post.office.desk.state(second).players == {"north": "Ada Lovelace", "south": "Ben"}
        post.answer(BEN, "resign")
        assert "[rematch]" in post.said(BEN)
        post.answer(BEN, "rematch")
        assert "asks for a rematch" in str(post.letters[ADA][-1]["Subject"])
        post.answer(ADA, "rematch")
        (third,) = {*post.games} - {first, second}
        assert post.kinds(third) == ["invited", "joined", "joined", "opened"]
        post.holds()


@pytest.mark.slow
def test_a_rematch_that_came_to_nothing_can_be_asked_for_again(tmp_path: Path) -> None:
    """By either player, but not by a copy of the first letter."""
    with friends(tmp_path) as post:
        first = begun(post)
        post.answer(BEN, "resign")
        address = {one: str(post.letters[one][-1]["Reply-To"]) for one in (ADA, BEN)}
        asks = post.letter(ADA, "rematch", to=address[ADA])
        for raw in (asks, b"Received: from elsewhere\r\n" + asks):
            receive(post.office, raw, post.at)
            handle_waiting(post.office, post.at)
            if BEN in post.collect():
                post.answer(BEN, "decline")
        assert len(post.games) == 2
        assert "(game-id)" in post.said(ADA)
        assert post.write(BEN, "rematch", to=address[BEN]).keys() == {ADA, BEN}
        post.write(ADA, "rematch", to=address[ADA])
        assert sorted(post.kinds(one)[-1] for one in post.games if one != first) == ["closed", "opened"]
        post.holds()


@pytest.mark.slow
def test_a_copied_address_is_no_seat(tmp_path: Path) -> None:
    """An attacker with a secret address cannot ask for a rematch in the player's name, and gets no key to a seat."""
    eve = "eve@example.edu"
    with friends(tmp_path) as post:
        first = begun(post)
        post.answer(BEN, "resign")
        assert post.write(eve, "rematch", to=str(post.letters[ADA][-1]["Reply-To"])).keys() == {eve}
        assert "(no-game)" in post.said(eve)
        assert post.games == [first]
        assert "+boundary" not in str(post.letters[eve][-1])


@pytest.mark.slow
def test_gifts_and_the_end_before_the_beginning(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        begun(post)
        post.answer(BEN, "give Ada 3 days")
        assert post.kinds()[-1] == "gave"
        post.answer(BEN, "abort")
        assert post.kinds()[-2:] == ["aborted", "closed"]
        post.holds()


@pytest.mark.slow
def test_a_player_who_has_left_joins_again_by_confirming_the_same_letter(tmp_path: Path) -> None:
    """One letter then joins twice, at two times, which the log allows for a letter that joins."""
    with friends(tmp_path) as post:
        begun(post)
        post.write(ADA, "new the beam")
        (name,) = {*post.games} - {post.games[0]}
        post.write(BEN, f"join {name}", vouched=False)
        secret = str(post.letters[BEN][-1]["Reply-To"])
        for _ in range(2):
            post.write(BEN, "accept", to=secret, vouched=False)
            assert post.kinds(name)[-1] == "joined"
            post.answer(BEN, "withdraw")
        assert post.kinds(name) == ["invited", "joined", *("joined", "left") * 2]
        post.holds()


@pytest.mark.slow
def test_a_letter_that_has_taken_a_seat_takes_no_other_one(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        begun(post)
        post.write(ADA, "new the beam, as p1")
        (name,) = {*post.games} - {post.games[0]}
        post.write(BEN, f"join {name}", vouched=False)
        secret = str(post.letters[BEN][-1]["Reply-To"])
        post.write(BEN, "accept", to=secret, vouched=False)
        post.answer(BEN, "withdraw")
        post.write(CLEO, f"join {name}")
        assert post.kinds(name) == ["invited", "joined", "joined", "left", "joined"]
        post.write(BEN, "accept", to=secret, vouched=False)
        assert "has taken the seat p2 before, and one letter takes one seat" in post.said(BEN)
        assert "(no-seat)" in post.said(BEN)
        post.write(BEN, f"join {name}")
        assert post.office.desk.state(name).players["p3"] == "Ben Franklin"
        post.holds()


@pytest.mark.slow
def test_a_subject_alone_opens_a_game(tmp_path: Path) -> None:
    """An empty letter may have it in its subject; next to a move, it must be on its own line."""
    with friends(tmp_path) as post:
        post.write(ADA, "", subject=f"new boundary with {BEN}")
        assert len(post.games) == 1
        post.write(CLEO, "Cleo", subject="Re: new boundary")
        post.answer(BEN, "a1-a2; new boundary")
        assert "(apart)" in post.said(BEN)
        assert len(post.games) == 1


@pytest.mark.slow
def test_the_host_sees_what_a_game_waits_for(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, "new boundary, as south")
        post.write(CLEO, f"new laser-chess with {DAN}, as blue")
        seen = referee("desk", "status", "--desk", post.office.folder).out
        for line in (
            "  Boundary, waits for a player to join\n  south  Ada Lovelace: joined\n  north  open to anyone, until",
            "  Laser Chess, waits for answers\n  blue   Cleo: joined\n  red    Dan: invited, until Monday",
        ):
            assert line in seen


@pytest.mark.slow
def test_a_player_invited_to_a_game_that_never_began_can_still_answer_never(tmp_path: Path) -> None:
    """The answer goes to the address in that letter, although an end changes the addresses of a game."""
    with friends(tmp_path, SETTINGS) as post:
        post.write(ADA, f"new boundary with {BEN}")
        to = str(post.letters[BEN][-1]["Reply-To"])
        post.answer(ADA, "withdraw")
        post.write(BEN, "never", to=to, vouched=False)
        assert post.office.desk.people.preferences(BEN) == {INVITATIONS: NEVER}
