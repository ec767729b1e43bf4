"""Moves that players submit on the pages: pairing by a code in a letter, and the same act as by letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from referee.desk import MakeMove, Played, Replace, UseKey, audit, new_entry, seat_token
from referee.errors import RefereeError
from referee.game import GameFile
from referee.mail.browsers.browsers import Browsers
from referee.mail.browsers.pairings import CODES_A_DAY, TRIES
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game, order_by_host
from referee.mail.host.register import letter_text, letters
from referee.mail.intake.letter import read_letter
from referee.mail.intake.statements import claims_page, statement
from referee.mail.transport.receipt import receive
from tests.support.correspondence import GAME, KEY, Correspondence, address, corresponding, text
from tests.support.desks import signed, signer
from tests.support.keyed_games import lines, said
from tests.support.logs import fold_log
from tests.support.rows import each
from tests.support.witnesses import mailbox, witnessed

MOVE = "1. P a1-a2"
PROOF = {"page": "not signed, but made on the page, as the desk says", "letter": "not signed"}
SETTINGS = "pages: https://desk.example.org\n"


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Correspondence]:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as found:
        found.open("boundary")
        yield found


def browsers_of(post: Correspondence) -> Browsers:
    return Browsers(post.office, lambda: post.at)


def key(post: Correspondence, side: str = "south") -> str:
    return seat_token(post.office.desk.key, post.state, side)


def code_of(post: Correspondence, side: str = "south") -> str:
    """The code in the letter that the side gets now."""
    return "".join(re.findall(r"Code: (\d{4} \d{4})", text(post.collect()[address(side)]))[0].split())


def paired(post: Correspondence, side: str = "south") -> str:
    """The secret of a browser that is paired."""
    browsers, seat = browsers_of(post), key(post, side)
    token = browsers.ask([], GAME, seat)
    _, token = browsers.pair([token], code_of(post, side))
    post.collect()
    return token


@pytest.fixture
def token(post: Correspondence) -> str:
    return paired(post)


def refused(post: Correspondence, token: str, line: str, side: str = "south") -> str:
    """The code of a line's refusal; nothing of the line is kept."""
    before = post.exported, post.office.desk.upkeep.counts()
    with pytest.raises(RefereeError) as found:
        browsers_of(post).submit([token], GAME, key(post, side), line)
    assert (post.exported, post.office.desk.upkeep.counts()) == before
    return found.value.code


@pytest.mark.slow
def test_a_move_of_the_page_is_the_act_that_a_letter_is(tmp_path: Path) -> None:
    logs = []
    for way in ("page", "letter"):
        with corresponding(tmp_path / way, SETTINGS, key=KEY) as post:
            post.open("boundary")
            if way == "page":
                assert browsers_of(post).submit([paired(post)], GAME, key(post), MOVE).done == "You played P a1-a2."
                post.collect()
            else:
                post.write("south", MOVE)
            told = {
                side: [text(one).partition("\n-- \n")[0].splitlines() for one in post.letters[address(side)]][-1]
                for side in ("south", "north")
            }
            entries = [(one.event, one.at, one.came is not None) for one in post.office.desk.log(GAME)]
            logs.append((told, entries))
            post.holds()
            _, witness = witnessed(post.office, GAME)
            assert [*witness.accounts["south"].signed] == [PROOF[way]]
    (by_page, page_log), (by_letter, letter_log) = logs
    assert page_log == letter_log
    answer = " ".join(" ".join(by_page["south"]).split())
    assert "You did this on the game's page, in a browser that was paired with this address." in answer
    assert "You did this on" not in " ".join(" ".join(by_letter["south"]).split())
    assert "You did this on" not in " ".join(" ".join(by_page["north"]).split())


