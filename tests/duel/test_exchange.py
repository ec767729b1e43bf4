"""Acts of two players, messages that cross, and cheats in more than one message."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from referee.desk import Accept, Claim, MakeMove, OfferDraw, Past, Resign, Reveal, Seal, commitment
from referee.duel.course import Owed
from referee.duel.exchange import LONGEST_PASTE, MOST_EARLY, Weight
from referee.duel.player import Duel, duel_signer, join_duel, open_duel, outlook, read_paste, respond, speak
from referee.duel.status import text_to_send
from referee.duel.transcript import duel_game, read_transcript, transcript
from referee.errors import RefereeError
from referee.game import judge, read
from tests.support.duels import Friends, after, any_move, forged, friends
from tests.support.rows import each

ROOT = Path(__file__).parents[2]
FIRST, SECOND = MakeMove("P S A2"), MakeMove("P M1 A2 12")
NONCE = "ab" * 32


def both_read(both: Friends) -> None:
    """Have each player read the other's earlier messages."""
    texts = [text_to_send(duel) for duel in both.duels]
    both.duels = [respond(read_paste(duel, texts[1 - seat]).duel) for seat, duel in enumerate(both.duels)]


def codes(duel: Duel, text: str) -> list[str]:
    return [one.code for one in read_paste(duel, text).remarks]


def refused(duel: Duel, *wishes: MakeMove | OfferDraw | Accept | Claim | Resign) -> str:
    with pytest.raises(RefereeError) as caught:
        speak(duel, wishes)
    return caught.value.code


def test_one_message_a_round_is_enough() -> None:
    both = after("beams", 4)
    assert [len(chain) for chain in both.duels[0].exchange.chains] == [5, 4]
    kinds = [[type(act).__name__ for act in one.acts] for one in both.duels[0].exchange.chains[1]]
    assert kinds == [["Seal"], *[["Reveal", "Seal"]] * 3]
    assert all(len(one.armour) < 300 for duel in both.duels for one in duel.unread)


def test_seals_that_cross_are_both_revealed() -> None:
    both = friends("beams")
    both.duels = [speak(duel, [move]) for duel, move in zip(both.duels, (FIRST, SECOND), strict=True)]
    assert [type(duel.unread[-1].acts[-1]) for duel in both.duels] == [Seal, Seal]
    both_read(both)
    assert [type(duel.unread[-1].acts[-1]) for duel in both.duels] == [Reveal, Reveal]
    both_read(both)
    assert both.duels[0].exchange.course == both.duels[1].exchange.course
    assert both.duels[0].exchange.course.ply((9, 9)) == 1


def test_the_opener_can_move_before_the_other_has_joined() -> None:
    both = friends("boundary")
    both.duels[0] = speak(both.duels[0], [MakeMove(any_move(both.duels[0], both.chance))])
    joined = join_duel(text_to_send(both.duels[0]), bytes(32))
    assert (joined.duel.duty, joined.remarks) == (Owed.MOVE, ())


def test_a_sealed_move_is_in_nothing_that_is_sent_or_shown() -> None:
    both = friends("beams")
    sealed = speak(both.duels[1], [SECOND])
    told = (transcript(sealed.exchange), repr(sealed), str(duel_game(sealed.exchange)), text_to_send(sealed))
    for secret in (str(SECOND.text), sealed.seed.hex(), str(sealed.seed)):
        assert not any(secret in one for one in told)


def test_a_refused_act_gives_the_reason() -> None:
    ada, ben = friends("beams").duels
    assert refused(ben, MakeMove("P M1 A1 12")) == "unknown-cell"
    assert refused(ben, MakeMove("nonsense")) == "syntax"
    assert refused(ben, OfferDraw()) == "move-first"
    assert refused(ben, Accept()) == "no-offer"
    assert refused(ben, Claim()) == "no-claim"
    assert refused(speak(ben, [SECOND]), FIRST) == "already-bound"
    assert refused(speak(ben, [SECOND])) == "nothing-to-say"
    assert refused(speak(ada, [Resign()]), FIRST) == "game-over"
    assert refused(friends("boundary").duels[1], MakeMove("P a1-a2")) == "not-your-turn"


