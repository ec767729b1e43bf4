"""The score of a game, or its value to an engine, ply by ply, as a small scene; values are in the comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, inf

from referee.draw.scenes.scene import Circle, Label, Paint, Paints, Point, Polyline, Scene, Shape
from referee.game import Ply
from referee.game.valuations import CERTAIN, kept_value
from referee.rules import Game, game_named

_LEAST, _MOST = 3, 10
"""Minimum and maximum points of a curve for a certain win; a team's game has no such bounds."""

_WIDTH, _HEIGHT = 360.0, 150.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 26.0, 64.0, 12.0, 26.0
_CURVES = 4
_TICK = 11.0
"""The height of a number; one that would overlap that of the zero line is left out."""

_INKS = (("#0b57d0", "#8ab4f8"), ("#a14a00", "#ffb870"), ("#137333", "#81c995"), ("#8430ce", "#d7aefb"))
_DASHES: tuple[tuple[float, ...], ...] = ((), (6, 4), (2, 3), (8, 3, 2, 3))
_GREY, _FAINT = ("#3c4043", "#dadce0"), ("#c4c7cc", "#4a4d52")

_PAINTS: Paints = {
    "rule": Paint(stroke=_FAINT, width=1),
    "now": Paint(stroke=_GREY, width=1.5, dash=(1, 4)),
    "curve": Paint(width=2.2),
    "end": Paint(),
    **{f"curve-{n}": Paint(stroke=_INKS[n], dash=_DASHES[n]) for n in range(_CURVES)},
    **{f"end-{n}": Paint(fill=_INKS[n]) for n in range(_CURVES)},
    "tick": Paint(fill=_GREY),
    "name": Paint(bold=True),
}


def chart(scores: Sequence[Mapping[str, float]], title: str = "Score by ply", now: int | None = None) -> Scene:
    """The scores after each ply, that of the start first; the line of class `now` marks one, or the last."""
    names, now = list(scores[0]), len(scores) - 1 if now is None else now
    said = ". ".join(f"{name}: {', '.join(f'{score[name]:g}' for score in scores)}" for name in names)
    return Scene(_WIDTH, _HEIGHT, title, f"{said}.", tuple(_shapes(scores, names, now)), _PAINTS)


def value_curve(plies: Sequence[Ply], now: int | None = None) -> Scene | None:
    """The curve of a game's values, with a mark at ply `now` or at the last; None if no comment has a value.

    The first of the plies is the start of the game.
    """
    if all(kept_value(ply) is None for ply in plies):
        return None
    return chart(list(_points(plies)), "Value by ply", now)


def meaning(game: Game) -> str:
    """The meaning of a game's values, as a sentence."""
    if game.scored:
        return "The points that an engine expects at the end."
    return f"By how many points {game.sides[0]} is better, as an engine sees it."


def step(plies: int) -> float:
    """The distance of neighbouring plies on the chart of a game with this many."""
    return (_WIDTH - _LEFT - _RIGHT) / max(plies, 1)


def _shapes(scores: Sequence[Mapping[str, float]], names: list[str], now: int) -> Iterator[Shape]:
    plies = len(scores) - 1
    top = max(1, *(ceil(max(score.values())) for score in scores))
    low = min(0, *(floor(min(score.values())) for score in scores))

    def at(ply: int, points: float) -> Point:
        return _LEFT + ply * step(plies), _TOP + (top - points) / (top - low) * (_HEIGHT - _TOP - _BOTTOM)

    for points in sorted({low, 0, top}):
        yield Polyline((at(0, points), at(plies, points)), ("rule",))
        if not 0 < abs(at(0, points)[1] - at(0, 0)[1]) < _TICK:
            yield Label((_LEFT - 12, at(0, points)[1]), f"{points:g}", _TICK, ("tick",))
    for ply in sorted({0, plies // 2, plies}):
        yield Label((at(ply, 0)[0], _HEIGHT - _BOTTOM + 14), str(ply), _TICK, ("tick",))
    yield Polyline((at(now, top), at(now, low)), ("now",))
    for number, name in enumerate(names):
        curve = number % _CURVES
        corners = [at(0, scores[0][name])]
        for ply in range(1, plies + 1):
            corners += [at(ply, scores[ply - 1][name]), at(ply, scores[ply][name])]
        yield Polyline(tuple(corners), ("curve", f"curve-{curve}"))
        yield Circle(corners[-1], 3, ("end", f"end-{curve}"))
    yield from _names(names, [at(plies, scores[-1][name]) for name in names])


def _names(names: list[str], ends: list[Point]) -> Iterator[Shape]:
    """Each name next to the end of its curve, none over another."""
    above = -_HEIGHT
    for number, end in sorted(enumerate(ends), key=lambda one: one[1][1]):
        above = max(end[1], above + 14)
        yield Label((end[0] + 34, above), names[number], 12, ("name", f"end-{number % _CURVES}"))


def _points(plies: Sequence[Ply]) -> Iterator[Mapping[str, float]]:
    """The value after each ply, in points, within the bounds of a curve."""
    game, value = game_named(plies[0].position.game), 0
    values = [value := kept if (kept := kept_value(ply)) is not None else value for ply in plies]
    name, highest = (game.scored or game.sides)[0], inf if game.scored else _highest(values)
    for value in values:
        yield {name: max(-highest, min(highest, value / 100))}


def _highest(values: Sequence[int]) -> int:
    """The height of a certain win: a point above every guess, within the bounds."""
    guessed = max((abs(value) for value in values if abs(value) < CERTAIN), default=0)
    return min(_MOST, max(_LEAST, ceil(guessed / 100) + 1))
