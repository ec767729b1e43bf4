"""Canonical lines and game files, by the fast lanes of their games; what is doubtful has no verdict here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from referee.archives.files.forms import at_line
from referee.archives.files.shards import FilePart, GameText
from referee.archives.verdict import GameVerdict
from referee.errors import Finding, PackageFault, RefereeError
from referee.game.file.document import Document
from referee.game.file.dumper import move_lines
from referee.game.file.judge import wrong_result
from referee.game.file.rounds import LONGEST_ROUND
from referee.notation.moves import REMEMBERED_MOVES, known_move
from referee.rules import Move, Position, first_position, game_named
from referee.rules.frozen import frozen_data
from referee.rules.lane import Lane, LaneResult, Read

_TEXT = r"[^\W_][\w !#-\[\]-~]{0,199}"
"""A text without escapes and hidden characters."""

_PLAYER = rf'\{{"name": "{_TEXT}"(?:, "email": "[\w.+-]{{1,64}}@[\w.-]{{1,99}}")?\}}'
_PLAYERS = rf'\{{"[a-z0-9]{{1,20}}": {_PLAYER}(?:, "[a-z0-9]{{1,20}}": {_PLAYER}){{0,9}}\}}'
_RESULT = r'\{"[a-z0-9]{1,20}": \d{1,4}(?:, "[a-z0-9]{1,20}": \d{1,4}){0,9}\}'

_LINE = re.compile(
    r'\{"game": "(?P<game>[a-z-]+)"(?:, "rules": (?P<rules>1))?'
    rf'(?:, "id": "(?P<id>{_TEXT})")?(?:, "date": "(?P<date>{_TEXT})")?'
    rf'(?:, "event": "(?P<event>{_TEXT})")?'
    rf'(?:, "players": (?P<players>{_PLAYERS}))?(?:, "options": (?P<options>\{{[^\n]{{0,1000}}?\}}))?'
    rf'(?:, "result": (?P<result>{_RESULT}))?, "moves": "(?P<moves>[^"]*)"\}}'
)
"""A line as `generate` and `convert` write it; a game with a start or an end of its own is left to the usual way."""

_BREAK = "\\n"
_ABOVE = re.compile(r"(?:^|(?<=\\n))\{[\w !#-\[\]-z|~]+\}\\n")
_BEHIND = re.compile(r"(?<=[\w!?}/\\]) \{[\w !#-\[\]-z|~]+\}(?= +\||\\n|$| \{)")
"""Comments: on a line of their own, and behind a move."""

_MARKED = re.compile(r"(.*\S) +(!|\?|!!|\?\?|!\?|\?!)")
_LONGEST_TEXT = 99
_NUMBERS = tuple(map(str, range(1, 1001)))


class KnownMove(NamedTuple):
    """A move, and its canonical text with its mark."""

    move: Move
    written: str


class Ruleset(NamedTuple):
    """The rules of all games with the same options; `width` is the number of moves in a line of their lists."""

    start: Position
    options: Mapping[str, Any]
    lane: Lane
    known: Callable[[str], KnownMove | None]
    sides: frozenset[str]
    scores: frozenset[str]
    width: int


class CanonicalLine(NamedTuple):
    """A line of an archive: its texts by key, its players, and the texts of its moves with their marks."""

    fields: re.Match[str]
    players: Mapping[str, Mapping[str, str]]
    course: Ruleset
    texts: list[str]

    def data(self) -> dict[str, Any] | None:
        """The data of the game's file, as the dumper writes it; None for comments, and for a wrong move or result."""
        result, known = self.result, [*map(self.course.known, self.texts)]
        if result is None or not result.keys() <= self.course.scores or None in known or "{" in self.fields["moves"]:
            return None
        moves, width = [move.written for move in known if move], self.course.width
        lines = move_lines([moves[start : start + width] for start in range(0, len(moves), width)])
        everything = {
            **self.fields.groupdict(),
            "rules": self.fields["rules"] and 1,
            "players": self.players or None,
            "options": dict(self.course.options) or None,
            "result": result or None,
            "moves": "".join(f"{line}\n" for line in lines),
        }
        return {key: value for key, value in everything.items() if value is not None}

    def run(self) -> LaneResult | None:
        """The way of the game by its lane, whatever the result of the header is."""
        try:
            return self.course.lane.run(self.texts)
        except PackageFault:
            return None

    def faults(self, run: LaneResult) -> tuple[Finding, ...] | None:
        """The finding about a result that is not the score of this way; None if more may be wrong with it."""
        if not self.fields["result"] or self.result == run.score:
            return ()
        if self.result is None or not self.result.keys() <= self.course.scores:
            return None
        column = self.fields.start("result") - len('"result": ') + 1
        return (replace(wrong_result(run.score), column=column, excerpt=self.fields.string),)

    @property
    def result(self) -> Mapping[str, int] | None:
        """The result of the header, empty if it has none; None if that names a side twice."""
        return _data(self.fields["result"] or "{}")


