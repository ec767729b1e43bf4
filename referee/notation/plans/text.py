"""A plan's text to the plan: its lines, and which of them belong below which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise, takewhile
from typing import NamedTuple

from referee.errors import NotationError, Span, expect
from referee.notation.plans.lines import Said, fault, said
from referee.notation.plans.plan import DEEPEST, LONGEST_PLAN, MOST_BRANCHES, Branch, Plan, Reply
from referee.notation.plans.words import LONGEST_LINE, disguised, folded, plain
from referee.rules import game_named

_JOINED = 4
"""Maximum lines of a text that a mail program has made of one."""

_MARK = re.compile(
    r"(?:(?P<bullet>[-*+\u2022]+)|\(?(?P<label>[0-9]{1,3}(?:\.[0-9]{1,3})*|[a-z])(?:[):]|\.\)?)(?!\.)"
    r"|(?P<dotted>[0-9]{1,3}(?:\.[0-9]{1,3})+)) +",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"(?:;|(?<![0-9])\.) +(?=(?:if|on|any|anything|else|otherwise|whatever|unless|stop|in any)\b)", re.IGNORECASE
)
_HEADING = re.compile(r"(?:(?:here is )?(?:my|the) )?(?:plan|conditional moves?):?", re.IGNORECASE)
_BEGINS = re.compile(r"(?:if|unless)\b.*[\ue000-\ue0ff]|stop (?:if|when)\b.*[0-9\ue000-\ue0ff]", re.IGNORECASE)
_OTHERS = re.compile(
    r"(?:but |(?:if|on|for|to|after|against|in(?: case of)?) |(?:he|she|they|you) \w+ )*"
    r"(?:else|otherwise|not(?=[,:])|whatever else|(?:any|all|every)(?:thing)? (?:else|other))\b",
    re.IGNORECASE,
)
"""The beginning of a line about all cases but those above it."""

_HINT = re.compile(
    r"\b(?:if|when|whenever|should|suppose|case|on|after|against|to|any\w*|all|every\w*|whatever|matter|always|then|else|"
    r"otherwise|unless|only|provided|stop)\b|[:>\u2190-\u2bff]|\.\.|\u2026",
    re.IGNORECASE,
)
"""Words and signs without which a line is no part of a plan; most lines of letters have none."""

Row = tuple[int, Branch]
"""A branch and its depth."""

_TWO = "two-readings"
_TOO_LARGE = f"a plan has at most {MOST_BRANCHES} lines, {DEEPEST} moves one after another, {LONGEST_PLAN} characters"


class _Line(NamedTuple):
    """A line: its number, text and indentation, its mark's kind and label, and its sentences."""

    number: int
    text: str
    indent: int
    kind: str
    label: str
    sentences: list[Said]

    @property
    def round(self) -> int:
        """The number of its round, or 0. No plan begins with round 1, so that label is one of a list."""
        return self.sentences[0].number or (int(self.label) if self.kind == "#0" else 0)

    @property
    def is_of_others(self) -> bool:
        """True for a line about all cases but those above it."""
        mark = _MARK.match(self.text)
        return _OTHERS.match(self.text, mark.end() if mark else 0) is not None

    def wrong(self, message: str, code: str = "syntax") -> NotationError:
        """The error for a line that can be read, but not here."""
        return NotationError(message, text=self.text, span=Span(self.number, 1), code=code)


def read_plan(game: str, text: str, *, first: int = 0) -> Plan:
    """The plan of a text as people write it; `first` is the round of its first move, if known.

    Raises:
        NotationError: `syntax` or `two-readings`, with the place of the error.
        RefereeError: `unknown-game`.
    """
    expect(str, text, "the text of a plan")
    game_named(game)
    plan = _read(game, text, first)
    if _read(game, str(plan), 0) != plan:
        raise NotationError("this plan cannot be kept: write it in fewer words", text=str(plan), span=Span(1, 1))
    return plan


