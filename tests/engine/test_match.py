"""Matches: the winner, the certainty of that, and programs that do not play by the rules."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

import referee
from referee.engine import USUAL_LEVEL
from referee.engine.match import Contest, MatchGame, MatchResult, mean_of, play_match, wilson
from referee.engine.players import chooser
from referee.engine.program import Program, program_request
from referee.engine.search.dice import Dice
from referee.engine.search.evaluation import SURE
from referee.errors import RefereeError
from referee.rules import Position, movers
from tests.support.processes import all_end, children, running
from tests.support.servers import eventually

PIPE = 65_536
"""The bytes that a pipe takes without a reader."""

FIRST = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["legal"][0]}), flush=True)
"""


def program(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def contest(first: str, second: str, game: str = "boundary", plies: int = 30) -> Contest:
    return Contest(game, first, second, {}, longest=plies)


@pytest.mark.slow
def test_a_match_does_not_depend_on_the_number_of_processes() -> None:
    match = contest("chance", "1", "laser-chess")
    assert play_match(match, 4, jobs=2) == play_match(match, 4, jobs=1)


@pytest.mark.slow
def test_players_change_sides() -> None:
    played = play_match(contest("1", "chance", "laser-chess", 200), 2)
    assert [(one.first, one.second) for one in played.games] == [(1, 0), (1, 0)]
    assert (played.won, played.lost) == (2, 0)


def test_a_game_that_does_not_end_is_a_draw() -> None:
    played = play_match(contest("chance", "chance", plies=3), 1)
    assert played.games == (MatchGame(0.5, 0.5, 3),)


@pytest.mark.slow
def test_in_a_game_for_a_team_each_plays_all_sides_for_points() -> None:
    played = play_match(contest("1", "chance", "the-beam"), 3)
    assert all(one.plies == 48 for one in played.games)
    assert played.points(0).mean > played.points(1).mean


@pytest.mark.parametrize(
    ("spec", "level"),
    [
        ("4", 4),
        ("engine:4", 4),
        ("steady", 4),
        ("engine:Steady", 4),
        ("engine", USUAL_LEVEL),
        ("engine:", USUAL_LEVEL),
    ],
)
def test_an_engine_without_a_level_has_the_usual_one(spec: str, level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.engine.players.choose", lambda *asked: asked)
    position = referee.start("boundary")
    with chooser(spec, "seed", {}) as player:
        asked: object = player(position, "south", [{}] * 7)
    assert asked == (position, "south", level, "seed 7")


def test_the_share_has_an_interval() -> None:
    match = contest("1", "2")
    games = [MatchGame(1, 0, 9)] * 60 + [MatchGame(0.5, 0.5, 9)] * 10 + [MatchGame(0, 1, 9)] * 30
    assert str(MatchResult(match, tuple(games)).share) == "0.650 (0.553 to 0.736)"
    assert wilson(0, 10).low == pytest.approx(0)
    assert wilson(10, 10).high == pytest.approx(1)
    assert str(mean_of([1, 2, 3])) == "2.000 (0.868 to 3.132)"
    assert mean_of([4.0]).low == 4


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("0", "level"),
        ("engine:9", "level"),
        ("nobody", "level"),
        ("program:no-such-program", "program"),
        ("program:'", "program"),
        ("program:''", "program"),
    ],
)
def test_a_player_that_does_not_exist_is_refused(spec: str, code: str) -> None:
    with pytest.raises(RefereeError) as caught, chooser(spec, "any", {}):
        pass
    assert caught.value.code == code


