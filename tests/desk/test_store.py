"""The store, in SQLite and in PostgreSQL."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from referee.desk import Key, Order
from referee.desk.log import acts
from referee.desk.play.setup import set_up
from referee.desk.records import LEASE, Change, Held, Outgoing
from referee.desk.store.store import Store
from referee.game import GameFile
from tests.desk import store_worker
from tests.support.desks import BEGIN, KEY, carry_out, message, resign
from tests.support.dues import expect_dues
from tests.support.examples import is_quick, sampled
from tests.support.logs import audit_text, fold_log
from tests.support.strategies import random_play

LETTER = b"Subject: hello\n\nP M1 A2 12\n"
LATER = BEGIN + timedelta(hours=1)


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with Store.create(where) as store:
        yield store


def plies(number: int) -> list[dict[str, str]]:
    """The moves of a game."""
    played = random_play("beams", 3, {}, number)
    return [{side: str(move) for side, move in ply.moves.items()} for ply in played]


def nothing(_: Held) -> Change:
    return Change()


def saying(text: str) -> Any:  # noqa: ANN401 - the work of a change
    """A message of south."""

    def work(held: Held) -> Change:
        assert held.state is not None
        done = carry_out(held.state, [message("south", text)], BEGIN, held.secrets, KEY.draw)
        return Change(done.entries)

    return work


def test_a_letter_is_stored_once(store: Store) -> None:
    letter, new = store.inbox.receive(LETTER, BEGIN)
    assert new
    assert letter.digest == hashlib.sha256(LETTER).hexdigest()
    assert store.inbox.receive(LETTER, LATER) == (type(letter)(letter.digest, LATER, LETTER, 1), False)
    assert store.inbox.waiting(BEGIN) == [letter]
    assert store.inbox.waiting(BEGIN)[0].raw == LETTER


def test_letters_that_wait_are_not_all_read_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read one after another, however large they are."""
    monkeypatch.setattr("referee.desk.store.inbox.MOST_HELD", 250)
    letters = [store.inbox.receive(b"%d" % number * 100, BEGIN, envelope=b"To: x\n")[0] for number in range(5)]
    large, _ = store.inbox.receive(b"5" * 1000, BEGIN)
    assert store.inbox.waiting(BEGIN) == letters[:3]
    for one in letters:
        store.games.handle(one, None, BEGIN, lambda _: Change())
    assert store.inbox.waiting(BEGIN) == [large]


def test_a_letter_is_handled_once(store: Store) -> None:
    letter, _ = store.inbox.receive(LETTER, BEGIN)
    assert store.games.handle(letter, None, BEGIN, lambda _: Change(note="nobody's")) is not None
    assert store.games.handle(letter, None, BEGIN, nothing) is None
    assert store.inbox.waiting(LATER) == []


