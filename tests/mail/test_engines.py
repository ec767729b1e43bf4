"""Games with engines by letter: one is opened by a newcomer's letter, and its engine cannot have looked."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest

from referee.desk import HOLD, LEASE, Incoming, acts, engine_turn, found_move
from referee.game import GameFile
from referee.mail.handlers.notifications import notifications
from referee.mail.handlers.pipeline import ATTEMPTS, ENGINE_PAUSE, handle_waiting
from referee.mail.host import host
from referee.mail.host.checks.concerns import UNMOVED, concern_diagnoses
from referee.mail.host.engine_room import EngineRoom, play_on
from referee.mail.host.host import open_game
from referee.mail.office import now, office_in
from referee.mail.transport.receipt import receive
from tests.support.command_line import referee
from tests.support.correspondence import proofs, text
from tests.support.dues import expect_dues
from tests.support.engine_rooms import Killed, broken, engines_move, threads
from tests.support.examples import sampled
from tests.support.friends import ADA, BEN, SETTINGS, Friends, friends
from tests.support.strategies import any_move


@contextmanager
def opened(folder: Path, line: str, settings: str = SETTINGS) -> Iterator[Friends]:
    """A game that Ada's letter opens."""
    with friends(folder, settings) as post:
        post.write(ADA, line)
        yield post


def engines(post: Friends) -> int:
    made = engines_move(post.office, post.at)
    post.collect()
    return made


def move(post: Friends, side: str) -> str:
    return next(map(str, post.state.position.legal_moves(side)))


