"""Game files as the dumper writes them, as lines of an archive; it needs no parser of YAML."""

from __future__ import annotations

import json
import re
from functools import lru_cache

from referee.game.file.dumper import DATE, is_plain

_FILE = re.compile(
    r"(?P<above>(?:(?!moves: )[a-z]+: [^\n]++\n)++)(?:players:\n(?P<players>(?:  [a-z0-9]+: [^\n]++\n)++))?+"
    r"(?P<below>(?:(?!moves: )[a-z]+: [^\n]++\n)*+)moves: \|\n(?P<moves>(?:  [^ \n][^\n]*+\n)++)"
)
_WORD = r'"[\w !#-\[\]-~]*+"|[\w.@+\'-]++(?: [\w.@+\'-]++)*+'
_VALUE = re.compile(rf"(?:{_WORD}|[{{}}]|: (?![,}}])|, )++")
_WORDS = re.compile(_WORD)
_WHOLE = re.compile("0|[1-9][0-9]{0,17}")


def as_line(text: str) -> str | None:
    """The line of the game in a file; None if the file is not as the dumper writes it."""
    found = _FILE.fullmatch(text)
    if found is None:
        return None
    header = found["above"]
    if found["players"]:
        header += "players: {" + found["players"].removesuffix("\n").replace("\n ", ",").strip() + "}\n"
    header += found["below"]
    values = []
    for line in header.splitlines():
        key, _, value = line.partition(": ")
        written = f'"{value}"' if key == "date" and DATE.fullmatch(value) else _value(value)
        values.append(f'"{key}": {written}')
    moves = found["moves"].replace("\\", "\\\\").replace("\n  ", "\\n").replace("\n", "\\n")[2:]
    return "{" + ", ".join((*values, f'"moves": "{moves}"')) + "}"


@lru_cache(1024)
def _value(text: str) -> str:
    """A value in JSON; no JSON if it is not as the dumper writes it."""
    written = _WORDS.sub(_word, text) if _VALUE.fullmatch(text) else ""
    try:
        json.loads(written)
    except ValueError:
        return ""
    return written


def _word(found: re.Match[str]) -> str:
    word = found[0]
    if word.startswith('"') or _WHOLE.fullmatch(word):
        return word
    return f'"{word}"' if is_plain(word) else ""
