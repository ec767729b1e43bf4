"""The handover of letters: recipients, times, and equal bytes and digests."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk import Close, Desk, DomainKey, Incoming, Replace, seat_token
from referee.desk.law.summary import UNSIGNED
from referee.desk.store.inbox import Inbox
from referee.errors import RefereeError
from referee.game import GameFile
from referee.mail.evidence.domain_keys import look_up
from referee.mail.evidence.handover import letters_to_give
from referee.mail.evidence.mailboxes import as_mailbox, heads_of, kept_letters
from referee.mail.evidence.signers import key_lines
from referee.mail.host.host import open_game, order_by_host
from referee.mail.office import office_in
from tests.support.command_line import referee
from tests.support.correspondence import BEGIN, GAME, address, corresponding
from tests.support.examples import sampled
from tests.support.signed_letters import DOMAIN, move, place, playing, record

OTHER = "autumn-1"


@given(st.lists(st.text("From >a:\r\n\t ", max_size=60).map(str.encode) | st.binary(max_size=40), min_size=1))
def test_a_mailbox_gives_the_same_bytes_again(letters: list[bytes]) -> None:
    """A checker of a few lines, which knows nothing of ours, finds the same digests."""
    digests = [hashlib.sha256(raw).hexdigest() for raw in letters]
    kept = [Incoming(digest, BEGIN, raw) for digest, raw in zip(digests, letters, strict=True)]
    content = b"".join(as_mailbox(kept))
    assert [raw for raw, _ in kept_letters(content)] == letters
    naive = [
        hashlib.sha256(re.sub(rb"(?m)^>(>*From )", rb"\1", one.partition(b"\n")[2][:-1])).hexdigest()
        for one in re.split(rb"(?m)^(?=From )", content)[1:]
    ]
    assert naive == digests


@pytest.mark.slow
def test_letters_are_handed_over(tmp_path: Path) -> None:
    """A player's own letters at any time, but no sealed move by accident; all letters once the game is over."""
    with playing(tmp_path / "desk", "beams") as post:
        desk = ("--desk", tmp_path / "desk")

        def export(*options: object) -> str:
            run = referee("desk", "letters", GAME, *desk, "--export", tmp_path / "mbox", *options)
            (tmp_path / "mbox").unlink(missing_ok=True)
            (tmp_path / "mbox.keys").unlink(missing_ok=True)
            return (run.out + run.err).replace(f"{tmp_path}/", "").strip()

        move(post, "south")
        assert "still-running" in export()
        assert "unknown-side" in export("--side", "west")
        nothing = "there is no letter to hand over: nothing is written"
        assert export("--side", "south") == f"{nothing}\n1 letter left out, with moves that are sealed still"
        for _ in range(2):
            referee("desk", "letters", GAME, *desk, "--export", tmp_path / "mbox", "--side", "north")
        assert export("--side", "north") == nothing, "nothing is left there that would be in the way"
        assert export("--side", "south", "--unseal") == "mbox: 1 letter; mbox.keys: 0 keys"
        move(post, "north")
        post.write("south", "resign")
        asked: list[str] = []

        def ask(name: str) -> str:
            asked.append(name)
            return record(DOMAIN)

        for _ in range(2):
            look_up(post.office, post.at, ask)
        assert asked == [place(DOMAIN)], "DNS is asked once in a day"
        assert export("--side", "north") == "mbox: 1 letter; mbox.keys: 1 key"
        assert export() == "mbox: 3 letters; mbox.keys: 1 key"

        (tmp_path / "log").write_text(post.exported, encoding="utf-8")
        referee("desk", "letters", GAME, *desk, "--export", tmp_path / "mbox")
        with (tmp_path / "mbox").open("ab") as kept:
            for one in post.letters[address("south")]:
                kept.write(b"From desk Mon Mar  1 12:00:00 2027\n" + one.as_bytes().replace(b"\r\n", b"\n") + b"\n")
        run = referee("audit", tmp_path / "log", "--letters", tmp_path / "mbox")
        assert (run.status, run.lines[1:]) == (
            0,
            [
                UNSIGNED,
                f"{len(heads_of(b''.join(one.as_bytes() for one in post.letters[address('south')])))} log heads of "
                "the letters are in the log",
                "5 of 5 acts that came by letter have their letter here",
                "the desk took letters at desk@example.org",
                f"north, north@{DOMAIN}: 1 letter; signed by {DOMAIN}: 1",
                f"south, south@{DOMAIN}: 2 letters; signed by {DOMAIN}: 2",
            ],
        )
        folder = tmp_path / "letters"
        folder.mkdir()
        referee("desk", "letters", GAME, *desk, "--export", folder / "s.mbox", "--side", "south")
        halves = ("--letters", folder)
        run = referee("audit", tmp_path / "log", *halves)
        assert (run.status, run.lines[1:]) == (
            0,
            [
                UNSIGNED,
                "3 of 5 acts that came by letter have their letter here",
                "entry 3, north (submitted): no letter here",
                "entry 5, north (message): no letter here",
                "north: 2 acts have no letter here: ask the host for them",
                "the desk took letters at desk@example.org",
                f"south, south@{DOMAIN}: 2 letters; signed by {DOMAIN}: 2",
            ],
        )
        assert referee("audit", tmp_path / "log", *halves, "--strict").status == 1
        referee("desk", "letters", GAME, *desk, "--export", tmp_path / "n.mbox", "--side", "north")
        assert referee("audit", tmp_path / "log", *halves, "--letters", tmp_path / "n.mbox", "--strict").status == 0
        (tmp_path / "none").write_text("Subject: x\n\nHello\n", encoding="utf-8")
        assert "WARNING: no letter here" in referee("audit", tmp_path / "log", "--letters", tmp_path / "none").out
        assert referee("audit", tmp_path / "log", "--strict").status == 2
        with (tmp_path / "mbox.keys").open("a", encoding="utf-8") as file:
            file.writelines(f"{one}\n" for one in key_lines([DomainKey(place(DOMAIN), BEGIN, record("the host"))]))
        run = referee("audit", tmp_path / "log", "--letters", tmp_path / "mbox")
        assert run.status == 0
        assert run.lines[5] == (
            f"there are two keys under the name {place(DOMAIN)}: it is unclear which is the sender's, "
            "so neither counts"
        )
        assert run.lines[6].endswith(f"1 letter; signed by {DOMAIN}, with one of two keys of one name: 1")
        (tmp_path / "mbox.keys").write_text("a key\n", encoding="utf-8")
        assert ": keys: " in referee("audit", tmp_path / "log", "--letters", tmp_path / "mbox").err
        (tmp_path / "mbox.keys").unlink()
        assert "exists" in referee("desk", "letters", GAME, *desk, "--export", tmp_path / "mbox").err


