"""Cheats of a host, and their proofs; docs/proof.md explains them.

The audit of the log finds some cheats. Others are found by those who keep their letters, by the heads at their feet,
which the desk has signed. Invented letters lack the signature of a player's provider, in the mailbox that a host
hands over. Some cheats leave no trace, or are in the log as acts that a host may do.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.desk import Entry, audit
from referee.desk.log import events
from referee.desk.log.heads import Head
from referee.desk.log.log import write_time
from referee.desk.log.signatures import head_text
from referee.desk.proof.histories import Evidence, fork_of
from referee.mail.evidence.evidence import LetterEvidence
from tests.desk import cheats, engine_cheats, plan_cheats
from tests.desk.cheats import CLUB, FORGED, Cheat, Honest, Proof, honest
from tests.oracles.verifier import verify
from tests.support.correspondence import BEGIN, GAME
from tests.support.desks import desk_signer
from tests.support.forgeries import Timed, rechained
from tests.support.inventions import FORGERS, HOST, INVENTIONS, TRUSTED, Invention, carried
from tests.support.rows import each
from tests.support.signed_letters import (
    DOMAIN,
    SELECTOR_OF_ED25519,
    ed25519_record,
    known_keys,
    move,
    place,
    playing,
    record,
)
from tests.support.witnesses import mailbox

AUDIT, HEADS, LOG, NOBODY = "audit", "heads", "log", "nobody"
BEAMS, CHANCE = ("beams",), ("the-beam",)

CHEATS = (
    Cheat("a seat is taken for somebody", lambda game: game.came(2, None), Proof(AUDIT, "came")),
    Cheat("one letter acts at two times", cheats.second_time, Proof(AUDIT, "time")),
    Cheat("an act has another time than its letter", cheats.late_letter, Proof(AUDIT, "time")),
    Cheat("a ply is played again, with another move", cheats.another_move, Proof(HEADS)),
    Cheat(
        "hours are given to a friend afterwards", lambda game: cheats.the_same_again(game, "extend 24"), Proof(HEADS)
    ),
    Cheat("a letter is said to have come later", lambda game: cheats.the_same_again(game, after=70), Proof(HEADS)),
    Cheat("the key is said to be lost, and a ply is played again", cheats.lost_key, Proof(HEADS)),
    Cheat("the log is cut short", lambda game: game.back(game.place("played", -2)).entries, Proof(HEADS)),
    Cheat("a timeout is claimed too early", cheats.claimed_early, Proof(AUDIT, "claim")),
    Cheat("the result is another one", cheats.other_winner, Proof(AUDIT, "outcome")),
    Cheat(
        "a player with a key resigns",
        lambda game: game.with_events(events.Resigned(game.keyed), came=FORGED),
        Proof(AUDIT, "signature"),
        keyed=True,
    ),
    Cheat(
        "a player with a key offers a draw",
        lambda game: game.with_events(events.Offered(game.keyed), came=FORGED),
        Proof(AUDIT, "signature"),
        keyed=True,
    ),
    Cheat("an offer with a signature is repeated", cheats.repeated_offer, Proof(AUDIT, "signature"), keyed=True),
    Cheat(
        "a key is taken away without a reason",
        lambda game: game.with_events(events.Keyed(game.keyed, None, None, "")),
        Proof(AUDIT, "signature"),
        keyed=True,
    ),
    Cheat(
        "a seat with a key is given to somebody else",
        lambda game: game.with_events(events.Replaced(game.keyed, "Eve", None, None)),
        Proof(AUDIT, "signature"),
        keyed=True,
    ),
    Cheat("history before a signed move is another one", cheats.signed_after, Proof(AUDIT, "signature"), keyed=True),
    Cheat("a key is taken away for a reason", cheats.key_taken, Proof(LOG, "keyed"), keyed=True),
    Cheat(
        "a seat is given to somebody else",
        lambda game: game.with_events(events.Replaced(game.sides[-1], "Eve", None, None)),
        Proof(LOG, "replaced"),
    ),
    Cheat(
        "a reveal is said to have failed", lambda game: cheats.failed(game, None), Proof(AUDIT, "came"), games=BEAMS
    ),
    Cheat(
        "a reveal with a key is said to have failed",
        lambda game: cheats.failed(game, FORGED),
        Proof(AUDIT, "signature"),
        True,
        BEAMS,
    ),
    Cheat("a seal is used again under the same id", cheats.replayed_seal, Proof(AUDIT, "commitment"), games=BEAMS),
    Cheat("another move is made than was sealed", cheats.exchanged, Proof(AUDIT, "commitment"), games=BEAMS),
    Cheat("another move is told than was sealed", cheats.unplayed, Proof(AUDIT, "commitment"), games=BEAMS),
    Cheat("an illegal move is sealed and made", cheats.illegal_move, Proof(AUDIT, "occupied"), games=BEAMS),
    Cheat("a move is read where the desk seals", cheats.peeked, Proof(NOBODY), games=BEAMS),
    Cheat(
        "the seed is drawn again",
        lambda game: cheats.ground(game, secret="00" * 32),
        Proof(AUDIT, "secret"),
        games=CHANCE,
    ),
    Cheat(
        "the seed is never told", lambda game: cheats.ground(game, secret=None), Proof(AUDIT, "secret"), games=CHANCE
    ),
    Cheat("other discs are dealt than the seed has", cheats.other_deal, Proof(AUDIT, "secret"), games=CHANCE),
    Cheat("cards are told before their round", cheats.told_early, Proof(AUDIT, "known"), games=CHANCE),
    Cheat("a player's word is exchanged", cheats.word_dropped, Proof(HEADS), games=CHANCE),
    Cheat("the host draws the seed alone", cheats.dealt_alone, Proof(LOG, "opened"), games=CHANCE),
    Cheat("an engine makes another move than its seed has", engine_cheats.another_move, Proof(AUDIT, "engine")),
    Cheat("a friend seals an engine's move", engine_cheats.exchanged, Proof(AUDIT, "engine"), games=BEAMS),
    Cheat(
        "an engine plays better than was said", engine_cheats.stronger, Proof(AUDIT, "engine"), games=("boundary",)
    ),
    Cheat("another seed of an engine is told", engine_cheats.other_seed, Proof(AUDIT, "secret")),
    Cheat("the seed of an engine is never told", engine_cheats.untold, Proof(AUDIT, "cut")),
    Cheat("an engine waits for what a player says", engine_cheats.answered, Proof(AUDIT, "order"), games=BEAMS),
    Cheat("the seat of an engine is given to somebody", engine_cheats.given_away, Proof(LOG, "replaced")),
    Cheat("the moves of an engine are told to a friend", engine_cheats.foreseen, Proof(NOBODY)),
    Cheat("another plan is told than was left", plan_cheats.swapped, Proof(AUDIT, "commitment")),
    Cheat("another nonce of a plan is told", plan_cheats.other_nonce, Proof(AUDIT, "commitment")),
    Cheat("a plan is never told", plan_cheats.untold, Proof(AUDIT, "cut")),
    Cheat("a plan is forgotten", plan_cheats.forgotten, Proof(AUDIT, "plan")),
    Cheat("another move is made than a plan gives", plan_cheats.another_move, Proof(AUDIT, "plan")),
    Cheat("a plan's move is sealed anew", plan_cheats.other_seal, Proof(AUDIT, "plan"), games=BEAMS),
    Cheat("a plan is asked too late", plan_cheats.delayed, Proof(AUDIT, "time")),
    Cheat("something comes before a plan is asked", plan_cheats.passed_over, Proof(AUDIT, "order")),
    Cheat("a plan is asked that is over", plan_cheats.ended, Proof(AUDIT, "order")),
    Cheat("a plan is left for a player", plan_cheats.replaced, Proof(LOG, "planned")),
    Cheat(
        "a letter is held back or dropped", lambda game: game.desk.entries[:-1], Proof(NOBODY), games=("boundary",)
    ),
)


def exported(entries: list[Entry]) -> list[str]:
    return [entry.as_line() for entry in entries]


def found(entries: list[Entry], heads: tuple[Head, ...] = ()) -> list[str]:
    return [finding.code for finding in audit(exported(entries), shown=heads).findings]


def is_proved(cheat: Cheat, game: Honest) -> None:
    entries, (by, code) = cheat.does(game), cheat.proof
    assert entries != game.desk.entries
    if by == AUDIT:
        assert found(entries)[:1] == [code]
        assert [wrong for _, wrong in verify("".join(f"{line}\n" for line in exported(entries)))][:1] == [code]
        return
    assert found(entries) == [], "the log alone shows nothing"
    if by == HEADS:
        heads = game.shown
        assert {*found(entries, heads)} <= {"shown", "cut"}
        assert found(entries, heads)
        proves_two_histories(entries, heads)
    elif by == LOG:
        assert code in [entry.as_json()["kind"] for entry in entries if entry.came is None]


def proves_two_histories(entries: list[Entry], heads: tuple[Head, ...]) -> None:
    """Expect that the heads of a player's letters, and those that the desk signs for the other log, are a proof."""
    signer = desk_signer(CLUB)
    other = tuple(
        Head("game-1", one.number, one.digest, signer.sign(head_text("game-1", one.number, one.digest)))
        for one in entries
    )
    fork = fork_of(Evidence(heads), Evidence(other), [signer.public])
    cut = other[-1].number < max(head.number for head in heads)
    assert cut or (fork is not None and fork.proven)


