"""The attic, as its host sees it: everything is found as before, and missing files are named."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import select

from referee.desk import acts
from referee.desk.store.tables.schema import CONTENT, LETTER_IN
from referee.errors import RefereeError
from referee.mail.evidence.handover import letters_to_give
from referee.mail.host import host
from referee.mail.host.register import RegisteredLetter, letter_text, letters
from referee.mail.office import office_in
from tests.support.command_line import referee
from tests.support.correspondence import BEGIN, GAME, Correspondence, address, corresponding

FAR = BEGIN + timedelta(days=300)


def played(post: Correspondence) -> None:
    """A game with letters that do something, and with letters that only ask."""
    post.open("boundary")
    for side in ("south", "north"):
        post.write(side, "status")
        post.write(side, str(post.state.position.any_move(side, lambda below: below - 1)))
        post.pass_time(1)


def seen(post: Correspondence) -> list[tuple[RegisteredLetter, str]]:
    """All letters, as the host sees them."""
    return [letter_text(post.office, one.digest, unseal=True) for one in letters(post.office)]


def in_store(post: Correspondence) -> list[str]:
    """The results of the letters in whose bytes are in the store."""
    notes = select(LETTER_IN.c.note).join(CONTENT, CONTENT.c.digest == LETTER_IN.c.content)
    return [row.note for row in post.office.desk.games.database.read(notes.order_by(LETTER_IN.c.number))]


def last_out(post: Correspondence) -> set[str]:
    """The recipients of the letters out whose drafts are in the store."""
    return {one.letter.recipient for one in post.office.desk.outbox.history(GAME) if one.letter.draft}


@pytest.mark.slow
def test_letters_that_a_game_may_need_stay_and_all_are_shown_as_before(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        played(post)
        before = seen(post)
        assert in_store(post) == ["south: asked", "south: moved", "north: asked", "north: moved"]
        assert next(post.office.desk.attic.put_away(FAR, "until"))
        assert in_store(post) == ["south: moved", "north: moved"]
        assert last_out(post) == {address("south"), address("north")}
        assert seen(post) == before
        host.resend(post.office, GAME, None, post.at)
        assert set(post.collect()) == last_out(post)
        host.order_by_host(post.office, GAME, acts.Adjudicate("south"), post.at)
        post.collect()
        before, given = seen(post), letters_to_give(post.office, GAME, None)
        assert next(post.office.desk.attic.put_away(FAR, "until"))
        assert in_store(post) == []
        assert seen(post) == before
        assert letters_to_give(post.office, GAME, None) == given
        assert len(given.letters) == 2
        post.holds()


@pytest.mark.slow
def test_a_copy_of_a_letter_that_has_left_the_store_acts_no_more(tmp_path: Path) -> None:
    came = list[bytes]()

    def kept(raw: bytes) -> bytes:
        came.append(raw)
        return raw

    with corresponding(tmp_path / "desk") as post:
        post.stamp = kept
        played(post)
        host.order_by_host(post.office, GAME, acts.Adjudicate("south"), post.at)
        post.collect()
        post.write("south", "message\nA fine game!\nend")
        assert post.kinds[-1] == "message"
        moved, before = next(post.office.desk.attic.put_away(FAR, "until")), post.kinds
        assert moved.letters > 4
        post.post(b"Received: by another.example; Mon, 1 Mar 2027 12:00:00 +0000\r\n" + came[-1])
        (*_, last) = [one for one in letters(post.office) if one.incoming]
        assert last.verdict == "its copy has acted"
        assert post.kinds == before


@pytest.mark.slow
def test_letters_whose_file_is_missing_are_listed_and_nothing_is_handed_over_without_them(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        played(post)
        host.order_by_host(post.office, GAME, acts.Adjudicate("south"), post.at)
        moved = next(post.office.desk.attic.put_away(FAR, "until"))
        moved.file.rename(tmp_path / "away.zip")
        missing = f"{moved.file} is missing"
        for game in (None, GAME):
            came = [one for one in letters(post.office, game) if one.incoming]
            assert len(came) == 4
            assert all(missing in one.verdict for one in came)
        for what in (
            partial(letter_text, post.office, came[0].digest),
            partial(letters_to_give, post.office, GAME, None),
        ):
            with pytest.raises(RefereeError, match=re.escape(missing)) as raised:
                what()
            assert raised.value.code == "attic"
        (tmp_path / "away.zip").rename(moved.file)
        assert len(letters_to_give(post.office, GAME, None).letters) == 2


@pytest.mark.slow
def test_the_host_moves_checks_and_restores(tmp_path: Path) -> None:
    desk, new = tmp_path / "desk", tmp_path / "new"

    def said(*words: object) -> str:
        run = referee("desk", *words)
        return f"{run.out}{run.err}{run.status}".replace(f"{tmp_path}/", "")

    with corresponding(desk) as post:
        played(post)
    folder = ("--desk", desk)
    assert said("attic", *folder, "--check") == "no letter has left the store\n0"
    assert said("attic", *folder, "--before", "2020-01-01") == "no letter is that old and can leave the store\n0"
    for words in (("--before", "2999-01-01"), ("--before", "2020-01-01", "--check"), ()):
        assert said("attic", *folder, *words).endswith("2")
    with office_in(desk) as office:
        moved = next(office.desk.attic.put_away(FAR, "until-2027-12-26"))
    there = f"desk/attic/until-2027-12-26.zip: {moved.letters} letters; "
    assert said("attic", *folder, "--check") == f"{there}all can be read\n0"
    assert "1 file with old letters" in said("doctor", *folder, "--no-letter")
    assert "not in it: 1 file with old letters; copy desk/attic, too" in said("backup", *folder, tmp_path / "copy")
    assert f"missing: new/attic/until-2027-12-26.zip, with {moved.letters} old letters" in said(
        "restore", tmp_path / "copy", new
    )
    moved.file.rename(tmp_path / "away.zip")
    assert said("attic", *folder, "--check") == (
        f"{there}wrong: desk/attic/until-2027-12-26.zip is missing, which has old letters of the desk: put it back\n1"
    )
    assert "until-2027-12-26.zip is missing" in said("doctor", *folder, "--no-letter")
    listed = [line for line in said("letters", *folder).splitlines() if " asked" in line]
    assert len(listed) == 2
    assert all("asked; desk/attic/until-2027-12-26.zip is missing" in line for line in listed)
    assert f"missing: desk/attic/until-2027-12-26.zip, with {moved.letters} old" in said(
        "backup", *folder, tmp_path / "copy-2"
    )
    (tmp_path / "away.zip").rename(moved.file.with_name("another.zip"))
    assert f"desk/attic/another.zip: the store needs nothing in it\n{there}wrong: " in "\n".join(
        sorted(said("attic", *folder, "--check").splitlines())
    )
