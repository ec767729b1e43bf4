"""A book of games: a section for each, with boards where its comments ask for them, and indexes.

A comment `diagram`, or `diagram:` with a caption, asks for the board; so does an engine's better line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.draw import scene_of
from referee.draw.html import html_page, inline_picture, template_text
from referee.draw.scenes.scene import Scene
from referee.draw.scenes.svg import scene_svg, stylesheet
from referee.draw.text import ending_text, score_after
from referee.game import GameFile, Ply
from referee.game.file.gamefile import zeroth_ply
from referee.game.valuations import notable, opinion_in
from referee.rules import score_text

_DIAGRAM = re.compile(r"diagram(?:: *(?P<caption>.+))?", re.IGNORECASE)
_STYLE = re.compile(r' style="([^"]*)"')

_OPENING = 2
"""Plies of an opening."""


class Block(NamedTuple):
    """A paragraph of a section, of kind "moves" or "comment"; or a board with its caption."""

    kind: str
    text: str
    scene: Scene | None = None


class Section(NamedTuple):
    """A game in a book; `about` is where and when it was, and how it ended."""

    number: int
    title: str
    game: str
    players: tuple[str, ...]
    about: tuple[str, ...]
    opening: str
    blocks: tuple[Block, ...]


class Index(NamedTuple):
    """The numbers of the sections under each entry."""

    title: str
    entries: tuple[tuple[str, tuple[int, ...]], ...]


def sections(games: Iterable[GameFile]) -> list[Section]:
    """The sections of a book; FileError if a move of a game is refused."""
    return [_section(number, game) for number, game in enumerate(games, 1)]


def indexes(book: Sequence[Section]) -> tuple[Index, Index]:
    """The index of players, and that of openings."""
    players = [(name, one.number) for one in book for name in dict.fromkeys(one.players)]
    openings = [(f"{one.game}: {one.opening}", one.number) for one in book if one.opening]
    return _index("Players", players), _index("Openings", openings)


def book_page(games: Iterable[GameFile]) -> str:
    """The book as one HTML file without script; RefereeError `missing-extra` without jinja2."""
    book = sections(games)
    sheets: list[str] = []
    drawn: dict[int, str] = {}
    for block in (block for section in book for block in section.blocks):
        if block.scene is not None:
            name = f"board-{len(drawn)}"
            drawn[id(block)] = inline_picture(scene_svg(block.scene, name=name))
            sheets += [stylesheet(block.scene, name=name), *_STYLE.findall(drawn[id(block)])]
    style = "\n\n".join(map(template_text, ("page.css", "book.css")))
    return html_page(
        "book.html.jinja",
        script="",
        sheets=[style, *dict.fromkeys(sheets)],
        data=None,
        book=book,
        indexes=indexes(book),
        drawn=lambda block: drawn[id(block)],
    )


def _section(number: int, game: GameFile) -> Section:
    start, plies = zeroth_ply(game), [*game.replay()]
    last = plies[-1] if plies else start
    sides, names = game.description.sides, tuple(player.name for player in game.players.values())
    end = ending_text(last.outcome, sides) if last.outcome else "not over yet"
    about = (*(one for one in (game.event, game.date, game.id) if one), f"{score_text(score_after(last))}, {end}")
    title = " \u2013 ".join(names) or game.id or game.description.title
    steps = [" | ".join(str(one.move) for one in ply.annotated.values()) for ply in plies[:_OPENING]]
    blocks = (*_blocks(game, start, plies), Block("board", end, scene_of(last, sides[0])))
    return Section(number, title, game.description.title, names, about, "; ".join(steps), blocks)


def _blocks(game: GameFile, start: Ply, plies: Sequence[Ply]) -> Iterator[Block]:
    """The moves, comments and boards in their order; rounds without a comment share a paragraph."""
    line: list[str] = []
    before, view = start, game.description.sides[0]
    if game.start_text is not None or game.options:
        yield Block("board", "The start", scene_of(start, view))
    for number, one in enumerate(game.rounds, 1):
        made = [ply for ply in plies if ply.round == number]
        told = [*_told(one.comments, before, view)]
        behind = [block for ply in made for block in _notes(game, ply, view)]
        if told and line:
            yield Block("moves", "\u2003".join(line))
            line = []
        yield from told
        line.append(f"{number}. " + " | ".join(f"{noted.move} {noted.mark}".rstrip() for noted in one.moves))
        if behind:
            yield Block("moves", "\u2003".join(line))
            line = []
        yield from behind
        before = made[-1] if made else before
    if line:
        yield Block("moves", "\u2003".join(line))
    yield from _told(game.trailing_comments, before, view)


def _notes(game: GameFile, ply: Ply, view: str) -> Iterator[Block]:
    """The comments on a ply, each with its side where several move in a round, and the board."""
    for side, noted in ply.annotated.items():
        kept = notable(noted.comments, game.game)
        yield from _told(kept, ply, view, side if game.description.moves_per_round > 1 else "")
        if any(opinion_in(one, game.game) for one in kept):
            yield Block("board", f"After {noted.move} of {side}, round {ply.round}", scene_of(ply, view))


def _told(comments: Iterable[str], ply: Ply, view: str, side: str = "") -> Iterator[Block]:
    for comment in comments:
        if (asked := _DIAGRAM.fullmatch(comment)) is not None:
            where = f"After round {ply.round}" if ply.number else "The start"
            yield Block("board", asked["caption"] or where, scene_of(ply, view))
        else:
            yield Block("comment", f"{side}: {comment}" if side else comment)


def _index(title: str, found: Iterable[tuple[str, int]]) -> Index:
    entries: dict[str, list[int]] = {}
    for name, number in found:
        entries.setdefault(name, []).append(number)
    return Index(title, tuple((name, tuple(entries[name])) for name in sorted(entries, key=str.casefold)))
