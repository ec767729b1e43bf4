"""How the game of some notes ended: in words after its last move, or by the result that they name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from referee.game.ends import BY_A_SIDE, ends_in
from referee.game.gamefile import End
from referee.game.notes.facts import NoteFacts
from referee.game.notes.lines import NoteLine
from referee.game.notes.slots import Statement
from referee.rules import Outcome, Position, Termination

_UNSURE = re.compile(r"\?|\b(?:not|never|if|would|could|don't|won't|might|until)\b", re.IGNORECASE)
_AGREED = re.compile(r"\b(?:accept\w*|agree\w*|drawn)\b|\bdraw\W*$|1/2", re.IGNORECASE)
_OFFERED = re.compile(r"\boffer", re.IGNORECASE)
_RESULT = re.compile(r"(?<![\w.-])(\d{1,3}) ?[-:] ?(\d{1,3})(?![\w-])")
_HALF = re.compile(r"1/2")


class Conclusion(NamedTuple):
    """The ends that the notes may speak of, the likeliest first, and the words that say so."""

    ends: tuple[End, ...] = ()
    text: str = ""
    line: NoteLine | None = None


def conclusion(facts: NoteFacts, said: Sequence[Statement], position: Position) -> Conclusion:
    """The end that the words after the last move speak of; none if the moves end the game themselves."""
    if position.outcome is not None:
        return Conclusion()
    if facts.end:
        said = (*said, Statement(facts.end, NoteLine(facts.end, "", 0), 0, None))
    together = " ".join(one.text for one in said)
    for one in reversed(said):
        if _UNSURE.search(one.text):
            continue
        for how in ends_in(one.text):
            if how is Termination.AGREEMENT and (_OFFERED.search(one.text) and not _AGREED.search(together)):
                continue
            if how is Termination.REPETITION and not any(position.claims(side) for side in position.sides):
                continue
            return Conclusion(_ends(how, facts, one, position), one.text, one.line)
    return _by_result(facts, said, position)


def _ends(how: Termination, facts: NoteFacts, said: Statement, position: Position) -> tuple[End, ...]:
    if how not in BY_A_SIDE:
        return (End(how),)
    side = _side_in(facts, said.text) or said.side
    if side is None and len(position.to_move) == 1:
        (side,) = position.to_move
    sides = (side,) if side is not None else position.sides
    return tuple(End(how, one) for one in sides)


def _side_in(facts: NoteFacts, text: str) -> str | None:
    """The first side that a sentence names, by a name of more than a letter."""
    words = re.findall(r"[^\W_]+", text.casefold())
    for start in range(len(words)):
        for length in (3, 2, 1):
            label = tuple(words[start : start + length])
            if label in facts.labels and len("".join(label)) > 1:
                return facts.labels[label]
    return None


def _by_result(facts: NoteFacts, said: Sequence[Statement], position: Position) -> Conclusion:
    """A result of a game that points do not decide: the loser resigned, or ran out of time."""
    if len(position.sides) != 2 or any(position.score.values()):
        return Conclusion()
    words = [(one.text, one.line) for one in reversed(said)]
    for text, line in [*([(facts.result, None)] if facts.result else []), *words]:
        if _HALF.search(text):
            return Conclusion((End(Termination.AGREEMENT),), text, line)
        if (found := _RESULT.search(text)) and {int(found[1]), int(found[2])} == {0, 1}:
            loser = position.sides[int(found[1]) > int(found[2])]
            return Conclusion((End(Termination.RESIGNATION, loser), End(Termination.TIMEOUT, loser)), text, line)
    return Conclusion()


def result_told(facts: NoteFacts, scores: Sequence[str]) -> dict[str, int] | None:
    """The points that a header names, by who has them; None if it names no points."""
    numbers = [int(number) for number in re.findall(r"(?<![\w/])\d{1,4}(?![\w/])", facts.result)]
    return dict(zip(scores, numbers, strict=True)) if len(numbers) == len(scores) else None


def score_of(position: Position, outcome: Outcome | None) -> dict[str, int]:
    """The points in the last position."""
    return dict(outcome.score if outcome else position.score)
