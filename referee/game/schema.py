"""Schemas of files: the kinds of values that their keys can have, and what is wrong with any other value."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.errors import Finding, shown
from referee.game.document import Document, KeyPath
from referee.terminal import join_words


@dataclass(frozen=True, slots=True)
class Misfit:
    """What is wrong at a key, which may be one that is missing."""

    key: KeyPath
    code: str
    message: str
    suggestions: tuple[str, ...] = ()


Schema = Callable[[Any, KeyPath], Sequence[Misfit]]
"""A kind of values: from a value and its key to the faults of that value."""

Reason = Callable[[Any], str | None]
"""Why a value of the right type cannot be; None if it can."""

_MAPPING = "a mapping of keys to values"


def findings(document: Document, faults: Iterable[Misfit]) -> tuple[Finding, ...]:
    """Faults of a document's data as findings with their places."""
    found = ((one, one.key[:-1] if one.code == "missing-key" else one.key) for one in faults)
    return tuple(document.finding(one.code, one.message, key, one.suggestions) for one, key in found)


def anything(_value: object, _key: KeyPath) -> Sequence[Misfit]:
    """Any plain data."""
    return ()


def scalar(of: type, wanted: str, *reasons: Reason) -> Schema:
    """Values of exactly this type against which there is no reason."""

    def faults(value: object, key: KeyPath) -> Sequence[Misfit]:
        if type(value) is not of:
            return _other_type(value, key, wanted)
        for reason in reasons:
            if (why := reason(value)) is not None:
                return (Misfit(key, "wrong-value", f"{key[-1]}: {why}"),)
        return ()

    return faults


TEXT = scalar(str, "text")
FLAG = scalar(bool, "true or false")


def whole(low: float = float("-inf"), high: float = float("inf")) -> Schema:
    """Whole numbers between two bounds, both included."""
    reason = f"expected a number from {low} to {high}"
    return scalar(int, "a whole number", lambda number: None if low <= number <= high else reason)


def one_of(values: Collection[str]) -> Schema:
    """A few named values."""

    def faults(value: object, key: KeyPath) -> Sequence[Misfit]:
        if value in values:
            return ()
        return (Misfit(key, "wrong-value", f"{key[-1]} must be {join_words(values, 'or')}, not {shown(value)}"),)

    return faults


def optional(kind: Schema) -> Schema:
    """A kind, or nothing."""
    return lambda value, key: () if value is None else kind(value, key)


def list_of(kind: Schema) -> Schema:
    """Lists of a kind."""

    def faults(value: object, key: KeyPath) -> Sequence[Misfit]:
        if not isinstance(value, list | tuple):
            return _other_type(value, key, "a list")
        return [fault for place, one in enumerate(value) for fault in kind(one, (*key, place))]

    return faults


def mapping_of(kind: Schema) -> Schema:
    """Mappings of any keys to a kind."""

    def faults(value: object, key: KeyPath) -> Sequence[Misfit]:
        if not isinstance(value, dict):
            return _other_type(value, key, _MAPPING)
        return [fault for name, one in value.items() for fault in kind(one, (*key, name))]

    return faults


def keys(known: Mapping[str, Schema], required: Collection[str] = ()) -> Schema:
    """Mappings of these keys, each to its kind, and of no others."""

    def unknown(name: str, key: KeyPath) -> Misfit:
        from difflib import get_close_matches  # most files do not need it

        message = f"there is no key {shown(name)} here; the keys are: {', '.join(known)}"
        return Misfit((*key, name), "unknown-key", message, tuple(get_close_matches(name, known, 1)))

    def faults(value: object, key: KeyPath) -> Sequence[Misfit]:
        if not isinstance(value, dict):
            return _other_type(value, key, _MAPPING)
        missing = (name for name in required if name not in value)
        found = [Misfit((*key, name), "missing-key", f"the key '{name}' is missing") for name in missing]
        for name, one in value.items():
            found += known[name](one, (*key, name)) if name in known else (unknown(name, key),)
        return found

    return faults


def _other_type(value: object, key: KeyPath, wanted: str) -> Sequence[Misfit]:
    hint = "; put it in quotes" if wanted == "text" and isinstance(value, int | float) else ""
    name = key[-1] if key else "all of it"
    return (Misfit(key, "wrong-type", f"{name} must be {wanted}, not {_said(value)}{hint}"),)


def _said(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {shown(value)}"
        case str():
            return f"the text {shown(value)}"
        case list() | tuple():
            return "a list"
        case _:
            return "a mapping"
