"""What the host can do to a game, and the time; whatever is refused is raised, and the game is as it was."""

from __future__ import annotations

from typing import assert_never

from referee.desk import events as happened
from referee.desk import requests as asked
from referee.desk.case import Case, Decision, address_name
from referee.desk.consequences import ended
from referee.desk.reopening import refusal
from referee.desk.requests import Answer, Ordered
from referee.desk.state import ABANDONED
from referee.errors import IllegalMove, RefereeError, shown
from referee.game.header import is_address, is_text

MOST_HOURS = 2400
"""So much can be added to a deadline at once."""


def decide(case: Case, request: Ordered) -> Decision:
    """What a request of the host or of the time does; RefereeError if it is refused."""
    if isinstance(request, asked.Tick):
        reminders = tuple(case.state.clock.reminders(case.at))
        return Decision(Answer("ticked", {"reminders": len(reminders)}), reminders)
    if isinstance(request, asked.Reopen):
        return _reopen(case, request.reason)
    if case.state.closed:
        raise IllegalMove("game-over", f"the game is over ({case.state.closed.how})")
    match request:
        case asked.Extend():
            return _extend(case, request)
        case asked.Pause(reason):
            return _pause(case, reason)
        case asked.Resume():
            if not case.state.clock.paused:
                raise IllegalMove("not-paused", "the clocks are running")
            return Decision(Answer("resumed"), (happened.Resumed(),))
        case asked.Adjudicate(by, reason):
            if by is not None:
                _refuse_unknown(case, by)
            end = ended(case.state, "adjudication", by, case.secrets)
            return Decision(Answer("adjudicated"), (happened.Adjudicated(by, _line(reason)), end))
        case asked.Replace():
            return _replace(case, request)
        case asked.Close():
            return Decision(Answer("closed"), (ended(case.state, ABANDONED, None, case.secrets),))
        case _:
            assert_never(request)


def _extend(case: Case, request: asked.Extend) -> Decision:
    owing = case.state.owing
    if request.side is not None:
        _refuse_unknown(case, request.side)
    if not 0 < request.hours <= MOST_HOURS:
        raise RefereeError("hours", f"so many hours more are from 1 to {MOST_HOURS}, not {shown(request.hours)}")
    if request.side is not None and request.side not in owing:
        raise IllegalMove("owes-nothing", f"{request.side}'s clock does not run now")
    sides = sorted(owing) if request.side is None else [request.side]
    events = tuple(happened.Extended(side, request.hours) for side in sides)
    return Decision(Answer("extended", {"sides": sides, "hours": request.hours}), events)


def _pause(case: Case, reason: str) -> Decision:
    if case.state.clock.paused:
        return Decision(Answer("paused", repeated=True))
    return Decision(Answer("paused"), (happened.Paused(_line(reason)),))


def _reopen(case: Case, reason: str) -> Decision:
    if (refused := refusal(case.state)) is not None:
        raise IllegalMove(*refused)
    return Decision(Answer("reopened"), (happened.Reopened(happened.SECOND, _line(reason)),))


def _replace(case: Case, request: asked.Replace) -> Decision:
    _refuse_unknown(case, request.side)
    if not _is_line(request.name):
        raise RefereeError("name", f"a player's name is a line of text, not {shown(request.name)}")
    if request.address is not None and not (_is_line(request.address) and is_address(request.address)):
        raise RefereeError("address", f"{shown(request.address)} is not an e-mail address")
    kept = {} if request.address is None else {address_name(request.side): request.address}
    return Decision(Answer("replaced"), (happened.Replaced(request.side, request.name),), kept)


def _refuse_unknown(case: Case, side: str) -> None:
    if side not in case.state.players:
        raise RefereeError("unknown-side", f"there is no side {shown(side)} in this game")


def _line(reason: str) -> str:
    """A reason as it goes into the log: one line, or nothing."""
    if not reason or _is_line(reason):
        return reason
    raise RefereeError("reason", f"a reason is a line of text, not {shown(reason)}")


def _is_line(text: str) -> bool:
    """Whether it is a line of text that can be written down: no half of a surrogate pair, as file names may have."""
    return is_text(text) and text == text.encode(errors="replace").decode()
