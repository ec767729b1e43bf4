"""Games that begin by invitation: joining, notices, the beginning, and failures."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk import Act, By, Progress, Proposal, Terms, public
from referee.desk.law.seat_addresses import seat_token
from referee.desk.log import acts, events
from referee.desk.log.secrets import CHANCE
from referee.desk.play.notices import Topic
from referee.desk.play.progress import enter
from referee.desk.play.proposals import rematch
from referee.desk.records import Change
from referee.desk.state.invitations import Invitation, promise
from referee.desk.store.store import Store
from referee.errors import RefereeError
from referee.game import GameFile
from referee.rules import GAMES
from tests.oracles.verifier import verify
from tests.support import desks
from tests.support.desks import BEGIN, holds, request, sides
from tests.support.examples import examples
from tests.support.forgeries import Timed, rechained
from tests.support.logs import audit_text, letter
from tests.support.proposals import Posted, Told, addresses, proposal

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ANSWERS = ("accept", "accept tea", "decline", "never", "withdraw", "abort", "resign", "offer", "give 5", "message Hi")


@pytest.fixture
def desk(where: str) -> Iterator[Posted]:
    with Store.create(where) as store:
        yield Posted(store)


def checked(desk: Posted, name: str) -> list[str]:
    """The kinds of a game's entries; all verifiers accept its log."""
    entries = desk.log(name)
    text = "".join(f"{entry.as_line()}\n" for entry in entries)
    assert (audit_text(text).findings, verify(text)) == ((), [])
    return [entry.as_json()["kind"] for entry in entries]


def test_from_an_invitation_to_the_end(desk: Posted) -> None:
    told = Told()
    state = desk.invite("game-1", proposal("beams", "south"), BEGIN, addresses=addresses("beams"), writer=told)
    assert told.topics == {"north": Topic.INVITATION}
    assert (state.standing("south"), state.standing("north"), state.owing) == ("joined", "invited", frozenset())
    assert isinstance(state.invitation, Invitation)
    seen = public(state, BEGIN)
    assert (seen["position"], seen["invitation"]["by"], seen["invitation"]["missing"]) == (None, "south", ["north"])
    table = desk.table("game-1")
    seat = table.seat(seat_token(table.key, table.state, "north"))
    assert seat is not None
    assert (seat.side, seat.fresh) == ("north", True)
    result = desk.act("game-1", By("north", 1), [acts.MakeMove("P S A2"), acts.OfferDraw()], BEGIN + DAY, writer=told)
    assert [answer.code for answer in result.answers] == ["moved", "offered"]
    assert told.topics == {"south": Topic.NEWS, "north": Topic.NEWS}
    assert desk.state("game-1").clock.deadline("south") == BEGIN + 4 * DAY, "the clock begins with the game"
    desk.act("game-1", By("south", 1), [acts.Accept()], BEGIN + 2 * DAY, writer=told)
    assert checked(desk, "game-1") == [
        "invited",
        "joined",
        "joined",
        "opened",
        "submitted",
        "offered",
        "accepted",
        "closed",
    ]
    again, where = desk.table("game-1").rematch("north", BEGIN + 9 * DAY)
    assert (again.by, again.seats) == ("south", {"south": "player of north", "north": "player of south"})
    assert (again.of, again.terms) == (desk.state("game-1").head, Terms(days=3))
    assert where == {"south": "north@example.org", "north": "south@example.org"}
    desk.invite("game-2", again, BEGIN + 3 * DAY, addresses=where)
    assert checked(desk, "game-2") == ["invited", "joined"]


def test_places_for_keys_hold_nothing() -> None:
    """Not even an empty text, for any verifier."""
    desk = desks.Desk.invited("boundary", "south")
    desk.ask(request(desk, "north", "accept"))
    timed = [Timed(entry.at, entry.event, entry.came) for entry in desk.entries]
    places = {(0, "desk"), (1, "key"), (3, "desk"), (2, "provider"), (2, "signature")}
    for number, name in places:
        code = {"desk": "key", "provider": "event"}.get(name, name)
        one, empty = timed[number], dict[str, Any]({name: ""})
        if name in ("provider", "signature"):
            assert one.came is not None
            changed = one._replace(came=replace(one.came, **empty))
        else:
            changed = one._replace(event=replace(one.event, **empty))
        entries = rechained("game-1", [*timed[:number], changed, *timed[number + 1 :]])
        text = "".join(f"{entry.as_line()}\n" for entry in entries)
        assert {one.code for one in audit_text(text).findings} == {code}, (number, name)
        assert verify(text) == [(number + 1, code)], (number, name)


