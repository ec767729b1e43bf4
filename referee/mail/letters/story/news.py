"""Detailed news of a game for one of its sides, and proofs for readers of the log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from referee.desk import ABANDONED, State, events
from referee.desk.play.notices import concerns
from referee.draw import drawing
from referee.draw.words import by_name, capital
from referee.mail.letters.format.blocks import Block, BulletList, Quote
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import quote, whole_sentence
from referee.mail.letters.story.lead import event_sentence
from referee.mail.letters.story.story import Story, as_told, changes, name_of, names_for
from referee.rules import Event

_MOST_CHANGES = 2
"""Maximum changes of a ply in words, the last ones, beside the moves themselves: the board marks them all."""

_SECRET = (events.Submitted, events.Sealed, events.Revealed)
"""Events that are no news once the moves are made."""


def news_points(story: Story, side: str, begun: events.LogEvent | None) -> Iterator[str]:
    """Moves, and other news beyond messages, without a side's own acts and what its letter has `begun` with."""
    made = any(isinstance(entry.event, events.Played) for entry in story.entries)
    offered = any(isinstance(entry.event, events.Offered) and entry.event.side == side for entry in story.entries)
    at_once = story.state.simultaneous
    left_out = (
        events.MessageSent,
        events.Noted,
        *(_SECRET if made else ()),
        *(() if at_once else (events.Followed,)),
    )
    for before, entry, after in story.steps:
        event = entry.event
        if before is not None and isinstance(event, events.Played):
            yield from move_points(event.moves, changes(before, event, after), names_for(after, side), before.game)
            if before.agreed and not after.agreed and not (offered or after.position.outcome):
                yield as_told(after, "news.offer-over")
            continue
        abandoned = isinstance(event, events.Closed) and event.how == ABANDONED  # the letter begins with why it was
        answered = isinstance(event, events.Invited) and story.state.standing(side) != "invited"
        known = abandoned or answered or _is_told(event, begun, story.state)
        if event is not begun and concerns(event, side) and not (known or isinstance(event, left_out)):
            yield event_sentence(before, event, after, side)
        if _ends_plan(before, event, after, side):
            yield phrase("news.plan-over")
        match event:
            case events.Reopened() if before is not None:
                yield phrase("news.reopened-sealed" if before.seals else "news.reopened")
            case events.Closed(unplayed=unplayed):
                for one, sealed in unplayed.items():
                    own = "-own" if one == side else ""
                    yield phrase(f"news.unplayed{own}", name=name_of(after, one), move=quote(sealed["move"]))


def _ends_plan(before: State | None, event: events.LogEvent, after: State, side: str) -> bool:
    """True if something else than the plan itself has ended the plan of a side."""
    kept = before is not None and before.plan(side) is not None and after.plan(side) is None
    return kept and not isinstance(event, events.Planned | events.Spent | events.Closed)


def move_points(
    moves: Mapping[str, str], changed: Sequence[Event], names: Mapping[str, str], game: str
) -> Iterator[str]:
    """Moves, each in notation and in words, and below them other changes."""
    told = [drawing(game).sentence(one) for one in changed]
    told = [*told[: len(moves)], *told[len(moves) :][-_MOST_CHANGES:]]
    for side in (one for one in names if one in moves):
        begins = re.compile(rf"{re.escape(side)}('s)? (?!and )")  # what several did is of none of them alone
        own = [one for one in told if len(moves) == 1 or begins.match(one)]
        told = [one for one in told if one not in own]
        first = own[0].removeprefix(f"{side} ") if own and begins.match(own[0]) else "".join(own[:1])
        more = (whole_sentence(by_name(one.removeprefix(f"{side}'s "), names)) for one in own[1:])
        said = " ".join((by_name(f"{first}.", names), *more))
        sentence = "only" if not own else "made" if first == own[0] else "did"
        yield phrase(f"moved.{sentence}", name=capital(names[side]), move=quote(moves[side]), told=said)
    if told:
        yield " ".join(whole_sentence(by_name(one, names)) for one in told)


def _is_told(event: events.LogEvent, begun: events.LogEvent | None, state: State) -> bool:
    """True for a seat taken by the proposer, or in a game that begins because all seats are taken."""
    if not isinstance(event, events.Joined):
        return False
    return isinstance(begun, events.Opened) or (state.invitation is not None and event.side == state.invitation.by)


def message_blocks(story: Story, side: str) -> Iterator[Block]:
    """The messages of others to a side."""
    for _, entry, after in story.steps:
        match entry.event:
            case events.MessageSent(side=other, text=text) if other != side:
                yield BulletList((phrase("news.writes", name=name_of(after, other)),))
                yield Quote(tuple(text.splitlines()), message=True)


def proof_points(story: Story, side: str) -> Iterator[str]:
    """Keys, commitments, nonces and seeds in the entries; the answer to a side's letter has its own commitment."""
    for before, entry, after in story.steps:
        match entry.event:
            case events.Invited(desk=str(key)) | events.Opened(desk=str(key)) | events.Rekeyed(desk=str(key)):
                yield phrase("proof.desk", key=key)
            case events.Replaced(side=other) if other == side and after.desk is not None:
                yield phrase("proof.desk", key=after.desk)
            case events.Engaged(side=other, level=level, seed=seed) if not after.engines[other].is_program:
                yield phrase("proof.engine", side=other, level=level, seed=seed)
            case events.Disclosed(side=other, seed=seed) if not after.engines[other].is_program:
                name = "engine-left" if after.engines[other].left else "engine-seed"
                yield phrase(f"proof.{name}", side=other, seed=seed)
            case events.Submitted(side=other) | events.Sealed(side=other) as event if other != side:
                yield phrase("proof.other", name=name_of(after, other), commitment=event.commitment)
            case events.Joined(side=other, key=str(key)) | events.Replaced(side=other, key=str(key)) if other != side:
                yield phrase("proof.key", name=name_of(after, other), key=key)
            case events.Keyed(side=other, key=str(key)):
                yield phrase("proof.key-own" if other == side else "proof.key", name=name_of(after, other), key=key)
            case events.Played(nonces=nonces) if before is not None:
                for one in (one for one in before.position.sides if one in nonces):
                    if one in before.engine_sides:  # no letter has reported it so far
                        yield phrase("proof.other", name=name_of(after, one), commitment=before.seals[one].commitment)
                    sentence = "proof.nonce-own" if one == side else "proof.nonce"
                    yield phrase(sentence, name=name_of(after, one), nonce=nonces[one])
            case events.Closed(unplayed=unplayed, secret=secret):
                for one in (one for one in after.position.sides if one in unplayed):
                    move, nonce = quote(unplayed[one]["move"]), unplayed[one]["nonce"]
                    sentence = "proof.unplayed-own" if one == side else "proof.unplayed"
                    yield phrase(sentence, name=name_of(after, one), move=move, nonce=nonce)
                if secret is not None:
                    yield phrase("proof.secret", secret=secret)
