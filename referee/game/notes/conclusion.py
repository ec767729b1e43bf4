"""How the game of some notes ended: in words after its last move, or by the result that they name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.game.ends import BY_A_SIDE, ends_in
from referee.game.gamefile import End
from referee.game.notes.facts import NoteFacts
from referee.game.notes.lines import NoteLine
from referee.game.notes.slots import Statement
from referee.rules import Outcome, Position, Termination

_UNSURE = re.compile(r"\?|\b(?:not|never|if|would|could|don't|won't|didn't|might|until|no)\b", re.IGNORECASE)
_AGREED = re.compile(r"\b(?:accept\w*|agree\w*|drawn)\b|\bdraw\W*$|1/2", re.IGNORECASE)
_OFFERED = re.compile(r"\boffer|\bdeclin|\bthought about|\babout to\b|\bclos\w+ to\b", re.IGNORECASE)
_RESULT = re.compile(r"(?<![\w.-])(\d{1,3}) ?[-:] ?(\d{1,3})(?![\w-])")
_HALF = re.compile(r"1/2")
_SILENT = re.compile(
    r"\b(?:did not|didn't|does not|has not|never) (?:answer|move|reply|write)\w*[^.!?]*?\b(?:time|limit|days?|weeks?)\b",
    re.IGNORECASE,
)
_OBJECT = r"(?!\s+(?:an?|my|your|his|her|their|\w+ (?:piece|mirror|stone)s?|the (?!game|match|party))\b)"
_WINS = re.compile(rf"\b(?:wins?|won)\b{_OBJECT}|\b(?:beats?|defeat(?:s|ed))\b|\bis the winner\b", re.IGNORECASE)
_WIN_FOR = re.compile(r"\b(?:win|victory) for\b|\bwinner\b(?: is| was)?\W*", re.IGNORECASE)
_LOSES = re.compile(rf"\b(?:lost|loses)\b{_OBJECT}", re.IGNORECASE)
_FORFEIT = re.compile(r"\b(?:forfeit(?:s|ed)?|default(?:s|ed)?)\b", re.IGNORECASE)


class Conclusion(NamedTuple):
    """The ends that the notes may speak of, the likeliest first, and the words that say so.

    `against` are other words of the notes that say something else.
    """

    ends: tuple[End, ...] = ()
    text: str = ""
    line: NoteLine | None = None
    against: str = ""


def conclusion(facts: NoteFacts, said: Sequence[Statement], position: Position) -> Conclusion:
    """The end that the words after the last move speak of; none if the moves end the game themselves."""
    if position.outcome is not None:
        return Conclusion()
    header = (facts.end, facts.result)
    told = [Statement(text, NoteLine(text, "", 0), 0, None) for text in header if text]
    together = " ".join(one.text for one in said)
    found = [one for one in _conclusions(facts, [*reversed(said), *told], together, position) if one.ends]
    if not found:
        return Conclusion()
    first = found[0]
    against = next((one.text for one in found if not _agree(first.ends, one.ends)), "")
    return first._replace(against=against)


def _agree(ends: Sequence[End], others: Sequence[End]) -> bool:
    """True if one of two lists of ends leaves a game as one of the other does: lost by the same side, or drawn."""
    return any(one.by == two.by or Termination.REPETITION in (one.how, two.how) for one in ends for two in others)


def _conclusions(
    facts: NoteFacts, said: Sequence[Statement], together: str, position: Position
) -> Iterator[Conclusion]:
    """What each statement says of the end: first in words, then by its result."""
    for one in said:
        yield Conclusion(tuple(_in_words(facts, one, together, position)), one.text, _line(one))
    if len(position.sides) == 2 and not any(position.score.values()):
        for one in said:
            yield Conclusion(_by_result(one.text, position), one.text, _line(one))


def _line(said: Statement) -> NoteLine | None:
    return said.line if said.line.number else None


def _in_words(facts: NoteFacts, said: Statement, together: str, position: Position) -> Iterator[End]:
    """The ends that a statement may speak of; none in a question or where it says that something is not so."""
    text = _SILENT.sub("lost on time", said.text)
    if _UNSURE.search(text):
        return
    loser = _loser(facts.labels, text, said.side, position.sides)
    hows = ends_in(text)
    if Termination.ADJUDICATION in hows:
        is_draw = Termination.AGREEMENT in hows
        yield from [End(Termination.ADJUDICATION, side) for side in ([loser] if loser or is_draw else [None, *position.sides])]
    elif Termination.REPETITION in hows:
        yield from (End(Termination.REPETITION, side) for side in position.sides if position.claims(side))
    elif by_side := [how for how in hows if how in BY_A_SIDE]:
        side = loser or _side_in(facts.labels, text) or said.side
        if side is None and len(position.to_move) == 1:
            (side,) = position.to_move
        yield from (End(by_side[-1], one) for one in ([side] if side else position.sides))
    elif Termination.AGREEMENT in hows:
        if not _OFFERED.search(text) or _AGREED.search(together):
            yield End(Termination.AGREEMENT)
    elif loser or _FORFEIT.search(text):
        sides = [loser] if loser else [_side_in(facts.labels, text) or said.side]
        for side in sides:
            if side is not None:
                yield from (End(Termination.RESIGNATION, side), End(Termination.TIMEOUT, side))


def _loser(
    labels: Mapping[tuple[str, ...], str], text: str, author: str | None, sides: Sequence[str]
) -> str | None:
    """The side of two that lost, if a sentence says who won or who lost."""
    if len(sides) != 2:
        return None
    other = dict(zip(sides, reversed(sides), strict=True))
    for pattern, is_after, has_won in ((_WIN_FOR, True, True), (_WINS, False, True), (_LOSES, False, False)):
        for found in pattern.finditer(text):
            part = text[found.end() :] if is_after else text[: found.start()]
            named = _who(labels, part, author, other, last=not is_after)
            if named is not None:
                return other[named] if has_won else named
    return None


def _who(
    labels: Mapping[tuple[str, ...], str], text: str, author: str | None, other: Mapping[str, str], *, last: bool
) -> str | None:
    """The side that the words nearest to a verb name; `I` and `you` are seen from the author."""
    words = re.findall(r"[^\W_]+", text.casefold())
    near = words[-4:] if last else words[:4]
    for place in reversed(range(len(near))) if last else range(len(near)):
        if author is not None and near[place] in ("i", "we", "you"):
            return other[author] if near[place] == "you" else author
        if side := _label_at(labels, near, place):
            return side
    return None


def _label_at(labels: Mapping[tuple[str, ...], str], words: Sequence[str], place: int) -> str | None:
    for length in (3, 2, 1):
        label = tuple(words[place : place + length])
        if label in labels and len("".join(label)) > 1:
            return labels[label]
    return None


def _side_in(labels: Mapping[tuple[str, ...], str], text: str) -> str | None:
    """The first side that a sentence names, by a name of more than a letter."""
    words = re.findall(r"[^\W_]+", text.casefold())
    return next((side for place in range(len(words)) if (side := _label_at(labels, words, place))), None)


def _by_result(text: str, position: Position) -> tuple[End, ...]:
    """The ends of a game that points do not decide, by a result: the loser resigned, or ran out of time."""
    if _HALF.search(text):
        return (End(Termination.AGREEMENT),)
    if (found := _RESULT.search(text)) and {int(found[1]), int(found[2])} == {0, 1}:
        loser = position.sides[int(found[1]) > int(found[2])]
        return End(Termination.RESIGNATION, loser), End(Termination.TIMEOUT, loser)
    return ()


def speaks_of_end(text: str) -> bool:
    """True if a part of a text says that the game is over, as no question and without `not`, `if` or an offer."""
    parts = re.split(r"(?<=[.!?;,])\s+|\bbut\b|\s-\s", _SILENT.sub("lost on time", text))
    return any(_is_verdict(part) and not (_UNSURE.search(part) or _OFFERED.search(part)) for part in parts)


def _is_verdict(text: str) -> bool:
    return bool(ends_in(text)) or any(one.search(text) for one in (_WINS, _WIN_FOR, _LOSES, _FORFEIT))


def result_told(facts: NoteFacts, scores: Sequence[str]) -> dict[str, int] | None:
    """The points that a header names, by who has them; None if it names no points."""
    numbers = [int(number) for number in re.findall(r"(?<![\w/])\d{1,4}(?![\w/])", facts.result)]
    return dict(zip(scores, numbers, strict=True)) if len(numbers) == len(scores) else None


def score_of(position: Position, outcome: Outcome | None) -> dict[str, int]:
    """The points in the last position."""
    return dict(outcome.score if outcome else position.score)
