"""A whole game's log, refereed again by somebody who trusts nobody (docs/desk-log.md, "The audit").

Only the log is needed, the rules, and SHA-256: neither the desk nor its key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from referee.desk import events as happened
from referee.desk import log
from referee.desk.consequences import news
from referee.desk.examining import beginning, faults
from referee.desk.log import Entry, read_line
from referee.desk.state import State, began
from referee.errors import Finding, RefereeError
from referee.rules import Position


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit gave: how many entries hold, what is wrong (by line), and where the game stands after them."""

    entries: int
    findings: tuple[Finding, ...]
    state: State | None


def audit(exported: str) -> Report:
    """Referee an exported game again: JSON Lines, one entry each, from the first.

    Digests are checked to the end, the game as far as the first entry that cannot have happened.
    """
    findings: list[Finding] = []
    state: State | None = None
    last: Entry | None = None
    holds = 0
    published: list[tuple[Position, Mapping[str, Any]]] = []
    for number, line in enumerate(exported.removesuffix("\n").split("\n"), 1):
        try:
            entry = read_line(line)
        except RefereeError as error:
            findings.append(Finding(error.code, error.message, number))
            break
        wrong = list(log.faults(entry, last))
        if holds == number - 1:
            impossible = list(beginning(entry) if state is None else faults(state, last, entry))
            if not impossible:
                state = began(entry) if state is None else state.after(entry)
                published.append((state.position, state.options))
                impossible += _chance(state, entry, published)
                holds += 1
            wrong += impossible
        findings += [Finding(code, message, number) for code, message in wrong]
        last = entry
    return Report(holds, tuple(findings), state)


def _chance(
    state: State, entry: Entry, published: list[tuple[Position, Mapping[str, Any]]]
) -> Iterator[tuple[str, str]]:
    """What is wrong with all that was published of what chance decided, once that is known."""
    if not isinstance(entry.event, happened.Closed) or state.description.secret is None:
        return
    secret = entry.event.secret
    if secret is None:
        if any(options != published[0][1] for _, options in published):
            yield "secret", "the game is over, and what chance decided is not told"
    elif not all(_decided(state, secret, *one) for one in published[:-1]):
        yield "secret", "what was told during the game is not what chance decided"


def _decided(state: State, secret: str, position: Position, options: Mapping[str, Any]) -> bool:
    """Whether what was told in a position is all that a secret tells there, and nothing else."""
    try:
        return news(state.description, options, secret, position) is None
    except RefereeError:
        return False
