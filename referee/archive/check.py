"""Judging files: game files, bare move lists and archives (JSON Lines), each to one report."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.errors import FileError, Finding
from referee.game import GameFile, loads, loads_moves
from referee.game.document import LARGEST, decode, read_bytes, unreadable
from referee.game.judging import judge
from referee.rules import Outcome, Position

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class FileReport:
    """The verdict on one file; `games` counts the games in it, `summary` says in words how a game stands."""

    file: str
    plies: int = 0
    findings: tuple[Finding, ...] = ()
    unreadable: bool = False
    games: int = 1
    summary: str = ""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def exit_status(self) -> int:
        """0 all well, 1 something is wrong, 2 the file cannot be read."""
        return 2 if self.unreadable else int(bool(self.findings))

    def as_json(self) -> dict[str, object]:
        """The report as `referee check --format jsonl` prints it."""
        findings = [finding.as_json() for finding in self.findings]
        return {"file": self.file, "ok": self.ok, "plies": self.plies, "findings": findings}

    def as_text(self) -> str:
        """The report for people: one line if all is well, else the findings."""
        if self.ok:
            return f"{self.file}: ok, {_count(self.plies, 'ply', 'plies')}{self.summary}"
        return "\n".join(finding.as_text(self.file) for finding in self.findings)


def check_files(
    files: Iterable[str], game: str | None = None, options: Mapping[str, Any] | None = None
) -> Iterator[FileReport]:
    """Judge files one by one; those that cannot be read do not stop the rest.

    Args:
        files: paths; "-" is the standard input.
        game: read every file as a bare move list of this game.
        options: the options of that game.
    """
    for file in files:
        try:
            yield _check_file(file, game, options or {})
        except FileError as error:
            yield FileReport(file, findings=error.findings, unreadable=error.unreadable)


def _check_file(file: str, game: str | None, options: Mapping[str, Any]) -> FileReport:
    if Path(file).suffix == ".jsonl" and game is None:
        return check_archive(file, _lines(Path(file)))
    text = decode(_standard_input() if file == STANDARD_INPUT else read_bytes(Path(file)), file)
    if game is not None:
        return check_game(file, loads_moves(text, game, options, file))
    if Path(file).suffix == ".moves":
        message = "a bare move list does not say its game; say it with --game"
        raise FileError(file, (Finding("unknown-game", message),))
    if _is_archive(text):
        return check_archive(file, iter(text.encode().split(b"\n")))
    return check_game(file, loads(text, file))


def check_game(file: str, game: GameFile) -> FileReport:
    """The report on one game."""
    verdict = judge(game)
    summary = _standing(verdict.position, verdict.outcome)
    return FileReport(file, verdict.plies, verdict.findings, summary=summary)


def check_archive(file: str, lines: Iterator[bytes]) -> FileReport:
    """The report on an archive: a game file as one JSON object on each line; blank lines are passed over."""
    games = plies = 0
    broken = False
    findings: list[Finding] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        games += 1
        try:
            report = check_game(file, loads(decode(line, file), file))
        except FileError as error:
            report = FileReport(file, findings=error.findings, unreadable=error.unreadable)
        broken = broken or report.unreadable
        plies += report.plies
        findings += [replace(finding, line=number, caret=0, excerpt="") for finding in report.findings]
    summary = f" in {_count(games, 'game', 'games')}"
    return FileReport(file, plies, tuple(findings), unreadable=broken, games=games, summary=summary)


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as archive:
            while line := archive.readline(LARGEST + 1):
                if len(line) > LARGEST:
                    message = f"a line of the archive is larger than {LARGEST >> 20} MiB"
                    raise unreadable(str(path), "too-large", message)
                yield line
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise unreadable(str(path), "unreadable", f"the file cannot be read: {reason}") from None


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise unreadable(STANDARD_INPUT, "unreadable", "there is no standard input")
    content = sys.stdin.buffer.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise unreadable(STANDARD_INPUT, "too-large", f"the input is larger than {LARGEST >> 20} MiB")
    return content


def _is_archive(text: str) -> bool:
    lines = [line for line in text[:100_000].split("\n") if line.strip()]
    return len(lines) > 1 and all(line.startswith("{") for line in lines[:2])


def _standing(position: Position, outcome: Outcome | None) -> str:
    """The score, and the winner once there is one, in words."""
    points = ", ".join(f"{side} {n}" for side, n in (outcome.score if outcome else position.score).items())
    if outcome is None:
        return f"; {points}; not over"
    return f"; {points}; {outcome.winner} wins" if outcome.winner else f"; {points}; a draw"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
