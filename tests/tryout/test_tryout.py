"""A newcomer tries a desk on one page: writes as two people, moves, turns the clock, and cheats as the host."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from referee.desk import audit, kind_of
from tests.support.rows import each
from tests.tryout.trying import ADA, BEN, URL, Newcomer, trying, words


@pytest.fixture
def newcomer() -> Iterator[Newcomer]:
    with trying() as found:
        yield found


@pytest.fixture
def playing(newcomer: Newcomer) -> Newcomer:
    """A game of Beams in which nobody has moved; Ada is south."""
    newcomer.write("ada", "new beams with ben@example.net, as south")
    newcomer.write("ben", "accept")
    return newcomer


def kinds(newcomer: Newcomer) -> list[str]:
    return [kind_of(entry.event) for entry in newcomer.tryout.office.desk.log(newcomer.game)]


def test_the_first_letter_is_filled_in(newcomer: Newcomer) -> None:
    assert "No game yet." in newcomer.shown
    assert "Invitation from Ada Lovelace" in newcomer.write("ada")
    assert "The game begins once every seat is taken." in newcomer.shown


def test_the_page_names_the_next_step(newcomer: Newcomer) -> None:
    assert "Begin with the letter of Ada" in newcomer.shown
    assert "Ben has a letter. Answer it" in newcomer.write("ada")
    assert "Reply with the move that a letter proposes" in newcomer.write("ben", "accept")


def test_a_whole_game_is_played_by_letter(playing: Newcomer) -> None:
    newcomer = playing
    assert "waiting for Ada Lovelace (south) and Ben (north) to move, at the same time" in newcomer.shown
    said = newcomer.write("ada", "P M1 B3 12")
    assert "P M1 B3 12" not in said.partition("The game, as everybody sees it")[2], "only her own letter has it"
    assert "P M1 B3 12" not in newcomer.letter("ben").text
    said = newcomer.write("ben", "P M2Y B3 10")
    assert "Score: south 1, north 2." in said
    assert "played Ben P M2Y B3 10; Ada Lovelace P M1 B3 12" in said
    newcomer.write("ben", "resign")
    assert "Ada Lovelace (south) won (resignation)." in newcomer.shown
    assert kinds(newcomer) == [
        *("invited", "joined", "joined", "opened", "submitted", "submitted", "played", "resigned", "closed")
    ]
    lines = [entry.as_line() for entry in newcomer.tryout.office.desk.log(newcomer.game)]
    assert audit(lines).findings == ()
    assert len(newcomer.letter("ada").files) > 2
    for number, file in enumerate(newcomer.letter("ada").files):
        answer = newcomer.browser.get(f"/try/ada/{newcomer.letter('ada').number}/{number}")
        assert (answer.content, answer.headers["content-disposition"]) == (file.content, "attachment")
    assert newcomer.browser.get(f"/try/ada/{newcomer.letter('ada').number}/9").status_code == 404


def test_a_letter_is_shown_as_its_reader_sees_it(playing: Newcomer) -> None:
    frame = playing.frame("ben")
    policy = frame.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-popups ")
    assert "default-src 'none'" in policy
    assert "allow-scripts" not in policy
    assert "allow-same-origin" not in policy
    assert '<img src="data:image/png;base64,' in frame.text
    assert "cid:" not in frame.text
    assert '<base target="_blank">' in frame.text
    assert playing.letter("ben").text.splitlines()[0] in playing.page


def test_a_link_to_an_address_begins_a_letter_of_the_reader(playing: Newcomer) -> None:
    playing.write("ben", "games")
    link = re.search(r'target="_top" href="(/try\?write=ben&amp;to=referee\+[^"]*)"', playing.frame("ben").text)
    assert link is not None
    playing.write("ben", "P M2Y B3 10", at=link[1].replace("&amp;", "&").replace("+", "%2B"))
    assert kinds(playing)[-1] == "submitted"


def test_a_reply_is_filled_in_as_a_mail_program_would(playing: Newcomer) -> None:
    received = playing.letter("ben")
    playing.write("ben", "P M2Y B3 10\r\n\r\n> quoted: resign")
    sent = next(one for one in playing.tryout.letters(BEN) if one.own)
    assert sent.subject == f"Re: {received.subject}"
    raw = sent.raw.decode()
    assert f"In-Reply-To: {received.id}\r\nReferences: {received.id}\r\n" in raw.replace("\r\n ", " ")
    assert "Authentication-Results: mx.example.com; dmarc=pass header.from=example.net\r\n" in raw
    assert kinds(playing)[-1] == "submitted"
    open_letter = playing.browser.get("/try", params={"ben": str(sent.number)}).text
    assert "quoted: resign" in open_letter


def test_the_link_in_a_letter_leads_to_the_board_and_a_browser_can_be_paired(playing: Newcomer) -> None:
    link = re.search(rf"{URL}(/g/[a-z0-9-]+)#south-1-(\w+)", playing.letter("ada").text)
    assert link is not None
    assert "data-mailbox" in playing.browser.get(link[1]).text
    assert playing.browser.get(f"{link[1]}/board.svg").status_code == 200

    def ask(name: str, **said: str) -> str:
        answer = playing.browser.post(f"{link[1]}/{name}", json={"key": link[2], **said}, headers={"origin": URL})
        assert answer.status_code == 200, answer.text
        return answer.text

    ask("code")
    playing.tryout.settle()
    code = re.search(r"Code: (\d{4} \d{4})", playing.shown)
    assert code is not None
    ask("pair", code=code[1])
    assert "done" in ask("move", line="P M1 B3 12")
    playing.tryout.settle()
    assert kinds(playing)[-1] == "submitted"
    assert "Your move is in" in playing.shown


def test_an_engine_sits_down_and_answers(newcomer: Newcomer) -> None:
    page = newcomer.page
    assert "new%20laser-chess%20with%20engine%3A2" in page
    newcomer.write("ada", at="/try?write=ada&body=new%20laser-chess%20with%20engine%3A1,%20as%20blue")
    assert "Engine 1" in newcomer.shown
    newcomer.write("ada", "R j1 L")
    assert kinds(newcomer).count("played") == 2
    assert "the letters of the players give it away: shown." in newcomer.press("cheat", "exchange")
    newcomer.write("ada", "resign")
    assert "The log itself gives it away: engine." in newcomer.press("cheat", "exchange"), "its seed is known now"


def test_the_clock_is_turned_to_reminders_and_a_timeout(playing: Newcomer) -> None:
    playing.write("ada", "P M1 B3 12")
    before = playing.tryout.now()
    playing.press("by", "an hour")
    playing.press("by", "a day")
    assert 25 <= (playing.tryout.now() - before).total_seconds() / 3600 < 26
    playing.press("by", "a week")
    subjects = [one.subject for one in playing.tryout.letters(BEN)]
    assert any("Reminder: less than 48 hours left" in one for one in subjects)
    assert any("Your time is up" in one for one in subjects)
    log = playing.tryout.office.desk.log(playing.game)
    reminded = [entry.at for entry in log if kind_of(entry.event) == "reminded"]
    assert len({*reminded}) > 1, "each comes in the hour when it is due"
    assert "Ada Lovelace (south) won (timeout)." in playing.write("ada", "claim timeout")


CHEATS = [
    ("honest", "The audit finds nothing wrong."),
    ("exchange", "The log itself gives it away: commitment."),
    ("entry", "The log itself gives it away: digest."),
    ("drop", "the letters of the players give it away: cut."),
]


def test_every_cheat_is_named_by_the_audit_and_harms_no_game(playing: Newcomer) -> None:
    playing.write("ada", "P M1 B3 12")
    said = playing.press("cheat", "exchange")
    assert "This game has nothing yet for “Use it: exchange a move”." in said
    said = playing.press("cheat", "open")
    assert "Ada Lovelace has chosen P M1 B3 12." in said
    assert "The audit finds nothing wrong." in said, "it leaves no trace"
    playing.write("ben", "P M2Y B3 10")
    log = playing.tryout.office.desk.log(playing.game)
    for name, named in CHEATS:
        assert named in playing.press("cheat", name), name
    assert playing.tryout.office.desk.log(playing.game) == log


def test_a_move_that_was_not_sealed_is_given_away_by_the_letters(newcomer: Newcomer) -> None:
    newcomer.write("ada", "new laser-chess with ben@example.net, as blue")
    newcomer.write("ben", "accept")
    newcomer.write("ada", "R j1 L")
    assert "the letters of the players give it away: shown." in newcomer.press("cheat", "exchange")


def test_a_letter_to_somebody_else_is_not_sent_and_not_lost(newcomer: Newcomer) -> None:
    page = newcomer.page
    for to in ("ben@example.net", "x\r\nBcc: eve@example.org", "<script>"):
        token = re.search('name="token" value="([^"]*)"', page)
        assert token is not None
        form = {"token": token[1], "write": "ada", "to": to, "subject": "Hello", "body": "my <b>words</b>"}
        answer = newcomer.browser.post("/try/write", data=form)
        assert answer.status_code == 422
        assert "Not sent: only letters to referee@example.com are delivered here" in words(answer.text)
        assert "my &lt;b&gt;words&lt;/b&gt;" in answer.text
    assert newcomer.tryout.letters(ADA) == ()


def test_lines_in_a_field_make_no_other_field(newcomer: Newcomer) -> None:
    newcomer.submit(newcomer.page, "write", "ada", subject="A\r\nFrom: eve@example.org", body="x\r\n\x00é")
    (sent,) = (one for one in newcomer.tryout.letters(ADA) if one.own)
    assert sent.subject == "A From: eve@example.org"
    assert sent.raw.count(b"\r\nFrom:") + sent.raw.startswith(b"From:") == 1


@each([{}, {"token": ""}, {"token": "x"}, {"token": "ä"}], every=1)
def test_a_form_of_another_origin_does_nothing(form: dict[str, str]) -> None:
    with trying() as newcomer:
        for path in ("write", "turn", "cheat"):
            assert newcomer.browser.post(f"/try/{path}", data=form).status_code == 403
            assert newcomer.browser.get(f"/try/{path}").status_code in (404, 405)


def test_a_page_of_another_name_is_refused(newcomer: Newcomer) -> None:
    for host in ("evil.example", "127.0.0.1", "127.0.0.1:1", "localhost:8421"):
        assert newcomer.browser.get("/try", headers={"host": host}).status_code == 421


def test_what_is_not_there_is_missing(playing: Newcomer) -> None:
    for path in ("/try/ada/99", "/try/eve/1", "/try/ada/x", "/try/ada/1/0"):
        assert playing.browser.get(path).status_code == 404
    for query in ("ada=99", "ada=x", "game=none", "write=eve", "self=1&template=2"):
        assert playing.browser.get(f"/try?{query}").status_code == 200


def test_nothing_is_left_behind() -> None:
    with trying() as newcomer:
        folder = newcomer.tryout.office.folder
        newcomer.write("ada")
        assert folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()
