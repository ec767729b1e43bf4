"""The forms of answers, for the API's own description; spec/positions.md explains them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, RootModel


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class FindingAnswer(_Answer):
    """A finding: its place, its code, a sentence, and suggestions."""

    line: int
    column: int
    code: str
    message: str
    suggestions: list[str]


class ProblemAnswer(_Answer):
    """The refusal of a request (RFC 9457); `findings` has all faults of a file or a text."""

    title: str
    status: int
    detail: str
    code: str
    line: int | None
    column: int | None
    suggestions: list[str]
    findings: list[FindingAnswer]


class CheckAnswer(_Answer):
    """The verdict on a file, as `referee check --format jsonl` prints it."""

    file: str
    ok: bool
    plies: int
    findings: list[FindingAnswer]


class OutcomeAnswer(_Answer):
    """The end of a game."""

    winner: str | None
    how: str
    score: dict[str, int]


class LegalAnswer(RootModel[dict[str, list[str]]]):
    """Side -> its legal moves."""


class PlyAnswer(_Answer):
    """A ply and the position after it, as `referee report --format json` gives it; ply 0 is the start."""

    ply: int
    round: int
    moves: dict[str, str]
    position: dict[str, Any]
    to_move: list[str]
    outcome: OutcomeAnswer | None


class PlayAnswer(_Answer):
    """The ply that was made, the new position as a line of text, and the new game file."""

    ply: PlyAnswer
    position: str | None
    file: str


class AuditAnswer(_Answer):
    """The findings of an audit, and the state of the game after the valid entries.

    `behind` is the number of entries after the head, `recomputed` that of checked moves of engines.
    """

    ok: bool
    entries: int
    game: str | None
    rules: str | None
    plies: int
    outcome: OutcomeAnswer | None
    head: str | None
    behind: int | None
    recomputed: int
    findings: list[FindingAnswer]


class SeatAnswer(_Answer):
    """A side of a desk's game: its player, their duty, and their time."""

    player: str
    standing: str
    commitment: str | None
    key: str | None
    draw: bool
    deadline: str | None
    utc: str | None
    overdue: bool
    bank: int
    away: bool
    vacation: int


class InvitationAnswer(_Answer):
    """An invitation that is not settled yet."""

    by: str | None
    until: str
    open: list[str]
    missing: list[str]


class EngineAnswer(_Answer):
    """An engine in a seat of a game: `promise` binds its seed from the start, and `seed` is public at the end."""

    level: int
    version: int
    promise: str
    left: bool
    seed: str | None


class GameAnswer(_Answer):
    """The public part of a game on the desk; before it is opened it has no position."""

    game: str
    rules: str
    head: str
    ply: int
    round: int
    sides: dict[str, SeatAnswer]
    engines: dict[str, EngineAnswer]
    paused: bool
    invitation: InvitationAnswer | None
    position: dict[str, Any] | None
    outcome: OutcomeAnswer | None
