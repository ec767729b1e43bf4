"""The law before a game is opened: proposals, the taking of seats, and the opening itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from referee.desk.law.disclosure import Findings, owing_findings, start_findings
from referee.desk.log import events
from referee.desk.log.bodies import same
from referee.desk.log.events import LogEvent
from referee.desk.log.log import read_time
from referee.desk.state.invitations import Invitation
from referee.desk.state.state import State
from referee.errors import RefereeError, shown
from referee.game import is_text
from referee.rules import Game, Position

LONGEST_WORD = 100
"""Maximum characters of what a player gives to chance."""

LONGEST_INVITATION = timedelta(days=366)

Refusals = Iterator[tuple[str, str, str]]
"""Reasons against an event: the code for an audit, the code for the player, and a sentence."""


def proposal_findings(game: Game, position: Position, event: events.Invited, at: datetime) -> Findings:
    """Faults of a proposed game, beyond its rules and clock."""
    if event.seats.keys() != set(position.sides):
        yield "players", f"the seats are {', '.join(position.sides)}"
    if event.by is not None and event.by not in position.sides:
        yield "side", f"there is no side {shown(event.by)} in this game"
    elif event.by is not None and event.seats.get(event.by) is None:
        yield "invitation", "the player who proposes the game has a name"
    try:
        if not at < read_time(event.until) <= at + LONGEST_INVITATION:
            yield "invitation", f"an invitation lapses within {LONGEST_INVITATION.days} days, and not at once"
    except RefereeError as error:
        yield error.code, error.message
    told = game.chance <= event.options.keys()
    if told and event.secret is not None:
        yield "secret", "nothing is left to chance in this game"
    elif not told and event.secret is None:
        yield "secret", "what the host gives to chance is not promised"
    if told:
        yield from start_findings(game, event.options)


def refusals(state: State, event: LogEvent, at: datetime, by: str | None) -> Refusals:
    """Reasons against an event before the game is opened; `by` is the side that has to join first."""
    invitation = state.invitation
    assert invitation is not None
    match event:
        case events.Joined():
            yield from _joining(invitation, event, by)
        case events.Refused(side=side):
            if side in invitation.joined:
                yield "order", "already-joined", f"{side} has joined already"
            if side in invitation.open:
                yield "order", "order", f"the seat {side} is open to any player, so there is no invitation to decline"
        case events.Left(side=side) | events.Keyed(side=side):
            if side in invitation.missing:
                yield "order", "order", f"no player has joined as {side}"
        case events.Lapsed() if at >= invitation.until:
            pass
        case events.Opened():
            yield from ((code, code, message) for code, message in _opening(state, invitation, event))
        case _:
            yield "order", "not-open", "the game has not begun: not all players have joined yet"


def _joining(invitation: Invitation, event: events.Joined, by: str | None) -> Refusals:
    if event.side in invitation.joined:
        yield "order", "seat-taken", f"{event.side} has a player already"
    if by is not None and event.side != by:
        yield "order", "order", "the player who proposes the game joins first"
    if invitation.seats[event.side] not in (None, event.name):
        yield "invitation", "name", f"the player who was asked to play {event.side} has another name"
    if not is_text(event.name):
        yield "text", "name", f"a player's name is a line of text, not {shown(event.name)}"
    if event.word and (not is_text(event.word) or len(event.word) > LONGEST_WORD):
        yield "text", "word", f"what you give to chance is a line of at most {LONGEST_WORD} characters"


def _opening(state: State, invitation: Invitation, event: events.Opened) -> Findings:
    """Faults of an opening that differs from the proposal or from those who have joined."""
    if invitation.missing:
        yield "order", "not all players have joined"
        return
    terms = None if state.clock.terms is None else state.clock.terms.as_json()
    proposed = (events.LOG_FORMAT, state.game, state.rules, state.title, state.players)
    if (event.log, event.game, event.rules, event.title, event.players) != proposed or not same(event.clock, terms):
        yield "invitation", "this is not the game that was proposed, or others have joined"
        return
    if event.desk != state.desk:
        yield "key", "this is not the key in force"
    if not all(same(event.options.get(name), value) for name, value in state.options.items()):
        yield "invitation", "these are not the options that were proposed"
        return
    yield from _chance(state, invitation, event)


def _chance(state: State, invitation: Invitation, event: events.Opened) -> Findings:
    """Faults of an opening whose options add anything but chance results to the proposal."""
    secret = state.description.secret
    told = frozenset() if invitation.secret is None else state.description.chance
    if event.options.keys() != state.options.keys() | told:
        yield "invitation", "these are not the options that were proposed"
        return
    if secret is not None and invitation.secret is not None and not secret.fits({}, event.options, None):
        yield "known", "what chance decided is not promised"
        return
    try:
        position = state.description.start(event.options)
    except RefereeError as error:
        yield error.code, error.message
        return
    yield from owing_findings(event.owing, position)
