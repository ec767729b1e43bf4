"""The letter that ends a game: winner, score by round, files, and the check of the log."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage, Message
from pathlib import Path

import pytest

from referee import read
from referee.desk import Key
from referee.game import loads
from referee.mail.host.host import open_game
from referee.mail.letters import attachments
from referee.mail.letters.attachments import Attachment, with_files
from referee.mail.letters.format.mime import text_part
from tests.support.correspondence import GAME, Correspondence, address, corresponding, text
from tests.support.logs import audit_text

ALL = "attach: [game, log, record, sheet]\n"


def ended(post: Correspondence) -> EmailMessage:
    """South's letter about the end of a game of two rounds."""
    post.open("beams")
    for move in ("P M1 A2 12", "P M1 A4 12"):
        post.write("south", move)
        post.write("north", move)
    return post.write("north", "resign")[address("south")]


def files(letter: EmailMessage) -> dict[str, bytes]:
    return {str(part.get_filename()): _content(part) for part in letter.iter_attachments()}


def _content(part: Message) -> bytes:
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content


@pytest.mark.slow
def test_the_files_of_a_game_come_with_its_end(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", ALL) as post:
        letter = ended(post)
        told, sent = text(letter), files(letter)
        assert letter["Subject"] == f"[{GAME}] You won: north resigned"
        assert [*sent] == [f"{GAME}.yaml", f"{GAME}.jsonl", f"{GAME}.html", f"{GAME}.pdf"]
        for name, content in sent.items():
            assert f"- {name}, {-(-len(content) // 1000)} kB: " in told
        game = loads(sent[f"{GAME}.yaml"].decode())
        assert (game.id, game.ending and game.ending.by, game.result) == (GAME, "north", {"south": 2, "north": 2})
        assert sent[f"{GAME}.jsonl"].decode() == post.exported
        assert audit_text(post.exported).findings == ()
        assert f"'referee audit {GAME}.jsonl'" in " ".join(told.split())
        assert not any(b"players.example" in content for content in sent.values()), "no address is in a file"
        later = post.write("south", "history")[address("south")]
        assert files(later) == {}


@pytest.mark.slow
def test_files_are_made_once_for_all_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = iter([b"a sheet"])
    monkeypatch.setattr("referee.draw.paper.score_sheet.score_sheet", lambda _: next(made))
    with corresponding(tmp_path / "desk", "attach: [sheet]\n", Key.drawn()) as post:
        post.open("the-beam")
        post.write("p1", "resign")
        for side in post.state.players:
            assert files(post.letters[address(side)][-1]) == {f"{GAME}.pdf": b"a sheet"}


@pytest.mark.slow
def test_files_that_are_too_large_or_cannot_be_made_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(attachments, "LARGEST_SUM", 6_000)
    monkeypatch.setattr("referee.draw.paper.score_sheet.score_sheet", lambda _: 1 // 0)
    with corresponding(tmp_path / "desk", ALL, Key.drawn()) as post:  # the files of other games are kept
        letter = ended(post)
        assert [*files(letter)] == [f"{GAME}.yaml", f"{GAME}.jsonl"]
        assert f"{GAME}.html" not in text(letter)
        assert "goes without" not in text(letter)
    assert f"{GAME} ends without its sheet: ZeroDivisionError" in caplog.text


@pytest.mark.slow
def test_a_game_tells_its_own_end_in_its_own_words(tmp_path: Path) -> None:
    file = read("games/laser-chess/curiosity.yaml")
    begun = replace(file, rounds=file.rounds[:-1], result=None, players={})
    with corresponding(tmp_path / "desk") as post:
        addresses = {side: address(side) for side in file.description.sides}
        open_game(post.office, GAME, begun, post.at, terms=None, addresses=addresses)
        post.collect()
        sent = post.write("blue", "R g3 R")
        assert text(sent[address("red")]).startswith(
            "The game is over: blue has won (your king was hit; blue 1, you 0)."
        )
        assert "you have won (red's king was hit; you 1, red 0)." in text(sent[address("blue")])
        answer = post.write("red", "thanks!\nboard 1")[address("red")]
        assert answer["Subject"] == f"[{GAME}] Your letter", "the end was told before"
        assert "referee audit" not in text(answer), "so was the log, which was attached"


@pytest.mark.slow
@pytest.mark.parametrize("moves", [(), ("P M1 A2 12",)], ids=["no move", "a move"])
def test_a_game_called_off_at_its_start_has_a_short_letter(moves: tuple[str, ...], tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", ALL) as post:
        post.open("beams")
        for move in moves:
            post.write("south", move)
        letter = post.write("south", "abort")[address("north")]
        assert text(letter).startswith("south has called the game off. No one wins or loses.")
        assert files(letter) == {}
        assert len(text(letter).splitlines()) < 30


def test_a_letter_with_files_is_the_same_whenever_it_is_made() -> None:
    """It may be sent once more after a crash, and mail programs recognize it by its bytes."""
    letter = text_part("hello\n")
    files = [Attachment("game", "a.yaml", "application/yaml", b"game: boundary\n")]
    assert with_files(letter, files).as_bytes() == with_files(letter, files).as_bytes()
