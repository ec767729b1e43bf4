"""Whose letter it is: by the secret token in its address, or the letter that it answers, and the address."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from referee.desk import Seat
from referee.desk.service import Table
from referee.mail.addresses import small
from referee.mail.intake import Letter

NO_TOKEN = "no-token"
OTHER_ADDRESS = "other-address"
NOT_VOUCHED = "not-vouched"


@dataclass(frozen=True, slots=True)
class Sender:
    """Who a letter is from, and about which ply; `address` is the one that is registered for the side.

    `doubt` is why the letter cannot decide anything: it has no token of a seat, was not sent from the seat's address,
    or the host's mail server does not vouch for its sender.
    """

    side: str
    ply: int
    address: str
    doubt: str = ""


def sender_of(
    letter: Letter, table: Table, seat: Seat | None, answered: Collection[str], *, require_vouched: bool
) -> Sender | None:
    """Who a letter about a game is from; None if it is from nobody in the game.

    Anybody can write an address, so it moves nothing without the token; anybody can get a copy of a token, so it
    moves nothing from another address. A program that ignores Reply-To sends no token, but tells which letter it
    answers: where the mail server vouches for the sender, the secret id of that letter is as good.

    Args:
        letter: it.
        table: the game.
        seat: the seat of the letter's token, if it has one.
        answered: the seats to which the desk has told the newest ply in a letter that this one answers.
        require_vouched: whether the host's mail server has to vouch for every sender.
    """
    if seat is None:
        return _by_answer(letter, table, answered) or _by_address(letter, table)
    address = table.address(seat.side)
    doubt = ""
    if not _sent_from(letter, address):
        doubt = OTHER_ADDRESS
    elif require_vouched and not letter.vouched:
        doubt = NOT_VOUCHED
    return Sender(seat.side, seat.ply, address, doubt)


def _by_answer(letter: Letter, table: Table, answered: Collection[str]) -> Sender | None:
    """The player who answers a letter about the newest ply, if the mail server vouches for the sender."""
    mine = [side for side in answered if letter.vouched and _sent_from(letter, table.address(side))]
    return Sender(mine[0], table.state.turn, table.address(mine[0])) if mine else None


def _by_address(letter: Letter, table: Table) -> Sender | None:
    """The player with the registered address of a letter without a token; of several, one that owes a move."""
    state = table.state
    mine = [side for side in state.position.sides if _sent_from(letter, table.address(side))]
    if not mine:
        return None
    side = next((side for side in mine if side in state.owing), mine[0])
    return Sender(side, state.turn, table.address(side), NO_TOKEN)


def _sent_from(letter: Letter, address: str) -> bool:
    """True if an address is that of the letter's one sender; plus signs and dots in it count."""
    return len(letter.senders) == 1 and small(letter.senders[0].address) == small(address) != ""
