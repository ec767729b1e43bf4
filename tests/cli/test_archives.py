"""`referee generate`, `check` of many games, `convert` and `stats` as commands."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from click import unstyle

import referee.archives.files.shards as cutting
from referee.archives.executors.executors import cores
from referee.cli.shell.options import executor_of
from tests.support.archives import BAD, archive, lines, mixed
from tests.support.command_line import referee

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A folder of files of all kinds."""
    folder = tmp_path / "club"
    (folder / "old").mkdir(parents=True)
    for number, line in enumerate(lines("laser-chess", 3), 1):
        (folder / f"game-{number + 8}.json").write_text(line, encoding="utf-8")
    archive(folder / "old" / "all.jsonl", mixed(30))
    (folder / "notes.txt").write_text("no game", encoding="utf-8")
    return folder


def generated(path: Path, games: int = 60, *arguments: object) -> Path:
    assert referee("generate", "beams", "-n", games, "--seed", 7, "-o", path, *arguments).status == 0
    return path


@pytest.mark.slow
def test_the_same_games_come_from_any_number_of_processes_in_any_file(tmp_path: Path) -> None:
    plain = generated(tmp_path / "a.jsonl", 60, "--jobs", 2)
    printed = referee("generate", "beams", "-n", 60, "--seed", 7, "-j", 1)
    assert printed.out == plain.read_text(encoding="utf-8")
    names = [generated(tmp_path / name, 60) for name in ("b.jsonl.gz", "c.jsonl.zst")]
    run = referee("check", plain, *names)
    said = run.out.replace(".gz", "").replace(".zst", "").replace("/b.", "/a.").replace("/c.", "/a.")
    assert (run.status, len(set(said.splitlines()))) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("chess",), "there is no game 'chess'"),
        (("beams", "--option", "columns=8"), "columns must be odd"),
        (("beams", "--option", "first=south"), "there is no first side"),
        (("beams", "-n", "0"), "0 is not in the range"),
        (("beams", "--scheduler", "tcp://x:1"), "--scheduler needs --executor dask"),
    ],
)
def test_games_that_cannot_be_generated(arguments: tuple[str, ...], says: str) -> None:
    run = referee("generate", *arguments)
    assert (run.status, run.out) == (2, "")
    assert says in run.err


@pytest.mark.slow
def test_a_folder_is_all_its_games_and_archives(club: Path) -> None:
    run = referee("check", club, "--summary")
    said = [line for line in run.lines if not line.startswith("    ")]
    assert [line.split(":")[0] for line in said[:3]] == [str(club / f"game-{number}.json") for number in (9, 10, 11)]
    assert all(line.startswith(str(club / "old" / "all.jsonl:")) for line in said[3:])
    assert run.err.startswith("38 games, ")
    assert run.status == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--each", "--format", "jsonl"),
        *(pytest.param(one, marks=pytest.mark.slow) for one in ((), ("--format", "jsonl"), ("--each",))),
    ],
)
def test_all_executors_say_the_same(club: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "MOST_IN_A_SHARD", 20)
    made = archive(club / "more.jsonl", [*lines("beams")] * 3)
    alone = referee("check", "-j", 1, *arguments, club, made)
    assert referee("check", "-j", 2, *arguments, club, made) == alone


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_is_started_if_none_is_named(club: Path) -> None:
    pytest.importorskip("distributed", reason="needs Dask: pip install -e '.[dev-slow]'")
    assert referee("check", "--executor", "dask", "-j", 1, club).out == referee("check", "-j", 1, club).out


