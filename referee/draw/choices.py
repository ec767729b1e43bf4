"""The legal moves of a side as a tree of choices for a page, as data for JSON.

Moves that continue alike share their branches, so that thousands of moves take a few kilobytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, runtime_checkable

from referee.draw import OwnPosition, chair, drawing
from referee.draw.scenes.scene import Point
from referee.draw.scenes.svg import scene_svg
from referee.draw.scenes.target import Composition, Target, Wording
from referee.draw.words import words
from referee.errors import NotationError, Refusal
from referee.notation.moves import continuations
from referee.rules import Event, Move, Moves, Position, game_named
from referee.terminal import join_words


@runtime_checkable
class ComposedDrawing(Protocol):
    """An optional part of a drawing module: the targets on its picture, and the way to each move."""

    def targets(self, position: OwnPosition, *, side: str, view: str) -> Iterable[Target]:
        """The targets of a side's moves, and all else on the board that has a name, in reading order."""

    def composition(self, position: OwnPosition, side: str, move: Any) -> Composition:  # noqa: ANN401
        """The way to a legal move of a side."""


@runtime_checkable
class TrialDrawing(Protocol):
    """An optional part of a drawing module, for games with moves at once, hidden information or no trials."""

    def trial(self, position: OwnPosition, side: str, move: Any) -> Position:  # noqa: ANN401
        """The position with this move alone, without anything that the side does not know."""


def choice_tree(position: Position, side: str, *, view: str | None = None, chooses: bool = True) -> dict[str, object]:
    """Everything that a page needs so that a side can choose a legal move, as data for JSON.

    `view` is the side whose view of the board is shown, by default the side's own. Unless it `chooses` now, the tree
    has the names of the board and no move. The last of the `nodes` is the first step.

    Raises:
        RefereeError: `unknown-side`.
        ValueError: the way that a game gives to a move leads to another one.
    """
    side = chair(position, side)
    view = chair(position, view or side)
    draw, moves = drawing(position.game), position.legal_moves(side)
    ways: Iterable[tuple[Composition, Move]]
    if isinstance(draw, ComposedDrawing):
        found = list(draw.targets(position, side=side, view=view))
        ways = ((draw.composition(position, side, move), move) for move in moves)
    else:
        found, ways = _spelled(position.game, moves)
    tree, shapes = _Tree(found), dict[tuple[Point, ...], int]()
    for way, move in ways if chooses else ():
        tree.add(way, move)
    return {
        "game": position.game,
        "title": game_named(position.game).title,
        "side": side,
        "view": view,
        "targets": [_target_data(one, shapes) for one in found],
        "outlines": list(shapes),
        "wordings": tree.wordings(),
        "nodes": tree.nodes(),
        "moves": tree.moves,
    }


def shown_position(
    position: Position, *, view: str | None = None, events: tuple[Event, ...] = ()
) -> dict[str, object]:
    """A position as a page shows it: picture, words and facts, with marks for the changes of the last ply."""
    scene = drawing(position.game).scene(position, view=chair(position, view), events=events)
    text = "\n".join(words(position, view, events))
    return {"svg": scene_svg(scene), "text": text, "legend": scene.legend, "facts": position.facts()}


def preview(position: Position, side: str, move: Move, *, view: str | None = None) -> dict[str, object] | None:
    """The position after a legal move, in the same form, with marks for the changes.

    None if the game forbids trials, or if several moves are made at once and its drawing has no trial of one alone.
    """
    after = trial(position, side, move)
    if after is None:
        return None
    return shown_position(after, view=view or side, events=position.events({side: move}, after))


def trial(position: Position, side: str, move: Move) -> Position | None:
    """The position after a legal move alone; None where `preview` has none."""
    draw = drawing(position.game)
    if not game_named(position.game).trials:
        return None
    if isinstance(draw, TrialDrawing):
        return draw.trial(position, side, move)
    return position.play_unchecked({side: move}) if len(position.to_move) == 1 else None


def imagined(position: Position, moves: Moves) -> Position:
    """The position after legal moves that a player only imagines, of all sides to move or of one alone.

    It shows nothing that the player does not know, nor what a move does if the game forbids trials.

    Raises:
        Refusal: `no-trials`, if the game forbids them, or such moves alone, and its drawing has none.
    """
    draw = drawing(position.game)
    if len(moves) == 1 and isinstance(draw, TrialDrawing):
        ((side, move),) = moves.items()
        return draw.trial(position, side, move)
    if not game_named(position.game).trials or moves.keys() != position.to_move:
        raise Refusal("no-trials", "this game forbids boards with moves that are not made")
    return position.play_unchecked(moves)


