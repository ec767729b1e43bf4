"""Amendments to a game file: keys of the header, its end, the last ply taken back, marks and comments."""

from __future__ import annotations

import json
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from referee.errors import FileError, RefereeError, shown
from referee.game.amend.gate import Amendment, Revision, revision
from referee.game.amend.header_lines import key_edit, key_removal
from referee.game.amend.insertion import Edit, moves_edit, rest_of
from referee.game.amend.move_lines import judge_comment, round_line, with_comment, with_mark, without_last
from referee.game.file.document import Document, KeyPath, value_at
from referee.game.file.dumper import as_mapping
from referee.game.file.gamefile import GameFile, Ply, ply_at, with_move
from referee.game.file.judge import Verdict, judge
from referee.game.file.loader import loads
from referee.notation.movelist import parse_move_line
from referee.rules import Frozen, Game

TEXTS = ("id", "date", "event", "start")
"""Keys of a header whose values are always text."""

_BEFORE_THE_MOVES = frozenset({"rules", "options", "start"})
"""Keys of a header that decide which moves are legal."""

_OF_A_KEY = Frozen({"end": ("end",), "result": ("wrong-result",)})
"""Key -> codes of findings about its value, which is new and not in the file yet."""


def set_key(path: Path, key: str, value: object, *, write: bool = True) -> Revision:
    """Give a key of a game file's header, such as `players.south.name`, a value; None takes the key away.

    The game may be wrong before, but not with that value: FileError, or RefereeError with the code of the value's
    fault, `unknown-key` or `layout`.
    """
    return revision(
        path, lambda game, _: _with_key(game, _path(game.description, key), value), write=write, repair=True
    )


def set_end(path: Path, how: str | None, by: str | None = None, *, write: bool = True) -> Revision:
    """Set the end that a game's moves do not show, or remove it; RefereeError `wrong-value` or `layout`."""
    end = None if how is None else {"how": how, **({"by": by} if by else {})}
    return revision(path, lambda game, _: _with_key(game, ("end",), end), write=write, repair=True)


def take_back(path: Path, *, write: bool = True) -> tuple[Ply, Revision]:
    """Take the last ply of a game file back, with its end and its result, as `GameFile.undo`.

    Return the ply, and the file without it; RefereeError `no-such-ply`, and `variation` if one would begin later.
    """

    def amended(game: GameFile, verdict: Verdict) -> tuple[GameFile, Edit | None]:
        if not verdict.plies:
            raise RefereeError("no-such-ply", "there is no ply to take back: the game has none")
        moves, size = len(game.plies[-1].annotated), game.description.moves_per_round
        wanted = replace(game.undo(), source=game.source, file=game.file, variations=game.variations)
        return wanted, moves_edit(game, lambda lines: without_last(lines, size, moves))

    made = revision(path, _without("result"), _without("end"), amended, write=write)
    return ply_at(loads(made.before)), made


def _without(key: str) -> Amendment:
    """The amendment that takes a key of the header away, if it is there."""

    def amended(game: GameFile, _: Verdict) -> tuple[GameFile, Edit | None]:
        assert game.source is not None
        return _with_key(game, (key,), None) if _has(game.source.data, (key,)) else (game, None)

    return amended


def set_mark(path: Path, line: int, side: str, mark: str, *, write: bool = True) -> Revision:
    """Mark a side's move in round `line`, such as `!?`, or not at all; RefereeError `no-such-move` or `layout`."""

    def amended(game: GameFile, _: Verdict) -> tuple[GameFile, Edit | None]:
        _expect_round(game, line)
        place, size = _place(game, line, side), game.description.moves_per_round
        noted = game.rounds[line - 1].moves[place]._replace(mark=mark)
        edit = moves_edit(game, lambda lines: with_mark(lines, size, line, place, mark))
        return replace(game, rounds=with_move(game, line, place, noted)), edit

    return revision(path, amended, write=write)


def add_comment(path: Path, line: int, side: str | None, text: str, *, write: bool = True) -> Revision:
    """Add a comment to a side's move in round `line` of a game file, or above the round if no side is given.

    RefereeError `comment`, `no-such-move` or `layout`.
    """
    judge_comment(text)
    text = text.strip()

    def amended(game: GameFile, _: Verdict) -> tuple[GameFile, Edit | None]:
        _expect_round(game, line)
        size = game.description.moves_per_round
        place = None if side is None else _place(game, line, side)
        edit = moves_edit(game, lambda lines: with_comment(lines, size, line, place, text))
        return _with_comment(game, line, place, text), edit

    return revision(path, amended, write=write)


