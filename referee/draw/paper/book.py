"""A book of games: a section for each, with boards where its comments ask for them, and indexes.

A comment `diagram`, or `diagram:` with a caption, asks for the board; so does an engine's better line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.draw import scene_of
from referee.draw.html import html_page, inline_picture, template_text
from referee.draw.scenes.scene import Scene
from referee.draw.scenes.svg import scene_svg, stylesheet
from referee.draw.text import diagram_in, ending_text, own_plies, result_text
from referee.game import GameFile, Ply, zeroth_ply
from referee.game.valuations import notable, opinion_in
from referee.rules.description import Data

_STYLE = re.compile(r' style="([^"]*)"')

_EACH = "player, move"
"""The head over moves of players who take turns at tasks."""

_OPENING = 2
"""Plies of an opening."""


class Block(NamedTuple):
    """A comment or a variation, or the caption of a board."""

    text: str
    scene: Scene | None = None


class Row(NamedTuple):
    """A round: its written moves, and the comments before and after them; round 0 has no moves."""

    number: int
    moves: tuple[str, ...]
    before: tuple[Block, ...]
    after: tuple[Block, ...]


class Section(NamedTuple):
    """A game in a book; `about` is where and when it was, `over` are the heads over its moves.

    It begins with the board of the start if that is not the usual one, and ends with the last one.
    """

    number: int
    title: str
    game: str
    event: str | None
    players: tuple[str, ...]
    about: tuple[str, ...]
    result: str
    opening: str
    over: tuple[str, ...]
    start: tuple[Block, ...]
    rows: tuple[Row, ...]
    last: Block

    @property
    def scenes(self) -> Iterator[Scene]:
        """All boards."""
        blocks = (*self.start, *(block for row in self.rows for block in row.before + row.after), self.last)
        return (block.scene for block in blocks if block.scene is not None)


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


def book_title(book: Sequence[Section]) -> str:
    """The event of all games if they have one in common, or their number."""
    events = {section.event for section in book}
    one = events.pop() if len(events) == 1 else None
    return one or f"{len(book)} game{'s' * (len(book) != 1)}"


def book_page(games: Iterable[GameFile]) -> str:
    """The book as one HTML file without script; RefereeError `missing-extra` without jinja2."""
    book = sections(games)
    sheets: list[str] = []
    drawn: dict[int, str] = {}
    for scene in (scene for section in book for scene in section.scenes):
        name = f"board-{len(drawn)}"
        drawn[id(scene)] = inline_picture(scene_svg(scene, name=name))
        sheets += [stylesheet(scene, name=name), *_STYLE.findall(drawn[id(scene)])]
    style = "\n\n".join(map(template_text, ("page.css", "book.css")))
    return html_page(
        "book.html.jinja",
        script="",
        sheets=[style, *dict.fromkeys(sheets)],
        data=None,
        title=book_title(book),
        book=book,
        indexes=indexes(book),
        drawn=lambda scene: drawn[id(scene)],
    )


def _section(number: int, game: GameFile) -> Section:
    start, plies = zeroth_ply(game), [*game.replay()]
    last = plies[-1] if plies else start
    sides, names = game.description.sides, tuple(player.name for player in game.players.values())
    end = ending_text(last.outcome, sides) if last.outcome else "not over yet"
    over = heads([start, *plies])
    about = tuple(filter(None, (game.event, game.date, game.id)))
    title = " \u2013 ".join(names) or game.id or game.description.title
    steps = [" | ".join(str(one.move) for one in ply.annotated.values()) for ply in plies[:_OPENING]]
    return Section(
        number,
        title,
        game.description.title,
        game.event,
        names,
        about,
        result_text(last),
        "; ".join(steps),
        over,
        tuple([Block("The start", scene_of(start, sides[0]))] if unusual(game) else ()),
        tuple(rows([start, *plies], game, over)),
        Block(end, scene_of(last, sides[0])),
    )


def rows(plies: Sequence[Ply], game: GameFile, over: Sequence[str]) -> Iterator[Row]:
    """The rounds of a game with their comments and variations; the first of its plies is the start."""
    view, behind, last = game.description.sides[0], defaultdict[int, list[Block]](list), len(game.rounds)
    made, before = defaultdict[int, list[Ply]](list), plies[0]
    for ply in plies:
        made[ply.round].append(ply)
        behind[ply.round] += _notes(ply, view, named=game.description.moves_per_round > 1)
    behind[last] += told(game.trailing_comments, plies[-1], view)
    for line in game.lines:
        assert line.branch is not None
        behind[min(line.branch.round, last)] += variation(line, view)
    if not last and behind[0]:
        yield Row(0, (), (), tuple(behind[0]))
    for number, one in enumerate(game.rounds, 1):
        asked = tuple(told(one.comments, before, view))
        yield Row(number, tuple(written(made[number], over)), asked, tuple(behind[number]))
        before = made[number][-1]


def unusual(game: GameFile) -> bool:
    """True if a game began elsewhere than usual, by a set-up, a deal or a position of its own."""
    named = {option.name for option in game.description.options if isinstance(option, Data)}
    other = named & game.options.keys() and game.start() != game.description.start({})
    return bool(other or game.start_text)


def heads(plies: Sequence[Ply]) -> tuple[str, ...]:
    """The sides in the order of their moves in a round, if all rounds have the same; else moves name their sides.

    The first of the plies is the start of the game.
    """
    order: dict[int, list[str]] = {}
    for ply in plies[1:]:
        order.setdefault(ply.round, []).extend(ply.annotated)
    first = order.get(1, [*plies[0].position.sides])
    same = all(sides == first[: len(sides)] for sides in order.values())
    return tuple(first if same else [_EACH] * len(first))


def written(plies: Iterable[Ply], over: Sequence[str] = ()) -> Iterator[str]:
    """The moves of some plies with their marks, and with their sides if the heads `over` them do not name those."""
    for ply in plies:
        for side, noted in ply.annotated.items():
            yield f"{side if _EACH in over else ''} {noted.move} {noted.mark}".strip()


def variation(line: GameFile, view: str) -> Iterator[Block]:
    """A variation with those in it as one paragraph in brackets, and the boards that its comments ask for."""
    parts, boards = list[str](), list[Block]()

    def add(blocks: Iterable[Block]) -> None:
        for block in blocks:
            if block.scene is None:
                parts.append(block.text)
            else:
                boards.append(block)

    for label, comments, ply in own_plies(line):
        add(told(comments, ply, view))
        parts.append(f"{label} {' | '.join(written([ply]))}".lstrip())
        add(_notes(ply, view, named=len(ply.annotated) > 1))
    add(told(line.trailing_comments, line.plies[-1], view))
    for one in line.lines:
        add(variation(one, view))
    yield Block(f"({' '.join(parts)})")
    yield from boards


def _notes(ply: Ply, view: str, *, named: bool) -> Iterator[Block]:
    """The comments on a ply, `named` with their sides, and the board after a better line."""
    game = ply.position.game
    for side, noted in ply.annotated.items():
        kept = notable(noted.comments, game)
        yield from told(kept, ply, view, f"{side}: " if named else "")
        if any(opinion_in(one, game) for one in kept):
            yield Block(f"After {noted.move} of {side}, round {ply.round}", scene_of(ply, view))


def told(comments: Iterable[str], ply: Ply, view: str, side: str = "") -> Iterator[Block]:
    """Comments after a ply, each behind its side, and the boards that they ask for."""
    for comment in comments:
        if (caption := diagram_in(comment)) is not None:
            where = f"After round {ply.round}" if ply.number else "The start"
            yield Block(caption or where, scene_of(ply, view))
        else:
            yield Block(f"{side}{comment}")


def _index(title: str, found: Iterable[tuple[str, int]]) -> Index:
    entries: dict[str, list[int]] = {}
    for name, number in found:
        entries.setdefault(name, []).append(number)
    return Index(title, tuple((name, tuple(entries[name])) for name in sorted(entries, key=str.casefold)))
