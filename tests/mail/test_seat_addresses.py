"""A letter counts only for the seat, the ply and the desk to whose address it was written.

The forger has the desk's key, rewrites the whole log, and has real letters that their sender's server has signed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk import Close, Incoming, Key, Reopen, Replace, audit, events, read_entry
from referee.game import GameFile
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.evidence.mailboxes import as_mailbox
from referee.mail.evidence.testimony import audit_letters
from referee.mail.host.host import open_game, order_by_host, renew_key
from tests.oracles.verifier.addresses import token
from tests.support.correspondence import BEGIN, GAME, Correspondence, address, corresponding
from tests.support.forgeries import Timed, rechained
from tests.support.rows import each
from tests.support.signed_letters import known_keys, move, playing, stamped
from tests.support.witnesses import mailbox

OTHER, DESK, ELSEWHERE = "autumn-1", "desk@example.org", "games@quite-another-desk.example"
RIGHT = "desk 1, spring-7, north, ply 5"
AFTER_AN_END = "desk 1, spring-7, north, after an end"
"""The game goes on with the same ply after that, so this address is the right one, too."""


def resigning(to: str, number: int) -> bytes:
    """A letter in which north resigns, as north's mail server has signed it."""
    lines = ("From: north@players.example", f"To: {to}", "Subject: my letter", f"Message-ID: <{number}@real>")
    return stamped("\r\n".join((*lines, "", "resign", "")).encode())


@dataclass(frozen=True)
class Honest:
    """A game that north resigns in ply 5, and all letters of north with a resignation, by their addresses."""

    timed: tuple[Timed, ...]
    letters: dict[str, bytes]
    real: dict[str, bytes]

    def forged(self, raw: bytes, told: tuple[tuple[str, ...], tuple[str, ...]], title: str | None) -> list[str]:
        """The findings of a strict audit if a letter contains the resignation; the last line has the verdict.

        `told` are the mailboxes and the secrets that the end reveals, and `title` is that of the game.
        """
        digest = hashlib.sha256(raw).hexdigest()
        timed = [*self.timed]
        place = next(number for number, one in enumerate(timed) if isinstance(one.event, events.Resigned))
        came = timed[place].came
        assert came is not None
        timed[place] = timed[place]._replace(came=replace(came, letter=digest))
        addresses = dict(zip(("mailboxes", "secrets"), told, strict=True))
        end, opened = timed[-1].event, timed[0].event
        assert isinstance(end, events.Closed)
        assert isinstance(opened, events.Opened)
        timed[-1] = timed[-1]._replace(event=replace(end, addresses=addresses))
        timed[0] = timed[0]._replace(event=replace(opened, title=title))
        kept = as_mailbox(Incoming(name, BEGIN, one) for name, one in {**self.letters, digest: raw}.items())
        lines = [entry.as_line() for entry in rechained(GAME, timed)]
        found = audit_letters(lines, "log", witness=LetterEvidence([b"".join(kept)], known_keys()), strict=True)
        return [*found.lines, "refused" if found.failed else "content"]

    @property
    def secret(self) -> str:
        end = self.timed[-1].event
        assert isinstance(end, events.Closed)
        assert end.addresses is not None
        (secret,) = end.addresses["secrets"]
        return secret


