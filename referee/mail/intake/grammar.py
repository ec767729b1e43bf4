"""From a line to a command (grammar/letter.lark)."""

from __future__ import annotations

from functools import cache
from typing import cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput

from referee.desk import acts
from referee.desk.acts import Command
from referee.notation.grammar import load, notation_error

OPENS, CLOSES = "message", "end"
"""What the first and the last line of a message are read as."""

WORDS = {
    "NUMBER": "a round's number",
    "MOVE": "a move",
    "_RESIGN": "resign",
    "_OFFER": "offer draw",
    "_ACCEPT": "accept",
    "_DECLINE": "decline",
    "_CLAIM": "claim",
    "_MESSAGE": "message",
    "_END": "end",
    "_BOARD": "board",
    "_HISTORY": "history",
    "_LEGAL": "legal",
    "_STATUS": "status",
    "_VACATION": "vacation",
    "_HELP": "help",
    "_SEAL": "seal",
    "_REVEAL": "reveal",
    "_DRAW": "the word draw",
    "END": "what is claimed: timeout or repetition",
    "REST": "the beginning of a move",
    "HIDDEN": "the move, and after it the nonce of 64 hexadecimal digits",
    "NONCE": "64 hexadecimal digits",
    "DAYS": "a number of days",
    "DATE": "a date such as 2027-03-01",
    "OFF": "the word off",
    "_I": "the word I",
    "_A": "the word a",
    "_TO": "the word to",
    "_FROM": "the word from",
    "_DAYS": "the word days",
}


def parse_command(text: str) -> Command | str:
    """The command that a line says; `OPENS` and `CLOSES` for the two ends of a message.

    A line that begins like no other command comes back as a move, whatever it says.

    Raises:
        NotationError: where the line goes wrong, and what could stand there.
    """
    try:
        return cast("Command | str", _lark().parse(text))
    except UnexpectedInput as error:
        raise notation_error(error, text, WORDS, whole="command") from None


@v_args(inline=True)
class _ToCommand(Transformer[Token, Command | str]):
    """One method a rule of the grammar; none of them raises."""

    def move(self, number: Token | None, text: Token) -> Command:
        return acts.Move(text.strip(), int(number.rstrip(".):")) if number else None)

    def resign(self) -> Command:
        return acts.Resign()

    def offer(self) -> Command:
        return acts.OfferDraw()

    def accept(self) -> Command:
        return acts.Accept()

    def decline(self) -> Command:
        return acts.Decline()

    def claim(self, end: Token | None = None) -> Command:
        return acts.Claim(end.casefold() if end else "")

    def message(self) -> str:
        return OPENS

    def end(self) -> str:
        return CLOSES

    def board(self) -> Command:
        return acts.Board()

    def history(self) -> Command:
        return acts.History()

    def legal(self, prefix: Token | None = None) -> Command:
        return acts.Legal(prefix.strip() if prefix else "")

    def status(self) -> Command:
        return acts.Status()

    def vacation(self, *words: Token | None) -> Command:
        return acts.Vacation(" ".join(word.casefold() for word in words if word))

    def help(self) -> Command:
        return acts.Help()

    def seal(self, commitment: Token) -> Command:
        return acts.Seal(commitment.casefold())

    def reveal(self, move: Token, nonce: Token) -> Command:
        return acts.Reveal(move.strip(), nonce.casefold())


@cache
def _lark() -> Lark:
    return load("letter", _ToCommand())
