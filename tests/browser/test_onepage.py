"""Runs the browser's tests on the referee in one page: it judges and audits as the commands do, offline."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee.desk import Signer
from referee.desk.proof.private_keys import write_key
from referee.game import AnnotatedMove, GameFile, dumps, rounds_of
from referee.game.file.dumper import moves_text
from referee.web.onepage.one_page import one_page
from referee.web.onepage.parts import page_parts
from tests.browser.browser import PYODIDE, in_a_browser, run_in_chromium
from tests.support.command_line import referee
from tests.support.kept_letters import keep_letters
from tests.support.strategies import random_play

ROOT = Path(__file__).parents[2]
LOGS = sorted((ROOT / "spec" / "vectors").glob("*.jsonl"))
TEXTS = 120
DIGEST = "a1" * 32
GAMES: dict[str, dict[str, Any]] = {
    "beams": {},
    "boundary": {},
    "laser-chess": {"setup": "ace"},
    "the-beam": {"deal": {"seed": "seed-1"}},
}
SIGNS = "PRSMAXLVYabcgh0123456789:|{};!?.)- /\\"

pytestmark = in_a_browser


class Judged(NamedTuple):
    """A text, and the command's output for it: a move list of `game`, or a game file, or a log."""

    text: str
    game: str
    said: str
    status: int


def changed(text: str, chance: random.Random) -> str:
    """A text with a character changed, left out, added or doubled, up to three times."""
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(text))
        sign = chance.choice((chance.choice(SIGNS), "", text[at] + chance.choice(SIGNS), text[at] * 2))
        text = text[:at] + sign + text[at + 1 :]
    return text


def lists() -> Iterator[tuple[str, str]]:
    """Move lists and game files of random games with mistakes, and the game of each move list."""
    for number in range(TEXTS):
        chance = random.Random(number)
        name, options = chance.choice([*GAMES.items()])
        plies = random_play(name, number, options, chance.randint(1, 6))
        moves = [AnnotatedMove(move) for ply in plies for move in ply.moves.values()]
        if misplaced := chance.random() < 0.5:
            moves.insert(chance.randrange(len(moves)), chance.choice(moves))
        rounds = rounds_of(moves, 2)
        if chance.random() < 0.5 and name in ("beams", "boundary"):
            yield moves_text(rounds) if misplaced else changed(moves_text(rounds), chance), name
            continue
        head, block, listed = dumps(GameFile(name, rounds=rounds, options=options)).partition("moves: |\n")
        told = (line.strip() for line in listed.splitlines())
        lines = (f"  {line if misplaced else changed(line, chance)}\n" for line in told)
        yield f"{head}{block}{''.join(lines)}", ""


def logs() -> Iterator[str]:
    """Logs in which a character or a line is changed, left out, doubled or moved."""
    for number in range(TEXTS):
        chance = random.Random(number)
        lines = chance.choice(LOGS).read_text(encoding="utf-8").splitlines()
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.choice(("text", "text", "drop", "twice", "swap", "cut", "none")):
            case "text":
                lines[at] = changed(lines[at], chance)
            case "drop":
                del lines[at]
            case "twice":
                lines.insert(other, lines[at])
            case "swap":
                lines[at], lines[other] = lines[other], lines[at]
            case "cut":
                del lines[at:]
        yield "".join(f"{line}\n" for line in lines)


def by_command(text: str, game: str, *command: str) -> Judged:
    """The command's output for a text in a file, which has the page's name for pasted text."""
    Path("pasted").write_text(text, encoding="utf-8")
    run = referee(*command, "./pasted", *(("--game", game) if game else ()))
    return Judged(text, game, run.out.replace("./pasted", "pasted"), run.status)


def signed_by_command(file: Path) -> dict[str, object]:
    """A key, and what the commands print that sign with it, for one seat."""
    write_key(file, Signer(b"k" * 32))
    past = ("--rules", "beams 1", "--opening", DIGEST, "--head", DIGEST)
    run = referee("sign", "spring-7", "3", "south", "resign", *past, "--key", file)
    return {"key": file.read_text(encoding="utf-8"), "resign": run.out}


def compared_by_command(folder: Path) -> list[dict[str, object]]:
    """Logs with letters, and the command's output for them; each file by its name and bytes, a character each."""
    keep_letters(folder)

    def files(*names: str) -> list[dict[str, str]]:
        return [{"name": name, "content": (folder / name).read_bytes().decode("latin-1")} for name in names]

    log = (folder / "log").read_text(encoding="utf-8")
    found = []
    for heads, letters in ((("mine",), ("all",)), (("false",), ()), ((), ("south",))):
        named = (*(("--heads", name) for name in heads), *(("--letters", name) for name in letters))
        with contextlib.chdir(folder):
            run = referee("audit", "./log", *(word for pair in named for word in pair))
        beside = files(*(name for one in letters for name in (one, f"{one}.keys")))
        said = run.out.replace("./log", "pasted")
        found.append({"log": log, "heads": files(*heads), "letters": beside, "said": said, "status": run.status})
    return found


@pytest.mark.slow(minutes=6)
def test_the_page_in_chromium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    judged = [by_command(text, game, "check") for text, game in lists()]
    audited = [by_command(text, "", "audit") for text in logs()]
    assert len({one.status for one in judged}) == len({one.status for one in audited}) == 2
    for name, told in (("lists", judged), ("logs", audited)):
        Path(f"{name}.json").write_text(json.dumps([one._asdict() for one in told]), encoding="utf-8")
    Path("compared.json").write_text(json.dumps(compared_by_command(tmp_path)), encoding="utf-8")
    Path("signed.json").write_text(json.dumps(signed_by_command(tmp_path / "key")), encoding="utf-8")
    Path("referee.html").write_text(one_page(page_parts(PYODIDE)), encoding="utf-8")
    run_in_chromium("onepage.test.js", tmp_path)