@pytest.mark.parametrize("spec", ["3", "engine:3"])
def test_a_text_names_a_level(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.engine.players.choose", lambda *asked: asked)
    position = referee.start("boundary")
    with chooser(spec, "s", {}) as player:
        asked: object = player(position, "south", ())
    assert asked == (position, "south", 3, "s 0")


def test_chance_follows_from_the_seed() -> None:
    position = referee.start("boundary")
    with chooser("chance", "s", {}) as player:
        found = [player(position, "south", [{}] * ply) for ply in range(4)]
    dice = [Dice(f"chance south s {ply} {position.facts()}") for ply in range(4)]
    assert found == [position.any_move("south", one.below) for one in dice]


@pytest.mark.slow
@pytest.mark.parametrize("game", referee.GAMES)
def test_a_program_plays_any_game(game: str) -> None:
    position = referee.start(game)
    with Program.started(program(FIRST), {}) as first:
        for _ in range(4):
            moves = {side: first.choose(position, side) for side in movers(position)}
            assert moves == {side: next(iter(position.legal_moves(side))) for side in moves}
            position = position.play(moves)


ECHO = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    print(json.dumps({"move": said["legal"][-1 if CONDITION else 0]}), flush=True)
"""


def holds(condition: str, position: Position, options: dict[str, object], *, side: str = "south") -> bool:
    """True if a condition on the request, called `said`, holds in a program, after one ply."""
    history = [{"south": next(iter(position.legal_moves(side)))}]
    with Program.started(program(ECHO.replace("CONDITION", condition)), options, seconds=5) as one:
        return one.choose(position, side, history) == [*position.legal_moves(side)][-1]


@pytest.mark.parametrize(
    "condition",
    [
        "{*said} == {*'referee game options side to_move position text history seconds legal'.split()}",
        "set(said['position']) == {'stacks', 'stones'}",
        "said['options'] == {'first': 'south'}",
        "said['text'] == " + repr(str(referee.start("boundary"))),
        "said['history'] == [{'south': said['legal'][0]}]",
        "said['seconds'] == 5",
    ],
)
def test_a_program_gets_the_game_so_far(condition: str) -> None:
    assert holds(condition, referee.start("boundary"), {})


def test_a_program_gets_no_secret() -> None:
    deal = referee.start("the-beam", deal={"seed": "0" * 64})
    side = next(iter(deal.to_move))
    assert holds("said['options'] == {} and said['text'] is None", deal, {"deal": {"seed": "0" * 64}}, side=side)


@pytest.mark.parametrize(
    ("answer", "value", "plies"),
    [
        ('{"move": legal[0]}', None, 1),
        ('{"move": legal[0], "value": 1.25}', 125, 1),
        ('{"move": legal[0], "value": "lost", "line": [legal[0], "nonsense", legal[0]]}', -SURE, 1),
        ('{"move": legal[0], "value": -3, "line": [legal[0], "P f1-e2"]}', -300, 2),
    ],
)
def test_a_program_may_say_what_it_expects(answer: str, value: int | None, plies: int) -> None:
    said = f"print(json.dumps({answer}), flush=True)"
    text = f"import json, sys\nlegal = json.loads(sys.stdin.readline())['legal']\n{said}"
    with Program.started(program(text), {}) as one:
        found = one.ponder(referee.start("boundary"), "south")
    assert (found.value, len(found.line), found.line[0]) == (value, plies, found.move)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('print(\'{"move": "P a1-a2", "value": "good"}\')', "and not"),
        ('print(\'{"move": "P a1-a2", "line": 7}\')', "and not"),
        ("print('hello')", "the program said 'hello', and not"),
        ("print('{\"move\": 7}')", "and not"),
        ("print('[' * 9_000)", "and not"),
        ('print(\'{"move": "P a1-a9"}\')', "the program's move 'P a1-a9' is refused: there is no square a9"),
        ('print(\'{"move": "hop"}\')', "the program's move 'hop' is refused"),
        (
            'print(\'{"move": "P a1-a2", "value": NaN}\')',
            "the program's value is 'nan', and not a number of points, won or lost",
        ),
        ("raise SystemExit(3)", "the program has ended, with the status 3"),
        ("print('x' * 20_000)", "the program said more than 10,000 bytes"),
        (
            "import time; x = bytearray(400_000_000); time.sleep(60)",
            "the program has taken more than 300 MiB of memory",
        ),
        (
            "import os, time; [os.fork() for _ in range(2)]; x = bytearray(100_000_000); time.sleep(60)",
            "the program has taken more than 300 MiB of memory",
        ),
        ("x = bytearray(4_000_000_000)", "the program has ended, with the status 1"),
    ],
)
def test_a_program_that_breaks_the_rules_is_reported(text: str, said: str) -> None:
    patient = f"import sys; sys.stderr = None\n{text}\nsys.stdout.flush()\nsys.stdin.read()"
    with Program.started(program(patient), {}, megabytes=300) as one:
        with pytest.raises(RefereeError) as caught:
            one.choose(referee.start("boundary"), "south")
        assert caught.value.code == "program"
        assert said in caught.value.message


def test_memory_that_is_reserved_and_not_used_counts_for_nothing() -> None:
    """Virtual machines and WebAssembly reserve gigabytes of addresses, and take threads with large stacks."""
    reserving = """
import mmap, threading
far = mmap.mmap(-1, 6 << 30, prot=mmap.PROT_READ)
for _ in range(8):
    threading.Thread(target=threading.Event().wait, daemon=True).start()
"""
    with Program.started(program(reserving + FIRST), {}, megabytes=100) as one:
        assert one.choose(referee.start("boundary"), "south")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "new WebAssembly.Memory({initial: 1, maximum: 1000})",
        "for (const _ of 'four') new (require('worker_threads').Worker)('setInterval(() => {}, 1e3)', {eval: true})",
    ],
)
def test_programs_of_node_have_webassembly_and_threads(text: str) -> None:
    answer = "(line) => console.log(JSON.stringify({move: JSON.parse(line).legal[0]}))"
    script = f"{text}; require('readline').createInterface({{input: process.stdin}}).on('line', {answer})"
    with Program.started(["node", "-e", script], {}) as one:
        assert one.choose(referee.start("boundary"), "south")


def test_a_program_finds_no_secret_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "sesame")
    curious = """
import json, os, sys
for line in sys.stdin:
    legal = json.loads(line)["legal"]
    print(json.dumps({"move": legal["DATABASE_PASSWORD" in os.environ or "PATH" not in os.environ]}), flush=True)
"""
    position = referee.start("boundary")
    with Program.started(program(curious), {}) as one:
        assert one.choose(position, "south") == next(iter(position.legal_moves()))


def test_a_program_does_not_outlive_its_match() -> None:
    others = children(os.getpid())
    with Program.started(program("import os; os.fork(); input()"), {}):
        eventually(lambda: len(children(os.getpid()) - others) >= 2)
        started = children(os.getpid()) - others
    all_end(started)
    assert not started & children(os.getpid()), "the program is waited for"


@pytest.mark.slow
def test_a_program_that_fails_loses_its_game(tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text("raise SystemExit\n", encoding="utf-8")
    spec = f"program:{sys.executable} {tmp_path / 'silent.py'}"
    played = play_match(contest("chance", spec), 2)
    assert (played.won, played.lost) == (2, 0)
    assert {one.fault for one in played.games} == {"the program has ended, with the status 0"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "seconds", "said"),
    [
        ("os.close(1); time.sleep(60)", 20, "the program listens or says nothing more, although it runs"),
        ("time.sleep(60)", 1, "the program has not moved within 1 seconds"),
        ("if not os.fork(): os.setsid(); time.sleep(60)", 20, "the program has ended, with the status 0"),
    ],
)
def test_no_program_is_waited_for_without_end(
    text: str, seconds: float, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Free, as the sandbox keeps its output open: tests/engine/test_sandbox.py has programs that are shut in."""
    monkeypatch.setattr("referee.engine.program.sandbox", tuple)
    position, began = referee.start("beams"), time.monotonic()
    assert len(json.dumps(program_request(position, "south", {}))) > PIPE, "more than a program has to read for it"
    command = program(f"import os, time\n{text}")
    with pytest.raises(RefereeError, match=said), Program.started(command, {}, seconds=seconds) as one:
        one.choose(position, "south")
    assert time.monotonic() - began < 40


KILLS_ITS_PARENT = "import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); time.sleep(600)"


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_program_that_kills_its_parent_loses_its_game(jobs: int, tmp_path: Path) -> None:
    (tmp_path / "kill.py").write_text(KILLS_ITS_PARENT)
    played = play_match(contest(f"program:{sys.executable} {tmp_path / 'kill.py'}", "chance", plies=4), 2, jobs)
    assert [one.first for one in played.games] == [0, 0]
    assert all(one.fault for one in played.games)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_nothing_outlives_a_match_that_is_killed(jobs: str, tmp_path: Path) -> None:
    (tmp_path / "deaf.py").write_text(
        "import signal, time\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\ntime.sleep(600)"
    )
    spec = f"program:{sys.executable} {tmp_path / 'deaf.py'}"
    with running("match", spec, "chance", "--game", "boundary", "-n", "4", "-j", jobs) as process:
        eventually(lambda: len(children(process.pid)) >= 2 * int(jobs) + (jobs == "2"))
        time.sleep(1)
        started = children(process.pid)
        process.kill()
        process.wait()
        all_end(started)