@pytest.mark.slow
@each(CHEATS, name=lambda cheat: cheat.shows, every=6)
def test_a_host_who_cheats_is_found_out(cheat: Cheat) -> None:
    for name in cheat.games:
        game = honest(name, keyed=cheat.keyed)
        assert found(game.desk.entries, game.shown) == []
        is_proved(cheat, game)


class Invented(NamedTuple):
    """A row: the host's invention, its game, and the forger of the letters for it."""

    invention: Invention
    game: str
    forger: str


SIGNED = f"signed by {DOMAIN}"
INVENTED = [Invented(one, game, forger) for one in INVENTIONS for game, forger in product(one.games, FORGERS)]


def judged(entries: list[Entry], letters: bytes) -> tuple[set[str], LetterEvidence]:
    """The findings of an audit of a log with the letters of both sides, and the evidence in these."""
    more = {place(HOST): (record(HOST),), place(DOMAIN, SELECTOR_OF_ED25519): (ed25519_record(DOMAIN),)}
    witness = LetterEvidence([letters], {**known_keys(), **more})
    return {finding.code for finding in audit(exported(entries), witness=witness).findings}, witness


def signatures(witness: LetterEvidence) -> Counter[str]:
    return sum((account.signed for account in witness.accounts.values()), Counter())


