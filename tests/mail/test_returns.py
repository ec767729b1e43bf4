"""Letters that come back to their secret return address: the seat that they were for counts as unreached."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.desk import acts
from referee.game import GameFile
from referee.mail.host import host
from referee.mail.host.checks.concerns import concern_diagnoses, seat_diagnoses
from referee.mail.host.metrics import exposition
from referee.mail.host.nondelivery import undelivered
from referee.mail.intake.message.limits import LIMITS
from referee.mail.transport.receipt import receive
from tests.support.correspondence import GAME, Correspondence, address, corresponding
from tests.support.rows import each
from tests.support.tables import table

CASES = table(Path(__file__).with_name("returns.yaml"))
LETTERS = {case["shows"]: case["letter"] for case in CASES}
FOR_GOOD, LATE = LETTERS["Postfix, for good"], LETTERS["Postfix, a letter that is late"]
NO_USER = "5.1.1 550 5.1.1 <south@players.example>: Recipient address rejected: User unknown in virtual mailbox table"


@pytest.fixture
def post(tmp_path: Path) -> Any:  # noqa: ANN401 - a generator
    with corresponding(tmp_path / "desk", "host: grace@example.org\n") as post:
        post.open("beams", {"days": 5})
        yield post


def report(post: Correspondence, letter: str, *, of: int = -1, side: str = "south", back: str = "") -> None:
    """Receive a server's report about a letter to a side, at its return address or at another."""
    identity = str(post.letters[address(side)][of]["Message-ID"])
    back = back or post.office.mailbox.return_address(identity)
    for word, text in (("RETURN", back), ("TO", address(side)), ("ID", identity)):
        letter = letter.replace(word, text)
    assert post.post(letter.replace("\n", "\r\n").encode()) == {}


def reasons(post: Correspondence) -> list[str]:
    """The reasons why letters do not reach seats."""
    return [one.reason for one in undelivered(post.office, GAME, post.at)]


@pytest.mark.slow
@each(CASES, lambda case: case["shows"])
def test_reports_of_servers(case: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> None:
    with corresponding(tmp_path_factory.mktemp("desk")) as post:
        post.open("beams", {"days": 5})
        report(post, case["letter"])
        post.pass_time(73)
        gives = case.get("gives", "").replace("TO", address("south"))
        assert reasons(post) == ([gives] if gives else [])
        assert post.kinds == ["opened"]


@pytest.mark.slow
def test_a_seat_that_letters_do_not_reach_is_shown_everywhere(post: Correspondence) -> None:
    report(post, FOR_GOOD)
    (seat,) = undelivered(post.office, GAME, post.at)
    assert (seat.side, seat.address, seat.reason) == ("south", address("south"), NO_USER)
    (concern,) = concern_diagnoses(post.office, post.at)
    assert f"no letter reaches south in the game {GAME}: {NO_USER}" in concern.says
    assert f"referee desk extend {GAME} HOURS --side south" in concern.remedy
    assert "referee_seats_unreached 1\n" in exposition(post.office, post.at)
    assert post.office.desk.inbox.filed(["bounce"])[0][1] == f"bounce: {NO_USER} ({GAME}, to south)"


@pytest.mark.slow
def test_a_letter_that_is_late_counts_after_three_days(post: Correspondence) -> None:
    report(post, LATE)
    post.pass_time(71)
    assert reasons(post) == []
    post.pass_time(1)
    assert [one.startswith("4.4.1 ") for one in reasons(post)] == [True]
    report(post, FOR_GOOD)
    assert reasons(post) == [NO_USER]
    report(post, LATE)
    assert reasons(post) == [NO_USER]


def written(post: Correspondence) -> None:
    post.write("south", "P M1 A2 12")


def asked(post: Correspondence) -> None:
    post.write("south", "board")


def replaced(post: Correspondence) -> None:
    host.order_by_host(post.office, GAME, acts.Replace("south", "Eve", "eve@players.example"), post.at)


def resent(post: Correspondence) -> None:
    assert host.resend(post.office, GAME, "south", post.at) == ["south"]


@pytest.mark.slow
@pytest.mark.parametrize("mend", [written, asked, replaced, resent])
def test_the_seat_is_reached_again(post: Correspondence, mend: Callable[[Correspondence], None]) -> None:
    report(post, FOR_GOOD)
    post.pass_time(1)
    mend(post)
    assert reasons(post) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sender", "to"),
    [
        (address("north"), None),
        (address("south"), "desk+spring-7@example.org"),
        ("eve@a.test", "desk@example.org"),
    ],
)
def test_a_letter_that_others_can_have_written_shows_nothing(
    post: Correspondence, sender: str, to: str | None
) -> None:
    report(post, FOR_GOOD)
    post.write("south", "board", sender=sender, to=to)
    assert reasons(post) == [NO_USER]