def test_an_offer_lasts_until_the_other_side_moves() -> None:
    both = friends("beams")
    both.duels[1] = speak(both.duels[1], [SECOND, OfferDraw()])
    assert refused(both.duels[1], OfferDraw()) == "already-offered"
    both.deliver(1)
    accepted = speak(both.duels[0], [Accept()])
    end = accepted.exchange.course.settlement
    assert end is not None
    assert (end.outcome.winner, str(end.outcome.termination), end.plies) == (None, "agreement", 0)
    moved = speak(both.duels[0], [FIRST])
    ben = read_paste(both.duels[1], text_to_send(moved)).duel
    assert read_paste(ben, text_to_send(accepted)).remarks[0].code == "fork"
    ben = speak(ben, [MakeMove("P S C2")])
    assert refused(read_paste(moved, text_to_send(ben)).duel, Accept()) == "no-offer"


def test_a_resignation_counts_before_what_its_sender_had_not_seen() -> None:
    both = after("laser-chess", 2)
    mover = next(seat for seat in (0, 1) if both.duels[seat].duty)
    moved = speak(both.duels[mover], [MakeMove(any_move(both.duels[mover], both.chance))])
    gone = speak(both.duels[1 - mover], [Resign()])
    for one, other in ((moved, gone), (gone, moved)):
        read = read_paste(one, other.unread[-1].armour)
        end = read.duel.exchange.course.settlement
        assert read.remarks == ()
        assert end is not None
        assert (end.by, end.plies) == (gone.side, len(both.duels[0].exchange.course.turns) - 1)


def test_two_resignations_that_cross_are_a_draw() -> None:
    both = after("beams", 1)
    both.duels = [speak(duel, [Resign()]) for duel in both.duels]
    both_read(both)
    ends = [duel.exchange.course.settlement for duel in both.duels]
    assert ends[0] == ends[1]
    assert ends[0] is not None
    assert (ends[0].outcome.winner, str(ends[0].how)) == (None, "agreement")


def test_a_repetition_is_claimed_instead_of_a_move() -> None:
    game = read(ROOT / "games" / "laser-chess" / "repetition.yaml")
    both = friends("laser-chess", dict(game.options))
    for ply in game.replay():
        for move in ply.moves.values():
            both.duels[ply.number % 2 - 1] = speak(both.duels[ply.number % 2 - 1], [MakeMove(str(move))])
            both.deliver((ply.number + 1) % 2)
    seat = 0 if both.duels[0].duty else 1
    both.duels[seat] = speak(both.duels[seat], [Claim()])
    both.deliver(seat)
    end = both.duels[1 - seat].exchange.course.settlement
    assert end is not None
    assert (str(end.how), end.by) == ("repetition", both.duels[seat].side)
    assert judge(duel_game(both.duels[0].exchange)).findings == ()


def test_an_illegal_move_that_was_sealed_is_named_when_it_is_revealed() -> None:
    both = friends("beams")
    ben = both.duels[1]
    course = ben.exchange.course
    past = Past(course.game, course.game)
    seal = commitment(course.game[:16], 1, "north", "beams 1", "P M1 A1 12", bytes.fromhex(NONCE), past)
    joined = speak(ben, [SECOND]).unread[0]
    cheat = replace(joined, acts=(Seal(seal),)).signed_by(duel_signer(ben.seed))
    ada = speak(read_paste(both.duels[0], cheat.armour).duel, [FIRST])
    ben = replace(ben, exchange=replace(ben.exchange, chains=(ada.exchange.chains[0], (cheat,))))
    shown = forged(ben, (Reveal("P M1 A1 12", NONCE),))
    read = read_paste(ada, shown.armour)
    assert [(one.code, one.weight, one.proof) for one in read.remarks] == [("unknown-cell", Weight.CHEAT, (shown,))]
    assert read.duel.exchange.course == ada.exchange.course
    proved = read_transcript(transcript(read.duel.exchange))
    assert [one.code for one in proved.remarks] == ["unknown-cell"]


def test_messages_that_come_too_early_wait_for_those_before() -> None:
    both = after("boundary", 2)
    everything = both.duels[0].exchange.messages
    late = join_duel(everything[0].armour, both.duels[1].seed, "Ben").duel
    assert codes(late, everything[-1].armour) == ["gap"]
    opened, *rest = everything
    taken = read_transcript("\n".join(one.armour for one in (*rest[::-1], opened)))
    assert (taken.exchange.messages, taken.remarks) == (everything, ())
    both = after("beams", 3)
    ada = open_duel("beams", {}, "south", both.duels[0].seed, "Ada")
    joined, _, last = both.duels[1].exchange.chains[1]
    assert codes(read_paste(ada, joined.armour).duel, last.armour) == ["gap"]


