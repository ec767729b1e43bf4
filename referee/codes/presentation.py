"""Explanations as text for a terminal: a code with its example, and the list of all codes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from textwrap import indent, wrap
from typing import Any

from referee.codes.explanations import Chapter, Explanation, chapters
from referee.errors import FileError, Finding
from referee.terminal import visible

WIDTH = 78
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_INDENT = "    "
_FIELDS = {"sender": "From", "to": "To"}
_WRITTEN = {
    "submit": "{}",
    "offer": "offer draw",
    "misreveal": "reveal {}, with another nonce than the sealed one",
    "halfreveal": "reveal {}, with half of the nonce",
    "seat": "join, as {}",
    "give": "give {} hours",
}
"""Requests that examples name by one word, as people write them."""

_DETAILS = {
    "ply": "about ply {}",
    "after": "{} hours later",
    "length": "and so on, {:,} characters",
    "times": "{:,} times",
}
DETAILS = frozenset(_DETAILS)
"""Optional keys of an example's request."""


def catalogue() -> str:
    """All codes, by chapter."""
    return "\n\n".join(_chapter_text(chapter) for chapter in chapters())


def _chapter_text(chapter: Chapter) -> str:
    codes = wrap(", ".join(one.code for one in chapter.explanations), WIDTH - 2, break_on_hyphens=False)
    return "\n".join([chapter.title, *(f"  {line}" for line in codes)])


def entry_text(chapter: Chapter, one: Explanation) -> str:
    """One meaning of a code: the sentence, what to do, the page, and an example with what the referee says of it."""
    parts = [f"{one.code}: {_plain(one.says)}", *([f"What to do: {_plain(one.remedy)}"] if one.remedy else ())]
    lines = [line for part in parts for line in wrap(part, WIDTH, subsequent_indent="  ", break_on_hyphens=False)]
    lines.append(": ".join(part for part in (chapter.title, _place(chapter.page)) if part))
    if shown := "\n".join(_example(chapter, one)):
        lines += ["", "For example:", indent(shown, _INDENT, lambda _: True)]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n"))


def _example(chapter: Chapter, one: Explanation) -> Iterator[str]:
    """The lines of an example, and those that the referee says to a file or list of moves."""
    example = one.example
    for name, text in example.get("files", {}).items():
        yield from (f"{name}:", indent(text.rstrip("\n"), "  "), "")
    if example.keys() & {"to", "sender"}:
        yield from (f"{_FIELDS[name]}: {example[name]}" for name in _FIELDS if name in example)
        yield ""
    if "settings" in example:
        yield from ("desk.yaml:", indent(example["settings"], "  "), "")
    for kind in ("words", "python", "letter", "file", "moves"):
        if kind in example:
            yield str(example[kind]).rstrip("\n")
    if "letter" in example and "times" in example:
        yield f"(and so on, {example['times']:,} times)"
    if "command" in example:
        yield from (f"$ {line}" for line in example["command"].splitlines())
        yield example.get("prints", "").rstrip("\n")
    if "invited" in example:
        yield f"{example['invited']['by']} proposes the game"
    for step in example.get("requests", ()):
        yield _request(step)
    if "log" in example:
        yield _forgery(example["log"])
    for finding in findings(chapter, example):
        if finding.code == one.code:
            yield from ("", f"{finding.line}:{finding.column}: {finding.as_text()}")


def findings(chapter: Chapter, example: Mapping[str, Any], *, suggest: bool = True) -> tuple[Finding, ...]:
    """The findings about the file or the list of moves of an example, with legal moves to try if `suggest`."""
    if not example.keys() & {"file", "moves"}:
        return ()
    # Imported here: most codes are explained without judging a game.
    from referee.game import GameFile, judge, loads, loads_moves

    try:
        if "file" in example:
            return judge(loads(example["file"], suggest=suggest), suggest=suggest).findings
        if "moves" in example and chapter.game:
            begun = GameFile(chapter.game, options=example.get("options", {}), start_text=example.get("start"))
            return judge(loads_moves(example["moves"], begun, suggest=suggest), suggest=suggest).findings
    except FileError as error:
        return error.findings
    return ()


def _request(step: Mapping[str, Any]) -> str:
    """A step of a correspondence: who writes what, and the details."""
    ((who, words),) = [(name, said) for name, said in step.items() if name not in DETAILS]
    verb, _, rest = words.partition(" ")
    words = visible(_WRITTEN.get(verb, f"{verb} {{}}").format(rest).strip())
    details = (f" ({says.format(step[name])})" for name, says in _DETAILS.items() if name in step)
    return f"{who}: {words}{''.join(details)}"


def _forgery(log: Mapping[str, Any]) -> str:
    """The change of an honest log, in words."""
    if "old" not in log:
        return f"then entry {log['entry']} of the log is taken out"
    digests = ", and every digest is computed again" if log.get("sealed", True) else ""
    return f"then in entry {log['entry']} of the log {log['old']} becomes {log['new']}{digests}"


def _place(page: str) -> str:
    """The place of a page: on the web, or in the documentation, which an installed referee does not have."""
    name, _, section = page.partition("#")
    if "://" in page or not page:
        return page
    heading = f', "{section.replace("-", " ")}"' if section else ""
    return f"the documentation, page {name.removesuffix('.md')}{heading}"


def _plain(text: str) -> str:
    """Markdown without links and escapes."""
    return _LINK.sub(r"\1", text).replace(r"\|", "|")