@pytest.mark.slow
def test_acts_of_the_page_are_those_that_letters_are(tmp_path: Path) -> None:
    """Logs and letters are the same, whichever way each act comes."""
    said = [
        ("south", "message: Good luck,\nBen!", "message\nGood luck,\nBen!\nend"),
        ("south", MOVE, MOVE),
        ("south", "give 2 days", "give 2 days"),
        ("north", "offer draw", "offer draw"),
        ("south", "decline draw", "decline"),
        ("north", "P f1-f2", "P f1-f2"),
        ("south", "offer draw", "offer draw"),
        ("north", "accept draw", "accept"),
    ]
    logs = []
    for way in ("page", "letter", "both"):
        with corresponding(tmp_path / way, SETTINGS, key=KEY) as post:
            post.open("boundary", {"days": 2})
            tokens = [paired(post), paired(post, "north")]
            for number, (side, on_page, by_letter) in enumerate(said):
                if way == "page" or (way == "both" and number % 2):
                    browsers_of(post).submit(tokens, GAME, key(post, side), on_page)
                    post.collect()
                else:
                    post.write(side, by_letter, to=post.office.seat_address(post.state, side))
            logs.append([(one.event, one.at, one.came is not None) for one in post.office.desk.log(GAME)][:-1])
            assert post.state.closed is not None
            assert post.state.closed.how == "agreement"
            post.holds()
    assert logs[0] == logs[1] == logs[2]


@pytest.mark.slow
def test_only_a_letter_that_passed_no_server_claims_to_be_of_a_page(post: Correspondence) -> None:
    browsers_of(post).submit([paired(post)], GAME, key(post), MOVE)
    (said,) = [one.letter for one in post.office.desk.inbox.history() if b"Referee-Page" in one.letter.raw]
    assert claims_page(said.raw)
    assert b"paired at 2027-03-01T12:00:00" in re.sub(rb"\r\n +", b" ", said.raw)
    mark = re.findall(rb"Referee-Page: [0-9a-f]{20}\r\n", said.raw)[0]
    for other in (
        said.raw.replace(mark, b"Received: from somewhere\r\n" + mark),
        said.raw.replace(mark, mark + b"Received: from somewhere\r\n"),
        said.raw.replace(b".page@", b"@"),
        said.raw.replace(b"MIME-Version", b"X-Mailer: none\r\nMIME-Version"),
        mark.join(said.raw.split(mark)[::-1]),
    ):
        assert not claims_page(other)


@pytest.mark.slow
def test_the_pairing_is_confirmed_by_letter_and_the_code_counts_once(post: Correspondence) -> None:
    browsers, seat = browsers_of(post), key(post)
    token = browsers.ask([], GAME, seat)
    code = code_of(post)
    assert refused(post, token, MOVE) == "not-paired"
    _, token = browsers.pair([token], f" {code[:4]} {code[4:]}")
    assert "A browser may move for you" in str(post.collect()[address("south")]["Subject"])
    with pytest.raises(RefereeError, match="pairing-over"):
        browsers.pair([token], code)
    standing = browsers.standing([token], GAME, seat)
    assert standing == {
        "plan": None,
        "followed": [],
        "spent": False,
        "paired": True,
        "asked": False,
        "side": "south",
        "turn": 1,
        "owes": True,
        "signs": False,
        "ply": None,
        "sealed": None,
        "revealing": False,
        "offer": None,
        "key": seat,
        "chosen": None,
        "acts": ["offer draw", "resign", "message"],
        "next": None,
    }
    browsers.forget([token])
    assert refused(post, token, MOVE) == "not-paired"


def test_a_code_counts_only_in_the_browser_that_asked(post: Correspondence) -> None:
    browsers, seat = browsers_of(post), key(post)
    browsers.ask([], GAME, seat)
    code = code_of(post)
    other = browsers.ask([], GAME, seat)
    post.collect()
    with pytest.raises(RefereeError, match="pairing-code"):
        browsers.pair([other], code)
    with pytest.raises(RefereeError, match="pairing-over"):
        browsers.pair(["a token of nobody"], code)


def test_a_code_can_be_guessed_only_so_often(post: Correspondence) -> None:
    browsers, seat = browsers_of(post), key(post)
    token = browsers.ask([], GAME, seat)
    code = code_of(post)
    for _ in range(TRIES):
        with pytest.raises(RefereeError, match="pairing-code"):
            browsers.pair([token], f"{(int(code) + 1) % 10**8:08}")
    with pytest.raises(RefereeError, match="pairing-over"):
        browsers.pair([token], code)


