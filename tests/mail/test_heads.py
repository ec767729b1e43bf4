"""A host who shows two players two histories of one game, and the proof in the letters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path

import pytest

from referee.desk import Head, Signer, audit, events, head_text, heads_in
from referee.desk.proof.histories import chain_of
from referee.desk.store.store import Store
from referee.errors import Refusal
from referee.mail.host.backups import back_up, restore
from referee.mail.host.host import renew_key
from referee.rules import GAMES
from tests.support.command_line import referee
from tests.support.correspondence import GAME, KEY, Correspondence, address, corresponding, proofs, text
from tests.support.examples import sampled
from tests.support.forgeries import Timed, rechained
from tests.support.logs import audit_text

MOVES = {"honest": "P M1 A2 12", "false": "P M1 A4 12"}


@contextmanager
def two_desks(folder: Path) -> Iterator[dict[str, Correspondence]]:
    """Two desks with one key, which look like one desk."""
    with corresponding(folder / "one", key=KEY) as one, corresponding(folder / "two", key=KEY) as two:
        yield {"honest": one, "false": two}


@contextmanager
def cheating(folder: Path) -> Iterator[dict[str, Correspondence]]:
    """The false desk reports another first move of north in north's letters."""
    with two_desks(folder) as told:
        for name, post in told.items():
            post.open("beams")
            post.write("south", "P M1 A2 12")
            post.write("north", MOVES[name])
            post.write("south", "P M2Y C6 10")
        yield told


def kept(post: Correspondence, side: str, path: Path) -> Path:
    """A side's letters as a mailbox."""
    letters = (letter.as_bytes().replace(b"\r\n", b"\n") for letter in post.letters[address(side)])
    path.write_bytes(b"".join(b"From desk Mon Mar  1 12:00:00 2027\n" + one + b"\n" for one in letters))
    return path


@pytest.mark.slow
def test_two_players_prove_that_they_were_shown_two_histories(tmp_path: Path) -> None:
    with cheating(tmp_path) as desks:
        souths, norths = kept(desks["honest"], "south", tmp_path / "s"), kept(desks["false"], "north", tmp_path / "n")
        log = tmp_path / "log.jsonl"
        log.write_text(desks["honest"].exported, encoding="utf-8")
        key = KEY.signer.public
        found = referee("fork", souths, norths, "--key", key)
        assert (found.status, f"signed with the key {key}" in found.out, "this proves" in found.out) == (
            1,
            True,
            True,
        )
        assert referee("fork", souths, norths).status == 1
        assert "give the desk's public key" in referee("fork", souths, norths).out
        assert "keep" not in referee("fork", log, norths).out
        assert [line.rpartition(" in ")[2] for line in found.lines[:2]] == [str(souths), str(norths)]
        found = referee("fork", norths, souths, "--key", "00" * 32)
        assert (found.status, "there are signatures, but not with the key that you gave" in found.out) == (1, True)
        both = tmp_path / "both"
        both.write_bytes(souths.read_bytes() + norths.read_bytes())
        assert "this proves" in referee("fork", log, both).out
        assert referee("fork", log, souths).status == 0

        assert referee("audit", log, "--heads", souths).status == 0
        found = referee("audit", log, "--heads", norths)
        says = ("it is not the log that the letter was made from", "agrees with itself, but not with the letters")
        assert (found.status, [one in found.out for one in says]) == (1, [True, True])
        assert "the letters prove" not in found.out, "a log that a player has changed shows nothing against the desk"
        found = referee("audit", log, "--heads", norths, "--heads", souths)
        assert (found.status, "it has shown two histories, and the letters prove it" in found.out) == (1, True)
        assert referee("audit", log, "--heads", tmp_path / "none", "--heads", souths).status == 2
        folder = tmp_path / "folder"
        (folder / "new").mkdir(parents=True)
        (folder / "new" / "a.eml").write_bytes(norths.read_bytes())
        assert "no-heads" in referee("audit", log, "--heads", log).err
        (folder / "notes").write_text("nothing of this game", encoding="utf-8")
        assert referee("audit", log, "--heads", folder).status == 1

        (tmp_path / "other").write_text(f"autumn-1 0 {'0' * 64}", encoding="utf-8")
        assert "no-heads" in referee("audit", log, "--heads", tmp_path / "other").err

        mine, theirs = (referee("gossip", one).out.strip() for one in (souths, norths))
        found = referee("gossip", souths, theirs)
        assert (found.status, found.lines[0], "the histories differ" in found.out) == (1, mine, True)
        assert referee("gossip", log, mine).lines[-1].startswith("the same up to entry 4")


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_two_histories_of_any_game_are_proved(game: str, tmp_path: Path) -> None:
    """The last side is shown the first move that each can make, and the one before it others."""
    with two_desks(tmp_path) as desks:
        boxes = []
        for number, post in enumerate(desks.values()):
            post.open(game)
            sides = post.state.position.sides
            for _ in range(2 * len(sides)):
                side = min(post.state.owing)
                moves = [*islice(post.state.position.legal_moves(side), 2)]
                post.write(side, str(moves[-number]))
            boxes.append(kept(post, sides[-1 - number], tmp_path / f"box-{number}"))
        (tmp_path / "log").write_text(desks["honest"].exported, encoding="utf-8")
        assert "this proves" in referee("fork", *boxes, "--key", KEY.signer.public).out
        assert [referee("audit", tmp_path / "log", "--heads", box).status for box in boxes] == [0, 1]
        assert "the histories differ" in referee("gossip", boxes[0], referee("gossip", boxes[1]).out.strip()).out