def test_few_messages_can_wait() -> None:
    both = after("beams", 1)
    ben = both.duels[1]
    flood = "\n".join(forged(ben, (Resign(),), number=one + 9).armour for one in range(MOST_EARLY + 9))
    read = read_paste(both.duels[0], flood)
    assert (len(read.duel.exchange.early), [one.code for one in read.remarks]) == (MOST_EARLY, ["gap"])


def test_the_second_to_come_cannot_join() -> None:
    both = after("beams", 1)
    opening = both.duels[0].exchange.messages[0].armour
    other = speak(join_duel(opening, bytes(32), "Eve").duel, [SECOND])
    read = read_paste(both.duels[0], text_to_send(other))
    assert ([one.code for one in read.remarks], read.duel) == (["seat-joined"], both.duels[0])


def test_a_second_copy_of_a_file_is_noticed() -> None:
    both = after("boundary", 1)
    seat = 0 if both.duels[0].duty else 1
    elsewhere = speak(both.duels[seat], [Resign()])
    assert codes(both.duels[seat], text_to_send(elsewhere))[-1] == "other-copy"
    assert codes(elsewhere, text_to_send(both.duels[seat])) == ["repeated"]


def test_a_text_that_opens_nothing_or_too_much() -> None:
    ada, ben = after("beams", 1).duels
    opening, other = ada.exchange.messages[0].armour, text_to_send(open_duel("boundary", {}, "north", bytes(32)))
    for text, code in {
        "": "no-opening",
        text_to_send(ben): "no-opening",
        opening + other: "two-openings",
        other[:-20]: "damaged",
        "x" * (LONGEST_PASTE + 1): "too-large",
    }.items():
        with pytest.raises(RefereeError) as caught:
            join_duel(text, bytes(32))
        assert caught.value.code == code
    for text, code in (("hello", "no-message"), ("x" * (LONGEST_PASTE + 1), "too-large")):
        with pytest.raises(RefereeError) as caught:
            read_paste(ada, text)
        assert caught.value.code == code


@each([("the-beam", "no-duel"), ("chess", "unknown-game")])
def test_a_game_that_cannot_be_a_duel(row: tuple[str, str]) -> None:
    with pytest.raises(RefereeError) as caught:
        open_duel(row[0], {}, "south", bytes(32))
    assert caught.value.code == row[1]


def test_the_game_file_of_a_duel_holds() -> None:
    both = after("beams", 3)
    game = duel_game(both.duels[1].exchange)
    assert (judge(game).findings, judge(game).plies) == ((), 2)
    assert [player.name for player in game.players.values()] == ["Ada", "Ben"]


def test_a_player_knows_the_position_before_the_reveal_is_sent() -> None:
    both = friends("beams")
    both.round(1)
    both.round(0)
    ben = both.duels[1]
    assert ben.duty is Owed.REVEAL
    assert outlook(ben).duty is Owed.SEALED_MOVE
    assert speak(ben, []).unread[-1].acts == outlook(ben).unread[-1].acts


def test_nothing_in_a_transcript_is_taken_for_a_message_or_acts_on_a_terminal() -> None:
    ada = open_duel("boundary", {}, "south", bytes(32), "duel1zz")
    both = Friends(random.Random(1), [ada, join_duel(text_to_send(ada), bytes(range(32)), "duel1").duel])
    both.round(1)
    mover = both.duels[0]
    read = read_paste(both.duels[1], forged(mover, (MakeMove("duel1\x1b[2J"),)).armour)
    text = transcript(read.duel.exchange)
    assert [one.code for one in read_transcript(text).remarks] == ["syntax"]
    assert all(line.isprintable() for line in text.splitlines())


def test_the_same_seed_says_the_same() -> None:
    one, other = (after("beams", 2, seed=5).duels[1] for _ in range(2))
    move = [MakeMove(any_move(one, random.Random(1)))]
    assert speak(one, move).unread == speak(other, move).unread