def test_a_text_that_is_no_code_is_no_attempt(post: Correspondence) -> None:
    browsers, seat = browsers_of(post), key(post)
    token = browsers.ask([], GAME, seat)
    code = code_of(post)
    for typed in ("", code[:7], f"{code}0", "the code", "\ud800", "\u0661" * 8, *TRIES * ["1"]):
        with pytest.raises(RefereeError, match="this did not count as an attempt"):
            browsers.pair([token], typed)
    browsers.pair([token], code)


def test_a_browser_that_is_paired_gets_no_further_code(post: Correspondence) -> None:
    token = paired(post)
    assert browsers_of(post).ask([token], GAME, key(post)) == ""
    assert not post.collect()
    assert browsers_of(post).standing([token], GAME, key(post))["paired"]


@pytest.mark.slow
def test_only_the_newest_code_of_a_browser_counts(post: Correspondence) -> None:
    browsers, seat = browsers_of(post), key(post)
    first = browsers.ask([], GAME, seat)
    code = code_of(post)
    assert browsers.standing([first], GAME, seat)["asked"]
    second = browsers.ask([first], GAME, seat)
    assert [browsers.standing([one], GAME, seat)["asked"] for one in (first, second, "")] == [False, True, False]
    with pytest.raises(RefereeError, match="pairing-over"):
        browsers.pair([first], code)
    browsers.pair([second], code_of(post))
    assert not browsers.standing([second], GAME, seat)["asked"]


def test_a_code_is_over_after_half_an_hour(post: Correspondence) -> None:
    browsers, seat = browsers_of(post), key(post)
    token = browsers.ask([], GAME, seat)
    code = code_of(post)
    post.at += timedelta(minutes=30)
    with pytest.raises(RefereeError, match="pairing-over"):
        browsers.pair([token], code)


@pytest.mark.slow
def test_the_codes_for_an_address_in_a_day_are_limited(post: Correspondence) -> None:
    browsers, seat = browsers_of(post), key(post)
    for _ in range(CODES_A_DAY):
        browsers.ask([], GAME, seat)
        post.collect()
    with pytest.raises(RefereeError, match="too-many-codes"):
        browsers.ask([], GAME, seat)
    assert not post.collect()
    browsers.ask([], GAME, key(post, "north"))
    post.at += timedelta(days=1)
    browsers.ask([], GAME, seat)