@pytest.mark.slow
def test_a_newcomer_has_an_opponent_at_once_who_seals_before_any_letter_is_read(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1, as south") as post:
        assert "Engine 1" in post.said(ADA)
        assert "a secret number fixed before the game" in post.said(ADA)
        assert post.kinds() == ["invited", "joined", "engaged", "opened"]
        for number in (1, 2):
            assert engines(post) == 1
            assert post.state.standing("north") == "sealed"
            came = post.answer(ADA, move(post, "south"))
            assert came.keys() == {ADA}, "one letter a round, which tells both moves"
            assert len(post.state.plies) == number
        assert post.kinds()[4:] == ["submitted", "submitted", "played"] * 2
        engines(post)
        post.answer(ADA, "resign")
        assert post.kinds()[-3:] == ["resigned", "closed", "disclosed"]
        assert "referee audit" in post.said(ADA)
        post.holds()
        expect_dues(post.office.desk)


@pytest.mark.slow
def test_a_letter_waits_until_the_engine_has_sealed_and_stays_in_order(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1, as south") as post:
        first, second = [str(one) for one, _ in zip(post.state.position.legal_moves("south"), range(2), strict=False)]
        assert post.answer(ADA, first) == {}
        post.at += ENGINE_PAUSE / 2
        assert post.answer(ADA, second) == {}
        assert post.kinds() == ["invited", "joined", "engaged", "opened"]
        assert not post.office.desk.inbox.postponed(post.at), (
            "it waits by nobody's fault, so clocks need not wait for it"
        )
        assert engines_move(post.office, post.at) == 2, "this round and the next"
        assert post.kinds()[4:] == ["submitted", "submitted", "played", "submitted"]
        assert post.state.plies[0]["south"] == first
        post.at += ENGINE_PAUSE
        handle_waiting(post.office, post.at)
        assert {note.partition(":")[0] for _, note in post.office.desk.inbox.aside()} == set()


@pytest.mark.slow
def test_letters_stay_in_order_where_the_engine_seals_before_one_is_known_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(tmp_path, "new beams with engine:1, as south") as post:
        first, second = [str(one) for one, _ in zip(post.state.position.legal_moves("south"), range(2), strict=False)]
        waits, seat = post.office.desk.inbox.await_engine, str(post.letters[ADA][-1]["Reply-To"])

        def late(letter: Incoming, game: str, until: datetime) -> None:
            if not post.state.seals:
                _one_engine_moves(post)
            waits(letter, game, until)

        monkeypatch.setattr(post.office.desk.inbox, "await_engine", late)
        for said in (first, second):
            receive(post.office, post.letter(ADA, said, to=seat), post.at)
        handle_waiting(post.office, post.at)
        post.at += ENGINE_PAUSE
        handle_waiting(post.office, post.at)
        assert post.state.plies[0]["south"] == first


@pytest.mark.slow
def test_a_letter_may_wait_for_an_engine_while_process_after_process_tries_it(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1, as south") as post:
        post.answer(ADA, move(post, "south"))
        for _ in range(2 * ATTEMPTS):
            post.at += ENGINE_PAUSE
            with office_in(tmp_path / "desk") as another:
                handle_waiting(another, post.at)
        assert engines_move(post.office, post.at) == 2
        assert len(post.state.plies) == 1


@pytest.mark.slow
def test_in_turn_the_engine_answers_by_a_letter_of_its_own(tmp_path: Path) -> None:
    with opened(tmp_path, "Let's play laser chess with the computer at level 2, I am red") as post:
        assert post.state.players == {"blue": "Engine 2", "red": "Ada Lovelace"}
        assert engines(post) == 1
        assert "Engine 2 moved" in post.said(ADA)
        post.at += timedelta(hours=1)
        post.answer(ADA, move(post, "red"))
        assert engines(post) == 1
        assert len(post.state.plies) == 3
        post.answer(ADA, "offer draw")
        assert "an engine agrees to no draw (engine)" in post.said(ADA)
        post.answer(ADA, "resign")
        post.holds()


@pytest.mark.slow
def test_partners_in_the_beam_see_no_more_than_a_person_and_tell_their_moves_together(tmp_path: Path) -> None:
    with opened(tmp_path, "new the-beam with engines, as p1") as post:
        assert "nothing that is still hidden from you" in post.said(ADA)
        for _ in range(100):
            before = len(post.letters[ADA])
            engines(post)
            assert len(post.letters[ADA]) - before <= 1
            if post.state.closed:
                break
            post.answer(ADA, str(any_move(post.state.position, "p1", __import__("random").Random(1))))
        assert post.state.closed is not None
        assert post.kinds()[-3:] == ["disclosed"] * 3
        post.holds()


@pytest.mark.slow
@pytest.mark.parametrize("said", sampled(["", "message\nhello\nend"], 2))
def test_every_move_is_reported_to_all_players_once_despite_other_letters(tmp_path: Path, said: str) -> None:
    with opened(tmp_path, f"new the beam with {BEN} and two engines of level 1, as p1") as post:
        post.answer(BEN, "accept")
        before = {who: len(post.letters[who]) for who in (ADA, BEN)}
        chance = Random(1)
        while post.state.closed is None:
            (side,) = post.state.position.to_move
            if side in post.state.engine_sides:
                _one_engine_moves(post)
                if said and post.state.position.to_move & post.state.engine_sides:
                    post.at += HOLD
                    post.collect()
                    post.answer(ADA, said)
            else:
                post.answer({"p1": ADA, "p2": BEN}[side], str(any_move(post.state.position, side, chance)))
        theirs = [[side, move] for ply in post.state.plies for side, move in ply.items() if side in ("p3", "p4")]
        for who, number in before.items():
            told = [" ".join(text(one).split()) for one in post.letters[who][number:]]
            found = [[side, move] for one in told for side, move in re.findall(r"\((p[34])\) \[([^]]+)\]", one)]
            assert sorted(found) == sorted(theirs), who
        post.holds()


def _one_engine_moves(post: Friends) -> None:
    """Make the one move that is due now, as a room does while its next engine still thinks."""
    table = post.office.desk.table(post.state.id)
    turn = engine_turn(table.state, table.secrets)
    assert turn is not None
    post.office.desk.play_engine(
        turn, found_move(turn), post.at, writer=partial(notifications, post.office, at=post.at)
    )
    post.collect()


@pytest.mark.slow
def test_a_persons_games_with_engines_at_a_time_are_limited(tmp_path: Path) -> None:
    with opened(tmp_path, "new boundary with engine:1", f"{SETTINGS}engines: {{each: 1}}\n") as post:
        post.write(ADA, "new boundary with engine:1")
        assert "(engine-limit)" in post.said(ADA)
        post.letters[ADA].pop()
        post.answer(ADA, "resign")
        assert post.state.closed is not None
        post.write(ADA, "new boundary with engine:1")
        assert len(post.games) == 2


@pytest.mark.slow
def test_another_address_of_the_same_person_is_no_way_to_more_engines(tmp_path: Path) -> None:
    with opened(tmp_path, "new boundary with engine:1", f"{SETTINGS}engines: {{each: 1}}\n") as post:
        post.write("ada+two@example.net", "new boundary with engine:1")
        assert len(post.games) == 1


@pytest.mark.slow
def test_a_rematch_with_an_engine_begins_at_once(tmp_path: Path) -> None:
    with opened(tmp_path, "new boundary with engine:2, as south") as post:
        post.answer(ADA, "resign")
        first = post.games[0]
        post.answer(ADA, "rematch")
        (again,) = {*post.games} - {first}
        state = post.office.desk.state(again)
        assert (state.players["north"], dict(state.engines)["south"].level) == ("Ada Lovelace", 2)
        assert state.invitation is None


@pytest.mark.slow
def test_friends_and_engines_in_one_game(tmp_path: Path) -> None:
    with opened(tmp_path, f"new the beam with {BEN} and two engines of level 1, as p2") as post:
        assert engines(post) == 0, "nobody moves before everybody has accepted"
        assert "p3 at level 1 (Beginner)" in post.said(BEN)
        post.answer(BEN, "accept")
        assert post.state.invitation is None
        assert post.state.engine_sides == {"p3", "p4"}


@pytest.mark.slow
def test_the_host_opens_a_game_with_an_engine_and_gives_its_seat_to_a_person(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        addresses = {"south": ADA}
        open_game(
            post.office, "one", GameFile("beams"), post.at, terms=None, addresses=addresses, engines={"north": 1}
        )
        post.collect()
        assert "An engine plays north at level 1 (Beginner)." in post.said(ADA)
        assert f"a seed with the commitment {post.state.engines['north'].promise}" in proofs(post.letters[ADA][-1])
        engines(post)
        host.order_by_host(post.office, "one", acts.Replace("north", "Ben", BEN), post.at)
        post.collect()
        assert "Ben, a person, takes over north from the engine." in post.said(ADA)
        assert engines(post) == 0
        post.answer(ADA, move(post, "south"))
        assert len(post.state.plies) == 1, "what the engine has sealed binds its seat"
        post.answer(BEN, move(post, "north"))
        post.answer(ADA, move(post, "south"))
        assert len(post.state.plies) == 2
        post.answer(BEN, "resign")
        assert "every move that it made before a person took its seat" in proofs(post.letters[ADA][-1])
        post.holds()
    told = referee("desk", "audit", "one", "--desk", post.office.folder).lines
    assert "north was an engine of level 1 (Beginner), until a person took its seat, called Ben" in told


@pytest.mark.slow
def test_the_host_can_end_a_game_while_its_engine_owes_a_move(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1") as post:
        host.order_by_host(post.office, post.state.id, acts.Close(), post.at)
        assert post.kinds()[-2:] == ["closed", "disclosed"]
        assert engines(post) == 0
        post.holds()


@pytest.mark.slow
def test_an_engine_has_no_deadline_and_a_person_loses_no_time_by_it(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1, 1 days a move, timeout loss, as south") as post:
        post.pass_time(3)
        assert post.state.closed is None, "no move counts before the engine's, so none can be late"
        engines(post)
        post.pass_time(0.9)
        assert post.state.closed is None, "their time has begun when the engine was ready"
        post.pass_time(0.2)
        assert post.state.closed is not None
        assert (post.state.closed.how, post.state.closed.winner) == ("timeout", "north")
        post.holds()


@pytest.mark.slow
def test_several_workers_never_compute_a_move_twice(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1") as post:
        store, at = post.office.desk, post.at
        name = post.state.id
        assert store.engine_turns.take(at, 5) == [name]
        assert store.engine_turns.take(at, 5) == [], "another worker has it"
        store.engine_turns.keep([name], at + LEASE / 2)
        assert store.engine_turns.take(at + LEASE, 5) == []
        late = at + 2 * LEASE
        assert store.engine_turns.take(late, 5) == [name], "that worker has been killed"
        table = post.office.desk.table(name)
        turn = engine_turn(table.state, table.secrets)
        assert turn is not None
        moves = [str(one) for one, _ in zip(table.state.position.legal_moves(turn.side), range(2), strict=False)]
        assert post.office.desk.play_engine(turn, moves[0], late)
        assert not post.office.desk.play_engine(turn, moves[1], late), "it comes second"


@pytest.mark.slow
def test_a_move_that_a_worker_has_taken_stays_its_own_during_other_events(tmp_path: Path) -> None:
    with opened(tmp_path, "new boundary with engine:1, as south") as post:
        post.answer(ADA, move(post, "south"))
        store, name = post.office.desk, post.state.id
        assert store.engine_turns.take(post.at, 1) == [name]
        post.at += timedelta(seconds=1)
        post.answer(ADA, "message\nHello\nend")
        assert post.kinds()[-1] == "message"
        assert store.engine_turns.take(post.at, 1) == [], "it still thinks about the same move"
        expect_dues(store)


@pytest.mark.slow
def test_an_engine_that_fails_is_tried_again_and_stops_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(tmp_path, "new beams with engine:1") as post:
        with EngineRoom(1, broken) as room:
            assert room.play(post.office, lambda: post.at) == 0
        assert "RuntimeError" in caplog.text
        assert engines(post) == 0, "not at once"
        post.at += 2 * LEASE
        assert engines(post) == 1


@pytest.mark.slow
def test_processes_of_which_one_was_killed_are_replaced(tmp_path: Path) -> None:
    rooms = [Killed(1), threads(1)]
    with opened(tmp_path, "new beams with engine:1") as post, EngineRoom(1, lambda _: rooms.pop(0)) as room:
        assert room.play(post.office, lambda: post.at) == 1
        post.write(ADA, "new boundary with engine:1, as north")
        assert room.play(post.office, lambda: post.at) == 1


@pytest.mark.slow
def test_games_that_are_damaged_stop_no_engine_of_others(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with opened(tmp_path, "new beams with engine:1") as post:
        post.write(ADA, "new beams with engine:1")
        with sqlite3.connect(tmp_path / "desk" / "desk.sqlite") as store:
            store.execute("delete from secret where name like 'engine/%'")
        post.at += timedelta(minutes=1)
        post.write(ADA, "new boundary with engine:1, as north")
        assert engines(post) == 1
        assert all(f"engine in {name}" in caplog.text for name in post.games if name.startswith("beams"))


@pytest.mark.slow
def test_a_move_that_was_taken_by_a_clock_that_was_ahead_is_free(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1") as post:
        assert post.office.desk.engine_turns.take(post.at + timedelta(days=300), 1) == post.games
        assert engines(post) == 1


def test_a_room_that_is_closed_lets_no_engine_begin(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1") as post, EngineRoom(1, threads) as room:
        room.close()
        assert play_on(room, post.office, lambda: post.at) == 0


@pytest.mark.slow
def test_the_moves_due_from_engines_are_rebuilt_from_the_logs(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1") as post:
        post.write(ADA, "new boundary with engine:1, as south")
        post.office.desk.games.rebuild()
        assert engines(post) == 1
        assert engines(post) == 0
        expect_dues(post.office.desk)


@pytest.mark.slow
def test_the_host_hears_of_an_engine_that_moves_no_more(tmp_path: Path) -> None:
    with opened(tmp_path, "new beams with engine:1") as post:
        assert concern_diagnoses(post.office, post.at + UNMOVED / 2) == []
        (concern,) = concern_diagnoses(post.office, post.at + 2 * UNMOVED)
        assert f"1 game waits for an engine since long, such as {post.state.id}" in concern.says
        engines(post)
        assert concern_diagnoses(post.office, post.at + 2 * UNMOVED) == []


@pytest.mark.slow
def test_the_commands_open_tick_and_audit(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    assert referee("desk", "init", folder, "--address", "desk@example.org").status == 0
    players = ("--player", f"south=Ada <{ADA}>", "--player", "north=engine:1")
    run = referee("desk", "open", "beams", "--desk", folder, "--id", "one", *players)
    assert run.out == "one: the game is open, and 1 letter is in the outbox\n"
    assert referee("desk", "tick", "--desk", folder).out == "1 entry\n"
    assert "Engine 1: sealed" in referee("desk", "status", "--desk", folder).out
    renewed = referee("desk", "renew", "--desk", folder).out
    assert "1 running game has an engine; anyone with another copy of the store" in renewed
    assert referee("desk", "adjudicate", "one", "--against", "south", "--desk", folder).status == 0
    audited = referee("desk", "audit", "one", "--desk", folder)
    assert audited.status == 0
    assert "north is an engine of level 1 (Beginner)" in audited.lines
    assert "1 move of an engine follows from the seed that was promised before the first move" in audited.out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["engine:4", "Engine 8", "the engine", "ENGINE IV"])
def test_no_person_is_called_like_an_engine(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "club"
    assert referee("desk", "init", folder, "--address", "desk@example.org").status == 0
    command = ("desk", "open", "beams", "--desk", folder, "--id", "one", "--player", f"south=Ada <{ADA}>", "--player")
    assert "would be taken for an engine" in referee(*command, f"north={name} <{BEN}>").err
    assert referee(*command, f"north=Engine Room <{BEN}>").status == 0
    assert "would be taken for an engine" in referee("desk", "replace", "one", "north", name, "--desk", folder).err
    with office_in(folder) as office:
        assert office.desk.state("one").players["north"] == "Engine Room"
        host.order_by_host(office, "one", acts.Replace("north", name), now())
    assert f"north is a person, though called {name}" in referee("desk", "audit", "one", "--desk", folder).lines
