"""Private keys of players: files that only their owner can read, and words to write down (BIP 39)."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from referee.desk.log.signatures import GROUP, Signer
from referee.errors import RefereeError
from referee.extras import extra
from referee.game import read_bytes, unreadable
from referee.game.amend.gate import create_private

KEY_WORDS = 24
"""Number of words for a key; the last one holds a checksum."""

_FIRST = "referee private key 1"
_FORM = re.compile(rf"{_FIRST}\n(?P<seed>[0-9a-f]{{64}})\n?")


def drawn() -> Signer:
    """A fresh key."""
    return Signer(secrets.token_bytes(32))


def write_key(path: Path, signer: Signer) -> None:
    """Keep a key in a new file; FileError `exists` or `unwritable`."""
    create_private(path, f"{_FIRST}\n{signer.seed.hex()}\n".encode())


def read_key(path: Path) -> Signer:
    """The key in a file; FileError as `read_bytes`, or `private-key`: no key is in it."""
    found = _FORM.fullmatch(read_bytes(path).decode("ascii", "replace").replace("\r\n", "\n"))
    if found is None:
        raise unreadable(str(path), "private-key", "this is not a file that 'referee key new' has written")
    return Signer(bytes.fromhex(found["seed"]))


def key_words(signer: Signer) -> list[str]:
    """The words for a key; RefereeError `missing-extra` without the library."""
    return str(extra("mnemonic", GROUP).Mnemonic("english").to_mnemonic(signer.seed)).split()


def words_in(text: str) -> list[str]:
    """The words of a key in a text, without numbers and marks; RefereeError `key-words` or `missing-extra`."""
    known = extra("mnemonic", GROUP).Mnemonic("english").wordlist
    words = re.findall(r"[^\W\d_]+", text.casefold())
    if unknown := [word for word in words if word not in known]:
        raise RefereeError("key-words", f"{unknown[0]!r} is not one of the words; please look at what you wrote down")
    return words


def from_words(text: str) -> Signer:
    """The key with these words; RefereeError `key-words`, if there is none; `missing-extra` without the library."""
    words = words_in(text)
    if len(words) != KEY_WORDS:
        raise RefereeError("key-words", f"a key has {KEY_WORDS} words, and here are {len(words)}")
    try:
        return Signer(bytes(extra("mnemonic", GROUP).Mnemonic("english").to_entropy(words)))
    except ValueError:
        message = "these words do not belong together: one of them is another word, or two have changed places"
        raise RefereeError("key-words", message) from None
