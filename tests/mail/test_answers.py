"""Answers of the desk: they are short and clear, and their quotations are no commands."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk import Change, Terms, acts, seat_token
from referee.game import GameFile
from referee.mail.addresses import is_reachable
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game, order_by_host
from referee.mail.intake.commands import does, read_commands, speaks
from referee.mail.letters.format.plain import silent, wrap_silently
from referee.mail.letters.render import render
from referee.mail.transport.receipt import receive
from referee.rules import GAMES
from tests.support.correspondence import GAME, Correspondence, address, corresponding, said, text
from tests.support.examples import examples, sampled

WIDTHS = (50, 60, 65, 70, 72, 76)
"""Widths of quoted lines in mail programs."""


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
@pytest.mark.parametrize("widths", [WIDTHS[::6], pytest.param(WIDTHS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_a_letter_that_is_broken_into_other_lines_asks_for_nothing(
    game: str, widths: tuple[int, ...], tmp_path: Path
) -> None:
    """At any width, without marks: no move of the letter, no claim, no resignation."""
    with corresponding(tmp_path / "desk") as post:
        post.open(game, {"days": 5, "vacation": 5})
        for _ in range(6):
            side = min(post.state.owing)
            post.write(side, f"{next(iter(post.state.position.legal_moves(side)))}\nlegal\nhelp\nhistory")
        post.pass_time(9)
        post.write(min(post.state.owing), "P M9 A9 9\nresign me\nx; resign")
        for letter in (one for letters in post.letters.values() for one in letters):
            for width in widths:
                lines = [piece for line in text(letter).splitlines() for piece in textwrap.wrap(line, width)]
                found = read_commands("\n".join(lines), game).commands
                assert not [one for one in found if does(one.command)], width


@pytest.mark.parametrize(
    "line", ["foo; P M1 A2 12", "resign; resign", "a; P M9; b", "| foo; P M1 A2 12", "> x; resign"]
)
def test_no_line_with_semicolons_is_a_command(line: str) -> None:
    assert not any(speaks(one, "beams") for one in silent([line], "beams"))


def test_a_line_that_looks_like_a_move_stays_in_the_line_of_its_sentence() -> None:
    """The squares of a laser's path alone in a line would need a bar."""
    way = "Laser: a7 a6 a5 b5 c5 d5 e5 f5 g5 h5 i5 i4 i3 i2 h2 g2 f2 e2 e3 e4."
    assert wrap_silently(f"You [M h4-i4]: your deflector moved from h4 to i4. {way}", "laser-chess", first="- ") == (
        "- You [M h4-i4]: your deflector moved from h4 to i4.",
        f"  {way}",
    )


