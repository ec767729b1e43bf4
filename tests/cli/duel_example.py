"""The example on spec/duel.md: a whole duel; `python -m tests.cli.duel_example` rewrites it."""

from __future__ import annotations

import re
from pathlib import Path

from referee.desk import Accept, MakeMove, OfferDraw
from referee.duel.player import join_duel, open_duel, read_paste, speak
from referee.duel.status import text_to_send
from referee.duel.transcript import transcript

PAGE = Path(__file__).resolve().parents[2] / "spec" / "duel.md"
BLOCK = re.compile(r"(?<=## An example\n).*?```text\n(?P<text>.*?)```", re.DOTALL)


def example() -> str:
    """All messages of the duel."""
    ada = open_duel("beams", {}, "south", b"\1" * 32, "Ada")
    ben = speak(join_duel(text_to_send(ada), b"\2" * 32, "Ben").duel, [MakeMove("P M1 A2 12")])
    ada = speak(read_paste(ada, text_to_send(ben)).duel, [MakeMove("P S A2")])
    ben = speak(read_paste(ben, text_to_send(ada)).duel, [MakeMove("P S C2"), OfferDraw()])
    ada = speak(read_paste(ada, text_to_send(ben)).duel, [Accept()])
    return transcript(ada.exchange)


def example_on_page() -> str:
    """The example as the page has it."""
    found = BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    return found["text"]


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page.replace(example_on_page(), example()), encoding="utf-8")
