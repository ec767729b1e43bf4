"""The lines of a letter that are a plan (docs/playing-by-mail.md, "Leave moves for later")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.desk import KeptPlan, MakeMove
from referee.errors import NotationError
from referee.mail.intake.grammar import CLOSES, OPENS, parse_line
from referee.mail.intake.message.phrases import is_polite
from referee.mail.intake.message.text import LetterLine
from referee.notation.plans import is_plan_line


def plan_among(lines: Sequence[LetterLine], game: str | None) -> tuple[LetterLine, ...]:
    """The lines of the one plan in a letter: from its first line to its last, with what belongs to their paragraphs.

    A plan with a line that cannot be read changes nothing, so no line is left out: not even one that would be a move
    by itself. Only commands right above a plan, courtesies and prose right below it are no part of it.
    """
    if game is None:
        return ()
    told = _in_messages(lines) if any(is_plan_line(game, line.raw) for line in lines) else frozenset()
    planned = [at for at, line in enumerate(lines) if at not in told and is_plan_line(game, line.raw)]
    headed = next((at for at in range(len(lines)) if at not in told and _heads_plan(lines, at, game)), None)
    if not planned and headed is None:
        return ()
    first, last = min(planned, default=len(lines)), max(planned, default=-1)
    if headed is not None and headed < first:
        first = headed
        last = max(last, next(at for at in range(headed + 1, len(lines)) if lines[at].text))
    edges = told | {-1, len(lines)}
    while headed != first and first - 1 not in edges and _goes_above(lines[first - 1], game):
        first -= 1
    while last + 1 not in edges and _is_of_plan(lines[last + 1], lines[first], game):
        last += 1
    return tuple(line for line in lines[first : last + 1] if line.text)


def _in_messages(lines: Sequence[LetterLine]) -> frozenset[int]:
    """The places of the lines from each `message` to its `end`: a plan may be talked about."""
    told, begins = set[int](), None
    for at, line in enumerate(lines):
        said = parse_line(line.text, None)
        if begins is None and said == OPENS:
            begins = at
        elif begins is not None and said == CLOSES:
            told |= {*range(begins, at + 1)}
            begins = None
    return frozenset(told)


def is_cut(planned: Sequence[LetterLine], every: Iterable[LetterLine], mine: Iterable[LetterLine]) -> bool:
    """True if quoted lines stand among those of a plan, or right below: a program may have marked its own as such."""
    if not planned:
        return False
    near, own = range(planned[0].number, planned[-1].number + 2), {line.number for line in mine}
    return any(line.number in near and line.text and line.number not in own for line in every)


def _heads_plan(lines: Sequence[LetterLine], at: int, game: str) -> bool:
    """True if a line says `plan`, and the next one is a move with the number of its round, or a line of a plan."""
    if parse_line(lines[at].text, game) != (KeptPlan(),):
        return False
    below = next((lines[place] for place in range(at + 1, len(lines)) if lines[place].text), None)
    if below is None:
        return False
    commands = parse_line(below.text, game)
    return is_plan_line(game, below.raw) or not isinstance(commands, tuple) or isinstance(commands[0], MakeMove)


def _goes_above(line: LetterLine, game: str) -> bool:
    """True if a line right above a plan is a part of it: no command, courtesy, or heading."""
    return line.text != "" and not (isinstance(parse_line(line.text, game), tuple) or is_polite(line.text))


def _is_of_plan(line: LetterLine, first: LetterLine, game: str) -> bool:
    """True if a line right below a plan goes on with it: it is deeper, or means a move."""
    if not line.text:
        return False
    commands = parse_line(line.text, game)
    moves = isinstance(commands, tuple) and any(isinstance(one, MakeMove) for one in commands)
    return moves or isinstance(commands, NotationError) or _indent(line) > _indent(first)


def _indent(line: LetterLine) -> int:
    typed = line.raw.expandtabs()
    return len(typed) - len(typed.lstrip())
