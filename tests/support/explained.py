"""The examples of codes, run by the referee, a desk, a letter or the audit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import referee
from referee.codes import Chapter, Explanation
from referee.codes.presentation import DETAILS, findings
from referee.desk import read_entry
from referee.errors import RefereeError
from tests.support.correspondence import KEY, address, corresponding, text
from tests.support.desks import Desk, request
from tests.support.forgeries import Timed, rechained
from tests.support.logs import audit_text
from tests.support.page_commands import here

CODES_SAID = re.compile(r"(?<![\w-])([a-z]+(?:-[a-z]+)*): ")
"""A code in the output of a command."""

_TOLD = re.compile(r"\(([a-z]+(?:-[a-z]+)*)\)")
"""A code in a letter."""


def codes_of(chapter: Chapter, one: Explanation, folder: Path) -> set[str]:
    """The codes in the results of an example; commands run in the folder, which is the working directory."""
    return set(_codes(chapter, one.example, folder))


def _codes(chapter: Chapter, example: Mapping[str, Any], folder: Path) -> Iterator[str]:
    if "command" in example:
        lay_out(example, folder)
        yield from CODES_SAID.findall(printed(example["command"]))
    if "python" in example:
        try:
            exec(example["python"], {"referee": referee})
        except RefereeError as error:
            yield error.code
    if "log" in example:
        yield from _audited(_desk(example)[0], **example["log"])
    elif "requests" in example:
        yield _desk(example)[1]
    if "letter" in example:
        yield from _answered(example, folder)
    yield from (one.code for one in findings(chapter, example, suggest=False))


def lay_out(example: Mapping[str, Any], folder: Path) -> None:
    """Write the files of an example into a folder."""
    for name, content in example.get("files", {}).items():
        (folder / name).write_text(content, encoding="utf-8")


def printed(commands: str) -> str:
    """The output of the last of some commands, each on a line."""
    *_, last = (here(line) for line in commands.splitlines())
    return last


def _desk(example: Mapping[str, Any]) -> tuple[Desk, str]:
    """A desk after the requests of an example, and the code of its last answer."""
    game, options, clock = example.get("game", "beams"), example.get("options"), example.get("clock")
    if "invited" in example:
        desk = Desk.invited(game, options=options, clock=clock, **example["invited"])
    else:
        desk = Desk(game, options, clock, secret=example.get("secret"))
    code = ""
    for step in example.get("requests", ()):
        ((who, words),) = [(name, said) for name, said in step.items() if name not in DETAILS]
        verb, _, rest = words.partition(" ")
        words = f"{verb} {rest.ljust(step.get('length', 0), 'a')}".strip()
        for _ in range(step.get("times", 1)):
            (answer,) = desk.ask(request(desk, who, words, step.get("ply")), after=step.get("after", 0))
            code = answer.code
    return desk, code


def _audited(desk: Desk, entry: int, old: str = "", new: str = "", *, sealed: bool = True) -> Iterator[str]:
    """The findings of the audit about a log with an entry changed or removed, with new digests if `sealed`."""
    lines = desk.exported.splitlines()
    assert old in lines[entry], lines[entry]
    lines[entry : entry + 1] = [lines[entry].replace(old, new, 1)] if old else []
    if sealed:
        entries = [read_entry(_canonical(line)) for line in lines]
        timed = [Timed(one.at, one.event, one.came) for one in entries]
        lines = [one.as_line() for one in rechained(entries[0].game, timed)]
    yield from (one.code for one in audit_text("".join(f"{line}\n" for line in lines)).findings)


def _canonical(line: str) -> str:
    return json.dumps(json.loads(line), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _answered(example: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """The codes in the answer to the letter of the first side."""
    with corresponding(folder / "desk", example.get("settings", ""), key=KEY) as post:
        post.open(example.get("game", "beams"), example.get("clock", {}))
        (side, *_) = post.state.position.sides
        ways = {name: example[name] for name in ("to", "sender", "header") if name in example}
        letter = example["letter"].rstrip("\n") + "\n"
        came = post.write(side, (letter * example.get("times", 1)).rstrip("\n"), **ways)
        yield from _TOLD.findall(text(came[address(side)]))
