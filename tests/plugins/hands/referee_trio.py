"""Trio, cards for three: twelve are dealt, in each round all play one at once, and the highest wins the round."""

from __future__ import annotations

import hashlib
import random
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import referee.plugin as api
from referee.plugin import Event, Facts, Frozen, IllegalMove, Label, Made, Move, Outcome, Paint, Position, Scene

SIDES, CARDS = ("amber", "jade", "violet"), range(1, 13)
Hands = Frozen[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Play(Move):
    form = "C {card}"
    card: Annotated[int, "a card: 1 to 12"]


@dataclass(frozen=True, repr=False)
class TrioPosition(Position[Play]):
    """The rounds so far, each with its three cards, and the hands that are known."""

    game = "trio"
    sides = SIDES
    kinds = (Play,)
    rounds: tuple[tuple[int, ...], ...] = ()
    hands: Hands = field(default_factory=Frozen)

    @property
    def to_move(self) -> frozenset[str]:
        return frozenset(SIDES if len(self.rounds) < 4 else ())

    def award(self, winner: str | None = None) -> Frozen[str, int]:
        won = [cards.index(max(cards)) for cards in self.rounds]
        return Frozen({side: won.count(place) for place, side in enumerate(SIDES)})

    @property
    def outcome(self) -> Outcome | None:
        best = [side for side, won in self.award().items() if won == max(self.award().values())]
        return None if self.to_move else Outcome(best[0] if len(best) == 1 else None, "score", self.award())

    def _held(self, side: str) -> list[int]:
        """The hand of a side, or if it is hidden, all cards that could be in it."""
        away = {card for cards in (*self.rounds, *self.hands.values()) for card in cards}
        return [*self.hands.get(side, [card for card in CARDS if card not in away])]

    def _check(self, side: str, move: Play) -> None:
        if move.card not in self._held(side):
            raise IllegalMove("not-held", f"the card {move.card} is not in {side}'s hand")

    def _generate(self, side: str) -> Iterator[Play]:
        yield from map(Play, self._held(side))

    def play_unchecked(self, moves: Mapping[str, Play]) -> TrioPosition:
        cards = tuple(moves[side].card for side in SIDES)
        return TrioPosition((*self.rounds, cards), _without(self.hands, cards))

    def seen_by(self, side: str | None) -> TrioPosition:
        return replace(self, hands=Frozen({one: held for one, held in self.hands.items() if one == side}))

    def facts(self) -> Facts:
        return {"rounds": [*map(list, self.rounds)], "hands": {side: list(held) for side, held in self.hands.items()}}


def _without(hands: Hands, gone: tuple[int, ...]) -> Hands:
    return Frozen({side: tuple(card for card in held if card not in gone) for side, held in hands.items()})


def whole(seed: str, position: Any) -> TrioPosition:  # noqa: ANN401 - any position of the game
    """The position with all hands: as the seed deals them, without the cards on the table."""
    cards = random.Random(f"trio {seed}").sample(CARDS, 12)
    dealt = Frozen({side: tuple(sorted(cards[4 * n : 4 * n + 4])) for n, side in enumerate(SIDES)})
    return TrioPosition(position.rounds, _without(dealt, sum(position.rounds, ())))


def _begin(options: Mapping[str, Any]) -> TrioPosition:
    return whole(options["deal"]["seed"], TrioPosition()) if "seed" in options["deal"] else TrioPosition()


def _known(options: Mapping[str, Any], seed: str, position: Position | None) -> Mapping[str, object]:
    promise = {"commitment": hashlib.sha256(f"trio {seed}".encode()).hexdigest()}
    if options.get("deal", promise).get("commitment") not in (None, promise["commitment"]):
        raise api.OptionError((("deal", "this is the secret of another game"),))
    return {"deal": {**promise, "seed": seed} if position and position.outcome else promise}


def _fits(before: Mapping[str, Any], after: Mapping[str, Any], position: Position | None) -> bool:
    return bool({*after["deal"]} == {"commitment"} and before.get("deal", after["deal"]) == after["deal"])


def board(position: TrioPosition, *, view: str, unicode: bool, events: tuple[Event, ...]) -> list[str]:
    rounds = (f"round {number}: {cards}" for number, cards in enumerate(position.rounds, 1))
    return [f"cards of {', '.join(SIDES)}", *rounds, *map(": ".join, standing(position))]


def standing(position: TrioPosition) -> list[tuple[str, str]]:
    return [(f"{side} holds", " ".join(map(str, held)) or "nothing") for side, held in position.hands.items()]


def sentence(event: Event) -> str:
    return f"{event.side} played {event.move}" if isinstance(event, Made) else ""


def scene(position: TrioPosition, *, view: str, events: tuple[Event, ...] = ()) -> Scene:
    lines = board(position, view=view, unicode=False, events=events)
    labels = tuple(Label((150, 24 + 24 * number), line, 14, ("text",)) for number, line in enumerate(lines))
    return Scene(300, 240, "Trio", "; ".join(lines), labels, {"text": Paint(fill=("#1b1b1b", "#f1f1f1"))})


OPTIONS = (api.Data("deal", Frozen({"seed": "example"}), "how the cards are dealt", lambda deal: None),)
SECRET = api.Secret(lambda: secrets.token_hex(9), _known, _fits, lambda options: "seed" not in str(options), whole)
MODULES = "referee_trio", Path(__file__).parent, "", "", "referee_trio_kit"
GAME = api.Game("trio", "Trio", "us", SIDES, OPTIONS, _begin, *MODULES, api=1, moves_per_round=3, secret=SECRET)
