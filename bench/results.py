"""The page of results: a section for each part, which a run of that part replaces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from inspect import cleandoc
from pathlib import Path

from bench.figures import Figure

PAGE = Path(__file__).with_name("RESULTS.md")


def section(name: str, doc: str, figures: Iterable[Figure]) -> str:
    """The section of a part: its name, the first paragraph of its module's docstring, and its figures as a table."""
    rows = (f"| {one.name} | {one.ours} | {one.peer} | {one.ratio:.2f} | {one.goal} |\n" for one in figures)
    shows = cleandoc(doc).partition("\n\n")[0]
    return (
        f"## {name}\n\n{shows}\n\n| what | ours | beside it | ratio | goal |\n|---|---|---|---|---|\n{''.join(rows)}"
    )


def replaced(page: str, name: str, text: str) -> str:
    """The page with another section for a part, at its end if it had none."""
    found = re.search(rf"^## {name}\n.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    if found is None:
        return f"{page.rstrip()}\n\n{text}"
    after = page[found.end() :]
    return page[: found.start()] + text + (f"\n{after}" if after else "")


def write(name: str, doc: str, figures: Iterable[Figure]) -> None:
    """Replace a part's section on the page."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(replaced(page, name, section(name, doc, figures)), encoding="utf-8")
