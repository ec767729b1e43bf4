"""Duels as the page asks its worker for them: whole games, texts to and from the command, and every cheat named."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from referee.duel.state_file import duel_from, state_text
from referee.duel.status import text_to_send
from referee.game import judge, loads
from referee.rules import GAMES
from referee.web.onepage import curve
from referee.web.onepage.bridge import answer_page
from tests.support.command_line import referee
from tests.support.duels import STRANGERS, any_move, cheats, friends
from tests.support.examples import sampled

GAMES_OF_TWO: dict[str, tuple[str, Mapping[str, object]]] = {
    "sealed": ("beams", {"columns": 17, "rows": 7}),
    "in turn": ("beams", {"mode": "synchronous", "columns": 17, "rows": 7}),
    "stacks": ("boundary", {}),
    "one at a time": ("laser-chess", {"setup": "curiosity"}),
}
MOST_ROUNDS = 60


def ask(call: str, **asked: object) -> Any:  # noqa: ANN401 - data of many shapes
    return json.loads(answer_page(json.dumps({"call": call, "with": asked})))


def opened(game: str = "beams", options: Mapping[str, object] | None = None) -> list[Any]:
    """Both players of a duel, each as their page shows it."""
    sides = next(one["sides"] for one in ask("games")["games"] if one["name"] == game)
    ada = ask("duel-begin", game=game, options=options or {}, side=sides[0], name="Ada")
    return [ada, ask("duel-join", text=ada["text"], name="Ben")]


def board_of(player: Any) -> Any:  # noqa: ANN401 - data of many shapes
    return ask(
        "show",
        file=player["file"],
        plies=player["line"],
        side=player["side"],
        view=player["side"],
        chooses=player["owes"],
    )


def moved(player: Any, chance: random.Random) -> Any:  # noqa: ANN401 - data of many shapes
    """The player after a move, if one is due."""
    if not player["owes"]:
        return player
    position = loads(player["file"]).start()
    for ply in loads(player["file"]).replay():
        position = ply.position
    move = str(position.any_move(player["side"], chance.randrange))
    return ask("duel-play", state=player["state"], lines=[move])


@pytest.mark.slow
@pytest.mark.parametrize("kind", sampled(GAMES_OF_TWO, 4))
def test_a_whole_game_goes_between_two_pages(kind: str) -> None:
    game, options = GAMES_OF_TWO[kind]
    players, chance = opened(game, options), random.Random(kind)
    for turn in range(MOST_ROUNDS):
        seat = 1 - turn % 2
        players[seat] = moved(players[seat], chance)
        if players[seat]["text"]:
            told = ask("duel-read", state=players[1 - seat]["state"], text=players[seat]["text"])
            assert {one["code"] for one in told["remarks"]} <= {"repeated"}
            players[1 - seat] = told
        if all(one["over"] for one in players):
            break
    else:
        players[0] = ask("duel-play", state=players[0]["state"], lines=["resign"])
        players[1] = ask("duel-read", state=players[1]["state"], text=players[0]["text"])
    assert [one["over"] for one in players] == [True, True]
    files = [ask("duel-export", state=one["state"], form="yaml")["text"] for one in players]
    assert files[0] == files[1]
    assert (judge(loads(files[0])).findings, len(players[0]["line"]) > 5) == ((), True)
    for one in players:
        messages = ask("duel-export", state=one["state"], form="messages")["text"]
        checked = referee("duel", "check", stdin=messages.encode())
        told = ask("duel-check", text=messages)
        assert (told["said"], told["clean"], checked.status) == (checked.lines, True, 0)


def test_every_game_for_two_without_a_dealer_can_be_opened() -> None:
    names = ask("duel-games")["games"]
    assert {"beams", "boundary", "laser-chess"} <= {*names} < {*GAMES}
    for name in GAMES:
        description = next(one for one in ask("games")["games"] if one["name"] == name)
        told = ask("duel-begin", game=name, options={}, side=description["sides"][0], name="")
        assert ("error" not in told) is (name in names)
        assert told.get("error", {"code": "no-duel"})["code"] == "no-duel"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["beams", "boundary", "laser-chess"])
def test_the_board_asks_for_a_move_exactly_when_one_is_owed(name: str) -> None:
    ada, ben = opened(name)
    for player in (ada, ben):
        shown = board_of(player)
        assert bool(shown["tree"]["moves"]) is player["owes"]
        assert shown["board"]["svg"].startswith("<svg ")


def test_a_sealed_move_is_in_nothing_that_leaves_the_page() -> None:
    _, ben = opened("beams")
    move = "P M1 A2 12"
    ben = ask("duel-play", state=ben["state"], lines=[move])
    assert move in ben["state"]
    outside = [ask("duel-export", state=ben["state"], form=form)["text"] for form in ("messages", "yaml", "json")]
    assert not any(move in text for text in (ben["text"], ben["link"], ben["file"], *ben["standing"], *outside))


def test_a_message_says_which_duel_it_is_for_and_what_it_proposes() -> None:
    ada, ben = opened("boundary")
    (proposed,) = ask("duel-sort", text=f"Hi!\n{ada['link']}\n")["messages"]
    assert (proposed["id"], proposed["seat"], proposed["proposes"]["side"]) == (ben["id"], 0, ben["side"])
    assert proposed["proposes"]["name"] == "Ada"
    first = moved(ada, random.Random(1)) if ada["owes"] else moved(ben, random.Random(1))
    assert {(one["id"], one["seat"]) for one in ask("duel-sort", text=first["text"])["messages"]} >= {
        (ada["id"], first["seat"])
    }
    assert ask("duel-sort", text="nothing")["messages"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(["beams", "laser-chess"], 2))
def test_page_and_command_go_on_with_each_other(name: str, tmp_path: Path) -> None:
    chance = random.Random(name)
    sides = next(one["sides"] for one in ask("games")["games"] if one["name"] == name)
    file, paste = tmp_path / "ben.duel", tmp_path / "text"
    ada = ask("duel-begin", game=name, options={}, side=sides[0], name="Ada")
    paste.write_text(ada["text"], encoding="utf-8")
    joined = referee("duel", "join", paste, "--name", "Ben", "-o", file)
    assert joined.status == 0
    for _ in range(6):
        told = ask("duel-keep", state=file.read_text(encoding="utf-8"))
        if told["owes"]:
            move = any_move(duel_from(told["state"], "duel"), chance)
            assert referee("duel", "play", file, move).status == 0
        sent = referee("duel", "again", file).out
        if sent:
            ada = ask("duel-read", state=ada["state"], text=sent)
        ada = moved(ada, chance)
        paste.write_text(ada["text"], encoding="utf-8")
        assert referee("duel", "read", file, paste).status == 0
    shown = referee("duel", "export", file).out
    assert ask("duel-export", state=file.read_text(encoding="utf-8"), form="yaml")["text"] == shown
    # The page goes on with the very file of the command, and the other way round.
    assert ask("duel-keep", state=file.read_text(encoding="utf-8"))["state"] == file.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed"), sampled([("beams", 1), ("beams", 2), ("boundary", 3), ("laser-chess", 4)], 2)
)
def test_every_cheat_is_named_and_changes_nothing(name: str, seed: int) -> None:
    both = friends(name, seed=seed)
    named = set()
    for turn in range(8):
        seat = 1 - turn % 2
        both.round(seat)
        reader = ask("duel-keep", state=state_text(both.duels[1 - seat]))
        for message, code in cheats(both.duels[seat], both.chance):
            told = ask("duel-read", state=reader["state"], text=message.armour)
            assert code in {one["code"] for one in told["remarks"]}
            assert (told["file"], told["line"]) == (reader["file"], reader["line"])
            named.add(code)
        text = text_to_send(both.duels[seat]) if both.duels[seat].exchange.chains[seat] else ""
        for stranger in STRANGERS if text else ():
            told = ask("duel-read", state=reader["state"], text=stranger(text, both.chance))
            assert "error" in told or told["line"] == reader["line"]
    assert {"fork", "unsent", "contradiction", "no-offer"} < named


@pytest.mark.parametrize(
    ("call", "asked", "code"),
    [
        ("duel-join", {"text": "Shall we play?", "name": ""}, "no-opening"),
        ("duel-begin", {"game": "beams", "options": {}, "side": "west", "name": ""}, "unknown-side"),
        ("duel-begin", {"game": "beams", "options": {"columns": 3}, "side": "south", "name": ""}, "option"),
        ("duel-begin", {"game": "beams", "options": {}, "side": "south", "name": "x" * 41}, "name"),
        ("duel-keep", {"state": "game: beams"}, "file"),
        ("duel-check", {"text": "nothing"}, "no-opening"),
    ],
)
def test_every_impossible_call_has_its_code(call: str, asked: dict[str, object], code: str) -> None:
    assert ask(call, **asked)["error"]["code"] == code


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["P M1"], "syntax"),
        (["accept"], "no-offer"),
        (["Claim  Repetition"], "no-claim"),
        (["P S A2", "P S A4"], "already-bound"),
        (["P M1 A1 12"], "unknown-cell"),
    ],
)
def test_an_act_that_is_not_allowed_now_has_its_code(lines: list[str], code: str) -> None:
    _, ben = opened("beams")
    assert ask("duel-play", state=ben["state"], lines=lines)["error"]["code"] == code


def test_a_draw_is_offered_with_a_move_and_accepted() -> None:
    ada, ben = opened("beams")
    ben = ask("duel-play", state=ben["state"], lines=["P M1 A2 12", "offer draw"])
    ada = ask("duel-read", state=ada["state"], text=ben["text"])
    assert ada["offered"]
    ada = ask("duel-play", state=ada["state"], lines=["accept"])
    assert ada["over"]
    ben = ask("duel-read", state=ben["state"], text=ada["text"])
    assert "over: no winner (agreement); south 0, north 0" in ben["standing"]


def test_no_library_for_signatures_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cryptography.exceptions", "cryptography.hazmat.primitives.asymmetric.ed25519"):
        monkeypatch.setitem(sys.modules, name, None)
    curve.install()
    ada, ben = opened("laser-chess")
    first = ada if ada["owes"] else ben
    second = ben if first is ada else ada
    made = moved(first, random.Random(1))
    told = ask("duel-read", state=second["state"], text=made["text"])
    assert told["line"] == made["line"] != []
    monkeypatch.undo()
    assert ask("duel-keep", state=told["state"])["line"] == told["line"]
