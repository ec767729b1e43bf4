"""A position in words: complete, for screen readers and braille, and in short, for the `alt` text of a picture."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping

from referee.draw import SpokenDrawing, chair, drawing
from referee.draw.text import ending_text, turn_text
from referee.rules import Event, Outcome, Position, game_named, score_text

YOU = "you"
"""The name of a reader in their own game; verbs agree with it."""

_AGREED = {"has": "have", "is": "are", "does": "do"}
"""Verbs of a side that have another form after "you"."""

ALT_LENGTH = 250
"""Maximum characters of an `alt` text; screen readers read it in one breath."""


def words(
    position: Position, view: str | None = None, events: Iterable[Event] = (), *, outcome: Outcome | None = None
) -> tuple[str, ...]:
    """All public content of a position as sentences: turn, score, the last ply's changes, and the board.

    The pieces of `view`, by default the first side, come before the others'. `outcome` is the end of the game if the
    moves do not show it, such as a resignation.

    Raises:
        RefereeError: `unknown-side`.
    """
    draw, side = drawing(position.game), chair(position, view)
    spoken: Iterable[str]
    if isinstance(draw, SpokenDrawing):
        spoken = draw.words(position, view=side)
    else:
        spoken = (f"{capital(name)}: {_value(value)}." for name, value in position.facts().items() if name != "score")
    last = (f"Last: {draw.sentence(event)}." for event in events)
    return (f"{game_named(position.game).title}.", *_state(position, outcome), *last, *spoken)


def alt_text(
    position: Position, view: str | None = None, events: Iterable[Event] = (), *, outcome: Outcome | None = None
) -> str:
    """The position in at most 250 characters: view, turn, score, the last ply, and more if it fits; see `words`."""
    draw = drawing(position.game)
    last = "; ".join(map(draw.sentence, events))
    parts = [
        f"{game_named(position.game).title}, as {chair(position, view)} sees it.",
        *_state(position, outcome),
        *([f"Last: {last}."] if last else []),
        *(f"{capital(heading)}: {text}." for heading, text in draw.standing(position)),
    ]
    return textwrap.shorten(" ".join(parts), ALT_LENGTH, placeholder=" ...")


def by_name(text: str, names: Mapping[str, str]) -> str:
    """A sentence about sides, with the names of their players; verbs agree with "you"."""
    if not names:
        return text

    def named(found: re.Match[str]) -> str:
        name, own, verb = names[found["who"]], found["own"], found["verb"] or ""
        if name != YOU:
            return f"{name}{own or ''}{verb and f' {verb}'}"
        agreed = _AGREED.get(verb, verb.removesuffix("s"))
        return "your" if own else f"{name}{agreed and f' {agreed}'}"

    who = "|".join(map(re.escape, names))
    return re.sub(rf"(?<!\bthe )\b(?P<who>{who})\b(?:(?P<own>'s)| (?P<verb>[a-z]+s\b))?", named, text)


def _state(position: Position, outcome: Outcome | None) -> Iterator[str]:
    end = outcome or position.outcome
    yield f"Result: {ending_text(end, position.sides)}." if end else f"To move: {turn_text(position)}."
    yield f"Score: {score_text(end.score if end else position.score)}."


def _value(value: object) -> str:
    match value:
        case Mapping():
            return ", ".join(f"{key} {_inner(one)}" for key, one in value.items()) or "none"
        case list() | tuple():
            return ", ".join(map(_inner, value)) or "none"
        case None:
            return "none"
        case _:
            return str(value)


def _inner(value: object) -> str:
    """A value within another one, in parentheses if it has parts itself."""
    return f"({_value(value)})" if isinstance(value, Mapping | list | tuple) else _value(value)


def capital(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return f"{text[:1].upper()}{text[1:]}"