@pytest.mark.parametrize("game", GAMES)
def test_a_rematch_of_any_game_can_be_played(game: str) -> None:
    """Chance decides again, unless all players knew its results from the start."""
    desk = desks.Desk(game)
    desk.ask(request(desk, sides(game)[0], "resign"))
    again = rematch(desk.state, sides(game)[-1], BEGIN + DAY)
    assert again.by == sides(game)[0], "the last player goes round to the first seat"
    assert dict(again.game.options) == {}


def test_seats_are_found_by_address_and_domain(desk: Posted) -> None:
    """Those of games that are over, too; first come those that run."""
    mine = {"south": "Ada@Example.org", "north": "b.en+x@a_b.org"}
    for name in ("game-1", "game-2"):
        desk.invite(name, proposal("beams", "south"), BEGIN, addresses=mine)
    desk.act("game-1", By("north"), [acts.Decline()], BEGIN)
    assert desk.catalogue.games_of("ada@example.org") == ["game-2"]
    assert desk.catalogue.all_games_of("ada@example.org") == ["game-1", "game-2"]
    assert desk.catalogue.seats_in("a_b.org") == [("game-1", "b.en+x@a_b.org"), ("game-2", "b.en+x@a_b.org")]
    assert desk.catalogue.seats_in("ample.org") == []


def test_a_refusal_ends_it_and_only_players_who_joined_are_notified(desk: Posted) -> None:
    told = Told()
    answers: tuple[Act, ...] = (acts.Decline(), acts.Never())
    for number, answer in enumerate(answers):
        name = f"game-{number}"
        desk.invite(name, proposal("the-beam", "p2"), BEGIN, addresses=addresses("the-beam"), writer=told)
        assert told.topics == dict.fromkeys(("p1", "p3", "p4"), Topic.INVITATION)
        desk.act(name, By("p1"), [acts.Accept("tea")], BEGIN + HOUR, writer=told)
        assert told.topics == {"p2": Topic.ANSWER}
        desk.act(name, By("p3"), [answer], BEGIN + HOUR, writer=told)
        assert told.topics == {"p1": Topic.ANSWER, "p2": Topic.ANSWER}, "p4 has not even answered"
        assert checked(desk, name) == ["invited", "joined", "joined", "refused", "closed"]
        (late,) = desk.act(name, By("p4"), [acts.Accept()], BEGIN + HOUR, writer=told).answers
        assert (late.code, late.refused, told.topics) == ("invitation-over", True, {})
        with pytest.raises(RefereeError, match="invitation-over"):
            desk.order(name, acts.Reopen("Try again"), BEGIN + HOUR)
        with pytest.raises(RefereeError, match="invitation-over"):
            desk.table(name).rematch("p2", BEGIN + DAY)


def test_an_invitation_lapses_and_its_sender_is_notified(desk: Posted) -> None:
    told = Told()
    desk.invite("game-1", proposal("beams", "north"), BEGIN, addresses=addresses("beams"))
    assert desk.tick(BEGIN + 7 * DAY - HOUR) == 0
    assert desk.tick(BEGIN + 8 * DAY, writer=told) == 2
    assert told.topics == {"north": Topic.LAPSE}
    assert checked(desk, "game-1") == ["invited", "joined", "lapsed", "closed"]
    assert desk.tick(BEGIN + 9 * DAY) == 0


def test_the_first_to_come_gets_an_open_seat(desk: Posted) -> None:
    told = Told()
    waiting = proposal("laser-chess", "red", waiting=("blue",))
    desk.invite("game-1", waiting, BEGIN, addresses={"red": "red@example.org"}, writer=told)
    assert told.topics == {}
    assert desk.state("game-1").invitation is not None
    with pytest.raises(RefereeError, match="seat-taken"):
        desk.join("game-1", "red", "Eve", "eve@example.org", BEGIN + HOUR)
    with pytest.raises(RefereeError, match="address"):
        desk.join("game-1", "blue", "Eve", "eve", BEGIN + HOUR)
    with pytest.raises(RefereeError, match="name"):
        desk.join("game-1", "blue", "a\nb", "eve@example.org", BEGIN + HOUR)
    desk.join("game-1", "blue", "Grace", "grace@example.org", BEGIN + HOUR, writer=told)
    assert told.topics == {"red": Topic.NEWS, "blue": Topic.NEWS}
    assert (desk.table("game-1").address("blue"), desk.state("game-1").players["blue"]) == (
        "grace@example.org",
        "Grace",
    )
    with pytest.raises(RefereeError, match="begun"):
        desk.join("game-1", "blue", "Eve", "eve@example.org", BEGIN + HOUR)
    with pytest.raises(RefereeError, match="unknown-game"):
        desk.join("game-2", "blue", "Eve", "eve@example.org", BEGIN + HOUR)
    checked(desk, "game-1")


