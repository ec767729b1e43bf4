"""Nothing outside a game's own files names the game, or notions that only this game has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.rules import GAMES

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("rules", "notation", "draw", "engine")

WORDS = {
    "beams": r"beams|beams, boosters and barriers|rays|boosters?|barriers?",
    "boundary": r"pyramids?|stone-bops?|continuum",
    "the-beam": r"the[ _-]beam|cards?|decks?|discs?|mirrors?|allocat\w+",
    "laser-chess": r"lasers?|laser[ _-]chess|shots?",
}
"""Each game's name and notions. Boundary's name is also that of a mail server's border."""

EXAMPLE = re.compile(r"^ *>>> .*?(?=^\s*$|^ *\"\"\")", re.MULTILINE | re.DOTALL)
"""An example in a docstring, which needs a game to show."""

LAYOUT = re.compile(r"\bcards?\b|\bGameCard\b")
"""A frame with a title on a page, or a set-up to cut out, which is no playing card."""

LAID_OUT = ("web/", "draw/templates/", "tryout/page/", "draw/paper/print_set.py", "cli/boards.py")

ALLOWED = {"rules/__init__.py", "__init__.py", "notation/moves.py", "game/continuation.py"}
"""The tuple of the games, and the overloads with the types of their positions and moves."""


def files() -> Iterator[tuple[str, str]]:
    """Every text of the package and of the grammars that belongs to no game, by its path."""
    own = {game.replace("-", "_") for game in GAMES}
    for path in sorted((ROOT / "referee").rglob("*")):
        name = path.relative_to(ROOT / "referee").as_posix()
        room, _, rest = name.partition("/")
        is_own = room in ROOMS and rest.split("/")[0].removesuffix(".py") in own
        if path.suffix in (".py", ".jinja", ".css", ".js", ".toml") and not is_own:
            text = EXAMPLE.sub("", path.read_text(encoding="utf-8"))
            yield name, LAYOUT.sub("", text) if name.startswith(LAID_OUT) else text
    for name in ("movelist", "letter", "shared"):
        yield f"{name}.lark", (ROOT / "grammar" / f"{name}.lark").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_named_in_its_own_files_alone(game: str) -> None:
    named = re.compile(rf"\b(?:{WORDS[game]})\b", re.IGNORECASE)
    found = [
        f"{name}:{number}: {line.strip()}"
        for name, text in files()
        if name not in ALLOWED
        for number, line in enumerate(text.splitlines(), 1)
        if named.search(line)
    ]
    assert found == []
