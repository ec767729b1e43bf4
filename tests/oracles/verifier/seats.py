"""The players of seats by their numbers, and the seat and ply of each letter (spec/log.md, "Addresses of seats")."""

from __future__ import annotations

import json
from typing import NamedTuple

from tests.oracles.verifier.beginning import SIDES
from tests.oracles.verifier.form import Json


class Seat(NamedTuple):
    """The seat, its player's number, the ply and the number of ends with which the address of a letter was made."""

    letter: str
    side: str
    holder: int
    ply: int
    ends: int


def seats_of(text: str) -> list[Seat]:
    """The seats to whose addresses the letters of a log were written, by the first act of each for its side.

    Letters that may name no seat, or that of an earlier ply, are left out.
    """
    entries = [json.loads(line) for line in text.splitlines()]
    sides = SIDES[entries[0]["body"]["game"]]
    holders, given_up = dict.fromkeys(sides, 0), set[str]()
    found: dict[tuple[str, str], Seat] = {}
    ply, ends, is_open = 1, 0, False
    asked = entries[0]["body"].get("seats", {})
    for entry in entries:
        kind, body = entry["kind"], entry["body"]
        side = _side_of(body)
        if entry["came"] and is_open and kind not in ("message", "vacation"):
            letter = entry["came"]["letter"]
            found.setdefault((letter, side), Seat(letter, side, holders[side], ply, ends))
        match kind:
            case "opened":
                is_open = True
            case "played":
                ply += 1
            case "replaced":
                holders[side] += 1
            case "left" if asked[side] is None:
                given_up.add(side)
                holders[side] += 1
            case "joined" if side in given_up:
                holders[side] += 1
            case "closed" if is_open:
                ends += 1
                holders = {one: number + 1 for one, number in holders.items()}
    return [*found.values()]


def _side_of(body: Json) -> str:
    """The side that acts, if one does."""
    return body.get("side") or next(iter(body.get("moves", {})), "")
