"""Commands and bare answers in a person's own words, with courtesies around them."""

from __future__ import annotations

import re
from typing import get_args

from referee.desk import acts
from referee.mail.intake.grammar import Said, command_of
from referee.mail.intake.message.phrases import (
    answer_meant,
    command_meant,
    greets,
    is_aside,
    phrases,
    without_lead,
    without_please,
)
from referee.mail.intake.message.text import bare
from referee.mail.intake.requests import Rematch

_CLAUSE = re.compile(r"[^,.!?;:\u3001\u3002]+")
_PIECES = re.compile(r"(?<=[,.!;:])\s+")
_NUMBER = re.compile(r"(?:number |no\.? |option |nr\.? |#)?([1-9])[.)!]?", re.IGNORECASE)
_SIGNS = " ,.!;:"

_MOST_CLAUSES = 6
"""Maximum clauses of a line that is searched for a command; a longer one is prose."""

_HARMLESS: tuple[type, ...] = (*get_args(acts.Show), Rematch, acts.OfferDraw)
"""Commands that a question mark makes no question: they ask for something."""

_COMMANDS = (acts.Accept, acts.Decline, acts.Resign, *_HARMLESS)
"""Commands that may have courtesies around them."""


def plain_command(text: str) -> Said | None:
    """The one command of a line in which everything else is courtesy; None for any other line."""
    clauses = [words.strip() for words in _CLAUSE.findall(text) if words.strip()]
    if len(clauses) > _MOST_CLAUSES:
        return None
    found: set[Said] = set()
    for words in clauses:
        said = command_of(words) or command_of(_command(words))
        if said is not None and isinstance(said, _COMMANDS):
            found.add(said)
        elif not is_aside(words):
            return None
    asks = "?" in text and not all(isinstance(said, _HARMLESS) for said in found)
    return None if asks or len(found) != 1 or _contradicts(found, clauses) else found.pop()


def bare_answer(text: str) -> str:
    """`yes`, `no` or the number of a choice, if a line says nothing else; empty for any other line."""
    if number := _NUMBER.fullmatch(text.strip()):
        return number[1]
    if answer := answer_meant(text.strip(_SIGNS)):
        return answer
    clauses = [words.strip() for words in _CLAUSE.findall(text) if words.strip()]
    if "?" in text or len(clauses) > _MOST_CLAUSES or not all(map(is_aside, clauses)):
        return ""
    found = {answer for words in clauses if (answer := answer_meant(words))}
    return found.pop() if len(found) == 1 else ""


def cores(text: str) -> tuple[str, ...]:
    """A line as a move may be in it: whole, and without courtesies and the words that lead up to a move."""
    whole = bare(text)
    pieces = _PIECES.split(whole)
    while len(pieces) > 1 and is_aside(pieces[0].strip(_SIGNS)):
        del pieces[0]
    while len(pieces) > 1 and is_aside(last := pieces[-1].strip(_SIGNS)) and answer_meant(last) != "no":
        del pieces[-1]
    short = without_please(bare(without_lead(without_please(" ".join(pieces)).rstrip(_SIGNS))))
    return tuple(dict.fromkeys((short, whole)))


def hesitates(text: str, command: Said) -> bool:
    """True if a line with a command that cannot be taken back may mean something else.

    It trails off; it asks another player to resign or whether they want a draw; or it plays on next to an answer.
    """
    clauses = [words.strip().casefold() for words in _CLAUSE.findall(text)]
    match command:
        case acts.Resign() | acts.Withdraw():
            doubted = without_please(bare(text)) != bare(text) or (greets(text) and len(clauses) > 1)
        case acts.OfferDraw():
            doubted = "?" in text
        case _:
            doubted = any(words in phrases("going on") for words in clauses)
    return doubted or text.rstrip(" !").endswith("..")


def _command(words: str) -> str:
    """The command that other words stand for, also where a question mark belongs to them."""
    return "" if answer_meant(words) else command_meant(words) or command_meant(f"{words}?")


def _contradicts(found: set[Said], clauses: list[str]) -> bool:
    """True if the line also says `yes` or `no` to something else."""
    fitting: dict[str, tuple[type, ...]] = {"yes": (acts.Accept, *_HARMLESS), "no": (acts.Decline,)}
    said = {*map(answer_meant, clauses)} - {""}
    return not all(isinstance(command, fitting[answer]) for command in found for answer in said)
