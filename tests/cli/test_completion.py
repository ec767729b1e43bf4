"""Completions of a line in shells, from the request to the shell's use of the answer."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import referee.cli
from referee.cli.shell.completion import answer
from tests.cli.terminals import on_terminal
from tests.support.command_line import referee as run
from tests.support.rows import each

SCRIPTS = Path(sys.executable).parent
SHELLS = ("bash", "zsh", "fish")
GAME = "games/beams/opening.yaml"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Asked:
    return Asked(monkeypatch, capsysbinary)


class Asked:
    """The completions for bash of a line that ends at the cursor."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[bytes]) -> None:
        self._patch, self._capture = monkeypatch, capture

    def __call__(self, line: str, word: str | None = None) -> list[str]:
        """The kind of words and the words; `word` is what bash takes for the last one."""
        last = line.rpartition(" ")[2] if word is None else word
        settings = {"COMP_LINE": f"referee {line}", "COMP_WORD": last, "_REFEREE_COMPLETE": "bash_complete"}
        for name, value in settings.items():
            self._patch.setenv(name, value)
        with pytest.raises(SystemExit):
            answer(referee.cli.cli)
        out, err = self._capture.readouterr()
        assert err == b""
        return out.decode().splitlines()


CASES: Mapping[str, list[str]] = {
    "re": ["plain", "record", "report", "reveal"],
    "--co": ["plain", "--color"],
    "--color ": ["plain", "auto", "always", "never"],
    "check --color n": ["plain", "never"],
    "new ": ["plain", "beams", "boundary", "the-beam", "laser-chess"],
    "new bo": ["plain", "boundary"],
    "new beams --ro": ["plain", "--rows"],
    "new beams --mode ": ["plain", "asynchronous", "synchronous"],
    "new laser-chess --setup ": ["plain", "ace", "curiosity", "grail", "mercury", "sophie"],
    "report --game l": ["plain", "laser-chess"],
    "report --game beams --option ": ["open", "mode=", "columns=", "rows=", "pieces=", "barriers=", "first="],
    "generate laser-chess --option setup=g": ["plain", "setup=grail"],
    "report --game laser-chess --view ": ["plain", "blue", "red"],
    f"report {GAME} --view n": ["plain", "north"],
    "report ga": ["file", "ga"],
    "check ga": ["file", "ga"],
    "print l": ["plain", "laser-chess"],
    "desk op": ["plain", "open"],
    "completion ": ["plain", "bash", "zsh", "fish"],
    f"move {GAME} ": ["plain", "south", "north"],
    f"move {GAME} south ": ["plain", "P", "R"],
    f"move {GAME} south 'P M1 C4 12' ": ["plain", "north"],
    f"legal {GAME} so": ["plain", "south"],
    f"legal {GAME} ": ["plain", "south", "north", "P", "R"],
    f"legal {GAME} south P M1 C": ["plain", "C2", "C4", "C6", "C16"],
    f"legal {GAME} p m1 c4 ": ["plain", "12", "2", "4", "6", "8", "10"],
    f"edit {GAME} un": ["plain", "undo"],
    f"edit {GAME} end --by n": ["plain", "north"],
    f"edit {GAME} annotate 1 s": ["plain", "south"],
    f"edit {GAME} annotate 1/south !": ["plain", "!", "!!", "!?"],
    f"edit {GAME} annotate 1/s": ["plain", "1/south"],
    f"edit {GAME} comment 2/": ["plain", "2/south", "2/north"],
    f"edit {GAME} set e": ["plain", "event"],
    f"edit {GAME} set options.": [
        "plain",
        *(f"options.{name}" for name in ("mode", "columns", "rows", "pieces", "barriers", "first")),
    ],
    f"edit {GAME} set options.mode s": ["plain", "synchronous"],
    f"edit {GAME} set players.north.": ["plain", "players.north.name", "players.north.email"],
    "explain unknown-ce": ["plain", "unknown-cell"],
    "new --from ga": ["file", "ga"],
    "import ga": ["file", "ga"],
    "import --game la": ["plain", "laser-chess"],
    "explore ga": ["file", "ga"],
    "nonsense --x": ["plain"],
    "new chess --x": [],
    "move no-such-file south ": ["plain"],
    "report --game chess --option ": ["plain"],
}


