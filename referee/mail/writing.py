"""A letter of the outbox, written out from its draft and the game's log: the same draft gives the same letter."""

from __future__ import annotations

from importlib.util import find_spec

from referee.desk import Entry, State
from referee.desk.state import began
from referee.desk.store import Outgoing
from referee.mail.composing.draft import Note, Report, read_draft
from referee.mail.composing.letter import Envelope, Office, to_player, to_stranger
from referee.mail.composing.news import news
from referee.mail.composing.picture import pictured
from referee.mail.desk import Desk
from referee.mail.faults import LOG, reason


def written_out(desk: Desk, letter: Outgoing) -> bytes:
    """The letter as it is handed over, its lines ended as mail wants them."""
    draft, envelope = read_draft(letter.draft), Envelope(letter.id, letter.recipient)
    office = Office(desk.mailbox, desk.settings.name, desk.settings.host, desk.store.key)
    if isinstance(draft, Note):
        return to_stranger(draft, envelope, office)
    before, state, entries = _story(desk.store.log(letter.game or ""), draft)
    # Whoever is invited to a game that has moves already sees them on the board.
    told = news(before, entries[:1] if before is None else entries, draft.side)
    raw = to_player(state, draft, told, envelope, office)
    return _illustrated(raw, state, draft, letter.id) if desk.settings.pictures else raw


def _story(log: list[Entry], report: Report) -> tuple[State | None, State, list[Entry]]:
    """Where the game stood before and after the entries that a report tells of, and those."""
    before, state = None, None
    for entry in log[: report.number + 1]:
        state = began(entry) if state is None else state.after(entry)
        if entry.number == report.since:
            before = state
    assert state is not None
    return before, state, log[report.since + 1 : report.number + 1]


def _illustrated(raw: bytes, state: State, report: Report, identity: str) -> bytes:
    """The letter with its picture; without one if that is not to be had, for it is never worth a letter."""
    if find_spec("resvg_py") is None:
        return raw
    try:
        return pictured(raw, state, report.side)
    except Exception as error:
        LOG.warning("%s goes without its picture: %s", identity, reason(error))
        return raw
