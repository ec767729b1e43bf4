"""The Beam in words: cards, tasks, discs, barriers, mirrors, the last walk, and what is collected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.rules.the_beam import Place, Slash, TheBeamPosition
from referee.rules.the_beam.deal import ROUNDS
from referee.rules.the_beam.pieces import COLOURS, POINTS, TEAM, BeamWalk
from referee.rules.the_beam.position import ALLOCATING, MIRRORING, player_of
from referee.terminal import counted

_MIRRORS = {Slash.RISING: "rising mirrors (/)", Slash.FALLING: "falling mirrors (\\)"}


def words(position: TheBeamPosition, *, view: str) -> Iterator[str]:
    """The open cards, discs and mirrors, each sentence a line; every player sees the same."""
    texts = (
        f"round {min(position.round, ROUNDS)} of {ROUNDS}",
        cards_text(position),
        tasks_text(position),
        "squares are named by row, then column; the beam enters below row 1",
        *(
            f"{colour} discs, {counted(POINTS[colour], 'point', 'points')} each: {_list(position.discs, colour)}"
            for colour in COLOURS
        ),
        f"barriers below {'; '.join(map(str, sorted(position.barriers)))}",
        *(f"{name}: {_list(position.mirrors, slash)}" for slash, name in _MIRRORS.items()),
        *([walk_text(position.walk)] if position.walk else []),
        collection_text(position),
    )
    return (f"{one[0].upper()}{one[1:]}." for one in texts)


def dealt(first: TheBeamPosition, last: TheBeamPosition) -> Iterator[tuple[str, str]]:
    """The columns of the discs, and the cards of each round so far."""
    yield "discs", "; ".join(f"{colour} {' '.join(map(str, first.deal.discs[colour]))}" for colour in COLOURS)
    cards = (first.deal.cards(number) for number in range(1, min(last.round, ROUNDS) + 1))
    yield "cards", ", ".join(f"{pair[0]}-{pair[1]}" for pair in cards if pair)


def _list(things: Mapping[Place, str], wanted: str) -> str:
    return "; ".join(str(place) for place, thing in sorted(things.items()) if thing == wanted) or "none"


def cards_text(position: TheBeamPosition) -> str:
    """The cards of the round, and their tasks once they are allocated."""
    if position.cards is None:
        return "no cards are left" if position.outcome else "the cards are not turned over yet"
    cards = f"the cards are {position.cards[0]} and {position.cards[1]}"
    if position.allocated is None:
        return cards
    return f"{cards}: the mirror's row is {position.allocated.mirror}, the beam's column {position.allocated.beam}"


def tasks_text(position: TheBeamPosition) -> str:
    """The tasks of the round."""
    if position.round > ROUNDS:
        return "all rounds are played"
    allocates, mirrors = (player_of(task, position.round) for task in (ALLOCATING, MIRRORING))
    return f"{allocates} allocates the cards, {mirrors} does the mirror"


def walk_text(walk: BeamWalk) -> str:
    """The last beam's way."""
    way = " ".join(map(str, walk.path)) or "no square"
    end = "stopped by a barrier" if walk.end == "barrier" else "off the grid"
    return f"the last beam: in at column {walk.column}, {way}, {end}"


def collection_text(position: TheBeamPosition) -> str:
    """The collected discs, in order, and their points."""
    return f"collected: {', '.join(position.collected) or 'nothing'}, {points_text(position)}"


def points_text(position: TheBeamPosition) -> str:
    """The team's points."""
    return counted(position.score[TEAM], "point", "points")
