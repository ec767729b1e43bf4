"""Secrets until their time: sealed moves, nonces, the seed, tokens and the key; and the letters that count."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import select

from referee.desk import Key, acts, commitment, public, sealed_name, seat_token
from referee.desk.log.secrets import plan_name
from referee.desk.store.tables.schema import LETTER_IN
from referee.game import dumps, to_json
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import order_by_host
from referee.mail.transport.receipt import receive
from tests.support.command_line import referee
from tests.support.corpus import RECEIVED
from tests.support.correspondence import GAME, Correspondence, address, corresponding, proofs, text
from tests.support.examples import sampled

MOVE = "P M2Y C6 10"
PLANNING = f"P M1 A2 12\n\nplan\nany then {MOVE}"
NONCE = bytes(range(32))
TOKEN = re.compile(rf"desk\+{GAME}\.([a-z0-9]+)@")
PRYING = (
    *("board", "history", "status", "legal", "legal P M2", "help", "claim", "accept", "offer draw", "vacation 3"),
    f"reveal {MOVE} {NONCE.hex()}",
    f"seal {'0' * 63}",
    "P M9 A2 12",
    "P M1 A2 12\nP M1 A4 12",
    "message\nwhat did you play?\nend",
    "nonsense about nothing",
    "try P M1 A2 12 | P S A2\nboard 1\ngames\nnotation",
)
under_questions = pytest.mark.parametrize(
    "prying", [PRYING[::10], pytest.param(PRYING, marks=pytest.mark.slow)], ids=["some", "all"]
)
SEEN = ("log", "export", "status", "audit", "clock")


def whole(message: EmailMessage) -> str:
    """A whole letter, as it goes out and as it is read."""
    return f"{message.as_string()}\n{' '.join(text(message).split())}"


def everything(post: Correspondence, *, but: Iterable[str] = ()) -> str:
    """All visible text: letters, the log, game files, public data, notes on letters."""
    letters = [whole(one) for who, found in post.letters.items() if who not in but for one in found]
    notes = post.office.desk.games.database.read(select(LETTER_IN.c.note))
    game = post.state.as_file()
    seen = [post.exported, dumps(game), to_json(game), json.dumps(public(post.state, post.at)), repr(post.state)]
    return "\n".join([*letters, *seen, *(row.note for row in notes)])


def kept(post: Correspondence, side: str) -> tuple[str, str]:
    """The sealed move of a side and its nonce, as the desk keeps them."""
    held = post.office.desk.games.held(GAME)
    move, nonce = held.secrets[sealed_name(post.state.ply, side)].rsplit(" ", 1)
    return move, nonce


def printed(post: Correspondence) -> str:
    """The output of the host's commands."""
    runs = [
        referee("desk", name, "--desk", post.office.folder, *([] if name == "status" else [GAME])) for name in SEEN
    ]
    assert {run.status for run in runs} == {0}
    return "\n".join(run.out + run.err for run in runs)


@pytest.mark.slow
@under_questions
def test_a_sealed_move_is_shown_to_its_sender_alone(
    prying: tuple[str, ...], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5, "vacation": 5})
        own = " ".join(text(post.write("south", MOVE)[address("south")]).split())
        move, nonce = kept(post, "south")
        assert (move, f"[{MOVE}]" in own) == (MOVE, True)
        for said in prying:
            post.pass_time(9)
            post.write("north", said)
            post.write("north", said, sender="eve@elsewhere.example")
            post.write("north", said, to=f"desk+{GAME}@example.org")
        post.pass_time(24)
        seen = everything(post, but=[address("south")]) + printed(post) + caplog.text
        suggested = re.compile(r"for example (?:\[[^\]]+\](?:,| or)?\s*)+")
        assert f"[{MOVE}]" not in suggested.sub("", seen)
        assert f'"{MOVE}"' not in seen
        assert nonce not in everything(post) + printed(post)
        assert post.state.standing("north") == "to-move"


