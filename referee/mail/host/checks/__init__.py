"""Checks of a desk and its surroundings, with advice to its host.

Every check gives a diagnosis of each thing that it looked at, also if it is well.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """The weight of a diagnosis: all is well, a host may like to know, or something is wrong."""

    OK = "ok"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of a check about something, and what to do unless all is well."""

    about: str
    level: Severity
    says: str
    remedy: str = ""


def well(about: str, says: str) -> Diagnosis:
    """All is well."""
    return Diagnosis(about, Severity.OK, says)


def note(about: str, says: str, remedy: str = "") -> Diagnosis:
    """Something that a host may like to know."""
    return Diagnosis(about, Severity.NOTE, says, remedy)


def wrong(about: str, says: str, remedy: str) -> Diagnosis:
    """Something that a host should put right."""
    return Diagnosis(about, Severity.WRONG, says, remedy)
