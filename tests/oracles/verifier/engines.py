"""Engines in the seats of a game, as spec/log.md has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import referee
from referee.engine import LEVELS, VERSION, choose
from tests.oracles.verifier.form import Json, hashed, require

BY_PEOPLE = {
    "submitted", "sealed", "ahead", "revealed", "failed", "planned", "played", "offered", "accepted", "declined",
    "resigned", "claimed", "message", "vacation", "gave", "aborted", "keyed", "joined", "refused", "left",
}  # fmt: skip


class Made(NamedTuple):
    """A move of an engine that the log has revealed: its line, its ply, and the position before it."""

    line: int
    ply: int
    position: referee.Position
    side: str
    move: str


class Engines:
    """The engines of a game: their sides, their seals, and their revealed moves and seeds."""

    def __init__(self, game: str, sides: tuple[str, ...]) -> None:
        self.game, self.sides = game, sides
        self.engaged: dict[str, Json] = {}
        self.sitting: set[str] = set()
        self.seeds: dict[str, str] = {}
        self.sealed: set[str] = set()  # whose seal for the ply is an engine's
        self.made: list[Made] = []

    def judge_engaged(
        self, body: Json, seats: Mapping[str, str | None], joined: Mapping[str, Json], *, by_host: bool
    ) -> None:
        """Judge an engine that takes a seat; `by_host` is true if no player proposes the game."""
        side = body["side"]
        require(side not in self.engaged and side not in joined, "order")
        require(seats[side] is not None, "invitation")
        require({*self.engaged, side} != set(self.sides), "order")
        require(0 <= body["level"] <= len(LEVELS) and body["version"] >= 1, "engine")
        require(body["level"] > 0 or by_host, "engine")
        self.engaged[side] = body
        self.sitting.add(side)

    def next_to_seal(self, movers: list[str], sealed: Mapping[str, object]) -> str | None:
        """The engine that has to seal its move before any person acts; `movers` move at once."""
        return next((side for side in movers if side in self.sitting and side not in sealed), None)

    def judge_act(self, entry: Json, side: str, first: str | None) -> None:
        """Judge an act of a person or an engine; `first` is the engine that has to seal its move first."""
        kind = entry["kind"]
        if side in self.sitting:
            require(kind == "submitted" and side == first, "order")
            require(entry["came"] is None, "came")
            self.sealed.add(side)
            return
        require(first is None, "order")
        require(kind != "offered" or {side, *self.sitting} != set(self.sides), "order")
        if kind == "played":
            require(entry.get("came") is None or not self.sitting & set(entry["body"]["moves"]), "came")

    def note(
        self, line: int, ply: int, position: referee.Position, moves: Mapping[str, str], *, at_once: bool
    ) -> None:
        """Note revealed moves: those that were made, or sealed and not made."""
        theirs = self.sealed if at_once else self.sitting
        self.made += [Made(line, ply, position, side, move) for side, move in moves.items() if side in theirs]
        self.sealed = set()

    def untold(self) -> str | None:
        """The next engine whose seed has to be revealed when the game is over."""
        return next((side for side in self.engaged if side not in self.seeds), None)

    def judge_disclosed(self, body: Json) -> None:
        """Judge the revealed seed of an engine."""
        side, seed = body["side"], body["seed"]
        require(side == self.untold(), "order")
        require(hashed("referee engine 1", self.game, side, seed) == self.engaged[side]["seed"], "secret")
        self.seeds[side] = seed

    def wrong(self) -> Iterator[int]:
        """The lines with moves that do not follow from the seeds."""
        for line, ply, position, side, move in self.made:
            engine = self.engaged[side]
            if side in self.seeds and engine["level"] > 0:
                known = engine["version"] == VERSION
                if not known or str(choose(position, side, engine["level"], f"{self.seeds[side]} {ply}")) != move:
                    yield line