def test_verdicts_of_each_game(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.jsonl", [*lines("beams", 2), BAD[0]])
    run = referee("check", "--each", "--format", "jsonl", path)
    assert [(one["line"], one["id"], one["ok"]) for one in run.objects] == [
        (1, "test-1", True),
        (2, "test-2", True),
        (3, "cell", False),
    ]
    text = referee("check", "--each", path).lines
    assert text[0].startswith(f"{path}:1: ok, ")
    assert text[0].endswith(" [test-1]")
    assert text[2] == f"{path}:3: [cell]"
    assert text[3].startswith(f"{path}:3:33: unknown-cell: ")


@pytest.mark.slow
def test_a_run_that_is_resumed_writes_the_same_file(tmp_path: Path, club: Path) -> None:
    output, journal = tmp_path / "out", tmp_path / "journal"
    arguments = ("check", club, "--resume", journal, "-o", output, "--format", "jsonl", "--summary")
    first = referee(*arguments)
    written = output.read_bytes()
    *head, _ = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(head))
    output.write_bytes(written[:-10])
    assert referee(*arguments) == first
    assert output.read_bytes() == written
    assert referee("check", club, "--resume", journal).status == 2
    assert "another-run" in referee("check", club, "--resume", journal).err


@pytest.mark.slow
def test_changes_since_earlier_verdicts(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.jsonl", list(lines("beams", 5)))
    old = tmp_path / "old.jsonl"
    assert referee("check", "--each", "--trace", "--format", "jsonl", "-o", old, path).status == 0
    assert referee("check", "--against", old, path) == (0, "", "0 changes\n")
    before = [json.loads(line) for line in old.read_text(encoding="utf-8").splitlines()]
    before[3]["trace"][2] = "00000000"
    archive(old, [json.dumps(one) for one in before])
    run = referee("check", "--against", old, path)
    assert (run.status, run.err) == (1, "1 change\n")
    assert run.out.startswith(f"{path}:4: changed at ply 3: ")
    (change,) = referee("check", "--against", old, "--format", "jsonl", path).objects
    assert (change["line"], change["ply"]) == (4, 3)
    assert referee("check", "--against", path, path).err.startswith(f"{path}:1:1: no-verdict: ")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--trace",), "--trace needs --each --format jsonl"),
        (("--against", "x"), "'x' does not exist"),
        (("--against", __file__, "--each"), "--against cannot be combined with --each or --resume"),
        (("-j", "0"), "0 is not in the range"),
        (("-o", "/"), "/ cannot be written: is a directory"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], says: str) -> None:
    run = referee("check", *arguments, "x")
    assert (run.status, run.out) == (2, "")
    assert says in run.err


@pytest.mark.slow
def test_files_and_archives_and_back(tmp_path: Path, club: Path) -> None:
    examples = tmp_path / "examples"
    shutil.copytree(ROOT / "games", examples, ignore=shutil.ignore_patterns("set-ups"))
    files, one, two = tmp_path / "files", tmp_path / "one.jsonl", tmp_path / "two.jsonl.gz"
    assert referee("convert", examples, one).status == 0
    for form in ("yaml", "json", "moves"):
        assert referee("convert", "--to", form, one, files / form).status == 0
        assert referee("convert", files / form, "-").out == one.read_text(encoding="utf-8")
    assert referee("convert", files / "moves", two).status == 0
    games = len(list(examples.rglob("*.yaml")))
    assert referee("check", two).lines[-1].endswith(f"in {games} games")
    run = referee("convert", club, tmp_path / "club.jsonl")
    assert run.status == 1
    assert "all.jsonl:11:19: syntax: " in run.err


def test_a_single_game_and_a_bare_list(tmp_path: Path) -> None:
    (tmp_path / "x.moves").write_text("P S A2 | P S A4\n", encoding="utf-8")
    target = tmp_path / "x.yaml"
    run = referee("convert", "--game", "beams", "--option", "columns=17", tmp_path / "x.moves", target)
    assert run == (0, "", "")
    assert target.read_text(encoding="utf-8") == (
        "game: beams\noptions: {columns: 17}\nmoves: |\n  1. P S A2 | P S A4\n"
    )


