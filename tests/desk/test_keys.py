"""Seats with a key of their own: law, audit and the other verifier let no one else act for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.desk import By, Came
from referee.desk.law import attestations, law
from referee.desk.log import acts
from referee.desk.log.log import read_entry
from referee.desk.state.state import State
from tests.oracles.verifier import verify
from tests.support.desks import Desk, holds, request, signed, signer
from tests.support.rows import each
from tests.support.vectors import FOLDER

KEYED = {"beams": "north", "boundary": "north", "laser-chess": "red", "the-beam": "p3"}


def begun(game: str, keyed: str, by: str | None = None) -> Desk:
    """A game that is opened, in which one side has joined with a key."""
    desk = Desk.invited(game, by, clock={"days": 3, "bank": 24})
    for side in desk.state.position.sides:
        if side != by:
            ask(desk, side, f"signed {side} enter {side} a word" if side == keyed else "accept")
    return desk


def ask(desk: Desk, side: str, words: str) -> str:
    """The code of the answer to a request an hour later."""
    return desk.ask(request(desk, side, words), after=1)[0].code


def both_hold(desk: Desk) -> None:
    holds(desk)
    assert verify(desk.exported) == []


def play(desk: Desk, keyed: str, plies: int) -> None:
    for _ in range(plies):
        for side in [one for one in desk.state.position.sides if one in desk.state.owing]:
            if desk.state.closed is None and side in desk.state.owing:
                move = str(next(iter(desk.state.position.legal_moves(side))))
                before = len(desk.entries)
                if side == keyed:
                    assert ask(desk, side, f"submit {move}") == "unsigned"
                    assert ask(desk, side, f"signed nobody submit {move}") == "signature"
                    assert len(desk.entries) == before
                assert (
                    ask(desk, side, f"signed {side} submit {move}" if side == keyed else f"submit {move}") == "moved"
                )


@pytest.mark.slow
@each(KEYED)
def test_a_game_with_one_key_and_one_seat_without(game: str) -> None:
    keyed = KEYED[game]
    desk = begun(game, keyed)
    play(desk, keyed, 2)
    assert ("noted" in desk.kinds) is (game in ("beams",))
    both_hold(desk)
    ask(desk, keyed, f"signed {keyed} resign")
    assert desk.kinds[-1] == "closed"
    both_hold(desk)


MOVE = "P M1 A2 12"
CHEATS = {
    "a move without a signature": ("north", f"submit {MOVE}"),
    "a move signed with the key of the host": ("north", f"signed host submit {MOVE}"),
    "a move signed by the other player": ("north", f"signed south submit {MOVE}"),
    "a seal": ("north", f"signed host seal {MOVE}"),
    "a seal without a signature": ("north", f"seal {MOVE}"),
    "a resignation": ("north", "resign"),
    "a signed resignation": ("north", "signed host resign"),
    "the seat given up": ("north", "withdraw"),
    "an agreement": ("north", "accept"),
    "a signed agreement": ("north", "signed host accept"),
    "an offer that agrees": ("north", "signed host offer"),
    "the end of a game that has just begun": ("north", "abort"),
    "a claim": ("north", "claim timeout"),
    "a signed claim": ("north", "signed host claim timeout"),
    "another key": ("north", "key host"),
    "another key, signed with itself": ("north", "signed host key host"),
    "no key": ("north", "key none"),
    "another player": ("host", "replace north Grace"),
    "another player, signed with another key": ("host", "replace north Grace signed host"),
    "the key taken away without a reason": ("host", "drop-key north"),
}


@each(CHEATS)
def test_a_host_with_the_desk_cannot_act_for_a_seat_with_a_key(cheat: str) -> None:
    """The host has the desk's key, its store and every address, but not the player's key."""
    who, words = CHEATS[cheat]
    desk = begun("beams", "north")
    desk.ask(request(desk, "south", "offer"))
    if "claim" in words:
        desk.ask(request(desk, "north", f"signed north submit {MOVE}"))
        desk.at = desk.at.replace(year=2028)
    entries = len(desk.entries)
    (answer,) = desk.ask(request(desk, who, words), after=1)
    assert (answer.refused, len(desk.entries)) == (True, entries)
    assert answer.code in ("unsigned", "signature")
    assert "north" in desk.state.keyring.keys


def test_a_signature_is_for_one_act_of_one_ply_of_one_game() -> None:
    desk, other = begun("boundary", "north"), begun("boundary", "north", "south")
    old = [signed(state, "north", signer("north"), acts.MakeMove("P f1-f2")) for state in (desk.state, other.state)]
    for move in ("a1-a2", "f1-f2", "a2-a3"):
        side = min(desk.state.owing)
        ask(desk, side, f"{'signed north ' if side == 'north' else ''}submit P {move}")
    resigned = signed(desk.state, "north", signer("north"), acts.Resign()).signature
    wrong = [*(one.signature for one in old), resigned, resigned.upper(), resigned[:-1], "0" * 128]
    wrong.append(signed(desk.state, "south", signer("north"), acts.MakeMove("P f1-f2")).signature)
    entries = len(desk.entries)
    for signature in wrong:
        (answer,) = desk.ask((By("north"), acts.SignedAct(acts.MakeMove("P f2-f3"), signature)))
        assert answer.code == "signature"
    assert len(desk.entries) == entries


def test_a_signature_counts_once() -> None:
    """The host cannot repeat earlier acts of a player: an offer that was declined, a seat that was given up."""
    desk = Desk.invited("the-beam", "p1")
    for word in ("tea", "tea"):
        join = request(desk, "p2", f"signed p2 enter p2 {word}")
        answers = [desk.ask(join)[0].code for _ in range(2)]
        desk.ask(request(desk, "p2", "withdraw"))
    assert answers == ["signature", "signature"]
    desk = begun("boundary", "north")
    offer = request(desk, "north", "signed north offer")
    assert [desk.ask(offer)[0].code, ask(desk, "south", "decline"), desk.ask(offer)[0].code] == [
        "offered", "declined", "signature",
    ]  # fmt: skip
    there = request(desk, "north", "signed north key other")
    assert desk.ask(there)[0].code == "keyed"
    assert ask(desk, "north", "signed other key north") == "keyed"
    assert desk.ask(there)[0].code == "signature"
    both_hold(desk)


LOGS = sorted(FOLDER.glob("*-keys.jsonl"))


@each(LOGS, name=lambda path: path.stem)
def test_no_log_holds_with_another_signature_or_none(path: Path) -> None:
    """Not even if the host makes every later digest again: the log has the words that were signed."""
    first, *others = map(read_entry, path.read_text(encoding="utf-8").splitlines())
    state, tried = State.start(first), 0
    for entry in others:
        if entry.came is not None and entry.came.signature is not None:
            for came in _otherwise(entry.came):
                fault = law.fault(state, entry.event, entry.at, came)
                noted = entry.came.signature is not None and len(entry.came.signature) == 64
                assert noted or (fault is not None and fault.finding in ("signature", "came"))
                tried += 1
            without = replace(entry.came, signature=None)
            refused = law.fault(state, entry.event, entry.at, without)
            assert refused is not None
            assert (refused.finding, refused.refusal.code) == ("signature", "unsigned")
        assert law.fault(state, entry.event, entry.at, entry.came) is None
        state = state.after(entry)
    assert tried > 1


def _otherwise(came: Came) -> list[Came | None]:
    assert came.signature is not None
    turned = came.signature[::-1]
    return [None, replace(came, signature=turned), replace(came, signature="00" * (len(turned) // 2))]


def test_the_signed_text_is_on_the_page() -> None:
    """An example to check programs: the text that the page describes, made by hand."""
    desk = begun("boundary", "north")
    state = desk.state
    lines = ["referee act 1", "game-1", state.root, state.begun, "1", "north", "offer draw"]
    assert attestations.signed_text(state, "north", "offer draw") == "".join(f"{line}\n" for line in lines)
