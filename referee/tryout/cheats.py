"""Cheats of a try-out's host, each of which makes another log, and what an audit finds in it.

The log in the store stays as it is: a cheating host shows another one to others. Its digests are made again, unless
the cheat is careless about them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from referee.desk import START, Entry, Table, acting_side, audit, each_once, events, new_entry, sealed_name
from referee.desk.law.summary import audit_lines
from referee.desk.state.state import position_after
from referee.mail.evidence.mailboxes import heads_of
from referee.rules.frozen import Frozen


class Shown(NamedTuple):
    """The log that a host shows, and a sentence about what was done to it."""

    said: str
    entries: Sequence[Entry]


class Exposure(NamedTuple):
    """A sentence on the cheat, and two audits as they are printed: of the log `alone`, and beside the `letters`."""

    title: str
    said: str
    alone: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()


def honest(_: Table, log: Sequence[Entry]) -> Shown:
    """The log as it is."""
    return Shown("The host shows the log as it is.", log)


def opened_early(table: Table, log: Sequence[Entry]) -> Shown | None:
    """Open a sealed move before its time; the log does not change."""
    state, secrets = table.state, table.secrets
    moves = {side: secrets[name] for side in state.seals if (name := sealed_name(state.ply, side)) in secrets}
    if not moves:
        return None
    said = "; ".join(f"{state.players[side]} has chosen {kept.rsplit(' ', 1)[0]}" for side, kept in moves.items())
    hint = "This leaves no trace. Players who do not trust the host can seal a move on their own machine."
    return Shown(f"The host opens what the desk has sealed: {said}. {hint}", log)


def exchanged(table: Table, log: Sequence[Entry]) -> Shown | None:
    """Exchange the last move of one side, for instance once the other's sealed move is known."""
    place = next((one.number for one in reversed(log) if isinstance(one.event, events.Played)), None)
    if place is None:
        return None
    state = table.state
    played = log[place].event
    assert isinstance(played, events.Played)
    position = position_after(state.game, state.options, state.plies[: played.ply - 1])
    latest = acting_side(log[place - 1].event)
    side = latest if latest in played.moves else next(iter(played.moves))
    made = played.moves[side]
    other = next((str(move) for move in position.legal_moves(side) if str(move) != made), made)
    changed = replace(log[place], event=replace(played, moves={**played.moves, side: other}))
    said = f"The host lets {state.players[side]} have played {other} instead of {made}, and makes all digests again."
    return Shown(said, _chained([*log[:place], changed, *log[place + 1 :]]))


def postdated(_: Table, log: Sequence[Entry]) -> Shown:
    """Write another time into the last entry, and leave its digest."""
    last = replace(log[-1], at=log[-1].at + timedelta(hours=1))
    return Shown("The host writes a later time into the last entry, and forgets its digest.", [*log[:-1], last])


def dropped(_: Table, log: Sequence[Entry]) -> Shown | None:
    """Cut the log before the last letter, as if it had never come."""
    place = next((one.number for one in reversed(log) if one.came is not None), 0)
    if not place:
        return None
    return Shown("The host drops the last letter that did something, and all that followed from it.", log[:place])


class Cheat(NamedTuple):
    """A cheat, and the words on its button; it does nothing in a game that has nothing to cheat with."""

    says: str
    does: Callable[[Table, Sequence[Entry]], Shown | None]


CHEATS: Mapping[str, Cheat] = Frozen(
    {
        "honest": Cheat("Audit the log as it is", honest),
        "open": Cheat("Open a sealed move early", opened_early),
        "exchange": Cheat("Use it: exchange a move", exchanged),
        "entry": Cheat("Change an entry", postdated),
        "drop": Cheat("Drop a letter", dropped),
    }
)


def judged(cheat: Cheat, table: Table, log: Sequence[Entry], letters: Iterable[bytes]) -> Exposure:
    """The audits of the log that a cheat shows: alone, and with the log heads in letters."""
    if (shown := cheat.does(table, log)) is None:
        return Exposure("Nothing is done", f"This game has nothing yet for “{cheat.says}”.")
    heads = each_once(head for raw in letters for head in heads_of(raw))
    lines = [entry.as_line() for entry in shown.entries]
    alone, compared = audit(lines), audit(lines, shown=heads)
    if alone.findings:
        title = f"The log itself gives it away: {alone.findings[0].code}"
    elif compared.findings:
        title = (
            f"The log agrees with itself, but the letters of the players give it away: {compared.findings[0].code}"
        )
    else:
        title = "The audit finds nothing wrong"
    said = audit_lines(alone, "log"), audit_lines(compared, "log", heads=True)
    return Exposure(title, shown.said, *map(tuple, said))


def _chained(entries: Iterable[Entry]) -> list[Entry]:
    """The entries with right digests."""
    made: list[Entry] = []
    for one in entries:
        before = made[-1].digest if made else START
        made.append(new_entry(one.game, one.number, one.at, one.event, before, came=one.came))
    return made
