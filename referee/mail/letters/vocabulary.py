"""What players can write in a letter of a game: only the words that fit this game as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from referee.desk import State
from referee.mail.letters.format.blocks import Block, Points, Rows
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import quote, wrap
from referee.mail.letters.lessons import start_of
from referee.mail.letters.story.story import as_told
from referee.rules import all_games

_COLUMN = 17
"""Width of the words, before what each of them says."""

_NOTES = ("note-brackets", "note-quotes", "note-unknown", "note-head")


def _always(_: State) -> bool:
    return True


def _invited(state: State) -> bool:
    return state.invitation is not None and state.closed is None


def _words_wanted(state: State) -> bool:
    """True if a word that comes with an answer to the invitation has a part in chance."""
    return _invited(state) and state.invitation is not None and state.invitation.secret is not None


def _runs(state: State) -> bool:
    return state.invitation is None and state.closed is None


def _begun(state: State) -> bool:
    return state.invitation is None


def _shared(state: State) -> bool:
    """True if there is another person in the game."""
    return _runs(state) and not state.alone


def _claims(state: State) -> bool:
    """True if there may be something to claim; engines never let a time pass."""
    return _runs(state) and (not state.alone or any(map(state.position.claims, state.players)))


def _holidays(state: State) -> bool:
    terms = state.clock.terms
    return _runs(state) and terms is not None and terms.vacation > 0


def _seals(state: State) -> bool:
    """True if moves are made at once in this game, now or before."""
    return _runs(state) and (state.simultaneous or any(len(ply) > 1 for ply in state.plies))


_WORDS: tuple[tuple[str, Callable[[State], bool]], ...] = (
    ("accept", _invited),
    ("accept-word", _words_wanted),
    ("decline", _invited),
    ("never", _invited),
    ("move", _runs),
    ("offer-draw", _shared),
    ("resign", _runs),
    ("withdraw", lambda state: _invited(state) or _runs(state)),
    ("abort", lambda state: _runs(state) and not state.everybody_moved),
    ("decline-game", lambda state: any(map(state.may_decline, state.players))),
    ("claim", _claims),
    ("message", lambda state: _begun(state) and not state.silent),
    ("give", lambda state: _shared(state) and state.clock.terms is not None),
    ("vacation", _holidays),
    ("board", _always),
    ("board-7", _begun),
    ("try", lambda state: _runs(state) and state.description.trials),
    ("legal", _runs),
    ("rules", _always),
    ("set", _always),
    ("games", _always),
    ("help", _always),
    ("key", _runs),
    ("seal", _seals),
    ("reveal", _seals),
)
"""The words in the order of the list, each with the games that it fits."""

_ARRANGING: tuple[tuple[str, Callable[[State], bool]], ...] = (
    ("rematch", lambda state: _begun(state) and state.closed is not None),
    ("new", _always),
    ("join", _always),
)
"""Words for other games; not every desk lets its players open them."""


_FOR_GUESTS = ("new", "join", "games", "guest-rules", "help")


def help_blocks(state: State, *, arranges: bool) -> tuple[Block, ...]:
    """Everything that players of a game can write in a letter now; `arranges` if they can open games, too."""
    moves = " | ".join(["..."] * state.description.moves_per_round)
    parts = {
        "trial": quote(f"try {state.round}. {moves}"),
        "side": state.position.sides[-1],
        "game": state.game,
        "example": quote(next(_moves(state), "...")),
    }
    words = (*_WORDS, *(_ARRANGING if arranges else ()))
    told = _words(partial(as_told, state), (word for word, fits in words if fits(state)), parts)
    return told, Points(tuple(phrase(f"help.{note}") for note in _NOTES))


def _moves(state: State) -> Iterator[str]:
    """Legal moves in a game: of whoever is to move, or, before chance has decided on its start, in another one."""
    position = start_of(state.description) if state.undrawn else state.position
    return (str(move) for side in position.sides for move in position.legal_moves(side))


def guest_help_blocks() -> tuple[Block, ...]:
    """Everything that somebody can write who has no seat, but may open and join games."""
    parts = {"game": all_games()[0]}
    return _words(phrase, _FOR_GUESTS, parts), Points((phrase("help.note-brackets"),))


def _words(say: Callable[..., str], words: Iterable[str], parts: dict[str, str]) -> Rows:
    """Words and what they do."""
    rows = tuple((say(f"help.{word}", **parts), say(f"help.{word}-says", **parts)) for word in words)
    return Rows((), rows, tuple(line for heading, says in rows for line in _word_lines(heading, says)))


def _word_lines(heading: str, says: str) -> Iterator[str]:
    """A word and what it does; a long one has a line of its own."""
    if len(heading) < _COLUMN:
        yield from wrap(says, first=f"  {heading:{_COLUMN}}")
        return
    yield f"  {heading}"
    yield from wrap(says, first=" " * (_COLUMN + 2))