def canonical_line(text: GameText) -> CanonicalLine | None:
    """The line of a game whose header is right; None if it is wrong or not canonical. Its moves are not read."""
    if not text.line or len(text.content) > LONGEST_ROUND:
        return None
    try:
        return _canonical(text.content.decode())
    except UnicodeDecodeError:
        return None


def canonical_file(document: Document) -> CanonicalLine | None:
    """The same of a game file, as a line with the same data in the same order."""
    return None if document.findings else _canonical(json.dumps(document.data, ensure_ascii=False))


def _canonical(text: str) -> CanonicalLine | None:
    found = _LINE.fullmatch(text) if len(text) <= LONGEST_ROUND else None
    course = found and _course(found["game"], found["options"] or "{}")
    if not found or not course:
        return None
    texts = _texts(found["moves"], course.width)
    players = _data(found["players"] or "{}")
    if not texts or players is None or not players.keys() <= course.sides:
        return None
    return CanonicalLine(found, players, course, texts)


def fast_verdict(part: FilePart, text: GameText, document: Document | None = None) -> GameVerdict | None:
    """The verdict on a line or, with its document, on a game file; None if it is doubtful.

    A wrong result in a line is the one fault that has a verdict here.
    """
    line = canonical_file(document) if document else canonical_line(text)
    run = line and line.run()
    findings = line.faults(run) if line and run else None
    if not line or not run or findings is None or (findings and document):
        return None
    return GameVerdict(
        part.file,
        text.line,
        line.fields["id"],
        run.plies,
        dict(run.outcome.as_json()) if run.outcome else None,
        dict(run.score),
        at_line(findings, text),
        names=tuple(player["name"] for player in line.players.values()),
    )


def _texts(moves: str, width: int) -> list[str] | None:
    """The texts of all moves with their marks; None if a line has another number or other moves."""
    if "{" in moves:
        moves = _BEHIND.sub("", _ABOVE.sub("", moves))
    texts: list[str] = []
    lines = moves.removesuffix(_BREAK).split(_BREAK)
    for number, line in zip(_NUMBERS, lines, strict=False):
        head, _, rest = line.partition(". ")
        if head != number or len(texts) % width:
            return None
        texts += rest.split(" | ")
    if max(map(len, texts)) > _LONGEST_TEXT or not (len(lines) - 1) * width < len(texts) <= len(lines) * width:
        return None
    return [text.strip(" ") for text in texts]  # with its padding, a move would be remembered up to seven times


@lru_cache(64)
def _course(name: str, options: str) -> Ruleset | None:
    """The course of the games with these options; None if it has no lane, or if they are wrong."""
    chosen = _data(options)
    try:
        game = game_named(name)
        if game.lane is None or 1 not in game.versions or chosen is None:
            return None
        start = first_position(name, chosen)
        lane = game.lane(start, _reader(name))
        sides, scores = frozenset(game.sides), frozenset(game.scores)
        return Ruleset(start, frozen_data(chosen), lane, _known_moves(name), sides, scores, game.moves_per_round)
    except (RefereeError, PackageFault):
        return None


@cache
def _known_moves(game: str) -> Callable[[str], KnownMove | None]:
    """The reader of a game's moves, each with a mark or none, as they are written in JSON."""

    @lru_cache(REMEMBERED_MOVES)
    def known(text: str) -> KnownMove | None:
        if "\\" in text.replace("\\\\", ""):
            return None
        text = text.replace("\\\\", "\\")
        marked = _MARKED.fullmatch(text)
        move = known_move(game, marked[1] if marked else text)
        return None if move is None else KnownMove(move, f"{move} {marked[2]}" if marked else str(move))

    return known


@cache
def _reader(game: str) -> Read:
    """The same reader, of the move alone."""
    known = _known_moves(game)
    return lambda text: (found := known(text)) and found.move


@lru_cache(1024)
def _data(text: str) -> Mapping[str, Any] | None:
    """A JSON object; None if it is none, or has a key twice."""
    try:
        found: Mapping[str, Any] | None = _STRICT.decode(text)
    except ValueError:
        return None
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


_STRICT = json.JSONDecoder(object_pairs_hook=_once)
