"""The commands that a desk's letters show to a player who seals or signs, as they are in the letters."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.correspondence import KEY, address, corresponding, text
from tests.support.desks import signer

COMMAND = re.compile(r"^referee (?:seal|sign)(?:.*\\\n)*.*$", re.MULTILINE)


def letter_commands(folder: Path) -> list[str]:
    """Each kind of command, with its line breaks: a seal, a signed seal and a signature."""
    with corresponding(folder, key=KEY) as post:
        post.open("beams")
        (without,) = _commands(text(post.write("south", "seal")[address("south")]))
        keyed = text(post.write("south", f"key {signer('south').public}")[address("south")])
        sealing = text(post.write("south", "seal")[address("south")])
        sealed, signed = sorted({*_commands(keyed), *_commands(sealing)})
    assert "--sign" not in without
    assert "--sign" in sealed
    assert signed.startswith("referee sign ")
    return [without, sealed, signed]


def _commands(letter: str) -> list[str]:
    return COMMAND.findall(letter.replace("\r\n", "\n"))
