"""The tables of codes in docs/ and spec/, made from the explanations.

`python -m tests.support.code_tables` writes them.
"""

from __future__ import annotations

import re
from pathlib import Path

from referee.codes import Chapter, Explanation, chapters

ROOT = Path(__file__).resolve().parents[2]
DOCS, SPEC = ROOT / "docs", ROOT / "spec"

_TABLE = re.compile(r"^\| code \|[^\n]*\n\|[-|]+\|\n((?:\|[^\n]*\n)+)", re.MULTILINE)
_ROW = re.compile(r"\| `[a-z-]+` \|")
_CODE = re.compile(r"^\| `([a-z-]+)` \|", re.MULTILINE)
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def row(one: Explanation) -> str:
    """The line of a table about a code."""
    cells = (f"`{one.code}`", one.says, one.remedy or one.instance)
    return f"| {' | '.join(cell for cell in cells if cell)} |"


def rows(chapter: Chapter) -> list[str]:
    """The lines of a chapter's table as they are in docs/, without those about several codes."""
    table = found(chapter)[1]
    return [line for line in table[1].splitlines() if _ROW.match(line)]


def found(chapter: Chapter) -> tuple[Path, re.Match[str]]:
    """The page of a chapter, and the first table of codes below its heading."""
    page, _, anchor = chapter.page.partition("#")
    file = ROOT / page if page.startswith("spec/") else DOCS / page
    text = file.read_text(encoding="utf-8")
    start = next(one.end() for one in _HEADING.finditer(text) if slug(one[1]) == anchor)
    table = _TABLE.search(text, start)
    assert table is not None, chapter.page
    return file, table


def codes_of_docs() -> set[str]:
    """Every code in a table of codes on any page."""
    pages = (page.read_text(encoding="utf-8") for page in (*DOCS.rglob("*.md"), *SPEC.glob("*.md")))
    return {code for page in pages for table in _TABLE.finditer(page) for code in _CODE.findall(table[1])}


def slug(heading: str) -> str:
    """The fragment of a link to a heading."""
    return re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-")


def write() -> None:
    """Rewrite the rows of every table; rows about several codes stay at its end."""
    for chapter in chapters():
        page, table = found(chapter)
        others = [line for line in table[1].splitlines() if not _ROW.match(line)]
        lines = [*map(row, chapter.explanations), *others]
        text = table.string[: table.start(1)] + "".join(f"{line}\n" for line in lines) + table.string[table.end(1) :]
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
