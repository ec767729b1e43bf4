"""A game as an Atom feed (RFC 4287), and the deadlines of a player as a calendar (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from referee.desk import Entry, events
from referee.desk.glances import public_name
from referee.desk.views import Debt, calendar_owner, debts
from referee.web.site.exhibits import Exhibit, exhibit_of
from referee.web.site.markup import markup_of, moment_text, pages_version
from referee.web.site.site import Answered, MissingPageError, Site, tag_of

MOST_ENTRIES = 50
"""Maximum entries of a feed, the newest ones."""

_FOLD = 74
"""Bytes of a calendar's line, without the blank of a continuation."""


def game_feed(site: Site, name: str) -> Answered:
    """The events of a game as an Atom feed; RefereeError `unknown-game`."""
    table = site.desk.table(name)
    game = exhibit_of(site, table)
    tag = tag_of("feed", pages_version(), site.url, site.name, table.state.head, game.match)

    def made() -> bytes:
        newest = [*_news(game, site.desk.log(name))][: -MOST_ENTRIES - 1 : -1]
        return markup_of(site, "feed.xml.jinja", game=game, news=newest, stamp=_stamp)

    return Answered("application/atom+xml; charset=utf-8", tag, made)


def calendar(site: Site, secret: str) -> Answered:
    """A player's deadlines in all games, by the secret of their calendar; MissingPageError if there is none."""
    address = calendar_owner(site.desk, secret)
    if address is None:
        raise MissingPageError("There is no such calendar.")
    owed = sorted(debts(site.desk, address), key=lambda one: (one.until, one.state.id))
    heads = [(one.state.head, one.side, one.until) for one in owed]
    tag = tag_of("calendar", pages_version(), site.url, site.name, heads)
    return Answered("text/calendar; charset=utf-8", tag, lambda: _calendar(site, owed))


def _news(game: Exhibit, log: Iterable[Entry]) -> Iterator[tuple[Entry, str]]:
    """The public entries, each in a few words, without sealed moves."""
    for entry in log:
        match entry.event:
            case events.Opened():
                yield entry, f"The game begins: {game.match}"
            case events.Played(ply=ply, moves=moves):
                made = (f"{one.side} {moves[one.side]}" for one in game.occupants if one.side in moves)
                yield entry, f"Ply {ply}: {' | '.join(made)}"
            case events.Closed():
                yield entry, game.status if entry.number == game.number else "The game ended."
            case events.Reopened():
                yield entry, "The host has taken back the end of the game."
            case events.Paused():
                yield entry, "The clocks are stopped."
            case events.Resumed():
                yield entry, "The clocks are running again."


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _calendar(site: Site, owed: Iterable[Debt]) -> bytes:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//referee//desk//EN", f"X-WR-CALNAME:{_escaped(site.name)}"]
    for one in owed:
        lines += _event(site, one)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line)).encode()


def _event(site: Site, debt: Debt) -> Iterator[str]:
    state, side = debt.state, debt.side
    others = ", ".join(public_name(state, one) or one for one in state.position.sides if one != side)
    what = "reveal your sealed move" if side in state.seals else "move"
    address = site.address("g", state.id)
    yield "BEGIN:VEVENT"
    yield f"UID:{state.root[:24]}-{side}-{state.ply}@referee"
    yield f"DTSTAMP:{_basic(state.at)}"
    yield f"DTSTART:{_basic(debt.until)}"
    yield f"SUMMARY:{_escaped(f'{state.description.title} with {others}: {what} (round {state.round})')}"
    yield f"DESCRIPTION:{_escaped(f'{state.id}, as {side}, until {moment_text(debt.until)}. {address}')}"
    yield f"URL:{address}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _basic(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    plain = "".join(char if char.isprintable() else " " for char in text)
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> Iterator[str]:
    """A line in parts of at most 75 bytes of whole characters, each after a blank except the first."""
    part, size = "", 0
    for char in line:
        width = len(char.encode())
        if size + width > _FOLD:
            yield part
            part, size = " ", 0
        part, size = part + char, size + width
    yield part
