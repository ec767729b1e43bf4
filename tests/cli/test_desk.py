"""`referee desk` and `audit`: the commands of the host and the players, and their refusals."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.desk import seat_token
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.office import now, office_in
from referee.mail.transport.receipt import receive
from tests.support.command_line import Run, process, referee
from tests.support.correspondence import corresponding
from tests.support.desks import signer
from tests.support.examples import sampled
from tests.support.friends import friends

GAME = "spring-7"
ADA, BEN = "south=Ada Lovelace <ada@example.org>", "north=Ben <ben@example.org>"
PLAYERS = ("--player", ADA, "--player", BEN)
NONCE = bytes(range(32)).hex()
LOGS = Path(__file__).parents[1] / "desk" / "logs"
DOCUMENTED = Path(__file__).parents[2] / "spec" / "vectors"
NO_GAMES = ("../../etc/passwd", "nope", "spring-7\n", "SPRING-7", "a" * 99, "%s", "' or 1=1 --", "\u202e", "-x")

Desk = Callable[..., Run]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a desk with one game; each test has a copy."""
    folder = tmp_path_factory.mktemp("begun") / "desk"
    assert referee("desk", "init", folder, "--address", "desk@example.org").status == 0
    opened = referee("desk", "open", "beams", "--desk", folder, "--id", GAME, *PLAYERS, "--clock", "days=5")
    assert opened.status == 0
    return folder


@pytest.fixture
def desk(begun: Path, tmp_path: Path) -> Desk:
    """A desk with one game: `referee desk ... --desk DIR`."""
    folder = shutil.copytree(begun, tmp_path / "desk")

    def run(command: str, *arguments: object, stdin: bytes = b"") -> Run:
        where: tuple[object, ...] = () if command == "init" else ("--desk", folder)
        return referee("desk", command, *where, *arguments, stdin=stdin)

    return run


def sealed(folder: Path, move: str) -> None:
    """A letter of south with a move for the first ply."""
    with office_in(folder) as desk:
        to = f"desk+{GAME}.{seat_token(desk.desk.key, desk.desk.state(GAME), 'south')}@example.org"
        receive(desk, f"From: ada@example.org\nTo: {to}\n\n{move}\n".encode(), now())
        handle_waiting(desk, now())
        assert desk.desk.games.held(GAME).secrets["move/1/south"].startswith(move)


