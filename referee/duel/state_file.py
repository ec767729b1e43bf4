"""A player's side of a duel as the text of a file, which is secret because it has the seed of their key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated

from referee.desk.log.bodies import canonical
from referee.duel.armour import unarmoured
from referee.duel.challenge import expect_name
from referee.duel.exchange import CheatProof, begun, read_all, stranger_remark
from referee.duel.message import DuelMessage, message_of
from referee.duel.player import Duel, duel_signer
from referee.errors import RefereeError
from referee.game.file.document import unreadable
from referee.rules.codec import Codecs

LARGEST_STATE = 8 << 20
"""Maximum bytes of the file of a duel."""


@dataclass(frozen=True, slots=True)
class _Proof:
    """A cheat: its code, and the messages that prove it."""

    code: Annotated[str, re.compile("[a-z][a-z-]{0,40}")]
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _File:
    """The names of a file, with its messages as text."""

    format: str
    seat: int
    seed: Annotated[str, re.compile("[0-9a-f]{64}")]
    name: str
    sealed: str
    messages: tuple[str, ...]
    early: tuple[str, ...]
    proofs: tuple[_Proof, ...]


_CODEC = Codecs().of(_File)
_FORMAT = "referee duel 1"


def state_text(duel: Duel) -> str:
    """A duel as the text of its file."""
    exchange = duel.exchange
    file = _File(
        _FORMAT,
        duel.seat,
        duel.seed.hex(),
        duel.name,
        duel.sealed,
        _texts(exchange.messages),
        _texts(exchange.early),
        tuple(_Proof(proof.code, _texts(proof.messages)) for proof in exchange.proofs),
    )
    return json.dumps(_CODEC.write(file), ensure_ascii=False, indent=1) + "\n"


def duel_from(text: str, file: str) -> Duel:
    """The duel of a file, whose messages are all judged again; FileError `duel-file`, or `missing-extra`."""
    try:
        data = json.loads(text)
        canonical(data).encode()  # half of a surrogate pair cannot be written again
    except (ValueError, RecursionError):
        data = None
    if not _CODEC.fits(data) or data["format"] != _FORMAT or data["seat"] not in (0, 1):
        raise unreadable(file, "duel-file", "this is not the file of a duel")
    said: _File = _CODEC.read(data)
    public = duel_signer(bytes.fromhex(said.seed)).public
    try:
        expect_name(said.name)
        opening, *rest = map(_message, said.messages)
        taken = read_all(begun(opening), enumerate(rest, 2))
        early, proofs = tuple(map(_message, said.early)), tuple(map(_proof, said.proofs))
    except (RefereeError, ValueError) as error:
        raise unreadable(file, "duel-file", f"the messages in this file do not hold: {error}") from None
    exchange = replace(taken.exchange, own=said.seat, early=early, proofs=proofs)
    duel = Duel(exchange, bytes.fromhex(said.seed), said.sealed, said.name)
    kept = (*early, *(one for proof in proofs for one in proof.messages))
    is_own = exchange.key(duel.seat) in (None, public)
    if taken.remarks or not is_own or any(stranger_remark(exchange, one) for one in kept):
        raise unreadable(file, "duel-file", "the messages in this file do not belong together")
    return duel


def _texts(messages: Iterable[DuelMessage]) -> tuple[str, ...]:
    return tuple(one.armour for one in messages)


def _message(text: str) -> DuelMessage:
    found = list(unarmoured(text))
    if len(found) != 1 or found[0].raw is None:
        raise ValueError("a message is damaged")
    return message_of(found[0].raw)


def _proof(said: _Proof) -> CheatProof:
    if not said.messages:
        raise ValueError("a proof is damaged")
    return CheatProof(said.code, tuple(map(_message, said.messages)))
