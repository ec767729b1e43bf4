"""A letter that calls itself the desk's: its log head accuses the host only if the desk has signed it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from itertools import islice
from pathlib import Path

import pytest

from referee.desk import DomainKey, Head, Signer, head_text
from referee.mail.evidence.signers import key_lines
from tests.support.command_line import referee
from tests.support.correspondence import BEGIN, GAME, KEY, address, corresponding
from tests.support.rows import each
from tests.support.signed_letters import DOMAIN, place, record, signed

DESK = "example.org"
FALSE = "ab" * 32
UNPROVEN = "1 log head proves nothing, because the desk has not signed its letter"
STRANGER = Signer(bytes(32))
QUOTED = "1 quoted log head does not count"


def false_head(signer: Signer) -> Head:
    return Head(GAME, 1, FALSE, signer.sign(head_text(GAME, 1, FALSE)))


@dataclass(frozen=True)
class Game:
    """The log of a game that is over, that of the same game as it ran, and a letter of the desk about its end."""

    folder: Path
    letter: bytes

    @property
    def log(self) -> Path:
        return self.folder / "log.jsonl"

    @property
    def running(self) -> Path:
        return self.folder / "running.jsonl"

    def faked(self, signer: Signer = STRANGER, sender: str = f"desk@{DESK}") -> bytes:
        """A letter with the marks of the desk and a false head at its foot."""
        letter = EmailMessage()
        letter["From"], letter["To"] = f"The desk <{sender}>", address("north")
        letter["Subject"], letter["Message-ID"] = "spring-7", "<1@fake>"
        letter["X-Referee-Desk"] = DESK
        letter.set_content("\n".join(("Your move.", "", "-- ", *false_head(signer).lines, "")))
        return letter.as_bytes().replace(b"\n", b"\r\n")

    def replied(self, signer: Signer = STRANGER) -> bytes:
        """A reply of north that quotes a false head."""
        quoted = (f"> {one}" for one in false_head(signer).lines)
        lines = ("From: north@players.example", "Subject: Re", "", "So", *quoted)
        return "\r\n".join((*lines, "")).encode()


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    folder = tmp_path_factory.mktemp("desk")
    with corresponding(folder / "desk", key=KEY) as post:
        post.open("boundary")
        post.write("south", str(next(islice(post.state.position.legal_moves("south"), 1))))
        (folder / "running.jsonl").write_text(post.exported, encoding="utf-8")
        told = post.write("north", "resign")[address("north")]
        (folder / "log.jsonl").write_text(post.exported, encoding="utf-8")
        keys = (DomainKey(place(one), BEGIN, record(one)) for one in (DESK, DOMAIN))
        (folder / "known.keys").write_text("".join(f"{line}\n" for line in key_lines(keys)), encoding="utf-8")
        yield Game(folder, told.as_bytes())


LETTERS: dict[str, tuple[Callable[[Game], bytes], str, bool]] = {
    "a letter of the desk": (lambda game: game.letter, "1 log head of the letters is in the log", False),
    "a fake": (Game.faked, UNPROVEN, False),
    "a fake that its writer's provider has signed": (
        lambda game: signed(game.faked(sender=f"eve@{DOMAIN}"), DOMAIN),
        UNPROVEN,
        False,
    ),
    "a fake in the desk's name, signed elsewhere": (lambda game: signed(game.faked(), DOMAIN), UNPROVEN, False),
    "a fake from another account of the desk's provider": (
        lambda game: signed(game.faked(sender=f"eve@{DESK}"), DESK),
        UNPROVEN,
        False,
    ),
    "a letter that was changed after it was signed": (
        lambda game: signed(game.faked(), DESK).replace(b"Your move", b"His move"),
        UNPROVEN,
        False,
    ),
    "a letter that is signed in part": (
        lambda game: signed(game.faked(), DESK, fields=("from",)),
        UNPROVEN,
        False,
    ),
    "a letter that the desk's provider has signed": (
        lambda game: signed(game.faked(), DESK),
        "shown: a signed letter of the desk shows another entry 1 than this log has",
        True,
    ),
    "a head that the desk has signed": (
        lambda game: game.faked(KEY.signer),
        "shown: the desk has signed another entry 1 than this log has",
        True,
    ),
    "a fake that is quoted": (Game.replied, QUOTED, False),
    "a quoted head that the desk has signed": (
        lambda game: game.replied(KEY.signer),
        "shown: the desk has signed another entry 1 than this log has",
        True,
    ),
}


@pytest.mark.slow
@each(LETTERS)
def test_a_head_accuses_the_host_only_if_the_desk_has_signed_it(letter: str, game: Game) -> None:
    written, says, accuses = LETTERS[letter]
    file = game.folder / "letter.eml"
    file.write_bytes(written(game))
    found = referee("audit", game.log, "--heads", file, "--keys", game.folder / "known.keys")
    assert (found.status, says in found.out) == (int(accuses), True), found
    found = referee("audit", game.log, "--heads", file, "--strict", "--keys", game.folder / "known.keys")
    assert (found.status, says in found.out) == (int(accuses or says == UNPROVEN), True), found
    if says is not QUOTED and b"> " not in written(game):
        found = referee("audit", game.log, "--letters", file, "--keys", game.folder / "known.keys")
        assert (found.status, says in found.out) == (int(accuses), True), found


@pytest.mark.slow
def test_the_remark_names_the_key_that_the_reader_can_compare(game: Game) -> None:
    file = game.folder / "fake.eml"
    file.write_bytes(game.faked())
    found = referee("audit", game.log, "--heads", file)
    assert found.lines[-1].endswith(
        f"compare the key in your first letter with that of this log, {KEY.signer.public}"
    )


def test_a_fake_hides_no_head_that_counts(game: Game) -> None:
    """For any text that an opponent puts into a letter, in any order."""
    files = []
    for name, raw in (("fake", signed(game.faked(sender=f"eve@{DOMAIN}"), DOMAIN)), ("reply", game.replied())):
        (game.folder / name).write_bytes(raw)
        files.append(game.folder / name)
    own = game.folder / "own"
    own.write_text(f"{GAME} 1 {FALSE}\n", encoding="utf-8")
    real = game.folder / "real"
    real.write_bytes(signed(game.faked(), DESK))
    for one in (own, real):
        for order in ([one, *files], [*files, one]):
            options = [argument for file in order for argument in ("--heads", file)]
            assert referee("audit", game.log, *options, "--keys", game.folder / "known.keys").status == 1


def test_while_a_game_runs_its_log_does_not_name_the_desks_address(game: Game) -> None:
    """So only the desk's key proves that a letter is the desk's."""
    file = game.folder / "signed.eml"
    file.write_bytes(signed(game.faked(), DESK))
    found = referee("audit", game.running, "--heads", file, "--keys", game.folder / "known.keys")
    assert (found.status, UNPROVEN in found.out) == (0, True)
    file.write_bytes(game.faked(KEY.signer))
    assert referee("audit", game.running, "--heads", file).status == 1


def test_keys_lie_beside_letters_or_among_them(game: Game, tmp_path: Path) -> None:
    file, keys = tmp_path / "in" / "desk.eml", (game.folder / "known.keys").read_bytes()
    file.parent.mkdir()
    file.write_bytes(signed(game.faked(), DESK))
    assert referee("audit", game.log, "--heads", file).status == 0
    for name in ("desk.eml.keys", "dns.keys"):
        (tmp_path / "in" / name).write_bytes(keys)
        assert referee("audit", game.log, "--heads", file.parent).status == 1
        (tmp_path / "in" / name).unlink()


def test_quotations_in_a_reply_contradict_nothing(game: Game) -> None:
    fake, real, letter = (game.folder / name for name in ("quoted-fake", "quoted", "letter-1"))
    fake.write_bytes(game.replied())
    real.write_bytes(game.replied(KEY.signer))
    letter.write_bytes(game.letter)
    assert referee("fork", game.log, fake).status == 0
    assert referee("fork", letter, fake, "--key", KEY.signer.public).status == 0
    found = referee("fork", game.log, real)
    assert (found.status, f"signed with the key {KEY.signer.public}" in found.out) == (1, True)
