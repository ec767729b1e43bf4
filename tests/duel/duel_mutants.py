"""Transcripts of duels with changes: by strangers, and by players who sign false messages."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from referee.desk import Accept, Claim, MakeMove, OfferDraw, Resign, Reveal, Seal
from referee.duel.armour import armoured
from referee.duel.challenge import Challenge
from referee.duel.message import DuelAct, DuelMessage, Joining
from referee.duel.player import Duel, duel_signer

Messages = list[DuelMessage]
Mutation = Callable[[Messages, tuple[Duel, Duel], random.Random], list[DuelMessage | str]]


def mutant(messages: Messages, players: tuple[Duel, Duel], chance: random.Random) -> str:
    """The text of a transcript after one to three changes."""
    said: list[DuelMessage | str] = [*messages]
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        left = [one for one in said if isinstance(one, DuelMessage)]
        others = [one for one in said if isinstance(one, str)]
        if left:
            said = [*chance.choice(MUTATIONS)(left, players, chance), *others]
    return "\n".join(one if isinstance(one, str) else one.armour for one in said)


def _dropped(messages: Messages, _players: tuple[Duel, Duel], chance: random.Random) -> list[DuelMessage | str]:
    at = chance.randrange(len(messages))
    return [*messages[:at], *messages[at + 1 :]]


def _cut(messages: Messages, _players: tuple[Duel, Duel], chance: random.Random) -> list[DuelMessage | str]:
    return [*messages[: chance.randrange(1, len(messages) + 1)]]


def _shuffled(messages: Messages, _players: tuple[Duel, Duel], chance: random.Random) -> list[DuelMessage | str]:
    return [*chance.sample(messages, len(messages)), chance.choice(messages)]


def _garbled(messages: Messages, _players: tuple[Duel, Duel], chance: random.Random) -> list[DuelMessage | str]:
    at = chance.randrange(len(messages))
    text = messages[at].armour
    place = chance.randrange(len(text))
    return [*messages[:at], f"{text[:place]}{chance.choice('aZ9 -')}{text[place + 1 :]}", *messages[at + 1 :]]


def _flipped(messages: Messages, _players: tuple[Duel, Duel], chance: random.Random) -> list[DuelMessage | str]:
    at = chance.randrange(len(messages))
    raw = bytearray(messages[at].body + bytes.fromhex(messages[at].signature))
    raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return [*messages[:at], armoured(bytes(raw) if raw[0] else bytes(raw[1:])), *messages[at + 1 :]]


def _signed(messages: Messages, players: tuple[Duel, Duel], chance: random.Random) -> list[DuelMessage | str]:
    """One message is another one, signed with the key of its seat, or sometimes of the other one."""
    at = chance.randrange(len(messages))
    one = messages[at]
    changed = chance.choice(CHANGES)(one, messages, chance)
    if isinstance(changed.entrance, Challenge) and (changed.number or changed.seat):
        changed = replace(changed, entrance=None)
    seat = one.seat if chance.random() < 0.9 else 1 - one.seat
    new = changed.signed_by(duel_signer(players[seat].seed))
    return [*messages[:at], *([one] if chance.random() < 0.5 else []), new, *messages[at + 1 :]]


def _usurped(messages: Messages, _players: tuple[Duel, Duel], chance: random.Random) -> list[DuelMessage | str]:
    """A stranger joins with another key, before or after the real player."""
    signer = duel_signer(chance.randbytes(32))
    entrances = [one for one in messages if one.entrance is not None]
    if not entrances:
        return [*messages]
    one = chance.choice(entrances)
    assert one.entrance is not None
    new = replace(one, entrance=replace(one.entrance, key=signer.public)).signed_by(signer)
    at = messages.index(one) + chance.randrange(2)
    return [*messages[:at], new, *messages[at:]]


MUTATIONS: tuple[Mutation, ...] = (_dropped, _cut, _shuffled, _garbled, _flipped, _usurped, *[_signed] * 6)

Change = Callable[[DuelMessage, Messages, random.Random], DuelMessage]


def _acts_of_others(_one: DuelMessage, messages: Messages, chance: random.Random) -> tuple[DuelAct, ...]:
    acts = [act for message in messages for act in message.acts]
    shown = [act for act in acts if isinstance(act, Reveal)]
    odd: list[DuelAct] = [Resign(), OfferDraw(), Accept(), Claim("repetition"), Claim("timeout"), MakeMove("x")]
    odd += [Seal(chance.randbytes(32).hex()), *acts[:1]]
    odd += [MakeMove(act.move) for act in shown[:1]] + [replace(act, move=act.move.lower()) for act in shown[:1]]
    return tuple(chance.choice([*odd, *acts]) for _ in range(chance.randrange(1, 4)))


def _tampered(one: DuelMessage, messages: Messages, chance: random.Random) -> DuelMessage:
    """The same acts with other moves and nonces, or open instead of sealed, and the other way round."""
    moves = [act.text for message in messages for act in message.acts if isinstance(act, MakeMove)]
    moves += [act.move for message in messages for act in message.acts if isinstance(act, Reveal)]

    def other(act: DuelAct) -> DuelAct:
        move = chance.choice(moves or ["x"])
        match act:
            case Reveal(shown, nonce):
                return chance.choice((Reveal(move, nonce), Reveal(shown, nonce[::-1]), Reveal(shown.lower(), nonce)))
            case MakeMove(text):
                seal = Seal(chance.randbytes(32).hex())
                return chance.choice((MakeMove(move), MakeMove(text.lower()), MakeMove(text[:-1]), seal))
            case Seal():
                return MakeMove(move)
            case _:
                return act

    return replace(one, acts=tuple(map(other, one.acts)) or (OfferDraw(), OfferDraw()))


def _entrance(one: DuelMessage, _messages: Messages, chance: random.Random) -> DuelMessage:
    match one.entrance:
        case Challenge():
            some: list[dict[str, object]] = [
                {"name": "Eve"},
                {"name": "x" * 41},
                {"side": "nobody"},
                {"rules": 2},
                {"options": {}},
                {"options": {**one.entrance.options, "columns": 16}},
                {"game": "the-beam"},
                {"game": "chess"},
                {"key": chance.randbytes(32).hex()},
            ]
            changes = chance.choice(some)
            return replace(one, entrance=replace(one.entrance, **changes))  # type: ignore[arg-type]
        case Joining(key):
            return replace(one, entrance=Joining(chance.choice((key, chance.randbytes(32).hex())), "Eve\u202e"[:3]))
    return replace(one, number=one.number + 1)


CHANGES: tuple[Change, ...] = (
    *[_tampered] * 3,
    lambda one, _messages, _chance: replace(one, acts=(*one.acts[:2], OfferDraw(), OfferDraw())),
    lambda one, messages, chance: replace(one, acts=_acts_of_others(one, messages, chance)),
    lambda one, messages, chance: replace(one, acts=(*one.acts[:3], *_acts_of_others(one, messages, chance)[:1])),
    lambda one, messages, chance: replace(one, acts=one.acts[::-1] or (Resign(),)),
    lambda one, _messages, _chance: replace(one, acts=one.acts[:-1] or (OfferDraw(),)),
    lambda one, _messages, chance: replace(one, seen=max(0, one.seen + chance.choice((-2, -1, 1, 2)))),
    lambda one, _messages, chance: replace(one, number=max(1, one.number + chance.choice((-1, 1, 2))), entrance=None),
    lambda one, _messages, chance: replace(one, past=chance.randbytes(32).hex()),
    lambda one, _messages, chance: replace(one, game=chance.randbytes(8).hex()),
    _entrance,
)