@cache
def honest() -> Honest:
    found: dict[str, str] = {}

    def note(desk: int, post: Correspondence, when: str) -> None:
        for name in (GAME, OTHER):
            for side in ("south", "north"):
                shows = f"desk {desk}, {name}, {side}, {when}"
                found[shows] = post.office.seat_address(post.office.desk.state(name), side)

    for desk in (2, 1):
        with TemporaryDirectory() as folder, corresponding(Path(folder) / "d", key=Key(bytes([desk] * 32))) as post:
            post.stamp = stamped
            post.open("boundary", {"days": 5})
            addresses = {side: address(side) for side in ("south", "north")}
            open_game(post.office, OTHER, GameFile("boundary"), post.at, terms=None, addresses=addresses)
            post.collect()
            note(desk, post, "before another player had the seat")
            order_by_host(post.office, GAME, Replace("north", "North", address("north")), post.at)
            post.collect()
            for ply, side in enumerate(("south", "north", "south", "north"), 1):
                note(desk, post, f"ply {ply}")
                move(post, side)
            order_by_host(post.office, GAME, Close(), post.at)
            post.collect()
            note(desk, post, "after an end")
            order_by_host(post.office, GAME, Reopen("It goes on"), post.at)
            post.collect()
            note(desk, post, "ply 5")
            post.write("north", "resign")
            note(desk, post, "after the last end")
            timed = tuple(Timed(one.at, one.event, one.came) for one in post.office.desk.log(GAME))
            letters = {one.letter.digest: one.letter.raw for one in post.office.desk.inbox.history()}
    assert found[RIGHT] == found.pop(AFTER_AN_END)
    local = found[RIGHT].partition("@")[0]
    found["another desk"] = f"games+{local.partition('+')[2]}@quite-another-desk.example"
    found["the host alone"] = "host@club.example"
    return Honest(timed, letters, {shows: resigning(to, number) for number, (shows, to) in enumerate(found.items())})


@pytest.mark.slow
def test_the_letter_to_the_right_address_fits() -> None:
    game = honest()
    found = game.forged(game.real[RIGHT], ((DESK,), (game.secret,)), None)
    assert found[-1] == "content", found
    assert "the desk took letters at desk@example.org" in found


@pytest.mark.slow
def test_a_mailbox_of_another_desk_is_named() -> None:
    game = honest()
    found = game.forged(game.real["another desk"], ((ELSEWHERE,), (game.secret,)), None)
    assert f"the desk took letters at {DESK} and {ELSEWHERE}: it has moved, or one of them is not its own" in found


@given(st.data())
def test_no_letter_to_another_address_fits_any_text_of_the_host(data: st.DataObject) -> None:
    game = honest()
    where = data.draw(st.sampled_from(sorted(game.real.keys() - {RIGHT})))
    own = st.binary(min_size=32, max_size=32).map(bytes.hex)
    secrets = data.draw(st.lists(own | st.just(game.secret), min_size=1, max_size=4, unique=True))
    mailboxes = sorted(data.draw(st.sets(st.sampled_from([DESK, ELSEWHERE]), min_size=1)))
    title = data.draw(st.none() | st.just("The club's cup"))
    envelope = data.draw(st.booleans())
    to = game.real[RIGHT].split(b"To: ")[1].split(b"\r\n")[0]
    raw = (b"Delivered-To: <" + to + b">\r\n" if envelope else b"") + game.real[where]
    found = game.forged(raw, (tuple(mailboxes), tuple(secrets)), title)
    named = f"the desk took letters at {DESK} and {ELSEWHERE}: it has moved, or one of them is not its own"
    assert found[-1] == "refused" or (where == "another desk" and named in found), where


@pytest.mark.slow
def test_the_right_letter_fits_no_other_log() -> None:
    """The address depends on the beginning of the log and on the game's secret as well."""
    game = honest()
    raw = game.real[RIGHT]
    assert game.forged(raw, ((DESK,), (game.secret,)), "The club's cup")[-1] == "refused"
    assert game.forged(raw, ((DESK,), ("ab" * 32,)), None)[-1] == "refused"
    assert game.forged(raw, (("club@example.org",), (game.secret,)), None)[-1] == "refused"


WHERE = {
    "desk 1, spring-7, north, ply 2": "was written in ply 2",
    "desk 1, spring-7, south, ply 5": "was written to the seat of south",
    "desk 2, spring-7, north, ply 5": "to no seat of this game, as the end shows",
    "desk 1, autumn-1, north, ply 5": "its letter was written to no seat of this game",
    "desk 1, spring-7, north, before another player had the seat": "was written in ply 1, and not for ply 5 of north",
    "another desk": "was written to games@quite-another-desk.example, which is no mailbox of this desk",
}


