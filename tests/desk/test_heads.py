"""Log heads: they are read from mangled letters, and two of them prove that a desk has cheated."""

from __future__ import annotations

import textwrap
from hashlib import sha256
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk.log.heads import Head, heads_in
from referee.desk.log.signatures import Signer, head_text
from referee.desk.proof.histories import Chain, Evidence, fork_of
from referee.desk.proof.seat_terms import head_of
from referee.errors import RefereeError
from referee.mail.evidence.mailboxes import heads_of
from referee.mail.intake.message.html import text_of
from referee.mail.intake.message.text import unflow
from tests.support.examples import examples
from tests.support.rows import each

KEY, OTHER = Signer(bytes(range(32))), Signer(bytes(32))


def head(number: int, digit: str, signer: Signer | None = KEY, game: str = "spring-7") -> Head:
    """A head whose digest is one digit many times."""
    text = head_text(game, number, digit * 64)
    return Head(game, number, digit * 64, signer.sign(text) if signer else None)


SHOWN = head(12, "b")
FOOT = "\n".join(SHOWN.lines)
LONG = head(3, "c", game="a-very-long-name-of-a-game")
SIGNED = f"signed {SHOWN.signature[:64]}\nsigned {SHOWN.signature[64:]}" if SHOWN.signature else ""


class Text(NamedTuple):
    """A text, and the heads that it shows."""

    shows: str
    text: str
    heads: tuple[Head, ...] = (SHOWN,)


TEXTS = (
    Text("as it stands in a letter", f"Boundary, game spring-7; its log head:\n{FOOT}\n"),
    Text("quoted", "".join(f"> {line}\n" for line in FOOT.split("\n"))),
    Text("quoted twice, by a program that wraps", ">> " + FOOT.replace(" 12 ", " 12\n").replace("\n", "\n>> ")),
    Text("behind bars, with the line ends of mail", "".join(f"| {line}\r\n" for line in FOOT.split("\n"))),
    Text("all on one line", FOOT.replace("\n", " ")),
    Text("flowed", unflow("> " + FOOT.replace(" ", " \n> ").replace("\n> signed", " \n> signed"))),
    Text("digits broken in the middle", textwrap.fill(FOOT.replace("\n", " "), 40)),
    Text("a page", text_of("<footer><p>x</p><p class='digits'>" + FOOT.replace("\n", "<br>\n") + "</p></footer>")),
    Text("blanks that do not break", FOOT.replace(" ", "\u00a0")),
    Text("places where a line may break", FOOT.replace("bb", "b\u200bb")),
    Text("a line alone", str(SHOWN), (Head("spring-7", 12, "b" * 64),)),
    Text("a long id", "\n".join(LONG.lines), (LONG,)),
    Text("half a signature", f"{SHOWN}\n{SIGNED[:71]}", (Head("spring-7", 12, "b" * 64),)),
    Text("two feet", f"{FOOT}\n> {head(9, 'a')}", (SHOWN, Head("spring-7", 9, "a" * 64))),
    Text("the same twice", f"{FOOT}\n\n{FOOT}"),
    Text("a digit too few", f"spring-7 12 {'b' * 63}", ()),
    Text("a digit too many", f"spring-7 12 {'b' * 65}", ()),
    Text("in a longer name", " ".join(f"{name}spring-7 12 {'b' * 64}" for name in ("S", "\u00e9", "a.", "a_")), ()),
    Text("a row of numbers", "7 " * 200, ()),
    Text("a commitment", f"Commitment to your move:\n{'b' * 64}", ()),
)  # fmt: skip


@each(TEXTS, name=lambda row: row.shows)
def test_a_head_is_read_however_it_was_mangled(row: Text) -> None:
    assert heads_in(row.text) == row.heads


@examples(1)
@given(
    st.sampled_from(["7", "spring-7", "a--b", "a-very-long-name-of-a-game-00032"]),
    st.integers(0, 10**6),
    st.integers(40, 80),
    st.sampled_from(["", "> ", ">> ", "| > "]),
)
def test_any_head_is_read_from_any_width(game: str, number: int, width: int, mark: str) -> None:
    shown = head(number, "e", game=game)
    assert all(len(line) <= 78 for line in shown.lines)
    text = "\n".join(f"{mark}{line}" for line in textwrap.wrap(" ".join(shown.lines), width, break_on_hyphens=False))
    assert heads_in(text) == (shown,)


