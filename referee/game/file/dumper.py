"""A game as the text of its file: canonical, aligned, and equal when it is read again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from referee.game.file.gamefile import AnnotatedMove, GameFile, Round, Variation, in_braces
from referee.game.file.syntax import from_yaml

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[ .@+'-]+[A-Za-z0-9_]+)*")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FIELDS = re.compile(r"[a-z][a-z0-9-]* (?:[!-\"$-9;-~]| (?! ))+(?<! )")
"""A position's text that needs no quotes in YAML: fields with bars between them, and neither colon nor #."""

_NOT_IN_A_BLOCK = "[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|[\u2028\u2029]"
"""The characters that a block of YAML cannot hold; compiling them takes a while."""

_UNESCAPED = re.compile(r"[ !#-\[\]-~]*")
_COMMENTED = re.compile("[{;]")
_WORDS_OF_YAML = {"yes", "no", "on", "off", "true", "false", "null", "y", "n"}


def as_mapping(game: GameFile) -> dict[str, Any]:
    """The game as the data of its file: keys in the order of the format, without empty ones."""
    end = game.ending and {"how": str(game.ending.how), **({"by": game.ending.by} if game.ending.by else {})}
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
        "variations": _variations(game.variations) or None,
    }
    return {key: value for key, value in everything.items() if value is not None}


def _variations(variations: Sequence[Variation]) -> list[dict[str, Any]]:
    """The data of variations, whose rounds are numbered as in the game."""
    texts = (moves_text(one.rounds, one.comments, one.round, one.made) for one in variations)
    inner = (_variations(one.variations) for one in variations)
    return [{"moves": text, **({"variations": own} if own else {})} for text, own in zip(texts, inner, strict=True)]


def to_json(game: GameFile) -> str:
    """The game as one JSON object on one line."""
    return json_text(as_mapping(game))


def game_text(game: GameFile) -> str:
    """The text of a game file (YAML) of a game that was read, or that the desk or a generator made."""
    return yaml_text(as_mapping(game))


def json_text(data: Mapping[str, Any]) -> str:
    """The data of a game file as JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def yaml_text(data: Mapping[str, Any]) -> str:
    """The data of a game file as YAML."""
    lines = []
    for key, value in data.items():
        if key == "players":
            lines += ["players:", *(f"  {side}: {value_text(one)}" for side, one in value.items())]
        elif key == "moves":
            lines += _moves_lines(value)
        elif key == "variations":
            lines += _variation_lines(value)
        else:
            lines.append(f"{key}: {setting_text(key, value)}")
    return "\n".join(lines) + "\n"


def _moves_lines(moves: str) -> list[str]:
    if fits_block(moves):
        return ["moves: |", *(f"  {line}" for line in moves.splitlines())]
    return [f"moves: {_quoted(moves)}"]


def _variation_lines(variations: Sequence[Mapping[str, Any]]) -> list[str]:
    """The key of variations: a list, each written as the game is, its moves and then its own variations."""
    lines = ["variations:"]
    for one in variations:
        first, *rest = _moves_lines(one["moves"])
        if inner := one.get("variations"):
            rest += _variation_lines(inner)
        lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    return lines


def list_text(data: Mapping[str, Any]) -> str:
    """The data of a game file as a move list with its header in comments, variations among them."""
    return from_yaml(yaml_text({key: value for key, value in data.items() if key != "moves"})) + str(data["moves"])


def fits_block(text: str) -> bool:
    """True if a block of YAML can hold a text as it is."""
    return not re.search(_NOT_IN_A_BLOCK, text)


def moves_text(rounds: tuple[Round, ...], closing: tuple[str, ...] = (), first: int = 1, made: int = 0) -> str:
    """The move list: a numbered line for each round, its bars aligned unless a comment is in the way.

    Dots take the place of the moves that were `made` before in the first round.
    """
    lines = []
    texts = [
        [*map(annotated_text, map(in_braces, one.moves[:-1])), *map(annotated_text, one.moves[-1:])] for one in rounds
    ]
    if made:
        texts[0] = ["..."] * made + texts[0]
    for one, line in zip(rounds, move_lines(texts, first), strict=True):
        lines += [*map(comment_text, one.comments), line]
    lines += map(comment_text, closing)
    return "".join(f"{line}\n" for line in lines)


def move_lines(rounds: Sequence[Sequence[str]], first: int = 1) -> list[str]:
    """The lines of rounds, each given as the texts of its moves, numbered from the first."""
    most = max(map(len, rounds), default=0)
    columns = [[one[place] for one in rounds if len(one) > place + 1] for place in range(most - 1)]
    widths = [max((len(text) for text in column if not _COMMENTED.search(text)), default=0) for column in columns]
    number = f"%-{len(str(first + len(rounds) - 1)) + 1}s "
    forms = [number + "".join(f"%-{width}s | " for width in widths[: moves - 1]) + "%s" for moves in range(most + 1)]
    return [forms[len(one)] % (f"{place}.", *one) for place, one in enumerate(rounds, first)]


def annotated_text(noted: AnnotatedMove) -> str:
    """A move with its mark and comments."""
    if not noted.mark and not noted.comments:
        return str(noted.move)
    *before, last = noted.comments or ("",)
    comments = [*(one.replace("}", ")") for one in before), last]
    parts = [str(noted.move), noted.mark, *(comment_text(one) for one in comments if one)]
    return " ".join(part for part in parts if part)


def comment_text(text: str) -> str:
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
            is_plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS_OF_YAML
            return value if is_plain else _quoted(value)
        case Mapping():
            return "{" + ", ".join(f"{value_text(key)}: {value_text(one)}" for key, one in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(value_text, value)) + "]"
        case _:
            raise TypeError(f"a game file cannot hold a {type(value).__name__}")


def _quoted(text: str) -> str:
    """A text in double quotes, on one line, with escapes where YAML needs them."""
    if _UNESCAPED.fullmatch(text):
        return f'"{text}"'
    import yaml  # few texts need escapes

    return str(yaml.safe_dump(text, default_style='"', allow_unicode=True, width=float("inf"))).rstrip("\n")
