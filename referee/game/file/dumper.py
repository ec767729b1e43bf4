"""A game as the text of its file: canonical, aligned, and equal when it is read again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.game.file.gamefile import AnnotatedMove, GameFile, Round
from referee.game.file.syntax import from_yaml

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[ .@+'-]+[A-Za-z0-9_]+)*")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FIELDS = re.compile(r"[a-z][a-z0-9-]* (?:[!-\"$-9;-~]| (?! ))+(?<! )")
"""A position's text that needs no quotes in YAML: fields with bars between them, and neither colon nor #."""

_NOT_IN_A_BLOCK = "[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]"
"""The characters that a block of YAML cannot hold; compiling them takes a while."""

_WORDS_OF_YAML = {"yes", "no", "on", "off", "true", "false", "null", "y", "n"}


def as_mapping(game: GameFile) -> dict[str, Any]:
    """The game as the data of its file: keys in the order of the format, without empty ones."""
    end = game.end and {"how": str(game.end.how), **({"by": game.end.by} if game.end.by else {})}
    players = {
        side: {"name": one.name, **({"email": one.email} if one.email else {})} for side, one in game.players.items()
    }
    everything = {
        "game": game.game,
        "rules": game.rules,
        "id": game.id,
        "date": game.date,
        "event": game.event,
        "players": players or None,
        "options": dict(game.options) or None,
        "start": game.start_text,
        "end": end,
        "result": None if game.result is None else dict(game.result),
        "moves": moves_text(game.rounds, game.trailing_comments),
    }
    return {key: value for key, value in everything.items() if value is not None}


def to_json(game: GameFile) -> str:
    """The game as one JSON object on one line."""
    return json.dumps(as_mapping(game), ensure_ascii=False, separators=(", ", ": "))


def game_text(game: GameFile) -> str:
    """The text of a game file (YAML) of a game that was read, or that the desk or a generator made."""
    data = as_mapping(game)
    moves = data.pop("moves")
    lines = []
    for key, value in data.items():
        if key == "players":
            lines += ["players:", *(f"  {side}: {value_text(one)}" for side, one in value.items())]
        else:
            lines.append(f"{key}: {setting_text(key, value)}")
    if fits_block(moves):
        lines += ["moves: |", *(f"  {line}" for line in moves.splitlines())]
    else:
        lines.append(f"moves: {_quoted(moves)}")
    return "\n".join(lines) + "\n"


def headed_text(game: GameFile) -> str:
    """The move list of a game, with its header in comments."""
    header = game_text(replace(game, rounds=(), trailing_comments=()))
    return from_yaml(header) + moves_text(game.rounds, game.trailing_comments)


def fits_block(text: str) -> bool:
    """True if a block of YAML can hold a text as it is."""
    return not re.search(_NOT_IN_A_BLOCK, text)


def moves_text(rounds: tuple[Round, ...], closing: tuple[str, ...] = ()) -> str:
    """The move list: a numbered line for each round, its bars aligned unless a comment is in the way."""
    texts = [[annotated_text(noted) for noted in one.moves] for one in rounds]
    widths: dict[int, int] = {}
    for one, row in zip(rounds, texts, strict=True):
        for column, text in enumerate(row[:-1]):
            if not one.moves[column].comments:
                widths[column] = max(widths.get(column, 0), len(text))
    digits = len(str(len(rounds))) + 1
    lines = []
    for number, (one, row) in enumerate(zip(rounds, texts, strict=True), 1):
        lines += [_comment(comment) for comment in one.comments]
        before = [text.ljust(widths.get(column, 0)) for column, text in enumerate(row[:-1])]
        lines.append(f"{number}.".ljust(digits) + " " + " | ".join((*before, row[-1])))
    lines += [_comment(comment) for comment in closing]
    return "".join(f"{line}\n" for line in lines)


def annotated_text(noted: AnnotatedMove) -> str:
    """A move with its mark and comments."""
    if not noted.mark and not noted.comments:
        return str(noted.move)
    parts = [str(noted.move), noted.mark, *(_comment(comment) for comment in noted.comments)]
    return " ".join(part for part in parts if part)


def _comment(text: str) -> str:
    """A comment in braces, or after a semicolon if it has a closing brace itself (and so ends its line)."""
    return f"; {text}" if "}" in text else f"{{{text}}}"


def setting_text(key: str, value: object) -> str:
    """The value of a key of the header in the form of a game file, on one line."""
    plain = {"date": _DATE, "start": _FIELDS}.get(key)
    return value if plain and isinstance(value, str) and plain.fullmatch(value) else value_text(value)


def value_text(value: object) -> str:
    """Plain data in the form of a game file, on one line."""
    match value:
        case bool() | None:
            return json.dumps(value)
        case int() | float():
            return str(value)
        case str():
            plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS_OF_YAML
            return value if plain else _quoted(value)
        case Mapping():
            return "{" + ", ".join(f"{value_text(key)}: {value_text(one)}" for key, one in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(value_text, value)) + "]"
        case _:
            raise TypeError(f"a game file cannot hold a {type(value).__name__}")


def _quoted(text: str) -> str:
    """A text in double quotes, on one line, with escapes where YAML needs them."""
    import yaml  # few texts need quotes

    written = yaml.safe_dump(text, default_style='"', allow_unicode=True, width=float("inf"))
    return str(written).rstrip("\n")
