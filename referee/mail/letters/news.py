"""What happened to a game, as told to one of its sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from referee.desk import Entry, State, events
from referee.desk.bodies import event_data
from referee.desk.notices import concerns
from referee.desk.state import moves_of
from referee.desk.terms import LOSS
from referee.draw import drawing
from referee.mail.letters.status import cost_of_timeout, verdict
from referee.mail.letters.text import break_lines, fence, items, moment, quote
from referee.rules import Event, Outcome, Termination, game_named, score_text
from referee.terminal import join_words

_SAID: Mapping[type[events.LogEvent], str] = {
    events.Submitted: "{side}'s move is in, and sealed. Its commitment: {commitment}",
    events.Sealed: "{side}'s move is in; {side} has sealed it themselves. Its commitment: {commitment}",
    events.Revealed: "{side} has revealed the sealed move, and it is what was sealed.",
    events.Offered: "{side} offers a draw.",
    events.Accepted: "{side} accepts the draw.",
    events.Declined: "{side} declines the draw.",
    events.Resigned: "{side} resigns.",
    events.Claimed: "{side} claims: {what}.",
    events.Joined: "{name} plays {side}.",
    events.Refused: "{side} declines the invitation.",
    events.Left: "{side} does not want to play after all.",
    events.Lapsed: "The invitation has lapsed: not everybody has accepted it in time.",
    events.Gave: "{side} gives {to} {hours} more hours.",
    events.Aborted: "{side} calls the game off.",
    events.VacationTaken: "{side} is on vacation from {first} to {last}, and their clock is stopped meanwhile.",
    events.Resumed: "The clocks are running again.",
}
"""Events that everybody is told of in the same words."""


def news_lines(before: State | None, entries: Iterable[Entry], side: str) -> list[str]:
    """The entries after a state that a side is told of, each as lines; it knows what it did itself."""
    lines: list[str] = []
    state = before
    for entry in entries:
        after = state.after(entry) if state is not None else None
        if concerns(entry.event, side):
            lines += _event_lines(state, after, entry.event, side)
        state = after
    return lines


def changes(before: State, event: events.Played, after: State) -> tuple[Event, ...]:
    """What a ply changed: letters tell it in words, and mark it on the board."""
    return before.position.events(moves_of(before.game, event.moves), after.position)


def _event_lines(before: State | None, after: State | None, event: events.LogEvent, side: str) -> list[str]:
    match event:
        case events.MessageSent(side=other, text=text):
            return [*items([f"{other} writes:"]), *fence(break_lines(text))]
        case events.Played() if before is not None and after is not None:
            return items(_ply(before, after, event))
        case _:
            return items([_sentence(before, event, side)])


def _ply(before: State, after: State, event: events.Played) -> Iterator[str]:
    """The moves of a ply with the nonces of those that were sealed, and what they changed."""
    sides = before.position.sides
    made = join_words(f"{side} {quote(event.moves[side])}" for side in sides if side in event.moves)
    yield f"Round {after.last_round}, ply {event.ply}: {made}."
    for side in (side for side in sides if side in event.nonces):
        yield f"{side}'s commitment was made with the nonce {event.nonces[side]}"
    told = drawing(before.game)
    for change in changes(before, event, after):
        yield told.sentence(change)


def _sentence(before: State | None, event: events.LogEvent, side: str) -> str:
    match event:
        case events.Opened(game=game, players=players):
            names = join_words(f"{one}: {players[one]}" for one in game_named(game).sides if one in players)
            title = game_named(game).title
            return (
                f"You are invited to a game of {title}: {names}. You are {side}. This referee runs the game by "
                f"e-mail: it takes moves, judges them, and tells everybody what happened."
            )
        case events.Invited():
            title, until = game_named(event.game).title, moment(datetime.fromisoformat(event.until))
            who = event.seats[event.by] if event.by else "The host"
            return (
                f"{who} invites you to a game of {title}. You would be {side}. Write [accept] or [decline] on a line "
                f"of its own; the invitation lapses on {until}."
            )
        case events.Failed(side=other, code=code):
            who = "Your" if other == side else f"{other}'s"
            return f"{who} reveal failed ({code}): that costs what a timeout costs."
        case events.Reminded():
            return _reminder(before, event, side)
        case events.Extended(side=other, hours=hours):
            return f"The host gives {'you' if other == side else other} {hours} more hours."
        case events.Paused(reason=reason):
            return f"The host has stopped all clocks{f': {reason}' if reason else ''}."
        case events.Adjudicated(by=by, reason=reason):
            against = f"against {'you' if by == side else by}" if by else "the game a draw"
            return f"The host has decided {against}{f': {reason}' if reason else ''}."
        case events.Replaced(side=other, name=name):
            if other == side:
                return f"Welcome, {name}: you play {other} in this game from now on."
            return f"{name} plays {other} from now on."
        case events.Closed():
            return "".join(_end(before, event))
        case events.Reopened(reason=reason):
            why = f": {reason}" if reason else ""
            return (
                f"The host has reopened the game{why}. It goes on from the last move made. "
                "Sealed moves and draw offers no longer count, and the time for a move begins again."
            )
        case _:
            return _SAID[type(event)].format(**event_data(event))


def _reminder(before: State | None, event: events.Reminded, side: str) -> str:
    assert before is not None
    due = moment(datetime.fromisoformat(event.deadline).astimezone(before.clock.zone))
    if event.hours:
        return f"A reminder: your time runs until {due}, which is less than {event.hours} hours from now."
    whose = "Your" if event.side == side else f"{event.side}'s"
    return f"{whose} time was over on {due}{_claim_text(before, event, side)}."


def _claim_text(before: State, event: events.Reminded, side: str) -> str:
    """What can be claimed because of a side's timeout: nothing if others are out of time, too."""
    terms, due = before.clock.terms, datetime.fromisoformat(event.deadline)
    if terms is None or terms.timeout == LOSS or before.clock.overdue(due).keys() - {event.side}:
        return ""
    return f"; {cost_of_timeout(before.description, terms.timeout, mine=event.side == side)}"


def _end(before: State | None, event: events.Closed) -> Iterator[str]:
    assert before is not None
    score = {one: event.score[one] for one in before.description.scores if one in event.score}
    outcome = Outcome(event.winner, Termination(event.how), score)
    counted = "" if before.description.scored else f"; {score_text(score)}"
    yield f"The game is over ({event.how}): {verdict(before.description, outcome)}{counted}."
    for side in (side for side in before.position.sides if side in event.unplayed):
        unplayed = event.unplayed[side]
        yield f" Sealed but never made: {side} {quote(unplayed['move'])}, nonce {unplayed['nonce']}."
    if event.secret is not None:
        yield f" What chance decided came from the seed {event.secret}"
