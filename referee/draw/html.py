"""The common parts of pages: a template, one script with its data, and a policy that forbids all else."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from referee.draw.scenes.scene import Group, Scene
from referee.draw.scenes.svg import printable
from referee.extras import extra

TEMPLATES = Path(__file__).parent / "templates"
"""The folder of all templates, style sheets and scripts of this room."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.{1,2}/[a-z./-]+\.js)";\n', re.MULTILINE)


def html_page(
    template: str,
    *,
    script: str,
    sheets: Sequence[str],
    data: object,
    folder: Path = TEMPLATES,
    works: bool = False,
    **content: object,
) -> str:
    """A page made of a template in a folder, which escapes all text; RefereeError `missing-extra` without jinja2.

    `script` is the only one that the page may run, `data` is its input, and it may start a worker that runs
    WebAssembly if it `works`. `sheets` are all style sheets and style attributes of the page; the first one is in its
    head.
    """
    jinja, markup = extra("jinja2", "pictures"), extra("markupsafe", "pictures").Markup
    made = _environment(jinja, folder).get_template(template)
    html: str = made.render(
        **content,
        policy=_policy(script, sheets, works=works),
        script=markup(script),
        style=markup(sheets[0]),
        # Safe against a text that would close the script's element.
        data=markup(json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")),
    )
    return printable(html)


@lru_cache(maxsize=8)
def _environment(jinja: Any, folder: Path) -> Any:  # noqa: ANN401 - jinja2 itself, which is loaded when it is needed
    loader = jinja.FileSystemLoader(folder)
    # Most commands make one page: what they would compile to render faster takes longer than it saves.
    return jinja.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, loader=loader, optimized=False)


def template_text(name: str) -> str:
    """The text of a file among the templates, such as a style sheet."""
    return (TEMPLATES / name).read_text(encoding="utf-8")


def inline_picture(picture: str) -> str:
    """A picture as SVG for a page, with its words for all browsers and its shapes only for graphical ones.

    A text browser, which would print all labels as one word, takes `<!-->` for the beginning of a comment; in HTML,
    it is an empty comment.
    """
    return picture.replace("</style>", "</style><!-->", 1).removesuffix("</svg>") + "<!-- --></svg>"


def joined_modules(name: str, folder: Path = TEMPLATES) -> str:
    """A module as one script after all that it imports, for a page that opens from disk and cannot import any.

    The modules share one scope, so their names differ.
    """
    return '"use strict";\n(() => {\n' + "\n".join(_modules((folder / name).resolve(), set())) + "})();\n"


def _modules(path: Path, seen: set[Path]) -> Iterator[str]:
    """The texts of a module and of those that it needs and that were not `seen`, without imports and exports."""
    seen.add(path)
    text = path.read_text(encoding="utf-8")
    for needed in _IMPORT.findall(text):
        other = (path.parent / needed).resolve()
        if other not in seen:
            yield from _modules(other, seen)
    yield re.sub("^export ", "", _IMPORT.sub("", text), flags=re.MULTILINE)


def switches(scene: Scene) -> dict[str, str]:
    """The groups of a picture that a reader can switch off: the class and the name of each."""
    groups = (shape for shape in scene.shapes if isinstance(shape, Group) and shape.switch)
    return {group.classes[0]: group.switch for group in groups}


def switch_rules(switched: Mapping[str, str]) -> Iterator[str]:
    """Style rules that hide a group while the box with its class as id is not checked."""
    return (f"body:has(#{name}:not(:checked)) svg .{name} {{\n  display: none;\n}}" for name in switched)


def _policy(script: str, styles: Iterable[str], *, works: bool) -> str:
    """A content security policy that allows only these; style attributes need `unsafe-hashes`."""
    work, run = ("worker-src blob:; ", " 'wasm-unsafe-eval'") if works else ("", "")
    return (
        f"default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; {work}"
        f"script-src {_hash(script)}{run}; style-src 'unsafe-hashes' {' '.join(map(_hash, styles))}"
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
