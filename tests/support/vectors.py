"""The test vectors of spec/log.md, made from vectors.yaml: whole logs of every game, and logs that are wrong.

`python -m tests.support.vectors` writes them to spec/vectors/.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import yaml

from referee.desk import (
    START,
    Came,
    DomainKey,
    Entry,
    Head,
    State,
    canonical,
    event_data,
    events,
    head_text,
    kind_of,
    new_entry,
)
from referee.desk.log.bodies import event_of
from referee.desk.log.roots import inclusion_of
from referee.game import GameFile, loads
from referee.mail.evidence.mailboxes import as_mailbox
from referee.mail.evidence.signers import key_lines
from tests.support.correspondence import BEGIN, GAME, KEY, Correspondence, corresponding
from tests.support.desks import Desk, desk_signer, request, submit
from tests.support.forgeries import Timed, rechained
from tests.support.inventions import TRUSTED, carried
from tests.support.signed_letters import DOMAIN, SELECTOR_OF_ED25519, ed25519_record, place
from tests.support.strategies import any_move
from tests.support.tables import table
from tests.support.witnesses import mailbox

FOLDER = Path(__file__).parents[2] / "spec" / "vectors"


SIGNED = "laser-chess-desk"
"""The log of a desk that signs."""

LETTERS, FORGED, EARLY = "boundary-letters", "boundary-forged", "boundary-early"
"""The logs with the letters of their acts; the host has changed one of the second.

In the third the host uses a letter of the ply before.
"""


class Log(NamedTuple):
    """A log of spec/vectors/, and the one finding that it has: its line and code, or none."""

    name: str
    shows: str
    text: str
    line: int | None = None
    code: str | None = None


def vectors() -> Iterator[Log]:
    """All test vectors, the valid ones first."""
    data = _data()
    for one in data["logs"]:
        yield Log(one["name"], one["shows"], _exported(_entries(one["name"])))
    yield Log(LETTERS, "a game whose letters are kept; one side's provider is trusted", letters(LETTERS).log)
    yield Log(
        FORGED,
        "the same, but the host has changed an act in a letter: valid as a log without letters",
        letters(FORGED).log,
    )
    yield Log(
        EARLY,
        "a resignation whose letter is from the ply before: valid as a log without letters",
        letters(EARLY).log,
    )
    for one in data["broken"]:
        text = _broken(one)
        line = _place(_entries(one["of"]), one["found"]) + 1 if "found" in one else _last(text)
        yield Log(f"broken/{one['name']}", one["shows"], text, line, one["code"])


class Letters(NamedTuple):
    """A log, the letters of its acts as a mailbox, and the keys that signed them."""

    log: str
    mailbox: bytes
    keys: str


@cache
def letters(name: str) -> Letters:
    """A short game by letter; south's provider signs what it takes, and north's does not.

    In the forged one the host makes a resignation of south's offer. In the early one south resigns, and the host says
    so by a letter that south had written to the address of the ply before.
    """
    with TemporaryDirectory() as folder, corresponding(Path(folder) / "desk", TRUSTED, key=KEY) as post:
        post.open("boundary", {"days": 5})
        before = ""
        asked = "resign" if name == EARLY else "offer draw"
        for side, said in (("south", ""), ("north", ""), ("south", asked), ("north", "resign")):
            taken = post.at
            if post.state.ply == 2:
                before = post.office.seat_address(post.state, "south")
            post.pass_time(0.5)
            post.stamp = bytes if side == "north" else partial(_carried, taken=taken, came=post.at, name=name)
            post.write(side, said or str(any_move(post.state.position, side, random.Random(1))))
            if post.state.closed:
                break
        record = DomainKey(place(DOMAIN, SELECTOR_OF_ED25519), BEGIN, ed25519_record(DOMAIN))
        keys = "".join(f"{line}\n" for line in key_lines([record]))
        if name == EARLY:
            return Letters(*_with_early_letter(post, before, taken), keys)
        return Letters(post.exported, mailbox(post.office), keys)


def _with_early_letter(post: Correspondence, to: str, taken: datetime) -> tuple[str, bytes]:
    """The log and the mailbox of a game whose last letter is one to the address of an earlier ply."""
    entries, kept = post.office.desk.log(GAME), [one.letter for one in post.office.desk.inbox.history()]
    last = next(one for one in entries if isinstance(one.event, events.Resigned)).came
    assert last is not None
    (real,) = [one for one in kept if one.digest == last.letter]
    written = b"From: south@" + real.raw.partition(b"From: south@")[2]
    now = written.partition(b"To: ")[2].partition(b"\r\n")[0]
    made = carried(written.replace(now, to.encode()), taken, post.at)
    early = replace(real, raw=made, digest=sha256(made).hexdigest())
    timed = [Timed(one.at, one.event, one.came) for one in entries]
    timed = [one._replace(came=replace(last, letter=early.digest)) if one.came == last else one for one in timed]
    log = "".join(f"{entry.as_line()}\n" for entry in rechained(GAME, timed))
    return log, b"".join(as_mailbox(early if one is real else one for one in kept))


def _carried(raw: bytes, taken: datetime, came: datetime, name: str) -> bytes:
    made = carried(raw, taken, came)
    return made.replace(b"offer draw", b"resign") if name == FORGED else made


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = table(Path(__file__).with_name("vectors.yaml"))
    return found


@cache
def _entries(name: str) -> tuple[Entry, ...]:
    """The entries of a valid log, or of one by a host who cheats with engines."""
    (one,) = [log for log in (*_data()["logs"], *_data()["cheated"]) if log["name"] == name]
    desk = _begun(one)
    chance = random.Random(1)
    for step in ({"random": one.get("random", 0)}, *one["steps"]):
        for _ in range(step.get("random", 0)):
            desk.think()
            (side,) = desk.state.owing
            desk.ask(submit(side, str(any_move(desk.state.position, side, chance))), after=2.25)
        if "random" in step:
            continue
        ((who, words),) = [(key, said) for key, said in step.items() if key != "after"]
        if who == "engines":
            desk.think(after=step["after"], honestly=words == "think")
            continue
        (answer,) = desk.ask(request(desk, who, words), after=step["after"])
        if answer.refused and answer.code != "mismatch":
            raise ValueError(f"{name}: {step}: {answer}")
    return tuple(desk.entries)


def _begun(one: Mapping[str, Any]) -> Desk:
    """The beginning of a log's game: opened by the host, or proposed."""
    name, clock = one["name"], one.get("clock")
    if "invited" not in one:
        engines = one.get("engines")
        return Desk(name=name, file=_file(one), clock=clock, secret=one.get("secret"), engines=engines)
    more = {"options": one.get("options"), "clock": clock, "name": name, "title": one.get("title")}
    more |= {"desk": one.get("desk"), "engines": one.get("engines")}
    return Desk.invited(one["game"], **more, **one["invited"])


