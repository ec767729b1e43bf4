"""The page of a game, and its board as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from referee.desk import State
from referee.desk.glances import Phase, phase_of, public_name, public_text
from referee.draw import MarkedDrawing, drawing, scene_of
from referee.draw.picture import picture
from referee.draw.scenes.thumbnail import thumbnail
from referee.draw.words import YOU, alt_text, by_name, capital, words
from referee.game import Player, Ply, game_text
from referee.web.site.exhibits import Exhibit, Occupant, exhibit_of, largest_units, shown_ply
from referee.web.site.markup import markup_of, pages_version
from referee.web.site.site import HTML, Answered, MissingPageError, Site, tag_of

_SOON = timedelta(hours=12)
"""A clock with less time than this is marked."""

_SHORT = {"day": "d", "hour": "h", "minute": "min"}


class SeatBar(NamedTuple):
    """A seat at the edge of the board: its occupant, the time left, True if that is little, and the points."""

    one: Occupant
    left: str
    soon: bool
    points: int | None


@dataclass(frozen=True, slots=True)
class Look:
    """A reader's choice of a ply (None is the last one) and a view; `you` is true for the player of that side."""

    ply: int | None = None
    view: str | None = None
    you: bool = False

    def of(self, state: State) -> tuple[Ply | None, str]:
        """The ply and the side for the reader; RefereeError `no-such-ply` or `unknown-side`."""
        view = self.view or state.position.sides[0]
        state.position.expect_side(view)
        return shown_ply(state, self.ply), view


def game_page(site: Site, name: str, look: Look) -> Answered:
    """The page of a game; RefereeError `unknown-game`, or as `Look.of`."""
    table = site.desk.table(name)
    state = table.state
    seen, view = look.of(state)
    shown_game = exhibit_of(site, table)
    seats = _seats(shown_game, view, seen, site.now())
    tag = tag_of("game", pages_version(), site.url, site.name, look, shown_game, seats)
    return Answered(HTML, tag, lambda: _page(site, state, shown_game, look, seen, view, seats))


def board_picture(site: Site, name: str, look: Look, form: str) -> Answered:
    """The board of a game as "svg", "png" or "small", for lists; MissingPageError without one, or as `game_page`."""
    state = site.desk.state(name)
    seen, view = look.of(state)
    if seen is None:
        raise MissingPageError("This game has no board yet.")
    tag = tag_of("board", pages_version(), state.head, look, form)
    if form == "small":
        return Answered("image/svg+xml", tag, lambda: thumbnail(scene_of(seen, view)).encode())
    return Answered("image/png" if form == "png" else "image/svg+xml", tag, lambda: picture(seen, form, view=view))


def public_game_file(site: Site, name: str) -> Answered:
    """The public part of a game as a game file; RefereeError `unknown-game`, or MissingPageError."""
    state = site.desk.state(name)
    if phase_of(state) not in (Phase.RUNNING, Phase.FINISHED):
        raise MissingPageError("This game has not begun.")
    return Answered("text/yaml; charset=utf-8", tag_of("file", pages_version(), state.head), lambda: _file(state))


def _file(state: State) -> bytes:
    file = state.as_file()
    players = {side: Player(public_name(state, side) or side) for side in file.players}
    event = None if file.event is None else public_text(file.event) or None
    return game_text(replace(file, players=players, event=event)).encode()


def _seats(game: Exhibit, view: str, seen: Ply | None, at: datetime) -> list[SeatBar]:
    """The seats clockwise, from the one after the reader's to the reader's own."""
    score = {} if seen is None else (seen.outcome or seen.position).score
    found = [
        SeatBar(
            one,
            _time_left(one.until - at) if one.until else "",
            one.until is not None and one.until - at < _SOON,
            score.get(one.side) if any(score.values()) else None,
        )
        for one in game.occupants
    ]
    own = next(place for place, seat in enumerate(found) if seat.one.side == view)
    return [*found[own + 1 :], *found[: own + 1]]


def _time_left(span: timedelta) -> str:
    """A clock's time, in its two largest units: "6 d 20 h", "11 h 5 min"."""
    return " ".join(f"{number} {_SHORT[unit]}" for number, unit in largest_units(span)) or "0 min"


def _names(game: Exhibit, you: str) -> dict[str, str]:
    """The players by their sides, as a sentence names them; the reader's own side is `you`."""
    called = [one.name for one in game.occupants]
    names = {one.side: one.called if called.count(one.name) > 1 else one.name or one.side for one in game.occupants}
    # A name that is read from right to left does not turn the sentence around it.
    return {
        side: YOU if side == you else name if name.isascii() else f"\u2068{name}\u2069"
        for side, name in names.items()
    }


def _page(
    site: Site, state: State, game: Exhibit, look: Look, seen: Ply | None, view: str, seats: Sequence[SeatBar]
) -> bytes:
    draw, sides = drawing(state.game), state.position.sides
    scenes = {side: scene_of(seen, side) for side in sides} if seen else {}
    score = {} if seen is None else (seen.outcome or seen.position).score
    names = _names(game, view if look.you else "")

    def told(sentence: str) -> str:
        return capital(by_name(sentence, names))

    phases = (Phase.RUNNING, Phase.FINISHED) if site.submits else (Phase.RUNNING,)
    return markup_of(
        site,
        "game.html.jinja",
        game=game,
        look=look,
        seen=seen,
        view=view,
        seats=seats,
        team=next((f"{who} {points}" for who, points in score.items() if who not in sides), ""),
        views=sides if len({repr(one) for one in scenes.values()}) > 1 else (),
        scene=scenes.get(view),
        alt=by_name(alt_text(seen.position, view, seen.events, outcome=seen.outcome), names) if seen else "",
        words=[told(one) for one in words(seen.position, view, seen.events, outcome=seen.outcome)] if seen else (),
        changes=[told(draw.sentence(event)) for event in seen.events] if seen else [],
        standing=[(told(heading), by_name(text, names)) for heading, text in draw.standing(seen.position)]
        if seen
        else [],
        names={side: capital(name) for side, name in names.items()},
        marks=draw.MARKS if isinstance(draw, MarkedDrawing) else {},
        plies=list(state.as_file().replay()),
        per_round=state.description.moves_per_round,
        composes=look.ply is None and bool(site.mailbox) and game.phase in phases,
        turn=state.turn,
        movers=[side for side in sides if state.standing(side) == "to-move"],
        players={one.side: one.name or one.side for one in game.occupants},
        winner=state.outcome.winner if state.outcome else None,
        live=game.phase in (Phase.WAITING, Phase.RUNNING) and look.ply is None,
        last=len(state.plies),
    )
