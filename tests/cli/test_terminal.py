"""Names of files and texts in them reach no terminal with control characters or invisible ones."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.terminal import visible, visible_json, visible_lines
from tests.support.command_line import referee
from tests.support.examples import sampled

UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
NASTY = (
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x9b31m",
    "a\rb",
    "a\nb",
    "\x7f",
    "\u202egnp.",
    "\u2066x\u2069",
    "\u200f\u200e\u061c",
    "\udcff",
)
"""A malicious name of a file."""

NAMES = (
    pytest.param("".join(NASTY), id="all of them"),
    *(pytest.param(name, id=ascii(name), marks=pytest.mark.slow) for name in NASTY),
)

GOOD = b"game: beams\nmoves: |\n  P S A2 | P S A2\n"
BEAM = b'game: the-beam\noptions: {deal: {seed: "seed-0"}}\n'
BAD = b"game: beams\nmoves: |\n  P S A2 | P S A3\n"
LINES = b'{"game": "beams"}\n{"game": "chess"}\n'

COMMANDS: dict[str, tuple[object, ...]] = {
    "check": ("check", "{yaml}"),
    "check in JSON": ("check", "{yaml}", "--format", "jsonl"),
    "check each in JSON": ("check", "{jsonl}", "--each", "--format", "jsonl"),
    "check an archive": ("check", "{jsonl}", "--each", "--summary"),
    "check a folder": ("check", "{folder}", "--summary"),
    "check what is not there": ("check", "{missing}"),
    "check with a journal": ("check", "{yaml}", "--resume", "{folder}/no/{name}"),
    "check against": ("check", "{yaml}", "--against", "{jsonl}"),
    "check against what is not there": ("check", "{yaml}", "--against", "{missing}"),
    "convert": ("convert", "{folder}", "{folder}/{name}.out.jsonl"),
    "convert to nothing known": ("convert", "{yaml}", "{folder}/x.{name}"),
    "convert over a file": ("convert", "{yaml}", "{bad}"),
    "convert into a file": ("convert", "{yaml}", "{yaml}/x"),
    "stats": ("stats", "{folder}"),
    "stats over a file": ("stats", "{yaml}", "-o", "{yaml}"),
    "report": ("report", "{yaml}"),
    "report of a bad file": ("report", "{bad}"),
    "report over a file": ("report", "{yaml}", "-o", "{yaml}", "--format", "svg"),
    "report in JSON": ("report", "{yaml}", "--format", "json"),
    "record": ("record", "{bad}", "-o", "{folder}/{name}.txt"),
    "record as nothing known": ("record", "{yaml}", "-o", "{folder}/x.{name}"),
    "print": ("print", "beams", "-o", "{folder}/no/{name}.pdf"),
    "new": ("new", "beams", "-o", "{yaml}"),
    "new somewhere": ("new", "beams", "-o", "{folder}/no/{name}"),
    "generate": ("generate", "beams", "-o", "{jsonl}"),
    "move": ("move", "{yaml}", "south", "P S A2", "north", "P S A4"),
    "move nothing": ("move", "{yaml}", "south", "{name}", "north", "{name}"),
    "move of nobody": ("move", "{yaml}", "{name}", "P S A2"),
    "legal": ("legal", "{missing}"),
    "legal of nothing": ("legal", "{yaml}", "south", "{name}"),
    "reveal": ("reveal", "{beam}", "seed-0"),
    "reveal what is not there": ("reveal", "{missing}", "x"),
    "a game": ("check", "--game", "{name}", "{yaml}"),
    "an option": ("check", "--game", "beams", "--option", "{name}=1", "{yaml}"),
    "an argument": ("check", "--{name}"),
    "a command": ("{name}",),
    "desk init": ("desk", "init", "{yaml}", "--address", "desk@example.org"),
    "desk": ("desk", "status", "--desk", "{missing}"),
    "audit": ("audit", "{jsonl}"),
    "audit what is not there": ("audit", "{missing}"),
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", sampled([(one,) for one in COMMANDS.values()], 2), ids=COMMANDS)
def test_a_name_is_shown_so_that_no_terminal_acts_on_it(tmp_path: Path, command: tuple[str, ...], name: str) -> None:
    made = {"yaml": GOOD, "jsonl": LINES, "bad": BAD, "beam": BEAM}
    places = {"folder": tmp_path, "name": name, "missing": tmp_path / f"missing-{name}.yaml"}
    for kind, content in made.items():
        path = tmp_path / f"{kind}-{name}.{'jsonl' if kind == 'jsonl' else 'yaml'}"
        path.write_bytes(content)
        places[kind] = path
    run = referee(*(one.format(**places) for one in command))
    assert UNSEEN.search(run.out + run.err) is None
    if "jsonl" in command:
        assert [one["file"] for one in run.objects if "file" in one] == [str(places[command[1].strip("{}")])] * len(
            run.objects
        )


TEXTS = st.text(st.one_of(st.characters(codec=None), st.sampled_from("".join(NASTY))))


@given(TEXTS)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_text_made_visible_has_only_visible_characters(text: str) -> None:
    assert visible(text).isprintable()
    assert visible(visible(text)) == visible(text)
    assert UNSEEN.search(visible_lines(text)) is None
    assert visible_lines(text).count("\n") == text.count("\n")
    assert not text.isprintable() or visible(text) == text


@given(TEXTS)
def test_json_can_be_seen_and_says_the_same(text: str) -> None:
    written = visible_json({text: [text]})
    assert UNSEEN.search(written) is None
    assert json.loads(written) == {text: [text]}


def test_letters_of_all_scripts_stay_as_they_are() -> None:
    for text in ("Zoë Straße", "Ελένη", "Анна", "علي", "אורי", "さくら", "👩\u200d🔬"):
        assert visible_lines(text) == text
        assert json.loads(visible_json(text)) == text
        assert unicodedata.normalize("NFC", visible_lines(text)) == unicodedata.normalize("NFC", text)
