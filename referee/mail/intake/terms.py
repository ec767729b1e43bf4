"""The terms of a clock in everyday words: `3 days a move`, `bank 10 days`, `no clock`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from referee.desk import CLAIM, LOSS

NO_CLOCK = "none"
"""Name of the term for no deadlines."""

_WORDS = ("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {"an": 1, "one": 1, **{word: number for number, word in enumerate(_WORDS, 1)}}
_HOURS = {"h": 1, "d": 24, "w": 168}
"""Hours of a unit, by its first letter."""

_NUMBER = rf"(?P<number>\d{{1,4}}|(?:{'|'.join(_NUMBERS)})(?=[ -]))"
_UNIT = r"[ -]?(?P<unit>hours?|hrs?|h|days?|d|weeks?|w)\b"
_IS = r"(?: of| is|:|=)? ?"
_TURN = r"(?:moves?|turns?|ply|plies|rounds?)\b"
_EACH = r"(?:(?:for )?(?:a|an|per|each|every|one)|/|for)"


def _hours(found: re.Match[str]) -> int:
    unit = found["unit"] or "h"
    return _number(found) * _HOURS[unit[0].lower()]


def _days(found: re.Match[str]) -> int | None:
    """Days of a span that may be in hours; None for a fraction of a day."""
    days, rest = divmod(_number(found) * _HOURS[(found["unit"] or "d")[0].lower()], 24)
    return None if rest else days


def _number(found: re.Match[str]) -> int:
    said = found["number"].lower()
    return int(said) if said.isdigit() else _NUMBERS[said]


def _all_numbers(found: re.Match[str]) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", found["numbers"]))


_BANKED = r"(?:in (?:the )?|of )?bank\b"
_OFF = r"(?:of )?(?:vacation|holidays?|leave)\b"
_SPAN = re.compile(rf"{_NUMBER}{_UNIT}", re.IGNORECASE)
_WAYS: tuple[tuple[str, str, Callable[[re.Match[str]], Any]], ...] = (
    (NO_CLOCK, r"(?:no|without(?: an?| any)?) (?:clocks?|deadlines?|time limits?)\b|untimed\b", lambda _: None),
    ("bank", rf"bank{_IS}{_NUMBER}(?:{_UNIT})?", _hours),
    ("bank", rf"{_NUMBER}{_UNIT} {_BANKED}", _hours),
    ("increment", rf"increment{_IS}{_NUMBER}(?:{_UNIT})?", _hours),
    ("increment", rf"{_NUMBER}{_UNIT} (?:increment\b|(?:more|extra) {_EACH} ?{_TURN})", _hours),
    ("most", rf"most{_IS}{_NUMBER}(?:{_UNIT})?", _hours),
    ("vacation", r"(?:no|without(?: an?| any)?) (?:days of )?(?:vacations?|holidays?|leave)\b", lambda _: 0),
    ("vacation", rf"vacation{_IS}{_NUMBER}(?:{_UNIT})?", _days),
    ("vacation", rf"{_NUMBER}{_UNIT} {_OFF}", _days),
    ("vacation", rf"{_NUMBER}[ -](?:vacation|holiday|leave)[ -](?P<unit>days?|weeks?)\b", _days),
    ("reminders", rf"reminders?{_IS}(?P<numbers>\d{{1,4}}(?:(?:,| and| &)* \d{{1,4}})*)(?: hours?)?", _all_numbers),
    ("timeout", rf"timeout{_IS}(?P<end>{CLAIM}|{LOSS})\b", lambda found: found["end"].lower()),
    ("zone", rf"(?:time ?)?zone{_IS}(?P<zone>[A-Za-z][\w+-]*(?:/[\w+-]+)*)", lambda found: found["zone"]),
    ("days", rf"days{_IS}(?P<number>\d{{1,4}})\b", _number),
    ("days", rf"{_NUMBER}{_UNIT}(?: ?{_EACH} ?{_TURN}| {_TURN})?", _days),
)
"""Phrases for the terms; an earlier one is read first, so that `10 days in the bank` are not days for a move."""


def hours_of(text: str) -> int:
    """The hours of a span such as `3 days`."""
    found = _SPAN.fullmatch(text)
    return _hours(found) if found else 0


def read_terms(text: str) -> tuple[list[tuple[str, Any, str]], str]:
    """The terms of a clock in a text, and the text with a bar for each of them.

    A term has its name in `Terms`, its value, and its fault, if there is no such value.
    """
    found: list[tuple[str, Any, str]] = []
    for name, words, read in _WAYS:
        pattern = rf"(?i)(?<![\w@.-])(?:{words})"
        for match in re.finditer(pattern, text):
            value = read(match)
            wrong = value is None and name != NO_CLOCK
            found.append((name, value, f"the clock counts whole days, not {match[0].strip()}" if wrong else ""))
        text = re.sub(pattern, " | ", text)
    return found, text