def _file(one: Mapping[str, Any]) -> GameFile:
    header = {"game": one["game"], "event": one.get("title"), "options": one.get("options")}
    players = {side: {"name": name} for side, name in one.get("players", {}).items()}
    moves = "\n".join(one.get("moves", []))
    return loads(yaml.safe_dump({**header, "players": players or None, "moves": moves or None}, sort_keys=False))


def _broken(one: Mapping[str, Any]) -> str:
    """A log up to the entry in which a cheating host has changed something, or to its end if that shows it."""
    entries = _entries(one["of"])
    at = _place(entries, one["at"])
    lines, before = [], START
    for entry in entries if "found" in one else entries[: at + 1]:
        kind, data = kind_of(entry.event), json.loads(canonical(event_data(entry.event)))
        made = entry
        if entry.number == at:
            kind, data = _changed(one, kind, data)
            made = replace(entry, at=entry.at + timedelta(hours=one.get("later", 0)), came=_came(one, entry.came))
        lines.append(_line(made, made.number, kind, data, before))
        before = json.loads(lines[-1])["digest"]
    if then := one.get("then"):
        lines.append(_line(replace(entries[at], came=None), at + 1, then["kind"], then["body"], before))
    if one.get("left_out"):
        del lines[at - 1]
    if swap := one.get("text"):
        lines[-1] = lines[-1].replace(*swap)
    return "".join(f"{line}\n" for line in lines)


def _line(entry: Entry, number: int, kind: str, data: Any, before: str) -> str:  # noqa: ANN401 - JSON
    event = event_of(kind, data)
    return new_entry(entry.game, number, entry.at, event, before, came=entry.came).as_line()


def _came(one: Mapping[str, Any], came: Came | None) -> Came | None:
    """The letter of the changed entry: as before, none, or as the change says."""
    if "came" not in one:
        return None if "instead" in one else came
    return Came(**{**asdict(came or Came("ab" * 32, "")), **one["came"]}) if one["came"] else None


def _changed(one: Mapping[str, Any], kind: str, data: Any) -> tuple[str, Any]:  # noqa: ANN401 - JSON
    if instead := one.get("instead"):
        return instead["kind"], instead["body"]
    change = one.get("body", {})
    return kind, {**data, **change} if one.get("replaces") else _merged(data, change)


def _last(text: str) -> int:
    """The number of the last line that is not empty."""
    return text.rstrip("\n").count("\n") + 1


