"""Roots of days: they bind all heads, never change, and a proof of one game reveals no other."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import DBAPIError

from referee.desk import By, Desk
from referee.desk.log import acts
from referee.desk.log.heads import Head
from referee.desk.log.roots import inclusion_of, read_inclusion, read_root, root_of
from referee.desk.store.store import Store
from referee.errors import RefereeError
from referee.game import GameFile
from referee.mail import office
from referee.mail.host.host import tick_games
from tests.support.command_line import referee
from tests.support.desks import BEGIN
from tests.support.examples import examples
from tests.support.rows import each

DAY = timedelta(days=1)
FIRST, SECOND, THIRD = (date(2027, 3, number) for number in (1, 2, 3))
NIGHT = datetime.fromisoformat("2027-03-02T00:00:00Z")


def heads(number: int) -> list[Head]:
    return [Head(f"game-{one:03}", one, f"{one:064x}") for one in range(number)]


def hashed(*lines: str) -> str:
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def test_the_tree_is_as_the_page_says() -> None:
    leaf = [hashed("referee leaf 1", one.game, str(one.number), one.digest) for one in heads(3)]
    below = hashed("referee node 1", leaf[0], leaf[1])
    assert str(root_of(FIRST, heads(1))) == f"referee root 1 2027-03-01 1 {leaf[0]}"
    assert root_of(FIRST, heads(3)).digest == hashed("referee node 1", below, leaf[2])
    assert str(inclusion_of(FIRST, heads(3), "game-002")).splitlines()[2:-1] == [f"left {below}"]


@given(st.integers(1, 70), st.data())
@examples(1.0)
def test_every_game_is_proved_and_nothing_else(number: int, data: st.DataObject) -> None:
    all_heads, place = heads(number), data.draw(st.integers(0, number - 1))
    proof = inclusion_of(FIRST, all_heads, all_heads[place].game)
    assert proof.holds
    assert read_inclusion(str(proof)) == proof
    assert read_root(str(proof.root)) == proof.root == root_of(FIRST, all_heads)
    text = str(proof)
    at = data.draw(st.integers(text.index("\n") + 1, len(text) - 1))
    forged = text[:at] + ("1" if text[at] == "0" else "0") + text[at + 1 :]
    with suppress(RefereeError):
        # The day and the number of games are bound by where the root was published.
        other = read_inclusion(forged)
        assert not other.holds or str(other.root) != str(proof.root)


@pytest.mark.parametrize("number", range(1, 12))
def test_a_proof_has_the_place_of_a_leaf_in_a_tree_of_its_size(number: int) -> None:
    """So a line with a wrong number of games is not the root of all of its games."""
    proofs = [inclusion_of(FIRST, heads(number), head.game) for head in heads(number)]
    for said in {*range(1, 25)} - {number}:
        other = [replace(proof, root=replace(proof.root, games=said)) for proof in proofs]
        assert not all(proof.holds for proof in other), said


HEAD, ROOT = heads(1)[0], root_of(FIRST, heads(1))
NO_PROOFS = {
    "nothing": "",
    "only the first line": "referee proof 1",
    "another version": f"referee proof 2\n{HEAD}\n{ROOT}",
    "a step to nowhere": f"referee proof 1\n{HEAD}\nup {'0' * 64}\n{ROOT}",
    "more than a head": f"referee proof 1\n{HEAD} and more\n{ROOT}",
    "no such day": f"referee proof 1\n{HEAD}\nreferee root 1 2027-02-30 1 {'0' * 64}",
}


@each(NO_PROOFS)
def test_texts_that_are_no_proof(shows: str) -> None:
    with pytest.raises(RefereeError) as caught:
        read_inclusion(NO_PROOFS[shows])
    assert caught.value.code == "proof"


def test_a_root_stays_as_it_was_made(where: str) -> None:
    """Although a letter of that day is handled later, and the store is opened again."""
    with Store.create(where) as store:
        desk = Desk(store)
        for name in ("game-b", "game-a"):
            desk.open(name, GameFile("boundary"), BEGIN)
        for day, now in ((FIRST, NIGHT - DAY / 86400), (FIRST - DAY, NIGHT), (FIRST - DAY, BEGIN)):
            with pytest.raises(RefereeError, match="no-root"):
                store.days.root(day, now)
        first = store.days.root(FIRST, NIGHT)
        assert (first.games, store.days.inclusion("game-a").holds) == (2, True)
        late = desk.act("game-a", By("south"), [acts.MakeMove("P a1-a2")], NIGHT - DAY / 24).entries
        assert late
        assert late[-1].at < NIGHT
        store.days.end_day(NIGHT + DAY)
        store.days.end_day(NIGHT + DAY)
        desk.open("game-c", GameFile("beams"), NIGHT + 3 * DAY)
        assert [store.days.inclusion("game-a", day).head.number for day in (FIRST, SECOND)] == [0, late[-1].number]
        assert store.days.root(SECOND, NIGHT + DAY) != first
        for day, game in ((FIRST - DAY, "game-a"), (THIRD, "game-a"), (SECOND, "game-c")):
            with pytest.raises(RefereeError, match="no-root"):
                store.days.inclusion(game, day)
        store.days.root(THIRD + 2 * DAY, NIGHT + 4 * DAY)
        with pytest.raises(RefereeError, match="covers the days before"):
            store.days.root(THIRD, NIGHT + 4 * DAY)
    with Store(where) as store:
        assert store.days.root(FIRST, NIGHT) == first
        assert store.days.inclusion("game-b", SECOND).holds
        assert store.days.inclusion("game-c").root.games == 3
        for table in ("day_root", "day_head"):
            with pytest.raises(DBAPIError, match="only added to"), store.database.engine.begin() as connection:
                connection.exec_driver_sql(f"delete from {table}")


def test_a_desk_without_a_game_has_no_root(where: str) -> None:
    with Store.create(where) as store:
        store.days.end_day(NIGHT)
        with pytest.raises(RefereeError, match="there was no game"):
            store.days.root(FIRST, NIGHT)


@pytest.mark.slow
def test_commands_make_and_check_a_proof(tmp_path: Path) -> None:
    office.create_office(tmp_path / "desk", "desk@example.org", "desk.sqlite")
    with office.office_in(tmp_path / "desk") as at:
        for name in ("game-1", "game-2"):
            at.desk.open(name, GameFile("laser-chess"), BEGIN)
        log = "".join(f"{entry.as_line()}\n" for entry in at.desk.log("game-1"))
        head = at.desk.state("game-1").head
        tick_games(at, NIGHT)
        assert at.desk.days.inclusion("game-1").root.day == FIRST, "the clock of the desk makes it"
    (tmp_path / "log.jsonl").write_text(log, encoding="utf-8")
    here = ("--desk", str(tmp_path / "desk"))
    proof, line = tmp_path / "proof.txt", tmp_path / "root.txt"
    with mock.patch("referee.cli.desk.roots.datetime") as clock:
        clock.now.return_value = NIGHT
        root = referee("desk", "root", *here, "-o", str(line)).out
        assert root.startswith("referee root 1 2027-03-01 2 ")
        assert line.read_text(encoding="utf-8") == root
        assert referee("desk", "root", *here, "--date", "2027-03-02").status == 1
    assert referee("proof", "game-1", *here, "-o", str(proof)).status == 0
    told = "the head is under the root of 2027-03-01, which covers 2 games\n"
    for history, name in (
        (log_file := str(tmp_path / "log.jsonl"), log_file),
        (f"game-1 0 {head}", "the line that you gave"),
    ):
        run = referee("proof", str(proof), history, "--root", root.strip())
        assert (run.status, run.err) == (0, "")
        assert run.out.endswith(f"{told}entry 0 is the same in {name}\n")
    for history, status, said in (
        (f"game-1 0 {'0' * 64}", 1, "entry 0 is ANOTHER one"),
        (f"game-1 7 {'0' * 64}", 1, "no-heads"),
        (f"game-2 0 {head}", 1, "other-game"),
    ):
        run = referee("proof", str(proof), history)
        assert (run.status, said in run.out + run.err) == (status, True)
    assert referee("proof", str(proof), "--root", root.replace("2027-03-01", "2027-03-02")).status == 1
    text = proof.read_text(encoding="utf-8")
    proof.write_text(text.replace(head, "0" * 64), encoding="utf-8")
    assert "does NOT lead" in referee("proof", str(proof)).out
    assert referee("proof", str(line)).status == 1
    assert referee("proof", "game-1", "x", *here).status == 2
    assert referee("proof", str(proof), "--date", "2027-03-01").status == 2
