"""The printed report of a game as lines of notes: its heading, its moves and its end, without the board."""

from __future__ import annotations

import re

_TITLE = re.compile(r"(?P<title>\S.{0,100}): (?:round \d+, after ply \d+|before the first ply)")
_RESULT = re.compile(r"result\s+(?P<winner>.+?)(?: wins)? \((?P<how>\w+)\)")
_SCORED = re.compile(r"result\s+the (?P<winner>\S+) scored [\d,]+ points?(?: \((?P<how>\w+)\))?")
_FIRST = re.compile(r"1\. ")


def without_board(lines: list[str]) -> list[str]:
    """The lines of a report with empty ones for its board and what is told below; other lines stay as they are."""
    found = _TITLE.fullmatch(lines[0]) if lines else None
    begins = [
        place for place, line in enumerate(lines) if _FIRST.match(line) and place and not lines[place - 1].strip()
    ]
    if found is None or not begins:
        return lines
    head = lines.index("") if "" in lines else 0
    told = next(filter(None, map(_result, lines[head : begins[-1]])), None)
    last = [] if told is None else [_end(told["winner"], told["how"] or "score")]
    return [found["title"], *lines[1:head], *[""] * (begins[-1] - head), *lines[begins[-1] :], *last]


def _result(line: str) -> re.Match[str] | None:
    return _SCORED.fullmatch(line) or _RESULT.fullmatch(line)


def _end(winner: str, how: str) -> str:
    return f"draw by {how}" if winner == "a draw" else f"{winner} wins by {how}"