@pytest.mark.slow
def test_sealed_moves_are_shown_once_both_are_in(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", MOVE)
        _, nonce = kept(post, "south")
        told = post.write("north", "P M1 A2 12")
        for message in told.values():
            assert nonce in whole(message)
            assert f"[{MOVE}]" in whole(message)


@pytest.mark.slow
@under_questions
def test_a_plan_is_shown_to_its_player_alone(
    prying: tuple[str, ...], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5, "vacation": 5})
        own = " ".join(text(post.write("south", PLANNING)[address("south")]).split())
        nonce = post.office.desk.games.held(GAME).secrets[plan_name(0, "south")].split()[0]
        assert f"[any then {MOVE}]" in own
        for said in [*(one for one in prying if one != "offer draw"), "plan", "plan off"]:
            post.pass_time(9)
            post.write("north", said)
            post.write("north", said, sender="eve@elsewhere.example")
            post.write("north", said, to=f"desk+{GAME}@example.org")
        post.pass_time(24)
        seen = everything(post, but=[address("south")]) + printed(post) + caplog.text
        assert MOVE not in re.sub(r"for example (?:\[[^\]]+\](?:,| or)?\s*)+", "", seen).replace(f"reveal {MOVE}", "")
        assert nonce not in everything(post) + printed(post)
        post.write("north", "P S A2")
        assert post.kinds[-2:] == ["followed", "submitted"]
        assert f"any then {MOVE}" not in everything(post, but=[address("south")]) + printed(post)
        post.write("south", "resign")
        assert f"any then {MOVE}" in post.exported


