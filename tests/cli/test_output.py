"""The suffix of an output decides its format, in every command that writes one; none of it goes elsewhere."""

from __future__ import annotations

import gzip
import os
import pty
import select
import sys
from pathlib import Path

import pytest

from tests.support.archives import lines
from tests.support.command_line import process, referee
from tests.support.examples import sampled
from tests.support.rows import each

GAME, ARCHIVE, OUT = "GAME", "ARCHIVE", "OUT"
"""Placeholders for a game file, an archive, and the output."""

BEGINNINGS = {
    "svg": b"<svg ",
    "png": b"\x89PNG",
    "pdf": b"%PDF-",
    "html": b"<!DOCTYPE html>",
    "yaml": b"game: ",
    "ply": b'{"ply": 2',
    "plies": b"[",
    "object": b'{\n  "ply": 2',
    "data": b'{\n "game": "beams"',
    "counts": b'{\n  "wrong"',
    "line": b'{"game": "beams"',
    "verdict": b'{"file": ',
    "list": b"; game: ",
}
"""Beginning of the content of each format; any other kind is the text itself."""

WRITTEN = [
    (("report", GAME), "board.svg", "svg"),
    (("report", GAME), "board.SVG", "svg"),
    (("report", GAME), "board.png", "png"),
    (("report", GAME), "board.txt", b"Beams, Boosters and Barriers: round 2"),
    (("report", GAME), "board.json", "object"),
    (("report", GAME, "--every"), "board.json", "plies"),
    (("report", GAME), "board.jsonl", "ply"),
    (("report", GAME), "board", b"Beams, Boosters and Barriers: round 2"),
    (("report", GAME, "--format", "svg"), "board", "svg"),
    (("report", GAME, "--format", "svg"), "board.svg", "svg"),
    (("report", GAME, "--format", "jsonl"), "-", "ply"),
    (("record", GAME), "game.html", "html"),
    (("record", GAME), "game.pdf", "pdf"),
    (("record", GAME), "game.json", "data"),
    (("record", GAME), "game.txt", b"Beams, Boosters and Barriers: round 2"),
    (("record", GAME, "--format", "svg"), "game", "svg"),
    (("print", "boundary"), "set.pdf", "pdf"),
    (("print", "boundary"), "set", "pdf"),
    (("check", GAME), "out.txt", b"GAME: ok, 2 plies"),
    (("check", GAME), "out.jsonl", "verdict"),
    (("check", GAME), "out", b"GAME: ok, 2 plies"),
    (("stats", ARCHIVE), "out.txt", b"beams: 3 games"),
    (("stats", ARCHIVE), "out.json", "counts"),
    (("stats", ARCHIVE), "out.html", "html"),
    (("stats", ARCHIVE), "out.json.gz", "counts"),
    (("generate", "beams"), "out.jsonl", "line"),
    (("generate", "beams"), "out.jsonl.gz", "line"),
    (("generate", "beams"), "out", "line"),
    (("new", "beams"), "out.yaml", "yaml"),
    (("new", "beams"), "out.yml", "yaml"),
]
REFUSED = [
    (("report", GAME), "board.gif", ("board.gif", ".gif", ".txt, .json, .jsonl, .svg or .png")),
    (("report", GAME), "board.pdf", (".pdf", ".svg or .png")),
    (("report", GAME, "--format", "svg"), "board.gif", (".gif", ".svg or .png")),
    (("report", GAME, "--format", "text"), "board.svg", ("board.svg", "--format says text", "ends in .txt")),
    (("report", GAME, "--every"), "board.svg", ("--every cannot be combined with --ply or a picture",)),
    (("record", GAME), "game", ("has no suffix", ".html, .svg", "or --format")),
    (("record", GAME), "-", ("has no suffix", "or --format")),
    (("record", GAME), "game.jpeg", (".jpeg", ".html, .svg, .png, .pdf, .json or .txt")),
    (("record", GAME, "--format", "pdf"), "game.html", ("--format says pdf", "ends in .pdf")),
    (("print", "beams"), "set.svg", ("set.svg", ".svg", "expected .pdf")),
    (("check", GAME), "out.json", (".json", ".txt or .jsonl")),
    (("check", GAME), "out.jsonl.gz", (".gz", ".txt or .jsonl")),
    (("check", GAME, "--format", "jsonl"), "out.txt", ("--format says jsonl", "ends in .jsonl")),
    (("check", GAME, "--each", "--trace"), "out.txt", ("--trace needs --each --format jsonl",)),
    (("stats", ARCHIVE), "out.csv", (".csv", ".txt, .json or .html")),
    (("stats", ARCHIVE, "--format", "json"), "out.html", ("--format says json", "ends in .json")),
    (("generate", "beams"), "out.json", (".json", "expected .jsonl")),
    (("generate", "beams"), "out.jsonl.bz2", (".bz2", "expected .jsonl")),
    (("new", "beams"), "out.json", (".json", "expected .yaml or .yml")),
    (("convert", GAME, "--to", "json"), "out.yaml", ("gets yaml", "leave --to json out")),
    (("convert", GAME, "--to", "moves"), "out.jsonl", ("gets json", "leave --to moves out")),
    (("convert", GAME), "out.txt", (".txt", ".jsonl, .yaml, .json or .moves")),
]


