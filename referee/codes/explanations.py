"""The codes as data, in files beside this one; a game has a file of its own for those of its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from referee.data import read_yaml
from referee.errors import RefereeError, shown
from referee.rules import GAMES, all_games, game_fault, game_named
from referee.rules.frozen import Frozen, freezing
from referee.terminal import join_words

_FILES = ("files", "engines", "desk", "duel", "web")
_RULES = Path(__file__).parents[1] / "rules"


@freezing
@dataclass(frozen=True, slots=True)
class Explanation:
    """A code in one of its meanings.

    Attributes:
        code: the code.
        says: its meaning, as part of a sentence.
        remedy: the remedy; empty if there is none.
        instance: a case in words, from the page of a game's rules.
        example: an input that gives the code, under a word for its kind: a game `file`, the `moves` of a game, a
            `command` with the `files` it needs, `requests` to a desk, a `letter`, a `log`, `python`, or just `words`.
    """

    code: str
    says: str
    remedy: str = ""
    instance: str = ""
    example: Mapping[str, Any] = Frozen()


@dataclass(frozen=True, slots=True)
class Chapter:
    """Codes that belong together: a title, the page that lists them, and the game, if its rules give them.

    The page is one of docs/, or an address of the web; empty if there is none.
    """

    title: str
    page: str
    explanations: tuple[Explanation, ...]
    game: str | None = None


def chapters(code: str = "") -> tuple[Chapter, ...]:
    """All codes: those of files, commands, the desk, logs, duels and the web, then those of each game's rules.

    With a `code`, only those from the files that have this word, so that one code is found quickly.
    """
    here = Path(__file__).parent
    files = (here / f"{name}.yaml" for name in _FILES)
    shared = [_chapter(one) for file in files if _has(file, code) for one in read_yaml(file)]
    return (*shared, *_of_games(code))


def _of_games(code: str) -> Iterator[Chapter]:
    for name in all_games():
        if name in GAMES and not _has(_RULES / name.replace("-", "_") / "refusals.yaml", code):
            continue  # no game is loaded for the codes of others
        file = None if game_fault(name) else game_named(name).refusals
        if file is not None and _has(file, code):
            yield _chapter({"title": game_named(name).title, **read_yaml(file)}, name)


def _has(file: Path, word: str) -> bool:
    return word in file.read_text(encoding="utf-8")


def explanations_of(code: str, game: str | None = None) -> tuple[tuple[Chapter, Explanation], ...]:
    """The meanings of a code, each with its chapter; of a game's rules only those of `game`, if one is named.

    Raises:
        RefereeError: `unknown-code`, with the games that have it, or else the codes nearest to it.
    """
    wanted = code.strip().casefold()
    every = [(chapter, one) for chapter in chapters(wanted) for one in chapter.explanations if one.code == wanted]
    found = tuple((chapter, one) for chapter, one in every if game is None or chapter.game in (None, game))
    if found:
        return found
    if every:
        others = join_words(str(chapter.game) for chapter, _ in every)
        raise RefereeError("unknown-code", f"{game} has no code {shown(code)}: it belongs to {others}")
    known = sorted({one.code for chapter in chapters() for one in chapter.explanations})
    near = tuple(get_close_matches(wanted, known, 3))
    raise RefereeError("unknown-code", f"there is no code {shown(code)}", suggestions=near)


def _chapter(data: Mapping[str, Any], game: str | None = None) -> Chapter:
    explanations = tuple(
        Explanation(one["code"], one["says"], one.get("do", ""), one.get("instance", ""), one.get("example", {}))
        for one in data["codes"]
    )
    return Chapter(data["title"], data.get("page", ""), explanations, game)