def _read(game: str, text: str, first: int) -> Plan:
    if len(text) > LONGEST_PLAN:
        raise NotationError(_TOO_LARGE, text="", span=Span(1, 1))
    written = [*_lines(game, text)]
    stops = tuple(one.stop for line in written for one in line.sentences if one.stop is not None)
    found = [line for line in written if any(one.rows for one in line.sentences)]
    if not found:
        raise NotationError("a plan has a line such as 'if A then B'", text=text[:80], span=Span(1, 1))
    plan = Plan(game, _merged(_nested(_rows(found, first))), stops)
    _check(plan.branches, found, len(game_named(game).sides))
    return plan


def names_move(game: str, line: str) -> bool:
    """True if a line has anything in it that could be a move, such as talk about one."""
    plain_line = folded(line)
    return disguised(game, plain_line) != plain_line


def is_plan_line(game: str, line: str) -> bool:
    """True for a line that has a condition and a move, or begins with `stop if`; a bare move is no plan."""
    if len(line) > LONGEST_LINE or not _HINT.search(line):
        return False
    shape = disguised(game, folded(line))
    mark, sentences = _sentences(game, shape)
    if sentences is None:
        return bool(_BEGINS.match(shape, len(mark)))
    return not any(one.is_bare for one in sentences) or " else " in shape


def _lines(game: str, text: str) -> Iterator[_Line]:
    """The lines of a text; NotationError for one that cannot be read, not even with those below it."""
    written, place = text.splitlines(), 0
    while place < len(written):
        parts = [*takewhile(str.strip, written[place : place + _JOINED])]
        if not parts or (place == 0 and _HEADING.fullmatch(folded(parts[0]))):
            place += 1
            continue
        first = disguised(game, folded(parts[0]))
        joined = (disguised(game, folded(" ".join(parts[:count]))) for count in range(2, len(parts) + 1))
        read = ((count, *_sentences(game, shape)) for count, shape in enumerate(chain([first], joined), 1))
        count, mark, sentences = next((one for one in read if one[2]), (0, "", None))
        if sentences is None:
            start = len(_sentences(game, first)[0])
            wrong = next(one for one in _SENTENCE.split(first[start:]) if said(game, one) is None)
            raise fault(game, wrong, Span(place + 1, first.find(wrong, start) + 1), plain(first))
        indent = len(parts[0].expandtabs(4)) - len(parts[0].expandtabs(4).lstrip())
        yield _Line(place + 1, plain(first), indent, *_kind(mark), sentences)
        place += count


def _sentences(game: str, shape: str) -> tuple[str, list[Said] | None]:
    """The mark of a disguised line, and its sentences; None if one of them cannot be read."""
    found = _MARK.match(shape)
    mark = found[0] if found else ""
    sentences = [said(game, one) for one in _SENTENCE.split(shape[len(mark) :])]
    if None not in sentences:
        return mark, [one for one in sentences if one]
    whole = said(game, shape)
    return ("", [whole]) if whole else (mark, None)


def _kind(mark: str) -> tuple[str, str]:
    """The kind of a mark, the same for all lines of one depth, and its label."""
    found = _MARK.match(mark)
    label = (found["label"] or found["dotted"] or "").casefold() if found else ""
    return ("a" if label.isalpha() else f"#{label.count('.')}" if label else mark.strip()), label


def _rows(found: list[_Line], first: int) -> list[Row]:
    """The branches of all lines, each with its depth."""
    rows: list[Row] = []
    begin = next((line.round for line in found if line.round), 0)
    if begin > 1 and begin != (first or begin):
        raise found[0].wrong(f"the plan begins with round {first}, not {begin}")
    depths = [line.round - begin for line in found] if begin > 1 else _depths(found)
    is_begun = False
    for number, (line, depth) in enumerate(zip(found, depths, strict=True)):
        if begin > 1:
            _check_round(line, depth, depths[max(number - 1, 0)], rows)
        for place, one in enumerate(one for one in line.sentences if one.rows):
            goes_on, last = one.rows[0][0], rows[-1][0] if rows else -1
            if not place and depth > last and line.is_of_others:
                raise line.wrong("no other line is above it: write 'any then ...' if it is for all cases", _TWO)
            if one.is_bare and begin <= 1:
                raise line.wrong("a move needs its condition: write 'any then ...' if it is for all cases")
            if goes_on and not rows:
                raise line.wrong("'then if' comes below a line with your move")
            if (depth not in (last + 1, last if is_begun else None)) if goes_on else (place and last > depth):
                raise line.wrong("it may belong to one line or to another: begin a new line, and indent it", _TWO)
            rows += [((last if goes_on else depth) + further, branch) for further, branch in one.rows]
            is_begun = not goes_on
    if len(rows) > MOST_BRANCHES or max(depth for depth, _ in rows) >= DEEPEST:
        raise found[-1].wrong(_TOO_LARGE)
    return rows


