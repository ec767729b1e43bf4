"""The desk's own letters come back, quoted, forwarded and wrapped again in any style: nothing in them acts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from referee.mail.intake.commands import Reading, does, read_commands
from tests.support.correspondence import address, corresponding, text
from tests.support.examples import sampled

MARKS = ("> ", "> > ", "AL> ")
WIDTHS = (24, 40, 60, 76)
ANNOUNCED = (
    "On Mon, 1 Mar 2027 at 10:03, Referee <desk@example.org> wrote:",
    "Referee <desk@example.org> vuloka:",
    "01.03.2027 10:03, Referee:",
    "في ٠٤/٠٧/٢٠٢٧ الساعة ٣:٣٦ م، Referee:",  # noqa: RUF001
    "---- On Mon, 1 Mar 2027 10:03:36 +0530 Referee<desk@example.org> wrote ----",
    "-------- Zpráva --------",
    "Vuloka: Referee <desk@example.org>\nTempo: lundo, 1 marto 2027 12:46\nAl: Ada",
)
TALK = "message\nresign, or accept the draw\nif you like, or claim\nend"


@cache
def letters(game: str) -> tuple[str, ...]:
    """The letters of a game with every sentence."""
    with TemporaryDirectory() as folder, corresponding(Path(folder) / "desk") as post:
        post.open(game)
        first, second, *_ = post.state.position.sides
        for _ply in range(3):
            for side in post.state.position.to_move:
                post.write(side, str(next(iter(post.state.position.legal_moves(side)))))
        for said in ("help\nhistory\nlegal\nstatus", f"offer draw\n{TALK}", "P M9 A2 12\nresign?\nseal 12"):
            post.write(first, said)
        post.write(second, "resign")
        return tuple(text(letter) for side in (first, second) for letter in post.letters[address(side)])


def broken(letter: str, width: int, mark: str = "") -> Iterator[str]:
    """The lines of a letter, wrapped again; only their beginnings have the mark."""
    for line in letter.splitlines():
        first, *rest = textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
        yield from (f"{mark}{first}", *rest)


def done(reading: Reading) -> list[str]:
    """The acts of the desk because of it."""
    return [str(said.command) for said in reading.binding if does(said.command)]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["beams", "laser-chess"])
def test_nothing_acts_in_quotations_that_were_wrapped_again(game: str) -> None:
    for letter in letters(game):
        for mark in MARKS:
            for width in WIDTHS:
                reading = read_commands("\n".join(broken(letter, width, mark)), game)
                assert done(reading) == [], (mark, width)
                assert reading.question is None, (mark, width)


@pytest.mark.slow
@pytest.mark.parametrize("announced", sampled(ANNOUNCED, 7))
def test_nothing_is_read_below_an_announcement_of_a_quotation_without_marks(announced: str) -> None:
    for letter in letters("beams"):
        for width in WIDTHS:
            body = "\n".join(("P M1 A2 12", "", announced, "", *broken(letter, width), "resign"))
            reading = read_commands(body, "beams")
            assert done(reading) == ["P M1 A2 12"], width
            assert reading.stop is not None


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 72])
def test_no_words_of_a_letter_act_alone(width: int) -> None:
    """Without marks and without the lines above them, at the widths of mail programs."""
    for letter in letters("beams"):
        lines = list(broken(letter, width))[2:]
        assert done(read_commands("\n".join(lines), "beams")) == []


@pytest.mark.slow
@pytest.mark.parametrize("style", sampled(["address", "marked", "announced"], 3))
def test_a_desk_does_nothing_because_of_what_is_quoted(style: str, tmp_path: Path) -> None:
    quoted = {
        "marked": "\n".join(broken(letters("beams")[-1], 40, "> ")),
        "announced": f"{ANNOUNCED[1]}\n\nresign",
        "address": "Ben <ben@example.net> says\n\nresign\nmessage\nhe should not see this\nend",
    }[style]
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        came = post.write("south", f"P M1 A2 12\n\n{quoted}")
        assert post.kinds == ["opened", "submitted"]
        assert ("perhaps-quoted" in text(came[address("south")])) == (style == "address")


@pytest.mark.parametrize("sender", ["Mail.Delivery.System@mx.example.com", address("south"), "eve@elsewhere.example"])
def test_letters_to_a_return_address_are_never_answered(sender: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        invitation = str(post.letters[address("south")][0]["Message-ID"])
        back = post.office.mailbox.return_address(invitation)
        assert post.write("south", "resign", sender=sender, to=back) == {}
        assert post.kinds == ["opened"]