@pytest.mark.slow
@each(CASES)
def test_the_words_that_can_come_next(line: str, asked: Asked) -> None:
    assert asked(line) == CASES[line]


@pytest.mark.slow
def test_a_command_of_the_desk_completes_games_and_files(asked: Asked) -> None:
    assert asked("desk open b") == ["plain", "beams", "boundary"]
    assert asked("desk open ga") == ["file", "ga"]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ('"p m1 c', ["P M1 C2", "P M1 C4", "P M1 C6", "P M1 C16"]),
        ("'P M1 C4 1", ["P M1 C4 12", "P M1 C4 10"]),
        ('"P S A1', ["P S A10", "P S A12", "P S A14", "P S A16"]),
        ('"P X', []),
    ],
)
def test_a_quoted_move_is_completed_word_by_word(typed: str, words: list[str], asked: Asked) -> None:
    assert asked(f"move {GAME} south {typed}", typed) == ["plain", *words]


def test_a_move_not_in_quotes_gets_them(asked: Asked) -> None:
    kind, *words = asked(f"move {GAME} south P")
    assert kind == "plain"
    assert all(word.startswith("'P ") and not word.endswith("'") for word in words)
    assert asked(f"move {GAME} south R\\ B1", "R\\ B1") == ["plain", "'R B15 L'", "'R B15 R'"]


@pytest.mark.parametrize(
    ("line", "word", "words"),
    [
        ("new beams --mode=", "=", ["plain", "asynchronous", "synchronous"]),
        ("new beams --mode=sy", "sy", ["plain", "synchronous"]),
        ("report --game beams --option mode=", "=", ["plain", "asynchronous", "synchronous"]),
        ("report --game beams --option mode=s", "s", ["plain", "synchronous"]),
    ],
)
def test_bash_divides_words_at_an_equals_sign(line: str, word: str, words: list[str], asked: Asked) -> None:
    assert asked(line, word) == words


def test_the_games_of_other_packages_are_completed(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.cli.games.all_games", lambda: ("three-crows",))
    assert asked("new th") == ["plain", "three-crows"]


def test_completing_a_command_imports_no_command() -> None:
    code = "import sys\nfrom referee.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    asks = {"_REFEREE_COMPLETE": "bash_complete", "COMP_LINE": "referee re", "COMP_WORD": "re"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, **asks}
    )
    assert done.stdout.split() == ["plain", "record", "report", "reveal"]
    assert set(done.stderr.split()) & {"yaml", "lark", "pydantic", "referee.rules", "referee.cli.games"} == set()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_gets_its_script(shell: str) -> None:
    script = run("completion", shell)
    assert (script.status, script.err) == (0, "")
    assert "_referee_completion" in script.out
    assert f"{shell}_complete" in script.out


def test_an_unknown_shell_is_refused() -> None:
    assert run("completion", "tcsh").status == 2


# --- Real shells ------------------------------------------------------------------------------------------------

STARTED = {
    "bash": (["bash", "--norc", "-i"], 'eval "$(referee completion bash)"'),
    "zsh": (["zsh", "-f", "-i"], 'autoload -Uz compinit; compinit -u -D; eval "$(referee completion zsh)"'),
    "fish": (["fish", "--no-config", "-i"], "referee completion fish | source"),
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_a_command_and_a_move(shell: str, tmp_path: Path) -> None:
    command, line = STARTED[shell]
    if shutil.which(command[0]) is None:
        pytest.skip(f"needs {shell}")
    game = shutil.copy(GAME, tmp_path / "game.yaml")
    typed = [
        ("", f"{line}; echo RE''ADY\n"),
        ("READY", "referee vers\t"),
        ("", "\x15referee chec\t"),
        ("check ", f"{shlex.quote(str(game))}\n"),
        ("ok", f"referee move {shlex.quote(str(game))} sou\t"),
        ("south ", '"P M1 C4 1\t'),
        ("P M1 C4 1", '2" nor\t'),
        ("north ", "'P S A2'\n"),
        ("round 6", "exit\n"),
    ]
    environment = {"PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    shown = on_terminal(command, keys=typed, columns=200, environment=environment)
    assert "round 6, ply 6: south P M1 C4 12; north P S A2" in shown.text