# Commands in the order of the page, each with its exit status and output.
HOST: tuple[tuple[tuple[object, ...], int, str], ...] = (
    (("status",), 0, "round 1"),
    (("status", GAME), 0, "Ada Lovelace: to move, until "),
    (("clock", GAME), 0, "south   until "),
    (("clock", GAME, "--at", "2027-03-08T12:00"), 0, "overdue"),
    (("clock", GAME, "--at", "noon"), 2, "not 'noon'"),
    (("log", GAME), 0, '"kind":"opened"'),
    (("export", GAME), 0, "id: spring-7"),
    (("audit", GAME), 0, "the game is running"),
    (("extend", GAME, 1), 0, "1 more hour: north until "),
    (("extend", GAME, 5, "--side", "north", "--reason", "two\nlines"), 1, "reason: "),
    (("extend", GAME, 5, "--side", "north", "--reason", "She is ill"), 0, "5 more hours: north until "),
    (("extend", GAME, 5, "--side", "east"), 1, "unknown-side: there is no side 'east'"),
    (("extend", GAME, 0), 2, "not in the range"),
    (("extend", GAME, "some"), 2, "not a valid integer"),
    (("extend", GAME, 10**20), 1, "hours: "),
    (("resume", GAME), 1, "not-paused"),
    (("pause", GAME, "--reason", "two\nlines"), 1, "reason: "),
    (("pause", GAME, "--reason", "The server moves"), 0, "all clocks are stopped"),
    (("pause", GAME), 0, "(as before)"),
    (("extend", GAME, 5), 0, "north has no deadline while its clock does not run"),
    (("status",), 0, "clocks stopped"),
    (("resume", GAME), 0, "the clocks are running"),
    (("replace", GAME, "east", "Grace"), 1, "unknown-side"),
    (("replace", GAME, "south", "Grace", "--address", "grace"), 1, "address: "),
    (("replace", GAME, "south", "Grace", "--address", "g\u00fc@example.org"), 1, "cannot be sent to"),
    (("replace", GAME, "south", "", "--address", "grace@example.org"), 1, "name: "),
    (
        ("replace", GAME, "south", "Grace", "--address", "grace@example.org", "--reason", "Ada asks for it"),
        0,
        "Grace plays south, and gets letters at grace@example.org; the players are notified",
    ),
    (("resend", GAME, "--side", "east"), 1, "unknown-side"),
    (("resend", GAME), 0, "in the outbox again for Grace (south), Ben (north)"),
    (("resend", GAME, "--side", "north"), 0, "in the outbox again for Ben (north)"),
    (("resend", GAME, "--reason", "Your mailbox was full"), 0, "in the outbox again for Grace (south), Ben (north)"),
    (("resend", GAME, "--reason", "two\nlines"), 1, "a line of text"),
    (("adjudicate", GAME, "--against", "east"), 1, "unknown-side"),
    (("adjudicate", GAME, "--abandon", "--reason", "x"), 2, "--abandon cannot be combined with --reason"),
    (("adjudicate", GAME), 2, "--against SIDE, --draw, or --abandon"),
    (("adjudicate", GAME, "--draw", "--against", "south"), 2, "--against SIDE, --draw, or --abandon"),
    (("adjudicate", GAME, "--against", "south", "--reason", "It never wrote"), 0, "over: north won (adjudication)"),
    (("adjudicate", GAME, "--draw"), 1, "game-over"),
    (("extend", GAME, 5), 1, "game-over"),
    (("status",), 0, "letters waiting"),
    (("status", "--all"), 0, "over: north won (adjudication)"),
    (("audit", GAME), 0, "over: north won (adjudication)"),
    (("reopen", GAME), 2, "--reason"),
    (("reopen", GAME, "--reason", "two\nlines"), 1, "reason: "),
    (("reopen", GAME, "--reason", "It did write"), 0, "the game goes on"),
    (("undo", GAME, "--reason", "It did write"), 1, "not-over"),
    (("letters",), 0, "news, to be sent"),
    (("letters", GAME, "--last", 1, "--format", "jsonl"), 0, '"incoming": false'),
    (("letters", "nope"), 1, "unknown-game"),
    (("show", "f" * 64), 1, "unknown-letter: no letter 'ffff"),
    (("show", "%"), 1, "unknown-letter"),
    (("status",), 0, "round 1"),
    (("audit", GAME), 0, "the game is running"),
)


@pytest.mark.slow
def test_orders_of_the_host(desk: Desk) -> None:
    for arguments, status, says in HOST:
        run = desk(str(arguments[0]), *arguments[1:])
        assert (run.status, says in run.out + run.err) == (status, True), (arguments, run)
        assert (run.out, run.err) == (run.out, "") if status == 0 else run.out == ""


