"""A letter of the outbox, written out from its draft and the game's log: the same draft gives the same letter."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from referee.desk import Entry, State
from referee.desk.events import Played
from referee.desk.state import began
from referee.desk.store import Outgoing
from referee.mail.composing.draft import Note, Report, read_draft
from referee.mail.composing.letter import Envelope, Office, to_player, to_stranger
from referee.mail.composing.news import changes, news
from referee.mail.composing.picture import pictured
from referee.mail.desk import Desk
from referee.mail.log import LOG, reason
from referee.rules import Event


def written_out(desk: Desk, letter: Outgoing) -> bytes:
    """The letter as it is handed over, its lines ended as mail wants them."""
    draft, envelope = read_draft(letter.draft), Envelope(letter.id, letter.recipient)
    office = Office(desk.mailbox, desk.settings.name, desk.settings.host, desk.store.key)
    if isinstance(draft, Note):
        return to_stranger(draft, envelope, office)
    story = _story(desk.store.log(letter.game or ""), draft)
    # Whoever is invited to a game that has moves already sees them on the board.
    told = news(story.before, story.entries[:1] if story.before is None else story.entries, draft.side)
    raw = to_player(story.state, draft, told, envelope, office, marks=story.last_ply)
    return _illustrated(raw, story, draft.side, letter.id) if desk.settings.pictures else raw


class _Story(NamedTuple):
    """The entries that a report tells of, the game before and after them, and what its last ply changed."""

    before: State | None
    state: State
    entries: list[Entry]
    last_ply: tuple[Event, ...]


def _story(log: list[Entry], report: Report) -> _Story:
    before, state, last_ply = None, None, None
    for entry in log[: report.number + 1]:
        after = began(entry) if state is None else state.after(entry)
        if state is not None and isinstance(entry.event, Played):
            last_ply = state, entry.event, after
        state = after
        if entry.number == report.since:
            before = state
    assert state is not None
    told = log[report.since + 1 : report.number + 1]
    return _Story(before, state, told, changes(*last_ply) if last_ply else ())


def _illustrated(raw: bytes, story: _Story, side: str, identity: str) -> bytes:
    """The letter with its picture; without one if that is not to be had, for it is never worth a letter."""
    if find_spec("resvg_py") is None:
        return raw
    try:
        return pictured(raw, story.state, side, story.last_ply)
    except Exception as error:
        LOG.warning("%s goes without its picture: %s", identity, reason(error))
        return raw