def _check_round(line: _Line, depth: int, before: int, rows: list[Row]) -> None:
    """Refuse a line that follows no line of the round before, or one of several."""
    above = [one for level, one in rows if level == depth - 1 and one.moves]
    if not line.round or len(line.sentences) > 1 or (depth and not above):
        raise line.wrong("expected the number of a round before each line, with none left out, or before none")
    if depth < before or len(above) > 1:
        raise line.wrong("it may follow several lines: write the whole of each on one line, or without numbers", _TWO)


def _depths(found: list[_Line]) -> list[int]:
    """The depth of each line, by indentation or by marks."""
    indents, kinds = [line.indent for line in found], [line.kind for line in found]
    ways = [_stacked(found, values) for values in (indents, kinds) if len(set(values)) > 1]
    for line, *depths in zip(found, *ways, strict=True):
        if len(set(depths)) > 1:
            raise line.wrong("its mark and its indentation disagree about the line above that it belongs to", _TWO)
    return ways[0] if ways else [0] * len(found)


def _stacked(found: list[_Line], values: Sequence[int | str]) -> list[int]:
    """The depth of each line: those with one value have the same, unless they are below different lines."""
    stack: list[int | str] = []
    labels: list[str] = []
    depths = []
    for line, value in zip(found, values, strict=True):
        depth = stack.index(value) if value in stack else len(stack)
        is_between = depth == len(stack) > 0 and (not value or (isinstance(value, int) and value < int(stack[-1])))
        parent = line.label.rpartition(".")[0]
        if is_between or (parent and parent not in labels[depth - 1 : depth]):
            raise line.wrong("it belongs to no line above: indent it as one of them, or by two blanks more")
        stack[depth:], labels[depth:] = [value], [line.label]
        depths.append(depth)
    return depths


def _nested(rows: list[Row]) -> tuple[Branch, ...]:
    """The tree of branches in order with their depths."""
    starts = [place for place, (depth, _) in enumerate(rows) if depth == rows[0][0]] + [len(rows)]
    return tuple(replace(rows[start][1], branches=_nested(rows[start + 1 : end])) for start, end in pairwise(starts))


def _merged(branches: tuple[Branch, ...]) -> tuple[Branch, ...]:
    """The branches without doubles; what follows two of the same follows the one that is left."""
    found: dict[object, Branch] = {}
    for one in branches:
        known = found.get((one.terms, one.moves))
        found[one.terms, one.moves] = replace(known, branches=known.branches + one.branches) if known else one
    return tuple(replace(one, branches=_merged(one.branches)) for one in found.values())


def _check(branches: tuple[Branch, ...], found: list[_Line], sides: int) -> None:
    """Refuse branches that could never be asked; NotationError names the line that has one."""
    answered: set[object] = set()
    for before, one in zip((None, *branches), branches, strict=False):
        made = [(move, term.side) for term in one.terms if isinstance(term, Reply) for move in term.moves]
        keys = {*made} if made and len(one.terms) == 1 else {one.terms}
        fault = ""
        if before and not before.terms:
            fault = "it comes after a line for all cases, so it would never be asked"
        elif answered & (keys | {(move, "") for move, _ in made}):
            fault = "its condition has an answer above: write 'or' between your moves if the first may not be legal"
        elif one.branches and not one.moves:
            fault = "nothing can follow the end of the plan"
        elif sum(isinstance(term, Reply) for term in one.terms) >= sides:
            fault = "nobody makes two moves at once: write 'or' between them, or 'then if' for a later one"
        if fault:
            rows = ((line, row) for line in found for said in line.sentences for _, row in said.rows)
            raise [line for line, row in rows if (row.terms, row.moves) == (one.terms, one.moves)][-1].wrong(fault)
        answered |= keys
        _check(one.branches, found, sides)
