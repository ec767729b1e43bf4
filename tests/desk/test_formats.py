"""The bytes of logs, seals and tokens, as spec/log.md has them."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import hmac
import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk import Key, State
from referee.desk.law.seat_addresses import Seat, seat_of, seat_token, token_of
from referee.desk.log import events
from referee.desk.log.bodies import event_data, event_of
from referee.desk.log.events import KINDS, kind_of
from referee.desk.log.log import new_entry, read_entry, read_time, write_time
from referee.desk.log.seals import commitment, digits, draw_nonce
from referee.desk.log.signatures import Past
from referee.desk.state.engagements import seed_promise
from referee.errors import RefereeError
from tests.support.desks import ADDRESSES, BEGIN, NONCE, Desk, request
from tests.support.logs import chain, is_whole
from tests.support.rows import each

PAGE = (Path(__file__).parents[2] / "spec" / "log.md").read_text(encoding="utf-8")
OPENING, HEAD = "5c" * 32, "cc" * 32
PAST = Past(OPENING, HEAD)
SEAL = ("spring-7", 1, "south", "beams 1", "P M1 A2 12", NONCE)


def test_a_seal_is_made_of_nine_lines() -> None:
    lines = ("referee seal 2", "spring-7", OPENING, HEAD, "1", "south", "beams 1", "P M1 A2 12", NONCE.hex(), "")
    assert commitment(*SEAL, PAST) == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert f"{commitment(*SEAL, PAST)}  -" in PAGE
    for other in (None, Past(HEAD, HEAD), Past(OPENING, OPENING)):
        assert commitment(*SEAL, PAST) != commitment(*SEAL, other)


def test_a_seal_outside_a_log_is_made_of_seven_lines() -> None:
    lines = ("referee seal 1", "spring-7", "1", "south", "beams 1", "P M1 A2 12", NONCE.hex(), "")
    assert commitment(*SEAL) == hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_the_seed_of_an_engine_is_bound_by_four_lines() -> None:
    lines = ("referee engine 1", "spring-7", "north", NONCE.hex(), "")
    promise = seed_promise("spring-7", "north", NONCE.hex())
    assert promise == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert f"{promise}  -" in PAGE


def test_the_page_shows_this_address() -> None:
    token = token_of(NONCE, "spring-7", PAST.opening, "south", 0, 3)
    assert f"\n{token}\n" in PAGE
    assert f"desk+spring-7.{token}@example.org" in PAGE
    assert f'{{"mailboxes":["desk@example.org"],"secrets":["{NONCE.hex()}"]}}' in PAGE
    lines = ("referee address 1", "spring-7", PAST.opening, "south", "0", "3", "")
    made = hmac.new(NONCE, "\n".join(lines).encode(), "sha256").digest()
    assert token == base64.b32encode(made[:10]).decode().lower()


@each([(0, "spring-8"), (1, 2), (2, "north"), (3, "beams 2"), (4, "P M1 A2 2"), (5, bytes(32))])
def test_a_seal_opens_for_nothing_else(row: tuple[int, Any]) -> None:
    place, other = row
    parts: list[Any] = [*SEAL]
    parts[place] = other
    assert commitment(*SEAL) != commitment(*parts)


@each(["", "ab" * 31, "ab" * 33, "xy" * 32, "ab" * 31 + " a", "\u0661" * 64])
def test_other_text_is_no_commitment(text: str) -> None:
    assert digits(text) is None


def test_digits_are_read_as_they_are_written() -> None:
    nonce = draw_nonce()
    assert digits(f" {nonce.hex().upper()}\n") == nonce.hex()
    assert nonce != draw_nonce()


def test_an_entry_is_digested_with_what_it_follows() -> None:
    desk = Desk(clock={})
    desk.ask(request(desk, "south", "submit P M1 A2 12"))
    for line in desk.exported.splitlines():
        covered = "referee event 1\n" + re.sub(r'"digest":"[0-9a-f]*",', "", line) + "\n"
        assert hashlib.sha256(covered.encode()).hexdigest() == json.loads(line)["digest"]
    assert desk.entries[1].before == desk.entries[0].digest


def test_an_entry_is_read_as_it_was_written() -> None:
    desk = Desk(clock={"reminders": [12]}, options={"barriers": "facing"})
    desk.ask(request(desk, "north", 'message Straße "№7"\n\u2028\x7f\x01 \U0001f600'))
    assert [read_entry(line) for line in desk.exported.split("\n")[:-1]] == desk.entries


def test_the_page_tells_of_every_kind() -> None:
    table = PAGE.partition("## Entries")[2].partition("## ")[0]
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| `")]
    told = {kind: re.findall(r"`(\w+)`", row[2]) for row in rows for kind in re.findall(r"`(\w+)`", row[1])}
    assert told == {name: [field.name for field in dataclasses.fields(kind)] for name, kind in KINDS.items()}


@each(
    [
        ("unheard", {}),
        ("resigned", {}),
        ("resigned", {"side": "south", "more": 1}),
        ("resigned", {"side": 3}),
        ("resigned", ["side"]),
        ("played", {"ply": True, "moves": {}, "nonces": {}, "owing": [], "known": None}),
        ("played", {"ply": 1, "moves": {"south": 1}, "nonces": {}, "owing": [], "known": None}),
        ("played", {"ply": 1, "moves": {}, "nonces": {}, "owing": [None], "known": None}),
        ("played", {"ply": 1, "moves": {}, "nonces": {}, "owing": [], "known": {"deal": [0.5]}}),
    ]
)
def test_data_that_are_no_event(row: tuple[str, object]) -> None:
    kind, data = row
    with pytest.raises(RefereeError, match="event"):
        event_of(kind, data)


def test_every_event_comes_back_from_its_body() -> None:
    made = events.Closed("timeout", "north", "south", {"south": 3}, {"south": {"move": "m", "nonce": "n"}}, None)
    made = dataclasses.replace(made, addresses=ADDRESSES)
    assert event_of(kind_of(made), json.loads(json.dumps(event_data(made)))) == made


@each(
    [
        ("", "json"),
        ("[" * 100_000, "json"),
        ('"\ud800"', "json"),
        ("{}", "event"),
        ("[1]", "event"),
        ("1" * 5000, "json"),
    ]
)
def test_lines_that_are_no_entry(row: tuple[str, str]) -> None:
    line, code = row
    with pytest.raises(RefereeError) as caught:
        read_entry(line)
    assert caught.value.code == code


def test_the_same_entry_in_other_bytes_is_refused() -> None:
    line = Desk().entries[0].as_line()
    for other in (f" {line}", line.replace(":", ": ", 1), line.replace("opened", "\\u006fpened")):
        with pytest.raises(RefereeError, match="canonical"):
            read_entry(other)


@pytest.mark.parametrize(
    "text", ["2027-03-01T12:00:00Z", "2027-02-30T12:00:00.000000Z", "٢027-03-01T12:00:00.000000Z"]
)
def test_texts_that_are_no_time(text: str) -> None:
    with pytest.raises(RefereeError, match="event"):
        read_time(text)


@given(st.datetimes(datetime(2000, 1, 1), datetime(2999, 1, 1), timezones=st.just(UTC)))
def test_a_time_comes_back(at: datetime) -> None:
    assert read_time(write_time(at)) == at


def test_a_log_holds_only_whole_and_in_order() -> None:
    first = Desk().entries[0]
    rest = [*chain("game-1", 0, first.digest, BEGIN, (events.Offered("south"), events.Declined("north")))]
    assert is_whole([first, *rest])
    assert not is_whole([])
    assert not is_whole(rest)
    assert not is_whole([first, rest[1]])
    assert not is_whole([first, rest[0], rest[0]])
    assert not is_whole([first, dataclasses.replace(rest[0], event=events.Offered("north")), rest[1]])
    early = new_entry("game-1", 1, BEGIN.replace(hour=11), events.Offered("south"), first.digest)
    assert not is_whole([first, early])


def at_ply(ply: int) -> State:
    """A game in which this ply is to be played."""
    return dataclasses.replace(Desk().state, plies=({},) * (ply - 1))


def test_a_token_names_its_seat_while_its_ply_is_open() -> None:
    key, state = Key(b"k" * 32), at_ply(3)
    token = seat_token(key, state, "south")
    assert re.fullmatch("[a-z2-7]{16}", token)
    assert len(f"desk+{'g' * 32}.{token}") <= 64
    assert seat_of(key, state, token) == Seat("south", 3, fresh=True)
    assert seat_of(key, state, token.upper()) == Seat("south", 3, fresh=True)
    assert seat_of(key, at_ply(5), token) == Seat("south", 3, fresh=False)


def test_a_token_is_of_no_seat_elsewhere() -> None:
    key, state = Key(b"k" * 32), at_ply(3)
    token = seat_token(key, state, "south")
    assert seat_of(key, at_ply(2), token) is None
    assert seat_of(key, dataclasses.replace(state, id="game-2"), token) is None
    assert seat_of(key, dataclasses.replace(state, root="ab" * 32), token) is None
    assert seat_of(key, dataclasses.replace(state, holders={"south": 1, "north": 0}), token) is None
    assert seat_of(key, dataclasses.replace(state, closings=1), token) is None
    assert seat_of(Key(b"l" * 32), state, token) is None
    assert seat_of(Key(b"l" * 32, former=key), state, token) == Seat("south", 3, fresh=True)
    for wrong in ("", token[:-1], f"{token}a", "é" * 16, "\ud800" * 16):
        assert seat_of(key, state, wrong) is None


def test_the_key_shows_itself_nowhere() -> None:
    key = Key(b"not to be seen by anybody at all")
    assert "seen" not in repr(key)
    assert key.secret.hex() not in repr(key)
    assert key.draw("a") == key.draw("a") != key.draw("b")
    assert len(key.draw("a")) == 32