GOSSIP = (
    ("spring-7 3 {a}", "spring-7 3 {a}", 0, "the same up to entry 3"),
    ("spring-7 3 {a}", "> spring-7 3\n> {b}", 1, "the histories differ at entry 3"),
    ("spring-7 3 {a}", "spring-7 5 {b}", 0, "theirs goes on by 2 entries"),
    ("spring-7 3 {a}", "spring-7 2 {b}", 0, "yours goes on by 1 entry"),
    ("spring-7 3 {a}", "autumn-1 3 {a}", 1, "other-game"),
    ("spring-7 3 {a}", "hello", 2, "expected one line"),
    ("no-such-file", "spring-7 3 {a}", 2, "no-such-file"),
    ("spring-7 3 {a}", "SPRING-7 3 {groups}", 0, "the same up to entry 3"),
    ("SPRING-7 3 {capitals}", "spring-7 3 {a}", 0, "the same up to entry 3"),
    ("spring-7 3 {a}", "spring-7 3 {short}", 2, "the line has 63 digits of the head: expected all 64"),
    ("spring-7 3 {a}", "spring-7 3 {short}o", 2, "'o' is none of the digits 0 to 9 and a to f"),
    ("spring-7 3 {a}, autumn-1 3 {b}", "autumn-1 3 {b}", 0, "autumn-1 3 {b}\nthe same up to entry 3"),
    ("spring-7 3 {a}, autumn-1 3 {b}", "winter-1 3 {b}", 1, "yours of autumn-1, spring-7"),
)


def test_gossip_with_the_line_of_another_player() -> None:
    for mine, theirs, status, says in GOSSIP:
        digests = {"a": "a" * 64, "b": "b" * 64, "groups": "AAAA " * 16, "capitals": "A" * 64, "short": "a" * 63}
        found = referee("gossip", mine.format(**digests), theirs.format(**digests))
        assert (found.status, says.format(**digests) in found.out + found.err) == (status, True), (theirs, found)
    several = f"spring-7 3 {'a' * 64}, autumn-1 3 {'b' * 64}, spring-7 2 {'c' * 64}"
    assert referee("gossip", several).lines == [f"autumn-1 3 {'b' * 64}", f"spring-7 3 {'a' * 64}"]


@pytest.mark.slow
def test_each_letter_of_a_game_shows_its_signed_head(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "pictures: true") as post:
        post.open("boundary")
        post.write("south", "a1")
        digests = chain_of(post.exported.splitlines()).digests
        for letter in (one for letters in post.letters.values() for one in letters):
            (shown,) = heads_in(proofs(letter))
            assert shown.digest == digests[shown.number]
            assert shown.is_signed(post.office.desk.key.signer.public)
            assert text(letter).split("\r\n")[-2] == str(shown)
            page = letter.get_body(("html",))
            assert page is not None
            assert str(shown) in page.get_content()
        assert post.office.desk.key.signer.public in proofs(post.letters[address("south")][0])


@pytest.mark.slow
def test_a_player_who_writes_a_false_head_does_not_accuse_the_desk(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "pictures: true") as post:
        post.open("boundary")
        false = f"{GAME} 0 {'a' * 64}\nsigned {'b' * 64}\nsigned {'c' * 64}"
        post.write("south", f"message\n{false}\n\nThat was {GAME} 0 {'d' * 64}.\nend")
        log, norths = tmp_path / "log.jsonl", kept(post, "north", tmp_path / "north")
        log.write_text(post.exported, encoding="utf-8")
        assert b"a" * 64 in norths.read_bytes()
        for option in ("--heads", "--letters"):
            found = referee("audit", log, option, norths)
            assert (found.status, "2 log heads of the letters are in the log" in found.out) == (0, True), found
        assert referee("fork", log, norths).status == 0


