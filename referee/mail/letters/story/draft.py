"""Drafts of letters, as the outbox keeps them.

They are written out when they are handed over (`referee.mail.letters.render`), always in the same words, so that no
game waits for boards and pictures to be drawn.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from referee.desk.log.bodies import canonical
from referee.desk.log.log import read_time, write_time
from referee.mail.letters.format import blocks
from referee.mail.letters.format.blocks import Block, Section
from referee.rules.frozen import frozen_data


@dataclass(frozen=True, slots=True)
class Thread:
    """The letter that is answered: its message id, and the digest of its bytes."""

    message_id: str = ""
    digest: str = ""


class Gist(enum.StrEnum):
    """The outcome of a letter where the log does not have it."""

    NEWS = ""
    """It reports only the log."""
    DONE = "done"
    """The acts in the answered letter were done, or had been done before."""
    NOT_IN = "not-in"
    """A move in that letter was refused, or needs a question."""
    NOT_DONE = "not-done"
    """Another act in that letter was refused, or needs a question."""
    IGNORED = "ignored"
    """That letter came to a seat's address, but from another sender."""
    UNCLEAR = "unclear"
    """Nothing in that letter was understood."""
    RUNS = "runs"
    """It accepts a game that has begun without that."""
    SHOWN = "shown"
    """That letter asked to see something."""
    TRIED = "tried"
    """That letter asked for the result of moves."""
    NEW_KEY = "new-key"
    """The desk has a new key."""
    RESTORED = "restored"
    """The desk has a new key, because it was restored from a backup."""
    NEW_ADDRESS = "new-address"
    """The desk has a new address."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A section with a requested board, which is drawn when the letter is written out.

    The board is that after some `plies` of the game and the ones `tried` after them, each the canonical texts of its
    moves by side. It is the one after a `round`, or, if that is None, one of hypothetical moves.
    """

    plies: int
    round: int | None = None
    tried: tuple[tuple[tuple[str, str], ...], ...] = ()
    above: tuple[Block, ...] = ()
    below: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class LetterContent:
    """A letter to a side, about the log's entries after `since` up to `number`; and perhaps an answer.

    `asked` are requested sections. `proofs` are digests for later, at its end. `unsigned` is true if the answered
    letter needed a signature and had no valid one.
    """

    at: datetime
    side: str
    since: int
    number: int
    answers: tuple[Block, ...] = ()
    asked: tuple[Section | Diagram, ...] = ()
    thread: Thread | None = None
    proofs: tuple[str, ...] = ()
    gist: Gist = Gist.NEWS
    unsigned: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A letter that is not about one game, or not to one of its players.

    `reply_to` is the address for answers, empty for the desk's own. No line of it is a command in any of `games`.
    """

    at: datetime
    subject: str
    sections: tuple[Section, ...]
    thread: Thread
    reply_to: str = ""
    games: tuple[str, ...] = ()


Draft = LetterContent | Note


def as_bytes(draft: Draft) -> bytes:
    """A draft as the outbox keeps it."""
    if isinstance(draft, Note):
        told = {"sections": list(map(_section_data, draft.sections))}
    else:
        told = {"answers": list(map(_block_data, draft.answers)), "asked": list(map(_section_data, draft.asked))}
    return canonical({**asdict(draft), **told, "at": write_time(draft.at)}).encode()


def read_draft(content: bytes) -> Draft:
    """The draft that the outbox has kept."""
    data = json.loads(content)
    data["at"] = read_time(data["at"])
    thread = None if data["thread"] is None else Thread(**data["thread"])
    if "subject" in data:
        sections = tuple(map(_read_section, data["sections"]))
        return Note(**{**data, "sections": sections, "games": tuple(data["games"]), "thread": thread or Thread()})
    read = {
        "answers": _read_blocks(data["answers"]),
        "asked": tuple(map(_read_asked, data["asked"])),
        "proofs": tuple(data["proofs"]),
        "gist": Gist(data["gist"]),
        "thread": thread,
    }
    return LetterContent(**{**data, **read})


_BLOCKS: Mapping[str, type[Any]] = {
    "paragraph": blocks.Paragraph,
    "points": blocks.Points,
    "heading": blocks.Heading,
    "under": blocks.Under,
    "link": blocks.Link,
    "lines": blocks.Lines,
    "moves": blocks.ListedMoves,
    "quote": blocks.Quote,
    "pointed": blocks.Pointed,
    "rows": blocks.Rows,
}
"""The blocks by their names in the outbox."""

_WORDS = {kind: word for word, kind in _BLOCKS.items()}


def _section_data(section: Section | Diagram) -> dict[str, object]:
    if isinstance(section, Diagram):
        told = {"above": list(map(_block_data, section.above)), "below": list(map(_block_data, section.below))}
        return {**asdict(section), **told}
    return {**asdict(section), "blocks": list(map(_block_data, section.blocks))}


def _block_data(block: Block) -> dict[str, object]:
    return {"kind": _WORDS[type(block)], **asdict(block)}


def _read_asked(data: Mapping[str, Any]) -> Section | Diagram:
    if "plies" not in data:
        return _read_section(data)
    told = {name: _read_blocks(data[name]) for name in ("above", "below")}
    return Diagram(**{**data, **told, "tried": frozen_data(data["tried"])})


def _read_section(data: Mapping[str, Any]) -> Section:
    return Section(data["heading"], _read_blocks(data["blocks"]), data["minor"])


def _read_blocks(data: Sequence[Any]) -> tuple[Block, ...]:
    return tuple(map(_read_block, data))


def _read_block(data: Mapping[str, Any]) -> Block:
    parts = {name: frozen_data(part) for name, part in data.items() if name != "kind"}
    block: Block = _BLOCKS[data["kind"]](**parts)
    return block
