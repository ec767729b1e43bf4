"""HTML as plain lines: for letters without a text part, and to compare with the text part."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import islice

_LINES = frozenset(
    {"article", "body", "br", "center", "dd", "div", "dl", "dt", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6"}
    | {"header", "hr", "li", "main", "ol", "p", "pre", "section", "table", "tbody", "tr", "ul"}
)
_DROPPED = frozenset({"head", "noscript", "script", "style", "template", "title"})
_DECLARATION = re.compile(r"<[!?][^<>]{0,5000}>")
_NO_TAG = re.compile(r"<(?!/?[A-Za-z][^<>]{0,5000}>)")
_BLANKS = re.compile(r"[ \t\r\n\f]+")


def text_of(html: str) -> str:
    """The text of a page: a line per block, `> ` before quoted lines, no scripts or styles."""
    # The standard library's parser takes quadratic time over whatever stays open: each `<` begins a whole tag.
    first, *others = html.split("<!--")
    plain = _DECLARATION.sub("", first + "".join(other.partition("-->")[2] for other in others))
    page = _Page()
    page.feed(_NO_TAG.sub("&lt;", plain))
    page.close()
    return page.text()


def beginning(html: str, most: int, tags: int) -> str:
    """The beginning of a page, up to a number of characters and a number of tags."""
    html = html[:most]
    over = next(islice(re.finditer("<", html), tags, None), None)
    return html[: over.start()] if over else html


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._lines: list[str] = []
        self._line: list[str] = []
        self._depth = 0
        self._dropped = 0
        self._kept = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self._dropped = 0
        if tag in _DROPPED:
            self._dropped += 1
        elif tag == "blockquote":
            self._end_line()
            self._depth += 1
        elif tag in _LINES:
            self._end_line(always=tag == "br")
            self._kept += tag == "pre"
        elif tag in ("td", "th"):
            self._line.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _DROPPED:
            self._dropped = max(0, self._dropped - 1)
        elif tag == "blockquote":
            self._end_line()
            self._depth = max(0, self._depth - 1)
        elif tag in _LINES and tag != "br":
            self._end_line()
            self._kept = max(0, self._kept - (tag == "pre"))

    def handle_data(self, data: str) -> None:
        if self._dropped:
            return
        if not self._kept:
            self._line.append(_BLANKS.sub(" ", data))
            return
        first, *others = data.split("\n")
        self._line.append(first)
        for other in others:
            self._end_line(always=True)
            self._line.append(other)

    def text(self) -> str:
        self._end_line()
        return "\n".join(self._lines)

    def _end_line(self, *, always: bool = False) -> None:
        line = "".join(self._line).strip(" ")
        if line or always:
            self._lines.append("> " * min(self._depth, 9) + line)
        self._line.clear()