def test_a_file_counts_a_head_once_with_its_signature() -> None:
    letter = f"Subject: x\n\n{FOOT}\n"
    assert heads_of(letter.encode()) == (SHOWN,)
    assert heads_of(f"From a@b Mon\n{letter}\nFrom a@b Mon\n{letter}> {SHOWN}\n".encode()) == (SHOWN,)
    assert heads_of(f"<html><body>{FOOT.replace(chr(10), '<br>')}</body></html>".encode()) == (SHOWN,)
    assert heads_of(b"Hello") == ()


class Case(NamedTuple):
    """Two histories, and their parting: the number, true if that is proven, and true if a log joins the heads."""

    shows: str
    one: Evidence
    other: Evidence
    parts: tuple[int, bool, bool] | None
    keys: tuple[str, ...] = (KEY.public,)


def log(digits: str, *keys: str) -> Evidence:
    """A log whose entries have these digests."""
    return Evidence(chain=Chain("spring-7", tuple(digit * 64 for digit in digits), keys))


def letters(*heads: Head) -> Evidence:
    return Evidence(heads)


THREE = letters(head(3, "a"))
BOTH = KEY.public, OTHER.public
MOVED = Head("spring-7", 3, "b" * 64, head(3, "a").signature)

CASES = (
    Case("one key, one number, two digests", letters(head(3, "a")), letters(head(3, "b")), (3, True, False)),
    Case("the first of several", letters(*THREE.heads, head(2, "a")), letters(head(2, "b")), (2, True, False)),
    Case("one history", letters(head(3, "a")), letters(head(3, "a"), head(4, "b")), None),
    Case("two games", letters(head(3, "a")), letters(head(3, "b", game="autumn-2")), None),
    Case("two keys, as after a restored backup", THREE, letters(head(3, "b", OTHER)), (3, False, False), BOTH),
    Case("a key that nobody vouches for", THREE, letters(head(3, "b")), (3, False, False), (OTHER.public,)),
    Case("a signature that belongs to another head", THREE, letters(MOVED), (3, False, False)),
    Case("no signatures", letters(head(3, "a", None)), letters(head(3, "b", None)), (3, False, False)),
    Case("a log, which nobody signs", log("0123"), letters(head(2, "f")), (2, False, False)),
    Case("a log, and a later head of it", log("0123"), letters(head(3, "3"), head(2, "f")), (2, True, True)),
    Case("a log, and an earlier head of it", log("0123"), letters(head(1, "1"), head(2, "f")), (2, False, False)),
    Case("a log that has every head", log("0123"), letters(head(1, "1"), head(3, "3")), None),
    Case("a log that ends before", log("01"), letters(head(3, "3")), None),
    Case("two logs", log("0123"), log("01f"), (2, False, False)),
    Case("the key of the log", log("0123", KEY.public), letters(head(3, "3"), head(2, "f")), (2, True, True), ()),
)  # fmt: skip


@each(CASES, name=lambda case: case.shows)
def test_the_parting_of_two_histories(case: Case) -> None:
    for histories in ((case.one, case.other), (case.other, case.one)):
        found = fork_of(*histories, case.keys)
        assert (found and (found.second.number, found.proven, found.joined)) == case.parts


@pytest.mark.parametrize("told", ["{digest}", " {upper} ", "{line}", "> {line}", "{broken}"])
def test_a_head_is_given_by_its_digits_or_by_the_line_of_a_letter(told: str) -> None:
    digest = sha256(b"a log").hexdigest()
    line, broken = f"spring-7 12 {digest}", f"spring-7 12\n> head {digest[:40]}\n> {digest[40:]}"
    assert head_of(told.format(digest=digest, upper=digest.upper(), line=line, broken=broken)) == digest
    assert head_of("  ") is None
    for other in ("abc", "spring-7 12", f"{line}\n{line[:-1]}{'0' if line[-1] != '0' else '1'}"):
        with pytest.raises(RefereeError, match="wrong-paste"):
            head_of(other)
