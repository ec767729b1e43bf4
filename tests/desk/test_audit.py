"""The audit finds every change in a log, even if the digests were made again."""

from __future__ import annotations

import io
import random
import re
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk import Terms, audit
from referee.desk.law.audit import MOST_FAULTS
from referee.desk.log import events, log
from referee.desk.log.log import START, new_entry
from referee.desk.play.setup import set_up
from referee.errors import FileError, OptionError, RefereeError
from referee.game import GameFile, dumps, judge, loads
from tests.desk.audited import codes, forged, logged, whole
from tests.support.desks import BEGIN, Desk, holds, message, request, sides, submit
from tests.support.examples import examples, sampled
from tests.support.logs import audit_text, fold_log
from tests.support.strategies import any_move, mutated

ROOT = Path(__file__).parents[2]
GAMES = ("beams", "boundary", "the-beam", "laser-chess")


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_a_whole_game_holds(game: str) -> None:
    desk = whole(game)
    assert desk.state.closed is not None
    holds(desk)


@pytest.mark.parametrize("game", GAMES)
def test_its_game_file_holds(game: str) -> None:
    file = whole(game).state.as_file()
    again = loads(dumps(file))
    assert again == file
    assert judge(again).findings == ()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_goes_on_from_its_file(game: str) -> None:
    first, chance = Desk(game), random.Random(8)
    for _ in range(6):
        side = sorted(first.state.owing)[0]
        first.ask(submit(side, str(any_move(first.state.position, side, chance))))
    second = Desk(file=first.state.as_file(), secret=first.secrets.get("chance"))
    assert second.state.plies == first.state.plies
    assert second.state.position == first.state.position
    second.ask(request(second, sides(game)[0], "resign"))
    holds(second)


@given(st.sampled_from(GAMES), st.data())
@examples(1.5)
def test_every_change_is_found(game: str, data: st.DataObject) -> None:
    lines = whole(game).exported.splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    line = data.draw(mutated(st.just(lines[at])))
    changed = "".join([*lines[:at], line, *lines[at + 1 :]])
    report = audit_text(changed)
    assert bool(report.findings) == (changed.removesuffix("\n") != "".join(lines).removesuffix("\n"))


@given(st.sampled_from(GAMES), st.integers(0, 10**6))
@examples(0.6)
def test_entries_that_are_left_out_or_swapped_are_found(game: str, seed: int) -> None:
    lines = whole(game).exported.splitlines()
    chance = random.Random(seed)
    one, two = sorted(chance.sample(range(len(lines)), 2))
    swapped = [*lines]
    swapped[one], swapped[two] = lines[two], lines[one]
    assert codes("\n".join(swapped))
    assert codes("\n".join(lines[:one] + lines[one + 1 :]))


@given(st.sampled_from(GAMES), st.integers(0, 10**6))
@examples(1.5)
def test_a_log_that_is_forged_with_right_digests_is_refereed(game: str, seed: int) -> None:
    desk, chance = whole(game), random.Random(seed)
    target = chance.randrange(len(desk.entries))

    def change(number: int, data: dict[str, Any]) -> dict[str, Any]:
        return scrambled(data, chance) if number == target else data

    report = audit_text(forged(desk.entries, change))
    for finding in report.findings:
        assert finding.line >= target + 1 or finding.code == "secret"
        assert len(finding.message) < 500
        assert "\x1b" not in finding.message


