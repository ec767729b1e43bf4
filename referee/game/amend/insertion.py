"""The place of a new ply in a game file's text, so that nothing else in it changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json.decoder import scanstring  # type: ignore[attr-defined] # the stubs leave it out
from typing import NamedTuple

from referee.errors import Span
from referee.game.file.document import Document
from referee.game.file.gamefile import GameFile, continues_round, line_of
from referee.notation.movelist import parse_move_line
from referee.notation.nearest import alike

_UP_TO_REST = re.compile(r"(?:[^;{]|\{[^}]*\}?)*")
_EMPTY = re.compile(r"(\s*moves\s*:)[ \t]*(?:\"\"|'')?[ \t]*(#.*)?")
_NAMED = re.compile(r'"moves"\s*:\s*"')
_SIGN = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|.")
"""One character as a JSON string spells it."""

_BRACED = re.compile(r"\{([^}]*)\}")
_REST = re.compile(r"[ \t].*[^ \t]")
_BAR = re.compile(r" \| ?")
_ENDS = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")


class Edit(NamedTuple):
    """Lines (from 0) whose text changes, new lines that follow line `after`, and lines that go."""

    changed: dict[int, str]
    after: int
    new: tuple[str, ...] = ()
    gone: frozenset[int] = frozenset()

    def applied(self, text: str) -> str:
        """The text after the edit; every other line keeps its characters and its line end."""
        lines = [(body, end) for body, end in _ENDS.findall(text) if body or end]
        usual = lines[0][1] if lines and lines[0][1] else "\n"
        lines = [(self.changed.get(number, body), end) for number, (body, end) in enumerate(lines)]
        kept = [[line] for line in lines]
        for number in self.gone:
            kept[number] = []
        if self.new:
            body, end = lines[self.after]
            kept[self.after] = [(body, end or usual), *((one, usual) for one in self.new)]
        return "".join(body + end for lines in kept for body, end in lines)


def moves_edit(game: GameFile, change: Callable[[list[str]], list[str]]) -> Edit | None:
    """The edit that changes the lines of a game's move list at one place; None if its file has no place for moves."""
    document = game.source
    if document is None or document.form == "moves":
        return None
    return (_in_json if document.form == "json" else _in_yaml)(document, change)


def _in_yaml(document: Document, change: Callable[[list[str]], list[str]]) -> Edit | None:
    lines = document.text.split("\n")
    if "moves" not in document.mapping:
        last = len(lines) - 2 if lines[-1] == "" else len(lines) - 1
        return Edit({}, last, ("moves: |", *(f"  {one}" for one in change([]))))
    key = document.place(("moves",)).line - 1
    old = _listed(document)
    if not old:
        empty = _EMPTY.fullmatch(lines[key])
        header = {key: f"{empty[1]} |" + (f" {empty[2]}" if empty[2] else "")} if empty else {}
        return Edit(header, key, tuple(f"  {one}" for one in change([])))
    first = next(number for number, line in enumerate(old, 1) if line.strip())
    place = document.inside(("moves",), Span(first, 1))
    return _shifted(old, change(old), " " * (place.column - 1), place.line - first)


def _shifted(old: list[str], new: list[str], indent: str, start: int) -> Edit:
    """The edit from old to new lines that are indented and begin at line `start` of the file."""
    begun = alike(old, new)
    ended = alike(old[begun:][::-1], new[begun:][::-1])
    before, after = old[begun : len(old) - ended], new[begun : len(new) - ended]
    both = min(len(before), len(after))
    return Edit(
        {start + begun + number: indent + line for number, line in enumerate(after[:both])},
        start + begun + both - 1,
        tuple(indent + line for line in after[both:]),
        frozenset(range(start + begun + both, start + begun + len(before))),
    )


def _in_json(document: Document, change: Callable[[list[str]], list[str]]) -> Edit | None:
    if "moves" not in document.mapping:
        place = document.place(("game",))
        line = document.line(place.line)
        moves = json.dumps("".join(f"{one}\n" for one in change([])), ensure_ascii=False)
        cut = place.column - 1
        return Edit({place.line - 1: f'{line[:cut]}"moves": {moves}, {line[cut:]}'}, place.line - 1)
    place = document.place(("moves",))
    line = document.line(place.line)
    named = _NAMED.match(line, place.column - 1)
    if named is None:
        return None
    _, end = scanstring(line, named.end())
    old = document.moves
    new = "\n".join(change(_listed(document))) + (old[len(old.rstrip()) :] if old else "\n")
    string = _respelled(line[named.end() : end - 1], old, new)
    return Edit({place.line - 1: line[: named.end()] + string + line[end - 1 :]}, place.line - 1)


def _respelled(spelled: str, old: str, new: str) -> str:
    """The new text as the inside of a JSON string; shared parts keep their old spelling."""
    signs = _SIGN.findall(spelled)
    begun = alike(old, new)
    ended = alike(old[begun:][::-1], new[begun:][::-1])
    added = json.dumps(new[begun : len(new) - ended], ensure_ascii=False)[1:-1]
    return "".join([*signs[:begun], added, *signs[len(signs) - ended :]])


def _listed(document: Document) -> list[str]:
    """The lines of the move list without blank ones at the end."""
    return document.moves.rstrip().split("\n") if document.moves.strip() else []


def longer(lines: list[str], game: GameFile, made: tuple[str, ...]) -> list[str]:
    """The lines of a move list with the moves of one more ply, in the style of its last round."""
    size = game.description.moves_per_round
    rounds = [number for number, line in enumerate(lines) if line_of(line, size).moves]
    if continues_round(game, len(made)):
        last = rounds[-1]
        return [*lines[:last], " | ".join((_closed(lines[last].rstrip()), *made)), *lines[last + 1 :]]
    above = lines[rounds[-1]] if rounds else ""
    numbered = not rounds or parse_move_line(above, size).number is not None
    start = above[: len(above) - len(above.lstrip())] + (f"{len(game.rounds) + 1}. " if numbered else "")
    cells, above_them = [start + made[0], *made[1:]], _BAR.split(above)
    for place in range(min(len(cells), len(above_them)) - 1):
        cells[place] = cells[place].ljust(len(above_them[place]))
    return [*lines, " | ".join(cells)]


def _closed(line: str) -> str:
    """A line whose comment after a semicolon is in braces, so that more can follow; its blank tells `reopened`."""
    rest = rest_of(line)
    comment = rest[1:].replace("}", ")")
    return f"{line.removesuffix(rest)}{{{comment}}}" if rest else line


def rest_of(line: str) -> str:
    """The comment after a semicolon that ends a line of moves, with its semicolon; empty if there is none."""
    return _UP_TO_REST.sub("", line, count=1)


def reopened(line: str) -> str:
    """The line of moves as it was before more followed."""
    last = [*_BRACED.finditer(line)][-1:]
    if last and last[0].end() == len(line) and _REST.fullmatch(last[0][1]):
        return f"{line[: last[0].start()]};{last[0][1]}"
    return line
