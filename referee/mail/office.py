"""What the host and the time do to the games of a desk, and the letters that tell of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from referee.desk import Answer, Carried, Key, State, Terms, carried_out, opened
from referee.desk import requests as asked
from referee.desk.case import Secrets, address_name
from referee.desk.requests import Ordered
from referee.desk.store import Change, Held, Outgoing
from referee.errors import IllegalMove, RefereeError, shown
from referee.game import GameFile
from referee.mail.composing.draft import Note, Report, Thread, as_bytes
from referee.mail.composing.text import wrapped
from referee.mail.desk import Desk
from referee.mail.handling import work_off
from referee.mail.intake import is_game_id
from referee.mail.reachable import is_reachable
from referee.mail.telling import drafted, tell


class Undelivered(NamedTuple):
    """A seat that letters do not reach, its address, and what the mail server said of it."""

    game: str
    side: str
    address: str
    reason: str


def open_game(
    desk: Desk,
    name: str,
    game: GameFile,
    at: datetime,
    *,
    terms: Terms | None,
    addresses: Mapping[str, str],
    secret: str | None = None,
) -> State:
    """Open a game under an id, and send every side its invitation.

    Raises:
        FileError: the moves of the game's file do not hold.
        RefereeError: `game-id`: it is none, or is taken; `address`: a side has none; and as `opened` does.
    """
    begun = opened(name, game, at, terms=terms, addresses=addresses, secret=secret)
    for side in begun.state.position.sides:
        if address_name(side) not in begun.secrets:
            raise RefereeError("address", f"{side} has no address: a game is played by letters")
        _refuse_unreachable(begun.secrets[address_name(side)])

    def work(held: Held) -> Change:
        if held.state is not None:
            raise RefereeError("game-id", f"there is a game {name} already")
        return Change(begun.entries, begun.secrets, tell(desk, None, begun, begun.secrets, at))

    desk.store.change(name, at, work)
    return begun.state


def order(desk: Desk, name: str, request: Ordered, at: datetime) -> Answer:
    """What a request of the host does to a game; every side gets a letter.

    Raises:
        RefereeError: `unknown-game`, or why the request is refused; then nothing has changed.
    """
    answers: list[Answer] = []
    if isinstance(request, asked.Replace) and request.address is not None:
        _refuse_unreachable(request.address)

    def work(held: Held) -> Change:
        carried, change = _ordered(desk, held, name, request, at)
        answers[:] = carried.answers
        if answers[0].refused:
            raise IllegalMove(answers[0].code, answers[0].message)
        return replace(change, letters=change.letters + _farewell(desk, request, held.secrets, carried.state, at))

    desk.store.change(_checked(name), at, work)
    return answers[0]


def tick(desk: Desk, at: datetime) -> int:
    """Let time pass in every running game: reminders, and losses by time; how many events that gave.

    Letters that wait are dealt with before that: they came in time. While one has to be tried again by the desk's
    own fault, no time passes.
    """
    work_off(desk, at)
    if desk.store.postponed(at):
        return 0
    events = 0
    for name in desk.store.games(running=True):
        events += _ticked(desk, name, at)
    return events


def resend(desk: Desk, name: str, side: str | None, at: datetime) -> list[str]:
    """Send a side, or every side, its last letter once more: the same one, with the same message id.

    Raises:
        RefereeError: `unknown-game`, or `unknown-side`.
    """
    held = desk.store.held(_checked(name))
    state = _known(held.state, name)
    if side is not None and side not in state.players:
        raise RefereeError("unknown-side", f"there is no side {shown(side)} in this game")
    sides = state.position.sides if side is None else (side,)
    addresses = {one: held.secrets.get(address_name(one)) for one in sides}
    return [one for one, address in addresses.items() if address and desk.store.again(name, address, at)]


def renew(desk: Desk, at: datetime) -> int:
    """Draw a new key for the desk, and send it to every player of a running game; how many letters that gives.

    It is for a desk that was restored from a backup: what it published since then must open nothing, and the keys
    of seats that it gave must move nothing.
    """
    desk.store.renew(Key.drawn())
    games = desk.store.games(running=True)
    return sum(len(desk.store.change(name, at, lambda held: _rekeyed(desk, held, at)).letters) for name in games)


def _rekeyed(desk: Desk, held: Held, at: datetime) -> Change:
    """A letter to every side of a game, whose reply address has the new key."""
    state = held.state
    assert state is not None
    lines = wrapped(
        "This desk has a new key. From now on only answers to this letter and to later ones count; older letters of "
        "mine move nothing any more. Please check that the game below is as you remember it: it may have gone back."
    )
    addresses = {side: held.secrets.get(address_name(side)) for side in state.position.sides}
    thread = Thread(digest=desk.store.key.mark(f"renewed/{state.id}"))
    letters = [
        drafted(
            desk,
            state.id,
            address,
            Report(at, side, state.number, state.number, asked=(("A new key", tuple(lines)),), thread=thread),
            "news",
        )
        for side, address in addresses.items()
        if address
    ]
    return Change(letters=tuple(letters))


def retry(desk: Desk, digests: Collection[str], at: datetime) -> int:
    """Have letters be tried again that were set aside: those whose digests begin so, or all; how many that are.

    Raises:
        RefereeError: `unknown-letter`, if no letter that was set aside is called so; then none of them is tried.
    """
    aside = [letter.digest for letter, _ in desk.store.aside()]
    for digest in digests:
        if not any(one.startswith(digest) for one in aside):
            raise RefereeError("unknown-letter", f"no letter {shown(digest)} was set aside")
    return sum(desk.store.retry(digest, at) for digest in digests or ("",))


def undelivered(desk: Desk, name: str) -> list[Undelivered]:
    """The seats of a game whose last letter was given up, because the mail server takes none for their address."""
    held = desk.store.held(_checked(name))
    sides = _known(held.state, name).position.sides
    addresses = {side: held.secrets.get(address_name(side), "") for side in sides}
    reasons = {side: desk.store.refusal(name, address) for side, address in addresses.items()}
    return [Undelivered(name, side, addresses[side], why) for side, why in reasons.items() if why is not None]


def state_of(desk: Desk, name: str) -> State:
    """Where a game stands; RefereeError `unknown-game` if there is none of this id."""
    return _known(desk.store.held(_checked(name)).state, name)


def _ticked(desk: Desk, name: str, at: datetime) -> int:
    """The events that the time gives in a game; nothing is written where there are none."""
    if not _ordered(desk, desk.store.held(name), name, asked.Tick(), at)[1].entries:
        return 0
    return len(desk.store.change(name, at, lambda held: _ordered(desk, held, name, asked.Tick(), at)[1]).entries)


def _ordered(desk: Desk, held: Held, name: str, request: Ordered, at: datetime) -> tuple[Carried, Change]:
    """What a request does, and what is to be stored of it."""
    state = _known(held.state, name)
    carried = carried_out(state, [request], at, held.secrets, desk.store.key.draw)
    secrets = {**held.secrets, **carried.secrets}
    return carried, Change(carried.entries, carried.secrets, tell(desk, state, carried, secrets, at))


def _farewell(desk: Desk, request: Ordered, secrets: Secrets, state: State, at: datetime) -> tuple[Outgoing, ...]:
    """A note to somebody whose seat is another's now, if that one has another address."""
    if not isinstance(request, asked.Replace):
        return ()
    address = secrets.get(address_name(request.side))
    if not address or request.address in (None, address):
        return ()
    lines = wrapped(f"{request.name} plays {request.side} in the game {state.id} from now on; its letters go there.")
    note = Note(at, f"[{state.id}] Your seat is another player's", tuple(lines), Thread(digest=state.head))
    return (Outgoing(desk.mailbox.notice_id(state.head), address, as_bytes(note), state.id),)


def _refuse_unreachable(address: str) -> None:
    if not is_reachable(address):
        raise RefereeError("address", f"letters cannot be sent to {shown(address)}")


def _checked(name: str) -> str:
    if not is_game_id(name):
        raise _unknown(name)
    return name


def _known(state: State | None, name: str) -> State:
    if state is None:
        raise _unknown(name)
    return state


def _unknown(name: str) -> RefereeError:
    return RefereeError("unknown-game", f"there is no game {shown(name)} on this desk")
