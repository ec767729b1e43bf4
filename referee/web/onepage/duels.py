"""A duel on the page, from JSON to JSON; the page keeps the text of its file, the same as that of `referee duel`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from referee.desk import acts
from referee.draw.record import record
from referee.duel import player, status
from referee.duel.challenge import Challenge, duel_refusal
from referee.duel.course import Owed
from referee.duel.exchange import LONGEST_PASTE, DuelRemark, messages_in
from referee.duel.message import DuelMessage
from referee.duel.state_file import duel_from, state_text
from referee.duel.transcript import duel_game, duel_id, known_plies, read_transcript, transcript
from referee.game import dumps
from referee.rules import GAMES, game_named
from referee.web.onepage.study import PageData

_SEED = 32
"""Bytes of a random seed for a player's key and nonces."""

_MOST_RECENT = 16
_recent: dict[str, player.Duel] = {}
"""The duels of the last texts."""

_CLAIM = "claim "
_WISHES: Mapping[str, player.Intention] = MappingProxyType(
    {str(act): act for act in (acts.OfferDraw(), acts.Accept(), acts.Resign())}
)


def duel_games() -> PageData:
    """The games that two people can play without a referee."""
    return {"games": [name for name in GAMES if duel_refusal(game_named(name)) is None]}


def begun_duel(game: str, options: Mapping[str, object], side: str, name: str) -> PageData:
    """A new duel; options that are `flip` are decided by a coin."""
    chosen = {**options, **game_named(game).flips(options)}
    return _shown(player.open_duel(game, chosen, side, secrets.token_bytes(_SEED), name))


def joined_duel(text: str, name: str) -> PageData:
    """The other side of a duel whose opening is in a text."""
    return _after_reading(player.join_duel(text, secrets.token_bytes(_SEED), name))


def kept_duel(state: str) -> PageData:
    """A duel from the text of its file."""
    return _shown(_duel(state))


def read_duel(state: str, text: str) -> PageData:
    """A duel after a text of the other player, with its news and faults."""
    return _after_reading(player.read_paste(_duel(state), text))


def played_duel(state: str, lines: Sequence[str]) -> PageData:
    """A duel after its player's lines: a move, `offer draw`, `accept`, `resign`, or the claim of an end.

    Without a line the player reveals, or joins.
    """
    return _shown(player.speak(_duel(state), [*map(_wish, lines)]))


def exported_duel(state: str, form: str) -> PageData:
    """An export of a duel without its secrets: `messages`, the game file (`yaml`), or a record in a form."""
    here = _duel(state)
    if form == "messages":
        return {"text": transcript(here.exchange)}
    game = duel_game(here.exchange)
    return {"text": dumps(game) if form == "yaml" else record(game, form, view=here.side).decode()}


def checked_messages(text: str) -> PageData:
    """The verdict on all messages of a duel, as in `referee duel check`."""
    taken = read_transcript(text)
    return {
        "said": [*status.transcript_lines(taken)],
        "remarks": [*_remarks(taken.remarks)],
        "clean": status.is_clean(taken),
    }


def addressed_duels(text: str) -> PageData:
    """The duels of the messages in a text, each with the seat of its sender and its proposal."""
    found = [one for _, one in messages_in(text[:LONGEST_PASTE]) if isinstance(one, DuelMessage)]
    return {"messages": [_address(one) for one in found]}


def _address(message: DuelMessage) -> PageData:
    opening = message.entrance
    if not isinstance(opening, Challenge):
        return {"id": f"duel-{message.game[:8]}", "seat": message.seat, "opener": None, "proposes": None}
    proposed = {
        "title": opening.description.title,
        "name": opening.name or opening.side,
        "side": opening.sides[1],
        "options": {name: str(value) for name, value in opening.options.items()},
    }
    return {"id": f"duel-{message.digest[:8]}", "seat": message.seat, "opener": opening.key, "proposes": proposed}


def _after_reading(reading: player.DuelReading) -> PageData:
    """A duel after a text, with the answer that needs no decision."""
    return {
        **_shown(player.respond(reading.duel)),
        "news": [*status.reading_lines(reading)],
        "remarks": [*_remarks(status.worthwhile_remarks(reading))],
    }


def _shown(here: player.Duel) -> PageData:
    """A duel as the page shows it.

    `file` and `line` are the game as its player knows it; `silent` is true if a message needs no decision.
    """
    known = player.outlook(here)
    exchange, course = here.exchange, known.exchange.course
    joined, over = bool(exchange.chains[here.seat]), course.over(known.exchange.cut)
    return {
        "state": _state(here),
        "id": duel_id(exchange),
        "seat": here.seat,
        "opener": exchange.key(0),
        "side": here.side,
        "title": exchange.opening.description.title,
        "other": exchange.name(1 - here.seat),
        "standing": [*status.standing(here)],
        "file": dumps(duel_game(known.exchange)),
        "line": [{side: str(move) for side, move in ply.items()} for ply in known_plies(known.exchange)],
        "owes": known.duty is not None,
        "seals": known.duty is Owed.SEALED_MOVE,
        "silent": not over and (not joined or here.duty is Owed.REVEAL),
        "offered": not over and course.offered(here.seat, known.exchange.cut),
        "claims": sorted(course.claims(here.seat, known.exchange.cut)),
        "over": over,
        "sent": len(exchange.chains[here.seat]),
        "text": status.text_to_send(here) if here.unread else "",
        "link": status.link_to_send(here, "") if here.unread else "",
        "news": [],
        "remarks": [],
    }


def _remarks(remarks: Iterable[DuelRemark]) -> Iterator[PageData]:
    return ({"code": one.code, "message": one.message, "weight": one.weight.name.lower()} for one in remarks)


def _wish(line: str) -> player.Intention:
    """The wish of a line, which is a move unless it is a command of the page."""
    said = " ".join(line.split()).casefold()
    if said.startswith(_CLAIM):
        return acts.Claim(said.removeprefix(_CLAIM))
    return _WISHES.get(said) or acts.MakeMove(line)


def _state(here: player.Duel) -> str:
    """The text of a duel's file, cached so that it need not be read again."""
    text = state_text(here)
    _recent[text] = here
    while len(_recent) > _MOST_RECENT:
        del _recent[next(iter(_recent))]
    return text


def _duel(state: str) -> player.Duel:
    return _recent.get(state) or duel_from(state, "duel")


DUEL_CALLS: Mapping[str, Callable[..., PageData]] = {
    "duel-games": duel_games,
    "duel-begin": begun_duel,
    "duel-join": joined_duel,
    "duel-keep": kept_duel,
    "duel-read": read_duel,
    "duel-play": played_duel,
    "duel-export": exported_duel,
    "duel-check": checked_messages,
    "duel-sort": addressed_duels,
}
