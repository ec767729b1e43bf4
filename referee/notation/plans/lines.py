"""One line of a plan to its branches (grammar/plan.lark)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from referee.errors import NotationError, Span, shown
from referee.notation.moves import notation, parse_move
from referee.notation.plans.plan import Branch, Points, Reply, SquareCondition, Terms
from referee.notation.plans.words import LONGEST_LINE, MOVES, plain, resolved
from referee.notation.tables import TableParser, table_of

_DOUBTS = {
    r"\bor [\ue000-\ue1ff ]+ and\b|(?<!,) and [\ue000-\ue1ff ]+ or\b": "'and' with 'or' has two readings: write "
    "'if A or B, and C then ...', or a line for each",
    r"[\ue000-\ue0ff],? (?:and )?if\b(?! (?:(?:he|she|they|you) )?then\b).*\bthen\b.*[\ue000-\ue0ff]": "the second "
    "'if' has two readings: write 'then if' for a condition after your move, or begin a new line",
    r"\bif\b.*\bor else\b": "'or else' has two readings: write 'or' before a move to make if the first is not legal, "
    "'else' before one for all other cases",
    r"\bif\b.*\bunless\b|\bunless\b.*\bif\b": "'if' with 'unless' has two readings: write 'if A and B then stop' for "
    "the exception, and the rest on the next line",
    r"^[\ue000-\ue0ff]+ (?:\| )?[\ue000-\ue0ff]": "two moves side by side have two readings: write 'if A then B'",
}
"""Patterns of lines with two readings, each with its sentence."""

_REST = re.compile(r"(?:^| )(?:then|or|and|if|else|otherwise|i|[-=]+>)(?: |$)|[,;:](?: |$)", re.IGNORECASE)

_NEGATED = re.compile(r"\b(?:not|never|no|nothing|unless|except|but)\b|n't\b", re.IGNORECASE)


class Said(NamedTuple):
    """A line: its branches with their depths, or the condition of a stop.

    `number` is that of the round, if it begins with one; `is_bare` is true for moves without any condition.
    """

    rows: tuple[tuple[int, Branch], ...] = ()
    stop: Terms | None = None
    number: int = 0
    is_bare: bool = False


def said(game: str, shape: str) -> Said | None:
    """The content of a disguised line; None if it has none, or two readings."""
    if len(shape) > LONGEST_LINE or any(re.search(doubt, shape, re.IGNORECASE) for doubt in _DOUBTS):
        return None
    found: Said | None = _parser(game).parse(shape)
    return found


def fault(game: str, shape: str, place: Span, text: str) -> NotationError:
    """The reason why a disguised sentence cannot be read; it begins at this place, in a line with this text."""
    line = plain(shape)
    if len(line) > LONGEST_LINE:
        return NotationError(f"no line of a plan is longer than {LONGEST_LINE} characters", text=text, span=place)
    for doubt, says in _DOUBTS.items():
        if found := re.search(doubt, shape, re.IGNORECASE):
            span = replace(place, column=place.column + found.start())
            return NotationError(says, text=text, span=span, code="two-readings")
    column = _parser(game).misfit(shape) or 1
    rest = line[column - 1 :]
    word = rest.split()[0] if rest.strip() else ""
    moves = [str(resolved(game, plain(one))) for one in MOVES.findall(shape)]
    near = (f"if {moves[0]} then {moves[1]}",) if len(moves) == 2 and not _NEGATED.search(shape) else ()
    where = f"{shown(word)} does not fit" if word else "it ends too early"
    message = f"{where}; a line of a plan is such as '{(*near, 'if (their move) then (your move)')[0]}'"
    if not MOVES.match(shape, column - 1) and (re.search("[0-9]", word) or word.upper() in notation(game).BEGINNINGS):
        try:
            parse_move(game, _REST.split(rest, maxsplit=1)[0])
        except NotationError as error:
            message, near = error.message, ()
            column += (error.span or place).column - 1
    span = replace(place, column=place.column + column - 1)
    return NotationError(message, text=text, span=span, suggestions=near)


@cache
def _parser(game: str) -> TableParser:
    return TableParser(table_of("plan"), _ToLine(game))


def _beside(*branches: Branch) -> Said:
    """Branches of one depth."""
    return Said(tuple((0, branch) for branch in branches))


def _numbered(steps: list[tuple[int, Said]]) -> Said | None:
    """Rounds one after another; None if their numbers are not."""
    number = steps[0][0]
    if [one for one, _ in steps] != [*range(number, number + len(steps))]:
        return None
    rows = tuple((depth, branch) for depth, (_, one) in enumerate(steps) for _, branch in one.rows)
    return Said(rows, number=number, is_bare=len(steps) == 1 and steps[0][1].is_bare)


class _ToLine:
    """One method a rule or terminal of the grammar; none of them raises."""

    def __init__(self, game: str) -> None:
        self.MOVE = lambda text: resolved(game, plain(text))

    SIDE = staticmethod(lambda text: plain(text.split()[0]))
    NUMBER = DOTS = staticmethod(lambda text: int(re.sub("[^0-9]", "", text)))
    COUNT = staticmethod(lambda text: int(text.split()[0]))
    CELL = staticmethod(lambda text: text.split()[-1].casefold())

    pair, reply, ladder = Branch, Reply, staticmethod(_beside)
    reply_of = staticmethod(lambda side, moves: Reply(moves, side))
    at_least = staticmethod(lambda count: Points(">=", count))
    over = staticmethod(lambda count: Points(">=", count + 1))
    at_most = staticmethod(lambda count: Points("<=", count))
    under = staticmethod(lambda count: Points("<=", count - 1))
    empty = staticmethod(lambda cell: SquareCondition(cell, is_lost=False))
    lost = staticmethod(lambda cell: SquareCondition(cell, is_lost=True))
    condition = staticmethod(lambda *parts: tuple(part for part in parts if not isinstance(part, str)))

    moves = staticmethod(lambda *moves: moves)
    answer = staticmethod(lambda *moves: moves[0] if moves else ())
    choice = staticmethod(lambda *answers: tuple(move for moves in answers for move in moves))

    halt = staticmethod(lambda terms: Said(stop=terms))
    chain = arrows = staticmethod(lambda *pairs: Said(tuple(enumerate(pairs))))
    nested = staticmethod(lambda *pairs: Said(tuple(enumerate(pairs, 1))))
    ladder_else = staticmethod(lambda *parts: _beside(*parts[:-1], Branch((), parts[-1])))
    always = certain = staticmethod(lambda moves: _beside(Branch((), moves)))
    bare = staticmethod(lambda moves: _beside(Branch((), moves))._replace(is_bare=True))
    only = staticmethod(lambda moves, terms: _beside(Branch(terms, moves)))
    only_else = staticmethod(lambda moves, terms, others: _beside(Branch(terms, moves), Branch((), others)))
    unless = staticmethod(lambda terms, moves: _beside(Branch(terms, ()), Branch((), moves)))
    unless_last = staticmethod(lambda moves, terms: _beside(Branch(terms, ()), Branch((), moves)))
    rounds = staticmethod(lambda *parts: _numbered([*zip(parts[::2], parts[1::2], strict=True)]))

    @staticmethod
    def replies(*parts: Any) -> Said | None:  # noqa: ANN401 - numbers and moves
        """Rounds in which another side moves first; the number next to the answer counts."""
        steps = zip(parts[1::4], parts[2::4], parts[3::4], strict=True)
        return _numbered([(number, _beside(Branch((Reply(made),), moves))) for made, number, moves in steps])

    answers = replies
