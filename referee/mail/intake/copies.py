"""Copies of a letter: servers on the way write above each of them, and may change the white space in it."""

from __future__ import annotations

from hashlib import sha256

from referee.mail.intake.letter import Letter

_MARKS = ("message-id", "dkim-signature")
"""Fields whose value is unique to a letter, and the same in every copy of it."""

_MOST_OF_A_NAME = 20
"""Maximum fields of one name that count, the lowest ones: servers on the way add theirs at the top."""


def marks_of(letter: Letter) -> tuple[str, ...]:
    """Digests that only copies of a letter share; none if it has no such field.

    A signature covers its letter as DKIM reads it, so any copy that it fits has the same signature. White space does
    not count.
    """
    fields = ((name, value) for name in _MARKS for value in letter.headers.raw(name)[-_MOST_OF_A_NAME:])
    values = ((name, "".join(value.split())) for name, value in fields)
    return tuple(dict.fromkeys(sha256(f"{name}:{value}".encode()).hexdigest() for name, value in values if value))