def scrambled(data: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """A body with one value changed to another of its kind."""
    name = chance.choice(sorted(data) or [""])
    value = data.get(name)
    match value:
        case int():
            return {**data, name: value + chance.choice((-1, 1, 10**9, 10**4000))}
        case str():
            return {
                **data,
                name: chance.choice(("", "south", "P M1 A2 12", "ab" * 32, value[::-1], "2027-03-09", "\x1b[2J")),
            }
        case list():
            return {**data, name: value[1:]}
        case dict() if value:
            inner = chance.choice(sorted(value))
            other = scrambled({inner: value[inner]}, chance) if chance.random() < 0.7 else {}
            return {**data, name: {**{one: value[one] for one in value if one != inner}, **other}}
        case _:
            return data


def test_a_desk_that_plays_another_move_than_was_sealed() -> None:
    desk = Desk()
    desk.ask(submit("south", "P M1 A2 12"), submit("north", "P S A2"))

    def other_move(_: int, data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "moves": {**data["moves"], "south": "P M1 A4 12"}} if "moves" in data else data

    def other_promise(_: int, data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "commitment": "0" * 64} if data.get("side") == "south" else data

    assert codes(forged(desk.entries, lambda _, data: data)) == set()
    assert codes(forged(desk.entries, other_move)) == {"commitment"}
    assert codes(forged(desk.entries, other_promise)) == {"commitment"}


def test_a_deal_that_is_not_the_seeds() -> None:
    desk = whole("the-beam")

    def other_cards(number: int, data: dict[str, Any]) -> dict[str, Any]:
        known = data.get("known")
        if known and len(known["deal"]["decks"][0]) == 12:
            last = known["deal"]["decks"][0][-1]
            deck = [*known["deal"]["decks"][0][:-1], last % 6 + 1]
            known = {"deal": {**known["deal"], "decks": [deck, known["deal"]["decks"][1]]}}
            return {**data, "known": known}
        return data

    assert codes(forged(desk.entries, lambda _, data: {**data, "secret": "x"} if "secret" in data else data)) == {
        "secret"
    }
    assert codes(forged(desk.entries, lambda _, data: {**data, "secret": None} if "secret" in data else data)) == {
        "secret"
    }
    assert codes(forged(desk.entries, other_cards))


def test_values_given_twice_or_for_nothing() -> None:
    desk = whole("the-beam")
    empty = forged(desk.entries, lambda _, data: {**data, "known": data["known"] or {}} if "known" in data else data)
    assert codes(empty) == {"known"}
    by = forged(desk.entries, lambda _, data: {**data, "by": "p1"} if data.get("how") == "score" else data)
    assert codes(by) == {"end"}


def test_a_reveal_fails_once() -> None:
    desk = Desk(clock={"days": 2})
    for side, words in (("south", "seal P M1 A2 12"), ("north", "submit P S A2"), ("south", "misreveal P M1 A2 12")):
        desk.ask(request(desk, side, words))
    failed = desk.entries[-1].event
    assert isinstance(failed, events.Failed)
    assert codes(desk.exported) == set()
    assert codes(logged(desk, failed)) == {"order"}
    assert codes(logged(desk, replace(failed, code="\x1b[2J"))) == {"commitment", "order"}
    assert all(
        "\x1b" not in one.message for one in audit_text(logged(desk, replace(failed, code="\x1b[2J"))).findings
    )


def test_the_page_tells_of_every_code_of_the_audit() -> None:
    page, room = ROOT / "spec" / "log.md", ROOT / "referee" / "desk"
    files = [*sorted((room / "law").glob("*.py")), room / "log" / "log.py"]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    found = {*re.findall(r'(?:yield \(?\s*|_found\(|_fault\()"([a-z-]+)", ', source)}
    told = page.read_text(encoding="utf-8").partition("## The audit")[2]
    assert len(found) > 15
    assert {code for code in found if f"\n| `{code}` |" not in told} == set()


@pytest.mark.slow
@pytest.mark.parametrize("step", sampled([15, 5, 1], 3))
def test_a_letter_exposes_a_log_that_was_cut_short(step: int) -> None:
    desk = whole("beams")
    lines = desk.exported.splitlines(keepends=True)
    for number, entry in [*enumerate(desk.entries, 1)][::step]:
        report = audit_text(desk.exported, entry.digest)
        assert (report.findings, report.behind) == ((), len(lines) - number)
    settled = next(number for number, line in enumerate(lines) if '"kind":"played"' in line) + 1
    short = "".join(lines[:settled])
    assert codes(short) == set()
    report = audit_text(short, desk.state.head)
    assert ([(one.code, one.line) for one in report.findings], report.behind) == ([("cut", settled)], None)


@pytest.mark.slow
@pytest.mark.parametrize("letters", [175, 700])
def test_a_long_log_is_read_line_by_line(letters: int) -> None:
    desk = Desk()
    desk.ask(message("south", "\U0001f984" * 8000))
    last = desk.entries[-1]

    def lines() -> Iterator[bytes]:
        yield from (f"{entry.as_line()}\r\n".encode() for entry in desk.entries)
        entry = last
        for _ in range(letters):
            entry = new_entry(entry.game, entry.number + 1, entry.at, entry.event, entry.digest)
            yield f"{entry.as_line()}\n".encode()

    content = b"\xef\xbb\xbf" + b"".join(lines())
    assert len(content) > letters * 30_000
    file = io.BytesIO(content)
    tracemalloc.start()
    report = audit(log.log_lines(file, "log"))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (report.entries, report.findings) == (letters + 2, ())
    assert most < 4 << 20


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"{}\n" + b"x" * (log.LONGEST_ENTRY + 1), "too-large"), (b"{}\n\xff", "encoding"), (b"\0", "encoding")],
)
def test_a_value_that_is_no_text_is_not_read(content: bytes, code: str) -> None:
    with pytest.raises(FileError) as raised:
        list(log.log_lines(io.BytesIO(content), "log"))
    assert (raised.value.findings[0].code, raised.value.unreadable) == (code, True)


@pytest.mark.slow
def test_after_a_thousand_findings_the_rest_is_not_read() -> None:
    lines = (line for _ in range(10**9) for line in Desk().exported.splitlines())
    assert len(audit(lines).findings) < MOST_FAULTS + 9


def test_a_game_whose_zone_is_no_longer_taken_goes_on() -> None:
    desk = Desk(clock={})
    begun = desk.entries[0].event
    assert isinstance(begun, events.Opened)
    event = replace(begun, clock={**Terms().as_json(), "zone": "Factory"})
    first = new_entry("game-1", 0, BEGIN, event, START)
    assert fold_log([first]).clock.deadline("south") == BEGIN + timedelta(days=7)
    assert codes(f"{first.as_line()}\n") == {"clock"}


def test_games_that_cannot_be_opened() -> None:
    over = GameFile("beams", rounds=loads("game: beams\nmoves: |\n  P M1 A1 12 | P S A2\n").rounds)
    with pytest.raises(FileError):
        Desk(file=over)
    for name in ("../etc", "Spring", "a" * 33, "", "-a", "a\n"):
        with pytest.raises(Exception, match="game-id"):
            Desk(name=name)
    with pytest.raises(Exception, match="game-over"):
        Desk(file=whole("beams").state.as_file())
    promised = Desk("the-beam", secret="one").state.options
    with pytest.raises(Exception, match="option"):
        Desk("the-beam", options=promised, secret="two")
    discs = {**promised["deal"]["discs"], "red": [1, 2, 3], "blue": [1, 2, 3], "green": [1, 2, 3]}
    contradicted = {"deal": {**promised["deal"], "discs": discs}}
    for options, secret in ((contradicted, "one"), ({"deal": {"seed": "two"}}, "one")):
        with pytest.raises(OptionError):
            Desk("the-beam", options=options, secret=secret)
    with pytest.raises(RefereeError, match="secret-missing"):
        Desk("the-beam", options=promised)
    with pytest.raises(Exception, match="address"):
        set_up("game-1", GameFile("beams"), BEGIN, addresses={"west": "a@example.org"})
