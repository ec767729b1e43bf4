"""The templates of the pages, which escape all text, and the static files: style and script."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from referee.draw.html import template_text
from referee.draw.scenes.svg import printable
from referee.engine.levels import level_text
from referee.web.site.site import HTML, Answered, Site, letter_link, tag_of

_HERE = Path(__file__).parent
_TEMPLATES = _HERE / "templates"

_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

_COMPOSER = ("compass", "composer", "draft", "elements", "entry", "picture", "stillness", "surface", "tree")
"""The modules for the choice of a move, which belong to the drawings."""

FILES = {
    **{path.name: _TYPES[path.suffix] for path in sorted((_HERE / "static").iterdir())},
    **{f"composer/{name}.js": _TYPES[".js"] for name in _COMPOSER},
}


def page_of(site: Site, template: str, **content: object) -> Answered:
    """The answer with a page that follows from a template, its content and the site."""
    tag = tag_of(template, pages_version(), site.url, site.name, site.submits, content)
    return Answered(HTML, tag, lambda: markup_of(site, template, folder=_TEMPLATES, **content))


def markup_of(site: Site, template: str, *, folder: Path = _TEMPLATES, **content: object) -> bytes:
    """A page made of a template in a folder, which can use those of the site."""
    made = _environment(folder).get_template(template)
    return printable(made.render(site=site, path=site.path, version=pages_version(), **content)).encode()


@cache
def file_text(name: str) -> bytes:
    """The text of a static file."""
    if name.startswith("composer/"):
        return template_text(name).encode()
    own = (_HERE / "static" / name).read_text(encoding="utf-8")
    # The style of the choice of a move belongs to the drawings.
    return (f"{template_text('composer.css')}\n\n{own}" if name == "pages.css" else own).encode()


@cache
def pages_version() -> str:
    """A word that changes with the files and the templates, so that browsers drop pages of another version."""
    parts = [file_text(name) for name in FILES]
    parts += [path.read_bytes() for path in sorted(_TEMPLATES.iterdir())]
    return hashlib.sha256(b"\n".join(parts)).hexdigest()[:12]


def moment_text(at: datetime) -> str:
    """A time with its zone, such as `Mon 8 Mar 2027, 13:00 CET`."""
    return f"{at:%a} {at.day} {at:%b} {at.year}, {at:%H:%M} {at.tzname()}"


@cache
def _environment(folder: Path) -> Environment:
    environment = Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        loader=FileSystemLoader([folder, _TEMPLATES]),
    )
    environment.filters.update(
        moment=moment_text,
        day=lambda at: f"{at:%a} {at.day} {at:%b}",
        level=level_text,
        machine=lambda at: at.isoformat(timespec="seconds"),
        pair=lambda value: (value, value),  # a value of a form that is its own name
    )
    environment.globals["letter_link"] = letter_link
    return environment