@pytest.mark.slow
@each(WHERE)
def test_the_audit_says_where_a_letter_was_written_to(where: str) -> None:
    game = honest()
    found = game.forged(game.real[where], ((DESK,), (game.secret,)), None)
    assert any(WHERE[where] in line for line in found), found


def test_a_letter_whose_seat_is_on_its_envelope_alone_is_refused_if_strict() -> None:
    game = honest()
    to = game.real[RIGHT].split(b"To: ")[1].split(b"\r\n")[0]
    found = game.forged(
        b"Delivered-To: <" + to + b">\r\n" + game.real["the host alone"], ((DESK,), (game.secret,)), None
    )
    assert found[-1] == "refused"
    assert any(
        "north (resigned): no signature shows that its player wrote this, for this seat" in one for one in found
    )
    assert not any(": letter: " in one for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("closed", [False, True])
def test_until_the_end_nothing_shows_for_which_ply_a_letter_was_written(tmp_path: Path, *, closed: bool) -> None:
    with playing(tmp_path / "desk", "boundary") as post:
        for side in ("south", "north"):
            move(post, side)
        if closed:
            post.write("south", "resign")
        witness = LetterEvidence([mailbox(post.office)], known_keys())
        found = audit_letters(post.exported.splitlines(), "log", witness=witness, strict=True)
        waits = "2 letters were written to addresses of which only the end of the game shows for which seat and ply"
        assert ((waits in found.lines), found.failed) == (not closed, not closed)


@pytest.mark.slow
def test_the_addresses_of_a_running_game_are_revealed_nowhere(tmp_path: Path) -> None:
    """The secrets that the game's end reveals are in no letter, log or answer before it; then they are in the log."""
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary", {"days": 5})
        secret = post.office.desk.key.addresses(GAME, 0).hex()
        next_one = post.office.desk.key.addresses(GAME, 1).hex()
        for side, said in (("south", "P a1-a2"), ("north", "history\nhelp\ngames"), ("north", "offer draw")):
            post.write(side, said)

        def seen() -> str:
            letters = (one.as_bytes().decode("latin-1") for found in post.letters.values() for one in found)
            return "\n".join([post.exported, *letters])

        assert secret not in seen()
        order_by_host(post.office, GAME, Close(), post.at)
        post.collect()
        assert secret in post.exported, "a control"
        order_by_host(post.office, GAME, Reopen("It goes on"), post.at)
        post.collect()
        assert next_one not in seen()


@pytest.mark.slow
def test_a_desk_that_changes_its_key_tells_all_secrets(tmp_path: Path) -> None:
    with playing(tmp_path / "desk", "boundary") as post:
        move(post, "south")
        for _ in range(2):
            renew_key(post.office, post.at)
            post.collect()
            move(post, next(iter(post.state.owing)))
        post.write("south", "resign")
        end = next(one.event for one in post.office.desk.log(GAME) if isinstance(one.event, events.Closed))
        assert end.addresses is not None
        assert len({*end.addresses["secrets"]}) == 3
        witness = LetterEvidence([mailbox(post.office)], known_keys())
        found = audit_letters(post.exported.splitlines(), "log", witness=witness, strict=True)
        assert not found.failed, found.lines


@pytest.mark.slow
def test_another_program_computes_the_same_addresses(tmp_path: Path) -> None:
    with playing(tmp_path / "desk", "boundary") as post:
        order_by_host(post.office, GAME, Replace("north", "Eve", address("north")), post.at)
        post.collect()
        move(post, "south")
        to = post.office.seat_address(post.state, "north")
        post.write("north", "resign")
        report = audit(post.exported.splitlines())
        assert report.state is not None
        root = read_entry(post.exported.splitlines()[0]).digest
        (secret,) = next(
            one.event.addresses["secrets"]
            for one in post.office.desk.log(GAME)
            if isinstance(one.event, events.Closed) and one.event.addresses is not None
        )
        assert to == f"desk+{GAME}.{token(secret, GAME, root, 'north', 1, 2)}@example.org"