def test_a_player_who_leaves_an_open_seat_has_no_key_to_it(desk: Posted) -> None:
    desk.invite("game-1", proposal("beams", None, waiting=("south", "north")), BEGIN, addresses={})
    desk.join("game-1", "south", "Ben", "ben@example.org", BEGIN)
    key = seat_token(desk.key, desk.state("game-1"), "south")
    assert desk.table("game-1").seat(key) is not None
    desk.act("game-1", By("south", 1), [acts.Withdraw()], BEGIN + HOUR)
    desk.join("game-1", "south", "Grace", "grace@example.org", BEGIN + HOUR)
    assert desk.table("game-1").seat(key) is None
    assert desk.table("game-1").address("south") == "grace@example.org"


@pytest.mark.slow
def test_no_one_alone_chooses_the_chance_results(desk: Posted) -> None:
    """The same words and the same host give the same deal; another word gives another one."""

    def dealt(name: str, word: str) -> Any:  # noqa: ANN401 - a deal
        result = desk.propose(name, proposal("the-beam", "p1"), BEGIN, addresses={}, word="tea")
        again = desk.propose(name, proposal("the-beam", "p1"), BEGIN, addresses={}, word="tea")
        assert result.entries == again.entries
        event, secret = result.entries[0].event, result.secrets[CHANCE]
        assert isinstance(event, events.Invited)
        assert event.secret == promise(name, secret)
        others = (events.Joined(side, f"player of {side}", None, word) for side in ("p2", "p3", "p4"))
        desk.games.change(name, BEGIN, lambda _: Change(result.entries, result.secrets))
        for joined in others:
            desk.act(name, By(joined.side), [acts.Accept(joined.word)], BEGIN)
        assert secret not in "".join(entry.as_line() for entry in desk.log(name)), "it is not told before the end"
        desk.order(name, acts.Close(), BEGIN)
        checked(desk, name)
        return desk.state(name).options["deal"]["discs"]

    assert dealt("game-1", "cups") != dealt("game-2", "cups")
    assert desk.key.draw("game-1/chance").hex() not in desk.log("game-1")[0].as_line()


def test_a_game_that_the_host_opened_is_declined_until_the_first_move() -> None:
    """It is called off without a loser; an offered draw, or a move in the same letter, counts first."""
    desk = desks.Desk("beams")
    for side, words, code in (
        ("south", "submit P M1 A2 12", "moved"),
        ("south", "decline", "no-offer"),
        ("south", "never", "begun"),
        ("south", "offer", "offered"),
        ("north", "decline", "declined"),
        ("north", "decline", "aborted"),
    ):
        assert desk.ask(request(desk, side, words))[0].code == code, words
    assert desk.kinds == ["opened", "submitted", "offered", "declined", "aborted", "closed"]
    assert desk.state.closed is not None
    assert (desk.state.closed.how, desk.state.closed.winner) == ("abandoned", None)
    holds(desk)
    both = desks.Desk("beams")
    told = both.ask((By("north"), acts.Decline()), (By("north"), acts.MakeMove("P M1 A2 12")))
    assert [answer.code for answer in told] == ["no-offer", "moved"]
    never = desks.Desk("laser-chess")
    assert never.ask((By("red"), acts.Never()))[0].code == "aborted"
    assert never.kinds == ["opened", "aborted", "closed"]
    invited = desks.Desk.invited("boundary", "north")
    move = next(str(one) for one in invited.state.position.legal_moves("south"))
    invited.ask(request(invited, "south", f"submit {move}"))
    assert invited.ask(request(invited, "north", "decline"))[0].code == "no-offer", "they proposed the game"


