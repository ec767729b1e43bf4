"""Variations in the comments of an imported game, such as `1... c7-b7 2. c1-d2`: lines beside its moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

from referee.errors import RefereeError
from referee.game import AnnotatedMove, GameFile, Round
from referee.game.continuation import rejoined
from referee.game.file.gamefile import continues_round
from referee.notes.reader.comments import MADE, bracketed
from referee.notes.reader.segments import Segment, divisions, mark_after
from referee.rules import movers
from referee.rules.frozen import Frozen

_SIGNS = frozenset(".,;:|/!?…") | {"...", ".."}


def with_variations(game: GameFile) -> tuple[GameFile, tuple[str, ...]]:
    """A legal game with those of its comments as variations that are nothing else, and their texts."""
    varied, known = game, list[str]()

    def kept(comments: Sequence[str], number: int) -> tuple[str, ...]:
        """Comments behind a ply, without those that become variations."""
        nonlocal varied
        others = []
        for text in comments:
            try:
                varied = _varied(varied, text, number)
            except (RefereeError, _NoVariationError):
                others.append(text)
            else:
                known.append(text)
        return tuple(others)

    numbers, last, rounds = iter([ply.number for ply in game.plies for _ in ply.annotated]), 0, list[Round]()
    for one in game.rounds:
        above, moves = kept(one.comments, last), list[AnnotatedMove]()
        for noted in one.moves:
            last = next(numbers)
            moves.append(noted._replace(comments=kept(noted.comments, last)))
        rounds.append(Round(tuple(moves), above))
    closing = kept(game.trailing_comments, last)
    return replace(varied, rounds=tuple(rounds), trailing_comments=closing), tuple(known)


class _NoVariationError(Exception):
    """A text that is no variation, or could be meant otherwise."""


def _varied(game: GameFile, text: str, number: int) -> GameFile:
    """A game with the variation in a text behind a ply, or in brackets there; RefereeError if it is not legal."""
    parts = bracketed(text)
    if [bool(part.strip()) for part in parts] == [False, True, False]:
        return _varied(game, parts[1][1:-1], number)
    told = [one for part in parts[::2] for one in _segments(game.game, part)]
    if not (number and told) or any(one.kind not in ("move", "number", "sign") for one in told):
        raise _NoVariationError
    line = game.variation(_beginning(game, "".join(parts[::2]), told[0], number))
    for place, part in enumerate(parts):
        line = _inside(line, part) if place % 2 else _along(line, _segments(game.game, part))
    return rejoined(line)


def _segments(game: str, text: str) -> tuple[Segment, ...]:
    return divisions(game, text, Frozen())[0].segments if text.strip() else ()


def _beginning(game: GameFile, text: str, first: Segment, number: int) -> int:
    """The first ply of a variation: that of the number that it names, or the one that it is written behind."""
    if first.kind != "number":
        return number
    plies = [ply.number for ply in game.plies if ply.round == int(first.value)]
    place = int(bool(MADE.match(text)))
    if place >= len(plies):
        raise _NoVariationError
    return plies[place]


def _along(line: GameFile, segments: Sequence[Segment]) -> GameFile:
    """A line with the moves of a text, each of which can mean only one legal move there."""
    made: list[tuple[Segment, str]] = []
    for place, one in enumerate(segments):
        if one.kind == "sign" and (one.text not in _SIGNS or (not place and {*one.text} <= {*"!?"})):
            raise _NoVariationError
        following = len(line.rounds) + (not continues_round(line, 1))
        if one.kind == "number" and (made or int(one.value) != following):
            raise _NoVariationError
        if one.kind == "move":
            made.append((one, mark_after(segments, place)))
            if sum(len(each.meanings[0].moves) for each, _ in made) >= len(movers(line.position)):
                line, made = _ply(line, made), []
    if made:
        raise _NoVariationError
    return line


def _ply(line: GameFile, made: Sequence[tuple[Segment, str]]) -> GameFile:
    """A line with the moves of some segments, and the mark of each behind its last move."""
    found: list[GameFile] = []
    for ways in product(*(one.meanings for one, _ in made)):
        try:
            found.append(line.play(*(move for way in ways for move in way.moves)))
        except RefereeError:
            continue
    if len(found) != 1:
        raise _NoVariationError
    longer = found[0]
    for side, (_, mark) in zip(longer.plies[-1].annotated, made, strict=False):
        longer = longer.mark(mark, side=side) if mark else longer
    return longer


def _inside(line: GameFile, part: str) -> GameFile:
    """A line with what is in brackets behind its last ply: a variation, or else a comment."""
    try:
        return _varied(line, part[1:-1], len(line.plies))
    except (RefereeError, _NoVariationError):
        if part[0] != "[":  # in which a comment is written that was in braces
            raise
        return line.comment(part[1:-1])
