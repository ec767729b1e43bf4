"""The variations of a game file: read as its moves are, written so that a person can read them, and judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from referee.errors import FileError, Finding
from referee.game.file.document import Document, KeyPath, value_at
from referee.game.file.gamefile import GameFile, Round, Variation
from referee.game.file.rounds import MoveFault, Rounds
from referee.rules import Game, Position, cursor_at

KEY = "variations"

_BEGINNING = re.compile(
    r"((?:(?:[ \t]|\{[^}\n]*\}?)*+(?:;.*)?\n)*+(?:[ \t]|\{[^}\n]*\}?)*+)"
    r"([0-9]{1,6})([.):]?(?=[ \t.…])[ \t]*)((?:(?:\.\.\.|…)[ \t]*\|[ \t]*)*)(?=[^\s.…])"
)
"""Comments, the number of the first round, and dots for the moves of it that were made before."""

_NUMBERED = "a variation begins with the number of its round, such as 2. or 2. ... |"


def read_variations(
    document: Document, game: Game, most: int, key: KeyPath = ()
) -> tuple[tuple[Variation, ...], list[MoveFault]]:
    """The variations in a mapping of a document, and up to `most` faults of each, placed in the whole file."""
    found, faults = [], []
    for number, data in enumerate(value_at(document, (*key, KEY)) or ()):
        here = (*key, KEY, number)
        variation, wrong = _read(document.part((*here, "moves"), data["moves"]), game, most)
        inner, wrong_inside = read_variations(document, game, most, here)
        found.append(replace(variation, variations=inner))
        faults += [*wrong, *wrong_inside]
    return tuple(found), faults


def _read(document: Document, game: Game, most: int) -> tuple[Variation, list[MoveFault]]:
    """The variation in a move list, without its own variations; up to `most` faults."""
    found = _BEGINNING.match(document.moves)
    if found is None:
        return Variation(1, 0, ()), [MoveFault(_at_beginning(document, _NUMBERED))]
    first, made = int(found[2]), found[4].count("|")
    reading = Rounds(_without_dots(document), game, most, first, made)
    faults = [one._replace(finding=_as_written(one.finding, document)) for one in reading.faults]
    return Variation(first, made, tuple(reading.rounds), tuple(reading.comments)), faults


def _at_beginning(document: Document, message: str) -> Finding:
    found = _BEGINNING.match(document.moves)
    line, column = (found[1].count("\n") + 1, len(found[1].split("\n")[-1]) + 1) if found else (1, 1)
    return document.in_moves(Finding("variation", message, line, column, (), document.moves.split("\n")[line - 1]))


def _without_dots(document: Document) -> Document:
    """A variation's document with blanks for the moves made before it."""
    blank = _BEGINNING.sub(lambda found: "".join(found.group(1, 2, 3)) + " " * len(found[4]), document.moves, count=1)
    return replace(document, data=blank)


def _as_written(finding: Finding, document: Document) -> Finding:
    """A finding with its line as it is written, dots and all."""
    lines = zip(_without_dots(document).moves.split("\n"), document.moves.split("\n"), strict=True)
    return replace(finding, excerpt=dict(lines).get(finding.excerpt, finding.excerpt))


def positions(game: GameFile) -> dict[tuple[int, int], Position]:
    """The position at each place where a variation can begin: before each ply, and after the last.

    A place is a round, and the number of moves made in it before. A line has only its own. FileError as `replay`.
    """
    here, size = cursor_at(game.start()), game.description.moves_per_round
    found = {(1, 0): here.position}
    for line, place, moves in game.turns(here, suggest=False):
        found[_next(line, place + len(moves), size)] = here.position
    left = (game.branch.round, game.branch.made) if game.branch else (1, 0)
    return {place: one for place, one in found.items() if place >= left}


def joined(game: GameFile, variation: Variation) -> tuple[Round, ...]:
    """The rounds of a game up to a variation, and those of the variation."""
    before, made = game.rounds[: variation.round - 1], variation.made
    first, *rest = variation.rounds or (Round(()),)
    if made:
        here = game.rounds[variation.round - 1]
        first = Round(here.moves[:made] + first.moves, here.comments + first.comments)
    return (*before, first, *rest) if first.moves else before


def judge_variations(game: GameFile, *, suggest: bool = True) -> Iterator[Finding]:
    """The findings about the variations of a game whose own moves are legal."""
    yield from _judged(game, game.variations, positions(game), (), suggest=suggest)


def _judged(
    game: GameFile,
    variations: Sequence[Variation],
    places: Mapping[tuple[int, int], Position],
    key: KeyPath,
    *,
    suggest: bool,
) -> Iterator[Finding]:
    for number, one in enumerate(variations):
        at = (*key, KEY, number)
        source = _source(game, one, at)
        if (before := places.get((one.round, one.made))) is None:
            message = f"no ply begins at {one.label}, so there is nothing to vary"
            yield _at_beginning(source, message) if source else Finding("variation", message)
            continue
        line = replace(game, rounds=one.rounds, variations=(), source=source and _without_dots(source))
        here, inner = cursor_at(before), {(one.round, one.made): before}
        size = game.description.moves_per_round
        try:
            for row, place, moves in line.turns(here, suggest=suggest):
                made = place + len(moves) + (one.made if row == 1 else 0)
                inner[_next(one.round + row - 1, made, size)] = here.position
        except FileError as error:
            for finding in error.findings:
                told = f"variation {one.label}: {finding.message}"
                yield _as_written(finding, source) if source else replace(finding, message=told)
        else:
            yield from _judged(game, one.variations, inner, at, suggest=suggest)


def _next(line: int, made: int, size: int) -> tuple[int, int]:
    """The place of the next ply behind a number of moves in a round."""
    return (line, made) if made < size else (line + 1, 0)


def _source(game: GameFile, variation: Variation, key: KeyPath) -> Document | None:
    """The document of a variation, if the game's has it as it is."""
    if game.source is None or not isinstance(moves := value_at(game.source, (*key, "moves")), str):
        return None
    document = game.source.part((*key, "moves"), moves)
    return document if _read(document, game.description, 1)[0].rounds == variation.rounds else None