class _Node(NamedTuple):
    """A step: its question, its choices as target and next node, and the wording of a move that ends here."""

    ask: str
    choices: tuple[tuple[int, int], ...]
    wording: int | None


@dataclass(slots=True)
class _Branch:
    """A step while the tree grows."""

    asks: dict[str, None] = field(default_factory=dict)
    next: dict[int, _Branch] = field(default_factory=dict)
    wording: int | None = None


class _Tree:
    """The ways to all moves, each from its first target to its last."""

    def __init__(self, targets: Iterable[Target]) -> None:
        self._targets = list(targets)
        self._numbers = {target.id: number for number, target in enumerate(self._targets)}
        self._wordings: dict[tuple[str, str], int] = {}
        self._root = _Branch()
        self.moves = 0

    def add(self, way: Composition, move: Move) -> None:
        """Add the way to a move; ValueError if it leads elsewhere, or if another move is there."""
        wording, branch = way.wording, self._root
        numbers = [self._numbers[one] for one in way.targets]
        if wording.text.format(*(self._targets[number].text for number in numbers)) != str(move):
            raise ValueError(f"the targets {', '.join(way.targets)} do not give the move {move}")
        for ask, number in zip(wording.asks, numbers, strict=True):
            branch.asks[ask] = None
            branch = branch.next.setdefault(number, _Branch())
        if branch.wording is not None:
            raise ValueError(f"the targets {', '.join(way.targets)} lead to another move than {move}")
        branch.wording = self._wordings.setdefault((wording.text, wording.sentence), len(self._wordings))
        self.moves += 1

    def wordings(self) -> list[dict[str, str]]:
        """The wordings by number."""
        return [{"text": text, "sentence": sentence} for text, sentence in self._wordings]

    def nodes(self) -> list[_Node]:
        """All distinct steps, each after those that it leads to."""
        found: dict[_Node, int] = {}

        def number(branch: _Branch) -> int:
            choices = tuple((target, number(one)) for target, one in branch.next.items())
            node = _Node(join_words(branch.asks, "or"), choices, branch.wording)
            return found.setdefault(node, len(found))

        number(self._root)
        return list(found)


def _placed(outline: tuple[Point, ...], shapes: dict[tuple[Point, ...], int]) -> list[float]:
    """The middle of an outline and the number of its shape around it: most cells of a board are alike."""
    x, y = (round((min(one) + max(one)) / 2, 1) for one in zip(*outline, strict=True))
    shape = tuple((round(right - x, 1), round(down - y, 1)) for right, down in outline)
    return [x, y, shapes.setdefault(shape, len(shapes))]


def _target_data(target: Target, shapes: dict[tuple[Point, ...], int]) -> dict[str, object]:
    """A target without empty values and defaults."""
    place = target.outline and _placed(target.outline, shapes)
    more = {"phrase": target.phrase, "place": place, "beside": target.beside, "sign": target.sign}
    said = {name: value for name, value in more.items() if value}
    return {"id": target.id, "name": target.name, "text": target.text, **said}


def _spelled(game: str, moves: Iterable[Move]) -> tuple[list[Target], list[tuple[Composition, Move]]]:
    """The choices of a game without targets: the words of its notation, one after another."""
    targets: dict[str, Target] = {}
    ways: list[tuple[Composition, Move]] = []
    for move in moves:
        parts, asks = str(move).split(), list[str]()
        for place, word in enumerate(parts):
            expected = _expected(game, " ".join(parts[:place]))
            asks.append(join_words((one.partition(":")[0] for one in expected), "or"))
            name = next((one for one in expected if one.split()[0] == word), word)
            targets.setdefault(word, Target(word, name, word))
        text = " ".join(f"{{{place}}}" for place in range(len(parts)))
        ways.append((Composition(Wording(text, text, tuple(asks)), tuple(parts)), move))
    return list(targets.values()), ways


@lru_cache(maxsize=256)
def _expected(game: str, text: str) -> tuple[str, ...]:
    """The possible continuations of a move, in words; empty after an incomplete word."""
    try:
        return continuations(game, text)
    except NotationError:
        return ()
