"""Runs the browser's tests on the page of every kind of letter.

With the name of a folder in SCREENSHOTS, it keeps pictures of them all there, as a telephone and a desk show them.
"""

from __future__ import annotations

import re
from base64 import b64encode
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.browser.browser import in_a_browser, run_in_chromium
from tests.support.letter_kinds import KINDS, letters

pytestmark = in_a_browser


@pytest.mark.slow(minutes=4)
def test_letters_in_chromium(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for kind in KINDS:
        (tmp_path / kind).mkdir()
        found = {_make(letter): letter for _, letter in letters(kind, tmp_path / kind, "pictures: true\n")}
        for number, letter in enumerate(found.values()):
            shown = _with_picture(_page(letter), letter)
            (pages / f"{kind}-{number:02d}.html").write_text(shown, encoding="utf-8")
    run_in_chromium("letter.test.js", pages)


def _page(letter: EmailMessage) -> str:
    page = letter.get_body(("html",))
    assert page is not None
    return str(page.get_content())


def _make(letter: EmailMessage) -> tuple[str, ...]:
    """The make of a letter: its subject and its headings, without their numbers."""
    headings = re.findall("<h[23]>(.*?)</h[23]>", _page(letter))
    return tuple(re.sub("[0-9]+", "0", one) for one in (str(letter["Subject"]), *headings))


def _with_picture(page: str, letter: EmailMessage) -> str:
    """The page with the pictures of its boards within it."""
    for part in letter.walk():
        if part.get_content_type() == "image/png":
            page = page.replace(
                f"cid:{part['Content-ID'][1:-1]}", f"data:image/png;base64,{b64encode(part.get_content()).decode()}"
            )
    return page
