"""The end of a game for one of its sides: as a subject, and as a sentence."""

from __future__ import annotations

from referee.desk import ABANDONED, State
from referee.draw.words import by_name
from referee.mail.letters.format.language import phrase, sentences
from referee.mail.letters.story.story import name_of, names_for, names_of
from referee.notation.lesson import lesson_of
from referee.rules import Outcome, Termination, score_text
from referee.terminal import join_words

_ENDS: dict[str, str] = {
    Termination.RESIGNATION: "resignation",
    Termination.TIMEOUT: "timeout",
    Termination.ADJUDICATION: "decision",
}
"""Ends that count more than the score."""


def result_sentence(state: State, side: str) -> str:
    """The end of the game for a side: the winner, the reason, and the score."""
    if state.invitation is not None:
        return phrase("first.no-game")
    outcome = state.outcome
    assert outcome is not None
    verdict = _verdict(state, outcome, side)
    sentence = "first.closed-unscored" if state.description.scored else "first.closed-scored"
    score = by_name(score_text(outcome.score), names_for(state, side))
    told = phrase(sentence, verdict=verdict, how=_how(state, outcome, side), score=score)
    return phrase("first.closed", verdict=told)


def result_subject(state: State, side: str) -> str:
    """The same in a few words, such as `You won 6:5`."""
    if state.invitation is not None:
        return phrase("subject.no-game")
    outcome, game = state.outcome, state.description
    assert outcome is not None
    if outcome.termination == ABANDONED:
        return phrase("subject.abandoned")
    if game.scored:
        return phrase("subject.team", number=sum(outcome.score.values()))
    points = _points(outcome, side)
    if outcome.winner is None:
        if outcome.termination == Termination.AGREEMENT:
            return phrase("subject.drawn-agreed")
        if len(outcome.score) > 2:
            return phrase("subject.no-winner")
        return phrase("subject.drawn", **points) if points else phrase("subject.drawn-plain")
    loser = next((one for one in game.sides if one != outcome.winner), side)
    if outcome.winner != side and len(game.sides) > 2:
        return phrase("subject.won-other", name=name_of(state, outcome.winner))
    won = "won" if outcome.winner == side else "lost"
    if outcome.termination in _ENDS:
        return phrase(f"subject.{won}-{_ENDS[outcome.termination]}", name=name_of(state, loser))
    return phrase(f"subject.{won}", **points) if points else phrase("subject.won-plain")


def _how(state: State, outcome: Outcome, side: str) -> str:
    """The reason why a game ended, in its own words if it has some; an unknown end is given by its name."""
    end, game = outcome.termination, state.description
    own = lesson_of(game, state.options).endings.get(end)
    if own is not None and outcome.winner is not None:
        lost = state.players.keys() - {outcome.winner}
        losers = names_of(state, lost)
        if lost == {side}:
            own, losers = own.replace("{loser}'s", phrase("player.your")), phrase("player.you")
        return own.format(winner=name_of(state, outcome.winner), loser=losers)
    names = (*([f"how.{end}-team"] if game.scored else ()), f"how.{end}")
    return next((phrase(name) for name in names if name in sentences()), str(end))


def _points(outcome: Outcome, side: str) -> dict[str, int]:
    others = [number for one, number in outcome.score.items() if one != side]
    return {"mine": outcome.score[side], "theirs": others[0]} if side in outcome.score and len(others) == 1 else {}


def _verdict(state: State, outcome: Outcome, side: str) -> str:
    """The winner; for a team, its points."""
    if state.description.scored:
        return join_words(phrase("verdict.team", team=team, number=number) for team, number in outcome.score.items())
    if outcome.termination == ABANDONED:
        return phrase("verdict.abandoned")
    if outcome.winner is None:
        return phrase("verdict.draw" if len(state.players) == 2 else "verdict.nobody")
    if outcome.winner == side:
        return phrase("verdict.you")
    return phrase("verdict.other", name=name_of(state, outcome.winner))
