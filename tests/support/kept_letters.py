"""A log, and letters of its game that players can have kept."""

from __future__ import annotations

import json
from pathlib import Path

from referee.mail.evidence.domain_keys import look_up
from tests.support.command_line import referee
from tests.support.correspondence import GAME, address
from tests.support.signed_letters import DOMAIN, move, playing, record


def keep_letters(folder: Path) -> Path:
    """Put them into a folder, and give it.

    `log` is the log. `all` are the letters of its acts and `south` those of a side, with their keys next to them.
    `mine` are the letters of the desk to south. `lines` has a log head, and `false` another of the same entry.
    """
    with playing(folder / "desk", "beams") as post:
        move(post, "south")
        move(post, "north")
        post.write("south", "resign")
        look_up(post.office, post.at, lambda _: record(DOMAIN))
        (folder / "log").write_text(post.exported, encoding="utf-8")
        for name, side in (("all", ()), ("south", ("--side", "south"))):
            export = ("--desk", folder / "desk", "--export", folder / name, *side)
            assert referee("desk", "letters", GAME, *export).status == 0
        mine = (letter.as_bytes().replace(b"\r\n", b"\n") for letter in post.letters[address("south")])
        (folder / "mine").write_bytes(b"".join(b"From desk Mon Mar  1 12:00:00 2027\n" + one + b"\n" for one in mine))
        first = json.loads(post.exported.splitlines()[0])
    (folder / "lines").write_text(f"{GAME} 0 {first['digest']}\n", encoding="utf-8")
    (folder / "false").write_text(f"{GAME} 0 {'a1' * 32}\n", encoding="utf-8")
    (folder / "nothing").write_text("Subject: x\n\nHello\n", encoding="utf-8")
    (folder / "strangers.keys").write_text("a key\n", encoding="utf-8")
    return folder