@pytest.fixture
def folder(tmp_path: Path, at_once: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a game and an archive in it."""
    monkeypatch.chdir(tmp_path)
    at_once.rename(tmp_path / "game.yaml")
    (tmp_path / "all.jsonl").write_text("".join(f"{line}\n" for line in lines("beams", 3)), encoding="utf-8")
    return tmp_path


def typed(command: tuple[str, ...], output: str) -> list[str]:
    """A command with its files, and its output as the option or argument that names it."""
    words = [{GAME: "game.yaml", ARCHIVE: "all.jsonl"}.get(word, word) for word in command]
    return [*words, *(["-o"] if command[0] != "convert" else []), output]


@pytest.mark.parametrize(("command", "output", "kind"), sampled(WRITTEN, 5))
def test_the_suffix_decides_the_format(
    folder: Path, command: tuple[str, ...], output: str, kind: str | bytes
) -> None:
    run = referee(*typed(command, output))
    assert (run.status, run.err) == (0, "")
    if output == "-":
        content = run.out.encode()
    else:
        assert run.out == ""
        content = (folder / output).read_bytes()
    content = gzip.decompress(content) if output.endswith(".gz") else content
    beginning = kind.replace(b"GAME", b"game.yaml") if isinstance(kind, bytes) else BEGINNINGS[kind]
    assert content.lstrip()[: len(beginning)].lower() == beginning.lower()


@each(REFUSED)
def test_an_unknown_suffix_or_one_that_contradicts_the_format_is_refused(
    row: tuple[tuple[str, ...], str, tuple[str, ...]], folder: Path
) -> None:
    command, output, says = row
    before = sorted(folder.iterdir())
    run = referee(*typed(command, output))
    assert (run.status, run.out) == (2, "")
    assert [part for part in says if part not in run.err] == []
    assert sorted(folder.iterdir()) == before


BINARY = [
    ("report", GAME, "--format", "png"),
    ("record", GAME, "--format", "png", "-o", "-"),
    ("record", GAME, "--format", "pdf", "-o", "-"),
    ("record", GAME, "--format", "pdf", "-o", "/dev/tty"),
    ("print", "boundary", "-o", "-"),
]


@pytest.mark.parametrize(
    "command",
    [BINARY[3], *(pytest.param(one, marks=pytest.mark.slow) for one in BINARY if one != BINARY[3])],
    ids=" ".join,
)
def test_no_binary_format_goes_to_a_terminal(folder: Path, command: tuple[str, ...]) -> None:
    status, said = on_terminal(*(["game.yaml" if word == GAME else word for word in command]))
    assert status == 2
    assert b"is not for a terminal: name a file with -o, or pipe the output" in said
    assert not any(beginning in said for beginning in (b"PNG\r", b"%PDF"))


@pytest.mark.slow
def test_a_binary_format_can_be_piped(folder: Path) -> None:
    assert process("report", "game.yaml", "--format", "png", shell="| head -c 4 | tail -c 3").out == "PNG"


def test_an_output_stays_as_it_was_if_a_move_on_the_way_is_wrong(folder: Path) -> None:
    (folder / "game.yaml").write_text(
        "game: beams\nmoves: |\n  P S A2 | P S A2\n  P S A2 | P S A4\n", encoding="utf-8"
    )
    (folder / "plies.jsonl").write_text("mine", encoding="utf-8")
    assert referee("report", "game.yaml", "--every", "-o", "plies.jsonl").status == 1
    assert (folder / "plies.jsonl").read_text(encoding="utf-8") == "mine"


def test_a_folder_may_have_a_full_stop_in_its_name(folder: Path) -> None:
    (folder / "club.2026").mkdir()
    assert referee("convert", "all.jsonl", "club.2026").status == 0
    assert len(list((folder / "club.2026").iterdir())) == 3


def on_terminal(*arguments: str) -> tuple[int, bytes]:
    """The command on a terminal of its own."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-m", "referee", *arguments])
    said = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            said += os.read(terminal, 1 << 16)
        except OSError:
            break
    # A terminal wraps messages about wrong usage.
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), b" ".join(said.split())


@each([("record", GAME), ("print", "boundary"), ("explore", ARCHIVE), ("puzzles", ARCHIVE)])
def test_an_output_that_is_needed_is_asked_for(row: tuple[str, ...], folder: Path) -> None:
    run = referee(*typed(row, "")[:-2])
    assert (run.status, run.out) == (2, "")
    assert "Missing option '-o' / '--output'" in run.err