def test_a_first_move_that_cannot_be_made_accepts_nothing() -> None:
    desk = desks.Desk.invited("boundary", "north")
    for words in ("submit hello", "submit S a1 a2", "seal " + "ab" * 32, "reveal P S A2"):
        (answer,) = desk.ask(request(desk, "south", words))
        assert answer.refused, words
    assert desk.kinds == ["invited", "joined"]
    move = next(str(one) for one in desk.state.position.legal_moves("south"))
    assert desk.ask(request(desk, "south", f"submit {move}"))[0].code == "moved"
    assert desk.ask(request(desk, "south", "accept"))[0].code == "no-offer"
    assert desk.kinds == ["invited", "joined", "joined", "opened", "played"]
    holds(desk)


def test_an_answer_that_comes_twice_is_the_same() -> None:
    desk = desks.Desk.invited("the-beam", "p1")
    for said, repeated in ((("p2", "accept"), False), (("p2", "accept"), True), (("p3", "accept"), False)):
        (answer,) = desk.ask(request(desk, *said))
        assert (answer.code, answer.repeated) == ("joined", repeated)
    desk.ask(request(desk, "p4", "accept"))
    (answer,) = desk.ask(request(desk, "p4", "accept"))
    assert (answer.code, answer.repeated) == ("joined", True), "the game has begun meanwhile"
    holds(desk)


@pytest.mark.parametrize(
    ("game", "wrong", "code"),
    [
        ("beams", {"by": "west"}, "side"),
        ("beams", {"by": None, "until": BEGIN}, "invitation"),
        ("beams", {"until": BEGIN + 400 * DAY}, "invitation"),
        ("beams", {"seats": {"south": None, "north": "Ben"}}, "invitation"),
        ("beams", {"seats": {"south": "a\nb"}}, "text"),
        ("beams", {"game": GameFile("beams", options={"columns": 2})}, "option"),
        (
            "the-beam",
            {"game": GameFile("the-beam", options={"deal": {"commitment": "ab" * 32}}), "by": "p1"},
            "option",
        ),
    ],
)
def test_games_that_cannot_be_proposed(desk: Posted, game: str, wrong: dict[str, Any], code: str) -> None:
    fields = {"game": GameFile(game), "seats": dict.fromkeys(sides(game), "Ada"), "until": BEGIN + DAY, "by": "south"}
    with pytest.raises(RefereeError) as caught:
        desk.invite("game-1", Proposal(**{**fields, **wrong}), BEGIN, addresses={})
    assert caught.value.code == code


def test_a_rematch_names_the_head_of_a_log(desk: Posted) -> None:
    seats = {"south": "Ada", "north": "Ben"}
    with pytest.raises(TypeError, match="of of an event invited"):
        desk.invite("game-1", Proposal(GameFile("beams"), seats, BEGIN + DAY, "south", of="x"), BEGIN, addresses={})


@given(st.sampled_from(GAMES), st.integers(0, 10**6))
@examples(1.0)
def test_the_log_holds_after_any_answers(game: str, seed: int) -> None:
    """No player can move before the game begins, and nothing is written twice."""
    chance = random.Random(seed)
    by = chance.choice([*sides(game), None])
    waiting = [side for side in sides(game) if side != by and chance.random() < 0.3]
    desk = desks.Desk.invited(game, by, open_to=waiting, clock={"days": 3})
    for _ in range(9):
        who = chance.choice(sides(game))
        asked = request(desk, who, chance.choice(ANSWERS))
        if chance.random() < 0.3:
            asked = request(desk, "guest", f"seat {who} Grace")
        elif chance.random() < 0.2 and desk.state.position.outcome is None:
            asked = request(desk, "host", chance.choice(("tick", "close", "pause", "resume", "extend 5")))
        desk.ask(asked, after=chance.choice((0, 1, 30)))
        assert (desk.state.begun == "") is ("opened" not in desk.kinds)
    holds(desk)
    assert verify(desk.exported) == []


def test_automatic_events_cannot_be_put_off() -> None:
    """Not even by a forger of the log: after the last seat is taken, only the opening can follow."""
    desk = desks.Desk.invited("beams", "south")
    begun = Progress(None, desk.state)
    took = events.Joined("north", "player of north", None, "")
    joined = enter(begun, [took], BEGIN + HOUR, letter("north", BEGIN + HOUR))
    with pytest.raises(RefereeError, match="opened first"):
        enter(joined, [events.Left("north")], BEGIN + HOUR)
    with pytest.raises(RefereeError, match="lapsed"):
        enter(begun, [took], BEGIN + 8 * DAY, letter("north", BEGIN + 8 * DAY))
