"""The end of a game by its notes: in words after the last move, or by the result that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from referee.game import End
from referee.notes.reader.facts import NoteFacts
from referee.notes.reader.lines import NoteLine
from referee.notes.reader.slots import Statement
from referee.notes.reader.tongues import in_english
from referee.notes.reader.verdicts import end_verdict, may_be_end
from referee.rules import Outcome, Position, Termination

_RESULT = re.compile(r"(?<![\w.-])(\d{1,3}) ?[-:] ?(\d{1,3})(?![\w-])")
_HALF = re.compile(r"1/2|(?<![\d.,])0?[.,]5 ?[-:] ?0?[.,]5(?![\d.,])")
_REASONS = {
    Termination.RESIGNATION: r"(?:by )?resign(?:s|ed|ation)",
    Termination.TIMEOUT: r"(?:on |by |over )?(?:time|zeit|temps|tiempo|tempo|tijd|tid)(?: ?out| forfeit| limit)?",
}
"""The words beside a result that say how the loser lost."""


class Conclusion(NamedTuple):
    """The ends that the notes may speak of, the likeliest first, and the words that say so.

    `is_plain` is false for words that may be about something else. `against` are other words of the notes that say
    something else.
    """

    ends: tuple[End, ...] = ()
    text: str = ""
    line: NoteLine | None = None
    is_plain: bool = True
    against: str = ""


def conclusion(facts: NoteFacts, said: Sequence[Statement], position: Position) -> Conclusion:
    """The end that the words after the last move speak of; none if the moves end the game themselves."""
    points = position.outcome and result_told(facts, facts.description.scores)
    header = (facts.texts.get("end"), None if points else facts.texts.get("result"))
    told = [Statement(text, NoteLine(text, "", 0), 0, None) for text in header if text]
    if position.outcome is not None:
        return Conclusion(against=_contradiction(facts, [*told, *said], position, position.outcome))
    found = [one for one in _conclusions(facts, [*reversed(said), *told], position) if one.ends]
    found.sort(key=lambda one: not one.is_plain)
    if not found:
        return _asked(said, position)
    first = found[0]
    against = next((one.text for one in found if one.is_plain and not _agree(first.ends, one.ends)), "")
    return first._replace(against=against)


def _contradiction(facts: NoteFacts, said: Sequence[Statement], position: Position, outcome: Outcome) -> str:
    """The words of the notes that plainly name another winner than the moves give; empty if there are none."""
    if len(position.sides) != 2:
        return ""
    loser = next((side for side in position.sides if outcome.winner not in (None, side)), None)
    for one in said:
        verdict = end_verdict(facts.labels, one.text, one.side, position.sides, one.text)
        ends = verdict.ends if verdict and verdict.is_plain else _by_result(one.text, position)
        if ends and loser not in [end.by for end in ends]:
            return one.text
    return ""


def _asked(said: Sequence[Statement], position: Position) -> Conclusion:
    """The last of the sentences that are alone behind the last move, and may say in any way how the game ended."""
    last = next((one for one in reversed(said) if one.text == one.line.text and not one.line.is_letter), None)
    if last is None or not may_be_end(last.text):
        return Conclusion()
    ends = [*(End(Termination.RESIGNATION, side) for side in position.sides), End(Termination.AGREEMENT)]
    return Conclusion(tuple(ends), last.text, last.line, is_plain=False)


def _agree(ends: Sequence[End], others: Sequence[End]) -> bool:
    """True if one of two lists of ends leaves a game as one of the other does: lost by the same side, or drawn."""
    return any(one.by == two.by or Termination.REPETITION in (one.how, two.how) for one in ends for two in others)


def _conclusions(facts: NoteFacts, said: Sequence[Statement], position: Position) -> Iterator[Conclusion]:
    """The conclusion from each statement: first in words, then by its result."""
    together = " ".join(one.text for one in said)
    for one in said:
        line = one.line if one.line.number else None
        if found := end_verdict(facts.labels, one.text, one.side, position.sides, together):
            ends = _possible(found.ends, position, one.side, is_plain=found.is_plain)
            yield Conclusion(ends, one.text, line, found.is_plain)
    if len(position.sides) == 2 and not any(position.score.values()):
        for one in said:
            line = one.line if one.line.number else None
            yield Conclusion(_by_result(one.text, position, facts.texts.get("end", "")), one.text, line)


def _possible(ends: Sequence[End], position: Position, author: str | None, *, is_plain: bool) -> tuple[End, ...]:
    """The ends that a position allows; who resigned without a name is the author, or the side that is to move.

    Words that are not plain may name a player whom the notes name nowhere else: then it may be either side.
    """
    found = [one for one in ends if one.how is not Termination.REPETITION or position.claims(one.by or "")]
    if len(ends) > 1 and {one.how for one in ends} == {ends[0].how} and ends[0].how is not Termination.ADJUDICATION:
        side = author or next(iter(position.to_move)) if author or len(position.to_move) == 1 else None
        likely = [one for one in found if one.by == side] or found
        found = likely if is_plain else [*likely, *(one for one in found if one not in likely)]
    return tuple(found)


def _by_result(text: str, position: Position, header: str = "") -> tuple[End, ...]:
    """The ends of a game that points do not decide, by a result: the loser resigned, or ran out of time.

    The words behind the result, or else a header, may say which of them.
    """
    if _HALF.search(text):
        return (End(Termination.AGREEMENT),)
    if (found := _RESULT.search(text)) and {int(found[1]), int(found[2])} == {0, 1}:
        loser = position.sides[int(found[1]) > int(found[2])]
        reason = in_english(text[found.end() :]).strip(" .,;:!()-") or header
        told = [how for how, said in _REASONS.items() if re.fullmatch(said, reason, re.IGNORECASE)]
        return tuple(End(how, loser) for how in told or _REASONS)
    return ()


def result_told(facts: NoteFacts, scores: Sequence[str]) -> dict[str, int] | None:
    """The points that a header names, by who has them; None if it names no points."""
    numbers = [int(number) for number in re.findall(r"(?<![\w/])\d{1,4}(?![\w/])", facts.texts.get("result", ""))]
    return dict(zip(scores, numbers, strict=True)) if len(numbers) == len(scores) else None