def _place(entries: tuple[Entry, ...], which: str) -> int:
    """The number of an entry, such as `played 2`: the second one of that kind."""
    kind, _, count = which.partition(" ")
    return [entry.number for entry in entries if kind_of(entry.event) == kind][int(count or 1) - 1]


def _merged(data: Any, change: Any) -> Any:  # noqa: ANN401 - JSON
    if not isinstance(change, dict) or not isinstance(data, dict):
        return change
    return {**data, **{name: _merged(data.get(name), value) for name, value in change.items()}}


def _exported(entries: tuple[Entry, ...]) -> str:
    return "".join(f"{entry.as_line()}\n" for entry in entries)


def feet() -> str:
    """The heads of a log as letters show them, each signed with the key that is in force after its entry."""
    names = {desk_signer(name).public: desk_signer(name) for name in ("first", "second", "third", "fourth")}
    state, lines = None, list[str]()
    for entry in _entries(SIGNED):
        state = State.start(entry) if state is None else state.after(entry)
        assert state.desk is not None
        lines += Head(state.id, state.number, state.head).signed_by(names[state.desk]).lines
    return "".join(f"{line}\n" for line in lines)


def forked() -> str:
    """A head that the same desk has signed as well, though no entry has it."""
    digest = sha256(b"another history").hexdigest()
    text = head_text(SIGNED, 5, digest)
    head = Head(SIGNED, 5, digest, desk_signer("second").sign(text))
    return "".join(f"{line}\n" for line in head.lines)


def proof() -> str:
    """The proof that a log's head is under the root of a day, next to two games known by their digests alone."""
    last = _entries(SIGNED)[-1]
    others = (Head(game, 4, sha256(game.encode()).hexdigest()) for game in ("autumn-2", "winter-1"))
    heads = sorted((Head(SIGNED, last.number, last.digest), *others), key=lambda head: head.game)
    return f"{inclusion_of(last.at.date(), heads, SIGNED)}\n"


def index(logs: Sequence[Log]) -> str:
    """The page that lists the logs of a folder."""
    head = (
        "# Logs to try a verifier with\n\n`python -m tests.support.vectors` makes these files, in the "
        "[format of the log](../log.md).\n"
    )
    whole = [f"| [{log.name}]({log.name}.jsonl) | {log.shows} |" for log in logs if log.code is None]
    broken = [
        f"| [{log.name.removeprefix('broken/')}]({log.name}.jsonl) | {log.shows} | {log.line} | `{log.code}` |"
        for log in logs
        if log.code is not None
    ]
    return "\n".join(
        [
            head,
            "These are valid:\n",
            "| log | shows |\n|---|---|",
            *whole,
            "\nIn each of these a host has cheated, and computed all digests again where possible. The table gives",
            "the line and the code of the first fault:\n",
            "| log | shows | line | code |\n|---|---|---|---|",
            *broken,
            "",
            "More files:\n",
            "| file | holds |\n|---|---|",
            f"| [feet.txt](feet.txt) | the heads of {SIGNED} in letters, each signed with the key in force then |",
            "| [forked.txt](forked.txt) | another head 5, signed with the same key: proof of two histories |",
            "| [proof.txt](proof.txt) | a proof that the last head of that log is under the root of a day |",
            f"| [{LETTERS}.mbox]({LETTERS}.mbox) | the letters of {LETTERS} |",
            f"| [{FORGED}.mbox]({FORGED}.mbox) | the letters of {FORGED}; the host has changed one of them |",
            f"| [{EARLY}.mbox]({EARLY}.mbox) | the letters of {EARLY}; one of them is from another ply |",
            "",
            "Next to each mailbox, `.mbox.keys` has the key that signed the letters of one side.",
            "",
        ]
    )


def write(folder: Path = FOLDER) -> None:
    """Write all vectors, and the page that lists them."""
    (folder / "broken").mkdir(parents=True, exist_ok=True)
    logs = [*vectors()]
    for log in logs:
        (folder / f"{log.name}.jsonl").write_text(log.text, encoding="utf-8")
    (folder / "README.md").write_text(index(logs), encoding="utf-8")
    (folder / "feet.txt").write_text(feet(), encoding="utf-8")
    (folder / "forked.txt").write_text(forked(), encoding="utf-8")
    (folder / "proof.txt").write_text(proof(), encoding="utf-8")
    for name in (LETTERS, FORGED, EARLY):
        (folder / f"{name}.mbox").write_bytes(letters(name).mailbox)
        (folder / f"{name}.mbox.keys").write_text(letters(name).keys, encoding="utf-8")


if __name__ == "__main__":
    write()
