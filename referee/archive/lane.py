"""Canonical lines of an archive, by the fast lanes of their games; a doubtful line has no verdict here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from referee.archive.files.shards import FilePart, GameText
from referee.archive.verdict import GameVerdict
from referee.errors import PackageFault, RefereeError
from referee.notation.moves import known_move
from referee.rules import Move, first_position, game_named
from referee.rules.lane import Lane, Read

_TEXT = r"[^\W_][\w !#-\[\]-~]{0,199}"
"""A text without escapes and hidden characters."""

_PLAYER = rf'\{{"name": "{_TEXT}"(?:, "email": "[\w.+-]{{1,64}}@[\w.-]{{1,99}}")?\}}'
_PLAYERS = rf'\{{"[a-z0-9]+": {_PLAYER}(?:, "[a-z0-9]+": {_PLAYER})*\}}'
_RESULT = r'\{"[a-z0-9]+": \d{1,4}(?:, "[a-z0-9]+": \d{1,4})*\}'

_LINE = re.compile(
    r'\{"game": "(?P<game>[a-z-]+)", "rules": 1'
    rf'(?:, "id": "(?P<id>{_TEXT})")?(?:, "date": "{_TEXT}")?(?:, "event": "{_TEXT}")?'
    rf'(?:, "players": (?P<players>{_PLAYERS}))?(?:, "options": (?P<options>\{{[^\n]*?\}}))?'
    rf'(?:, "result": (?P<result>{_RESULT}))?, "moves": "(?P<moves>[^"]*)"\}}'
)
"""A line as `generate` and `convert` write it; a game with a start or an end of its own is left to the usual way."""

_BREAK = "\\n"
_ABOVE = re.compile(r"(?:^|(?<=\\n))\{[\w !#-\[\]-z|~]+\}\\n")
_BEHIND = re.compile(r"(?<=[\w!?}/\\]) \{[\w !#-\[\]-z|~]+\}(?= +\||\\n|$| \{)")
"""Comments: on a line of their own, and behind a move."""

_MARKED = re.compile(r"(.*\S) +(?:!|\?|!!|\?\?|!\?|\?!)")
_NUMBERS = tuple(map(str, range(1, 1001)))


class _Course(NamedTuple):
    """A lane, and how many moves a line of its move lists has."""

    lane: Lane
    width: int


def fast_verdict(part: FilePart, text: GameText) -> GameVerdict | None:
    """The verdict on a line of an archive whose game is right; None if it is wrong or not canonical."""
    try:
        line = _LINE.fullmatch(text.content.decode())
    except UnicodeDecodeError:
        return None
    course = line and _course(line["game"], line["options"] or "{}")
    if not line or not course:
        return None
    texts = _texts(line["moves"], course.width)
    try:
        run = course.lane.run(texts) if texts else None
    except PackageFault:
        return None
    if run is None or (line["result"] and _data(line["result"]) != run.score):
        return None
    players = _data(line["players"]) if line["players"] else {}
    if players is None or not players.keys() <= {*game_named(line["game"]).sides}:
        return None
    return GameVerdict(
        part.file,
        text.line,
        line["id"],
        run.plies,
        dict(run.outcome.as_json()) if run.outcome else None,
        dict(run.score),
        names=tuple(player["name"] for player in players.values()),
    )


def _texts(moves: str, width: int) -> list[str] | None:
    """The texts of all moves, with their marks and padding; None if a line has another number or other moves."""
    if "{" in moves:
        moves = _BEHIND.sub("", _ABOVE.sub("", moves))
    texts: list[str] = []
    lines = moves.removesuffix(_BREAK).split(_BREAK)
    for number, line in zip(_NUMBERS, lines, strict=False):
        head, _, rest = line.partition(". ")
        if head != number or len(texts) % width:
            return None
        texts += rest.split(" | ")
    return texts if (len(lines) - 1) * width < len(texts) <= len(lines) * width else None


@lru_cache(64)
def _course(name: str, options: str) -> _Course | None:
    """The lane of the games with these options; None if it has none, or if they are wrong."""
    chosen = _data(options)
    try:
        game = game_named(name)
        if game.lane is None or 1 not in game.versions or chosen is None:
            return None
        return _Course(game.lane(first_position(name, chosen), _reader(name)), game.moves_per_round)
    except (RefereeError, PackageFault):
        return None


@cache
def _reader(game: str) -> Read:
    """The reader of a game's moves, each with a mark or none and padded, as they are written in JSON."""

    def read(text: str) -> Move | None:
        if "\\" in text.replace("\\\\", ""):
            return None
        text = text.strip(" ").replace("\\\\", "\\")
        marked = _MARKED.fullmatch(text)
        return known_move(game, marked[1] if marked else text)

    return read


@lru_cache(1024)
def _data(text: str) -> Mapping[str, Any] | None:
    """A JSON object; None if it is none, or has a key twice."""
    try:
        found: Mapping[str, Any] | None = json.loads(text, object_pairs_hook=_once)
    except ValueError:
        return None
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found
