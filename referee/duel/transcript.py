"""The transcript of a duel, with all its messages for anyone to check, and its game file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from referee.duel.challenge import Challenge
from referee.duel.exchange import (
    LONGEST_TRANSCRIPT,
    Exchange,
    Taken,
    begun,
    content,
    messages_in,
    no_opening,
    read_all,
)
from referee.duel.message import DuelMessage
from referee.errors import RefereeError, Refusal
from referee.game import AnnotatedMove, End, GameFile, Player
from referee.game.file.gamefile import rounds_of
from referee.rules import Moves

_WIDTH = 60
"""Characters of a message in a line of text."""


def message_lines(messages: Iterable[DuelMessage]) -> Iterator[str]:
    """Messages as lines of text, short enough for mail programs."""
    for message in messages:
        yield from wrap(message.armour, _WIDTH)


def duel_id(exchange: Exchange) -> str:
    """The name of a duel: eight digits of its game's digest."""
    return f"duel-{exchange.course.game[:8]}"


def transcript(exchange: Exchange) -> str:
    """All messages of a duel, each below a line with its acts, and at the end the refused ones; without secrets."""
    lines = [f"{exchange.opening.description.title}, {duel_id(exchange)}: all messages"]
    for kind, messages in (("", exchange.messages), ("refused, ", exchange.refused)):
        for message in messages:
            lines += ["", f"{kind}{exchange.opening.sides[message.seat]} {message.number}: {content(message)}"]
            lines += message_lines([message])
    return "".join(f"{line}\n" for line in lines)


def read_transcript(text: str) -> Taken:
    """The duel whose messages are in a text; RefereeError `too-large`, `no-opening`, or the fault of the opening."""
    if len(text) > LONGEST_TRANSCRIPT:
        raise Refusal("too-large", f"a transcript has at most {LONGEST_TRANSCRIPT:,} characters")
    found = list(messages_in(text))
    wrong: RefereeError = no_opening(found)
    for _, message in found:
        if isinstance(message, DuelMessage) and isinstance(message.entrance, Challenge):
            try:
                exchange = begun(message)
            except RefereeError as error:
                wrong = error
                continue
            rest = [one for one in found if one[1] is not message]
            return read_all(exchange, rest)
    raise wrong


def known_plies(exchange: Exchange) -> Iterator[Moves]:
    """The valid plies with public moves."""
    sides, settlement = exchange.opening.sides, exchange.course.settlement
    plies = settlement.plies if settlement else len(exchange.course.turns) - 1
    for turn in exchange.course.turns[:plies]:
        due = (side for side in turn.position.sides if side in turn.position.to_move)
        yield {side: turn.made[sides.index(side)].move for side in due}


def duel_game(exchange: Exchange) -> GameFile:
    """The public moves, and the end, as a game file."""
    opening, settlement = exchange.opening, exchange.course.settlement
    moves = [AnnotatedMove(move) for ply in known_plies(exchange) for move in ply.values()]
    names = {opening.sides[seat]: exchange.name(seat) for seat in (0, 1)}
    return GameFile(
        opening.game,
        rounds_of(moves, opening.description.moves_per_round),
        rules=opening.rules,
        id=duel_id(exchange),
        players={side: Player(names[side]) for side in opening.description.sides if names[side] != side},
        options=opening.options,
        ending=End(settlement.how, settlement.by) if settlement and settlement.how else None,
    )