@pytest.mark.slow
def test_a_copy_and_a_new_key(desk: Desk, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    assert "a copy of the store" in desk("backup", copy).out
    assert copy.stat().st_mode & 0o777 == 0o600
    again = desk("backup", copy)
    assert (again.status, "exists" in again.err) == (2, True)
    assert desk("renew").lines == ["the desk has a new key; in the outbox: 2 letters with it"]
    assert "4 to be sent" in desk("status").out
    folder = tmp_path / "elsewhere"
    said = referee("desk", "restore", copy, folder).lines
    assert said[0] == f"{folder}: the desk is restored, with a new key"
    assert "in the outbox: 2 letters with new reply addresses" in said
    assert "4 to be sent" in referee("desk", "status", "--desk", folder).out
    again = referee("desk", "restore", copy, folder)
    assert (again.status, "exists: a desk is never restored over another one" in again.err) == (2, True)
    assert (folder / "desk.yaml").read_bytes() == (tmp_path / "desk" / "desk.yaml").read_bytes()


@pytest.mark.slow
def test_the_public_key_and_a_new_one(desk: Desk, tmp_path: Path) -> None:
    (key,) = desk("key").lines
    said = referee("desk", "init", tmp_path / "other", "--address", "desk@example.org").lines[1]
    assert re.fullmatch("public key: [0-9a-f]{64}", said)
    settings = tmp_path / "desk" / "desk.yaml"
    assert f'public-key: "{key}"' in settings.read_text(encoding="utf-8")
    assert desk("key", "--new").status == desk("key", "--reason", "why not").status == 2
    refused = desk("key", "--new", "--reason", "two\nlines")
    assert (refused.status, "reason: " in refused.err, desk("key").lines) == (1, True, [key])
    new, queued, step = desk("key", "--new", "--reason", "a stolen copy").lines
    assert new != key
    assert (queued, "set public-key" in step) == ("in the outbox: 2 letters with new reply addresses", True)
    assert desk("key").lines == [new, step]
    assert f'"desk":"{new}"' in desk("log", GAME).lines[-1]
    doctor = desk("doctor").out
    assert ("wrong key" in doctor, f"set 'public-key' to \"{new}\"" in doctor) == (True, True)
    settings.write_text(settings.read_text(encoding="utf-8").replace(key, new), encoding="utf-8")
    assert "ok    key" in desk("doctor").out


@pytest.mark.slow
def test_letters_that_were_set_aside(desk: Desk, tmp_path: Path) -> None:
    with office_in(tmp_path / "desk") as opened:
        letters = [receive(opened, f"From: ada@example.org\n\n{number}\n".encode(), now()) for number in range(3)]
        for letter in letters:
            opened.desk.inbox.postpone(letter, None, "our own fault")
    found = re.findall(r"set aside: letter ([0-9a-f]{12})", desk("status").out)
    assert found == [letter.digest[:12] for letter in letters]
    assert desk("retry", found[0], "zz").err == "unknown-letter: no letter 'zz' was set aside\n"
    assert "0 letters waiting, 3 set aside" in desk("status").out
    assert desk("retry", found[0]).lines == ["1 letter waits again, for `serve` or `tick`"]
    assert desk("retry").lines == ["2 letters wait again, for `serve` or `tick`"]
    assert "3 letters waiting, 0 set aside" in desk("status").out
    assert desk("tick").status == 0
    assert "0 letters waiting, 0 set aside" in desk("status").out


@pytest.mark.parametrize("damage", sampled(["pages", "key", "other"], 3))
def test_a_damaged_store_is_reported_by_every_command(desk: Desk, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "desk" / "desk.sqlite"
    if damage == "key":
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("delete from secret where game = ''")
    elif damage == "pages":
        path.write_bytes(path.read_bytes()[:4096] + b"\xa5" * (path.stat().st_size - 4096))
    else:
        path.unlink()
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("create table songs (name text)")
    before = path.read_bytes()
    commands: list[tuple[object, ...]] = [
        ("log", GAME),
        ("extend", GAME, 5),
        ("backup", tmp_path / "copy"),
        ("status",),
    ]
    for command in [*commands, ("renew",), ("retry",), ("tick",), ("deliver",), ("receive",), ("serve",)]:
        run = desk(str(command[0]), *command[1:], stdin=b"Subject: x\n\n")
        assert run.status == (75 if command == ("receive",) else 1), run
        assert run.err.startswith(("store: ", "no-desk: "))
        assert "Traceback" not in run.err
    assert path.read_bytes() == before
    assert not (tmp_path / "copy").exists()


BLUE_AND_RED = tuple(one.replace("south=", "blue=").replace("north=", "red=") for one in PLAYERS)
OPENINGS: tuple[tuple[tuple[object, ...], int, str], ...] = (
    (("beams", *PLAYERS), 0, "beams-1: the game is open, and 2 letters are in the outbox"),
    (("boundary", *PLAYERS, "--no-clock"), 0, "boundary-1: "),
    (("beams", *PLAYERS, "--option", "columns=13", "--option", "rows=11"), 0, "beams-1: "),
    (("games/beams/opening.yaml", *PLAYERS), 0, "lunch-1: the game is open"),
    (("beams", "--id", GAME, *PLAYERS), 1, "game-id: there is a game spring-7 already"),
    (("beams", "--id", "../../etc/passwd", *PLAYERS), 1, "game-id: "),
    (("beams", "--id", "Spring 7", *PLAYERS), 1, "game-id: "),
    (("beams",), 1, "address: south has no player with an address"),
    (("beams", "--player", ADA), 1, "address: north has no player with an address"),
    (("beams", *PLAYERS, "--player", "east=Eve <eve@example.org>"), 2, "there is no side 'east'"),
    (("beams", "--player", "south=Ada"), 2, "a player is SIDE=NAME <ADDRESS>"),
    (("beams", "--player", ADA, "--player", "north=B <b..c@example.org>"), 1, "cannot be sent to"),
    (("beams", "--player", ADA, "--player", "north=B <j\u00fc@example.org>"), 1, "cannot be sent to"),
    (("beams", *PLAYERS, "--option", "columns=4"), 1, "option: columns"),
    (("beams", *PLAYERS, "--clock", "dayz=4"), 1, "clock: "),
    (("beams", *PLAYERS, "--clock", "days=4", "--no-clock"), 2, "cannot be combined"),
    (("games/laser-chess/puzzle.yaml", *BLUE_AND_RED), 1, "own-start: the desk opens games from their usual start"),
    (("chess", *PLAYERS), 2, "perhaps you mean laser-chess"),
    (("chess.yaml", *PLAYERS), 2, "chess.yaml:1:1: unreadable"),
    (("games/beams/opening.yaml", *PLAYERS, "--option", "columns=9"), 2, "a file has its own options"),
    (("the-beam", "--secret", "/nonexistent"), 2, "/nonexistent:1:1: unreadable"),
)


@pytest.mark.parametrize(("arguments", "status", "says"), sampled(OPENINGS, 4), ids=lambda value: str(value)[:60])
def test_games_are_opened(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...], status: int, says: str
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    run = desk("open", *arguments)
    assert (run.status, says in run.out + run.err) == (status, True), run
    games = json.loads(desk("status", "--format", "json").out)["games"]
    assert len(games) == (2 if status == 0 else 1)


@pytest.mark.slow
def test_the_status_tells_times_in_words(desk: Desk, tmp_path: Path) -> None:
    """Those of moves, and of the end of an invitation."""
    until = r", until (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \d+ \w+ \d{4}, \d\d:\d\d UTC$"
    assert len(re.findall(f"to move{until}", desk("status").out, re.MULTILINE)) == 2
    (tmp_path / "post").mkdir()
    with friends(tmp_path / "post") as post:
        post.write("ada@example.net", "new boundary with ben@example.net, as south")
        lines = referee("desk", "status", "--desk", tmp_path / "post" / "desk").out.splitlines()
    assert lines[1:3] == [
        "  south  Ada Lovelace: joined",
        "  north  Ben: invited, until Monday 8 March 2027, 12:00 UTC",
    ]


@pytest.mark.parametrize("name", sampled(NO_GAMES, 3))
def test_games_that_there_are_not(desk: Desk, name: str) -> None:
    for command in ("log", "export", "clock", "status", "audit", "extend", "pause", "resend", "replace"):
        more = {"extend": ("5",), "replace": ("south", "Grace")}.get(command, ())
        run = desk(command, "--", name, *more)
        if command == "audit" and ("/" in name or "." in name):
            assert run.status in (1, 2), "that names a file"
        else:
            assert (run.status, run.out) == (1, ""), command
            assert run.err.startswith("unknown-game: there is no game ")
        assert "root:" not in run.out + run.err


@pytest.mark.slow
def test_json_can_be_parsed(desk: Desk, tmp_path: Path) -> None:
    seen = json.loads(desk("status", "--format", "json").out)
    assert seen["games"][0]["game"] == GAME
    assert seen["letters"] == {"waiting": 0, "aside": 0, "to-send": 2, "unsent": 0}
    assert [one["side"] for one in desk("clock", GAME, "--format", "json").objects] == ["south", "north"]
    assert json.loads(desk("export", GAME, "--format", "json").out)["game"] == "beams"
    assert desk("export", GAME, "--format", "log").out == desk("log", GAME).out
    file = tmp_path / "game.yaml"
    file.write_text(desk("export", GAME).out)
    assert referee("check", file).status == 0


@pytest.mark.slow
def test_nothing_secret_is_printed(desk: Desk, tmp_path: Path) -> None:
    sealed(tmp_path / "desk", "P M2Y C6 10")
    with office_in(tmp_path / "desk") as opened:
        kept = opened.desk.games.held(GAME).secrets
        secrets = ["M2Y C6", kept["move/1/south"].rsplit(" ", 1)[1], opened.desk.key.secret.hex()]
        secrets += [seat_token(opened.desk.key, opened.desk.state(GAME), side, 1) for side in ("south", "north")]
    for command in ("status", "log", "export", "audit", "clock", "pause", "resume", "resend"):
        run = desk(command, *([] if command == "status" else [GAME]))
        assert run.status == 0
        assert not [one for one in (*secrets, "ada@example.org") if one in run.out + run.err]
    for form in ("json", "log"):
        assert not [one for one in secrets if one in desk("export", GAME, "--format", form).out]
    assert not [one for one in secrets if one in desk("status", "--format", "json").out]


def test_an_exported_log_is_audited_without_the_desk(desk: Desk, tmp_path: Path) -> None:
    desk("adjudicate", GAME, "--draw")
    text = desk("log", GAME).out
    file = tmp_path / "game.jsonl"
    file.write_text(text)
    assert referee("audit", file).status == 0
    assert referee("audit", "-", stdin=text.encode()).out == referee("audit", file).out.replace(str(file), "-")
    changed = text.replace("Ada Lovelace", "Eve")
    file.write_text(changed)
    run = referee("audit", file)
    assert run.status == 1
    assert f"{file}:1:1: digest: " in run.out
    assert "version" not in run.out
    assert referee("audit", tmp_path / "missing.jsonl").status == 2
    head = json.loads(text.splitlines()[-1])["digest"]
    assert "no entry came later" in referee("audit", file, "--head", head.upper()).out
    cut = tmp_path / "cut.jsonl"
    cut.write_text(text.splitlines()[0] + "\n", encoding="utf-8")
    assert referee("audit", cut).status == 0
    assert "cut: " in referee("audit", cut, "--head", head).out
    assert referee("audit", cut, "--head", head).status == 1
    assert referee("audit", cut, "--head", "abc").status == 2
    file.write_bytes(b"\xff\xfe\0")
    assert referee("audit", file).status == 2


@pytest.mark.parametrize(("log", "alone"), [("the-beam", True), ("the-beam-invited", False), ("beams", False)])
def test_an_audit_says_who_dealt(log: str, alone: bool) -> None:
    said = "the host opened this game and drew what chance decides"
    assert (said in referee("audit", DOCUMENTED / f"{log}.jsonl").out) == alone


@pytest.mark.slow
def test_the_status_tells_who_signs(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        post.write("north", f"key {signer('north').public}")
        seen = referee("desk", "status", "--desk", post.office.folder).lines
        data = json.loads(referee("desk", "status", "--desk", post.office.folder, "--format", "json").out)
    assert [line.endswith(f", signs with {signer('north').public[:12]}") for line in seen[1:3]] == [False, True]
    assert [one["key"] for one in data["games"][0]["sides"].values()] == [None, signer("north").public]


def test_no_desk_no_command(tmp_path: Path) -> None:
    for command, *more in (
        ("status",),
        ("log", GAME),
        ("pause", GAME),
        ("open", "beams", *PLAYERS),
        ("resend", GAME),
    ):
        run = referee("desk", command, "--desk", tmp_path, *more)
        assert (run.status, run.out) == (2, "")
        assert run.err.startswith(f"{tmp_path}/desk.yaml:1:1: unreadable: there is no desk here")
    (tmp_path / "desk.yaml").write_text("adress: x\n")
    run = referee("desk", "status", "--desk", tmp_path)
    assert (run.status, run.err.count("desk.yaml:1:1: ")) == (1, 2)


def test_a_desk_is_begun_once(desk: Desk, tmp_path: Path) -> None:
    run = desk("init", tmp_path / "desk", "--address", "desk@example.org")
    assert (run.status, "this folder already has a desk" in run.err) == (2, True)
    assert desk("init", tmp_path / "other", "--address", "desk").status == 1
    assert desk("init", tmp_path / "other").status == 2
    assert not (tmp_path / "other").exists()


WITHOUT = """\
import sys
sys.modules[sys.argv.pop(1)] = None
from referee.cli import main
main()
"""


@pytest.mark.parametrize(
    ("library", "arguments", "status"),
    [
        pytest.param("sqlalchemy", ("desk", "init", "x", "--address", "x@example.org"), 1, marks=pytest.mark.slow),
        pytest.param("sqlalchemy", ("desk", "status"), 1, marks=pytest.mark.slow),
        pytest.param("sqlalchemy", ("desk", "receive"), 75, marks=pytest.mark.slow),
        pytest.param("sqlalchemy", ("audit", "spring-7"), 1, marks=pytest.mark.slow),
        pytest.param("aiosmtpd", ("desk", "serve"), 1, marks=pytest.mark.slow),
    ],
)
def test_a_missing_extra_is_reported(tmp_path: Path, library: str, arguments: tuple[str, ...], status: int) -> None:
    command = [sys.executable, "-c", WITHOUT, library, *arguments]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert (run.returncode, run.stdout) == (status, "")
    assert run.stderr.startswith(f"missing-extra: this needs {library}")
    assert "pip install 'referee[mail]'" in run.stderr


@pytest.mark.slow
def test_it_runs_as_a_process(desk: Desk, tmp_path: Path) -> None:
    run = process("desk", "status", GAME, REFEREE_DESK=str(tmp_path / "desk"))
    assert run == desk("status", GAME)
