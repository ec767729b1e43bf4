"""A fault of a game that shows only in its third round stops that game alone, in one sentence, wherever it shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from referee import parse_move
from referee.desk import BrokenGameError, Key, Outgoing, Progress
from referee.engine import choose
from referee.errors import NotationError, PackageFault
from referee.game import GameFile, loads
from referee.game.foresight import foresee
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game, tick_games
from referee.mail.office import now, office_in
from referee.mail.transport.receipt import receive
from referee.mail.transport.smtp import deliver
from referee.rules import game_named
from referee.rules.guard import guard_class
from tests.plugins.test_broken import gone, letter, missing, offered
from tests.support.api import client as api
from tests.support.command_line import referee as command
from tests.support.examples import sampled
from tests.support.rows import each
from tests.support.servers import folder_of, free_port, sink
from tests.support.sites import club

NESTED = """if tree == 3:
            from lark import Lark

            Lark('start: "a"').parse("b")
        return Fly(tree)"""

LATE = {
    "a ply raises": ("position.py", "        flown = {", "        1 // (2 - self.round)\n        flown = {"),
    "the outcome raises": (
        "position.py",
        "        if self.to_move:\n            return None",
        "        1 // (3 - self.round)\n        if self.to_move:\n            return None",
    ),
    "the facts raise": (
        "position.py",
        '        return {"round"',
        '        assert self.round < 3, "fog"\n        return {"round"',
    ),
    "the moves raise": ("position.py", "        yield Wait()", "        assert self.round < 3\n        yield Wait()"),
    "the judgement raises": (
        "position.py",
        "        if isinstance(move, Wait):",
        "        assert self.round < 3\n        if isinstance(move, Wait):",
    ),
    "the events raise": (
        "position.py",
        "        landed: dict",
        "        assert self.round < 2\n        landed: dict",
    ),
    "the board raises": (
        "drawing.py",
        "    trees, crows = range",
        "    assert position.round < 3\n    trees, crows = range",
    ),
    "a move raises when it is written": (
        "position.py",
        '        return f"F {self.tree}"',
        '        assert self.tree != 3, "fog"\n        return f"F {self.tree}"',
    ),
    "a move is written as no text": (
        "position.py",
        '        return f"F {self.tree}"',
        '        return f"F {self.tree}" if self.tree != 3 else None',
    ),
    "a move is read as a text": ("notation.py", "return Fly(tree)", 'return Fly(tree) if tree != 3 else "F 3"'),
    "a move raises when it is read": ("notation.py", "return Fly(tree)", "return Fly(tree + 0 // (tree - 3))"),
    "a move is read with an error of another parser": ("notation.py", "return Fly(tree)", NESTED),
    "a refusal comes out of the list of moves": (
        "position.py",
        "        yield Wait()",
        '        if self.round > 2:\n            raise IllegalMove("fog", "no view")\n        yield Wait()',
    ),
    "a ply gives nothing": (
        "position.py",
        "        flown = {",
        "        if self.round > 2:\n            return None\n        flown = {",
    ),
    "the facts are no data": (
        "position.py",
        '        return {"round"',
        '        if self.round > 2:\n            return {"nuts": {1}}\n        return {"round"',
    ),
    "a legal move is none": ("position.py", "yield Wait()", "yield Wait() if self.round < 3 else None"),
    "the events are none": (
        "position.py",
        "        landed: dict",
        "        if self.round > 1:\n            return None\n        landed: dict",
    ),
    "a refusal has no sentence": (
        "position.py",
        "        if isinstance(move, Wait):",
        "        if self.round > 2:\n            raise IllegalMove(5, None)\n        if isinstance(move, Wait):",
    ),
    "the picture is none": (
        "drawing.py",
        "    nuts = ",
        "    if position.round > 2:\n        return None\n    nuts = ",
    ),
    "the picture raises": ("drawing.py", "    nuts = ", "    assert position.round < 3\n    nuts = "),
}
TEXT = "game: hop\nmoves: |\n  1. F 2 | F 6 | F 10\n  2. F 3 | F 7 | F 11\n  3. F 4 | F 8 | F 12\n"


ENGINE = """class Search:
    def find(self, position, side, moves, nodes, dice):
        from referee.engine import Prospect
        {fault}
        return Prospect(moves[0], 0, (moves[0],), 1)


