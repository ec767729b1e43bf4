"""From the commands of a letter to the requests that the desk decides upon."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import assert_never

from referee.desk import Answer, State
from referee.desk import requests as desk
from referee.desk.acts import (
    Accept,
    Board,
    Claim,
    Decline,
    Help,
    History,
    Legal,
    Message,
    Move,
    OfferDraw,
    Resign,
    Reveal,
    Seal,
    Status,
    Vacation,
)
from referee.desk.requests import Asked
from referee.errors import IllegalMove, RefereeError
from referee.mail.intake import Said

_WON = ("", "game", "win", "victory")
"""What people write who claim whatever there is."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A line of a letter with the request that it makes, or the refusal of one that cannot even be made."""

    said: Said
    request: Asked | None = None
    refusal: Answer | None = None


def wish(said: Said, state: State, side: str, ply: int, at: datetime) -> Wish | None:
    """What a line asks of the desk; None if it only wants to see something.

    `ply` is the one that the letter's token is for; a letter can only be about that one.
    """
    try:
        request = _request(said, state, side, ply, at)
    except RefereeError as error:
        return Wish(said, refusal=Answer.refusal(error))
    return None if request is None else Wish(said, request)


def _request(said: Said, state: State, side: str, ply: int, at: datetime) -> Asked | None:
    match said.command:
        case Move(text=text, round=number):
            _check_round(state, number, ply)
            return desk.Submit(side, text, ply)
        case Seal(commitment=commitment):
            return desk.Seal(side, commitment, ply)
        case Reveal(move=move, nonce=nonce):
            return desk.Reveal(side, move, nonce, ply)
        case Resign():
            return desk.Resign(side, ply)
        case OfferDraw():
            return desk.Offer(side, ply)
        case Accept():
            return desk.Accept(side, ply)
        case Decline():
            return desk.Decline(side, ply)
        case Claim(end=end):
            return desk.Claim(side, None if end.casefold() in _WON else end.casefold(), ply)
        case Message(text=text):
            return desk.Message(side, text, ply)
        case Vacation(words=words):
            return _vacation(words, state, side, ply, at)
        case Board() | History() | Legal() | Status() | Help():
            return None
        case _:
            assert_never(said.command)


def _check_round(state: State, number: int | None, ply: int) -> None:
    """Refuse a move for another round; of a letter about a ply that is over its token tells that already."""
    if number is not None and number != state.round and ply > len(state.plies):
        raise IllegalMove("round", f"the move is for round {number}, and the game is at round {state.round}")


def _vacation(words: str, state: State, side: str, ply: int, at: datetime) -> Asked:
    """Days off: so many from today on, or from one date to another."""
    today = at.astimezone(state.clock.zone).date()
    match words.split():
        case ["off" | "end" | "over"]:
            message = "a vacation that was announced cannot be taken back; moves are welcome during it"
            raise IllegalMove("vacation-stays", message)
        case []:
            left = state.clock.at(side, at).vacation
            message = f"which days? A number counts from today on, or give the first and the last; {left} are left"
            raise IllegalMove("vacation-dates", message)
        case [days] if days.isdigit():
            first, last = today, today + timedelta(days=int(days) - 1)
        case [first_day, *rest]:
            try:
                first, last = date.fromisoformat(first_day), date.fromisoformat((rest or [first_day])[-1])
            except ValueError:
                raise IllegalMove("vacation-dates", f"{words} are no dates of the calendar") from None
        case _:
            raise IllegalMove("vacation-dates", "a vacation is a number of days, or two dates")
    return desk.Vacation(side, first, last, ply)
