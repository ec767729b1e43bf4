"""A game against engines on the page, from JSON to JSON; the page keeps the `kept` of an answer for the next call.

The worker loads this module, and the engines, when the person wants to play.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from referee.desk.log.sealed_answers import SealedAnswers
from referee.engine.levels import level_text
from referee.engine.practice import Practice, moves_in, prospect_text
from referee.errors import Refusal
from referee.game import dumps, loads
from referee.notation.moves import parse_move
from referee.rules import Termination
from referee.terminal import join_words
from referee.web.onepage.study import PageData

_SEED = 16
"""Bytes of a random seed for the moves of the engines."""

Kept = Mapping[str, Any]
"""A practice as the page keeps it: `file`, `side`, `level`, `seed`, and the `sealed` moves of the next ply."""


def begun_practice(game: str, options: Mapping[str, object], side: str, level: int) -> PageData:
    """A new practice; options that are `flip` are decided by a coin."""
    return _shown(Practice.opened(game, options, side, level, secrets.token_hex(_SEED)))


def resumed_practice(text: str, name: str, level: int) -> PageData:
    """A practice that continues a game file, with engines of a level if it has none yet."""
    return _shown(Practice.resumed(loads(text, name), None, level, secrets.token_hex(_SEED)))


def kept_practice(kept: Kept) -> PageData:
    """A practice as the page has kept it."""
    return _shown(*_table(kept))


def thought_practice(kept: Kept) -> PageData:
    """A practice after its engines have moved, or sealed their moves where the person moves at the same time."""
    practice, sealed = _table(kept)
    match _due(practice, sealed):
        case "engines":
            moves = moves_in(practice.answers())
            return _shown(practice.moved(moves), said=[f"{side}: {move}" for side, move in moves.items()])
        case "seals":
            return _shown(practice, SealedAnswers.drawn(practice))
        case _:
            return _shown(practice, sealed)


def played_practice(kept: Kept, text: str) -> PageData:
    """A practice after a move of its person, and the sealed moves of the engines, which are revealed."""
    practice, sealed = _table(kept)
    if _due(practice, sealed) != "own":
        raise Refusal("not-your-turn", "the engine moves first")
    move = practice.position.parse(practice.side, text)
    after = practice.moved({practice.side: move, **(sealed.moves if sealed else {})})
    return _shown(after, said=sealed.opening() if sealed else ())


def undone_practice(kept: Kept) -> PageData:
    """A practice before its person's last move."""
    practice, _ = _table(kept)
    return _shown(practice.undone())


def ended_practice(kept: Kept, how: str) -> PageData:
    """A practice that its person has ended: by `resignation`, or by a `repetition` that they may claim."""
    practice, sealed = _table(kept)
    may_claim = how == Termination.REPETITION and practice.position.claims(practice.side)
    may_resign = how == Termination.RESIGNATION and not practice.is_over
    return _shown(practice.ended(Termination(how))) if may_claim or may_resign else _shown(practice, sealed)


def practice_hint(kept: Kept) -> PageData:
    """The move of a strong engine for the person."""
    practice, _ = _table(kept)
    return {"said": [f"hint: {prospect_text(practice.game.description, practice.hint())}"]}


def practice_reasons(kept: Kept) -> PageData:
    """The expectation of each engine of its last move."""
    practice, _ = _table(kept)
    game, reasons = practice.game.description, practice.recalled_reasons()
    said = [f"{side}: {prospect_text(game, found)}" for side, found in reasons.items()]
    return {"said": said or ["No engine has moved yet."]}


def _table(kept: Kept) -> tuple[Practice, SealedAnswers | None]:
    practice = Practice(loads(kept["file"]), kept["side"], kept["level"], kept["seed"])
    if kept["sealed"] is None:
        return practice, None
    moves = {side: parse_move(practice.game.game, text) for side, text in kept["sealed"]["moves"].items()}
    return practice, SealedAnswers(practice, moves, bytes.fromhex(kept["sealed"]["nonce"]))


def _due(practice: Practice, sealed: SealedAnswers | None) -> str:
    """The next step: the person's `own` move, `engines` move, an engine `seals` its move; or the game is `over`."""
    if practice.is_over:
        return "over"
    if not practice.is_own_turn:
        return "engines"
    return "seals" if len(practice.position.to_move) > 1 and sealed is None else "own"


def _shown(practice: Practice, sealed: SealedAnswers | None = None, said: Iterable[str] = ()) -> PageData:
    """A practice as the page shows it, and as it keeps it."""
    game = practice.game
    plies = [*game.replay()]
    hidden = sealed and {"moves": {side: str(one) for side, one in sealed.moves.items()}, "nonce": sealed.nonce.hex()}
    engines = [side for side in game.description.sides if side != practice.side]
    one = len(engines) == 1
    who = f"{'an engine' if one else 'engines'} of level {level_text(practice.level)} {'plays' if one else 'play'}"
    return {
        "kept": {
            "file": dumps(game),
            "side": practice.side,
            "level": practice.level,
            "seed": practice.seed,
            "sealed": hidden,
        },
        "game": game.game,
        "title": f"{game.description.title}: you play {practice.side}, and {who} {join_words(engines)}",
        "line": [{side: str(move) for side, move in ply.moves.items()} for ply in plies],
        "due": _due(practice, sealed),
        "said": [*said],
        "promises": [f"{side} has sealed its move: {one}" for side, one in sealed.commitments().items()]
        if sealed
        else [],
        "claims": not practice.is_over and bool(practice.position.claims(practice.side)),
        "moved": any(practice.side in ply.moves for ply in plies),
    }


PRACTICE_CALLS: Mapping[str, Callable[..., PageData]] = {
    "practice-begin": begun_practice,
    "practice-resume": resumed_practice,
    "practice-keep": kept_practice,
    "practice-think": thought_practice,
    "practice-play": played_practice,
    "practice-undo": undone_practice,
    "practice-end": ended_practice,
    "practice-hint": practice_hint,
    "practice-why": practice_reasons,
}