@pytest.mark.slow
@each(INVENTED, name=lambda row: f"{row.invention.shows}: {row.game}, {row.forger}", every=30)
def test_no_letter_that_a_host_invents_is_signed_by_its_player_s_provider(row: Invented, tmp_path: Path) -> None:
    """The log alone shows nothing; all letters before are signed, and the invented ones are missing or are not."""
    name = f"{INVENTED.index(row)}"
    with playing(tmp_path / name, row.game) as post:
        row.invention.begins(post)
        true, letters = post.office.desk.log(GAME), mailbox(post.office)
        codes, witness = judged(true, letters)
        sent = signatures(witness)
        assert (codes, {*sent} - {SIGNED}) == (set(), set())
        post.stamp = FORGERS[row.forger]
        row.invention.invents(post)
        false = post.office.desk.log(GAME)
        assert len(false) > len(true)
        assert found(false) == []
        codes, witness = judged(false, letters)
        assert (codes, witness.found < witness.acts) == (set(), True), "an invented letter is kept back"
        codes, witness = judged(false, mailbox(post.office))
        assert witness.found == witness.acts
        assert signatures(witness)[SIGNED] == sent[SIGNED] < sum(signatures(witness).values())
        assert codes == ({"dkim"} if "key" in row.forger else set())


@pytest.mark.slow
@each(Cheat._field_defaults["games"], every=2)
def test_a_letter_that_is_held_back_has_the_time_of_its_provider(game: str, tmp_path: Path) -> None:
    """The provider has signed the time of the letter; if the desk trusts it, that is in the log as well."""
    with playing(tmp_path / game, game, TRUSTED) as post:
        post.pass_time(70)
        post.stamp = lambda raw: carried(raw, BEGIN, post.at)
        move(post, min(post.state.owing))
        entries = post.office.desk.log(GAME)
        came = entries[-1].came
        assert came is not None
        assert (came.provider, came.server) == (write_time(BEGIN), write_time(BEGIN + timedelta(hours=70)))
        codes, witness = judged(entries, mailbox(post.office))
        assert (codes, signatures(witness)) == (set(), {SIGNED: 1})
        assert [one.longest for one in witness.accounts.values()] == [timedelta(hours=70)]
        timed = [Timed(one.at, one.event, one.came) for one in entries]
        later = replace(came, provider=write_time(post.at))
        false = rechained(GAME, [*timed[:-1], timed[-1]._replace(came=later)])
        assert found(false) == []
        assert judged(false, mailbox(post.office))[0] == {"letter"}
