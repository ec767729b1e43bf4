"""The language of letters: its sentences (english.toml), and forms of numbers, lists, dates and spans of time."""

from __future__ import annotations

import tomllib
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path

LANGUAGE = "en"
"""The language of the sentences, as HTML names it."""


def phrase(name: str, /, **parts: object) -> str:
    """The sentence of a name such as `first.moved`, with its parts; KeyError if it has no such name or part."""
    sentence = sentences()[name]
    if isinstance(sentence, str):
        return sentence.format(**parts)
    number = parts["number"]
    assert isinstance(number, int)
    return sentence["one" if number == 1 else "other"].format(**{**parts, "number": f"{number:,}"})


@cache
def sentences() -> dict[str, str | dict[str, str]]:
    """All sentences by their names; those that depend on a number by their plural forms."""
    data = tomllib.loads(Path(__file__).with_name("english.toml").read_text(encoding="utf-8"))
    return {f"{part}.{name}": sentence for part, named in data.items() for name, sentence in named.items()}


def moment(at: datetime) -> str:
    """A time with its zone, such as `Monday 8 March 2027, 13:00 CET (UTC+01:00)`."""
    offset = at.strftime("%z")
    zone = at.tzname() or "UTC"
    known = "" if zone == "UTC" else f" (UTC{offset[:3]}:{offset[3:5]})"
    return f"{long_day(at)}, {at:%H:%M} {zone}{known}"


def deadline(at: datetime) -> str:
    """A deadline in a sentence, such as `Mon 8 Mar, 13:00 CET`."""
    return f"{short_day(at)}, {at:%H:%M} {at.tzname() or 'UTC'}"


def short_day(at: date) -> str:
    """A day, short enough for a subject: `Mon 8 Mar`."""
    return f"{at:%a} {at.day} {at:%b}"


def long_day(at: date) -> str:
    """A day in a sentence: `Monday 8 March 2027`."""
    return f"{at:%A} {at.day} {at:%B} {at.year}"


def short_deadline(at: datetime) -> str:
    """A deadline for a subject: its day, and the hour if the day has only begun by then."""
    return f"{short_day(at)}, {at:%H:%M}" if (at.hour, at.minute) == (0, 0) else short_day(at)


def span(length: timedelta) -> str:
    """A span of time, its two largest units: `6 days 23 hours`, rounded down."""
    length = max(length, timedelta())
    counts = {"days": length.days, "hours": length.seconds // 3600, "minutes": length.seconds // 60 % 60}
    first, *more = [phrase(f"time.{unit}", number=number) for unit, number in counts.items() if number] or [""]
    if more:
        return phrase("time.both", first=first, second=more[0])
    return first or phrase("time.none")