@pytest.mark.slow
def test_the_codes_of_a_day_are_counted_however_an_address_is_spelled(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        for number, spelled in enumerate(("ada@players.example", "Ada@Players.Example"), 1):
            addresses = {"south": spelled, "north": address("north")}
            open_game(post.office, f"g-{number}", GameFile("boundary"), post.at, terms=None, addresses=addresses)
        for number in range(CODES_A_DAY + 1):
            game = f"g-{1 + number % 2}"
            seat = seat_token(post.office.desk.key, post.office.desk.state(game), "south")
            if number < CODES_A_DAY:
                browsers_of(post).ask([], game, seat)
                continue
            with pytest.raises(RefereeError, match="too-many-codes"):
                browsers_of(post).ask([], game, seat)


@pytest.mark.slow
def test_a_pairing_ends_with_the_seat_of_its_address(post: Correspondence) -> None:
    token, old = paired(post), key(post)
    order_by_host(post.office, GAME, Replace("south", "Eve", "eve@example.org"), post.at)
    post.collect()
    new = seat_token(post.office.desk.key, post.state, "south")
    for seat, code in ((old, "no-seat"), (new, "not-paired")):
        with pytest.raises(RefereeError, match=code):
            browsers_of(post).submit([token], GAME, seat, MOVE)
    assert not post.state.plies


@pytest.mark.slow
def test_a_pairing_is_of_one_address_and_ends(post: Correspondence) -> None:
    token = paired(post)
    browsers_of(post).submit([token], GAME, key(post), MOVE)
    post.collect()
    assert refused(post, token, "2. P b1-b2", "north") == "not-paired"
    post.at += timedelta(days=179)
    assert browsers_of(post).standing([token], GAME, key(post))["paired"]
    post.at += timedelta(days=1)
    assert not browsers_of(post).standing([token], GAME, key(post))["paired"]


@pytest.mark.slow
def test_the_host_takes_all_pairings_of_an_address_back(post: Correspondence) -> None:
    tokens = [paired(post), paired(post)]
    assert browsers_of(post).take_back(address("south")) == 2
    (told,) = post.collect().values()
    assert (told["To"], told["Subject"]) == (address("south"), "Your browsers can no longer move for you")
    assert {refused(post, token, MOVE) for token in tokens} == {"not-paired"}
    assert browsers_of(post).take_back(address("south")) == 0
    assert not post.collect()


@pytest.mark.slow
def test_a_new_key_of_the_desk_voids_all_pairings(post: Correspondence) -> None:
    token = paired(post)
    post.office.desk.keys.renew(type(KEY)(b"another key of the very same tes"))
    assert refused(post, token, MOVE) == "not-paired"


@each(
    [
        ("", "page-line"),
        ("hello", "page-line"),
        ("accept draw", "no-offer"),
        ("decline draw", "no-offer"),
        ("withdraw", "page-line"),
        ("abort", "page-line"),
        ("vacation 3", "page-line"),
        ("status", "page-line"),
        ("set pictures off", "page-line"),
        ("new beams with engine:1", "page-line"),
        ("message: good luck\nend\nresign", "page-line"),
        ("message:", "page-line"),
        ("rematch", "not-over"),
        ("P a1-a2\nP b1-b2", "page-line"),
        ("P a1-a2\nresign", "page-line"),
        ("P a1-a2\n-- \nresign", "page-line"),
        ("P a1-a2\nFrom: x", "page-line"),
        ("\0P a1-a2", "page-line"),
        ("P a1-a2\ud800", "page-line"),
        ("P a1-a2\u2028resign", "page-line"),
        ("P a1-a2 " + 1_000 * " ", "page-line"),
        ("P z9-z8", "unknown-square"),
        ("P a1-a1", "not-straight"),
        ("2. P a1-a2", "round"),
    ]
)
def test_only_a_legal_move_is_taken(row: tuple[str, str], post: Correspondence, token: str) -> None:
    line, code = row
    assert refused(post, token, line) == code


@pytest.mark.slow
def test_the_key_of_an_earlier_ply_moves_nothing(post: Correspondence) -> None:
    token, old = paired(post), key(post)
    post.write("south", MOVE, to=post.office.seat_address(post.state, "south"))
    for seat, code in ((old, "page-key"), ("aaaaaaaaaaaaaaaa", "no-seat"), ("", "no-seat"), ("ä\x00", "no-seat")):
        with pytest.raises(RefereeError, match=code):
            browsers_of(post).submit([token], GAME, seat, MOVE)
    with pytest.raises(RefereeError, match="unknown-game"):
        browsers_of(post).submit([token], "other", old, MOVE)
    assert refused(post, token, "P b2-b3") == "not-your-turn"


@pytest.mark.slow
def test_an_older_link_causes_no_code(post: Correspondence) -> None:
    old = key(post)
    post.write("south", MOVE)
    with pytest.raises(RefereeError, match="page-key"):
        browsers_of(post).ask([], GAME, old)
    assert post.collect() == {}


@pytest.mark.slow
def test_no_one_else_writes_the_letter_of_a_page(tmp_path: Path) -> None:
    """If the mail server has to vouch for letters, one that only looks like the page's has no effect."""
    strict = f"{SETTINGS}trust: {{authserv: [mx.example.org], require: dmarc}}\n"
    with corresponding(tmp_path / "desk", strict, key=KEY) as post:
        post.open("boundary")
        browsers_of(post).submit([paired(post)], GAME, key(post), MOVE)
        post.collect()
        assert len(post.state.plies) == 1
        (raw,) = [one.letter.raw for one in post.office.desk.inbox.history() if b"Referee-Page" in one.letter.raw]
        to = post.office.seat_address(post.state, "north")
        forged = raw.partition(b"\r\n")[2].partition(b"\r\n")[2]
        forged = re.sub(rb"(?m)^To: .*\r$", f"To: {to}\r".encode(), forged).replace(b"south@", b"north@")
        forged = forged.replace(b"P a1-a2", b"P c1-c2")
        receive(post.office, forged, post.at, recipient=to, sender=address("north"))
        handle_waiting(post.office, post.at)
        assert "not-vouched" in text(post.collect()[address("north")])
        assert len(post.state.plies) == 1


@pytest.mark.slow
def test_a_letter_that_only_looks_like_the_page_s_is_a_letter(tmp_path: Path) -> None:
    """Its move counts as by mail, and neither the answer nor the audit attributes it to the page."""
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.open("boundary")
        post.stamp = b"Received: from players.example by mx.example.org\r\n".__add__
        post.write("south", MOVE, above=f"Referee-Page: {'0123456789abcdef0123'}\n")
        assert len(post.state.plies) == 1
        assert "on the page" not in " ".join(text(post.letters[address("south")][-1]).split())
        _, witness = witnessed(post.office, GAME)
        assert [*witness.accounts["south"].signed] == [PROOF["letter"]]


@pytest.mark.slow
def test_the_host_is_shown_no_code(post: Correspondence) -> None:
    browsers = browsers_of(post)
    browsers.ask([], GAME, key(post))
    shown = "".join(letter_text(post.office, one.digest)[1] for one in letters(post.office))
    code = code_of(post)
    assert code not in "".join(shown.split())


@pytest.mark.slow
def test_a_seat_with_a_key_needs_its_signature(post: Correspondence) -> None:
    """The desk accepts no move from such a seat's page without the player's signature."""
    said(post, "south", str(UseKey(signer("south").public)))
    token = paired(post)
    assert browsers_of(post).standing([token], GAME, key(post))["signs"]
    assert refused(post, token, "P a1-a2") == "unsigned"
    assert refused(post, token, lines(post, "south", MakeMove("P a1-a2"), "the host")) == "signature"
    browsers_of(post).submit([token], GAME, key(post), lines(post, "south", MakeMove("P a1-a2")))
    post.collect()
    assert post.state.plies == ({"south": "P a1-a2"},)
    post.holds()


@pytest.mark.slow
@pytest.mark.parametrize("signature", ["none", "of the move that was made", "by the host"])
def test_a_host_makes_up_no_page_s_move_of_a_seat_with_a_key(post: Correspondence, signature: str) -> None:
    """Not even with a letter that has the desk's own mark, because the player's signature is missing."""
    said(post, "south", str(UseKey(signer("south").public)))
    browsers_of(post).submit([paired(post)], GAME, key(post), lines(post, "south", MakeMove("P a1-a2")))
    post.collect()
    honest, witness = witnessed(post.office, GAME)
    assert not honest.findings
    assert witness.accounts["south"].signed[PROOF["page"]] == 1
    *before, made = post.office.desk.log(GAME)
    state = fold_log(before)
    forged = signed(state, "south", signer("the host"), MakeMove("P a1-b1")).signature
    to = post.office.seat_address(state, "south")
    raw = statement(post.office, GAME, address("south"), to, f"P a1-b1\nsigned {forged}", post.at, "ab" * 16)
    stored = receive(post.office, raw, post.at, recipient=to, sender=address("south"))
    assert made.came is not None
    assert made.came.signature is not None
    shown = {"none": None, "by the host": forged}.get(signature, made.came.signature)
    came = replace(made.came, letter=read_letter(stored.raw, post.office.mailbox).digest, signature=shown)
    assert isinstance(made.event, Played)
    event = replace(made.event, moves={"south": "P a1-b1"})
    cheat = [*before, new_entry(GAME, made.number, made.at, event, made.before, came=came)]
    witness = LetterEvidence([mailbox(post.office)], {})
    report = audit((entry.as_line() for entry in cheat), witness=witness)
    assert {one.code for one in report.findings} == {"signature"}
    assert not [said for said in witness.accounts["south"].signed if said.startswith("signed")]
