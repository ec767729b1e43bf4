"""A game on the page, from JSON to JSON; the page holds its file and the plies to the shown position.

Only positions are cached here, so that a step does not replay the whole game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from referee.draw import drawing, scene_of
from referee.draw.choices import choice_tree, preview, shown_position
from referee.draw.lessons import alt_of, shown_steps
from referee.draw.scenes.chart import meaning, value_curve
from referee.draw.scenes.svg import scene_svg, stylesheet
from referee.draw.text import ending_text
from referee.errors import RefereeError
from referee.game import (
    AnnotatedMove,
    GameFile,
    Player,
    Ply,
    dumps,
    loads,
    loads_moves,
    new_game,
    rounds_of,
    without_addresses,
    zeroth_ply,
)
from referee.game.continuation import rejoined
from referee.game.file.gamefile import Variation
from referee.game.valuations import opinions
from referee.notation.lesson import lesson_of
from referee.notation.moves import parse_move
from referee.rules import GAMES, Event, Game, Move, Moves, Option, Position, game_named, movers, score_text
from referee.rules.description import FLIP, Data, Number, value_names

Plies = Sequence[Mapping[str, str]]
"""Plies, each as side -> move."""

PageData = dict[str, Any]

_Path = tuple[tuple[tuple[str, str], ...], ...]
_REMEMBERED = 4096


def game_list() -> PageData:
    """The games with their sides, options and examples."""
    return {"games": [_description(name) for name in GAMES]}


def _description(name: str) -> PageData:
    game = game_named(name)
    return {
        "name": name,
        "title": game.title,
        "sides": game.sides,
        "options": [_option(game, one) for one in game.options if not isinstance(one, Data) or one.names],
        "examples": sorted(file.stem for file in game.examples.glob("*.yaml")),
    }


def _option(game: Game, one: Option) -> PageData:
    common = {"name": one.name, "says": one.says, "default": one.default}
    if isinstance(one, Number):
        return {**common, "low": one.low, "high": one.high}
    return {**common, "values": (*value_names(one), *((FLIP,) if game.takes_flip(one) else ()))}


def example_file(game: str, name: str) -> PageData:
    """The text of an example."""
    found = {file.stem: file for file in game_named(game).examples.glob("*.yaml")}
    if name not in found:
        raise RefereeError("unreadable", f"there is no example {name!r}")
    return {"text": found[name].read_text(encoding="utf-8")}


def game_lesson(game: str) -> PageData:
    """The first lesson of a game with its pictures, how its moves are written, and its rules."""
    description = game_named(game)
    lesson = lesson_of(description, {})
    steps = [
        {
            "title": step.title,
            "says": step.says,
            "svg": scene_svg(scene_of(ply, ply.position.sides[0])),
            "alt": alt_of(ply),
        }
        for step, ply in shown_steps(description)
    ]
    forms = [{"write": form.write, "says": form.says} for form in lesson.forms]
    return {
        "title": description.title,
        "steps": steps,
        "forms": forms,
        "rules": lesson.parts,
        "credit": lesson.credit,
    }


def begun_file(game: str, options: Mapping[str, object], players: Mapping[str, str]) -> PageData:
    """A new game, and its secret if it has one: then the page is the referee."""
    description = game_named(game)
    chosen = {**options, **description.flips(options)}
    secret = None
    if description.secret is not None:
        secret = description.secret.draw()
        chosen |= description.secret.known({}, secret, None)
    seats = {side: Player(name) for side, name in players.items() if name.strip()}
    return {"file": dumps(new_game(game, chosen, seats)), "secret": secret}


def opened_file(text: str, name: str = "", game: str | None = None) -> PageData:
    """A game in a file, or in a bare move list of a game: its plies, variations and canonical text."""
    found = loads(text, name) if game is None else loads_moves(text, GameFile(game, file=name))
    return {
        "file": dumps(found),
        "game": found.game,
        "title": found.description.title,
        "players": {side: one.name for side, one in found.players.items()},
        "id": found.id,
        "line": [_texts(ply.moves) for ply in found.replay()],
        "variations": [*map(_branch, found.lines)],
    }


def _branch(line: GameFile) -> PageData:
    """A variation and its own ones, for the page: the number of its first ply, and its plies."""
    first = line.first_own_ply
    own = [_texts(ply.moves) for ply in line.plies[first - 1 :]]
    return {"ply": first, "plies": own, "variations": [*map(_branch, line.lines)]}


def written_file(file: str, line: Plies, variations: Sequence[PageData], secret: str | None = None) -> PageData:
    """The game with another line of moves and other variations; unchanged moves keep their marks and comments.

    A variation has the number of its first ply, its plies, and its own variations.
    """
    game = _game(file)
    old = _moves_tree(game)
    game = replace(_with_line(game, line, old), variations=())
    if secret is not None and game.description.secret is not None:
        known = game.description.secret.known(game.options, secret, _position(file, line))
        game = replace(game, options={**game.options, **known})
    text = dumps(_with_variations(game, old, line, variations))
    list(loads(text).replay())
    return {"file": text}


def _with_variations(game: GameFile, old: _MovesTree, line: Plies, variations: Sequence[PageData]) -> GameFile:
    """A game along a line with variations, which keep the marks and comments that old lines have on their moves."""
    found: list[Variation] = []
    for one in variations:
        plies = [*line[: one["ply"] - 1], *one["plies"]]
        varied = _with_line(game.variation(one["ply"]), plies, old)
        found += rejoined(_with_variations(varied, old, plies, one["variations"])).variations
    return replace(game, variations=tuple(found))


def shown_board(
    file: str, plies: Plies, side: str | None = None, view: str | None = None, *, chooses: bool = True
) -> PageData:
    """The position of a game file after some plies, as the page shows it.

    `side` chooses a move if it `chooses` now; by default it is the first that owes one. `view` is the side whose view
    of the board is shown, by default the same.
    """
    game, position = _game(file), _position(file, plies)
    # All plies of the file have its end.
    whole = [move for ply in plies for move in ply.values()] == [str(one.move) for one in _noted(game)]
    over = game.outcome_at(position) if whole else position.outcome
    due = () if over else movers(position)
    chooser = side or next(iter(due), position.sides[0])
    events: tuple[Event, ...] = ()
    if plies:
        events = _position(file, plies[:-1]).events(_moves_of(game, plies[-1]), position)
    draw = drawing(position.game)
    return {
        "board": shown_position(position, view=view or chooser, events=events),
        "tree": choice_tree(position, chooser, view=view or chooser, chooses=chooses),
        "style": stylesheet(draw.scene(position, view=view or chooser)),
        "curve": _curve(file, plies),
        "side": chooser,
        "sides": position.sides,
        "due": due,
        "happened": [f"{draw.sentence(event)}." for event in events],
        "standing": [*draw.standing(position)],
        "score": score_text(over.score if over else position.score),
        "over": ending_text(over, position.sides) if over else None,
    }


def _curve(file: str, plies: Plies) -> PageData | None:
    """The values in the file's comments as a curve, and an engine's opinion of the last of these plies.

    None without values, and for plies that are not in the file.
    """
    line, number = _line(file), len(plies)
    if [_texts(ply.moves) for ply in line[1 : number + 1]] != [dict(ply) for ply in plies]:
        return None
    if (scene := value_curve(line, number)) is None:
        return None
    return {
        "title": scene.title,
        "svg": scene_svg(scene, name="values"),
        "style": stylesheet(scene, name="values"),
        "meaning": meaning(_game(file).description),
        "opinions": opinions(line[number]),
    }


def tried_move(file: str, plies: Plies, side: str, move: str, view: str | None = None) -> PageData:
    """The board after a move; None if the game forbids that."""
    position = _position(file, plies)
    return {"board": preview(position, side, position.parse(side, move), view=view or side)}


def typed_move(file: str, plies: Plies, side: str, text: str) -> PageData:
    """The legal move in a text; or the column of its fault, the reason, and moves to try."""
    try:
        return {"move": str(_position(file, plies).parse(side, text))}
    except RefereeError as error:
        column = error.span.column if error.span else 1
        return {"column": column, "message": error.message, "suggestions": error.suggestions}


def exported_file(file: str, form: str, view: str | None = None) -> PageData:
    """The game without addresses as a game file (`yaml`), or its record: a page, a picture, data or text."""
    game = loads(file)
    if form == "yaml":
        return {"text": dumps(without_addresses(game))}
    from referee.draw.record import record  # what draws pictures is not needed before

    return {"text": record(game, form, view=view).decode()}


@lru_cache(maxsize=8)
def _game(file: str) -> GameFile:
    return loads(file)


@lru_cache(maxsize=8)
def _line(file: str) -> Sequence[Ply]:
    return (zeroth_ply(_game(file)), *_game(file).replay())


def _position(file: str, plies: Plies) -> Position:
    path = tuple(tuple(ply.items()) for ply in plies)
    position = _game(file).start()
    for length in range(1, len(path) + 1):
        position = _after(file, path[:length])
    return position


@lru_cache(maxsize=_REMEMBERED)
def _after(file: str, path: _Path) -> Position:
    before = _after(file, path[:-1]) if len(path) > 1 else _game(file).start()
    return before.play({side: parse_move(before.game, text) for side, text in path[-1]})


def _moves_of(game: GameFile, ply: Mapping[str, str]) -> dict[str, Move]:
    return {side: parse_move(game.game, ply[side]) for side in game.description.sides if side in ply}


def _texts(moves: Moves) -> dict[str, str]:
    return {side: str(move) for side, move in moves.items()}


def _noted(game: GameFile) -> list[AnnotatedMove]:
    return [noted for one in game.rounds for noted in one.moves]


class _MovesTree(NamedTuple):
    """The first of several lines that begins with some moves, and the same after each move that follows them."""

    line: GameFile
    after: dict[Move, _MovesTree]


def _moves_tree(game: GameFile) -> _MovesTree:
    tree = _MovesTree(game, {})
    waiting = [game]
    while waiting:
        line, here = waiting.pop(0), tree
        waiting = [*line.lines, *waiting]
        for noted in _noted(line):
            here = here.after.setdefault(noted.move, _MovesTree(line, {}))
    return tree


def _with_line(game: GameFile, line: Plies, old: _MovesTree) -> GameFile:
    """A game along another line; its moves have the marks and comments of the old line that begins most like it."""
    moves, here, same = [move for ply in line for move in _moves_of(game, ply).values()], old, 0
    while same < len(moves) and moves[same] in here.after:
        here, same = here.after[moves[same]], same + 1
    like, noted = here.line, _noted(here.line)
    if moves == [one.move for one in _noted(game)]:
        return game
    size = game.description.moves_per_round
    rounds = rounds_of([*noted[:same], *map(AnnotatedMove, moves[same:])], size)
    commented = tuple(
        one._replace(comments=like.rounds[number].comments) if number * size < same else one
        for number, one in enumerate(rounds)
    )
    closing = like.trailing_comments if like.branch and same == len(noted) == len(moves) else game.trailing_comments
    return replace(game, rounds=commented, trailing_comments=closing, ending=None, result=None)
