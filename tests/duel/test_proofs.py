"""Proofs against a player: only with the key of their seat, and for each kind of cheat, with any other messages."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk import MakeMove, Resign
from referee.duel.exchange import Taken, Weight
from referee.duel.message import DuelAct, DuelMessage, Joining, past_digest
from referee.duel.player import Duel, DuelReading, duel_signer, join_duel, open_duel, read_paste, speak
from referee.duel.state_file import duel_from, state_text
from referee.duel.status import text_to_send
from referee.duel.transcript import read_transcript, transcript
from referee.errors import FileError
from tests.support.duels import after
from tests.support.examples import examples

SEALED = MakeMove("P M1 A2 12")


def opened() -> Duel:
    return open_duel("beams", {}, "south", b"\1" * 32, "Ada")


def joined(ada: Duel, seed: bytes = b"\2" * 32, move: str = "P M1 A2 12") -> Duel:
    """Ben, who has joined Ada's duel with a sealed move."""
    return speak(join_duel(text_to_send(ada), seed, "Ben").duel, [MakeMove(move)])


def stranger(ada: Duel, number: int, act: DuelAct = SEALED, *, then: DuelAct | None = None) -> list[DuelMessage]:
    """Messages of a player without a seat: one that would join with an act, and maybe another one after it."""
    signer = duel_signer(number.to_bytes(32, "big"))
    (opening,) = ada.exchange.chains[0][:1]
    game = ada.exchange.course.game[:16]
    first = DuelMessage(1, game, 0, 1, past_digest(None, opening), Joining(signer.public, "Ben"), (act,))
    made = [first.signed_by(signer)]
    if then is not None:
        made.append(DuelMessage(1, game, 1, 1, past_digest(made[0], opening), None, (then,)).signed_by(signer))
    return made


def said(*messages: DuelMessage) -> str:
    return "\n".join(one.armour for one in messages)


def cheats(read: Taken | DuelReading) -> set[str]:
    return {one.code for one in read.remarks if one.weight is Weight.CHEAT}


def test_a_refused_message_that_would_join_is_no_cheat_of_the_player_who_joins() -> None:
    ada = opened()
    read = read_paste(ada, said(*stranger(ada, 7)))
    assert [(one.code, one.weight, one.proof) for one in read.remarks] == [("unsealed", Weight.REFUSED, ())]
    assert read.duel.exchange.proofs == ()
    honest = read_paste(read.duel, text_to_send(joined(ada)))
    assert honest.remarks == ()
    assert read_transcript(transcript(honest.duel.exchange)).remarks == ()


@pytest.mark.slow
@examples(8, quick=15)
@given(st.randoms(use_true_random=False), st.booleans())
def test_no_text_of_a_stranger_in_any_order_names_a_player_a_cheat(chance: random.Random, answered: bool) -> None:
    ada = opened()
    ben = joined(ada)
    ada = read_paste(ada, text_to_send(ben)).duel
    if answered:
        ada = speak(ada, [MakeMove("P S A2")])
        ben = speak(read_paste(ben, text_to_send(ada)).duel, [])
        ada = read_paste(ada, text_to_send(ben)).duel
    honest = [*ada.exchange.messages[1:]]
    # A valid message that joins, a refused one, two of one number, and a cheat after joining.
    strange = [
        *stranger(ada, 7),
        *stranger(ada, 7, Resign()),
        *stranger(ada, 8, Resign(), then=SEALED),
        *stranger(ada, 9, MakeMove("P M1 A1 12")),
    ]
    rest = [*honest, *strange]
    chance.shuffle(rest)
    taken = read_transcript(said(ada.exchange.messages[0], *rest))
    assert cheats(taken) == set()
    assert taken.exchange.proofs == ()
    if answered:
        assert taken.exchange.messages == ada.exchange.messages
    assert cheats(read_paste(ada, said(*rest))) == set()


@pytest.mark.slow
def test_no_number_of_refused_messages_leaves_a_fork_without_its_proof() -> None:
    ada = opened()
    for number in range(3, 60):
        ada = read_paste(ada, said(*stranger(ada, number))).duel
    ben = joined(ada)
    ada = read_paste(ada, text_to_send(ben)).duel
    signer = duel_signer(ben.seed)
    for tried in range(40):
        strays = DuelMessage(1, ada.exchange.course.game[:16], 1, 1, f"{tried:064x}", None, (Resign(),))
        ada = read_paste(ada, said(strays.signed_by(signer))).duel
    other = joined(opened(), ben.seed, "P S A2")
    read = read_paste(ada, text_to_send(other))
    assert "fork" in cheats(read)
    assert {proof.code for proof in read.duel.exchange.proofs} == {"contradiction", "fork"}
    assert "fork" in cheats(read_transcript(transcript(read.duel.exchange)))
    assert duel_from(state_text(read.duel), "ada.duel") == read.duel


@pytest.mark.slow
def test_a_file_that_was_tampered_with_is_a_clear_error() -> None:
    duel = after("boundary", 4).duels[0]
    whole = json.loads(state_text(duel))
    stranger_key = joined(opened(), b"\5" * 32).exchange.messages[1].armour
    values: list[object] = [
        None,
        0,
        1,
        2,
        -1,
        True,
        1.0,
        0.0,
        "",
        "x",
        "\ud800",
        [],
        {},
        [None],
        ["x"],
        [[]],
        {"a": 1},
        10**30,
    ]
    changed = [whole | {key: value} for key in whole for value in values if whole[key] != value or key == "seat"]
    changed += [
        whole | {"messages": whole["messages"][1:]},
        whole | {"messages": whole["messages"][::-1]},
        whole | {"messages": whole["messages"] * 2},
        whole | {"proofs": [{"code": "fork", "messages": [stranger_key]}]},
        whole | {"proofs": [{"code": "x\x1b[31m", "messages": whole["messages"][:1]}]},
        whole | {"early": [stranger_key]},
        {key: value for key, value in whole.items() if key != "early"},
    ]
    for one in changed:
        text = json.dumps(one)
        with suppress(FileError):
            again = duel_from(text, "a.duel")
            assert replace(again, sealed=duel.sealed, name=duel.name) == duel, text[:200]
    for raw in ("[" * 100_000, "\0", '{"seat": NaN}'):
        with pytest.raises(FileError):
            duel_from(raw, "a.duel")