@pytest.mark.slow
def test_a_new_key_is_signed_by_the_old_one_and_told_in_one_letter(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5})
        former = post.office.desk.key.signer.public
        with pytest.raises(Refusal, match="a line of text"):
            renew_key(post.office, post.at, reason="two\nlines")
        assert renew_key(post.office, post.at, reason="a copy was stolen") == 2
        key, told = post.office.desk.key.signer.public, post.collect()
        assert key != former
        assert len(told) == 2
        letter = text(told[address("north")])
        assert "its letters with another key from now on. The reason: a copy was stolen." in " ".join(letter.split())
        assert key in proofs(told[address("north")])
        (shown,) = heads_in(proofs(told[address("north")]))
        assert (shown.number, shown.is_signed(key), shown.is_signed(former)) == (1, True, False)
        assert chain_of(post.exported.splitlines()).keys == (former, key)
        post.holds()


def test_a_lost_key_is_no_accusation(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", key=KEY) as post:
        post.open("beams", {"days": 5})
        lost = Head(GAME, 1, "a" * 64)
        lost = replace(lost, signature=KEY.signer.sign(head_text(lost.game, lost.number, lost.digest)))
        opened = post.office.desk.log(GAME)[0]
        changed = events.Rekeyed(Signer(bytes(32)).public, None, "the store was lost")
        timed = [Timed(opened.at, event, None) for event in (opened.event, changed)]
        log = "\n".join(entry.as_line() for entry in rechained(GAME, timed))
        (found,) = audit(log.splitlines(), shown=[lost]).findings
        assert "it may have lost what it wrote then" in found.message
        (found,) = audit(post.exported.splitlines(), shown=[lost]).findings
        assert found.code == "cut"


@pytest.mark.slow
def test_a_game_that_is_over_keeps_the_key_of_its_log(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5})
        post.write("north", "resign")
        renew_key(post.office, post.at)
        post.write("south", "help")
        log, souths = tmp_path / "log.jsonl", kept(post, "south", tmp_path / "south")
        log.write_text(post.exported, encoding="utf-8")
        found = referee("audit", log, "--heads", souths)
        assert (found.status, "log heads of the letters are in the log" in found.out) == (0, True), found


@pytest.mark.slow
def test_a_desk_that_was_down_changes_its_key_and_ends_no_game(tmp_path: Path) -> None:
    """The host checks the games first, because no player could write during the outage."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 1, "timeout": "loss"})
        copy = tmp_path / "copy"
        back_up(post.office, copy, post.at)
        restored = tmp_path / "restored"
        restore(copy, restored, post.at + timedelta(days=30))
        with Store(restored / "desk.sqlite") as store:
            opened, changed = store.games.log("spring-7")
            assert isinstance(changed.event, events.Rekeyed)
            assert (changed.at, changed.event.desk) == (opened.at, store.keys.current.signer.public)
            text = f"{opened.as_line()}\n{changed.as_line()}\n"
        assert audit_text(text).findings == ()


@pytest.mark.slow
@pytest.mark.parametrize("fake", ["signed", "bare"])
def test_quoted_text_of_an_opponent_is_no_accusation(fake: str, tmp_path: Path) -> None:
    """A head that is not in the log still does, in the foot of the desk's own letter, or with its signature."""
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        digest = "ab" * 32
        said = f"{GAME} 1\nhead {digest}" + (f"\nsigned {'cd' * 32}\nsigned {'ef' * 32}" if fake == "signed" else "")
        post.write("south", "P a1-a2")
        told = post.write("south", f"message\n{said}\nend")[address("north")]
        quoted = "".join(f"> {line}\n" for line in text(told).splitlines())
        log = tmp_path / "log.jsonl"
        log.write_text(post.exported, encoding="utf-8")
        kept = tmp_path / "kept"

        def audited(content: str) -> tuple[int, str]:
            kept.write_text(content, encoding="utf-8")
            found = referee("audit", log, "--heads", kept)
            return found.status, found.lines[-1]

        reply = f"From: north@players.example\nTo: me\nSubject: Re\n\nI reply\n{quoted}"
        assert audited(reply) == audited(quoted) == (0, IGNORED)
        assert audited(told.as_string()) == (0, "1 log head of the letters is in the log")
        other = head_text(GAME, 1, digest)
        signature = post.office.desk.key.signer.sign(other)
        lines = "".join(f"> {line}\n" for line in Head(GAME, 1, digest, signature).lines)
        status, _ = audited(f"From: north@players.example\nSubject: Re\n\nI reply\n{lines}")
        assert status == 1, "the desk has signed this"
        assert audited(f"{GAME} 1 {digest}\n")[0] == 1, "a reader's own line"


IGNORED = "1 quoted log head does not count: no key of this log has signed it, so anyone can have written it"