@pytest.mark.parametrize("target", ["all.jsonl", "1.yaml", "folder", "new.yaml", "new.txt"])
def test_nothing_is_written_over(tmp_path: Path, target: str) -> None:
    source = archive(tmp_path / "all.jsonl", list(lines("laser-chess", 2)))
    (tmp_path / "folder").mkdir()
    for name in ("folder/000001.yaml", "1.yaml"):
        (tmp_path / name).write_text("mine", encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert referee("convert", source, tmp_path / target).status == 2
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


PARQUET = pytest.param("z.parquet", marks=pytest.mark.data)


@pytest.mark.parametrize("target", ["z.jsonl", "z.jsonl.gz", "z.yaml", "folder", PARQUET])
def test_there_is_no_target_before_a_game_can_be_read(tmp_path: Path, target: str) -> None:
    source, there = tmp_path / "game.yaml", tmp_path / target
    for content in (None, "game: chess\n"):
        if content is not None:
            source.write_text(content, encoding="utf-8")
        run = referee("convert", source, there)
        assert (run.status > 0, run.err.startswith(f"{source}:1:1: "), there.exists()) == (True, True, False)
    source.write_text("game: boundary\nmoves: P a1-b2 | P f1-e2\n", encoding="utf-8")
    assert referee("convert", source, there) == (0, "", "")
    assert there.exists()


def test_an_archive_of_no_games_is_converted_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").touch()
    assert referee("convert", tmp_path / "a.jsonl", tmp_path / "b.jsonl") == (0, "", "")
    assert (tmp_path / "b.jsonl").read_bytes() == b""


def test_a_single_game_is_never_compressed(tmp_path: Path) -> None:
    source = archive(tmp_path / "all.jsonl", list(lines("boundary", 1)))
    run = referee("convert", source, tmp_path / "one.yaml.gz")
    assert (run.status, (tmp_path / "one.yaml.gz").exists()) == (2, False)
    assert "only an archive can be compressed: its name ends in .jsonl.gz or .jsonl.zst" in " ".join(run.err.split())


def test_there_are_no_statistics_before_a_game_can_be_read(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    run = referee("stats", tmp_path / "none.yaml", "-o", page)
    assert (run.status, run.out, page.exists()) == (2, "", False)
    assert "1 game (unreadable 1)" in run.err


@pytest.mark.slow
def test_statistics_of_an_archive(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.jsonl", mixed(40))
    text, data = referee("stats", path), referee("stats", "--format", "json", "--most", 1, path)
    assert (text.status, text.lines[0], text.lines[-2][:8]) == (1, "beams: 10 games", "left out")
    assert set(json.loads(data.out)["games"]) == {"beams", "boundary", "laser-chess", "the-beam"}
    page = tmp_path / "a.html"
    made = referee("stats", "--format", "html", "-o", page, path)
    assert (made.status, made.out, made.err[:8]) == (1, "", "left out")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def on_terminal(*arguments: object, stop: int | None = None) -> tuple[int, str]:
    """The command on a terminal of its own, and Ctrl-C once the bar has reached `stop`."""
    child, terminal = pty.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background job ignores it
        os.execv(sys.executable, [sys.executable, "-m", "referee", *map(str, arguments)])
    said, until = "", time.monotonic() + 60
    while time.monotonic() < until:
        if select.select([terminal], [], [], 1)[0]:
            try:
                more = os.read(terminal, 1 << 16)
            except OSError:
                break
            said += more.decode()
            if stop is not None and int((re.findall(r"(\d+)%", said) or [0])[-1]) >= stop:
                os.write(terminal, b"\x03")
                stop = None
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive that takes a second or two, with a bad game at its beginning and one at its end."""
    path = tmp_path_factory.mktemp("large") / "large.jsonl"
    return archive(path, [BAD[0], *lines("beams", 250) * 16, BAD[0]])


@pytest.mark.slow
def test_a_bar_knows_its_end_and_a_summary_follows(large: Path) -> None:
    status, shown = on_terminal("check", large)
    said = unstyle(shown)
    assert status == 1
    assert " 0%" in said
    assert "100%" in said
    assert said.count("unknown-cell: ") == 2
    assert "4,002 games, " in said
    assert "4,000 ok, 2 wrong, 0 unreadable" in said


@pytest.fixture(scope="module")
def longer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, but too long to end before it can be stopped."""
    path = tmp_path_factory.mktemp("longer") / "longer.jsonl"
    return archive(path, [BAD[0], *lines("beams", 250) * 120, BAD[0]])


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("-j", 1), ("-j", 2)])
def test_ctrl_c_ends_cleanly_with_what_was_done_so_far(longer: Path, arguments: tuple[object, ...]) -> None:
    status, said = on_terminal("check", *arguments, longer, stop=5)
    assert status == 130
    _, told, so_far = said.partition("stopped; so far:")
    assert told
    assert " ok, 1 wrong, 0 unreadable" in so_far
    assert "Traceback" not in said


def started(*arguments: object) -> subprocess.Popen[bytes]:
    """The command, once it has printed something."""
    command = [sys.executable, "-m", "referee", *map(str, arguments)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    assert running.stdout is not None
    running.stdout.readline()
    return running


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("check", "--each"), ("generate", "beams", "-n", 3000)])
def test_a_reader_that_stops_is_no_fault(large: Path, arguments: tuple[object, ...]) -> None:
    with started(*arguments, *([large] if arguments[0] == "check" else [])) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert (running.wait(60), running.stderr.read()) == (0, b"")