@pytest.mark.slow
def test_a_long_message_is_passed_on_in_lines_with_a_bar(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        long = "Would you kindly write the word resign on a line of its own and nothing else, " * 9
        told = post.write("south", f"message\n{long}\n\nresign\nend")[address("north")]
        lines = text(told).splitlines()
        below = next(at for at, line in enumerate(lines) if line.startswith("Reply with your move"))
        written = lines[lines.index("- south writes:") + 1 : below - 1]
        assert len(written) > 9
        assert all(line.startswith("|") for line in written)


@pytest.mark.slow
@pytest.mark.parametrize("hidden", ["\0", "\x1b", "\x7f", "\u202e"])
def test_a_line_that_is_quoted_loses_what_is_hidden_in_it(hidden: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        answer = post.write("south", f"to{hidden}day we play", header="Content-Type: text/plain; charset=utf-8\n")
        assert "|     to day we play\n" in text(answer[address("south")]).replace("\r\n", "\n")


def test_many_commands_and_many_slips_are_cut_short(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        answer = text(post.write("south", "\n".join(f"legal P M{n % 4} A{n}" for n in range(300)))[address("south")])
        assert answer.splitlines().count("Your legal moves") == 20
        post.pass_time(1)
        answer = text(post.write("south", "\n".join(f"P M9 A{n} 12" for n in range(300)))[address("south")])
        assert (answer.count("NOT done"), "more lines" in answer) == (3, True)


def test_an_address_that_cannot_be_written_to_gets_no_note(tmp_path: Path) -> None:
    addresses = (
        "j\u00fcrgen@example.com",
        "a..b@example.com",
        "a.@example.com",
        "a@b..c",
        "a@example.com.",
        "=?x?q?y?=@b.c",
    )
    with corresponding(tmp_path / "desk") as post:
        for number, sender in enumerate(addresses):
            assert not is_reachable(sender)
            assert post.post(f"From: {sender}\nTo: desk@example.org\n\nHello {number}\n".encode()) == {}
        assert post.office.desk.upkeep.counts()["aside"] == post.office.desk.upkeep.counts()["waiting"] == 0
        assert "eve@example.com" in post.post(b"From: eve@example.com\nTo: desk@example.org\n\nHello\n")


@pytest.mark.slow
def test_strangers_cannot_use_up_a_players_answers(tmp_path: Path) -> None:
    """Letters that only look like a player's are counted separately, and their text is not shown."""
    with corresponding(tmp_path / "desk", "answers: {an-hour: 9}\n") as post:
        post.open("beams")
        open_to_all = f"desk+{GAME}@example.org"
        bodies = [f"Visit https://evil.example/{number}\nhelp\nP M1 A2 12" for number in range(12)]
        came = [post.write("south", body, to=open_to_all).get(address("south")) for body in bodies]
        answers = [text(one) for one in came if one is not None]
        assert len(answers) == 9
        assert not any("evil" in one for one in answers)
        assert "Not understood" in said(post, "south", "What now?")
        assert "What you can write" in said(post, "south", "help")
        assert said(post, "south", "P M1 A2 12").startswith("Your move is in")


@pytest.mark.slow
@pytest.mark.parametrize("forgeries", sampled([3, 12], 2))
def test_no_forgery_silences_the_warning_of_a_stolen_key(forgeries: int, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "answers: {an-hour: 9}\n") as post:
        post.open("beams")
        for number in range(forgeries):
            post.write("south", f"letter {number}\nhelp", to=f"desk+{GAME}@example.org")
        warned = [post.write("south", "P M1 A2 12", sender="eve@elsewhere.example") for _ in range(4)]
        told = [" ".join(text(one[address("south")]).split()) for one in warned if one]
        assert len(told) == 3
        assert all("came from another address" in one for one in told)
        assert "the last warning of this kind until Monday 1 March 2027, 13:00 UTC" in told[2]


@pytest.mark.slow
def test_a_player_who_tries_again_is_answered_each_time(tmp_path: Path) -> None:
    """Up to the hourly limit; the last answer says that it is the last one."""
    with corresponding(tmp_path / "desk", "answers: {an-hour: 9}\n") as post:
        post.open("beams", {"zone": "Europe/Vienna"})
        came = [
            post.write("south", f"What shall I do now, for the {n}th time?").get(address("south")) for n in range(10)
        ]
        answers = [" ".join(text(one).split()) for one in came if one]
        assert len(answers) == 9
        assert not any("the last answer" in one for one in answers[:8])
        last = "last answer until Monday 1 March 2027, 14:00 CET (UTC+01:00) to letters that I do not understand"
        assert last in answers[8]
        assert "What you can write" in said(post, "south", "help")


@pytest.mark.slow
def test_letters_that_say_the_same_are_left_alone_soon(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        came = [post.write("south", "I am away.\n> quoted").get(address("south")) for _ in range(5)]
        assert [one is not None for one in came] == [True, True, True, False, False]
        third = came[2]
        assert third is not None
        last = "the last answer until Monday 1 March 2027, 13:00 UTC to letters that give me nothing to do"
        assert last in " ".join(text(third).split())
        assert "Not understood" in said(post, "south", "I am back.")
        post.pass_time(1)
        assert "Not understood" in said(post, "south", "I am away.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("subject", "to"), sampled([(f"[{GAME}] my game", "desk"), ("my game", "desk"), ("", f"desk+{GAME}")], 3)
)
def test_a_fresh_letter_of_a_player_is_answered(subject: str, to: str, tmp_path: Path) -> None:
    """Despite other answers that day: with the commands, and an address with a key."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", "Not a move at all")
        post.write("south", "board")
        for number in range(5):
            fields = f"From: South <South@players.example>\nTo: {to}@example.org\nSubject: {subject}"
            raw = f"{fields}\nX-Number: {number}\n\nhelp\n"
            came = post.post(raw.encode())
            assert [*came] == [address("south")]
            answer = " ".join(text(came[address("south")]).split())
            assert "NOT done" not in answer
            for words in ("no-token", "What you can write"):
                assert words in answer
        assert "You [P M1 A2 12]" in said(post, "south", "P M1 A2 12")


@pytest.mark.slow
def test_a_fresh_letter_of_a_player_with_several_games(tmp_path: Path) -> None:
    """It is answered with the list of running games; a letter to one of their addresses brings the game."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        for name, game in (("autumn-1", "boundary"), ("over-1", "boundary")):
            addresses = {"south": address("south"), "north": "carl@players.example"}
            open_game(post.office, name, GameFile(game), post.at, terms=None, addresses=addresses)
        order_by_host(post.office, "over-1", acts.Close(), post.at)
        post.office.desk.outbox.take(post.at, 1000)
        (note,) = post.post(fresh("help")).values()
        told = " ".join(text(note).split())
        assert (note["Subject"], note["Reply-To"], note["To"]) == ("Your games", None, address("south"))
        owed = "Your move for round 1 is due; there is no deadline."
        assert re.fullmatch(
            rf".*autumn-1: Boundary. You are south. {owed} desk[+]autumn-1[.]\w+@example.org "
            rf"spring-7: Beams, Boosters and Barriers. You are south. {owed} desk[+]spring-7[.]\w+@example.org To .*",
            told,
        )
        (answer,) = post.post(fresh("help", "[autumn-1]")).values()
        assert str(answer["Reply-To"]).startswith("The referee <desk+autumn-1.")
        order_by_host(post.office, "autumn-1", acts.Close(), post.at)
        post.office.desk.outbox.take(post.at, 1000)
        (answer,) = post.post(fresh("help again")).values()
        assert str(answer["Reply-To"]).startswith(f"The referee <desk+{GAME}.")


@pytest.mark.slow
def test_each_game_is_listed_with_what_is_owed_and_an_address_that_moves(tmp_path: Path) -> None:
    """The nearest deadline first, and only to the registered address."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5, "zone": "Europe/Vienna"})
        addresses = {"blue": "Ada@Players.example", "red": address("south")}
        terms = Terms.read({"days": 2})
        open_game(post.office, "chess-1", GameFile("laser-chess"), post.at, terms=terms, addresses=addresses)
        post.office.desk.outbox.take(post.at, 1000)
        post.write("north", "P M1 A2 12")
        (note,) = post.post(fresh("Where am I?")).values()
        told = " ".join(text(note).split())
        due = "Your move for round 1 is due by Saturday 6 March 2027, 13:00 CET (UTC+01:00) (5 days left)."
        assert due in told
        assert "You have nothing to do now. Next to move: blue, round 1." in told
        assert told.index("spring-7") < told.index("chess-1")
        mine = next(word for word in told.split() if word.startswith("desk+spring-7."))
        assert "You [P M1 A4 12]" in " ".join(
            text(post.write("south", "P M1 A4 12", to=mine)[address("south")]).split()
        )
        (own,) = post.post(b"From: aDa@players.example\nTo: desk@example.org\n\nboard\n").values()
        assert own["To"] == "Ada@Players.example"


WRITTEN = (
    *(
        "games",
        "rules",
        "notation",
        "board 1",
        "try P M1 A2 12 | P S A2",
        "help",
        "status",
        "P M1 A2 12",
        "P M1",
        "x | y",
    ),
    *(
        "resign",
        "seal abc",
        "message",
        "end",
        "> quoted",
        "-- ",
        "try",
        "rules of thumb",
        "Dear referee,",
        "Thanks",
        "",
    ),
    *(
        "From: Ben <ben@example.net>",
        "ben@example.net wrote:",
        "On Monday 1 March 2027 at 12:00 Ben wrote:",
        "7",
        ";;",
    ),
)
"""Lines of people, with and without a mistake."""
PLACES = (
    "desk",
    f"desk+{GAME}",
    "desk+autumn-1",
    "desk+carls-1",
    "desk+nothing-9",
    f"desk+{GAME}.aaaaaaaaaaaaaaaa",
    "its-key",
)


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(WRITTEN) | st.text(max_size=30), max_size=6),
            st.sampled_from(PLACES),
            st.sampled_from(["", "hello", f"Re: [{GAME}] x", "[autumn-1]", "[carls-1]", "[none-1]"]),
            st.sampled_from(["plain", "html"]),
        ),
        min_size=1,
        max_size=5,
    )
)
@examples(1, quick=2)
def test_every_registered_address_gets_an_answer(letters: list[tuple[list[str], str, str, str]]) -> None:
    """Each letter of a person, with any text and to any address, brings one answer to their address."""
    with TemporaryDirectory() as folder, corresponding(Path(folder) / "desk") as post:
        post.open("beams")
        addresses = {"south": address("south"), "north": "carl@players.example"}
        open_game(post.office, "autumn-1", GameFile("boundary"), post.at, terms=None, addresses=addresses)
        others = {"south": "dora@players.example", "north": "carl@players.example"}
        open_game(post.office, "carls-1", GameFile("boundary"), post.at, terms=None, addresses=others)
        _told(post)
        for number, (lines, place, subject, kind) in enumerate(letters):
            key = str(post.office.seat_address(post.state, "south"))
            to = key if place == "its-key" else f"{place}@example.org"
            head = f"From: South <{address('south')}>\nTo: {to}\nSubject: {subject}\nX-Number: {number}\n"
            body = "\n".join(" ".join(line.splitlines()) for line in lines)
            typed = f"MIME-Version: 1.0\nContent-Type: text/{kind}; charset=utf-8\n"
            receive(post.office, f"{head}{typed}\n{body}\n".encode(errors="replace"), post.at)
            handle_waiting(post.office, post.at)
            assert _told(post).count(address("south")) == 1, (lines, place, subject)
            post.pass_time(25)
        assert post.office.desk.upkeep.counts()["aside"] == 0


@pytest.mark.slow
def test_an_automatic_reply_is_answered_only_if_it_asks_for_something(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        addresses = {"south": address("south"), "north": "carl@players.example"}
        open_game(post.office, "autumn-1", GameFile("boundary"), post.at, terms=None, addresses=addresses)
        _told(post)
        assert post.post(fresh("I am away until Monday.", "Automatic reply: hello")) == {}
        (note,) = post.post(fresh("rules boundary", "Automatic reply: hello")).values()
        told = " ".join(text(note).split())
        assert told.startswith("Here is what you asked for. Your games here are: autumn-1: Boundary.")
        assert "The rules of Boundary ---------------------" in told
        (note,) = post.post(fresh("rules\nP M1 A2 12")).values()
        told = " ".join(text(note).split())
        assert told.startswith("Your letter names none of your games, so nothing was done.")
        assert "after the word: [beams], [boundary]" in told


def _told(post: Correspondence) -> list[str]:
    """The recipients of the letters that go out now."""
    letters = post.office.desk.outbox.take(post.at, 1000)
    for letter in letters:
        assert render(post.office, letter)
        post.office.desk.outbox.sent([letter], post.at)
    return [letter.recipient for letter in letters]


def fresh(body: str, subject: str = "hello") -> bytes:
    """A letter of south's that answers none of the desk's."""
    return f"From: {address('south')}\nTo: desk@example.org\nSubject: {subject}\n\n{body}\n".encode()


@pytest.mark.slow
def test_notes_to_strangers_are_few_in_all(tmp_path: Path) -> None:
    limits = "answers: {notes-an-hour: 5, notes-a-day: 8}\n"
    with corresponding(tmp_path / "desk", limits) as post:
        post.open("beams")

        def noted(count: int) -> int:
            senders = [f"a@stranger-{post.count}-{number}.example" for number in range(count)]
            post.count += 1
            return sum(len(post.post(f"From: {one}\nTo: desk@example.org\n\nHello\n".encode())) for one in senders)

        assert noted(9) == 5
        post.pass_time(1)
        assert noted(9) == 3
        post.pass_time(1)
        assert noted(9) == 0
        assert "What you can write" in said(post, "south", "help"), "players are counted apart"
        post.pass_time(23)
        assert noted(9) == 5


@pytest.mark.slow
def test_one_person_on_both_sides(tmp_path: Path) -> None:
    """Each letter has the key of its own seat."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        one = address("south")
        post.office.desk.games.change(GAME, post.at, lambda _: Change(secrets={"address/north": one}))
        north = seat_token(post.office.desk.key, post.state, "north")
        raw = f"From: {one}\nTo: desk+{GAME}.{north}@example.org\n\nP M1 A2 12\n".encode()
        with pytest.raises(AssertionError, match="one letter at most"):
            post.post(raw)
        assert post.state.standing("north") == "sealed"
        assert post.state.standing("south") == "to-move"
