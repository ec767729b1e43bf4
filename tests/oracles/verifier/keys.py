"""Keys of players, and what is signed with them, as spec/log.md has it."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple

from tests.oracles.verifier.curve import good_key, verified
from tests.oracles.verifier.form import Json, hexadecimal, is_line, require

SIGNED = {
    "submitted": "", "sealed": "seal {commitment}", "ahead": "seal {due} {commitment}",
    "revealed": "reveal {move} {nonce}", "failed": "reveal {move} {nonce}", "resigned": "resign",
    "offered": "offer draw", "accepted": "accept", "claimed": "claim {what}", "aborted": "abort",
}  # fmt: skip


class Note(NamedTuple):
    """A move that was submitted with a key: the key, and the log's note of the signature."""

    key: str
    digest: str


def is_key(value: object) -> bool:
    """A public key."""
    return isinstance(value, str) and hexadecimal(value) and good_key(value)


def is_signed(key: str, signature: object, *lines: str) -> bool:
    """True if lines were signed with a key."""
    if not isinstance(signature, str) or not re.fullmatch("[0-9a-f]{128}", signature):
        return False
    return verified(key, "".join(f"{line}\n" for line in lines), signature)


class Keys:
    """The keys of the seats, and the notes that are due."""

    def __init__(self, entry: Json) -> None:
        self.id, self.root = entry["game"], entry["digest"]
        self.keys: dict[str, str] = {}
        self.notes: dict[str, Note] = {}  # of the moves that were submitted for this ply
        self.spent: set[str] = set()  # signatures since the ply began
        self.due: dict[str, tuple[Note, tuple[str, ...]]] = {}  # notes to be revealed, and the lines that were signed

    def act(self, begin: str, ply: int, side: str, words: str) -> tuple[str, ...]:
        """The signed lines of an act; `begin` is empty before the game."""
        return ("referee act 1", self.id, self.root, begin or self.root, str(ply), side, words)

    def check_signature(self, entry: Json, begin: str, ply: int, mover: str | None) -> None:
        """An act of a seat with a key is signed, and nothing else; `mover` is the side that is alone to move."""
        kind, body, how = entry["kind"], entry["body"], entry.get("came") or {}
        said, side, words = how.get("signature"), body.get("side"), SIGNED.get(kind, "")
        left = kind == "sealed" and body["head"] != begin  # it was signed when it was left ahead
        key = self.keys.get(side) if kind in SIGNED and not left else None
        if kind == "joined":
            key, words = body["key"], f"accept {body['key']} {body['word']}".rstrip()
        elif kind == "played" and mover is not None:
            side, key, words = mover, self.keys.get(mover), f"move {body['moves'].get(mover)}"
        if key is None:
            require(said is None, "signature")
        elif kind == "submitted":
            require(hexadecimal(said), "signature")
            self.notes[str(side)] = Note(key, str(said))
        else:
            require(kind != "joined" or is_key(key), "key")
            require(is_signed(key, said, *self.act(begin, ply, str(side), words.format(**body))), "signature")
            self.spend(str(said))

    def set_key(self, side: str, key: str | None) -> None:
        """A seat has this key from now on."""
        self.keys.pop(side, None)
        if key is not None:
            self.keys[side] = key

    def judge_keyed(self, body: Json, begin: str, *, by_letter: bool) -> None:
        """Another key for a seat, or none."""
        side, key, old, reason = body["side"], body["key"], body["old"], body["reason"]
        now = self.keys.get(side)
        require((key is None or is_key(key)) and key != now, "key")
        if now is None:
            require(by_letter and old is None, "signature")
            require(reason == "", "text")
        elif by_letter:
            self.judge_old(side, key, old, begin)
            require(reason == "", "text")
        else:
            require(key is None and old is None and reason != "", "signature")
            require(is_line(reason), "text")
        self.set_key(side, key)

    def judge_old(self, side: str, key: str | None, old: str | None, begin: str) -> None:
        """Judge the replacement of a seat's key by another, or by none."""
        now = self.keys.get(side)
        if now is None:
            require(old is None, "signature")
        else:
            lines = ("referee key 1", self.id, begin or self.root, side, key or "none")
            require(is_signed(now, old, *lines), "signature")
            self.spend(str(old))

    def spend(self, signature: str) -> None:
        """A signature counts once in a ply."""
        require(signature not in self.spent, "signature")
        self.spent.add(signature)

    def judge_note(self, side: str, signature: str, lines: tuple[str, ...], note: Note) -> None:
        """Judge the revealed signature of a submitted move."""
        require(is_signed(note.key, signature, *lines), "signature")
        require(sha256(bytes.fromhex(signature)).hexdigest() == note.digest, "signature")

    def end_ply(self, sides: list[str], moves: dict[str, str], begin: str, ply: int) -> None:
        """A ply is made: the notes of its moves come next."""
        self.due = {
            side: (self.notes[side], self.act(begin, ply, side, f"move {moves[side]}"))
            for side in sides
            if side in self.notes
        }
        self.notes = {}
