"""Every kind of letter as programs read it: text browsers, and the filter that most mail servers ask."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from tests.support.letter_kinds import KINDS, letters

MOST_POINTS = 0.5
"""Maximum points of a letter; from 5 on, SpamAssassin calls it spam."""

READERS = {
    "w3m": ("w3m", "-dump", "-T", "text/html", "-I", "UTF-8", "-O", "UTF-8", "-cols", "80"),
    "lynx": (
        "lynx",
        "-dump",
        "-stdin",
        "-force_html",
        "-assume_charset=UTF-8",
        "-display_charset=UTF-8",
        "-width=80",
    ),
}


def found(folder: Path) -> Iterator[tuple[str, EmailMessage]]:
    """A letter of each kind with its pictures, and the name of its kind."""
    seen: set[str] = set()
    for kind in KINDS:
        (folder / kind).mkdir()
        for _, letter in letters(kind, folder / kind, "pictures: true\nattach: [game, log, record, sheet]\n"):
            name = f"{kind}: {re.sub('[0-9]+', '0', str(letter['Subject']))}"
            if name not in seen:
                seen.add(name)
                yield name, letter


def printed(command: tuple[str, ...], given: bytes) -> str:
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, check=True, timeout=600).stdout.decode()


@pytest.mark.slow(minutes=2)
def test_text_browsers_show_a_letter_as_its_text_says_it(tmp_path: Path) -> None:
    told: set[str] = set()
    for name, letter in found(tmp_path):
        page, plain = letter.get_body(("html",)), letter.get_body(("plain",))
        assert page is not None
        assert plain is not None
        first = " ".join(str(plain.get_content()).split()[:4]), str(letter["Subject"]).rpartition("] ")[2]
        for reader, command in READERS.items():
            shown = printed(command, str(page.get_content()).encode())
            words = " ".join(shown.split())
            assert words.startswith(first), f"{name}, {reader}: something stands above its first sentence"
            clocks = [line for line in str(plain.get_content()).splitlines() if line.startswith("- You: a move for")]
            assert all(words.count(line.removeprefix("- ")[:30]) == 1 for line in clocks), f"{name}, {reader}"
            told.update(reader for _ in clocks)
        assert not re.search(r"<(p|li|h\d)[^>]*></\1>", str(page.get_content())), f"{name}: an empty paragraph"
    assert told == {*READERS}


@pytest.mark.slow(minutes=2)
def test_spam_filters_find_nothing_in_any_kind_of_letter(tmp_path: Path) -> None:
    """Only rules about content: there is no network, and the letter has no Received lines."""
    path = tmp_path / "letters"
    names = []
    with path.open("wb") as mbox:
        for name, letter in found(tmp_path):
            names.append(name)
            raw = letter.as_bytes(policy=default.clone(refold_source="none"))
            mbox.write(b"From desk Mon Mar  1 12:00:00 2027\n" + re.sub(rb"(?m)^From ", b">From ", raw) + b"\n")
    report = printed(("spamassassin", "-L", "-t", "--mbox", str(path)), b"")
    points = [float(one) for one in re.findall(r"Content analysis details: +\((-?[0-9.]+) points", report)]
    assert {name: told for name, told in zip(names, points, strict=True) if told > MOST_POINTS} == {}
