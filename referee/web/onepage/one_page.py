"""The referee in one page: an HTML file that opens from disk and runs our package in a worker, offline."""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import referee
from referee.draw import scene_of
from referee.draw.html import html_page, joined_modules, template_text
from referee.draw.scenes.thumbnail import thumbnail
from referee.engine import LEVELS
from referee.game import decode_utf8, ply_at, read, read_bytes
from referee.rules import GAMES, game_named
from referee.web.onepage.parts import HERE, PagePart

LARGEST_PAGE = 64 << 20
"""Maximum bytes of a page that is compared."""

_QUICK = 6
"""The highest level that answers within about five seconds in a browser."""

_STYLE = HERE.parents[1] / "site" / "static" / "pages.css"

_SCRIPT = re.compile(r'(<script type="application/octet-stream" id=")([^"]*)(">)([A-Za-z0-9+/=]*)(</script>)')


class Departure(NamedTuple):
    """A part of a page that differs from that of this installation."""

    name: str
    reason: str


def one_page(parts: Sequence[PagePart]) -> str:
    """The page made of its parts; RefereeError `missing-extra` without jinja2."""
    return _page(parts, [b64encode(zlib.compress(part.content, 9)).decode() for part in parts])


def page_digest(parts: Iterable[PagePart]) -> str:
    """The SHA-256 over names, versions and digests of the parts, which the page shows as its own."""
    lines = (f"{part.name} {part.version} {part.digest}\n" for part in parts)
    return sha256("".join(lines).encode()).hexdigest()


def differences(page: str, parts: Sequence[PagePart]) -> Iterator[Departure]:
    """The differences of a page from the one made of these parts; the digests that it contains are ignored."""
    found = {name: text for _, name, _, text, _ in _SCRIPT.findall(page)}
    for part in parts:
        if part.name not in found:
            yield Departure(part.name, "is missing")
        elif (content := _unpacked(found[part.name], len(part.content))) != part.content:
            found_digest = "" if content is None else sha256(content).hexdigest()
            said = f"has another content: SHA-256 {found_digest}" if found_digest else "cannot be unpacked"
            yield Departure(part.name, f"{said}, not {part.digest}")
    if _SCRIPT.sub(r"\1\2\3\5", page) != _page(parts, [""] * len(parts)):
        yield Departure("page", "has another frame: text, style or script")


def _page(parts: Sequence[PagePart], packed: Sequence[str]) -> str:
    own = (HERE / "page.css").read_text(encoding="utf-8")
    # A desk's pages look the same: their tokens, bar, buttons and cards, up to the page of a game.
    common, _, _ = _STYLE.read_text(encoding="utf-8").partition("/* 6.")
    style = "\n\n".join((common, template_text("composer.css"), own))
    return html_page(
        "page.html.jinja",
        folder=HERE,
        works=True,
        script=joined_modules("page.js", HERE),
        sheets=[style],
        data={
            "version": referee.__version__,
            "digest": page_digest(parts),
            "levels": [[str(one.number), f"{one.number} · {one.name}"] for one in LEVELS[:_QUICK]],
            "pictures": [_picture(game) for game in GAMES],
            "parts": [
                {"name": one.name, "version": one.version, "digest": one.digest, "size": len(one.content)}
                for one in parts
            ],
        },
        parts=[(part.name, text) for part, text in zip(parts, packed, strict=True)],
        version=referee.__version__,
    )


def _picture(name: str) -> str:
    """The last board of a game's first example as the address of an image."""
    ply = ply_at(read(min(game_named(name).examples.glob("*.yaml"))))
    return f"data:image/svg+xml,{quote(thumbnail(scene_of(ply, ply.position.sides[0])))}"


def _unpacked(text: str, size: int) -> bytes | None:
    """The content of a part, up to one byte more than a size; None if it is damaged."""
    try:
        return zlib.decompressobj().decompress(b64decode(text, validate=True), size + 1)
    except (ValueError, zlib.error):
        return None


def read_page(path: Path) -> str:
    """The text of a page in a file; FileError if it cannot be read, or is too large."""
    return decode_utf8(read_bytes(path, LARGEST_PAGE), str(path))
