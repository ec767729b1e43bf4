"""The state of a duel in words, and the text to send the player's messages."""

from __future__ import annotations

from collections.abc import Iterator

from referee.duel.course import Owed
from referee.duel.exchange import DuelRemark, Taken, content
from referee.duel.player import Duel, DuelReading, outlook
from referee.duel.transcript import duel_id, message_lines
from referee.rules import Outcome, Position, score_text
from referee.terminal import counted

_KEY = 16
"""Digits of a key for comparison by people."""


def text_to_send(duel: Duel) -> str:
    """The player's unacknowledged messages after a line of explanation, to send by any messenger."""
    title, (side, other) = duel.exchange.opening.description.title, _sides(duel)
    first = f"{title}, {duel_id(duel.exchange)}: round {_round(duel)}, from {side} to {other}."
    if not duel.exchange.chains[1 - duel.seat]:
        first = f"{title}, {duel_id(duel.exchange)}: {side} asks you to play {other}, by messages alone."
    return "".join(f"{line}\n" for line in (first, "Give this text to referee.", *message_lines(duel.unread)))


def link_to_send(duel: Duel, page: str) -> str:
    """The same messages after the address of a page that reads them."""
    return f"{page}#{''.join(message.armour for message in duel.unread)}"


def standing(duel: Duel) -> Iterator[str]:
    """The state of a duel for its player, in sentences."""
    known = outlook(duel)
    exchange, course, (side, other) = known.exchange, known.exchange.course, _sides(duel)
    named = "" if exchange.name(duel.seat) == side else f" ({exchange.name(duel.seat)})"
    yield f"{exchange.opening.description.title}, {duel_id(exchange)}: you play {side}{named}"
    if number := course.ply(exchange.cut):
        made = sorted(course.turns[number - 1].made.items())
        yield "last: " + "; ".join(f"{exchange.opening.sides[seat]} {one.move}" for seat, one in made)
    yield from _whose_turn(known)
    if duel.duty is Owed.REVEAL:
        yield "your sealed move is not revealed yet: that goes along with your next move, or alone"
    if course.settlement is None and course.offered(duel.seat, exchange.cut):
        yield f"{other} has offered a draw"
    if course.settlement is None and (open_to := sorted(course.claims(duel.seat, exchange.cut))):
        yield f"you can claim: {', '.join(open_to)}"
    for proof in exchange.proofs:
        many = "two signed messages" if len(proof.messages) > 1 else "a signed message"
        named = f"{many} {proof.messages[-1].number} of {exchange.opening.sides[proof.seat]}"
        yield f"kept as a proof ({proof.code}): {named}"
    for seat in (0, 1):
        if (key := exchange.key(seat)) is not None:
            yield f"key of {exchange.opening.sides[seat]}: {key[:_KEY]}"


def reading_lines(reading: DuelReading) -> Iterator[str]:
    """The acts of the newly valid messages of a text, a line each."""
    for message in reading.fresh:
        yield f"{reading.duel.exchange.opening.sides[message.seat]} {message.number}: {content(message)}"


def worthwhile_remarks(reading: DuelReading) -> tuple[DuelRemark, ...]:
    """The remarks on a text, without those on repeated messages if it has new ones."""
    return tuple(one for one in reading.remarks if not reading.fresh or one.code != "repeated")


def transcript_lines(taken: Taken) -> Iterator[str]:
    """The state of a transcript, in lines: the number of valid messages, the end, and the players."""
    exchange, course = taken.exchange, taken.exchange.course
    plies = course.settlement.plies if course.settlement else len(course.turns) - 1
    how = outcome_text(course.settlement.outcome) if course.settlement else "the game is running"
    messages = counted(sum(exchange.cut), "message holds", "messages hold")
    yield f"{duel_id(exchange)}: {messages}, {counted(plies, 'ply', 'plies')}; {how}"
    for seat in (0, 1):
        if (key := exchange.key(seat)) is not None:
            yield f"{exchange.opening.sides[seat]}: {exchange.name(seat)}, key {key}"


def is_clean(taken: Taken) -> bool:
    """True if the messages of a transcript have no fault except repetition."""
    return all(one.code == "repeated" for one in taken.remarks)


def last_position(duel: Duel) -> Position:
    """The position as the player knows it, or the final one of a game that is over."""
    known = outlook(duel)
    course = known.exchange.course
    settlement = course.settlement
    return course.turns[settlement.plies if settlement else course.ply(known.exchange.cut)].position


def outcome_text(outcome: Outcome) -> str:
    """The end of a duel, in a sentence."""
    result = f"{outcome.winner} won" if outcome.winner else "no winner"
    return f"over: {result} ({outcome.termination}); {score_text(outcome.score)}"


def _whose_turn(duel: Duel) -> Iterator[str]:
    settlement, (_, other) = duel.exchange.course.settlement, _sides(duel)
    if settlement is not None:
        yield outcome_text(settlement.outcome)
    elif duel.duty is not None:
        yield f"round {_round(duel)}: it is your move"
    elif not duel.exchange.chains[1 - duel.seat]:
        yield f"no player has joined as {other} yet"
    else:
        yield f"round {_round(duel)}: it is {other}'s turn to write"


def _round(duel: Duel) -> int:
    course, size = duel.exchange.course, duel.exchange.opening.description.moves_per_round
    plies = course.turns[: course.ply(duel.exchange.cut)]
    return sum(len(turn.made) for turn in plies) // size + 1


def _sides(duel: Duel) -> tuple[str, str]:
    sides = duel.exchange.opening.sides
    return sides[duel.seat], sides[1 - duel.seat]
