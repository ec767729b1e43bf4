"""Stamps of the roots of days: made without network, sent to calendars, completed, and safe from bad answers."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, PendingAttestation, UnknownAttestation
from opentimestamps.core.serialize import BytesDeserializationContext, BytesSerializationContext
from opentimestamps.core.timestamp import DetachedTimestampFile

from referee.desk.proof.calendars import POOLS, is_calendar, is_known
from referee.desk.proof.stamps import CalendarRequest, Stamp, new_stamp
from referee.errors import RefereeError
from tests.desk.calendars import BLOCK, Calendar, Reply, calendar_server, timestamp
from tests.support.command_line import Run, referee
from tests.support.examples import examples
from tests.support.rows import each
from tests.support.servers import free_port

LINE = f"referee root 1 2027-03-01 3 {'5e' * 32}\n"
ALICE = "https://alice.btc.calendar.opentimestamps.org"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "root.txt"
    path.write_text(LINE, encoding="utf-8")
    return path


@pytest.fixture
def calendar() -> Iterator[Calendar]:
    with calendar_server() as found:
        yield found


def stamp(root: Path, *calendars: Calendar, timeout: float = 5, offline: bool = False) -> Run:
    named = [word for one in calendars for word in ("--calendar", one.address)]
    return referee("desk", "stamp", root, *named, "--timeout", timeout, *["--offline"] * offline)


def file_of(root: Path) -> bytes:
    """The bytes of the stamp; the library of OpenTimestamps must read them, and find this root."""
    content = root.with_name("root.txt.ots").read_bytes()
    file = DetachedTimestampFile.deserialize(BytesDeserializationContext(content))
    assert file.file_digest == sha256(root.read_bytes()).digest()
    return content


def attestations(root: Path) -> list[str]:
    file = DetachedTimestampFile.deserialize(BytesDeserializationContext(file_of(root)))
    return sorted(type(one).__name__ for _, one in file.timestamp.all_attestations())


def test_a_stamp_is_made_offline_sent_and_completed(root: Path, calendar: Calendar) -> None:
    name = f"{root}.ots"
    assert stamp(root, calendar, offline=True) == (0, f"{name}: no calendar has it yet\n", "")
    assert (attestations(root), calendar.asked) == (["PendingAttestation"], [])
    where = calendar.address
    run = stamp(root, calendar)
    assert run.lines == [
        f"{where}: has taken it",
        f"{name}: on its way to a block by 1 calendar; ask again in a few hours",
    ]
    assert (run.status, attestations(root)) == (0, ["PendingAttestation"])
    sent = file_of(root)
    run = stamp(root, calendar)
    assert run.lines[0] == f"{where}: no block yet (Pending confirmation in Bitcoin blockchain)"
    assert (run.status, file_of(root)) == (0, sent)
    calendar.mined = True
    run = stamp(root, calendar)
    assert run.lines == [
        f"{where}: shows the way to a block",
        f"{name}: complete, by Bitcoin block {BLOCK}; 'ots verify' checks the block",
    ]
    assert attestations(root) == ["BitcoinBlockHeaderAttestation", "PendingAttestation"]
    complete, asked = file_of(root), len(calendar.asked)
    assert stamp(root, calendar).status == 0
    assert (file_of(root), len(calendar.asked)) == (complete, asked), "nothing is left to ask"


def test_calendars_see_random_digests_only(root: Path, calendar: Calendar) -> None:
    first = new_stamp(root.read_bytes(), [ALICE, calendar.address])
    again = new_stamp(root.read_bytes(), [ALICE])
    digests = {request.digest for request in (*first.requests, *again.requests)}
    assert len(digests) == 3
    assert sha256(root.read_bytes()).digest() not in digests


def test_a_calendar_that_is_away_is_asked_again(root: Path, calendar: Calendar) -> None:
    with calendar_server() as other:
        other.reply, other.status = lambda _: b"", 503
        run = stamp(root, calendar, other)
        assert run.status == 0, "one has it"
        assert f"{other.address}: answered 503 (Service Unavailable)" in run.lines
        assert run.lines[-1].endswith("on its way to a block by 1 calendar; ask again in a few hours")
        other.reply, other.status = None, 200
        run = stamp(root, calendar, other)
        assert f"{other.address}: has taken it" in run.lines
        assert run.lines[-1].endswith("by 2 calendars; ask again in a few hours")
        calendar.mined = True
        assert stamp(root, calendar, other).lines[-1].endswith(f"block {BLOCK}; 'ots verify' checks the block")
        other.mined = True
        stamp(root, calendar, other)
        assert attestations(root).count("BitcoinBlockHeaderAttestation") == 2


def pending(address: str = ALICE) -> PendingAttestation:
    return PendingAttestation(address)


def block(height: int = BLOCK) -> BitcoinBlockHeaderAttestation:
    return BitcoinBlockHeaderAttestation(height)


HOSTILE: dict[str, Reply] = {
    "nothing": lambda _: b"",
    "garbage": lambda _: b"<html>blocked</html>",
    "too much": lambda _: bytes(20_000),
    "more behind it": lambda digest: timestamp(digest, block()) + b"\0",
    "cut off": lambda digest: timestamp(digest, block())[:-1],
    "nested too deeply": lambda digest: b"\x08" * 999 + timestamp(digest, block(), steps=0),
    "a block of the far future": lambda digest: timestamp(digest, block(1 << 50_000)),
    "a block that is not over a digest": lambda digest: timestamp(digest, block(), steps=2),
    "a block over the digest itself": lambda digest: timestamp(digest, block(), steps=0),
    "a promise without a step": lambda digest: timestamp(digest, pending(), steps=0),
    "promises without end": lambda digest: timestamp(digest, *(pending(f"{ALICE}/{one}") for one in range(9))),
    "what nobody knows": lambda digest: timestamp(digest, UnknownAttestation(b"12345678", b"x")),
}


@pytest.mark.slow
@each(HOSTILE)
def test_an_answer_of_no_use_leaves_the_stamp_as_it_was(shows: str, root: Path) -> None:
    """Neither before the calendar has the digest, nor after that."""
    with calendar_server() as calendar:
        path = root.with_name("root.txt.ots")
        path.unlink(missing_ok=True)
        stamp(root, calendar, offline=True)
        for said in ("no calendar has it yet", "ask again in a few hours"):
            before = file_of(root)
            calendar.reply = HOSTILE[shows]
            run = stamp(root, calendar)
            assert (run.status, file_of(root), run.err) == (1, before, "")
            assert run.lines[-1].endswith(said)
            calendar.reply = None
            assert stamp(root, calendar).status == 0


def test_a_promise_is_no_answer_to_who_has_one(root: Path, calendar: Calendar) -> None:
    stamp(root, calendar)
    before = file_of(root)
    calendar.reply = lambda digest: timestamp(digest, pending(calendar.address))
    run = stamp(root, calendar)
    assert (run.status, run.lines[0]) == (1, f"{calendar.address}: its answer shows no way to a block")
    assert file_of(root) == before


@pytest.mark.parametrize("status", [302, 500, 404])
def test_no_other_place_is_asked(root: Path, calendar: Calendar, status: int) -> None:
    calendar.reply, calendar.status = lambda _: b"go there", status
    run = stamp(root, calendar)
    assert (run.status, f": answered {status} (" in run.lines[0], len(calendar.asked)) == (1, True, 1)
    calendar.reply, calendar.status = lambda digest: timestamp(digest, pending("http://10.0.0.1/x")), 200
    assert stamp(root, calendar).status == 0
    run = stamp(root, calendar)
    assert run.lines[0] == "http://10.0.0.1/x: not asked; --calendar names it, if you trust it"
    assert (run.status, len(calendar.asked)) == (1, 2)


@pytest.mark.slow
def test_a_slow_calendar_does_not_hold_the_others_up(root: Path, calendar: Calendar) -> None:
    with calendar_server() as slow:
        slow.pause = 0.3
        begun = time.monotonic()
        run = stamp(root, slow, calendar, timeout=1)
        assert time.monotonic() - begun < 4
        assert f"{slow.address}: did not answer within 1 seconds" in run.lines
        assert f"{calendar.address}: has taken it" in run.lines
        assert run.status == 0


def test_a_calendar_that_is_not_there(root: Path) -> None:
    gone = Calendar(f"http://127.0.0.1:{free_port()}")
    run = stamp(root, gone)
    assert run.lines == [
        f"{gone.address}: cannot be asked: Connection refused",
        f"{root}.ots: no calendar has it yet",
    ]
    assert run.status == 1


@pytest.mark.parametrize(
    ("address", "may"),
    [
        *((pool, True) for pool in POOLS),
        (ALICE, True),
        ("https://ots.club.example", False),
        ("http://alice.btc.calendar.opentimestamps.org", False),
        ("https://opentimestamps.org", False),
        ("file:///etc/passwd", False),
    ],
)
def test_public_calendars_are_known_and_others_are_named(address: str, may: bool) -> None:
    assert is_known(address, ()) is may
    assert is_known(address, [address]) is is_calendar(address)


@pytest.mark.parametrize("address", ["http://10.0.0.1", "ftp://x.example", "https://x.example?a", "https://a@b", "x"])
def test_only_https_leaves_this_machine(root: Path, address: str) -> None:
    run = referee("desk", "stamp", root, "--calendar", address)
    assert (run.status, "expected an https address" in run.err) == (2, True)
    assert not root.with_name("root.txt.ots").exists()


def test_a_stamp_of_something_else_is_reported(root: Path) -> None:
    path = root.with_name("root.txt.ots")
    for content in (new_stamp(b"another root", [ALICE]).content, b"", LINE.encode()):
        path.write_bytes(content)
        run = stamp(root, offline=True)
        assert (run.status, run.err.partition(":")[0], path.read_bytes()) == (1, "stamp", content)
    root.write_text("my diary\n", encoding="utf-8")
    path.unlink()
    assert (stamp(root, offline=True).err[:6], path.exists()) == ("proof:", False)


def test_without_a_calendar_of_ones_own_the_public_ones_are_noted(root: Path) -> None:
    assert stamp(root, offline=True).status == 0
    noted = Stamp(file_of(root)).requests
    assert {request.calendar for request in noted} == set(POOLS)
    assert not any(request.taken for request in noted)


@given(st.binary(max_size=300), st.booleans(), st.integers(0, 400), st.integers(0, 255))
@example(noise=b"", raw=False, at=0, other=0xF2)  # an operation that may be dropped one day
@examples(20, suppress_health_check=(HealthCheck.too_slow,))
def test_no_bytes_break_a_stamp(noise: bytes, raw: bool, at: int, other: int) -> None:
    first = new_stamp(b"root", [ALICE])
    [request] = first.requests
    answer = bytearray(timestamp(request.digest, block(), pending()))
    answer[at % len(answer)] = other
    with suppress(RefereeError):
        after = first.answered(request, noise if raw else bytes(answer))
        assert after.covers(b"root")
        assert after.blocks or any(one.taken for one in after.requests)
    damaged = bytearray(first.content)
    damaged[at % len(damaged)] = other
    for content in (noise, first.content + noise[:1], bytes(damaged)):
        with suppress(RefereeError):
            assert Stamp(content).requests is not None


def test_deep_answers_do_not_pile_up() -> None:
    """An answer that fits alone may not fit at the end of an existing way."""
    kept, steps = new_stamp(b"root", [ALICE]), 199
    [request] = kept.requests
    kept = kept.answered(request, timestamp(request.digest, pending(), steps=steps))
    [request] = kept.requests
    with pytest.raises(RefereeError, match="stamp"):
        kept.answered(request, timestamp(request.digest, block(), steps=steps))
    assert kept.answered(request, timestamp(request.digest, block())).blocks == (BLOCK,)


def test_a_request_that_is_not_of_the_stamp_changes_nothing() -> None:
    kept = new_stamp(b"root", [ALICE])
    other = CalendarRequest(ALICE, bytes(32), taken=False)
    assert kept.answered(other, timestamp(bytes(32), block())) == kept


@pytest.mark.slow
def test_a_command_that_is_killed_leaves_a_whole_stamp(root: Path, calendar: Calendar) -> None:
    random, path = Random(7), root.with_name("root.txt.ots")
    command = [sys.executable, "-m", "referee", "desk", "stamp", str(root), "--calendar", calendar.address]
    for number in range(20):
        if number % 5 == 0:
            path.unlink(missing_ok=True)
            calendar.mined = not calendar.mined
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as running:
            time.sleep(random.uniform(0.2, 0.8))
            running.kill()
        assert not path.exists() or file_of(root)
    calendar.mined = True
    for _ in range(2):
        assert stamp(root, calendar).status == 0
    assert Stamp(file_of(root)).blocks == (BLOCK,)


@pytest.mark.slow
def test_without_its_library_the_extra_is_named(root: Path) -> None:
    code = "import sys; sys.modules['opentimestamps'] = None; from referee.cli import main; main()"
    command = [sys.executable, "-c", code, "desk", "stamp", str(root)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("missing-extra: this needs opentimestamps")
    assert "pip install 'referee[stamps]'" in run.stderr


def test_a_stamp_waits_for_few_calendars_and_for_blocks_that_can_be() -> None:
    with pytest.raises(RefereeError, match="names more than 32 calendars"):
        new_stamp(b"root", [f"https://{number}.example" for number in range(33)])
    file = DetachedTimestampFile.deserialize(BytesDeserializationContext(new_stamp(b"root", [ALICE]).content))
    file.timestamp.attestations.add(BitcoinBlockHeaderAttestation(1 << 50_000))
    context = BytesSerializationContext()
    file.serialize(context)
    with pytest.raises(RefereeError, match="names a block that cannot be"):
        Stamp(context.getbytes())