@pytest.mark.slow
@pytest.mark.parametrize(("letter", "kinds"), [(MOVE, ["submitted"]), (PLANNING, ["planned", "submitted"])])
def test_no_trace_of_a_fault_shows_a_sealed_move(
    letter: str,
    kinds: list[str],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        token = post.letters[address("south")][0]["Reply-To"]
        raw = f"From: {address('south')}\nTo: {token}\n\n{letter}\n".encode()

        def broken(*_: object, **__: object) -> None:
            raise KeyError(GAME)

        monkeypatch.setattr("referee.mail.handlers.visit.notifications", broken)
        receive(post.office, raw, post.at)
        handle_waiting(post.office, post.at)
        assert "4 attempts left" in caplog.text
        assert MOVE not in caplog.text + everything(post) + printed(post)
        monkeypatch.undo()
        post.pass_time(1)
        handle_waiting(post.office, post.at)
        assert post.kinds == ["opened", *kinds]


@pytest.mark.slow
@under_questions
def test_a_move_that_a_player_sealed_is_known_to_no_one_else(prying: tuple[str, ...], tmp_path: Path) -> None:
    """Not even to the desk: it is in no letter, and not in the store, before it is revealed."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5})
        promise = commitment(GAME, 1, "south", "beams 1", MOVE, NONCE, post.state.past)
        post.write("south", f"seal {promise}")
        for said in prying:
            post.pass_time(9)
            post.write("north", said.replace(NONCE.hex(), "1" * 64))
            assert not re.search(
                rf'"{MOVE}"|(?<!reveal ){MOVE}', json.dumps(dict(post.office.desk.games.held(GAME).secrets))
            )
        told = post.write("north", "P M1 A6 12")[address("south")]
        assert "Please reveal your sealed move by " in text(told)
        _, other = kept(post, "north")
        assert other not in everything(post)
        shown = everything(post, but=[address("north")]) + printed(post)
        assert f"[{MOVE}]" not in shown
        assert "[P M1 A6 12]" not in shown
        post.write("south", f"reveal {MOVE} {NONCE.hex()}")
        assert post.kinds[-1] == "played"


@pytest.mark.parametrize("most", [2, pytest.param(1_000, marks=pytest.mark.slow)], ids=["begun", "whole"])
def test_the_seed_is_in_no_letter_before_the_end(most: int, tmp_path: Path) -> None:
    """All letters of a random game, and what commands print: the seed gives away the cards to come."""
    with corresponding(tmp_path / "desk") as post:
        post.open("the-beam")
        seed = post.office.desk.games.held(GAME).secrets["chance"]
        chance = random.Random(3)
        while post.state.closed is None and len(post.state.plies) < most:
            assert seed not in everything(post) + printed(post)
            side = min(post.state.owing)
            move = post.state.position.any_move(side, chance.randrange)
            last = post.write(side, f"{move}\nhistory\nlegal\nboard")
            post.write(side, "help\nstatus")
            post.pass_time(2)
            post.letters = {who: found[-1:] for who, found in post.letters.items()}
        assert {seed in proofs(message) for message in last.values()} == {post.state.closed is not None}
        post.holds()


@pytest.mark.slow
@pytest.mark.parametrize("plies", sampled([1, 4], 2))
def test_no_seats_token_is_in_a_letter_to_another(plies: int, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5})
        chance = random.Random(1)
        for _ in range(plies):
            for side in ("south", "north"):
                post.write(side, f"{post.state.position.any_move(side, chance.randrange)}\nmessage\nhello\nend")
        tokens = {
            who: {found for one in letters for found in TOKEN.findall(one.as_string())}
            for who, letters in post.letters.items()
        }
        assert len(tokens[address("south")]) == len(tokens[address("north")]) == plies + 1, "a key for each ply"
        assert not tokens[address("south")] & tokens[address("north")]
        for letters in post.letters.values():
            for one in letters:
                (mine,) = set(TOKEN.findall(one.as_string()))
                assert mine not in one["Subject"] + one["Message-ID"] + one["From"], "but in Reply-To and in the text"
        assert not any(found in post.exported + printed(post) for one in tokens.values() for found in one)


@pytest.mark.slow
@under_questions
def test_the_key_of_the_desk_and_passwords_are_in_nothing(prying: tuple[str, ...], tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "send: {user: desk, password-file: smtp}\n") as post:
        (post.office.folder / "smtp").write_text("hunter2\n")
        (post.office.folder / "smtp").chmod(0o600)
        post.open("beams")
        for said in prying:
            post.write("south", said)
        key = post.office.desk.key
        shown = everything(post) + printed(post) + repr(post.office) + repr(post.office.desk.games.held(GAME))
        for secret in (key.secret.hex(), repr(key.secret), "hunter2"):
            assert secret not in shown


# The sender, the address, the token, and whether the letter moves.
SENDERS = {
    "the player with the token": (address("south"), "own", True),
    "somebody who got a copy": ("eve@elsewhere.example", "own", False),
    "the other player with it": (address("north"), "own", False),
    "the player with the other's": (address("south"), "other", False),
    "the player without one": (address("south"), "none", False),
    "the player with an old one": (address("south"), "stale", False),
    "the player with one of another game": (address("south"), "elsewhere", False),
    "the player with one that was drawn by another key": (address("south"), "forged", False),
    "the player, their address in capitals": (address("south").upper(), "own", True),
    "the player with a tag of their own": ("south+games@players.example", "own", False),
    "two at once": (f"{address('south')}, eve@elsewhere.example", "own", False),
    "a name that looks like the player": (f'"{address("south")}" <eve@elsewhere.example>', "own", False),
    "nobody": ("", "own", False),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(SENDERS, 7))
def test_letters_that_may_move(name: str, tmp_path: Path) -> None:
    sender, whose, moves = SENDERS[name]
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        for side in ("south", "north"):
            post.write(side, "P M1 A2 12")
        before, key = post.kinds, post.office.desk.key
        token = {
            "own": seat_token(key, post.state, "south"),
            "other": seat_token(key, post.state, "north"),
            "stale": seat_token(key, post.state, "south", 1),
            "elsewhere": seat_token(key, replace(post.state, id="spring-8"), "south"),
            "forged": seat_token(Key(b"k" * 32), post.state, "south"),
            "none": "",
        }[whose]
        to = f"desk+{GAME}.{token}@example.org".replace(".@", "@")
        came = post.post(f"From: {sender}\nTo: {to}\nSubject: [{GAME}]\n\nP M1 A6 12\n".encode())
        assert post.kinds[len(before) :] == (["submitted"] if moves else [])
        assert moves or whose in ("stale", "other") or not any("P M1 A6 12" in whole(one) for one in came.values())
        assert "eve@elsewhere.example" not in came or "\nRound" not in text(came["eve@elsewhere.example"])


AUTHENTIC = {
    "vouched for": ("mx.example.org; dmarc=pass header.from=players.example", True),
    "not": ("mx.example.org; dmarc=fail header.from=players.example", False),
    "by somebody else": ("mx.elsewhere.example; dmarc=pass header.from=players.example", False),
    "for another domain": ("mx.example.org; dmarc=pass header.from=elsewhere.example", False),
    "nothing said": ("mx.example.org; none", False),
    "below another": (
        "mx.example.org; dmarc=none\nAuthentication-Results: mx.example.org; dmarc=pass header.from=players.example",
        False,
    ),
    "in a comment": ("mx.example.org; (dmarc=pass header.from=players.example)", False),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(AUTHENTIC, 4))
def test_only_letters_that_the_server_vouches_for_move_if_that_is_required(name: str, tmp_path: Path) -> None:
    said, moves = AUTHENTIC[name]
    with corresponding(tmp_path / "desk", "trust: {authserv: [mx.example.org], require: dmarc}\n") as post:
        post.open("beams")
        came = post.write("south", "P M1 A2 12", above=f"Authentication-Results: {said}\n{RECEIVED}")
        assert post.kinds[1:] == (["submitted"] if moves else [])
        assert ("not-vouched" in text(came[address("south")])) == (not moves)


@pytest.mark.slow
@pytest.mark.parametrize("address_of_ben", sampled(["ben@elsewhere.example", None], 2))
def test_a_replaced_player_can_no_longer_act(address_of_ben: str | None, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        old = post.letters[address("south")][-1]
        order_by_host(post.office, GAME, acts.Replace("south", "Ben", address_of_ben), post.at)
        told = post.collect()
        new = told[address_of_ben or address("south")]
        reader = address_of_ben or address("south")
        assert new["Reply-To"] != old["Reply-To"]
        assert address_of_ben is None or not TOKEN.findall(told[address("south")].as_string())
        for said in ("P M1 A2 12", "resign", "message\nhello\nend", "offer draw", "vacation 3"):
            for to in (old["Reply-To"], f"desk+{GAME}@example.org"):
                came = post.write("south", said, to=str(to))
                assert post.kinds == ["opened", "replaced"]
                assert not any(TOKEN.findall(one.as_string()) for who, one in came.items() if who != reader)
        raw = f"From: {address_of_ben or address('south')}\nTo: {new['Reply-To']}\n\nP M1 A2 12\n"
        post.post(raw.encode())
        assert post.kinds == ["opened", "replaced", "submitted"]


@pytest.mark.parametrize(
    ("sender", "moves"),
    sampled(
        [
            ("\u017fouth@players.example", False),
            ("SOUTH@Players.Example", True),
            ("south@player\u017f.example", False),
            ("so\uff55th@players.example", False),
        ],
        4,
    ),
)
def test_only_letters_of_ascii_are_the_same_in_both_cases(sender: str, moves: bool, tmp_path: Path) -> None:
    """As RFC 5321 compares addresses; one that only looks alike, also in other scripts, is another person's."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        came = post.write("south", "P M1 A2 12", sender=sender)
        assert post.kinds[1:] == (["submitted"] if moves else [])
        assert ("other-address" in text(came[address("south")])) == (not moves)


@pytest.mark.slow
def test_a_token_counts_only_for_its_ply(tmp_path: Path) -> None:
    """An old letter brings only the receipt of its effect at that time."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        for side in ("south", "north"):
            post.write(side, "P M1 A2 12")
        before = post.kinds
        for said, told in (
            ("P M1 A2 12", "so already"),
            ("resign", "stale"),
            ("offer draw", "stale"),
            ("claim", "stale"),
        ):
            came = post.write("south", said, last=0)
            assert told in " ".join(text(came[address("south")]).split())
            assert "You replied to an older letter" in " ".join(text(came[address("south")]).split())
        assert post.kinds == before
