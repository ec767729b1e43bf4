"""Secrets that a restored desk reveals, and a new key voids; and the check that a desk has its own store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parseaddr
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from referee.desk import Key, commitment, sealed_name
from referee.desk.store.catalogue import Catalogue
from referee.desk.store.tables import rows
from referee.desk.store.tables.database import Database, store_faults
from referee.errors import RefereeError
from referee.mail.handlers import pipeline
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host import host
from referee.mail.host.backups import back_up, restore
from referee.mail.letters.render import render
from referee.mail.office import create_office, office_in
from referee.mail.transport.receipt import KEPT, receive
from tests.support.correspondence import GAME, Correspondence, address, corresponding, text
from tests.support.servers import letter

MOVE, OTHER = "P M1 A2 12", "P M2Y C6 10"


@contextmanager
def gone_back(folder: Path) -> Iterator[tuple[Correspondence, str]]:
    """A desk that is restored to before its first moves, and the nonce that it has published for south."""
    with corresponding(folder) as post:
        post.open("beams")
        post.office.desk.upkeep.backup(folder / "copy.sqlite")
        post.write("south", MOVE)
        post.write("north", MOVE)
        published = post.state.nonces[0]["south"]
        letters = {side: found[:1] for side, found in post.letters.items()}
    shutil.copyfile(folder / "copy.sqlite", folder / "desk.sqlite")
    with office_in(folder) as office:
        post = Correspondence(office)
        post.letters, post.count = letters, 9
        assert len(post.state.plies) == 0
        yield post, published


@pytest.mark.slow
def test_a_published_nonce_opens_no_other_seal(tmp_path: Path) -> None:
    with gone_back(tmp_path / "desk") as (post, published):
        post.write("south", OTHER)
        state = post.state
        seal = state.seals["south"].commitment
        assert seal != commitment(GAME, 1, "south", state.protocol, OTHER, bytes.fromhex(published))
        kept = post.office.desk.games.held(GAME).secrets[sealed_name(1, "south")]
        assert kept.startswith(OTHER)
        assert published not in kept


@pytest.mark.slow
def test_a_letter_that_is_done_again_gives_the_same_log(tmp_path: Path) -> None:
    with gone_back(tmp_path / "desk") as (post, published):
        post.write("south", MOVE)
        assert published in post.office.desk.games.held(GAME).secrets[sealed_name(1, "south")]


@pytest.mark.slow
def test_after_a_new_key_no_older_letter_moves_anything(tmp_path: Path) -> None:
    with gone_back(tmp_path / "desk") as (post, published):
        key = post.office.desk.key
        assert host.renew_key(post.office, post.at) == 2
        assert post.office.desk.key != key
        told = post.collect()
        assert {*told} == {address("south"), address("north")}
        for side in ("south", "north"):
            assert "This desk has a new key" in text(told[address(side)])
            assert told[address(side)]["Reply-To"] != post.letters[address(side)][0]["Reply-To"]
            came = post.write(side, OTHER, last=0)
            assert "no-token" in text(came[address(side)])
        assert post.kinds == ["opened", "signed"]
        post.write("south", MOVE, to=str(told[address("south")]["Reply-To"]))
        assert post.kinds == ["opened", "signed", "submitted"]
        assert published not in post.office.desk.games.held(GAME).secrets[sealed_name(1, "south")]
        post.write("north", MOVE)
        post.holds()


def test_other_processes_know_a_new_key_at_once(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post, office_in(tmp_path / "desk") as running:
        post.open("beams")
        old = running.desk.key
        host.renew_key(post.office, post.at)
        assert running.desk.key == post.office.desk.key != old


@pytest.mark.slow
def test_ids_of_letters_cannot_be_foretold(tmp_path: Path) -> None:
    """If an attacker could send an id ahead, programs would drop the desk's letter as a copy."""
    with corresponding(tmp_path / "one") as post, corresponding(tmp_path / "two") as other:
        other.office.desk.keys.renew(Key(bytes(32)))
        for one in (post, other):
            one.open("beams")
        first, second = (one.letters[address("south")][0]["Message-ID"] for one in (post, other))
        assert first != second
        mailbox = post.office.mailbox
        assert mailbox.message_id(GAME, 0, "south") == first
        plain = f"<{GAME}.0.south.referee@example.org>"
        for known in (first, second, plain, f"<{GAME}.3.south.0123456789abcdef.referee@example.org>"):
            said = mailbox.claimed_by(known)
            assert said is not None
            assert (said.game, said.seat, mailbox.is_own(known)) == (GAME, "south", True)
        assert mailbox.is_own(mailbox.notice_id("0" * 64))
        assert mailbox.notice_id("0" * 64) != other.office.mailbox.notice_id("0" * 64)
        # A letter that answers one of an older version still finds its game.
        came = post.write("south", "help", to="desk@example.org", header=f"References: {plain}\n")
        assert GAME in str(came[address("south")]["Subject"])


