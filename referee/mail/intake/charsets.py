"""From bytes to text, whatever the letter says about them."""

from __future__ import annotations

import codecs
import re

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,39}")
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))

_MOST_BROKEN = 400_000
"""Bytes of broken UTF-16 that are read: each error in it takes as long as a hundred characters."""

_WINDOWS = bytes(range(256)).decode("cp1252", "replace")
"""All characters of Windows-1252, its gaps filled: with a table no gap costs more than a letter."""

_RENAMED = {"ascii": "utf-8", "iso8859-1": "cp1252", "shift_jis": "cp932", "iso2022_jp": "iso2022_jp_ext"}
"""Charsets that are declared more often than they are meant, and the larger ones that hold them."""

_NO_CHARSETS = {"idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape", "utf-7"}
"""What Python also calls encodings, and no letter is written in."""


def decoded(data: bytes, charset: str = "") -> str:
    """The text of some bytes: as declared, else UTF-8, else Windows-1252 with gaps; it never fails."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _marked(data, name).removeprefix("\ufeff")
    for name in (known(charset), "utf-8"):
        try:
            return data.decode(name)
        except UnicodeError:
            continue
    return codecs.charmap_decode(data, "strict", _WINDOWS)[0]


def _marked(data: bytes, name: str) -> str:
    try:
        return data.decode(name)
    except UnicodeError:
        return data[:_MOST_BROKEN].decode(name, "replace")


def known(charset: str) -> str:
    """The name under which Python knows a charset; UTF-8 for one that it does not know."""
    if not _NAME.fullmatch(charset):
        return "utf-8"
    try:
        codec = codecs.lookup(charset)
    except (LookupError, ValueError):
        return "utf-8"
    if codec.name in _NO_CHARSETS or not codec._is_text_encoding:
        return "utf-8"
    return _RENAMED.get(codec.name, codec.name)
