"""A desk from a backup, as players without trust see it: their evidence still fits, and every fork is found.

The restored desk has a new key, so it can sign other entries instead of those that it has lost. A player with a
letter from between finds that out, and the log shows since when.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.mail.addresses import small
from referee.mail.host.backups import back_up, restore
from referee.mail.office import office_in
from tests.support.command_line import Run, referee
from tests.support.correspondence import BEGIN, GAME, Correspondence, address, text
from tests.support.examples import sampled
from tests.support.signed_letters import move, playing, stamped

GAMES = ("beams", "boundary", "laser-chess", "the-beam")


class Restored:
    """A desk before and after it was restored, and the letters that one side has kept."""

    def __init__(self, folder: Path, post: Correspondence, former: str) -> None:
        self.folder, self.post, self.former = folder, post, former
        self.log = folder / "log.jsonl"

    def audit(self, *options: object) -> Run:
        """The audit of the log as it is now."""
        self.log.write_text(self.post.exported, encoding="utf-8")
        return referee("audit", self.log, *options)


def ply(post: Correspondence, which: int = 0) -> None:
    """Have each side to move make a move."""
    for side in sorted(post.state.owing):
        move(post, side, which)


def keep(post: Correspondence, side: str, path: Path) -> None:
    """Keep the desk's letters to a side as a mailbox."""
    letters = (one.as_bytes().replace(b"\r\n", b"\n") for one in post.letters[address(side)])
    path.write_bytes(b"".join(b"From desk Mon Mar  1 12:00:00 2027\n" + one + b"\n" for one in letters))


@contextmanager
def gone_back(folder: Path, game: str) -> Iterator[Restored]:
    """Two plies, a backup, two plies that are lost, and the desk of the backup."""
    with playing(folder / "desk", game) as post:
        for _ in range(2):
            ply(post)
        for side in post.state.players:
            keep(post, side, folder / f"{side}-before.mbox")
        back_up(post.office, folder / "backup", post.at)
        former = post.office.desk.key.signer.public
        for _ in range(2):
            ply(post)
        for side in post.state.players:
            keep(post, side, folder / f"{side}-lost.mbox")
        (folder / "lost.jsonl").write_text(post.exported, encoding="utf-8")
    restore(folder / "backup", folder / "new", BEGIN)
    with office_in(folder / "new") as office:
        post = Correspondence(office)
        post.stamp, post.count = stamped, 1000
        yield Restored(folder, post, former)


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_players_evidence_still_fits_a_restored_desk(game: str, tmp_path: Path) -> None:
    with gone_back(tmp_path, game) as desk:
        post = desk.post
        told = post.collect()
        assert {*map(small, told)} == {address(side) for side in post.state.players}
        for letter in told.values():
            assert text(letter).startswith("This desk was restored from a backup. Everything newer is lost.")
        assert post.kinds[-1] == "signed"
        for later in range(2):
            for side in post.state.players:
                run = desk.audit("--heads", tmp_path / f"{side}-before.mbox")
                assert (run.status, run.err) == (0, "")
                mailbox = tmp_path / f"{side}-{later}.mbox"
                own = ("--export", mailbox, "--side", side, "--unseal")
                exported = referee("desk", "letters", GAME, "--desk", tmp_path / "new", *own)
                if "there is no letter" not in exported.out:
                    assert desk.audit("--letters", mailbox).status == 0
            ply(post)
        post.holds()


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_no_history_is_forked_unseen_by_a_restored_desk(game: str, tmp_path: Path) -> None:
    """Neither before it goes on, when its log is too short, nor after it has gone on with other entries."""
    with gone_back(tmp_path, game) as desk:
        post = desk.post
        post.collect()
        lost = [side for side in post.state.players if (tmp_path / f"{side}-lost.mbox").stat().st_size]
        for _ in range(3):
            for side in lost:
                run = desk.audit("--heads", tmp_path / f"{side}-lost.mbox")
                assert run.status == 1
                assert ": cut: " in run.err + run.out or ": shown: " in run.err + run.out
            ply(post, 1)
            for side in post.state.players:
                keep(post, side, tmp_path / f"{side}-new.mbox")
        desk.audit()
        found = referee("fork", desk.log, tmp_path / f"{lost[0]}-lost.mbox")
        assert (found.status, f"two histories of {GAME} differ" in found.out) == (1, True)
        found = referee("fork", tmp_path / "lost.jsonl", desk.log)
        assert found.status == 1
        entries = [entry.as_json()["kind"] for entry in post.office.desk.log(GAME)]
        assert entries.count("signed") == 1, "the log says since when the desk has another key"


@pytest.mark.slow
def test_a_restored_desk_with_its_former_key_would_prove_its_own_fork(tmp_path: Path) -> None:
    """Two letters prove it against a host who copies the store back by hand and draws no new key."""
    with playing(tmp_path / "desk", "boundary") as post:
        store = tmp_path / "desk" / "desk.sqlite"
        post.office.desk.upkeep.backup(tmp_path / "copy")
        move(post, "south")
        keep(post, "south", tmp_path / "one.mbox")
        key = post.office.desk.key.signer.public
        letters = {side: found[:1] for side, found in post.letters.items()}
    (tmp_path / "copy").replace(store)
    with office_in(tmp_path / "desk") as office:
        post = Correspondence(office)
        post.letters, post.count, post.stamp = letters, 9, stamped
        move(post, "south", 1)
        keep(post, "south", tmp_path / "two.mbox")
    found = referee("fork", tmp_path / "one.mbox", tmp_path / "two.mbox", "--key", key)
    assert (found.status, "this proves that the desk has shown two different entries" in found.out) == (1, True)