def test_the_store_of_another_desk_is_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        create_office(tmp_path / name, "desk@example.org", "desk.sqlite")
    shutil.copyfile(tmp_path / "two" / "desk.sqlite", tmp_path / "one" / "desk.sqlite")
    with pytest.raises(RefereeError, match="id is") as raised, office_in(tmp_path / "one"):
        pass
    assert raised.value.code == "other-desk"
    settings = tmp_path / "one" / "desk.yaml"
    lines = settings.read_text().splitlines(keepends=True)
    settings.write_text("".join(line for line in lines if not line.startswith("id:")))
    with office_in(tmp_path / "one"):
        pass  # settings of before name no id


@pytest.mark.slow
def test_a_desk_does_not_go_on_with_a_store_that_is_gone(tmp_path: Path) -> None:
    """A letter that it acknowledged into a file without a name would be lost."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        back_up(post.office, tmp_path / "copy", post.at)
        (tmp_path / "desk" / "desk.sqlite").rename(tmp_path / "elsewhere")
        post.lost = True
        for _ in range(2):
            with pytest.raises(RefereeError, match="was moved, removed or replaced while the desk was using it"):
                receive(post.office, letter("P M1 A2 12\n", address("south")), post.at)
            for left in (tmp_path / "desk").glob("desk.sqlite-*"):
                left.unlink()
            if not (tmp_path / "desk" / "desk.sqlite").exists():
                restore(tmp_path / "copy", tmp_path / "desk", post.at)
    with office_in(tmp_path / "desk") as office:
        assert office.desk.upkeep.counts() == {"waiting": 0, "aside": 0, "to-send": 2, "unsent": 0}


@pytest.mark.parametrize("part", ["held", "handle", "waiting"])
def test_faults_of_the_database_cost_no_letter_an_attempt(
    part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise OperationalError("select", None, Exception("the server is gone"))

    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        to = str(post.letters[address("south")][0]["Reply-To"])
        receive(post.office, letter("P M1 A2 12\n", address("south")), post.at, recipient=to)
        before = [one.attempts for one in post.office.desk.inbox.waiting(post.at)]
        inner, name = {
            "held": (Catalogue, "expect_playable"),
            "handle": (rows, "append"),
            "waiting": (Database, "read"),
        }[part]
        for _ in range(pipeline.ATTEMPTS + 1):
            with monkeypatch.context() as patch:
                patch.setattr(inner, name, _told(failing) if name == "read" else failing)
                with pytest.raises(RefereeError, match="store: ") as raised:
                    handle_waiting(post.office, post.at)
                assert raised.value.code == "store"
        assert [one.attempts for one in post.office.desk.inbox.waiting(post.at)] == before
        assert handle_waiting(post.office, post.at) == 1
        assert post.kinds == ["opened", "submitted"]


def _told(failing: object) -> object:
    def read(*arguments: object) -> None:
        with store_faults():
            failing(*arguments)  # type: ignore[operator]

    return read


@pytest.mark.slow
def test_a_sender_of_too_much_gets_the_reason_and_can_still_move(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "megabytes-a-day: 1\n") as post:
        post.open("beams")
        to = str(post.letters[address("south")][0]["Reply-To"])
        for number in range(30):
            body = f"P M1 A2 12\n-- \n{number}\n" + "x" * 70 * number + "\n" + ("y" * 70 + "\n") * 1300
            receive(post.office, letter(body, address("south")), post.at, recipient=to, sender=address("south"))
        size = post.office.desk.inbox.charged(address("south"), post.at.replace(year=2020))
        assert size < 1_000_000 + 30 * (KEPT + 500)
        handle_waiting(post.office, post.at)
        letters = [render(post.office, one) for one in post.office.desk.outbox.take(post.at, 100)]
        assert any(b"more than 1 MB in a day" in one.replace(b"=\r\n", b"") for one in letters)
        assert post.kinds == ["opened", "submitted"]
        post.write("north", MOVE)
        came = post.write("south", "P M2Y C6 10")
        assert "Your move is in" in text(came[address("south")])


@pytest.mark.slow
def test_letters_in_a_players_name_use_up_nothing_of_theirs(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "megabytes-a-day: 1\n") as post:
        post.open("beams")
        for number in range(20):
            raw = letter(f"{number}\n" + ("y" * 70 + "\n") * 1300, "x@evil.example")
            receive(post.office, raw, post.at, recipient="desk@example.org", sender=address("south"))
        body = "P M1 A2 12\n-- \n" + ("z" * 70 + "\n") * 1300
        to = parseaddr(str(post.letters[address("south")][0]["Reply-To"]))[1]
        receive(post.office, letter(body, address("south")), post.at, recipient=to, sender=address("south"))
        handle_waiting(post.office, post.at)
        assert post.kinds == ["opened", "submitted"]


@pytest.mark.slow
def test_one_letter_to_twenty_tags_is_stored_once(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        raw = letter("x\n" * 100_000)
        for number in range(20):
            receive(post.office, raw, post.at, recipient=f"desk+game-{number}@example.org", sender="a@b.example")
            # A mail server that writes the envelope into the letter itself.
            lines = f"Return-Path: <a@b.example>\nX-Original-To: x\nDelivered-To: desk+t{number}@example.org\n"
            receive(post.office, lines.encode() + raw, post.at)
        assert len(post.office.desk.inbox.waiting(post.at)) == 40
        assert post.office.desk.inbox.charged("a@b.example", post.at.replace(year=2020)) < len(raw) + 40 * 300