@pytest.mark.slow
def test_no_player_gets_the_letters_of_the_seat_s_former_player(tmp_path: Path) -> None:
    with playing(tmp_path / "desk", "boundary") as post:
        move(post, "south")
        assert len(letters_to_give(post.office, GAME, "south").letters) == 1
        order_by_host(post.office, GAME, Replace("south", "Eve", "eve@example.org"), post.at)
        assert letters_to_give(post.office, GAME, "south").letters == ()
        order_by_host(post.office, GAME, Close(), post.at)
        assert len(letters_to_give(post.office, GAME, "south").letters) == 1


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(["beams", "boundary", "laser-chess", "the-beam"], 4))
@pytest.mark.parametrize("when", sampled(["state", "log", "letter"], 3))
def test_a_seat_that_changes_hands_during_an_export_hands_nothing_over(
    when: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any point of the export: no other side's letters, and after it none of the former player's."""
    with playing(tmp_path / "desk", game) as post, office_in(tmp_path / "desk") as other:
        side = next(one for one in post.state.position.sides if one in post.state.owing)
        for _ in range(2 * len(post.state.players)):
            move(post, min(post.state.owing))
        former = {one.letter.digest for one in post.office.desk.inbox.history()}
        read, changed = getattr(Inbox if when == "letter" else Desk, when), list[str]()

        def change_and_read(*arguments: object) -> object:
            if not changed:
                changed.append("replaced")
                order_by_host(other, GAME, Replace(side, "Eve", "eve@example.org"), post.at)
            return read(*arguments)

        monkeypatch.setattr(Inbox if when == "letter" else Desk, when, change_and_read)
        handed = letters_to_give(post.office, GAME, side, unseal=True)
        assert changed
        own = {one.digest for one in handed.letters}
        assert all(address(side).encode() in one.raw for one in handed.letters), "no other side's"
        assert own <= former
        monkeypatch.undo()
        assert letters_to_give(post.office, GAME, side, unseal=True).letters == (), "nothing of Eve's is there yet"
        with pytest.raises(RefereeError, match="still-running"):
            letters_to_give(post.office, GAME, None)
        for one in set(post.state.players) - {side}:
            assert not {found.digest for found in letters_to_give(post.office, GAME, one).letters} & own
        order_by_host(post.office, GAME, Close(), post.at)
        after = letters_to_give(post.office, GAME, side)
        assert len(after.letters) + after.acting >= len(own)


@pytest.mark.slow
def test_no_handover_has_an_address_by_which_others_can_act(tmp_path: Path) -> None:
    """An end changes the addresses of its game; a letter with another live address waits until that is void, too."""
    with playing(tmp_path / "desk", "boundary") as post:
        addresses = {side: address(side) for side in ("south", "north")}
        open_game(post.office, OTHER, GameFile("boundary"), post.at, terms=None, addresses=addresses)
        post.collect()
        second = post.office.seat_address(post.office.desk.state(OTHER), "south")
        post.write("south", f"message\nIn the other game I am {second}\nend", last=0)
        enclosed = b64encode(f"Write to <{second}>".encode()).decode()
        header = "Content-Type: multipart/mixed; boundary=x\n"
        text = "--x\n\nmessage\nHi\nend\n--x\nContent-Type: application/x\nContent-Transfer-Encoding: base64\n\n"
        post.write("south", f"{text}{enclosed}\n--x--", header=header, last=0)
        post.write("north", "message\nGood luck\nend", last=0)
        post.write("south", "resign", last=0)
        before = letters_to_give(post.office, GAME, None)
        assert (len(before.letters), before.acting) == (2, 2)
        post.write("north", "message\nThank you\nend")
        post.write("south", "message\nTo an old address\nend", last=0)
        assert post.kinds[-2:] == ["closed", "message"]
        assert letters_to_give(post.office, GAME, None).acting == 3
        own = letters_to_give(post.office, GAME, "north")
        assert (len(own.letters), own.acting) == (2, 0), "their own they get"
        order_by_host(post.office, OTHER, Close(), post.at)
        assert letters_to_give(post.office, GAME, None).acting == 1
        exported = referee("desk", "letters", GAME, "--desk", tmp_path / "desk", "--export", tmp_path / "mbox")
        assert exported.lines[1:] == [
            "1 letter left out, with addresses by which others could still write for a player"
        ]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["{link}", "> {head}=\n> {tail}", "https://links.example/?url={quoted}"])
@pytest.mark.parametrize("which", ["seat", "calendar"])
def test_no_handover_has_a_link_by_which_others_can_act(which: str, form: str, tmp_path: Path) -> None:
    """Links to pages have the key of a seat, or of a calendar, in any style of quotation."""
    settings = "pages: https://desk.example.org\nweb: {moves: compose}\n"
    with corresponding(tmp_path / "desk", settings) as post:
        post.open("boundary")
        addresses = {side: address(side) for side in ("south", "north")}
        open_game(post.office, OTHER, GameFile("boundary"), post.at, terms=None, addresses=addresses)
        post.collect()
        key, other = post.office.desk.key, post.office.desk.state(OTHER)
        link = {
            "seat": post.office.page_address(other, "south"),
            "calendar": post.office.calendar_address(address("south")),
        }[which]
        assert link is not None
        assert seat_token(key, other, "south") in link or key.calendar(address("south")) in link
        quoted = form.format(link=link, head=link[:-7], tail=link[-7:], quoted=quote(link, safe=""))
        post.write("south", f"resign\n\n> It was this:\n> {quoted}", last=0)
        found = letters_to_give(post.office, GAME, None)
        assert (len(found.letters), found.acting) == (0, 1)
        assert len(letters_to_give(post.office, GAME, "south").letters) == 1
