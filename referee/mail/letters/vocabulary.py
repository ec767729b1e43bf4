"""Words for letters of a game: only those that fit this game in its present state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from referee.desk import State
from referee.mail.letters.format.blocks import Block, BulletList, Rows
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import quote, wrap
from referee.mail.letters.story.story import as_told
from referee.rules import all_games, first_position

_COLUMN = 17
"""Width of the words, before their explanations."""


def _fitting(state: State, *, arranges: bool, pages: bool) -> Iterator[str]:
    begun, over, terms = state.invitation is None, state.closed is not None, state.clock.terms
    invited, runs = not begun and not over, begun and not over
    shared = runs and not state.alone
    sealed = runs and (state.simultaneous or any(len(ply) > 1 for ply in state.plies))
    words = {
        "accept": invited,
        "accept-word": invited and state.undrawn,
        "decline": invited,
        "never": invited,
        "move": runs,
        "offer-draw": shared,
        "resign": runs,
        "withdraw": not over,
        "abort": runs and not state.everybody_moved,
        "decline-game": any(map(state.may_decline, state.players)),
        # Engines never let a time pass.
        "claim": shared or (runs and any(map(state.position.claims, state.players))),
        "message": begun and not state.silent,
        "pass-on": begun and not (state.silent or state.alone),
        "give": shared and terms is not None,
        "vacation": runs and terms is not None and terms.vacation > 0,
        "board": True,
        "try": runs and state.description.trials,
        "plan": runs,
        "legal": runs,
        "rules": True,
        "set": True,
        "games": True,
        "browsers": pages,
        "help": True,
        "key": runs,
        "seal": sealed,
        "reveal": sealed,
        "rematch": arranges and begun and over,
        "new": arranges,
        "join": arranges,
    }
    return (word for word, fits in words.items() if fits)


def help_blocks(state: State, *, arranges: bool, pages: bool) -> tuple[Block, ...]:
    """All commands that players of a game can write now; `arranges` if they can open games, `pages` if move there."""
    moves = " | ".join(["..."] * state.description.moves_per_round)
    # Before chance has decided on the start of a game, the example is a move in a default one.
    position = first_position(state.description.name, {}) if state.undrawn else state.position
    legal = (str(move) for side in position.sides for move in position.legal_moves(side))
    parts = {
        "trial": quote(f"try {state.round}. {moves}"),
        "side": state.position.sides[-1],
        "game": state.game,
        "example": quote(next(legal, "...")),
    }
    told = _words(partial(as_told, state), _fitting(state, arranges=arranges, pages=pages), parts)
    notes = ("note-brackets", "note-quotes", "note-unknown", "note-head")
    return told, BulletList(tuple(phrase(f"help.{note}") for note in notes))


def guest_help_blocks() -> tuple[Block, ...]:
    """All commands for a guest without a seat who may open and join games."""
    told = _words(phrase, ("new", "join", "games", "guest-rules", "help"), {"game": all_games()[0]})
    return told, BulletList((phrase("help.note-brackets"),))


def _words(say: Callable[..., str], words: Iterable[str], parts: dict[str, str]) -> Rows:
    rows = tuple((say(f"help.{word}", **parts), say(f"help.{word}-says", **parts)) for word in words)
    lines: list[str] = []
    for heading, says in rows:
        if len(heading) < _COLUMN:
            lines += wrap(says, first=f"  {heading:{_COLUMN}}")
        else:  # a long word has a line of its own
            lines += [f"  {heading}", *wrap(says, first=" " * (_COLUMN + 2))]
    return Rows((), rows, tuple(lines))