def search(position):
    return Search()


GAME = Game("""


def engine(fault: str) -> dict[str, Any]:
    """A case that adds an engine to the game, with a fault."""
    seats = {"from": "moves_per_round=3", "to": "moves_per_round=3, engine=__name__"}
    return {"file": "__init__.py", **seats, "and": ("GAME = Game(", ENGINE.format(fault=fault))}


@contextmanager
def late(folder: Path, shows: str, *more: dict[str, Any]) -> Iterator[None]:
    """A game `hop` that is accepted, and has a fault all the same."""
    file, old, new = LATE[shows]
    with offered(folder, 200 + [*LATE].index(shows), {"file": file, "from": old, "to": new}, *more):
        assert game_named("hop").title == "Three Crows"
        yield


@pytest.mark.slow
@each(LATE, every=3)
def test_commands_say_it_in_one_sentence(shows: str, tmp_path: Path) -> None:
    folder = tmp_path / shows.replace(" ", "-")
    with late(folder, shows):
        game, out = folder / "hop.yaml", folder / "out"
        game.write_text(TEXT, encoding="utf-8")
        asked = [
            *(command("check", game), command("report", game, "--every"), command("legal", game)),
            *(command("report", game, "-o", f"{out}.{kind}", "--format", kind) for kind in ("html", "svg")),
            *(command("report", game, "--every", "--format", kind) for kind in ("jsonl", "words")),
            *(command("move", game, "amber", "F 5", "jade", "F 9", "violet", "F 1"), command("page", game)),
            *(command("play", game, stdin=b"q\n"), command("check", "--suggest", game)),
        ]
        said = [one.err + one.out for one in asked if "broken-game" in one.err + one.out]
        assert said
        assert all("the game hop cannot be used: " in one for one in said)
        assert not [one for one in asked if "Traceback" in one.err or "internal" in one.out]
        assert command("new", "boundary").status == 0


def test_an_error_of_another_parser_is_no_mistake_in_a_move(tmp_path: Path) -> None:
    with late(tmp_path, "a move is read with an error of another parser"):
        with pytest.raises(PackageFault, match="the game hop cannot be used: "):
            parse_move("hop", "F 3")
        with pytest.raises(NotationError, match="does not fit"):
            parse_move("hop", "F x")


def test_cached_properties_and_bases_of_third_packages_are_guarded() -> None:
    class Base:
        __module__ = "elsewhere"

        def facts(self) -> None:
            raise KeyError(5)

    class Kind(Base):
        __module__ = "hop"

        @cached_property
        def outcome(self) -> None:
            raise ZeroDivisionError

    guard_class(Kind, {"facts": object, "outcome": object}, lambda *_: "hop")
    for name in ("facts", "outcome"):
        with pytest.raises(PackageFault, match="the game hop cannot be used: "):
            print(attrgetter(name)(Kind())())


READ = [shows for shows in LATE if shows.startswith("a move")]


@pytest.mark.slow
@each(READ, every=3)
def test_files_and_notes_of_other_games_are_read_as_without_it(shows: str, tmp_path: Path) -> None:
    wrong, notes = tmp_path / "wrong.yaml", tmp_path / "notes.txt"
    wrong.write_text("game: boundary\nmoves: |\n  1. F 3 | F 3\n  2. F 3 | F 3\n", encoding="utf-8")
    notes.write_text("1. P a1-b2, P f1-e2\nF 3\n", encoding="utf-8")
    with late(tmp_path / shows.replace(" ", "-"), shows):
        assert "this and all other moves are moves of three-crows" in command("check", wrong).out
        imported = command("import", notes)
        assert ("P a1-b2" in imported.out, "broken-game" in imported.err) == (True, False)


@pytest.mark.slow
def test_a_wrong_header_is_reported_beside_a_broken_package(tmp_path: Path) -> None:
    game = tmp_path / "hop.yaml"
    game.write_text("game: hop\ndat: 2027-03-01\n", encoding="utf-8")
    with gone(tmp_path / "site"):
        said = command("check", game).out
        assert ("broken-game" in said, "unknown-key" in said) == (True, True)


def test_a_game_in_play_can_be_saved_after_a_fault(tmp_path: Path) -> None:
    kept, lines = tmp_path / "kept.yaml", ("F 2", "F 3", "F 4")
    with late(tmp_path / "site", "the judgement raises", engine("")):
        said = command("play", "hop", stdin="\n".join([*lines, f"save {kept}", "q", ""]).encode())
        assert "broken-game: the game hop cannot be used" in said.out + said.err
        assert kept.read_text(encoding="utf-8").count(" | ") == 4


CURSOR = """from referee.rules.cursor import Cursor


class Quick(Cursor):
    def {method}:
        {fault}
        return {result}


GAME = Game(
    cursor=Quick,"""
CURSORS = {
    "a ply": ("play(self, moves)", "1 // 0", "super().play(moves)"),
    "the position": ("position(self, _=0)", "1 // 0", "None"),
}


@pytest.mark.slow
@each(CURSORS)
def test_a_cursor_that_fails_is_reported_as_its_packages_fault(shows: str, tmp_path: Path) -> None:
    method, fault, result = CURSORS[shows]
    own = CURSOR.format(method=method, fault=fault, result=result)
    if shows == "the position":
        own = own.replace("    def ", "    @property\n    def ").replace(", _=0", "")
    folder, number = tmp_path / shows.replace(" ", "-"), 320 + [*CURSORS].index(shows)
    with offered(folder, number, {"file": "__init__.py", "from": "GAME = Game(", "to": own}):
        game = folder / "hop.yaml"
        game.write_text(TEXT, encoding="utf-8")
        asked = [command(name, game) for name in ("check", "report", "legal", "stats", "edit")]
        said = [one.err + one.out for one in asked]
        assert any("the game hop cannot be used: " in one for one in said), said
        assert not [one for one in said if "Traceback" in one or "internal" in one]


@pytest.mark.slow
def test_pieces_that_cannot_be_named_are_their_packages_fault(tmp_path: Path) -> None:
    own = "    def pieces(self, moves):\n        yield 'amber', 1 // 0\n\n    def facts(self)"
    with offered(tmp_path, 329, {"file": "position.py", "from": "    def facts(self)", "to": own}):
        game = tmp_path / "hop.yaml"
        game.write_text(TEXT, encoding="utf-8")
        assert command("check", game).status == 0
        said = command("stats", game).err
        assert re.search(r"the game hop cannot be used: ZeroDivisionError: .* \(position\.py, line \d+\)", said)


def test_an_error_beside_all_others_is_its_packages_fault(tmp_path: Path) -> None:
    own = 'class StopAll(BaseException):\n    pass\n\n\nSIDES = ("amber"'
    raised = ("        flown = {", "        if self.round > 2:\n            raise StopAll(1)\n        flown = {")
    with offered(tmp_path, 331, {"file": "position.py", "from": 'SIDES = ("amber"', "to": own, "and": raised}):
        game = tmp_path / "hop.yaml"
        game.write_text(TEXT, encoding="utf-8")
        assert "the game hop cannot be used: StopAll: 1" in command("check", game).out


def test_an_error_that_cannot_say_what_it_is_is_named(tmp_path: Path) -> None:
    own = 'class SilentError(Exception):\n    def __str__(self):\n        raise ValueError(1)\n\n\nSIDES = ("amber"'
    raised = ("        flown = {", "        if self.round > 2:\n            raise SilentError\n        flown = {")
    case = {"file": "position.py", "from": 'SIDES = ("amber"', "to": own, "and": raised}
    with offered(tmp_path, 330, case):
        game = tmp_path / "hop.yaml"
        game.write_text(TEXT, encoding="utf-8")
        said = command("check", game)
        assert "the game hop cannot be used: SilentError" in said.out


VALUED = """    from referee.engine.search.alphabeta import AlphaBeta

    class Values:
        def promising(self, position, side, moves):
            raise ZeroDivisionError

    return AlphaBeta(Values())"""
SEARCHES = {
    "no search": "    return None",
    "another thing": "    return object()",
    "values that raise": VALUED,
    "a text as its move": "    return Search()",
}


@pytest.mark.slow
@each(SEARCHES)
def test_an_engine_that_is_none_is_reported_as_its_packages_fault(shows: str, tmp_path: Path) -> None:
    case = engine('return Prospect("F 3", 0, (), 1)')
    old, new = case["and"]
    own = new.replace("    return Search()", SEARCHES[shows])
    folder, number = tmp_path / shows.replace(" ", "-"), 340 + [*SEARCHES].index(shows)
    with offered(folder, number, {**case, "and": (old, own)}), pytest.raises(PackageFault):
        choose(loads("game: hop\n").start(), "amber", 1)


@pytest.mark.slow
@each({"an error": 'assert position.round < 3, "fog"', "no result": "if position.round > 2: return None"}.items())
def test_an_engine_that_fails_is_reported_as_its_packages_fault(shown: tuple[str, str], tmp_path: Path) -> None:
    with offered(tmp_path / shown[0].replace(" ", "-"), 310, engine(shown[1])):
        *_, last = loads("game: hop\nmoves: |\n  1. F 2 | F 6 | F 10\n  2. F 3 | F 7 | F 11\n").replay()
        assert str(choose(last.before, "amber", 1)) in map(str, last.before.legal_moves("amber"))
        with pytest.raises(PackageFault):
            choose(last.position, "amber", 1)
        said = command("play", "hop", stdin=b"F 2\nF 3\nF 4\nq\n")
        assert "broken-game: the game hop cannot be used" in said.out + said.err
        assert "Traceback" not in said.err


@pytest.mark.slow
@each(LATE, every=3)
def test_a_desk_goes_on_with_all_other_games(shows: str, tmp_path: Path) -> None:
    folder = tmp_path / shows.replace(" ", "-")
    folder.mkdir()
    with late(folder / "site", shows), club(folder) as here:
        here.open("hop-1", "hop")
        here.open("b-1", "boundary")
        with suppress(BrokenGameError, PackageFault):
            for _ in here.play("hop-1", 9):
                pass
        shown = [
            here.browser.get(f"/g/hop-1{path}") for path in ("", "/board.svg", "/choices?side=amber", "/game.yaml")
        ]
        assert {one.status_code for one in shown} <= {200, 503}
        assert "restore" not in "".join(one.text for one in shown)
        waits = [one.game for one in here.desk.catalogue.unplayable()]
        assert waits == ["hop-1"] * any(one.status_code == 503 for one in shown)
        for _ in here.play("b-1", 2):
            pass
        before = here.desk.state("b-1").number
        here.desk.tick(here.at + timedelta(days=90))
        assert here.desk.state("b-1").number > before
        assert here.browser.get("/g/b-1").status_code == 200
        assert here.browser.get("/").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("broken", sampled([missing, gone], 2), ids=["missing", "broken"])
def test_pages_and_the_api_go_on_without_a_package(broken: Callable[[Path], Any], tmp_path: Path) -> None:
    with club(tmp_path) as here:
        with offered(tmp_path / "before", 300):
            here.open("hop-1", "hop")
            here.open("b-1", "boundary")
        with broken(tmp_path / "meanwhile"):
            for path in ("/g/hop-1", "/g/hop-1/board.svg", "/g/hop-1/game.yaml"):
                said = here.get(path, 503)
                assert "restore" not in said
            for path in ("/", "/games/running", "/g/b-1", "/p/Ada"):
                here.get(path)
            with api() as asking:
                refused = asking.get("/api/v1/legal?game=hop")
                assert refused.json()["code"] in ("unknown-game", "broken-game")
                assert asking.get("/api/v1/legal?game=boundary").status_code == 200
                assert refused.status_code < 500


@pytest.mark.slow
def test_letters_to_a_game_that_fails_wait_and_those_to_others_are_handled(tmp_path: Path) -> None:
    at, people = now(), {"amber": "ada@example.org", "jade": "ben@example.org", "violet": "cy@example.org"}
    players = {"south": "ada@example.org", "north": "ben@example.org"}
    with sink() as server, late(tmp_path / "site", "a ply raises"):
        folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port)
        with office_in(folder) as office:
            open_game(office, "hop-1", GameFile("hop"), at, terms=None, addresses=people)
            open_game(office, "b-1", GameFile("boundary"), at, terms=None, addresses=players)
            for trees in ((2, 6, 10), (3, 7, 11), (4, 8, 12)):
                for side, tree in zip(people, trees, strict=True):
                    if "hop-1" in office.desk.catalogue.playable(["hop-1"]):
                        raw = letter(office, "hop-1", side, f"F {tree}")
                        own = raw.replace(b"Message-ID: <", b"Message-ID: <%d." % tree)
                        receive(office, own, at, sender=people[side])
                        handle_waiting(office, at)
            receive(office, letter(office, "b-1", "south", "P a1-b2"), at, sender=people["amber"])
            tick_games(office, at + timedelta(days=1))
            assert len(office.desk.state("b-1").plies) == 1
            assert office.desk.upkeep.counts()["waiting"] == 1
            assert office.desk.upkeep.counts()["aside"] == 0
            with pytest.raises(BrokenGameError, match="ZeroDivisionError"):
                office.desk.state("hop-1")
            status = command("desk", "status", "--desk", folder)
            assert "b-1" in status.out
            assert "Traceback" not in status.err


@pytest.mark.slow
@each(LATE, every=3)
def test_no_player_is_refused_for_the_fault_of_a_package(shows: str, tmp_path: Path) -> None:
    folder, at = tmp_path / shows.replace(" ", "-"), now()
    people = {"amber": "ada@example.org", "jade": "ben@example.org", "violet": "cy@example.org"}
    with sink() as server, late(folder / "site", shows):
        desk = folder_of(folder / "desk", listen=free_port(), send=server.port)
        with office_in(desk) as office:
            open_game(office, "hop-1", GameFile("hop"), at, terms=None, addresses=people)
            for trees in ((2, 6, 10), (3, 7, 11), (4, 8, 12), (5, 9, 1)):
                if office.desk.catalogue.playable(["hop-1"]):
                    letters = {side: letter(office, "hop-1", side, "F 2") for side in people}
                for side, tree in zip(people, trees, strict=True):
                    raw = letters[side].replace(b"F 2", b"F %d" % tree).replace(b"ID: <", b"ID: <%d." % tree)
                    receive(office, raw, at, sender=people[side])
                    handle_waiting(office, at)
                    deliver(office, at)
            done = [one.note for one in office.desk.inbox.history() if one.done is not None]
            assert {note.partition(": ")[2] for note in done} == {"moved"}, done
            assert office.desk.upkeep.counts()["aside"] == 0
            waits = [] if shows.startswith(("the facts", "the picture")) else ["hop-1"]  # those are for pages
            assert [one.game for one in office.desk.catalogue.unplayable()] == waits


@pytest.mark.parametrize("shows", ["a ply raises", "the judgement raises", "a move raises when it is read"])
def test_a_look_ahead_blames_no_move(shows: str, tmp_path: Path) -> None:
    with late(tmp_path / "site", shows):
        *_, last = loads("game: hop\nmoves: |\n  1. F 2 | F 6 | F 10\n").replay()
        with pytest.raises(PackageFault):
            foresee(last.position, ["F 2", "F 6", "F 10"], ["F 3 | F 7 | F 11", "F 4 | F 8 | F 12"], 3)


@pytest.mark.slow
def test_a_new_key_and_a_backup_reach_all_other_games(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        for name in ("hop-1", "hop-2", "b-1", "b-2"):
            here.open(name, "boundary")

        def failing(result: Progress) -> tuple[Outgoing, ...]:
            if result.state.id.startswith("hop"):
                raise PackageFault("the game hop cannot be used")
            return ()

        before = here.desk.key
        here.desk.keep_addresses(here.at)
        here.desk.keys.renew(Key.drawn())
        here.desk.tell_key(before, "", here.at, writer=failing)
        own = here.desk.key.signer.public
        assert [name for name in ("b-1", "b-2") if here.desk.state(name).desk == own] == ["b-1", "b-2"]
        assert [one.game for one in here.desk.catalogue.unplayable()] == ["hop-1", "hop-2"]


@pytest.mark.slow
def test_a_desk_with_a_game_that_waits_is_backed_up_and_moved(tmp_path: Path) -> None:
    with sink() as server:
        folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port)
        with offered(tmp_path / "before", 301), office_in(folder) as office:
            people = {"amber": "ada@example.org", "jade": "ben@example.org", "violet": "cy@example.org"}
            open_game(office, "hop-1", GameFile("hop"), now(), terms=None, addresses=people)
        with missing(tmp_path):
            copied = command("desk", "backup", tmp_path / "copy", "--desk", folder)
            assert (copied.status, copied.err) == (0, "")
            moved = command("desk", "move", "games@example.net", "--desk", folder)
            assert (moved.status, moved.err) == (0, "")
