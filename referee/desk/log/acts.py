"""Acts of players, requests to see something, and orders of the host.

One value goes all the way, from the letter or page to the decision. `str(act)` is its line in a letter. The person
who asks is given separately, as `By`. Secret texts are in no `repr`, so that none gets into a trace.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class By:
    """The acting side, and the ply that it means, None for the next one; an act about an old ply changes nothing."""

    side: str
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """A command whose line is its `verb`, or else its name, and what it is about."""

    verb: ClassVar[str] = ""

    def __str__(self) -> str:
        said = (getattr(self, one.name) for one in fields(self))
        verb = self.verb or type(self).__name__.lower()
        return " ".join((verb, *(str(one) for one in said if one is not None))).rstrip()


@dataclass(frozen=True, slots=True)
class MakeMove:
    """Make a move, in the game's notation; `round` is the one that its line names."""

    text: str = field(repr=False)
    round: int | None = None

    def __str__(self) -> str:
        return self.text if self.round is None else f"{self.round}. {self.text}"


@dataclass(frozen=True, slots=True)
class Seal(_Line):
    """Promise a move that only the player knows, by its commitment of 64 hexadecimal digits."""

    commitment: str


@dataclass(frozen=True, slots=True)
class SealAhead(_Line):
    """Promise the move of a later ply, as with `Seal`; it binds once that ply begins."""

    verb = "seal"
    ply: int
    commitment: str


@dataclass(frozen=True, slots=True)
class Reveal(_Line):
    """Show the move behind a commitment, and the nonce it was sealed with."""

    move: str = field(repr=False)
    nonce: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Resign(_Line):
    """Give up."""


@dataclass(frozen=True, slots=True)
class OfferDraw(_Line):
    """Offer a draw; where another side offers one already, accept it."""

    verb = "offer draw"


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept a draw or an invitation; `word` is for chance, `key` the public key that must sign all later acts."""

    word: str = ""
    key: str = ""

    def __str__(self) -> str:
        said = [f"word {self.word}"] if self.word else []
        said += [f"key {self.key}"] if self.key else []
        return " ".join(["accept", *(["with"] if said else []), " and ".join(said)]).rstrip()


@dataclass(frozen=True, slots=True)
class UseKey:
    """Act for a seat only with signatures of a public key from now on; an empty one takes its key away."""

    key: str = ""

    def __str__(self) -> str:
        return f"key {self.key or 'none'}"


@dataclass(frozen=True, slots=True)
class Decline(_Line):
    """Decline a draw that another side offers, or an invitation."""


@dataclass(frozen=True, slots=True)
class Never(_Line):
    """Decline an invitation, and all further ones."""


@dataclass(frozen=True, slots=True)
class Withdraw(_Line):
    """Give up the seat: resign in a running game, or leave one that has not begun."""


@dataclass(frozen=True, slots=True)
class Abort(_Line):
    """Call a game off before every side has moved."""


@dataclass(frozen=True, slots=True)
class Give:
    """Give more hours to a side, or to every other side that has to move."""

    hours: int
    side: str | None = None

    def __str__(self) -> str:
        return f"give {self.hours} hours{f' to {self.side}' if self.side else ''}"


@dataclass(frozen=True, slots=True)
class Claim(_Line):
    """Claim an end, such as `timeout` or `repetition`; without a name, whichever is open."""

    end: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """Say something to the other players."""

    text: str

    def __str__(self) -> str:
        return f"message\n{self.text}\nend"


@dataclass(frozen=True, slots=True)
class Vacation(_Line):
    """Take days off: `5` for five from today, or the first and the last day; `off` and nothing are refused."""

    words: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Leave conditional moves with the desk, to follow the player's own: `move`, if the letter has it too.

    An empty text takes the plan back that the desk keeps.
    """

    text: str = field(default="", repr=False)
    move: MakeMove | None = None

    def __str__(self) -> str:
        return f"plan\n{self.text}" if self.text else "plan off"


OfItsPly = MakeMove | Seal | SealAhead | Reveal | Plan
"""Acts about the ply that they name alone, even behind a move in the same letter."""

_InTheGame = Resign | OfferDraw | Claim | Message | Vacation | Give | Abort | UseKey

Act = OfItsPly | _InTheGame | Accept | Decline | Never | Withdraw


@dataclass(frozen=True, slots=True)
class SignedAct:
    """An act, and the signature of it with the key of its player."""

    act: Act = field(repr=False)
    signature: str


@dataclass(frozen=True, slots=True)
class Board(_Line):
    """See the current board, or the one after a round; 0 is the start."""

    round: int | None = None


@dataclass(frozen=True, slots=True)
class Games(_Line):
    """See the player's games, and the duties in each."""


@dataclass(frozen=True, slots=True)
class PairedBrowsers(_Line):
    """See the browsers that may move for the player on the pages."""


@dataclass(frozen=True, slots=True)
class History(_Line):
    """See the moves so far."""


@dataclass(frozen=True, slots=True)
class Legal(_Line):
    """See the legal moves, or those that begin like this."""

    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Rules(_Line):
    """See the rules of a game; without a name, of the one that is played."""

    game: str = ""


@dataclass(frozen=True, slots=True)
class HowToWrite(_Line):
    """See the notation of a game; without a name, of the one that is played."""

    verb = "notation"
    game: str = ""


@dataclass(frozen=True, slots=True)
class Try:
    """See the board after hypothetical moves: lines of a move list, from the current position."""

    lines: tuple[str, ...] = field(repr=False)

    def __str__(self) -> str:
        return "try " + "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Status(_Line):
    """See the duties and deadlines of all sides."""


@dataclass(frozen=True, slots=True)
class HowToSeal(_Line):
    """See what sealing is, and how to seal the next move."""

    verb = "seal"


@dataclass(frozen=True, slots=True)
class KeptPlan(_Line):
    """See the plan that the desk keeps."""

    verb = "plan"


@dataclass(frozen=True, slots=True)
class Help(_Line):
    """See all commands."""


Show = (
    Board | Games | Help | History | HowToSeal | HowToWrite | KeptPlan | Legal | PairedBrowsers | Rules | Status | Try
)
"""A request of a player to see something; it changes nothing."""

Command = Act | Show

DECIDING = (MakeMove, Seal, Resign, Accept, Claim, Never, Withdraw, Abort)
"""A letter holds at most one of these; all other acts go with it."""


def acts(command: Command) -> bool:
    """True if a command changes the game or goes to others."""
    return not isinstance(command, Show) and command != Vacation()


@dataclass(frozen=True, slots=True)
class Extend:
    """Give more hours to a side, or to every side that has to move."""

    hours: int
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop all clocks; players can still move."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resume:
    """Start the clocks again."""


@dataclass(frozen=True, slots=True)
class Adjudicate:
    """Decide the game against a side, or as a draw."""

    against: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Replace:
    """Give a side to another player with a public `key`, signed by the `old` one; former tokens are void."""

    side: str
    name: str
    address: str | None = None
    key: str | None = None
    old: str | None = None


@dataclass(frozen=True, slots=True)
class DropKey:
    """Take the key of a side away, such as one that its player has lost."""

    side: str
    reason: str


@dataclass(frozen=True, slots=True)
class Close:
    """End the game without a decision."""


@dataclass(frozen=True, slots=True)
class Reopen:
    """Take back an end that should not have been, such as a timeout by a wrong clock."""

    reason: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Do what is due by the clock: reminders, and losses on time."""


Order = Extend | Pause | Resume | Adjudicate | Replace | DropKey | Close | Reopen | Tick
