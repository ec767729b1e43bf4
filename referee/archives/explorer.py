"""The opening explorer: a tree of moves with its boards and results as one HTML page, closed to the network.

Without script the page is a list of all moves in the tree; the script shows one place of it at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from referee.archives.tree import MoveTree
from referee.draw import drawing
from referee.draw.html import html_page, inline_picture, switch_rules, switches, template_text
from referee.draw.scenes.gallery import Gallery
from referee.draw.scenes.svg import scene_svg, stylesheet
from referee.draw.text import turn_text
from referee.errors import cut
from referee.game import GameFile
from referee.notation.moves import parse_move
from referee.rules import Event, Position, movers

_LONGEST_OPTION = 40
"""Maximum characters of an option in the name of a start."""

_HINT = "To see what they played, make the page with {rarer}a larger --depth."


@dataclass(frozen=True)
class TreePlace:
    """A place as the page shows it; `step` led there, and is empty at a start.

    `results` are the numbers of games, in the order of its start's results, and `beside` those of a second archive.
    """

    number: int
    step: str
    state: str
    results: tuple[int, ...]
    beside: tuple[int, ...]
    replies: tuple[TreePlace, ...]

    @property
    def games(self) -> int:
        """The number of games that came here, of both archives."""
        return sum(self.results) + sum(self.beside)

    def all(self) -> Iterator[TreePlace]:
        """This place and all after it, in the order of their numbers."""
        yield self
        for one in self.replies:
            yield from one.all()


@dataclass(frozen=True)
class Start:
    """A start as the page shows it: its title, the names of results, the tree, and its pictures by view.

    The first `winners` results are wins of the sides or of a team.
    """

    title: str
    winners: int
    results: tuple[str, ...]
    root: TreePlace
    views: Mapping[str, list[int]]

    def result_text(self, place: TreePlace, names: Sequence[str] = ()) -> str:
        """The results of the games at a place: "south wins 2, draw 1", of two archives with their `names`."""
        told = [self._told(place.results), self._told(place.beside)]
        return "; ".join(f"{name}: {text}" for name, text in zip(names, told, strict=True)) if names else told[0]

    def _told(self, counts: Sequence[int]) -> str:
        told = zip(self.results, counts, strict=True)
        return ", ".join(f"{name} {games:,}" for name, games in told if games) or "no game"


def explorer_page(
    openings: Sequence[tuple[GameFile, MoveTree]],
    *,
    least: int,
    notes: Sequence[str] = (),
    names: Sequence[str] = (),
    wanted: str = "",
) -> str:
    """The page of an archive's openings.

    An opening is a start, as a game before its first ply, with its tree. `least` is the number of games that a step
    needed to stay in the trees, `names` are those of two archives, if the trees have the results of both, and
    `wanted` are the games that were counted, in words.

    Raises:
        RefereeError: `missing-extra`.
    """
    gallery, numbers = Gallery(), count()
    hint = _HINT.format(rarer="a smaller --least or " if least > 1 else "")
    # Each game's pictures have a style of their own; the first one's is `board`.
    names_of_games = dict.fromkeys(game.game for game, _ in openings)
    called = {game: f"board-{number}" if number else "board" for number, game in enumerate(names_of_games)}
    starts = [_start(game, tree, gallery, numbers, called[game.game]) for game, tree in openings]
    boards = {
        called[game.game]: drawing(game.game).scene(game.start(), view=game.description.sides[0])
        for game, _ in reversed(openings)
    }
    switched = {key: says for scene in boards.values() for key, says in switches(scene).items()}
    rules = [stylesheet(scene, name=name) for name, scene in boards.items()]
    style = "\n\n".join((*map(template_text, ("page.css", "explorer.css")), *switch_rules(switched), *rules))
    return html_page(
        "explorer.html.jinja",
        script="\n".join(map(template_text, ("board.js", "explorer.js"))),
        sheets=[style, *rules, *sorted(gallery.styles)],
        data={"hint": hint, "names": names, "nodes": gallery.nodes, "starts": [_data(start) for start in starts]},
        hint=hint,
        starts=starts,
        games=sum(start.root.games for start in starts),
        board=inline_picture(scene_svg(boards["board"])) if starts else "",
        switches=switched,
        least=least,
        notes=notes,
        names=names,
        wanted=wanted,
    )


def _start(game: GameFile, tree: MoveTree, gallery: Gallery, numbers: Iterator[int], name: str) -> Start:
    """A start with its tree; its places get the next numbers, and their pictures go into the gallery."""
    draw, sides, winners = drawing(game.game), game.description.sides, game.description.scores
    wins = [f"{winner} wins" for winner in winners]
    results = (*wins, *sorted({*tree.results, *tree.beside} - {*wins}))
    views: dict[str, list[int]] = {side: [] for side in sides}

    def place(position: Position, opening: MoveTree, step: str = "", events: tuple[Event, ...] = ()) -> TreePlace:
        number = next(numbers)
        for side, pictures in views.items():
            pictures.append(gallery.hang(draw.scene(position, view=side, events=events), name=name))
        replies = []
        for text, reply in opening.replies.items():
            texts = zip(movers(position), text.split(" | "), strict=True)
            moves = {side: parse_move(position.game, one) for side, one in texts}
            after = position.play_unchecked(moves)
            replies.append(place(after, reply, text, position.events(moves, after)))
        counts, others = (tuple(one.get(name, 0) for name in results) for one in (opening.results, opening.beside))
        return TreePlace(number, step, _state(position), counts, others, tuple(replies))

    root = place(game.start(), tree)
    different = {tuple(pictures): side for side, pictures in reversed(views.items())}
    shown = {side: views[side] for side in sides if side in different.values()}
    return Start(_title(game), len(winners), results, root, shown)


def _state(position: Position) -> str:
    if position.outcome is not None:
        return f"Over ({position.outcome.termination})."
    return f"To move: {turn_text(position)}." if position.to_move else "No player is to move yet."


def _title(game: GameFile) -> str:
    usual = game.description.completed({})
    parts = [
        f"{name}: {cut(_words(value), _LONGEST_OPTION)}"
        for name, value in game.options.items()
        if value != usual.get(name)
    ]
    if game.start_text is not None:
        parts.append(f"start: {cut(game.start_text, _LONGEST_OPTION)}")
    return ", ".join((game.description.title, *parts))


def _words(value: object) -> str:
    """The value of an option in words: `seed 3-1`."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_words(inner)}" for key, inner in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(_words, value))
    return str(value)


def _data(start: Start) -> dict[str, object]:
    places = [
        [one.step, one.state, one.results, [reply.number for reply in one.replies], *filter(any, [one.beside])]
        for one in start.root.all()
    ]
    return {
        "results": start.results,
        "winners": start.winners,
        "views": start.views,
        "first": start.root.number,
        "places": places,
    }
