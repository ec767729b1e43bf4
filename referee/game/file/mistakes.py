"""Files that are not game files, and headers that are nearly right: their likely meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.errors import Finding, PackageFault, RefereeError
from referee.game.file.document import Document, KeyPath
from referee.game.file.dumper import value_text
from referee.game.file.ends import BY_A_SIDE, termination_said
from referee.game.file.header import KEYS, Fault
from referee.notation.movelist import parse_move_line
from referee.notation.moves import parse_move
from referee.rules import Game, game_named, games
from referee.rules.description import value_names

_LINES = 3
"""Lines of a text that must be rounds for it to be a list of moves."""

_LONGEST = 50
"""Maximum characters of a value that is repeated in a line for the header."""

_TAG = re.compile(r"\[[A-Za-z]+ \"")
_SIGN = re.compile(rf"({'|'.join(sorted(KEYS))})(?:\s*=\s*|:(?=\S)|[ \t]+)(?=\S)")
_SECOND_COLON = re.compile(r"(\s*[\w-]+):\s+([^\s\"'{\[|>].*:(?:\s.*)?)")
_JSON = re.compile(r"\{\s*\"[^\"]*\"\s*:")
_BLOCK = re.compile(r"moves[ \t]*:[ \t]*\|")
_RESULT = re.compile(r"\s*([0-9]+)\s*[-:]\s*([0-9]+)\s*")


def other_file(document: Document, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings about a text without data, the first of them with what the text is instead."""
    text = document.text.lstrip()
    if _is_archive(text):
        message = (
            "this is an archive of games, one on each line; 'referee check' judges it, anything else takes one game"
        )
        return (Finding("archive", message),)
    first, *rest = findings
    hint = _kind(text) or _line_hint(document, first)
    return (replace(first, message=f"{first.message.partition('; ')[0]}; {hint}"), *rest) if hint else findings


def _is_archive(text: str) -> bool:
    lines = [line for line in text.split("\n", 3)[:3] if line.startswith("{")]
    try:
        return len(lines) > 1 and all(isinstance(json.loads(line), dict) for line in lines[:2])
    except (ValueError, RecursionError):
        return False


def _kind(text: str) -> str | None:
    """The kind of a text that people may take for a game file."""
    if text.startswith("<"):
        return "this looks like a web page: save it as plain text"
    if text.startswith("```"):
        return "remove the lines with ```"
    if _TAG.match(text):
        return "it has tags, as in PGN; a game file has keys, such as 'event: Spring cup', and moves below 'moves: |'"
    if text.startswith("["):
        return "for several games, write each on its own line, without brackets around them"
    if not _JSON.match(text) and (game := _game_of_list(text)) is not None:
        return f"it looks like a bare move list: name its game, as in 'referee check --game {game}'"
    return None


def _game_of_list(text: str) -> str | None:
    lines = [line for line in text.split("\n", 20) if line.strip()][:_LINES]
    for game in games():
        try:
            moves = [one.text for line in lines for one in parse_move_line(line, game.moves_per_round).moves]
            if moves and all(parse_move(game.name, move) for move in moves):
                return game.name
        except (RefereeError, PackageFault):
            continue
    return None


def _line_hint(document: Document, finding: Finding) -> str | None:
    """The fault of a line of YAML, or of one above it."""
    for number in range(finding.line, max(0, finding.line - 3), -1):
        line = document.line(number)
        if found := _SIGN.match(line):
            return f"a key needs a colon and a blank after it: write {found[1]}: {line[found.end() :].strip()[:40]}"
        if found := _SECOND_COLON.fullmatch(line.rstrip()):
            return f"a text with a colon needs quotes: write {found[1].strip()}: {value_text(found[2][:40])}"
    return None


def near_game(name: str) -> tuple[str, ...]:
    """The game that a name nearly is, by its own name or by its title."""
    names = {_plain(text): game.name for game in games() for text in (game.name, game.title)}
    return tuple(names[near] for near in _nearest(_plain(name), names))


def near_option(game: Game, name: str, value: object) -> tuple[str, ...]:
    """The name of an option or the value that was meant, as a line for the header."""
    options = {option.name: option for option in game.options}
    if name not in options:
        return tuple(_nearest(name.casefold(), options))
    values = value_names(options[name])
    said = str(value).casefold()
    begun = [one for one in values if said and one.startswith(said)]
    near = begun if len(begun) == 1 else _nearest(said, values)
    return tuple(f"{name}: {one}" for one in near if one != value)


def near_side(data: Mapping[str, Any], sides: Sequence[str], name: str) -> tuple[str, ...]:
    """The side that a name nearly is, or on which the player of that name sits."""
    said = name.casefold()
    players = data.get("players")
    seats = {side: players.get(side) for side in sides} if isinstance(players, Mapping) else {}
    for side, player in seats.items():
        if isinstance(player, Mapping) and str(player.get("name", "")).casefold() == said:
            return (side,)
    return tuple(_nearest(said, sides))


def near_fault(data: Mapping[str, Any], fault: Fault) -> tuple[str, ...]:
    """Lines for the header to replace a wrong key or value; empty if nothing is near it."""
    return _near_value(data, fault.key, fault.value) or tuple(_nearest(str(fault.key[-1]).casefold(), fault.known))


def _near_value(data: Mapping[str, Any], key: KeyPath, value: object) -> tuple[str, ...]:
    try:
        game = game_named(str(data.get("game")))
    except (RefereeError, PackageFault):
        return ()
    if isinstance(value, str) and not 0 < len(value.strip()) <= _LONGEST:
        return ()
    match key:
        case ("players", str(side)) if isinstance(value, str):
            return (f"{side}: {{name: {value_text(value)}}}",)
        case ("result",) if isinstance(value, str) and (found := _RESULT.fullmatch(value)) and len(game.scores) == 2:
            points = ", ".join(f"{side}: {n}" for side, n in zip(game.scores, found.groups(), strict=True))
            return (f"result: {{{points}}}",)
        case ("result",) | ("end",) if isinstance(value, str) and (how := termination_said(value)):
            by = [f", by: {side}" for side in game.sides] if how in BY_A_SIDE else [""]
            return tuple(f"end: {{how: {how}{one}}}" for one in by)
        case ("end", "how") if isinstance(value, str) and (how := termination_said(value)):
            return (f"how: {how}",)
        case (str(name),) if name in {option.name for option in game.options}:
            return (f"options: {{{name}: {value_text(value)}}}",)
    return ()


def _nearest(said: str, known: Iterable[str]) -> list[str]:
    from difflib import get_close_matches  # loaded only when something is wrong

    return get_close_matches(said, list(known), 1)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", name.casefold())