@pytest.mark.slow
def test_a_report_with_an_older_secret_does_nothing_after_an_answer(post: Correspondence) -> None:
    post.pass_time(1)
    post.write("south", "P M1 A2 12")
    for of in (0, 0):
        report(post, FOR_GOOD, of=of)
    assert reasons(post) == []
    report(post, FOR_GOOD)
    assert reasons(post) == [NO_USER], "the answer to that letter came back"


@pytest.mark.slow
def test_forged_reports_are_filed_and_do_nothing(post: Correspondence) -> None:
    right = post.office.mailbox.return_address(str(post.letters[address("south")][0]["Message-ID"]))
    seat = post.office.seat_address(post.state, "south")
    for back in (
        right[:-13] + "0" + right[-12:] if right[-13] != "0" else right[:-13] + "1" + right[-12:],
        right.replace("r-", "r-0"),
        right.replace(GAME, "spring-8"),
        right.partition(".r-")[0] + ".r-@example.org",
        f"desk+{GAME}.returned.south@example.org",
        f"desk+{GAME}@example.org",
        seat,
    ):
        report(post, FOR_GOOD, back=back)
        assert (back, reasons(post)) == (back, [])
    assert len(post.office.desk.inbox.filed(["bounce"])) == 7
    assert post.kinds == ["opened"]


@pytest.mark.slow
def test_the_secret_of_a_letter_is_that_of_one_seat_and_one_letter(post: Correspondence) -> None:
    post.write("south", "board")
    ids = [str(one["Message-ID"]) for side in ("south", "north") for one in post.letters[address(side)]]
    assert len({post.office.mailbox.return_address(one) for one in ids}) == len(ids) == 3


def test_an_address_in_the_longest_game_fits_into_a_mail_server(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        name, file = "a" * 32, GameFile("laser-chess")
        addresses = {side: address(side) for side in file.description.sides}
        host.open_game(post.office, name, file, post.at, terms=None, addresses=addresses)
        for letter in post.office.desk.outbox.take(post.at, 10):
            back = post.office.mailbox.return_address(letter.id)
            assert len(back.partition("@")[0]) <= 64
            tag = post.office.mailbox.tag(back)
            assert tag is not None
            assert tag.game == name


@pytest.mark.slow
def test_a_report_beyond_the_limits_is_read_as_far_as_it_goes(post: Correspondence) -> None:
    report(post, LETTERS["qmail, in words"] + "x" * LIMITS.size)
    assert reasons(post) == ["5.1.1 Sorry, no mailbox here by that name. (#5.1.1)"]


def test_text_of_a_server_acts_on_no_terminal(post: Correspondence) -> None:
    report(post, FOR_GOOD.replace("User", "\x1b[2J\x07User" + "y" * 9000, 2))
    (said,) = reasons(post)
    assert "\x1b" not in said
    assert len(said) < 400
    assert seat_diagnoses(post.office, post.at)


@pytest.mark.slow
def test_a_report_counts_once_its_game_is_over_no_more(post: Correspondence) -> None:
    post.write("north", "resign")
    report(post, FOR_GOOD)
    assert seat_diagnoses(post.office, post.at) == []


@pytest.mark.slow
def test_a_killed_process_deals_with_a_report_again(post: Correspondence) -> None:
    identity = str(post.letters[address("south")][0]["Message-ID"])
    raw = FOR_GOOD.replace("RETURN", post.office.mailbox.return_address(identity)).replace("TO", address("south"))
    stored = receive(post.office, raw.encode(), post.at)
    post.office.desk.outbox.came_back(identity, NO_USER)
    host.tick_games(post.office, post.at)
    assert post.office.desk.inbox.history(stored.digest)
    assert reasons(post) == [NO_USER]