def ended(group: int) -> bool:
    """True if all processes of a group end soon."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 130), (signal.SIGKILL, -9)])
def test_no_process_outlives_the_command(large: Path, number: int, status: int) -> None:
    with started("check", "--each", "-j", 2, large) as running:
        running.send_signal(number)
        _, said = running.communicate(timeout=60)
        assert running.returncode == status
        assert b"Traceback" not in said
        assert ended(running.pid)


@pytest.mark.parametrize("command", ["check", "stats"])
@pytest.mark.parametrize("output", ["all.jsonl", "link.jsonl", "new.jsonl", "old/new.yaml"])
def test_an_input_is_not_overwritten(club: Path, command: str, output: str) -> None:
    (club / "link.jsonl").symlink_to(club / "old" / "all.jsonl")
    (club / "all.jsonl").hardlink_to(club / "old" / "all.jsonl")
    before = {path: path.read_bytes() for path in club.rglob("*.*")}
    run = referee(command, club, "-o", club / output)
    assert (run.status, run.out) == (2, "")
    assert "is also read: name another file" in run.err
    assert {path: path.read_bytes() for path in club.rglob("*.*")} == before


def test_verdicts_may_lie_beside_the_games(club: Path) -> None:
    assert referee("check", club, "-o", club / "verdicts.txt").status == 1
    assert referee("check", club / "game-9.json", "-o", club / "old.jsonl").status == 0


def test_earlier_verdicts_and_journals_are_not_written_over(club: Path, tmp_path: Path) -> None:
    old, game = tmp_path / "old.jsonl", club / "game-9.json"
    assert referee("check", "--each", "--format", "jsonl", "-o", old, game).status == 0
    assert referee("check", "--against", old, "-o", old, game).status == 2
    assert referee("check", "--resume", old, "-o", old, game).status == 2
    assert referee("check", "--resume", game, game).status == 2


def test_games_are_generated_into_a_new_file(tmp_path: Path) -> None:
    path = generated(tmp_path / "a.jsonl", 1)
    run = referee("generate", "beams", "-o", path)
    assert run.status == 2
    assert f"{path} already exists" in run.err


def test_a_journal_that_cannot_be_written_stops_the_run_at_once(club: Path) -> None:
    run = referee("check", club, "--resume", club / "missing" / "journal")
    assert (run.status, run.out) == (2, "")
    assert "journal cannot be written: no such file or directory" in run.err


def test_control_characters_of_a_name_are_not_printed(club: Path) -> None:
    path = (club / "game-9.json").rename(club / "a\x1b[2J\nb.json")
    assert referee("check", path).out.startswith(f"{club}/a\\x1b[2J\\nb.json: ok, ")
    assert referee("check", "--format", "jsonl", path).objects[0]["file"] == str(path)


def test_a_target_has_a_name(club: Path) -> None:
    run = referee("convert", club / "game-9.json", "")
    assert run.status == 2
    assert "the TARGET has no name" in run.err


def test_there_are_not_more_processes_than_make_sense() -> None:
    work = executor_of(1_000_000, "processes", None)
    assert isinstance(work, partial)
    assert work.keywords == {"jobs": 4 * cores()}