def keys_of(game: Game) -> tuple[str, ...]:
    """The keys that the header of a game can have and `set_key` can set."""
    return (
        *TEXTS,
        "rules",
        *("players", *(f"players.{side}{rest}" for side in game.sides for rest in ("", ".name", ".email"))),
        *("options", *(f"options.{one.name}" for one in game.options)),
        *("result", *(f"result.{one}" for one in game.scores)),
    )


def _path(game: Game, key: str) -> KeyPath:
    known = keys_of(game)
    if key in known:
        return tuple(key.split("."))
    if key == "end" or key.startswith("end."):
        raise RefereeError("unknown-key", "the end of a game has an edit of its own: end HOW --by SIDE")
    if key in ("game", "moves"):
        message = f"{shown(key)} cannot be set: another game needs a file of its own, and moves have other edits"
        raise RefereeError("unknown-key", message)
    near = tuple(get_close_matches(key, known, 3))
    raise RefereeError("unknown-key", f"there is no key {shown(key)} to set", suggestions=near)


def _with_key(game: GameFile, key: KeyPath, value: object) -> tuple[GameFile, Edit | None]:
    assert game.source is not None
    wanted = _valid(game, key, _amended(as_mapping(game), key, value))
    if value is not None:
        return wanted, key_edit(game.source, key, value)
    if not _has(game.source.data, key):
        raise RefereeError("unknown-key", f"the file has no {'.'.join(map(str, key))} to take away")
    return wanted, key_removal(game.source, _outermost(game.source, key))


def _outermost(document: Document, key: KeyPath) -> KeyPath:
    """The key, or the first one above it that would be empty without it."""
    above = key[:-1]
    return _outermost(document, above) if above and len(value_at(document, above)) == 1 else key


def _valid(game: GameFile, key: KeyPath, data: dict[str, Any]) -> GameFile:
    """The game of a file's data with a new value of a key; an error is about that key, or the moves it breaks."""
    try:
        wanted = loads(json.dumps(data, ensure_ascii=False), game.file)
    except FileError as error:
        raise RefereeError(error.code, error.message, suggestions=error.suggestions) from None
    wanted = replace(wanted, source=game.source)
    findings = judge(wanted).findings
    if not findings:
        return wanted
    first = findings[0]
    if key[0] in _BEFORE_THE_MOVES:
        named = ".".join(map(str, key))
        findings = tuple(replace(one, message=f"with this {named}, {one.message}") for one in findings)
    elif first.code in _OF_A_KEY.get(str(key[0]), ()):
        raise RefereeError(first.code, first.message, suggestions=first.suggestions)
    raise FileError(game.file, findings)


def _amended(data: dict[str, Any], key: KeyPath, value: object) -> dict[str, Any]:
    """The data with another value at a key; None takes it away."""
    name, *below = key
    inner = _amended(dict(data.get(str(name)) or {}), tuple(below), value) if below else value
    return {**{one: old for one, old in data.items() if one != name}, **({} if inner is None else {str(name): inner})}


def _has(data: Any, key: KeyPath) -> bool:  # noqa: ANN401 - plain data of any shape
    return not key or (isinstance(data, dict) and key[0] in data and _has(data[key[0]], key[1:]))


def _place(game: GameFile, line: int, side: str) -> int:
    """The place (from 0) of a side's move in a round."""
    if side not in game.description.sides:
        sides = ", ".join(game.description.sides)
        raise RefereeError("wrong-value", f"{game.game} has no side {shown(side)}; its sides are: {sides}")
    made = [one for ply in game.replay() if ply.round == line for one in ply.annotated]
    if side not in made:
        raise RefereeError("no-such-move", f"{side} made no move in round {line}")
    return made.index(side)


def _expect_round(game: GameFile, line: int) -> None:
    if not 0 < line <= len(game.rounds):
        raise RefereeError("no-such-move", f"there is no round {line}: the game has {len(game.rounds)}")


def _with_comment(game: GameFile, line: int, place: int | None, text: str) -> GameFile:
    """The game with one more comment: before what is noted after a semicolon, or on the round's own line."""
    size, here = game.description.moves_per_round, game.rounds[line - 1]
    assert game.source is not None
    written = round_line(game.source.moves.split("\n"), size, line)
    if place is None:
        beside = len(parse_move_line(written, size).comments)
        commented = here._replace(comments=_inserted(here.comments, beside, text))
        return replace(game, rounds=(*game.rounds[: line - 1], commented, *game.rounds[line:]))
    noted = here.moves[place]
    after = int(place == len(here.moves) - 1 and rest_of(written) != "")
    noted = noted._replace(comments=_inserted(noted.comments, after, text))
    return replace(game, rounds=with_move(game, line, place, noted))


def _inserted(comments: tuple[str, ...], after: int, text: str) -> tuple[str, ...]:
    """Comments with one more, before the last `after` of them."""
    at = len(comments) - after
    return (*comments[:at], text, *comments[at:])
