"""A plan's text to the plan."""

from __future__ import annotations

import re

from referee.errors import NotationError, Span, expect
from referee.notation.moves import known_move
from referee.notation.plans.plan import LONGEST_PLAN, Branch, Plan, Points, Reply, Square, Term, Terms
from referee.rules import Move, game_named

_LINE = re.compile(r"(?P<indent> *)(?:if (?P<terms>.+) then|else|any then) (?P<moves>.+)")
_POINTS = re.compile(r"score (>=|<=) ([0-9]{1,4})")
_SQUARE = re.compile(r"(\S+) is (empty|lost)")


def read_plan(game: str, text: str) -> Plan:
    """The plan of a text.

    Raises:
        NotationError: with the place of the error and the expected text.
        RefereeError: `unknown-game`.
    """
    expect(str, text, "the text of a plan")
    sides = game_named(game).sides
    if len(text) > LONGEST_PLAN:
        raise NotationError(f"no plan is longer than {LONGEST_PLAN} characters", text=text[:80], span=Span(1, 1))
    stops: list[Terms] = []
    rows: list[tuple[int, Terms, tuple[Move, ...]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("stop if "):
            stops.append(_terms(game, sides, line.removeprefix("stop if ")))
        elif found := _LINE.fullmatch(line):
            moves = () if found["moves"] == "stop" else _moves(game, found["moves"])
            rows.append((len(found["indent"]), _terms(game, sides, found["terms"]) if found["terms"] else (), moves))
        elif line.strip():
            raise NotationError("expected such as 'if A then B'", text=line, span=Span(number, 1))
    return Plan(game, _branches(rows, 0, len(rows)), tuple(stops))


def is_plan_line(game: str, line: str) -> bool:
    """True for a line that can only be part of a plan: it has a condition and a move, or begins with `stop if`."""
    try:
        return bool(str(read_plan(game, line.strip())))
    except NotationError:
        return False


def _branches(rows: list[tuple[int, Terms, tuple[Move, ...]]], start: int, end: int) -> tuple[Branch, ...]:
    found = []
    while start < end:
        stop = next((n for n in range(start + 1, end) if rows[n][0] <= rows[start][0]), end)
        _, terms, moves = rows[start]
        found.append(Branch(terms, moves, _branches(rows, start + 1, stop)))
        start = stop
    return tuple(found)


def _terms(game: str, sides: tuple[str, ...], text: str) -> Terms:
    return tuple(_term(game, sides, part) for part in re.split(r",? and ", text))


def _term(game: str, sides: tuple[str, ...], text: str) -> Term:
    if found := _POINTS.fullmatch(text):
        return Points(found[1], int(found[2]))
    if found := _SQUARE.fullmatch(text):
        return Square(found[1], found[2] == "lost")
    first, _, rest = text.partition(" ")
    return Reply(_moves(game, rest), first) if first in sides else Reply(_moves(game, text))


def _moves(game: str, text: str) -> tuple[Move, ...]:
    return tuple(_move(game, part) for part in text.split(" or "))


def _move(game: str, text: str) -> Move:
    move = known_move(game, text)
    if move is None:
        raise NotationError(f"{text!r} is not a move", text=text, span=Span(1, 1))
    return move