def test_a_failure_changes_nothing(store: Store) -> None:
    store_worker.begin(store, 1)
    letter, _ = store.inbox.receive(LETTER, BEGIN)

    def breaks(held: Held) -> Change:
        change: Change = saying("hello")(held)
        return Change(change.entries, {"name": "value"}, (Outgoing("a", "b", None),))  # type: ignore[arg-type]

    with pytest.raises(DBAPIError):
        store.games.handle(letter, "game-0", BEGIN, breaks)
    with pytest.raises(ZeroDivisionError):
        store.games.handle(letter, "game-0", BEGIN, lambda _: Change(note=str(1 // 0)))
    assert store.inbox.waiting(BEGIN) == [letter]
    assert len(store.games.log("game-0")) == 1
    assert store.games.held("game-0").secrets == {}
    assert store.upkeep.counts() == {"waiting": 1, "aside": 0, "to-send": 0, "unsent": 0}


def test_shared_reads_are_up_to_date_after_each_write(store: Store, where: str) -> None:
    with Store(where) as other, store.database.reading():
        key, drawn = store.keys.current, Key.drawn()
        other.keys.renew(drawn)
        with store.database.reading():
            assert store.keys.current == key
        assert store.keys.current == key
        store.upkeep.see(BEGIN)
        assert key != drawn == store.keys.current
    assert store.keys.current == drawn


def test_a_letter_is_tried_again_or_set_aside(store: Store) -> None:
    letter, _ = store.inbox.receive(LETTER, BEGIN)
    store.inbox.postpone(letter, LATER, "the disk is full")
    assert store.inbox.waiting(BEGIN) == []
    assert [one.attempts for one in store.inbox.waiting(LATER)] == [1]
    store.inbox.postpone(letter, None, "hopeless\0\ud800")
    assert store.inbox.waiting(LATER) == []
    assert [(one.raw, note) for one, note in store.inbox.aside()] == [(LETTER, "hopeless??")]
    store.inbox.postpone(letter, LATER, "again")
    assert store.upkeep.counts()["waiting"] == 1


def test_letters_of_a_clock_that_was_ahead_are_due_now(store: Store) -> None:
    ahead = BEGIN + timedelta(days=900)
    store.inbox.receive(LETTER, ahead)
    assert not store.inbox.postponed(BEGIN)
    (letter,) = store.inbox.waiting(BEGIN)
    assert letter.received == BEGIN
    store.inbox.postpone(letter, BEGIN + timedelta(minutes=8), "the disk is full")
    assert store.inbox.waiting(BEGIN) == []
    assert store.inbox.postponed(BEGIN)
    store.inbox.postpone(letter, ahead, "the disk is full")
    assert store.games.handle(letter, None, BEGIN, nothing) is not None
    store.games.change(None, ahead, lambda _: Change(letters=(Outgoing("one", "ada@example.org", b"x"),)))
    assert store.outbox.due(BEGIN)
    assert [one.id for one in store.outbox.take(BEGIN)] == ["one"]
    assert not store.outbox.due(BEGIN)
    store.outbox.unsent(Outgoing("one", "ada@example.org", b"x"), BEGIN + timedelta(hours=4), "not now")
    assert not store.outbox.due(BEGIN)


def test_the_time_is_noted_once_a_minute_and_never_set_back(store: Store) -> None:
    assert store.upkeep.seen() is None
    for seconds, seen in ((0, 0), (59, 0), (60, 60), (0, 60), (119, 60), (200, 200)):
        store.upkeep.see(BEGIN + timedelta(seconds=seconds))
        assert store.upkeep.seen() == BEGIN + timedelta(seconds=seen)
    store.upkeep.see(BEGIN - timedelta(days=1), reset=True)
    assert store.upkeep.seen() == BEGIN - timedelta(days=1)


def test_a_game_that_was_reopened_runs(store: Store) -> None:
    def ordered(request: Order) -> None:
        def work(held: Held) -> Change:
            assert held.state is not None
            done = carry_out(held.state, [request], LATER, held.secrets, store.keys.current.draw)
            return Change(done.entries, done.secrets)

        store.games.change("game-0", LATER, work)

    begun = set_up("game-0", GameFile("beams"), BEGIN)
    store.games.change("game-0", BEGIN, lambda _: Change(begun.entries, begun.secrets))
    for request, running in ((acts.Close(), []), (acts.Reopen("No"), ["game-0"])) * 2:
        ordered(request)
        assert store.catalogue.ids(running=True) == running
        assert store.catalogue.ids() == ["game-0"]


def test_letters_go_out_once_while_the_lease_lasts(store: Store) -> None:
    letters = tuple(Outgoing(name, "ada@example.org", b"\x00\xff", "game-0") for name in ("one", "two", "one"))
    store.games.change(None, BEGIN, lambda _: Change(letters=letters))
    store.games.change(None, BEGIN, lambda _: Change(letters=letters[:1]))
    taken = store.outbox.take(BEGIN)
    assert [(one.id, one.draft, one.attempts) for one in taken] == [("one", b"\x00\xff", 1), ("two", b"\x00\xff", 1)]
    assert store.outbox.take(BEGIN) == []
    store.outbox.sent([taken[0]], BEGIN)
    store.outbox.unsent(taken[1], None, "no such user")
    assert store.upkeep.counts() == {"waiting": 0, "aside": 0, "to-send": 0, "unsent": 1}
    store.outbox.unsent(taken[1], LATER, "later")
    store.outbox.unsent(taken[0], LATER, "sent already")
    assert [(one.id, one.attempts) for one in store.outbox.take(LATER)] == [("two", 2)]
    assert [one.id for one in store.outbox.take(LATER + LEASE)] == ["two"]


@pytest.mark.slow
def test_a_game_is_kept_as_it_is(store: Store, where: str) -> None:
    store_worker.begin(store, 2)
    for raw in store_worker.letters(plies(6), 2):
        store_worker.handle(store, store.inbox.receive(raw, BEGIN)[0])
    store.games.change("game-1", LATER, lambda held: closing(held))
    assert store.catalogue.ids() == ["game-0", "game-1"]
    assert store.catalogue.ids(running=True) == ["game-0"]
    for name in store.catalogue.ids():
        held, log = store.games.held(name), store.games.log(name)
        with Store(where) as another:
            assert held.state == fold_log(log) == another.games.held(name).state
        report = audit_text("".join(f"{entry.as_line()}\n" for entry in log))
        assert (report.findings, report.state) == ((), held.state)
    assert store.games.held("nobody's") == Held(None, {})
    assert store.games.log("nobody's") == []


def closing(held: Held) -> Change:
    assert held.state is not None
    return Change(carry_out(held.state, [resign("south")], LATER, held.secrets, KEY.draw).entries)


def test_the_key_stays_the_same(store: Store, where: str) -> None:
    with Store(where) as another:
        assert another.keys.current == store.keys.current
    assert len(store.keys.current.secret) == 32
    for name in ("", "../etc", "\ud800", "\0"):
        assert (store.games.held(name), store.games.log(name)) == (Held(None, {}), [])


def test_nothing_is_ever_changed_or_deleted(store: Store) -> None:
    store_worker.begin(store, 1)
    store.inbox.receive(LETTER, BEGIN)
    acts = ["update event set kind = 'closed'", "delete from event", "delete from letter_in"]
    acts += ["update letter_in set received = digest", "update event set body = '{}' where number = 0"]
    for act in acts:
        with pytest.raises(DBAPIError, match="only added to"), store.database.engine.begin() as connection:
            connection.execute(text(act))


def test_entries_that_do_not_follow_are_refused(store: Store) -> None:
    store_worker.begin(store, 2)
    foreign = store.games.log("game-1")
    with pytest.raises(ValueError, match="does not follow"):
        store.games.change("game-0", BEGIN, lambda _: Change(tuple(foreign)))


@pytest.mark.parametrize(("kept", "said"), [(1, []), (1, ["something else"]), (2, ["more"])])
def test_a_restored_store_is_read_again(store: Store, tmp_path: Path, kept: int, said: list[str]) -> None:
    """What is in memory is of a log that was longer, another one, or shorter."""
    store_worker.begin(store, 1)
    store.games.change("game-0", BEGIN, saying("hello"))
    log = store.games.log("game-0")
    with Store.create(tmp_path / "restored.db") as restored:
        restored.games.change("game-0", BEGIN, lambda _: Change(tuple(log[:kept])))
        for text in said:
            restored.games.change("game-0", BEGIN, saying(text))
        state = fold_log(restored.games.log("game-0"))
        assert state != store.games.held("game-0").state
        store.games.database = restored.database
        assert store.games.held("game-0").state == state


@pytest.mark.slow
def test_many_threads_take_turns(store: Store) -> None:
    store_worker.begin(store, 1)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: store.games.change("game-0", BEGIN, saying(f"message {n}")), range(60)))
    log = store.games.log("game-0")
    assert [entry.number for entry in log] == [*range(61)]
    assert {entry.event.text for entry in log[1:]} == {f"message {n}" for n in range(60)}  # type: ignore[union-attr]
    assert fold_log(log) == store.games.held("game-0").state


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "games", "most"), sampled([(2, 1, 6), (4, 1, 8), (2, 50, 4)], 3))
def test_many_processes_do_what_one_does(
    store: Store, where: str, tmp_path: Path, workers: int, games: int, most: int
) -> None:
    store_worker.begin(store, games)
    raws = store_worker.letters(plies(most), games)
    places = {raw: number for number, raw in enumerate(raws)}
    files = [tmp_path / f"{number}.json" for number in range(workers)]
    for number, file in enumerate(files):
        chance = random.Random(number)
        share = sorted(raws[number::workers] * 2, key=lambda raw: places[raw] + chance.random() * 12)
        file.write_text(json.dumps([raw.decode() for raw in share]))
    running = [store_worker.started(where, file) for file in files]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda one: [*store_worker.heard(one[1])], running))
    for process, _ in running:
        process.join()
        assert process.exitcode == 0
    for name in store.catalogue.ids():
        state = store.games.held(name).state
        assert state is not None
        assert [dict(ply) for ply in state.plies] == plies(most)
        assert audit_text("".join(f"{entry.as_line()}\n" for entry in store.games.log(name))).findings == ()
    assert store.upkeep.counts()["waiting"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("kills", sampled([1, 3, 15], 3))
def test_a_worker_that_is_killed_loses_nothing(store: Store, where: str, tmp_path: Path, kills: int) -> None:
    games, most = (2, 4) if is_quick() and kills == 1 else (4, 10)
    chance = random.Random(1)
    raws = store_worker.letters(plies(most), games)
    file, acknowledged = tmp_path / "letters.json", set[str]()
    store_worker.begin(store, games)
    # Letters are given to the worker a few more at a time, so that kills fall on all of the way.
    for killed in range(kills):
        known = len(raws) * (killed + 1) // kills
        file.write_text(json.dumps([raw.decode() for raw in raws[:known]]))
        process, said = store_worker.started(where, file)
        stop = max(1, len(raws) * killed // kills) + chance.randrange(4)
        acknowledged |= {*islice(store_worker.heard(said), stop)}
        time.sleep(chance.random() * 0.05)
        process.kill()
        process.join()
        assert acknowledged <= stored(store, "select digest from letter_in")
    process, said = store_worker.started(where, file)
    acknowledged |= {*store_worker.heard(said)}
    process.join()
    assert process.exitcode == 0
    assert acknowledged == {hashlib.sha256(raw).hexdigest() for raw in raws}
    with Store.create(tmp_path / "calm.db") as calm:
        store_worker.begin(calm, games)
        for raw in raws:
            store_worker.handle(calm, calm.inbox.receive(raw, BEGIN)[0])
        sent = stored(calm, "select id from outbox")
        assert stored(store, "select id from outbox") == sent
        assert stored(store, "select digest from letter_in") == acknowledged
        assert [store.games.held(name).state for name in store.catalogue.ids()] == [
            calm.games.held(name).state for name in calm.catalogue.ids()
        ]
    expect_dues(store)
    print(f"{kills} kills, {len(acknowledged)} letters acknowledged, {len(sent)} letters out, heads as undisturbed")


def stored(store: Store, query: str) -> set[str]:
    with store.database.engine.connect() as connection:
        return set(connection.execute(text(query)).scalars())


def test_no_secret_is_in_an_error(store: Store) -> None:
    hidden = Change(secrets={"move/1/south": "P M1 A2 12"}, letters=(Outgoing("a", None, b"P M1 A2 12"),))  # type: ignore[arg-type]
    with pytest.raises(DBAPIError) as caught:
        store.games.change("game-0", BEGIN, lambda _: hidden)
    assert "A2" not in str(caught.value) + repr(caught.value) + repr(hidden)
