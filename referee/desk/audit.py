"""A whole game's log, judged again by somebody who trusts nobody (docs/desk-log.md, "The audit").

It needs only the log, the rules and SHA-256: neither the desk nor its key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.desk import law, log
from referee.desk.automatic import immediate
from referee.desk.disclosure import Findings
from referee.desk.log import Entry, read_entry
from referee.desk.state import State
from referee.errors import Finding, RefereeError

MOST_FAULTS = 1000
"""Maximum findings; the rest of the log is not read."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found: how many entries are valid, what is wrong (by line), and where the game stands after them.

    `behind` is how many entries follow the one whose digest was asked for; None if none was, or it is not there.
    """

    entries: int
    findings: tuple[Finding, ...]
    state: State | None
    behind: int | None = None


def audit(lines: Iterable[str], head: str | None = None) -> Audit:
    """Judge an exported game again: JSON Lines, one entry each, from the first; each is read once and forgotten.

    Digests are checked to the end, the game as far as the first entry that cannot have happened. `head` is a
    digest that one of the entries must have, such as the one that a letter shows: a log that was cut short before
    it has none.
    """
    findings: list[Finding] = []
    state: State | None = None
    last: Entry | None = None
    number, holds, found = 0, 0, 0
    for number, line in enumerate(lines, 1):
        try:
            entry = read_entry(line)
        except RefereeError as error:
            return Audit(holds, (*findings, Finding(error.code, error.message, number)), state)
        wrong = list(log.chain_faults(entry, last))
        if holds == number - 1:
            impossible = list(_findings(state, entry))
            if not impossible:
                state = State.start(entry) if state is None else state.after(entry)
                holds += 1
            wrong += impossible
        findings += [Finding(code, message, number) for code, message in wrong]
        if len(findings) >= MOST_FAULTS:
            return Audit(holds, tuple(findings), state)
        last, found = entry, number if entry.digest == head else found
    if state is not None and not findings and immediate(state) is not None:
        message = "the log is cut short: what has to follow its last entry at once is missing"
        findings.append(Finding("cut", message, number))
    if head is not None and not found:
        message = "no entry has the digest that was asked for: the log is cut short, or is another game's"
        findings.append(Finding("cut", message, number))
    return Audit(holds, tuple(findings), state, number - found if found else None)


def _findings(state: State | None, entry: Entry) -> Findings:
    """What the law says of an entry after the valid ones."""
    if state is None:
        yield from law.first_findings(entry.event, entry.at, entry.came, entry.log)
        return
    for finding, refusal in law.faults(state, entry.event, entry.at, entry.came):
        if finding is not None:
            yield finding, refusal.message
