"""A whole game's log, refereed again by somebody who trusts nobody (docs/desk-log.md, "The audit").

Only the log is needed, the rules, and SHA-256: neither the desk nor its key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.desk import log
from referee.desk.examining import beginning, cut, faults
from referee.desk.log import Entry, read_line
from referee.desk.pending import Before
from referee.desk.state import State
from referee.errors import Finding, RefereeError

MOST_FINDINGS = 1000
"""After so many findings the rest of a log is not read."""


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit gave: how many entries hold, what is wrong (by line), and where the game stands after them.

    `behind` is how many entries follow the one whose digest was asked for; None if none was, or it is not there.
    """

    entries: int
    findings: tuple[Finding, ...]
    state: State | None
    behind: int | None = None


def audit(exported: str, head: str | None = None) -> Report:
    """Referee an exported game again: JSON Lines, one entry each, from the first.

    Digests are checked to the end, the game as far as the first entry that cannot have happened. `head` is a
    digest that one of the entries must have, such as the one that a letter shows: a log that was cut short before
    it has none.
    """
    return audited(exported.removesuffix("\n").split("\n"), head)


def audited(lines: Iterable[str], head: str | None = None) -> Report:
    """Referee a game again from its lines, each of them read once and then forgotten."""
    findings: list[Finding] = []
    before: Before | None = None
    last: Entry | None = None
    number, holds, found = 0, 0, 0
    for number, line in enumerate(lines, 1):
        try:
            entry = read_line(line)
        except RefereeError as error:
            return _report(holds, [*findings, Finding(error.code, error.message, number)], before)
        wrong = list(log.faults(entry, last))
        if holds == number - 1:
            impossible = list(beginning(entry) if before is None else faults(before, entry))
            if not impossible:
                before = Before.begun(entry) if before is None else before.after(entry)
                holds += 1
            wrong += impossible
        findings += [Finding(code, message, number) for code, message in wrong]
        if len(findings) >= MOST_FINDINGS:
            return _report(holds, findings, before)
        last, found = entry, number if entry.digest == head else found
    if before is not None and not findings:
        findings += [Finding(code, message, number) for code, message in cut(before)]
    if head is not None and not found:
        message = "no entry has the digest that was asked for: the log is cut short, or is another game's"
        findings.append(Finding("cut", message, number))
    return _report(holds, findings, before, number - found if found else None)


def _report(holds: int, findings: list[Finding], before: Before | None, behind: int | None = None) -> Report:
    return Report(holds, tuple(findings), before.state if before else None, behind)
