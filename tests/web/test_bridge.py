"""Calls of the page to its worker, made here: the answers are those of the commands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.desk import Signer
from referee.desk.proof.private_keys import write_key
from referee.web.onepage.bridge import CALLS, answer_page
from tests.support.command_line import referee as command
from tests.support.letter_commands import letter_commands

ROOT = Path(__file__).parents[2]
OPENING = (ROOT / "games/beams/opening.yaml").read_text(encoding="utf-8")
LOG = ROOT / "spec/vectors/beams.jsonl"
NONCE = "0f" * 32
DIGEST = "a1" * 32
COMMAND = f"referee seal spring-7 3 south --rules 'beams 1' --opening {DIGEST} --head {DIGEST}"

TEXTS = [
    (OPENING, None),
    (OPENING.replace("P S F13", "P S Z9"), None),
    ("game: beams\nplayer: 3\nmoves: |\n  1. P S A2 | P S A2\n", None),
    ('{"game": "boundary", "moves": ""}\n{"game": "chess"}\n', None),
    ("", None),
    ("1. P M1 A2 12 | P S B1\n2. P S B1 | P M1 A14 12\n", "beams"),
    ("1. M e4-e5 | hello\n", "laser-chess"),
]


def ask(call: str, **asked: object) -> Any:  # noqa: ANN401 - data of many shapes
    return json.loads(answer_page(json.dumps({"call": call, "with": asked})))


@pytest.mark.parametrize(("text", "game"), TEXTS)
def test_a_text_is_judged_as_check_does(text: str, game: str | None, tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text(text, encoding="utf-8")
    run = command("check", str(file), *(() if game is None else ("--game", game)))
    told = ask("judge", text=text, game=game, name=str(file))
    assert (told["said"], told["status"]) == (run.out, run.status)


@pytest.mark.parametrize("line", [None, 5, 31])
def test_a_log_is_audited_as_the_command_does(line: int | None, tmp_path: Path) -> None:
    lines = LOG.read_text(encoding="utf-8").splitlines(keepends=True)
    if line is not None:
        lines[line] = lines[line].replace('"number":', '"number":1')
    file = tmp_path / "log.jsonl"
    file.write_text("".join(lines), encoding="utf-8")
    for head in ("", json.loads(LOG.read_text(encoding="utf-8").splitlines()[3])["digest"], DIGEST):
        run = command("audit", str(file), *(("--head", head) if head else ()))
        told = ask("audit", text="".join(lines), head=head, name=str(file))
        assert (told["said"], told["status"]) == (run.out, run.status)


def test_a_move_is_sealed_as_the_command_does() -> None:
    seat = ask("seat", command=COMMAND)["seat"]
    told = ask("seal", **seat, move="p m1 a2 12:00", nonce=NONCE)
    options = ("--rules", "beams 1", "--opening", DIGEST, "--head", DIGEST, "--nonce", NONCE)
    run = command("seal", "spring-7", "3", "south", "P M1 A2 12", *options)
    assert [told["seal"], told["reveal"]] == run.lines


@pytest.mark.parametrize("line", ["p m1 a2 12:00", "resign", "Offer  Draw", "accept", "abort", "claim timeout"])
def test_the_page_signs_the_same_text_as_the_command(line: str, tmp_path: Path) -> None:
    signer = Signer(b"k" * 32)
    write_key(tmp_path / "key", signer)
    options = ("--rules", "beams 1", "--opening", DIGEST, "--head", DIGEST, "--key", tmp_path / "key")
    run = command("sign", "spring-7", "3", "south", line, *options)
    told = ask("sign", **ask("seat", command=COMMAND.replace("seal", "sign"))["seat"], line=line)
    assert told["line"] == run.lines[0]
    assert run.lines[1].removeprefix("signed ").replace(" ", "") == signer.sign(told["text"])


def test_both_lines_of_a_seal_can_be_signed(tmp_path: Path) -> None:
    signer = Signer(b"k" * 32)
    write_key(tmp_path / "key", signer)
    options = ("--rules", "beams 1", "--opening", DIGEST, "--head", DIGEST, "--nonce", NONCE)
    run = command("seal", "spring-7", "3", "south", "P M1 A2 12", *options, "--sign", tmp_path / "key")
    told = ask("seal", **ask("seat", command=COMMAND)["seat"], move="P M1 A2 12", nonce=NONCE)
    signatures = [signer.sign(text) for text in told["signable"]]
    signed = [f"signed {one[:64]} {one[64:]}" for one in signatures]
    assert run.lines == [told["seal"], signed[0], told["reveal"], signed[1]]


def test_a_line_that_needs_no_signature_is_no_move() -> None:
    seat = ask("seat", command=COMMAND)["seat"]
    assert ask("sign", **seat, line="vacation 3")["error"]["code"] == "syntax"
    assert ask("sign", **seat | {"opening": "", "head": ""}, line="resign")["error"]["code"] == "wrong-paste"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"game": "Spring 7"}, "wrong-paste"),
        ({"rules": "beams 9"}, "wrong-paste"),
        ({"rules": "chess 1"}, "unknown-game"),
        ({"side": "west"}, "wrong-paste"),
        ({"ply": 0}, "wrong-paste"),
        ({"head": ""}, "wrong-paste"),
        ({"nonce": "0"}, "no-nonce"),
        ({"move": "P M1"}, "syntax"),
    ],
)
def test_a_seal_that_cannot_be_is_refused(wrong: dict[str, object], code: str) -> None:
    seat = {"game": "spring-7", "ply": 3, "side": "south", "rules": "beams 1", "opening": DIGEST, "head": DIGEST}
    assert ask("seal", **seat | {"move": "P M1 A2 12", "nonce": NONCE} | wrong)["error"]["code"] == code


def pasted(command: str) -> list[str]:
    """A command of a letter as browsers paste it: into a field of many lines, and into one of a single line."""
    return [command, command.replace("\n", "\r\n"), command.replace("\n", " "), command.replace("\n", "")]


@pytest.mark.slow
def test_commands_of_letters_name_the_seat_however_they_are_pasted(tmp_path: Path) -> None:
    for shown in letter_commands(tmp_path):
        assert shown.count("\\\n") == 2, "the letter breaks its lines elsewhere"
        rules, opening, head = re.findall("--(?:rules|opening|head) ('.*?'|[0-9a-f]{64})", shown)
        seat = {"game": "spring-7", "ply": 1, "side": "south", "rules": "beams 1", "opening": opening, "head": head}
        assert rules == "'beams 1'"
        for text in pasted(shown):
            assert ask("seat", command=text) == {"seat": seat, "move": ""}
            assert ask("seat", command=f"Seal it like this:\n\n{text} 'P M1 A2 12'\n") == {
                "seat": seat,
                "move": "P M1 A2 12",
            }


def test_the_commands_of_the_page_for_players_name_the_seat() -> None:
    page = (ROOT / "docs" / "playing-by-mail.md").read_text(encoding="utf-8")
    lines = re.findall("^\\$ (referee (?:seal|sign) .*)$", page, re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        told = ask("seat", command=line)
        assert (told["seat"]["game"], told["seat"]["ply"], told["move"]) == ("spring-7", 1, "P M1 A2 12")


@pytest.mark.parametrize("place", range(4))
def test_options_are_wherever_the_command_line_allows_them(place: int) -> None:
    words = ["spring-7", "3", "south", "resign"]
    options = ["--rules", "'beams 1'", f"--opening={DIGEST}", "--head", DIGEST]
    told = ask("seat", command=" ".join(["referee sign", *words[:place], *options, *words[place:]]))
    assert told == {"seat": ask("seat", command=COMMAND)["seat"], "move": "resign"}


@pytest.mark.parametrize(
    "text",
    [
        *("", "seal", "referee seal spring-7", "referee seal spring-7 x south", "'", "referee seal --help"),
        *(
            "referee seal spring-7 3 south 'P M1' A2",
            "referee seal spring-7 3 south --openings a",
            f"{COMMAND} --head",
        ),
    ],
)
def test_a_text_that_is_no_command_of_a_letter_is_refused(text: str) -> None:
    assert ask("seat", command=text)["error"]["code"] == "wrong-paste"


@pytest.mark.slow
@pytest.mark.parametrize("game", referee.GAMES)
def test_a_game_is_begun_played_and_opened_again(game: str) -> None:
    begun = ask("begin", game=game, options={}, players={})
    file, secret = begun["file"], begun["secret"]
    line: list[dict[str, str]] = []
    for _ in range(6):
        shown = ask("show", file=file, plies=line)
        position = referee.loads(file).start()
        for ply in referee.loads(file).replay():
            position = ply.position
        moves = {side: str(next(iter(position.legal_moves(side)))) for side in shown["due"]}
        line.append(moves)
        file = ask("write", file=file, line=line, variations=[], secret=secret)["file"]
    assert ask("open", text=file)["line"] == line


def test_variations_are_kept_in_the_file() -> None:
    found = ask("open", text=OPENING)
    nested = {"ply": 4, "plies": [{"south": "P S A4", "north": "P S A4"}], "variations": []}
    plies = [{"south": "P M1 A2 12", "north": "P S B3"}, {"south": "P S C4", "north": "P S C4"}]
    other = [{"ply": 3, "plies": plies, "variations": [nested]}, {**nested, "ply": 6}]
    told = ask("write", file=found["file"], line=found["line"], variations=other)
    assert ask("open", text=told["file"])["variations"] == other
    assert referee.loads(told["file"]).rounds == referee.loads(OPENING).rounds
    assert ask("judge", text=told["file"])["status"] == 0


def test_a_variation_keeps_its_marks_and_comments_when_it_changes_places() -> None:
    text = "game: boundary\nmoves: |\n  1. P a1-b2 | {}\nvariations:\n  - moves: |\n      1. ... | {}\n"
    main, side = "P f1-e2 {main}", "P f1-e1 !? {side}"
    found = ask("open", text=text.format(main, side))
    [other] = found["variations"]
    promoted = [*found["line"][:1], *other["plies"]]
    other["plies"] = found["line"][1:]
    told = ask("write", file=found["file"], line=promoted, variations=[other])
    assert told["file"] == text.format(side, main)


def test_remaining_moves_keep_their_comments_and_a_new_end_drops_the_result() -> None:
    text = "game: laser-chess\nend: {how: resignation, by: red}\nmoves: |\n  {first}\n  1. R j1 L {good} | M e8-e7\n"
    game = ask("open", text=text)
    told = ask("write", file=game["file"], line=game["line"][:1], variations=[])["file"]
    assert told == "game: laser-chess\nmoves: |\n  {first}\n  1. R j1 L {good}\n"
    assert ask("write", file=game["file"], line=game["line"], variations=[])["file"] == game["file"]


@pytest.mark.slow
def test_the_board_shows_what_an_engine_has_left_in_the_file() -> None:
    text = "game: laser-chess\nmoves: |\n  1. R j1 L {value +0.40} | M e8-e7 ? {better: R h8 L} {value +1.60}\n"
    game = ask("open", text=text)
    curve = ask("show", file=game["file"], plies=game["line"])["curve"]
    assert curve["opinions"] == [["better", "R h8 L"], ["value", "+1.60"]]
    assert "Value by ply" in curve["svg"]
    assert ".values .curve-0" in curve["style"]
    assert ask("show", file=game["file"], plies=[])["curve"]["opinions"] == []
    assert ask("show", file=game["file"], plies=[{"blue": "M c1-c2"}])["curve"] is None
    told = ask("write", file=game["file"], line=game["line"][:1], variations=[])["file"]
    assert ask("show", file=told, plies=game["line"][:1])["curve"]["opinions"] == [["value", "+0.40"]]
    assert ask("show", file=OPENING, plies=[])["curve"] is None


def test_a_typed_move_is_read_or_its_fault_is_placed() -> None:
    file = ask("begin", game="boundary", options={}, players={})["file"]
    assert ask("read", file=file, plies=[], side="south", text="p a1-a2") == {"move": "P a1-a2"}
    told = ask("read", file=file, plies=[], side="south", text="P a1=a2")
    assert (told["column"], told["suggestions"][0]) == (5, "P a1-a2")


def test_a_preview_shows_the_board_after_a_move() -> None:
    file = ask("begin", game="boundary", options={}, players={})["file"]
    before = ask("show", file=file, plies=[])["board"]
    after = ask("try", file=file, plies=[], side="south", move="P a1-a2")["board"]
    assert after["facts"] == ask("show", file=file, plies=[{"south": "P a1-a2"}])["board"]["facts"] != before["facts"]


@pytest.mark.parametrize("form", ["html", "svg", "json", "txt", "yaml"])
def test_the_page_s_output_has_no_addresses(form: str) -> None:
    assert "@example.org" in OPENING
    assert "@example.org" not in ask("export", file=OPENING, form=form)["text"]


def test_a_wrong_file_is_reported_with_its_findings() -> None:
    told = ask("open", text=OPENING.replace("P S F13", "P S Z9"))["error"]
    assert [one["code"] for one in told["findings"]] == ["unknown-cell"]
    assert "P S Z9" in told["message"]


def test_every_example_can_be_opened() -> None:
    for game in ask("games")["games"]:
        for name in game["examples"]:
            assert "error" not in ask("open", text=ask("example", game=game["name"], name=name)["text"])
    assert ask("example", game="beams", name="../beams/opening")["error"]["code"] == "unreadable"


def test_an_error_without_a_code_is_our_own_fault() -> None:
    with pytest.raises(KeyError):
        ask("destroy")
    assert "destroy" not in CALLS
