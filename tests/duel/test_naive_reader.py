"""A reader that was written from spec/duel.md alone agrees with the package on each transcript."""

from __future__ import annotations

import random

import pytest

from referee.duel.exchange import Taken
from referee.duel.transcript import read_transcript, transcript
from referee.errors import RefereeError
from tests.duel.duel_mutants import mutant
from tests.oracles.duel import FaultError, read_duel
from tests.support.duels import MODES, over_channel

Verdict = tuple[object, ...]


def verdict(text: str) -> Verdict:
    """The package's verdict: the messages that count, the codes, and the end."""
    try:
        taken: Taken = read_transcript(text)
    except RefereeError as error:
        return (error.code,)
    chains = [[one.digest for one in chain] for chain in taken.exchange.chains]
    end = taken.exchange.course.settlement
    how = end and (end.plies, end.outcome.winner, str(end.outcome.termination))
    return chains, {one.code for one in taken.remarks}, how


def naive_verdict(text: str) -> Verdict:
    """The naive reader's verdict."""
    try:
        duel = read_duel(text)
    except FaultError as fault:
        return (str(fault),)
    return [[one.digest for one in chain] for chain in duel.chains], duel.codes, duel.end


def agree(seed: int, mutants: int) -> set[str]:
    """Compare both on a game and a number of changed ones; return the codes that they named."""
    chance = random.Random(seed)
    game, options = MODES[seed % len(MODES)]
    players = tuple(over_channel(game, options, seed).both.duels)
    assert len(players) == 2
    whole = players[0].exchange
    assert verdict(transcript(whole)) == naive_verdict(transcript(whole))
    named: set[str] = set()
    messages = [*whole.messages][: chance.choice((6, 14, 30))]
    for _ in range(mutants):
        text = mutant(messages, players, chance)
        said = verdict(text)
        assert said == naive_verdict(text), text
        named |= said[1] if len(said) == 3 else {str(said[0])}  # type: ignore[arg-type]
    return named


@pytest.mark.slow
def test_both_readers_agree_on_some_changed_games() -> None:
    assert "fork" in agree(0, 3)


@pytest.mark.slow(minutes=2)
def test_both_readers_agree_on_many_changed_games() -> None:
    named = set().union(*(agree(seed, 40) for seed in range(30)))
    assert named >= {
        *("damaged", "malformed", "forged", "another-game", "seat-joined", "repeated", "gap", "contradiction"),
        *("fork", "mismatch", "unsealed", "already-bound", "not-simultaneous"),
        *("move-first", "already-offered", "no-offer", "no-claim", "not-your-turn", "canonical", "syntax"),
    }
