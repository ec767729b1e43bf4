"""The text of a letter: from bytes to characters, from soft line ends to typed lines, from typed signs to plain."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from referee.notation.typography import ARROW, plain_text

NONCE, SIGNATURE = 64, 128
"""Digits of a nonce or commitment, and of a signature."""

_CHARSET = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,39}")
_BYTE_ORDER = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))

_MOST_BROKEN = 400_000
"""Bytes of broken UTF-16 to decode: each error costs as much time as a hundred characters."""

_WINDOWS = bytes(range(256)).decode("cp1252", "replace")
"""All characters of Windows-1252 with its gaps filled: from a table, a gap costs no more than a letter."""

_SUPERSETS = {"ascii": "utf-8", "iso8859-1": "cp1252", "shift_jis": "cp932", "iso2022_jp": "iso2022_jp_ext"}
"""Charsets that programs declare too often, and the larger charsets to read instead."""

_NO_CHARSETS = {"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape", "utf-7"}
"""Python codecs that no honest letter uses."""

_BULLET = re.compile(r"[-*\u2022\u00b7] +")
_WRAPPED = re.compile(r"([\"'*_])(?=[^\s])(.*[^\s])\1")
_TRAILING = " .,!"
_NONCE = re.compile(r"[0-9a-fA-F]{64}")
_DIGITS = re.compile(r"[0-9a-fA-F]+")
_SIGNED = re.compile(r"signed\b:?([0-9a-f ]*)", re.IGNORECASE)
_SIGNED_BEHIND = re.compile(r"(.*[^ ;,])[ ;,]+(signed:? [0-9a-f ]{128,})", re.IGNORECASE)
_BEGUN = re.compile(r"(?:seal|reveal) (?:.* )?([0-9a-f]{16,63})", re.IGNORECASE)
"""A seal or a reveal that ends within its digits: no word of a move has as many."""

_HEXADECIMAL = re.compile(r"[0-9a-f ]+", re.IGNORECASE)
_LONGEST_BROKEN = 400
"""Characters of a line that a nonce on the next line may belong to; a longer line is prose."""


class LetterLine(NamedTuple):
    """A line of a letter: its number from 1, its plain text, and what the writer typed."""

    number: int
    text: str
    raw: str


def decode_text(data: bytes, charset: str = "") -> str:
    """The text of some bytes: in the declared charset, else UTF-8, else Windows-1252; it never fails."""
    for mark, name in _BYTE_ORDER:
        if data.startswith(mark):
            try:
                return data.decode(name).removeprefix("\ufeff")
            except UnicodeError:
                return data[:_MOST_BROKEN].decode(name, "replace").removeprefix("\ufeff")
    for name in (codec_name(charset), "utf-8"):
        try:
            return data.decode(name)
        except UnicodeError:
            continue
    return codecs.charmap_decode(data, "strict", _WINDOWS)[0]


def codec_name(charset: str) -> str:
    """Python's name for a charset; UTF-8 for an unknown one."""
    if not _CHARSET.fullmatch(charset):
        return "utf-8"
    try:
        codec = codecs.lookup(charset)
    except (LookupError, ValueError):
        return "utf-8"
    if codec.name in _NO_CHARSETS or not codec._is_text_encoding:
        return "utf-8"
    return _SUPERSETS.get(codec.name, codec.name)


def unflow(text: str, *, delsp: bool = False) -> str:
    """The text of a `format=flowed` part (RFC 3676) without its soft line ends.

    A line that ends with a blank continues on the next line of the same quote depth; a signature's mark, `-- `, never
    does. Each quoted line begins with `> ` once per depth. With `delsp` the blank before a soft line end is part of
    the mark.
    """
    lines: list[list[str]] = []
    depth, flowing = 0, False
    for line in text.splitlines():
        inner = line.lstrip(">")
        deep = len(line) - len(inner)
        inner = inner.removeprefix(" ")
        if flowing and deep == depth and inner != "-- ":
            pieces = lines[-1]
            pieces[-1] = pieces[-1][:-1] if delsp else pieces[-1]
            pieces.append(inner)
        else:
            lines.append(["> " * deep, inner])
        depth, flowing = deep, inner.endswith(" ") and inner != "-- "
    return "\n".join("".join(pieces) for pieces in lines)


def letter_lines(text: str) -> tuple[LetterLine, ...]:
    """The lines of a text; a line of nothing but a nonce belongs to the line above, which was too long.

    So do the digits of a signature, and the rest of a nonce that was broken.
    """
    found: list[LetterLine] = []
    for number, written in enumerate(text.splitlines(), 1):
        line = LetterLine(number, plain_text(written), written)
        if found and _is_cut(found[-1].text, line.text):
            start = found.pop()
            line = LetterLine(start.number, start.text + line.text, start.raw.rstrip() + written.lstrip())
        elif found and _goes_on(found[-1].text, line.text):
            start = found.pop()
            line = LetterLine(start.number, f"{start.text} {line.text}", f"{start.raw} {written}")
        found.append(line)
    return tuple(found)


def signature_in(text: str) -> str | None:
    """The digits of a line that signs the one above it; None if it is no such line."""
    found = _SIGNED.fullmatch(text)
    return found[1].replace(" ", "").casefold() if found else None


def without_signature(line: LetterLine) -> tuple[LetterLine, LetterLine | None]:
    """A line without the signature after it, and the line that signs it; a program may have joined both."""
    found = _SIGNED_BEHIND.fullmatch(line.text)
    if found is None:
        return line, None
    return LetterLine(line.number, found[1], found[1]), LetterLine(line.number, found[2], found[2])


def _is_cut(above: str, text: str) -> bool:
    """True if a program has broken the line above within its nonce, and this text continues it."""
    begun = _BEGUN.fullmatch(above) if len(above) <= _LONGEST_BROKEN else None
    return begun is not None and _DIGITS.fullmatch(text) is not None and len(begun[1]) + len(text) <= NONCE


def _goes_on(above: str, text: str) -> bool:
    """True if a program has broken the line above before this text."""
    if not 0 < len(above) <= _LONGEST_BROKEN:
        return False
    digits = signature_in(above)
    if digits is not None and _HEXADECIMAL.fullmatch(text):
        return len(digits) + len(text.replace(" ", "")) <= SIGNATURE
    return _NONCE.fullmatch(text) is not None


def bare(text: str) -> str:
    """A line as the grammar reads it: arrows as hyphens; no bullet, no wrapping signs, no final punctuation."""
    return ARROW.sub("-", unwrapped(text))


def unwrapped(text: str) -> str:
    """A line without bullet, wrapping signs and final punctuation; two hyphens in an address stay."""
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    text = text.rstrip(_TRAILING)
    if wrapped := _WRAPPED.fullmatch(text):
        text = wrapped[2].rstrip(_TRAILING)
    return text
