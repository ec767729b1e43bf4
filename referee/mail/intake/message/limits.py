"""Limits of a letter, measured before it is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from referee.notation.typography import fold_letters

_CONTAINER = re.compile(rb"\ncontent-type:\s*(?:multipart|message)/", re.IGNORECASE)
_REPORT = re.compile(rb"\ncontent-type:\s*message/delivery-status", re.IGNORECASE)
_PART_FIELD = re.compile(rb"\ncontent-[a-z-]+:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """Maximum sizes that the desk reads of one letter; it refuses a larger one with the reason."""

    size: int = 5_000_000
    """Bytes of the whole letter."""
    lines: int = 70_000
    line: int = 100_000
    """Bytes of one line; the standard allows 998, but some programs write a whole page on one."""
    header: int = 128_000
    """Bytes of the letter's own header, and of all `Content-` fields of its parts together."""
    fields: int = 300
    """Header fields of the letter itself."""
    field: int = 16_000
    """Bytes of one header field with its continuation lines."""
    parameters: int = 100
    """Semicolons in one `Content-` field."""
    containers: int = 16
    """Parts that hold other parts."""
    blocks: int = 5_000
    """Empty lines in a letter with a delivery report: each may begin a block of that report."""
    depth: int = 8
    parts: int = 100
    text: int = 200_000
    """Characters of the text, as written and as folded."""
    text_lines: int = 5_000
    page: int = 250_000
    """Characters of HTML, in all parts together."""
    tags: int = 10_000
    """HTML tags, in all parts together."""
    attachment: int = 4_000
    """Characters of a text attachment that may stand in for an empty letter."""


LIMITS = Limits()


def unix_lines(raw: bytes) -> bytes:
    """The letter with unix line ends, from any others."""
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def excess(raw: bytes, limits: Limits = LIMITS) -> str:
    """The first excess of a letter with unix line ends, as a sentence; empty if there is none."""
    return first_excess(_measures(raw, limits))


_Measure = tuple[str, int, int]
"""A name, the number found, and the maximum."""


def _measures(raw: bytes, limits: Limits) -> Iterator[_Measure]:
    """The measures of a letter, the cheap ones first: those after one that is too large are never taken."""
    yield "bytes", len(raw), limits.size
    yield "lines", raw.count(b"\n"), limits.lines
    yield "bytes in one line", max(map(len, raw.split(b"\n"))), limits.line
    head = header_block(raw)
    yield "bytes in its header", len(head), limits.header
    fields = _fields(head)
    yield "header fields", len(fields), limits.fields
    raw = b"\n" + raw  # finding a line by the line end before it is many times faster
    part_fields = [found[0] for found in _PART_FIELD.finditer(raw)]
    yield "bytes in one header field", max(map(len, [*fields, *part_fields])), limits.field
    yield "bytes in the headers of its parts", sum(map(len, part_fields)), limits.header
    semicolons = max((field.count(b";") for field in part_fields), default=0)
    yield "parameters in one header field", semicolons, limits.parameters
    yield "parts that hold parts", sum(1 for _ in _CONTAINER.finditer(raw)), limits.containers
    if _REPORT.search(raw):
        yield "blocks in a delivery report", raw.count(b"\n\n"), limits.blocks
    yield "lines that could begin a part", raw.count(b"\n--"), 20 * limits.parts


def header_block(raw: bytes) -> bytes:
    """Everything before the first empty line."""
    return raw.partition(b"\n\n")[0]


def bounded_header(raw: bytes, limits: Limits) -> bytes:
    """The beginning of a header that is too large, for an answer; fields beyond the limits lose their value."""
    fields = _fields(header_block(raw[: limits.header]))[: limits.fields]
    return b"\n".join(_bound(field, limits) for field in fields) + b"\n\n"


def text_excess(text: str, limits: Limits) -> str:
    """The first excess of a letter's text, as a sentence; empty if there is none."""
    lines = text.splitlines()
    measures = (
        ("characters of text", len(text), limits.text),
        ("lines of text", len(lines), limits.text_lines),
        ("characters in one line of text", max(map(len, lines), default=0), limits.line),
    )
    if excess := first_excess(measures):  # before all of it is read, which takes longer
        return excess
    read = accumulate(len(fold_letters(line)) for line in lines)
    over = next((number for number in read if number > limits.text), 0)
    return first_excess((("or more characters of text as it is read", over, limits.text),))


def _fields(head: bytes) -> list[bytes]:
    return re.split(rb"\n(?![ \t])", head)


def _bound(field: bytes, limits: Limits) -> bytes:
    name, colon, _ = field.partition(b":")
    parameters = field.count(b";") if _PART_FIELD.match(b"\n" + field) else 0
    return name[:100] + colon if len(field) > limits.field or parameters > limits.parameters else field


def first_excess(measures: Iterable[_Measure]) -> str:
    """The first measure that is too large, as a sentence; empty if there is none."""
    for what, found, most in measures:
        if found > most:
            return f"the letter has {found:,} {what}; at most {most:,} are read"
    return ""
