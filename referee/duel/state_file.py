"""A player's side of a duel as the text of a file, which is secret because it has the seed of their key."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from referee.duel.armour import unarmoured
from referee.duel.exchange import CheatProof, begun, is_of, read_all
from referee.duel.message import DuelMessage, message_of
from referee.duel.player import Duel, duel_signer
from referee.errors import FileError, RefereeError
from referee.game.file.document import unreadable

LARGEST_STATE = 8 << 20
"""Maximum bytes of the file of a duel."""

_FORMAT = "referee duel 1"
_SEED = re.compile("[0-9a-f]{64}")
_CODE = re.compile("[a-z][a-z-]{0,40}")
_NAMES = ("format", "seat", "seed", "name", "sealed", "messages", "early", "proofs")


def state_text(duel: Duel) -> str:
    """A duel as the text of its file."""
    exchange = duel.exchange
    data = {
        "format": _FORMAT,
        "seat": duel.seat,
        "seed": duel.seed.hex(),
        "name": duel.name,
        "sealed": duel.sealed,
        "messages": [one.armour for one in exchange.messages],
        "early": [one.armour for one in exchange.early],
        "proofs": [
            {"code": proof.code, "messages": [one.armour for one in proof.messages]} for proof in exchange.proofs
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def duel_from(text: str, file: str) -> Duel:
    """The duel of a file, whose messages are all judged again; FileError `duel-file` for a damaged file."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not _has_form(data):
        raise _broken(file, "this is not the file of a duel")
    try:
        opening, *rest = map(_message, data["messages"])
        taken = read_all(begun(opening), enumerate(rest, 2))
        early, proofs = tuple(map(_message, data["early"])), tuple(map(_proof, data["proofs"]))
    except (RefereeError, ValueError) as error:
        raise _broken(file, f"the messages in this file do not hold: {error}") from None
    exchange = replace(taken.exchange, own=data["seat"], early=early, proofs=proofs)
    duel = Duel(exchange, bytes.fromhex(data["seed"]), data["sealed"], data["name"])
    kept = (*early, *(one for proof in proofs for one in proof.messages))
    is_own = exchange.key(duel.seat) in (None, duel_signer(duel.seed).public)
    if taken.remarks or not is_own or not all(is_of(exchange, one) for one in kept):
        raise _broken(file, "the messages in this file do not belong together")
    return duel


def _has_form(data: Any) -> bool:  # noqa: ANN401 - any JSON
    """True if data have the names and types of a file."""
    return (
        isinstance(data, dict)
        and data.keys() == set(_NAMES)
        and data["format"] == _FORMAT
        and type(data["seat"]) is int
        and data["seat"] in (0, 1)
        and all(isinstance(data[name], str) for name in ("seed", "name", "sealed"))
        and _SEED.fullmatch(data["seed"]) is not None
        and all(isinstance(data[name], list) for name in ("messages", "early", "proofs"))
    )


def _message(text: Any) -> DuelMessage:  # noqa: ANN401 - any JSON
    found = list(unarmoured(text)) if isinstance(text, str) else []
    if len(found) != 1 or found[0].raw is None:
        raise ValueError("a message is damaged")
    return message_of(found[0].raw)


def _proof(data: Any) -> CheatProof:  # noqa: ANN401 - any JSON
    names = {"code", "messages"}
    if not isinstance(data, dict) or data.keys() != names or not isinstance(data["messages"], list):
        raise ValueError("a proof is damaged")
    messages = tuple(map(_message, data["messages"]))
    if not isinstance(data["code"], str) or not _CODE.fullmatch(data["code"]) or not messages:
        raise ValueError("a proof is damaged")
    return CheatProof(data["code"], messages)


def _broken(file: str, message: str) -> FileError:
    return unreadable(file, "duel-file", message)
