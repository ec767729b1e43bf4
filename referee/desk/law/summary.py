"""Results of an audit, and of a game, in lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from referee.desk.law.audit import Audit
from referee.desk.law.disclosure import dealt_alone
from referee.desk.state.engagements import reads_as_engine
from referee.desk.state.state import State
from referee.engine.levels import level_text
from referee.rules import Outcome, team_text
from referee.terminal import Pen, counted, plain_pen, visible

UNSIGNED = "no player has signed the beginning of this log: by itself it proves nothing about people"
"""The sentence about a game that no player is known to have agreed to."""


def audit_lines(report: Audit, name: str, *, heads: bool = False, pen: Pen = plain_pen) -> Iterator[str]:
    """The findings of an audit, the valid entries and the game; `heads` if letters' log heads were compared."""
    for finding in report.findings:
        yield finding.as_text(name, pen)
    if (state := report.state) is not None:
        how = end_text(state.outcome) if state.outcome else "the game is running"
        yield f"{state.id}: {_held(report)}, {counted(len(state.plies), 'ply', 'plies')}; {how}; head {state.head}"
        if state.origin is None:
            yield UNSIGNED
        yield from _engines(state)
        if dealt_alone(state):
            alone = "opened this game and drew what chance decides: no player had a part in it"
            last = "knew the word of the only player before drawing what chance decides"
            yield f"the host {alone if state.origin is None else last}"
        if report.recomputed:
            moves = counted(report.recomputed, "move of an engine follows", "moves of engines follow")
            yield f"{moves} from the seed that was promised before the first move"
        if report.by_programs:
            moves = counted(report.by_programs, "move of a program was", "moves of a program were")
            yield f"{moves} not computed again: only the host's word says what plays there"
    if report.behind is not None:
        more = counted(report.behind, "entry", "entries") if report.behind else "no entry"
        yield f"the letter's log head is in the log, and {more} came later"
    if heads:
        are = counted(report.shown, "log head of the letters is", "log heads of the letters are")
        yield f"{are} in the log"
    if report.ignored:
        are = counted(report.ignored, "quoted log head does not count", "quoted log heads do not count")
        yield f"{are}: no key of this log has signed it, so anyone can have written it"
    if report.unproven:
        proves = counted(report.unproven, "log head proves nothing", "log heads prove nothing")
        whose = "its letter" if report.unproven == 1 else "their letters"
        ours = f"compare the key in your first letter with that of this log, {report.key}"
        look = ours if report.key else "this log names no key"
        yield f"{proves}, because the desk has not signed {whose}, and the log has another history: {look}"


def _engines(state: State) -> Iterator[str]:
    """Lines that name the engines, and the people whose names suggest one."""
    for side, engine in state.engines.items():
        what = "a program of the host's" if engine.is_program else f"an engine of level {level_text(engine.level)}"
        if engine.left:
            name = visible(state.players[side])
            yield f"{side} was {what}, until a person took its seat, called {name}"
        else:
            yield f"{side} is {what}"
    for side, name in state.players.items():
        if side not in state.engines and name is not None and reads_as_engine(name):
            yield f"{side} is a person, though called {visible(name)}"


def end_text(outcome: Outcome) -> str:
    """The end of a game on one line, as `status` and `audit` print it."""
    said = team_text(outcome.score) or f"{outcome.winner or 'nobody'} won"
    return f"over: {said} ({outcome.termination})"


def _held(report: Audit) -> str:
    """The validity of a log; one with findings is not valid, however far its game could be followed."""
    if report.whole and report.findings:
        return "the log agrees with itself, but not with the letters"
    if report.findings:
        return f"this log is NOT valid: line {report.findings[0].line} is the first that is wrong"
    return counted(report.entries, "entry is valid", "entries are valid")
