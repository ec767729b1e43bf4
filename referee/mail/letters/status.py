"""How a player stands: the first line of every letter, the clocks, what is expected from whom, and the result."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from referee.desk import State
from referee.desk.state import ABANDONED
from referee.desk.terms import LOSS
from referee.mail.letters.text import moment, span
from referee.rules import Game, Outcome, score_text
from referee.terminal import counted, join_words


def first_line(state: State, side: str) -> str:
    """Whether a side's move is in, or how the game ended for it."""
    if state.closed is not None:
        return f"The game is over: {_ending(state, side)}."
    match state.standing(side):
        case "to-move":
            return f"Round {state.round}: your move is NOT in."
        case "to-reveal":
            return f"Round {state.round}: your sealed move is in; your reveal is NOT in."
        case "sealed":
            return f"Round {state.round}: your move is in."
        case _:
            return _waiting_line(state, side)


def expected(state: State, side: str, at: datetime) -> Iterator[str]:
    """What is expected from whom, until when, with each side's clock, and what happens otherwise."""
    if state.closed is not None:
        yield "Nothing more. The host can give you the game's record and its log."
        yield "To check that log, give 'referee audit' its file and --head with the log head below."
        return
    if state.clock.paused:
        yield "The host has stopped all clocks; moves are welcome all the same."
    for one in state.position.sides:
        who = "You" if one == side else f"{one} ({state.players[one]})"
        yield f"{who}: {'; '.join(_dues(state, one, at))}."
    yield from _otherwise(state, side, at)
    if open_to := state.claims(side, at):
        yield f"You may claim now: {join_words(open_to)} (write claim, and the word)."
    if side in state.agreed:
        yield "You offer a draw; the offer stands until another side has moved."
    elif state.agreed:
        yield f"{_offer_text(state)}: [accept] or [decline] answers it, and so does a move."


def verdict(game: Game, outcome: Outcome, side: str | None = None) -> str:
    """Who has won, as told to a side or to anybody; for a team, how many points it has."""
    if game.scored:
        said = (f"the {team} has {counted(number, 'point', 'points')}" for team, number in outcome.score.items())
        return join_words(said)
    if outcome.termination == ABANDONED:
        return "it ended without a winner"
    if outcome.winner is None:
        return "nobody has won"
    return "you have won" if outcome.winner == side else f"{outcome.winner} has won"


def cost_of_timeout(game: Game, timeout: str, *, mine: bool) -> str:
    """What happens to a game when a side's time is over: by itself, or once it is claimed.

    `mine` says that it is told to the side whose time that is.
    """
    if len(game.sides) == 2:
        who = "the other side" if mine else "you"
        return "the game is lost at once" if timeout == LOSS else f"{who} can win by claiming a timeout"
    if timeout == LOSS:
        return "the game ends at once, with the points as they stand"
    return "any other player can end the game by claiming a timeout, with the points as they stand"


def _dues(state: State, one: str, at: datetime) -> Iterator[str]:
    """What a side owes and until when, and what is left of its time."""
    time = state.clock.at(one, at)
    if one in state.owing:
        until = f", until {moment(time.deadline)}" if time.deadline is not None else ""
        task = "the reveal of the sealed move of" if one in state.seals else "a move for"
        yield f"{task} round {state.round}{until}"
    else:
        yield "nothing for now"
    if time.deadline is not None:
        yield f"{span(time.deadline - at)} left" if time.deadline > at else "this time is over"
    if time.away:
        yield "on vacation, the clock is stopped"
    if time.bank > timedelta(0):
        yield f"{span(time.bank)} of it in the bank" if time.deadline else f"{span(time.bank)} in the bank"
    if time.vacation > 0:
        yield f"{time.vacation} days of vacation left"


def _offer_text(state: State) -> str:
    """Who offers a draw, which takes effect once every side accepts it."""
    sides = [one for one in state.position.sides if one in state.agreed]
    everybody = " (every player has to accept it)" if len(state.players) > 2 else ""
    return f"{join_words(sides)} {'offers' if len(sides) == 1 else 'offer'} a draw{everybody}"


def _ending(state: State, side: str) -> str:
    outcome = state.outcome
    assert outcome is not None
    counted = "" if state.description.scored else f"; {score_text(outcome.score)}"
    return f"{verdict(state.description, outcome, side)} ({outcome.termination}{counted})"


def _waiting_line(state: State, side: str) -> str:
    """For a side that owes nothing: its last move is in, if it made one just now, or others are to move."""
    due = join_words(one for one in state.position.sides if one in state.owing) or "nobody"
    if state.plies and side in state.plies[-1]:
        return f"Round {state.last_round}: your move is in; {due} {'are' if len(state.owing) > 1 else 'is'} next."
    return f"Round {state.round}: {due} {'are' if len(state.owing) > 1 else 'is'} to move."


def _otherwise(state: State, side: str, at: datetime) -> Iterator[str]:
    """What a timeout costs, and that a failed reveal costs the same."""
    terms, overdue = state.clock.terms, state.clock.overdue(at)
    if terms is None:
        yield "This game is played without deadlines."
    elif state.owing and state.owing <= overdue.keys() and len(state.owing) > 1:
        yield "The time of all who owe something is over: late moves still count, and the host can decide."
    elif state.owing:
        late = "" if terms.timeout == LOSS else "; until somebody claims it, a late move still counts"
        cost = cost_of_timeout(state.description, terms.timeout, mine=side in state.owing)
        yield f"If what is owed is not in by then, {cost}{late}."
    if state.simultaneous and terms is None:
        others = "the other side" if len(state.players) == 2 else "any other player"
        yield (
            "If you seal a move yourself, you have to reveal it once every move is in. When the reveal does not "
            f"match or breaks the rules, {others} can claim a timeout (claim timeout); when it is missing, "
            "the host can decide."
        )
    elif state.simultaneous:
        yield (
            "Players who seal a move themselves have to reveal it in time once every move is in: a reveal that is "
            "missing, does not match or breaks the rules costs what a timeout costs."
        )
