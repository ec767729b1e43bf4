"""What a player can ask for in a letter, one line each; `str(command)` is the line to write."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """A move in its game's notation, canonical, and the round it is meant for, if the line says so."""

    text: str
    round: int | None = None

    def __str__(self) -> str:
        return self.text if self.round is None else f"{self.round}. {self.text}"


@dataclass(frozen=True, slots=True)
class Resign:
    """To give the game up."""

    def __str__(self) -> str:
        return "resign"


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """To offer a draw."""

    def __str__(self) -> str:
        return "offer draw"


@dataclass(frozen=True, slots=True)
class Accept:
    """To accept the draw that the other side offers."""

    def __str__(self) -> str:
        return "accept"


@dataclass(frozen=True, slots=True)
class Decline:
    """To decline it."""

    def __str__(self) -> str:
        return "decline"


@dataclass(frozen=True, slots=True)
class Claim:
    """To claim an end, such as a `timeout` or a `repetition`; empty if the line does not say which."""

    end: str = ""

    def __str__(self) -> str:
        return f"claim {self.end}".rstrip()


@dataclass(frozen=True, slots=True)
class Message:
    """Words for the other players, as they were written."""

    text: str

    def __str__(self) -> str:
        return f"message\n{self.text}\nend"


@dataclass(frozen=True, slots=True)
class Board:
    """To see the board."""

    def __str__(self) -> str:
        return "board"


@dataclass(frozen=True, slots=True)
class History:
    """To see the moves so far."""

    def __str__(self) -> str:
        return "history"


@dataclass(frozen=True, slots=True)
class Legal:
    """To see the legal moves, or those that begin so."""

    prefix: str = ""

    def __str__(self) -> str:
        return f"legal {self.prefix}".rstrip()


@dataclass(frozen=True, slots=True)
class Status:
    """To see who is expected to do what, and until when."""

    def __str__(self) -> str:
        return "status"


@dataclass(frozen=True, slots=True)
class Vacation:
    """Days off: `5` for so many from now, two dates, `off` to end them, or nothing to ask what is left."""

    words: str = ""

    def __str__(self) -> str:
        return f"vacation {self.words}".rstrip()


@dataclass(frozen=True, slots=True)
class Help:
    """To see what can be written."""

    def __str__(self) -> str:
        return "help"


@dataclass(frozen=True, slots=True)
class Seal:
    """The commitment to a move that its player keeps to himself for now, in 64 hexadecimal digits."""

    commitment: str

    def __str__(self) -> str:
        return f"seal {self.commitment}"


@dataclass(frozen=True, slots=True)
class Reveal:
    """The move behind a commitment, as written, and the nonce it was sealed with."""

    move: str
    nonce: str

    def __str__(self) -> str:
        return f"reveal {self.move} {self.nonce}"


Command = (
    Move
    | Resign
    | OfferDraw
    | Accept
    | Decline
    | Claim
    | Message
    | Board
    | History
    | Legal
    | Status
    | Vacation
    | Help
    | Seal
    | Reveal
)

DECIDING = (Move, Seal, Resign, Accept, Claim)
"""Of these a letter holds one at most; everything else goes with it."""

_SHOWING = (Board, History, Legal, Status, Help)


def acts(command: Command) -> bool:
    """Whether a command changes the game or goes to others; everything else only shows something."""
    return not isinstance(command, _SHOWING) and command != Vacation()
